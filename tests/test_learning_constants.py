"""One success may be too little to tell things from verbs: then practice waits for a second."""

from __future__ import annotations

import pytest
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.learning.online import OnlineLearner, OnlineSettings
from macla.procedures.learning.provenance import OWN_PLAY
from macla.procedures.library.library import Library


def fetched(gem, crate):
    return Trajectory(
        f"lay a {gem} in the {crate}.",
        (f"You see a {crate} 1 and a {gem} 3.", "Up.", "Done."),
        (f"lift {gem} 3", f"lay {gem} 3 in {crate} 1"),
        success=True,
        id=f"{gem}-{crate}",
        source=OWN_PLAY,
    )


@pytest.fixture
def library(tmp_path):
    return Library.create(tmp_path / "lib", domain="yard", embedding="static")


def learner(library):
    return OnlineLearner(library, Ledger.memory(), settings=OnlineSettings(every=1))


def test_what_was_done_once_with_these_very_things_is_no_procedure(library):
    known = learner(library)
    assert not known.add(fetched("vorn", "plim"))
    assert library.procedures == {}
    known.add(fetched("tarn", "crate"))
    known.add(fetched("pesk", "chest"))
    library.refresh()
    assert library.procedures
    assert all(procedure.parameters for procedure in library.procedures.values())


def test_actions_that_name_nothing_of_the_task_are_learned_at_once(library):
    told = Trajectory(
        "find the way out.",
        ("A hall.", "A yard.", "Out."),
        ("go north", "leave"),
        success=True,
        id="out",
        source=OWN_PLAY,
    )
    assert learner(library).add(told)
    assert library.procedures
