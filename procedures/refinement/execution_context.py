"""The context of one execution of a procedure, for contrast with other executions.

A context is small and self-contained. It is part of the ledger row of its outcome, so that both are
written, kept and merged together. It holds what conditions read: the latest observation, earlier
sentences that mention a bound entity, and the actions that worked.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..common.text import sentences
from ..conditions.text_patterns import Pattern, normalise
from ..documents.plain_data import frozen

CONTEXT_KEY = "execution"
"""Key of a ledger row's context that holds the execution."""

_LONGEST_TEXT = 300
"""Characters; longer texts are cut."""
_MOST_SENTENCES = 24
"""Most sentences of the latest observation, and most earlier ones; it bounds a row's size."""
_MOST_ACTIONS = 60
"""Most earlier actions, the latest; it bounds a row's size."""
_MOST_STEPS = 30
"""Most events of the attempt, the latest; it bounds a row's size."""
_MOST_BLOCKED = 8
"""Most blocked actions, the latest; it bounds a row's size."""
_ALL_SUCCESSES = 30.0
"""Successes of a version that are all stored, and as many again each time they multiply by e."""
_LEAST_SHARE = 1e-6
"""Least sampling share; it keeps the weight 1 / share of a success finite."""
_SUCCESSES_PER_FAILURE = 3.0
"""Successes stored per failure; more of them hardly sharpen a contrast."""

