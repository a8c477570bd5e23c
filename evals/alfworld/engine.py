"""ALFWorld's text engine in pure Python, in lockstep with the official one.

The official engine runs the PDDL domain through Fast Downward and writes its answers with
a grammar; this one knows the domain's actions and the grammar's sentences, so that a step
takes microseconds. :mod:`.conformance` compares the two. What surprises in the original is
kept on purpose:

- a command that is unknown or not possible now answers ``Nothing happens.``;
- ``go to`` the place where one is already is such a command;
- an object can be examined only while it is held (the original's other case has a typing
  slip in its PDDL and never applies);
- ``look`` in the middle of the room sees nothing, whatever the first observation lists;
- what was switched on stays on; appliances work closed; heating undoes cooling and the
  other way round, while neither undoes cleaning;
- ``look`` at a place tells only of objects that were taken from a receptacle there and put
  into another one at the same place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from .dialects import dialect_named
from .goals import Fact
from .problem import Problem

__all__ = ["NOTHING", "NativeEngine"]

NOTHING = "Nothing happens."

_HELP = """\
Available commands:
  look:                             look around your current location
  inventory:                        check your current inventory
  go to (receptacle):               move to a receptacle
  open (receptacle):                open a receptacle
  close (receptacle):               close a receptacle
  take (object) from (receptacle):  take an object from a receptacle
  move (object) to (receptacle):  place an object in or on a receptacle
  examine (something):              examine a receptacle or an object
  use (object):                     use an object
  heat (object) with (receptacle):  heat an object using a receptacle
  clean (object) with (receptacle): clean an object using a receptacle
  cool (object) with (receptacle):  cool an object using a receptacle
  slice (object) with (object):     slice an object using a sharp object
