"""What is kept of one execution of a procedure so that it can be contrasted with others.

A context is self-contained and small: it goes into the ledger row of the outcome that it explains,
so that it is written once with it, survives with it and is merged between machines with it. What
is kept of the situation is what conditions can look at: the latest observation, earlier sentences
that mention a bound entity, the actions that worked.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..common.text import sentences
from ..conditions.text_patterns import Pattern, normalise
from ..documents.plain_data import frozen

__all__ = [
    "CONTEXT_KEY",
    "Blocked",
    "Event",
    "ExecutionContext",
    "execution_context",
    "share_kept",
    "worth_keeping",
]

CONTEXT_KEY = "execution"
"""Key of a ledger row's context below which the execution stands."""

_TEXT = 300
"""Longest text (characters) that is kept; longer ones are cut."""
_SENTENCES = 24
_ACTIONS = 60
_STEPS = 30
_BLOCKED = 8
_KEPT = 30.0
"""Successes of a version that are all kept, and as many again each time they multiply by e."""
_LEAST_SHARE = 1e-6
_TO_A_FAILURE = 3.0
"""Successes kept to each failure: more of them hardly sharpen a contrast."""

Event = tuple[str, str, bool]
"""(action, what was observed after it, whether it worked)."""
Blocked = tuple[int, str, str, str]
"""(number of ``done`` actions before it, action, what was observed after and before it)."""


@dataclass(frozen=True, slots=True)
class ExecutionContext:
    """One execution of one version of a procedure.

    Attributes:
        ref: ``id@version``.
        run: The episode.
        step: Place of the outcome in that episode; orders the executions of one episode.
        outcome: Name of the outcome, as the ledger has it.
        task: Text of the task.
        binding: Parameter → entity.
        latest: Sentences of the latest observation when the attempt began.
        seen: Earlier sentences that mention a bound entity, oldest first.
        done: Actions that had worked before, oldest first.
        steps: What was done in the attempt.
        blocked: Earlier actions on these things that did not work: (how many of ``done`` came
            before, action, observation, latest observation before it).
        at: When, ISO 8601; empty if unknown.
        share: Part of such executions that is kept, in (0, 1]; see :func:`share_kept`.
    """

    ref: str
    run: str
    step: int
    outcome: str
    task: str = ""
    binding: Mapping[str, str] = field(default_factory=dict, hash=False)
    latest: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    steps: tuple[Event, ...] = ()
    blocked: tuple[Blocked, ...] = ()
    at: str = ""
    share: float = 1.0

    def __post_init__(self) -> None:
        frozen(self, "binding")

    @property
    def worked(self) -> bool:
        """Whether what the procedure is for was done, by it or without it (``fallback``)."""
        return self.outcome in ("success", "fallback")

    @property
    def failed_step(self) -> Event | None:
        """The last step that did not work, if one did not."""
        return next((event for event in reversed(self.steps) if not event[2]), None)

    @property
    def signature(self) -> str:
        """What blocked it: the first sentence after the failed step, things as ``*``."""
        event = self.failed_step
        if event is None:
            return ""
        text = next(iter(sentences(event[1])), "")
        for entity in sorted(self.binding.values(), key=len, reverse=True):
            text = _replaced(text, entity)
        return text

    def to_json(self) -> dict[str, Any]:
        """Return what goes into the ledger row; the row has the rest."""
        return {
            "task": self.task,
            "binding": dict(self.binding),
            "latest": list(self.latest),
            "seen": list(self.seen),
            "done": list(self.done),
            "steps": [list(event) for event in self.steps],
            "blocked": [list(each) for each in self.blocked],
            **({"share": self.share} if self.share < 1.0 else {}),
        }

    @classmethod
    def from_row(cls, row: Any) -> ExecutionContext | None:
        """Read the context of a ledger row (an ``Outcome``); None where it holds none."""
        known = row.context.get(CONTEXT_KEY)
        if not isinstance(known, Mapping):
            return None
        try:
            return cls(
                ref=f"{row.subject}@{row.version}",
                run=row.run,
                step=row.step,
                outcome=getattr(row.outcome, "value", row.outcome),
                task=str(known.get("task", "")),
                binding={str(k): str(v) for k, v in known.get("binding", {}).items()},
                latest=tuple(map(str, known.get("latest", ()))),
                seen=tuple(map(str, known.get("seen", ()))),
                done=tuple(map(str, known.get("done", ()))),
                steps=tuple((str(a), str(o), bool(w)) for a, o, w in known.get("steps", ())),
                blocked=tuple(
                    (int(n), str(a), str(o), str(b)) for n, a, o, b in known.get("blocked", ())
                ),
                at=row.at,
                share=min(1.0, max(_LEAST_SHARE, float(known.get("share", 1.0)))),
            )
        except (AttributeError, TypeError, ValueError):
            return None  # written by hand or by another version: it explains nothing


