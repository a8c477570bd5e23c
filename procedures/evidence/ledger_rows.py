"""A row of evidence: as a Python value, as columns and as a line of JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

from ..common.errors import LedgerError

SubjectKind = Literal["procedure", "meta", "program", "binding", "reading", "operator", "stop"]
CountKey: TypeAlias = tuple[str, str, int, str]
"""(subject kind, subject, version, binding): whose outcomes are summed."""
Counts: TypeAlias = tuple[float, float]
"""(successes, failures)."""

_SUBJECT_KINDS = frozenset(get_args(SubjectKind))
_CONTEXT_LIMIT = 65_536
"""Longest context, in characters of JSON; it bounds the size of a row."""
_LINE_LIMIT = 1_048_576
"""Longest line of an exported file, in bytes; a row has far less."""
_ENCODER = json.JSONEncoder(separators=(",", ":"), sort_keys=True, allow_nan=False)


class OutcomeKind(str, Enum):
    """The outcome of one use of a procedure, plan or program."""

    SUCCESS = "success"
    PRECONDITION_REFUSED = "precondition_refused"
    EXECUTION_FAILED = "execution_failed"
    POSTCONDITION_FAILED = "postcondition_failed"
    ABORTED = "aborted"
    FALLBACK = "fallback"

    @property
    def of_program(self) -> tuple[float, float]:
        """The (successes, failures) that it adds to a program, whatever the host.

        A hand-over and an interrupted run count as neither.
        """
        failed = self in (OutcomeKind.EXECUTION_FAILED, OutcomeKind.POSTCONDITION_FAILED)
        return float(self is OutcomeKind.SUCCESS), float(failed)


DEMONSTRATIONS = "learn:"
"""Family of the runs with the evidence of demonstrations."""
INHERITED = "inherit:"
"""Family of the runs with the evidence that new versions inherited."""
STAND_IN = "from:"
"""Family of the runs with another machine's evidence as sums, from library.lock."""
EVALUATION = "eval:"
"""Family of the runs that are episodes of an evaluation."""
FAMILIES = (DEMONSTRATIONS, INHERITED, STAND_IN, EVALUATION)
"""Prefixes of the ids of runs that are summed separately. All other runs are of one family, "".

A ledger stores these sums, so a change here needs a new format of the ledger."""
KEY = ("run", "step", "subject_kind", "subject", "version", "binding")
"""The fields that identify a row."""

_OUTCOME_KINDS = {each.value: each for each in OutcomeKind}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One row of evidence.

    Attributes:
        run: Id of the episode or job.
        step: Place in that run, >= 0.
        subject_kind: Kind of the subject.
        subject: Id of the subject, such as a procedure.
        version: Its version, >= 0.
        binding: Its binding, for example ``x<mug|place<shelf``.
        outcome: How the use ended.
        successes: Number added to the successes, finite and >= 0.
        failures: Number added to the failures, finite and >= 0.
        at: Time, as ISO 8601 text.
        context: Small JSON object for people and learners, at most 64 kB.

    Raises:
        LedgerError: A value has the wrong type or is out of range.
    """

    run: str
    step: int
    subject_kind: SubjectKind
    subject: str
    version: int
    outcome: OutcomeKind
    successes: float
    failures: float
    at: str
    binding: str = ""
    context: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @classmethod
    def of_sums(
        cls,
        run: str,
        key: CountKey,
        sums: Counts,
        at: str,
        *,
        step: int = 0,
        context: Mapping[str, Any] = MappingProxyType({}),
    ) -> Outcome:
        """Return successes and failures as one row; it failed where nothing else is counted.

        Raises:
            LedgerError: As the class says; of the kind of the subject, too.
        """
        kind, subject, version, binding = key
        good, bad = sums
        outcome = OutcomeKind.EXECUTION_FAILED if bad and not good else OutcomeKind.SUCCESS
        return cls(
            *(run, step, kind, subject, version, outcome, good, bad, at, binding),  # type: ignore[arg-type]  # the class checks it
            context=dict(context),
        )

    def __post_init__(self) -> None:
        if self.subject_kind not in _SUBJECT_KINDS:
            raise self._wrong("subject_kind", f"one of {', '.join(get_args(SubjectKind))}")
        kind = _OUTCOME_KINDS.get(self.outcome)
        if kind is None:
            raise self._wrong("outcome", f"one of {', '.join(_OUTCOME_KINDS)}")
        object.__setattr__(self, "outcome", kind)
        for name in ("step", "version"):
            value = getattr(self, name)
            if type(value) is not int or not 0 <= value < 2**63:
                raise self._wrong(name, "a whole number from 0")
        for name in ("successes", "failures"):
            value = getattr(self, name)
            if type(value) is not float:
                if type(value) is not int:
                    raise self._wrong(name, "a number")
                object.__setattr__(self, name, value := float(value))
            if not 0.0 <= value < math.inf:
                raise self._wrong(name, "finite and not negative")
        for name in ("run", "subject", "binding", "at"):
            value = getattr(self, name)
            if type(value) is not str:
                raise self._wrong(name, "text")
            if not value.isascii() or "\0" in value:
                object.__setattr__(self, name, _storable(value))

    def _wrong(self, name: str, expected: str) -> LedgerError:
        return LedgerError(
            f"outcome of run {self.run!r}, step {self.step!r}: {name} must be {expected}, "
            f"got {getattr(self, name)!r}"
        )

    def to_json(self) -> dict[str, Any]:
        """Return the row as a JSON object, keys in a fixed order."""
        return {
            "run": self.run,
            "step": self.step,
            "subject_kind": self.subject_kind,
            "subject": self.subject,
            "version": self.version,
            "binding": self.binding,
            "outcome": self.outcome.value,
            "successes": self.successes,
            "failures": self.failures,
            "at": self.at,
            "context": dict(self.context),
        }


def family_of(run: str) -> str:
    """Return the family of a run, the prefix of its id; "" for played episodes."""
    return next((each for each in FAMILIES if run.startswith(each)), "")


def key_of(row: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the values that identify a row."""
    return tuple(row[name] for name in KEY)


