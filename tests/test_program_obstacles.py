"""Programs that plan: what is in the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.episodes.fact import Fact
from macla.procedures.episodes.history import Done
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.learning import proposing
from macla.procedures.programs.planning.places import Places
from macla.procedures.programs.program import Act, decide
from macla.procedures.programs.text_calls import action_of, did_something
from macla.schemas import first_misfit

# ---------------------------------------------------------------------------- what is in the way
_BACK = {"north": "south", "south": "north", "east": "west", "west": "east"}


class _Flat:
    """Rooms in a row or around a corner; doors that are shut, one of them locked."""

    def __init__(self, route: Sequence[str], thing: str, doors: dict[int, str], key: str = ""):
        self.route, self.thing, self.doors, self.key = route, thing, dict(doors), key
        self.locked = {n for n in doors if key}
        self.here, self.held = 0, False

    def look(self) -> str:
        """Say what there is."""
        ways = [(self.route[self.here], self.here)] if self.here < len(self.route) else []
        back = [(_BACK[self.route[self.here - 1]], self.here - 1)] if self.here else []
        lines = [f"== Room {'ABCDEFGH'[self.here]} =="]
        for way, door in (*ways, *back):
            shut = f"A shut {self.doors[door]} leads {way}." if door in self.doors else ""
            lines += [shut or f"You may go {way}."]
        lines += [f"There is a {self.thing} here."] if self.here == len(self.route) else []
        lines += (
            [f"There is a {self.key} here."] if self.key and not (self.here or self.held) else []
        )
        return "\n".join(lines)

    def do(self, action: str) -> str:
        """Do something."""
        verb, _, rest = action.partition(" ")
        if verb == "go":
            ahead = self.here < len(self.route) and rest == self.route[self.here]
            behind = self.here > 0 and rest == _BACK[self.route[self.here - 1]]
            door = self.here if ahead else self.here - 1
            if not (ahead or behind):
                return "No way there."
            if door in self.doors:
                return f"The {self.doors[door]} bars the way."
            self.here += 1 if ahead else -1
            return self.look()
        near = [n for n in (self.here, self.here - 1) if n in self.doors]
        if verb == "open" and near:
            if near[0] in self.locked:
                return f"The {rest} does not budge."
            del self.doors[near[0]]
            return f"Now the {rest} stands open."
        if verb == "unlock" and near and self.held:
            self.locked.discard(near[0])
            return f"Click goes the {rest.partition(' with ')[0]}."
        if verb == "take" and rest == self.key:
            self.held = True
            return f"Taken: {rest}."
        return f"Taken: {rest}." if rest == self.thing and self.here == len(self.route) else "What?"


_ROUTES = (["north", "east"], ["east", "north"], ["west", "north"], ["north", "west"])


def _shown(number: int) -> Trajectory:
    route = [*_ROUTES[number % 4], "east" if number % 2 else "north"]
    thing = ("lamp", "rope", "coin", "ring", "drum")[number % 5]
    doors = {1: ("gate", "hatch", "panel")[number % 3]} if number % 3 else {}
    key = ("brass key", "iron key", "old card", "tin key")[number // 2 % 4]
    flat = _Flat(route, thing, doors, key=key if doors and number % 2 else "")
    acts, told = [], [flat.look()]
    for at, way in enumerate(route):
        door = flat.doors.get(at)
        if at == 0 and flat.key:
            acts.append(f"take {key}")
        if door:
            acts += [f"unlock {door} with {key}"] if flat.key else []
            acts.append(f"open {door}")
        acts.append(f"go {way}")
    acts.append(f"take {thing}")
    told += [flat.do(action) for action in acts]
    return Trajectory(f"Find the {thing}.", tuple(told), tuple(acts), True, id=f"flat-{number}")


@cache
def _learned() -> ProgramFile:
    proposal = proposing._planning_proposal([_shown(n) for n in range(24)], (), lambda _: None)
    assert proposal is not None
    return proposal.file


def _played(file: ProgramFile, task: str, flat: _Flat) -> list[str]:
    history, reader = file.begin(task, flat.look()), file.readers()[0]
    done: list[str] = []
    while len(done) < 30 and isinstance(decision := decide(file.program, history), Act):
        done.append(action_of(decision.step.operator, decision.arguments))
        facts = reader.read(flat.do(done[-1]))
        worked = did_something(facts, history, again=True)
        history.add(
            Done(decision.step.id, decision.step.operator, decision.arguments, worked), facts
        )
    return done


def test_doors_are_opened_and_keys_are_fetched() -> None:
    file = _learned()
    open_door = _played(
        file, "Find the bell.", _Flat(["west", "west", "north"], "bell", {1: "gate"})
    )
    assert open_door[-1] == "take bell"
    assert "open gate" in open_door
    locked = _Flat(["west", "north", "north"], "bell", {1: "gate"}, key="iron key")
    done = _played(file, "Find the bell.", locked)
    assert done[-1] == "take bell"
    assert done.index("take iron key") < done.index("unlock gate with iron key")


def test_what_enables_and_how_it_is_answered_is_in_the_file() -> None:
    file = _learned()
    document: dict[str, Any] = load_yaml(dump_yaml(file.to_document()).encode())
    assert first_misfit("program", document) is None
    assert ProgramFile.from_document(document).does_the_same(file)
    assert {"open {}"} <= {each.text for each in file.program.planner.operators if each.enables}  # type: ignore[union-attr]
    changed = replace(file, program=replace(file.program, planner=None))
    assert not file.does_the_same(changed)


def test_a_move_whose_answer_names_no_place_leads_somewhere() -> None:
    """Only an answer that would name the place tells by its form that nobody moved."""
    looks = Places(("go {}",), ("look around",), heads=frozenset({"This is the {1}."}))
    moves = replace(looks, told_by=("go {}",))
    gone = Done(None, "go {}", ("north",))
    said = (Fact("You walk {1}.", {"1": "north"}),)
    assert looks.lead(gone, said)
    assert not moves.lead(gone, said)
    assert moves.lead(gone, (Fact("This is the {1}.", {"1": "cellar"}),))
