"""Learning again beside what stands: what goes, and what stays with what was learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from macla.adapters.teaching.lesson import Taught
from macla.adapters.teaching.teaching import teach
from macla.procedures.documents.plain_data import behaves_alike
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.learning.learner import Learned
from macla.procedures.learning.store_learned import store
from macla.procedures.library.library import Library, validate_library
from macla.procedures.library.undo import undoable
from macla.procedures.proposals.proposal import Replay
from macla.procedures.proposals.standing import Standing, plan_beside
from macla.procedures.proposals.support import credibly_better
from test_learning_store import learned, meta, procedure

ONTOLOGY = {
    "kind": "ontology",
    "version": 1,
    "entities": {"shape": "kind and number", "kinds": ["lid"]},
    "operators": {
        name: {"frames": [f"{name} {{0}}"], "effect": "acts"} for name in ("pry", "oil", "zip")
    },
}
PLAIN = procedure("pry")
OILED = procedure("pry", steps=[{"do": "oil {x}"}, {"do": "pry {x}"}])
PLAN = meta("open", "pry", goal="open the {a}")


def shown(number: int, *acts: str) -> Trajectory:
    answers = tuple(f"You {act}." for act in acts)
    obs = (f"A lid {number}.", *answers)
    return Trajectory("open the lid", obs, acts, success=True, id=f"run-{number}")


def plainly(number: int) -> Trajectory:
    return shown(number, f"pry lid {number}")


def oiled(number: int) -> Trajectory:
    return shown(number, f"oil lid {number}", f"pry lid {number}")


def knowledge(document: dict[str, Any], *plans: dict[str, Any], **more: Any) -> Learned:
    return learned([document], plans or [PLAN], ontology=ONTOLOGY, **more)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library.create(tmp_path / "library", domain="lids", embedding="static")


@pytest.fixture
def ledger() -> Iterator[Ledger]:
    with Ledger.memory() as opened:
        yield opened


def again(
    library: Library, ledger: Ledger, new: Learned, episodes: Sequence[Trajectory]
) -> Standing:
    standing = plan_beside(library, new, episodes)
    store(library, ledger, new, plan=standing.plan, staying=standing.staying)
    errors = [each for each in validate_library(library.path) if each.severity == "error"]
    assert errors == []
    return standing


@pytest.mark.parametrize(
    ("wins", "losses", "better"),
    [(2, 0, False), (3, 0, False), (4, 0, True), (9, 1, True), (5, 3, False), (1, 4, False)],
)
def test_a_version_is_better_where_the_bayes_factor_says_so(
    wins: int, losses: int, better: bool
) -> None:
    assert credibly_better(Replay(wins, losses, 50, (0.0, 0.0))) is better


def test_where_episodes_do_not_tell_both_stay_with_their_plans(
    library: Library, ledger: Ledger
) -> None:
    store(library, ledger, knowledge(PLAIN))
    before = {name: item.to_document() for name, item in library.procedures.items()}
    episodes = [plainly(1), plainly(2), oiled(3), oiled(4)]
    standing = again(library, ledger, knowledge(OILED), episodes)
    assert standing.beside == {"pry": "pry-2", "open": "open-2"}
    assert behaves_alike(library.procedures["pry"].to_document(), before["pry"])
    assert library.metas["open"].plan[0].run == "pry"
    assert library.metas["open-2"].plan[0].run == "pry-2"
    assert [step.do for step in library.procedures["pry-2"].steps] == ["oil {x}", "pry {x}"]
    assert "of 4 episodes 2 favour it and 2 what is learned now" in " ".join(standing.told())
    # The demonstrations that taught it stay its evidence.
    taught = library.settings.settings["evidence_from"]
    counts = ledger.counts("procedure", superseded=("learn:", taught))
    assert counts["procedure", "pry", 1, ""] == (10.0, 0.0)


def test_taught_the_same_again_nothing_changes(library: Library, ledger: Ledger) -> None:
    store(library, ledger, knowledge(PLAIN))
    episodes = [plainly(1), plainly(2), oiled(3), oiled(4)]
    again(library, ledger, knowledge(OILED), episodes)
    before = library.content_hash
    again(library, ledger, knowledge(OILED), episodes)
    assert sorted(library.procedures) == ["pry", "pry-2"]
    assert library.content_hash == before


def test_what_does_credibly_more_right_takes_its_place(library: Library, ledger: Ledger) -> None:
    store(library, ledger, knowledge(PLAIN))
    episodes = [plainly(1), *(oiled(n) for n in range(2, 12))]
    standing = again(library, ledger, knowledge(OILED), episodes)
    assert standing.staying == frozenset()
    assert library.procedures["pry"].version == 2
    assert sorted(library.metas) == ["open"]


def test_what_does_nothing_more_right_is_left_out(library: Library, ledger: Ledger) -> None:
    store(library, ledger, knowledge(PLAIN))
    before = library.content_hash
    standing = plan_beside(library, knowledge(OILED), [plainly(1), plainly(2)])
    assert standing.beside == {"pry": "pry"}
    store(library, ledger, knowledge(OILED), plan=standing.plan, staying=standing.staying)
    assert library.content_hash == before


WIDER = {
    "a": {"source": "task"},
    "b": {"source": "task"},
    "x1": {"source": "entity", "of": "a"},
}


def test_what_is_not_learned_again_goes_only_if_something_else_does_it(
    library: Library, ledger: Ledger
) -> None:
    zipped = meta("zip-it", "zip", goal="zip the {a}")
    first = learned([PLAIN, procedure("zip")], [PLAN, zipped], ontology=ONTOLOGY)
    store(library, ledger, first)
    zips = [
        Trajectory("zip the lid", ("A lid 9.", "Done."), ("zip lid 9",), success=True, id="zips")
    ]
    standing = again(library, ledger, knowledge(PLAIN), [plainly(1), *zips])
    assert standing.shown_before == {"zip", "zip-it"}
    assert "so they stay: zip, zip-it" in " ".join(standing.told())
    assert sorted(library.metas) == ["open", "zip-it"]
    # The same plan keeps its id, whatever it is called now.
    other = meta("close-it", "zip", goal="zip the {a}")
    second = learned([PLAIN, procedure("zip")], [PLAN, other], ontology=ONTOLOGY)
    again(library, ledger, second, [plainly(1), *zips])
    assert sorted(library.metas) == ["open", "zip-it"]
    # A plan for a wider goal does all that it did.
    wider = meta("close-it", "zip", goal="{b} the {a}", parameters=WIDER)
    third = learned([PLAIN, procedure("zip")], [PLAN, wider], ontology=ONTOLOGY)
    again(library, ledger, third, [plainly(1), *zips])
    assert sorted(library.metas) == ["close-it", "open"]


def test_teaching_names_what_stays_and_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "lib"
    shown_first = [plainly(1), plainly(2)]
    with monkeypatch.context() as patch:
        patch.setattr(
            "macla.adapters.teaching.teaching.learn_from", lambda *_: Taught(knowledge(PLAIN))
        )
        assert teach(path, shown_first, domain="lids", without=["programs"]).warnings == ()
    before = {file.name: file.read_bytes() for file in path.glob("*/*.yaml")}
    with monkeypatch.context() as patch, undoable(path, "learning"):
        patch.setattr(
            "macla.adapters.teaching.teaching.learn_from", lambda *_: Taught(knowledge(OILED))
        )
        done = teach(path, [oiled(3), oiled(4)], domain="lids", without=["programs"])
    assert any("pry stays as it is; what is learned now is pry-2" in w for w in done.warnings)
    assert (path / "procedures" / "pry-2.yaml").exists()
    assert run("undo", path).exit_code == 0
    assert {file.name: file.read_bytes() for file in path.glob("*/*.yaml")} == before