def row_of(outcome: Outcome) -> dict[str, Any]:
    """Return the values of an outcome's columns.

    Raises:
        LedgerError: Its context is not small plain JSON.
    """
    try:
        context = _ENCODER.encode(dict(outcome.context))
    except (TypeError, ValueError, RecursionError) as error:
        raise LedgerError(
            f"outcome of run {outcome.run!r}, step {outcome.step}: its context is not plain "
            f"JSON ({error})"
        ) from error
    if len(context) > _CONTEXT_LIMIT:
        raise LedgerError(
            f"outcome of run {outcome.run!r}, step {outcome.step}: its context has "
            f"{len(context)} characters of JSON, at most {_CONTEXT_LIMIT} are kept; record less"
        )
    return {
        "run": outcome.run,
        "step": outcome.step,
        "subject_kind": outcome.subject_kind,
        "subject": outcome.subject,
        "version": outcome.version,
        "binding": outcome.binding,
        "outcome": outcome.outcome.value,
        "successes": outcome.successes,
        "failures": outcome.failures,
        "at": outcome.at,
        "context": context,
    }


def _storable(text: str) -> str:
    """Replace characters that databases cannot store: NUL and halves of surrogate pairs."""
    clean = text.encode("utf-8", "replace").decode("utf-8")
    return clean.replace("\0", "\ufffd")


_FIELDS = frozenset(each.name for each in fields(Outcome))


def read_lines(file: Iterable[bytes], path: Path) -> Iterator[tuple[str, Outcome]]:
    """Read exported outcomes, each with its place ``path:line``.

    Raises:
        LedgerError: A line is not an outcome; the message names it.
    """
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        if len(line) > _LINE_LIMIT:
            raise LedgerError(f"{path}:{number}: a line of {len(line)} bytes is no outcome")
        try:
            value = json.loads(line)
            if not isinstance(value, dict) or not isinstance(value.get("context", {}), dict):
                raise TypeError("not an object of an outcome's fields")
            if unknown := value.keys() - _FIELDS:
                raise TypeError(f"unknown {', '.join(map(repr, sorted(unknown)))}")
            if missing := _FIELDS - value.keys() - {"binding", "context"}:
                raise TypeError(f"without {', '.join(map(repr, sorted(missing)))}")
            outcome = Outcome(**value)
            row_of(outcome)  # refuses a context that cannot be stored, while the line is known
        except (ValueError, TypeError, RecursionError, LedgerError) as error:
            raise LedgerError(
                f"{path}:{number}: not an exported outcome ({error}); nothing was imported"
            ) from error
        yield f"{path}:{number}", outcome
