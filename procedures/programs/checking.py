"""What no schema says of programs: ids that are taken, facts that nothing ever tells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..episodes.facts import LISTING, OBJECT
from ..episodes.history import EARLIER, TASK
from ..semantics import Issue
from .computing import Computation, Total
from .conditions import (
    Argument,
    Arithmetic,
    Condition,
    TaskSlot,
    Together,
    kinds_of,
    kinds_of_terms,
    parts_of,
    terms_of,
)
from .documents import ProgramFile
from .planning.places import PLACE
from .program import Step
from .sources import Choice, Computed, Offered, Source

__all__ = ["check_programs", "taken_ids"]

_ITEM = re.compile(r"each \{\d+\} of ")
_ALWAYS = (EARLIER, LISTING, PLACE, TASK)
"""Kinds of facts that no line reads, and that are told nevertheless."""
_Path = tuple[str | int, ...]


def check_programs(programs: Mapping[str, ProgramFile], taken: Collection[str]) -> Iterator[Issue]:
    """Yield what is wrong with programs.

    Args:
        programs: By id.
        taken: Ids of procedures and plans.
    """
    yield from taken_ids(programs, taken)
    for name, file in programs.items():
        for path, message in _faults(file):
            yield Issue("warning", ("program", name), path, message)


def taken_ids(programs: Iterable[str], taken: Collection[str]) -> Iterator[Issue]:
    """Yield the errors: ids of programs that procedures or plans have."""
    for name in programs:
        if name in taken:
            message = f"the id {name!r} is also that of a procedure or plan; rename one"
            yield Issue("error", ("program", name), ("id",), message)


def _faults(file: ProgramFile) -> Iterator[tuple[_Path, str]]:
    """Yield where a program waits for what can never be: mostly a line that was spelled anew."""
    vocabulary = _Vocabulary.of(file)
    seen: set[Source] = set()
    for index, step in enumerate(file.program.steps):
        for source in _sources(step):
            message = "" if source in seen else vocabulary.source_fault(source)
            seen.add(source)
            if message:
                yield ("parameters", file.names.get(source, "")), message
        conditions = [c for guard in step.guards for c in (*guard.when, *guard.others)]
        for condition in (*conditions, *step.box.provided):
            if message := vocabulary.condition_fault(condition):
                yield ("steps", index), message
    for pair in file.program.together:
        if message := vocabulary.condition_fault(pair):
            yield ("known",), message


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What can be told to a program.

    Attributes:
        lines: Kinds of facts that its lines and names give.
        operators: What its steps do.
        slots: Of the task; None where its wordings are not known.
    """

    lines: frozenset[str]
    operators: frozenset[str]
    slots: frozenset[str] | None

    @classmethod
    def of(cls, file: ProgramFile) -> _Vocabulary:
        """Return that of a program."""
        lines = {each.text for line in file.lines for each in (line, *line.special)}
        lines |= {line.means for line in file.lines}
        slots = frozenset(slot for wording in file.wordings for slot in wording.slots)
        return cls(
            frozenset(lines | {mention.kind for mention in file.mentions}),
            frozenset(step.operator for step in file.program.steps),
            slots if file.wordings else None,
        )

    def kind_fault(self, kind: str) -> str:
        """Say that nothing tells facts of a kind; empty if something may."""
        text = _ITEM.sub("", kind, count=1) if kind.startswith("each ") else kind
        # JSON that a tool gives is called after it.
        json = kind[:1] in ("", "[", ".") or kind.startswith((OBJECT, *self.operators))
        known = text in self.lines or text in _ALWAYS or json
        return "" if known else f"no line reads {kind!r}"

    def term_fault(self, term: object) -> str:
        """Say why a term never stands for anything; empty if it may."""
        match term:
            case TaskSlot(slot) if self.slots is not None and slot not in self.slots:
                return f"the task has no slot {{{slot}}}"
            case Argument(operator, _) if operator not in self.operators:
                return f"no step does {operator!r}"
            case _:
                return ""

    def condition_fault(self, condition: Condition | Offered | Together) -> str:
        """Say why a condition can never hold; empty if it may."""
        faults = (
            *map(self.kind_fault, sorted(kinds_of(condition))),
            *map(self.term_fault, terms_of(condition)),
        )
        return next(filter(None, faults), "")

    def computation_fault(self, computation: Computation) -> str:
        """Say why a computation never gives a number; empty if it may."""
        match computation:
            case Total(kind, _, where):
                faults = (self.kind_fault(kind), *map(self.condition_fault, where))
            case Arithmetic():
                kinds = map(self.kind_fault, sorted(kinds_of_terms([computation])))
                faults = (*kinds, *map(self.term_fault, parts_of(computation)))
        return next(filter(None, faults), "")

    def source_fault(self, source: Source) -> str:
        """Say why a source never gives a value; empty if it may."""
        match source:
            case Choice(kind, _, _, cases):
                rules = [rule for case in cases for rule in (case.rule, *case.others)]
                conditions = [each for case in cases for each in (*case.when, *case.always)]
                conditions += [each for rule in rules for each in rule.where]
                faults = (self.kind_fault(kind), *map(self.condition_fault, conditions))
            case Computed(computations):
                faults = tuple(map(self.computation_fault, computations))
            case _:
                return self.term_fault(source)
        return next(filter(None, faults), "")


def _sources(step: Step) -> Iterator[Source]:
    yield from step.sources
    for guard in step.guards:
        for condition in guard.when:
            if isinstance(condition, Offered):
                yield condition.choice
