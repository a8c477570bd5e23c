"""Learning from few demonstrations: what few do not show is neither required nor ruled out.

A shed with a bench and closed chests. A tool is fetched, treated, and hung on a hook.
"""

from __future__ import annotations

from typing import Any

import pytest
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.learner import learn

_START = (
    "You stand in a shed. You see a bench 1, a bench 2, a chest 1, a chest 2, a stone 1, a hook 1."
)


def fetch(tool: str, at: str, looks: tuple[str, ...]) -> list[tuple[str, str]]:
    """Look into chests in vain, and take a tool from a bench."""
    shown: list[tuple[str, str]] = []
    for chest in looks:
        shown += [
            (f"walk to {chest}", f"You reach the {chest}. The {chest} is closed."),
            (f"open {chest}", f"You open the {chest}. In it you see a rag {chest[-1]}."),
        ]
    return [
        *shown,
        (f"walk to {at}", f"You reach the {at}. On it you see a {tool}."),
        (f"take {tool} from {at}", f"You take the {tool}."),
    ]


def demonstration(
    tool: str, looks: tuple[str, ...] = (), treatment: str = "", *, hung: bool = True
) -> Trajectory:
    """Fetch a tool, perhaps treat it, and hang it on the hook."""
    shown = fetch(tool, "bench 1", looks)
    if treatment:
        shown += [
            ("walk to stone 1", "You reach the stone 1."),
            (f"{treatment} {tool} with stone 1", f"You {treatment} the {tool} with the stone 1."),
        ]
    if hung:
        shown += [
            ("walk to hook 1", "You reach the hook 1."),
            (f"hang {tool} on hook 1", f"You hang the {tool} on the hook 1."),
        ]
    word, state = tool.split()[0], {"sharpen": "sharp ", "oil": "oily "}.get(treatment, "")
    acts, obs = zip(*shown, strict=True)
    return Trajectory(f"hang a {state}{word} on hook.", (_START, *obs), acts, True)


@pytest.fixture(scope="module")
def learned() -> Any:
    shown = [
        demonstration("axe 1"),
        demonstration("saw 1", ("chest 1", "chest 2")),
        demonstration("awl 1", ("chest 2",)),
        demonstration("axe 2", (), "sharpen"),
        demonstration("saw 2", ("chest 1",), "sharpen"),
        demonstration("awl 2", (), "oil", hung=False),
    ]
    return learn(shown)


def steps(learned: Any, verb: str) -> list[dict[str, Any]]:
    (document,) = (each for name, each in learned.procedures.items() if name.startswith(verb))
    return document["steps"]


def test_looks_in_vain_show_that_closed_places_are_opened(learned: Any) -> None:
    walk, opened, _ = steps(learned, "take")
    assert walk["do"] == "walk to {y}"
    assert opened["do"] == "open {y}"
    assert opened["when"] == 'observed("The {y} is closed.")'


def test_what_was_done_to_a_thing_that_is_chosen_is_no_precondition(learned: Any) -> None:
    conditions = [c for each in learned.procedures.values() for c in each["preconditions"]]
    assert conditions
    assert all(condition.startswith("last({x})") for condition in conditions)


def test_a_treatment_that_demonstrations_end_with_rules_nothing_out(learned: Any) -> None:
    (hang,) = (each for name, each in learned.procedures.items() if name.startswith("hang"))
    assert 'oil {x} with *"' in hang["preconditions"][0]