"""

_KNIVES = frozenset({"knifetype", "butterknifetype"})
_BASINS = frozenset({"sinkbasintype", "sinktype"})

_Action = Callable[[], str]


class NativeEngine:
    """One episode of one game.

    Args:
        problem: The parsed game; it is shared, never changed.
        dialect: ``2.1.3`` (today's data) or ``2.1.1``.

    """

    def __init__(self, problem: Problem, dialect: str = "2.1.3") -> None:
        self._problem = problem
        self._dialect = dialect_named(dialect)
        self._visits = [
            (f"go to {problem.names[receptacle]}", place, partial(self._go, receptacle, place))
            for receptacle, place in problem.places.items()
        ]
        self._goal_predicates = problem.goal.predicates()
        self.reset()

    @property
    def won(self) -> bool:
        """Whether the goal holds now."""
        return self._won

    def reset(self) -> str:
        """Start again and return the first observation, without the task sentence."""
        start = self._problem.start
        self._facts: dict[str, set[Fact]] = {name: set(facts) for name, facts in start.items()}
        self._here = min(start["atlocation"])[1]
        self._held = min((fact[1] for fact in start["holds"]), default=None)
        self._inside: dict[str, set[str]] = {}
        for thing, receptacle in start["inreceptacle"]:
            self._inside.setdefault(receptacle, set()).add(thing)
        self._removed: set[Fact] = set()
        self._won = self._problem.goal.holds(self._facts)
        self._possible: dict[str, _Action] | None = None
        return f"-= Welcome to TextWorld, ALFRED! =-\n\n{self._overview()}"

    def step(self, command: str) -> tuple[str, bool]:
        """Do a command; return what the game answers and whether the goal holds."""
        action = self._commands().get(command.strip())
        return (NOTHING if action is None else action()), self._won

    def admissible(self) -> list[str]:
        """Return the commands that are possible now, in alphabetical order."""
        return sorted(self._commands())

    # -- what is possible ------------------------------------------------------------

    def _commands(self) -> dict[str, _Action]:
        if self._possible is None:
            possible: dict[str, _Action] = {"look": self._look, "inventory": self._inventory}
            if self._dialect.help:
                possible["help"] = _help
            possible.update(
                (command, action) for command, place, action in self._visits if place != self._here
            )
            for receptacle in self._problem.receptacles_at.get(self._here, ()):
                self._add_receptacle_commands(receptacle, possible)
                if self._held is not None:
                    self._add_appliance_commands(receptacle, self._held, possible)
            if self._held is not None:
                self._add_held_commands(self._held, possible)
            self._possible = possible
        return self._possible

    def _add_receptacle_commands(self, receptacle: str, possible: dict[str, _Action]) -> None:
        names, traits = self._problem.names, self._problem.traits
        name = names[receptacle]
        possible[f"examine {name}"] = partial(self._view, receptacle)
        if receptacle in traits["openable"]:
            if self._is_open(receptacle):
                possible[f"close {name}"] = partial(self._close, receptacle)
            else:
                possible[f"open {name}"] = partial(self._open, receptacle)
        reachable = self._held is None and self._is_open(receptacle)
        for thing in self._inside.get(receptacle, ()):
            if reachable and thing in traits["pickupable"]:
                possible[f"take {names[thing]} from {name}"] = partial(
                    self._take, thing, receptacle
                )
            if thing in traits["toggleable"]:
                possible[f"use {names[thing]}"] = partial(self._use, thing)

    def _add_appliance_commands(
        self, receptacle: str, thing: str, possible: dict[str, _Action]
    ) -> None:
        problem = self._problem
        traits, kind = problem.traits, problem.kinds.get(receptacle, "")
        names = problem.names[thing], problem.names[receptacle]
        if (kind, problem.kinds.get(thing)) in problem.fits and self._is_open(receptacle):
            possible[self._dialect.put.format(*names)] = partial(self._put, thing, receptacle)
        tail = f"{names[0]} with {names[1]}"
        if kind in _BASINS and thing in traits["cleanable"]:
            possible[f"clean {tail}"] = partial(self._clean, thing, receptacle)
        if kind == "microwavetype" and thing in traits["heatable"]:
            possible[f"heat {tail}"] = partial(self._heat, thing, receptacle)
        if kind == "fridgetype" and thing in traits["coolable"]:
            possible[f"cool {tail}"] = partial(self._cool, thing, receptacle)

    def _add_held_commands(self, held: str, possible: dict[str, _Action]) -> None:
        names = self._problem.names
        possible[f"examine {names[held]}"] = partial(self._inspect, held)
        if self._problem.kinds.get(held) in _KNIVES:
            for thing, place in self._facts["objectatlocation"]:
                if place == self._here and thing in self._problem.traits["sliceable"]:
                    possible[f"slice {names[thing]} with {names[held]}"] = partial(
                        self._slice, thing, held
                    )

    # -- actions that change the world -------------------------------------------------

    def _go(self, receptacle: str, place: str) -> str:
        self._facts["atlocation"] = {(self._problem.agent, place)}
        self._here = place
        self._changed("atlocation")
        names = self._problem.names
        goal = names[receptacle if self._dialect.arrives_at_receptacle else place]
        return f"You arrive at {goal}. {self._view(receptacle)}"

    def _open(self, receptacle: str) -> str:
        self._facts["opened"].add((receptacle,))
        self._changed("opened")
        return f"You open the {self._problem.names[receptacle]}. {self._view(receptacle)}"

    def _close(self, receptacle: str) -> str:
        self._facts["opened"].discard((receptacle,))
        self._changed("opened")
        return f"You close the {self._problem.names[receptacle]}."

    def _take(self, thing: str, receptacle: str) -> str:
        self._facts["inreceptacle"].discard((thing, receptacle))
        self._inside[receptacle].discard(thing)
        self._removed.add((thing, receptacle))
        self._facts["objectatlocation"].discard((thing, self._here))
        self._facts["holds"] = {(self._problem.agent, thing)}
        self._held = thing
        self._changed("inreceptacle", "objectatlocation", "holds")
        names = self._problem.names
        return f"You pick up the {names[thing]} from the {names[receptacle]}."

    def _put(self, thing: str, receptacle: str) -> str:
        self._facts["inreceptacle"].add((thing, receptacle))
        self._inside.setdefault(receptacle, set()).add(thing)
        self._removed.discard((thing, receptacle))
        self._facts["objectatlocation"].add((thing, self._here))
        self._facts["holds"] = set()
        self._held = None
        self._changed("inreceptacle", "objectatlocation", "holds")
        names = self._problem.names
        return self._dialect.placed.format(names[thing], names[receptacle])

    def _clean(self, thing: str, receptacle: str) -> str:
        self._facts["isclean"].add((thing,))
        self._changed("isclean")
        return self._treated("clean", thing, receptacle)

    def _heat(self, thing: str, receptacle: str) -> str:
        self._facts["ishot"].add((thing,))
        self._facts["iscool"].discard((thing,))
        self._changed("ishot", "iscool")
        return self._treated("heat", thing, receptacle)

    def _cool(self, thing: str, receptacle: str) -> str:
        self._facts["iscool"].add((thing,))
        self._facts["ishot"].discard((thing,))
        self._changed("ishot", "iscool")
        return self._treated("cool", thing, receptacle)

    def _treated(self, verb: str, thing: str, receptacle: str) -> str:
        names = self._problem.names
        return f"You {verb} the {names[thing]} using the {names[receptacle]}."

    def _use(self, thing: str) -> str:
        self._facts["istoggled"].add((thing,))
        self._changed("istoggled")
        return f"You turn on the {self._problem.names[thing]}."

    def _slice(self, thing: str, knife: str) -> str:
        self._facts["issliced"].add((thing,))
        self._changed("issliced")
        names = self._problem.names
        return f"You sliced the {names[thing]} with the {names[knife]}."

    def _changed(self, *predicates: str) -> None:
        self._possible = None
        if not self._goal_predicates.isdisjoint(predicates):
            self._won = self._problem.goal.holds(self._facts)

    # -- actions that only look --------------------------------------------------------

    def _overview(self) -> str:
        if self._problem.receptacles_at.get(self._here):
            return self._look()
        return _around(_listed(self._problem.names[place] for place in self._problem.places))

    def _look(self) -> str:
        names = self._problem.names
        here = self._problem.receptacles_at.get(self._here, ())
        if not here:
            return _around("nothing")
        beside = [
            names[thing]
            for thing, place in sorted(self._facts["objectatlocation"])
            if place == self._here
            for receptacle in here
            if (thing, receptacle) in self._removed
        ]
        facing = _joined([names[receptacle] for receptacle in here])
        return f"You are facing the {facing}. Next to it, you see {_listed(beside)}."

    def _inventory(self) -> str:
        if self._held is None:
            return "You are not carrying anything."
        return f"You are carrying: a {self._problem.names[self._held]}."

    def _view(self, receptacle: str) -> str:
        name = self._problem.names[receptacle]
        if receptacle not in self._problem.traits["openable"]:
            return f"On the {name}, you see {self._contents(receptacle)}."
        if not self._is_open(receptacle):
            return f"The {name} is closed."
        return f"The {name} is open. In it, you see {self._contents(receptacle)}."

    def _inspect(self, thing: str) -> str:
        problem = self._problem
        name = problem.names[thing]
        if thing in problem.traits["isreceptacleobject"]:
            inner = _listed(problem.names[each] for each in problem.contents.get(thing, ()))
            return f"This is a normal {name}. In it, you see {inner}."
        description = self._condition(thing)
        if description:
            return f"This is a {description} {name}."
        if thing in problem.traits["toggleable"] and self._is("istoggled", thing):
            return f"This {name} is on."
        if thing in problem.traits["sliceable"] and self._is("issliced", thing):
            return f"This is a sliced {name}."
        return f"There's nothing special about {name}."

    def _condition(self, thing: str) -> str:
        """Adjectives as the original's rules give them: cool alone is called ``cold``."""
        clean, sliced = self._is("isclean", thing), self._is("issliced", thing)
        hot, cool = self._is("ishot", thing), self._is("iscool", thing)
        if not (clean or hot or cool):
            return ""
        if clean and (hot or cool):
            words = "hot and clean" if hot else "cool and clean"
        elif hot or clean:
            words = "hot" if hot else "clean"
        else:
            words = "cool" if sliced else "cold"
        return f"{words} sliced" if sliced else words

    def _contents(self, receptacle: str) -> str:
        names = self._problem.names
        return _listed([names[thing] for thing in sorted(self._inside.get(receptacle, ()))])

    def _is(self, predicate: str, thing: str) -> bool:
        return (thing,) in self._facts[predicate]

    def _is_open(self, receptacle: str) -> bool:
        """Whether it is open, or is of the kind that has no door."""
        return receptacle not in self._problem.traits["openable"] or self._is("opened", receptacle)


def _help() -> str:
    return _HELP


def _around(seen: str) -> str:
    return f"You are in the middle of a room. Looking quickly around you, you see {seen}."


def _listed(names: Iterable[str]) -> str:
    return _joined([f"a {name}" for name in names]) or "nothing"


def _joined(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])}, and {parts[-1]}"