def execution_context(
    ref: str,
    outcome: str,
    binding: Mapping[str, str],
    task: str,
    first: str,
    history: Sequence[Sequence[Any]],
    began: int,
    *,
    run: str = "",
    step: int = 0,
) -> ExecutionContext:
    """Cut the context of an execution out of an episode.

    Args:
        ref: ``id@version``.
        outcome: How it ended.
        binding: Parameter → entity.
        task: Text of the task.
        first: The first observation.
        history: ``[action, observation, worked]`` of the whole episode so far.
        began: Index in ``history`` of the attempt's first action.
        run: The episode.
        step: Place of the outcome in it.
    """
    before = history[:began]
    worked = [entry for entry in before if entry[2]]
    latest = str(worked[-1][1]) if worked else first
    about = [Pattern.parse("*{v}*").bind({"v": entity}) for entity in binding.values() if entity]

    def speaks(text: str) -> bool:
        return any(matcher.matches(normalise(text)) for matcher in about)

    earlier: dict[str, None] = {}
    for text in [first, *(str(entry[1]) for entry in worked)]:
        for sentence in sentences(text):
            if speaks(sentence):
                earlier.pop(sentence, None)
                earlier[sentence] = None
    done = [str(entry[0]) for entry in worked]
    cut = max(0, len(done) - _ACTIONS)
    return ExecutionContext(
        ref=ref,
        run=run,
        step=step,
        outcome=outcome,
        task=_cut(task),
        binding=dict(binding),
        latest=tuple(_cut(each) for each in sentences(latest)[:_SENTENCES]),
        seen=tuple(_cut(each) for each in [*earlier][-_SENTENCES:]),
        done=tuple(_cut(each) for each in done[cut:]),
        steps=tuple(
            (_cut(str(a)), _told(str(o), speaks), bool(w)) for a, o, w in history[began:][-_STEPS:]
        ),
        blocked=tuple(_blocked_before(before, first, cut, speaks)[-_BLOCKED:]),
    )


def _blocked_before(
    before: Sequence[Sequence[Any]], first: str, cut: int, speaks: Callable[[str], bool]
) -> list[Blocked]:
    """Return what was tried in vain on the bound things: place among the actions kept, and texts.

    Args:
        before: ``[action, observation, worked]`` before the attempt.
        first: The first observation.
        cut: How many of the actions that worked are not kept.
        speaks: Tells whether a text is about something bound.
    """
    blocked: list[Blocked] = []
    count, last = 0, first
    for action, observation, ok in before:
        if ok:
            count, last = count + 1, str(observation)
        elif speaks(str(action)):
            told = (_cut(str(action)), _told(str(observation), speaks), _told(last, speaks))
            blocked.append((max(0, count - cut), *told))
    return blocked


def share_kept(
    outcome: str, successes: float, failures: float, *, recovered: bool = False
) -> float:
    """Return the probability with which the context of an execution is kept, in [0, 1].

    All failures are, and all successes that followed a failure in the same episode. Of other
    successes a sample is: it depends on the outcome alone, so that where a condition has nothing
    to do with success, it has nothing to do with it in the sample either; and it grows with the
    logarithm of their number and with the number of failures.

    Args:
        outcome: How the execution ended.
        successes: Successes of this version before.
        failures: Its failures before.
        recovered: Whether the same procedure failed earlier in the episode.
    """
    if outcome != "success" or recovered or successes < _KEPT:
        return float(outcome != "precondition_refused")
    return max(_LEAST_SHARE, min(1.0, max(_KEPT, _TO_A_FAILURE * failures) / successes))


def worth_keeping(share: float, name: str) -> bool:
    """Say whether a context is kept, by a draw that can be repeated.

    Args:
        share: Of :func:`share_kept`.
        name: Run and step.
    """
    return share >= 1.0 or random.Random(name).random() < share  # noqa: S311


def _cut(text: str) -> str:
    return text if len(text) <= _TEXT else text[:_TEXT]


def _told(observation: str, speaks: Callable[[str], bool]) -> str:
    """Shorten an observation to whole sentences: the first, then those about bound things.

    Half a sentence would fit no pattern, and conditions are about bound things.
    """
    if len(observation) <= _TEXT:
        return observation
    first, *rest = sentences(observation) or (observation,)
    texts = [_cut(first), *rest]
    kept, left = [0], _TEXT - len(texts[0])
    for index in sorted(range(1, len(texts)), key=lambda i: not speaks(texts[i])):
        if len(texts[index]) < left:
            kept.append(index)
            left -= 1 + len(texts[index])
    return "\n".join(texts[index] for index in sorted(kept))


def _replaced(text: str, entity: str) -> str:
    start = text.lower().find(entity.lower())
    return text if start < 0 or not entity else f"{text[:start]}*{text[start + len(entity) :]}"
