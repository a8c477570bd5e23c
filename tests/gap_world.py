"""Episodes of which symbolic learning explains one goal, and leaves the other without a plan.

Both goals take the same three actions. In the one, what is grabbed is handed over; in the other,
rarer one, something else is. Votes on which things are the same are pooled over both, so that the
plan of the rarer goal does not give its own episodes again and is dropped.
"""

from __future__ import annotations

from macla.procedures.episodes.trajectories import Trajectory

THINGS = ("cup", "jar", "pan", "pot")


def lend(thing: str) -> Trajectory:
    """The common goal."""
    return _episode(f"lend the {thing} to the sound of a bell", thing, thing)


def swap(thing: str, other: str) -> Trajectory:
    """The rare goal: symbols alone have no plan for it."""
    return _episode(f"swap the {thing} for the {other} to the sound of a bell", thing, other)


def _episode(task: str, first: str, last: str) -> Trajectory:
    shelf = ", ".join(f"a {thing} 1" for thing in THINGS)
    return Trajectory(
        task=task,
        obs=(
            f"On the shelf: {shelf}, a bell 1.",
            f"You grab the {first} 1.",
            "The bell 1 rings.",
            f"You hand over the {last} 1.",
        ),
        acts=(f"grab {first} 1", "ring bell 1", f"hand over {last} 1"),
        success=True,
    )


def episodes() -> list[Trajectory]:
    """Forty of the common goal, two of the rare one."""
    common = [lend(THINGS[i % 4]) for i in range(40)]
    return [*common, swap("cup", "jar"), swap("pan", "pot")]


class Shelf:
    """The world: a swap wants the first thing grabbed, the bell rung and the other handed over."""

    def reset(self, task: tuple[str, str]) -> tuple[str, str]:
        first, last = task
        self.wanted = [f"grab {first} 1", "ring bell 1", f"hand over {last} 1"]
        self.done: list[str] = []
        self.answers = dict(zip(self.wanted, swap(first, last).obs[1:], strict=True))
        return swap(first, last).task, swap(first, last).obs[0]

    def step(self, action: str) -> tuple[str, float, bool, dict[str, bool]]:
        self.done.append(action)
        won = self.done[-3:] == self.wanted
        return self.answers.get(action, "Nothing happens."), float(won), won, {"won": won}
