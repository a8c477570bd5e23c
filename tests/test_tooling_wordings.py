"""One procedure for tasks in different words; never from likeness of words alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from macla.procedures.ledger import Ledger
from macla.procedures.library import Library, validate_library
from macla.procedures.model import Procedure
from macla.procedures.tooling.episodes import ToolCall, ToolEpisode
from macla.procedures.tooling.execution import Execution
from macla.procedures.tooling.learner import ToolLearner
from macla.procedures.tooling.memory import ToolMemory
from macla.procedures.tooling.rewording import reworded


def count(task: str, name: str, orders: int, column: str = "n") -> ToolEpisode:
    call = ToolCall(
        "sql", {"q": f"SELECT {column} FROM t WHERE x = '{name}'"}, f'{{"n": {orders}}}'
    )
    return ToolEpisode(task, (call,), f"{name} has {orders} orders.", id=task)


ADA = count("How many orders has Ada Bell placed?", "Ada Bell", 3)
BEN = count("Count the orders of Ben.", "Ben", 5)
KNOWN = Procedure("p", 1, "How many orders has Ada Bell placed?", ())


def test_two_wordings_are_one_procedure() -> None:
    made = reworded(KNOWN, [ADA, BEN])
    assert made is not None
    assert made.goal == "How many orders has {q} placed?"
    assert made.wordings == ("Count the orders of {q}.",)
    assert Procedure.from_document(made.to_document()) == made
    for task in ("Count the orders of Cleo Dunn.", "how many orders has Cleo Dunn placed"):
        execution = Execution.start(made, task)
        assert execution is not None
        assert execution.fillers == {"q": "Cleo Dunn"}


@pytest.mark.parametrize(
    "other",
    [
        count("Count the bills of Ben.", "Ben", 5, "m"),
        replace(BEN, answer="Ben is 5 years old."),
        replace(BEN, answer=None),
        replace(BEN, task="Count the orders of my friend."),
        replace(BEN, task="Count the orders of Ben, only of Ben."),
        replace(BEN, task="Count the orders of the Bens."),
    ],
    ids=["other call", "other answer", "no answer", "not named", "named twice", "part of a word"],
)
def test_what_is_not_the_same_is_not_taken_together(other: ToolEpisode) -> None:
    assert reworded(KNOWN, [ADA, other]) is None


def test_two_values_keep_their_places() -> None:
    def move(task: str, who: str, where: str) -> ToolEpisode:
        call = ToolCall("move", {"who": who, "where": where}, json.dumps({"ok": True}))
        return ToolEpisode(task, (call,), f"{who} is in {where} now.", id=task)

    made = reworded(
        KNOWN,
        [move("Move Ada to Graz.", "Ada", "Graz"), move("Cork gets a guest: Ben", "Ben", "Cork")],
    )
    assert made is not None
    assert made.wordings == ("{where} gets a guest: {who}",)
    execution = Execution.start(made, "Lyon gets a guest: Eva")
    assert execution is not None
    assert execution.fillers == {"who": "Eva", "where": "Lyon"}


def test_a_new_wording_of_what_is_known_needs_one_demonstration(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="tools", embedding="static")
    with Ledger.open(":memory:") as ledger:
        learner = ToolLearner(library, ledger)
        for name, number in (("Ada", 3), ("Ben", 5)):
            learner.add(count(f"How many orders has {name} placed?", name, number))
        memory = ToolMemory(library, ledger)
        asked = "Count the orders of Eva."
        assert memory.trusted(asked) is None
        learner.add(count("Count the orders of Dan.", "Dan", 8))
        memory.refresh()
        chosen = memory.trusted(asked)
        assert chosen is not None
        assert chosen.execution.fillers == {"q": "Eva"}
        assert memory.trusted("How many orders has Eva placed") is not None
        assert memory.trusted("Count the bills of Eva.") is None
        (only,) = library.procedures.values()
        assert only.wordings == ("Count the orders of {q}.",)
        # Learning goes on from the files in another process.
        again = ToolLearner(library, ledger)
        again.add(count("Number of orders by Gil", "Gil", 2))
        (only,) = library.procedures.values()
        assert len(only.wordings) == 2
    assert validate_library(library.path) == []


def test_a_wording_without_a_parameter_of_the_goal_is_an_error(tmp_path: Path) -> None:
    library = Library.create(tmp_path / "lib", domain="tools", embedding="static")
    (library.path / "procedures" / "p.yaml").write_text(
        "kind: procedure\nid: p\nversion: 1\ngoal: see {x}\nwordings:\n  - look\n"
        "parameters:\n  x: {source: task}\nsteps:\n  - tool: see\n    args: {x: '{x}'}\n"
    )
    (issue,) = validate_library(library.path)
    assert "{x} of the goal is missing" in str(issue)


def test_quotation_marks_are_no_part_of_a_value() -> None:
    made = reworded(KNOWN, [ADA, BEN])
    assert made is not None
    execution = Execution.start(made, "Count the orders of 'Cleo'.")
    assert execution is not None
    assert execution.fillers == {"q": "Cleo"}
