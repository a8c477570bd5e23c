"""What no schema says of programs: ids that are taken, facts that nothing ever tells."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from ..semantics import Issue
from .conditions import Argument, Asked, Before, Condition, Shown, Term, Told
from .documents import ProgramFile
from .program import Step
from .sources import Choice, Offered, Search, Source

__all__ = ["check_programs"]

_ITEM = re.compile(r"each \{\d+\} of ")
_Path = tuple[str | int, ...]


def check_programs(programs: Mapping[str, ProgramFile], taken: Collection[str]) -> Iterator[Issue]:
    """Yield what is wrong with programs.

    Args:
        programs: By id.
        taken: Ids of procedures and plans.
    """
    for name, file in programs.items():
        if name in taken:
            message = f"the id {name!r} is also that of a procedure or plan; rename one"
            yield Issue("error", ("program", name), ("id",), message)
        for path, message in _doubtful(file):
            yield Issue("warning", ("program", name), path, message)


def _doubtful(file: ProgramFile) -> Iterator[tuple[_Path, str]]:
    """Yield where a program waits for what can never be: mostly a line that was spelled anew."""
    lines = {each.text for line in file.lines for each in (line, *line.special)}
    lines |= {mention.kind for mention in file.mentions}
    lines |= {line.means for line in file.lines}
    operators = {step.operator for step in file.program.steps}
    calls = tuple(operators)  # JSON that a tool gives is called after it
    slots = {slot for wording in file.wordings for slot in wording.slots}

    def told(kind: str) -> bool:
        text = _ITEM.sub("", kind, count=1) if kind.startswith("each ") else kind
        return text in lines or kind[:1] in ("", "[", ".") or kind.startswith(calls)

    def term_fault(term: Term) -> str:
        match term:
            case Told(kind, _) | Before(kind, _) if not told(kind):
                return f"no line reads {kind!r}"
            case Asked(slot) if file.wordings and slot not in slots:
                return f"the task has no slot {{{slot}}}"
            case Argument(operator, _) if operator not in operators:
                return f"no step does {operator!r}"
            case _:
                return ""

    def fault(condition: Condition | Offered) -> str:
        if isinstance(condition, Shown):
            return "" if told(condition.kind) else f"no line reads {condition.kind!r}"
        terms = [getattr(condition, name, None) for name in ("term", "left", "right")]
        return next((f for term in terms if term is not None and (f := term_fault(term))), "")

    seen: set[Source] = set()
    for index, step in enumerate(file.program.steps):
        for source in _sources(step):
            if source in seen:
                continue
            seen.add(source)
            path: _Path = ("parameters", file.names.get(source, ""))
            if isinstance(source, Choice):
                found = "" if told(source.kind) else f"no line reads {source.kind!r}"
                rules = [rule for case in source.cases for rule in (case.rule, *case.others)]
                every = [c for case in source.cases for c in case.when]
                every += [c for rule in rules for c in rule.where]
                found = found or next((f for c in every if (f := fault(c))), "")
            elif isinstance(source, Search):
                kinds = (each.kind for each in source.among)
                found = next((f"no line reads {kind!r}" for kind in kinds if not told(kind)), "")
            else:
                found = term_fault(source) if isinstance(source, Asked | Argument) else ""
            if found:
                yield path, found
        conditions = [c for guard in step.guards for c in (*guard.when, *guard.others)]
        for condition in (*conditions, *step.box.provided):
            if message := fault(condition):
                yield ("steps", index), message


def _sources(step: Step) -> Iterator[Source]:
    yield from step.sources
    for guard in step.guards:
        for condition in guard.when:
            if isinstance(condition, Offered):
                yield condition.choice
