"""Checks of programs beyond the schema: ids in use, facts that no line tells."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from ..episodes.history import ASKED
from ..episodes.templates import Template
from ..model.semantics import Issue, shared_ids
from .decision_tables import Tabled
from .documents import ProgramFile
from .planning.planner import Planner
from .program import ProgramStep
from .program_conditions import (
    Argument,
    Arithmetic,
    Computation,
    Condition,
    Rounded,
    Size,
    TaskSlot,
    Together,
    Total,
)
from .sources import Choice, Computed, Offered, Source
from .terms import kinds_of, kinds_of_terms, parts_of, terms_of
from .vocabulary import Vocabulary

_Path = tuple[str | int, ...]


def check_programs(
    programs: Mapping[str, ProgramFile], other_ids: Collection[str]
) -> Iterator[Issue]:
    """Yield the issues of programs.

    Args:
        programs: Id → program.
        other_ids: Ids of procedures and plans.
    """
    yield from shared_ids("program", programs, other_ids)
    for name, file in programs.items():
        for path, message in _faults(file):
            yield Issue("warning", ("program", name), path, message)


def _faults(file: ProgramFile) -> Iterator[tuple[_Path, str]]:
    """Yield parts of a program that can never apply, mostly because a line was respelled."""
    vocabulary = _Known.of(file)
    sources_seen: set[Source] = set()
    for index, step in enumerate(file.program.steps):
        for source in _sources(step):
            message = "" if source in sources_seen else vocabulary.source_fault(source)
            sources_seen.add(source)
            if message:
                yield ("parameters", file.names.get(source, "")), message
        for condition in (*step.conditions, *step.box.provided):
            if message := vocabulary.condition_fault(condition):
                yield ("steps", index), message
    if file.tools is not None:
        yield from _idle_steps(file, file.tools.idle)
    if file.program.planner is not None:
        yield from _unused_slots(file.program.planner)
    for pair in file.program.together:
        if message := vocabulary.condition_fault(pair):
            yield ("known",), message


def _idle_steps(file: ProgramFile, idle: Collection[str]) -> Iterator[tuple[_Path, str]]:
    """Yield the tools that memory leaves out and a step calls."""
    for step in file.program.steps:
        if step.form is not None and step.form.tool in idle:
            message = f"the step {step.id!r} calls {step.form.tool!r}, which is no idle call then"
            yield ("idle",), message


def _unused_slots(planner: Planner) -> Iterator[tuple[_Path, str]]:
    """Yield the wordings with slots that their goal does not use."""
    for number, goal in enumerate(planner.goals):
        slots_used = {each.slot for each in goal.variables} | {each.place for each in goal.wants}
        for index, wording in enumerate(goal.wordings):
            for slot in sorted({*Template(wording).slots} - slots_used):
                message = (
                    f"no thing of the goal is {{{slot}}}: what a task says there is passed over"
                )
                yield ("goals", number, "asked", index), message


@dataclass(frozen=True, slots=True)
class _Known:
    """Facts and slots that a program can know.

    Attributes:
        told: Vocabulary of its facts.
        slots: Slots of the task; None where it has no wordings.
    """

    told: Vocabulary
    slots: frozenset[str] | None

    @classmethod
    def of(cls, file: ProgramFile) -> _Known:
        """Return the facts and slots that a program can know."""
        operators = {step.operator for step in file.program.steps}
        slots = frozenset(slot for wording in file.wordings for slot in wording.slots)
        places = {step.form.place for step in file.program.steps if step.form and step.form.place}
        shared = lists = frozenset[str]()
        if file.tools is not None:
            shared, lists = file.tools.shared, file.tools.lists
            # What no step calls the model may call: its answers are facts all the same.
            places |= file.tools.idle | file.tools.beside | file.tools.under.tools.keys()
        vocabulary = Vocabulary.of(
            file.lines, file.mentions, operators, file.wordings, places, shared, lists
        )
        return cls(vocabulary, slots if file.wordings else None)

    def term_fault(self, term: object) -> str:
        """Return why a term never has a value; empty if it may."""
        match term:
            case TaskSlot(slot) if self.slots is not None and slot not in self.slots:
                return f"the task has no slot {{{slot}}}"
            case Argument(operator, _) if operator not in self.told.operators:
                return f"no step does {operator!r}"
            case _:
                return ""

    def condition_fault(self, condition: Condition | Offered | Together) -> str:
        """Return why a condition never holds; empty if it may."""
        if isinstance(condition, Offered):
            return next(filter(None, map(self.condition_fault, condition.where)), "")
        faults = (
            *map(self.told.kind_fault, sorted(kinds_of(condition))),
            *map(self.term_fault, terms_of(condition)),
        )
        return next(filter(None, faults), "")

    def computation_fault(self, computation: Computation) -> str:
        """Return why a computation never gives a number; empty if it may."""
        match computation:
            case Total(kind, _, where, _):
                faults = (self.told.kind_fault(kind), *map(self.condition_fault, where))
            case Arithmetic() | Rounded() | Size():
                kinds = map(self.told.kind_fault, sorted(kinds_of_terms([computation])))
                faults = (*kinds, *map(self.term_fault, parts_of(computation)))
        return next(filter(None, faults), "")

    def source_fault(self, source: Source) -> str:
        """Return why a source never gives a value; empty if it may."""
        match source:
            case Choice(kind, field, at, cases):
                asked = field.startswith("asked ")
                if asked and not (at == "ever" and ASKED.fullmatch(field)):
                    return f"{field!r} is no argument: asked 1 to asked 9, of all results so far"
                conditions = [each for case in cases for each in (*case.when, *case.always)]
                conditions += [c for case in cases for rule in case.rules for c in rule.where]
                faults = (self.told.kind_fault(kind), *map(self.condition_fault, conditions))
            case Tabled(tables):
                faults = tuple(self.term_fault(term) for table in tables for term in table.by)
            case Computed(computations):
                faults = tuple(map(self.computation_fault, computations))
            case _:
                return self.term_fault(source)
        return next(filter(None, faults), "")


def _sources(step: ProgramStep) -> Iterator[Source]:
    yield from step.sources
    for guard in step.guards:
        for condition in guard.when:
            if isinstance(condition, Offered):
                yield condition.choice