Event = tuple[str, str, bool]
"""(action, observation after it, whether it worked)."""
Blocked = tuple[int, str, str, str]
"""(number of ``done`` actions before it, action, observation after it, observation before it)."""


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
        steps: Events of the attempt.
        blocked: Earlier actions on these entities that did not work: (how many of ``done`` came
            before, action, observation, latest observation before it).
        at: Time, ISO 8601; empty if unknown.
        share: Share of such executions that is stored, in (0, 1]; see :func:`share_kept`.
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
        """Whether the procedure's goal was reached, by it or without it (``fallback``)."""
        return self.outcome in ("success", "fallback")

    @property
    def failed_step(self) -> Event | None:
        """The last step that did not work, or None."""
        return next((event for event in reversed(self.steps) if not event[2]), None)

    @property
    def signature(self) -> str:
        """The first sentence after the failed step, with ``*`` for bound entities."""
        event = self.failed_step
        if event is None:
            return ""
        text = next(iter(sentences(event[1])), "")
        for entity in sorted(self.binding.values(), key=len, reverse=True):
            text = _with_wildcard(text, entity)
        return text

    def to_json(self) -> dict[str, Any]:
        """Return the part for the row's context; the row itself has the rest."""
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
        context = row.context.get(CONTEXT_KEY)
        if not isinstance(context, Mapping):
            return None
        try:
            return cls(
                ref=f"{row.subject}@{row.version}",
                run=row.run,
                step=row.step,
                outcome=getattr(row.outcome, "value", row.outcome),
                task=str(context.get("task", "")),
                binding={str(k): str(v) for k, v in context.get("binding", {}).items()},
                latest=tuple(map(str, context.get("latest", ()))),
                seen=tuple(map(str, context.get("seen", ()))),
                done=tuple(map(str, context.get("done", ()))),
                steps=tuple((str(a), str(o), bool(w)) for a, o, w in context.get("steps", ())),
                blocked=tuple(
                    (int(n), str(a), str(o), str(b)) for n, a, o, b in context.get("blocked", ())
                ),
                at=row.at,
                share=min(1.0, max(_LEAST_SHARE, float(context.get("share", 1.0)))),
            )
        except (AttributeError, TypeError, ValueError):
            return None  # written by hand or by another version


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
    """
    before = history[:began]
    worked = [entry for entry in before if entry[2]]
    latest = str(worked[-1][1]) if worked else first
    matchers = [Pattern.parse("*{v}*").bind({"v": entity}) for entity in binding.values() if entity]

    def speaks(text: str) -> bool:
        return any(matcher.matches(normalise(text)) for matcher in matchers)

    earlier: dict[str, None] = {}
    for text in [first, *(str(entry[1]) for entry in worked)]:
        for sentence in sentences(text):
            if speaks(sentence):
                earlier.pop(sentence, None)
                earlier[sentence] = None
    actions = [str(entry[0]) for entry in worked]
    dropped_count = max(0, len(actions) - _MOST_ACTIONS)
    return ExecutionContext(
        ref=ref,
        run=run,
        step=0,
        outcome=outcome,
        task=_truncate(task),
        binding=dict(binding),
        latest=tuple(_truncate(each) for each in sentences(latest)[:_MOST_SENTENCES]),
        seen=tuple(_truncate(each) for each in [*earlier][-_MOST_SENTENCES:]),
        done=tuple(_truncate(each) for each in actions[dropped_count:]),
        steps=tuple(
            (_truncate(str(a)), _shorten(str(o), speaks), bool(w))
            for a, o, w in history[began:][-_MOST_STEPS:]
        ),
        blocked=tuple(_blocked_before(before, first, dropped_count, speaks)[-_MOST_BLOCKED:]),
    )


def _blocked_before(
    before: Sequence[Sequence[Any]], first: str, dropped_count: int, speaks: Callable[[str], bool]
) -> list[Blocked]:
    """Return the actions on bound entities that did not work before the attempt.

    Args:
        before: ``[action, observation, worked]`` before the attempt.
        first: The first observation.
        dropped_count: Number of the earliest actions that worked and are not stored.
        speaks: Tells whether a text mentions a bound entity.
    """
    blocked: list[Blocked] = []
    count, latest = 0, first
    for action, observation, ok in before:
        if ok:
            count, latest = count + 1, str(observation)
        elif speaks(str(action)):
            texts = (
                _truncate(str(action)),
                _shorten(str(observation), speaks),
                _shorten(latest, speaks),
            )
            blocked.append((max(0, count - dropped_count), *texts))
    return blocked


def share_kept(
    outcome: str, successes: float, failures: float, *, recovered: bool = False
) -> float:
    """Return the probability with which the context of an execution is stored, in [0, 1].

    All failures are stored, and all successes after a failure in the same episode. Other successes
    are sampled. The sampling depends on the outcome alone, so that a condition without effect has
    none in the sample either. The sample grows with the logarithm of the number of successes, and
    with the number of failures.

    Args:
        outcome: How the execution ended.
        successes: Successes of this version before.
        failures: Its failures before.
        recovered: Whether the same procedure failed earlier in the episode.
    """
    if outcome != "success" or recovered or successes < _ALL_SUCCESSES:
        return float(outcome != "precondition_refused")
    return max(
        _LEAST_SHARE, min(1.0, max(_ALL_SUCCESSES, _SUCCESSES_PER_FAILURE * failures) / successes)
    )


def worth_keeping(share: float, name: str) -> bool:
    """Tell whether a context is stored, by a reproducible draw.

    Args:
        share: Result of :func:`share_kept`.
        name: Run and step, the seed of the draw.
    """
    return share >= 1.0 or random.Random(name).random() < share  # noqa: S311


def _truncate(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else text[:_LONGEST_TEXT]


def _shorten(observation: str, speaks: Callable[[str], bool]) -> str:
    """Shorten an observation to whole sentences: the first, then those about bound entities.

    Half a sentence would match no pattern, and conditions are about bound entities.
    """
    if len(observation) <= _LONGEST_TEXT:
        return observation
    first, *rest = sentences(observation) or (observation,)
    texts = [_truncate(first), *rest]
    indices, free_space = [0], _LONGEST_TEXT - len(texts[0])
    for index in sorted(range(1, len(texts)), key=lambda i: not speaks(texts[i])):
        if len(texts[index]) < free_space:
            indices.append(index)
            free_space -= 1 + len(texts[index])
    return "\n".join(texts[index] for index in sorted(indices))


def _with_wildcard(text: str, entity: str) -> str:
    start = text.lower().find(entity.lower())
    return text if start < 0 or not entity else f"{text[:start]}*{text[start + len(entity) :]}"
