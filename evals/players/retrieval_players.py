"""Players that retrieve text from demonstrations and follow it by a script, without a model.

They stand for memories that are read by a language model: workflows (the common steps of like
tasks) and whole trajectories. The script that follows them is the same for all domains.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher

from ...procedures.common.text import words
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.proof.nearest import Nearest
from ...procedures.proof.rebound import exchanged, exchanges

__all__ = ["TrajectoryRetrieval", "WorkflowRetrieval"]

_NEAREST = 10
"""Demonstrations that are looked at: what the prompts of such memories hold."""
_NAME = re.compile(r"\w+")


class TrajectoryRetrieval:
    """Does what was done in the most similar situation of the nearest demonstrations.

    A situation is what was observed last and what was done last; its words are exchanged for those
    of the new task. Nothing is done twice after the same observation.

    Args:
        trajectories: The demonstrations; where some succeeded, only those are used.

    Raises:
        DataError: If there is no demonstration.
    """

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        self._all = [t for t in trajectories if t.success] or list(trajectories)
        Nearest(self._all)  # refuses an empty list
        self._situations: list[tuple[Counter[str], str, str]] = []
        self._tried: set[tuple[str, str]] = set()
        self._last = ""

    def start(self, task: str, observation: str) -> None:
        """Begin an episode: look the nearest demonstrations up."""
        self._situations, self._tried, self._last = [], set(), ""
        for shown in _near(self._all, task, observation):
            changed = exchanges(shown.task, task)
            acts = [exchanged(act, changed) for act in shown.acts]
            for at, act in enumerate(acts):
                seen = Counter(words(exchanged(shown.obs[at], changed)))
                self._situations.append((seen, acts[at - 1] if at else "", act))

    def choose(self, observation: str, admissible: Sequence[str] | None) -> str | None:
        """Return the action of the most similar situation; ``None`` if all were tried."""
        now, allowed = Counter(words(observation)), _allowed(admissible)
        best, chosen = -1.0, None
        for seen, before, act in self._situations:
            if (observation, act) in self._tried or act == self._last:
                continue
            if allowed is not None and act.casefold() not in allowed:
                continue
            likeness = _likeness(now, seen) + SequenceMatcher(None, self._last, before).ratio()
            if likeness > best:
                best, chosen = likeness, act
        if chosen is not None:
            self._tried.add((observation, chosen))
            self._last = chosen
        return chosen


class WorkflowRetrieval:
    """Follows the common steps of the demonstrations of like tasks.

    A workflow is the steps of one of the nearest demonstrations that most of the others have too,
    its words exchanged for those of the new task. Where the possible actions are listed, a step is
    the one that is spelled most like it; else a numbered name that is not there becomes the last
    one of its kind that was observed.

    Args:
        trajectories: The demonstrations; where some succeeded, only those are used.

    Raises:
        DataError: If there is no demonstration.
    """

    def __init__(self, trajectories: Sequence[Trajectory]) -> None:
        self._all = [t for t in trajectories if t.success] or list(trajectories)
        Nearest(self._all)
        self._rest: list[str] = []
        self._seen: list[str] = []

    def start(self, task: str, observation: str) -> None:
        """Begin an episode: take the workflow of the most similar tasks."""
        near = _near(self._all, task, "")
        shapes = [[_shape(act) for act in each.acts] for each in near]
        having = Counter(shape for each in shapes for shape in set(each))
        usual = {shape for shape, count in having.items() if 2 * count >= len(near)}
        # The typical demonstration has most of what is usual, and least besides.
        at = max(range(len(near)), key=lambda at: 2 * len(usual & {*shapes[at]}) - len(shapes[at]))
        changed = exchanges(near[at].task, task)
        steps = zip(near[at].acts, shapes[at], strict=True)
        self._rest = [exchanged(act, changed) for act, shape in steps if shape in usual]
        self._rest.reverse()
        self._seen = [observation]

    def choose(self, observation: str, admissible: Sequence[str] | None) -> str | None:
        """Return the next step that can be done; ``None`` at the end."""
        self._seen.append(observation)
        while self._rest:
            action = self._grounded(self._rest.pop(), admissible)
            if action is not None:
                return action
        return None

    def _grounded(self, step: str, admissible: Sequence[str] | None) -> str | None:
        """Return the possible action that is spelled most like a step."""
        if admissible is None:
            return self._named(step)
        shape = _shape(step)
        fitting = [action for action in admissible if _shape(action) == shape]
        if not fitting:
            return None
        return max(fitting, key=lambda a: SequenceMatcher(None, a, step).ratio())

    def _named(self, step: str) -> str:
        """Return a step in which numbered names that nobody has seen are those seen last."""
        text = "\n".join(self._seen).casefold()

        def there(match: re.Match[str]) -> str:
            if match[0].casefold() in text:
                return match[0]
            alike = re.findall(rf"\b{re.escape(match[1].casefold())} \d+\b", text)
            return alike[-1] if alike else match[0]

        return re.sub(r"\b([a-z]+) \d+\b", there, step, flags=re.IGNORECASE)


def _near(trajectories: Sequence[Trajectory], task: str, observation: str) -> list[Trajectory]:
    """Return the demonstrations whose task, then beginning, is most alike, the best first."""
    by_task: defaultdict[float, list[Trajectory]] = defaultdict(list)
    asked = Counter(words(task))
    for each in trajectories:
        by_task[_likeness(asked, Counter(words(each.task)))].append(each)
    seen = Counter(words(observation))
    ranked = [
        each
        for likeness in sorted(by_task, reverse=True)
        for each in sorted(
            by_task[likeness],
            key=lambda t: -_likeness(seen, Counter(words(t.obs[0]))) if observation else 0.0,
        )
    ]
    return ranked[:_NEAREST]


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of words in common, in [0, 1]."""
    total = sum(one.values()) + sum(other.values())
    return 2 * sum((one & other).values()) / total if total else 1.0


def _shape(action: str) -> str:
    """Return what kind of action it is: its first word, and how many words it has."""
    found = _NAME.findall(action.casefold())
    return f"{found[0] if found else action} {len(found)}"


def _allowed(admissible: Sequence[str] | None) -> frozenset[str] | None:
    if admissible is None or any("{" in action for action in admissible):
        return None  # any words may stand in a blank
    return frozenset(action.casefold() for action in admissible)
