"""Names for the parameters of a program, taken from words beside their values."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ..episodes.history import TASK
from ..episodes.outlines import inner_field
from ..episodes.templates import Template, pieces
from ..episodes.tokens import is_glued, tokens
from ..learning.abstraction import slug
from ..words.function_words import FUNCTION_WORDS
from .decision_tables import Tabled
from .program import Program, ProgramStep
from .program_conditions import Argument, TaskSlot
from .sources import (
    Arranged,
    Choice,
    Composed,
    Computed,
    Constant,
    Kept,
    Line,
    Offered,
    Recalled,
    Source,
    Written,
)

PARAMETER_NAME = re.compile(r"[^\W\d][\w-]*")
_SLOT = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_FARTHEST = 4
"""Most words and signs between a value and the word that names it."""
_SIGN_COST = 0.6
"""Cost of a sign between a word and a value; each word between costs 1."""
_BEHIND_COST = 0.1
"""Extra cost of a word behind a value."""
_UNTOLD_COST = 1.0
"""Extra cost of a word that neither tasks nor results say: it names the action."""
_FIRST_COST = 1.25
"""Extra cost of the first word of an operator: it mostly names the action."""
_CLAIM_COST = 0.5
"""Extra cost of a word for each other value that it stands beside."""
_WORDING_COST = 1.5
"""Extra cost of a word of the task, beside words of lines and operators."""
_WORDS = 6
"""Most words of an id, of a step or of a program; enough to tell what it does in a list."""
_KINDS = {
    Constant: "constant",
    TaskSlot: "task",
    Argument: "argument",
    Choice: "choice",
    Line: "line",
    Written: "text",
    Composed: "text",
    Computed: "number",
    Tabled: "decision",
    Arranged: "arrangement",
    Kept: "words",
    Recalled: "remembered",
}


def argument_sources(program: Program) -> Iterator[tuple[ProgramStep, int, Source]]:
    """Yield the sources of all arguments: step, number of the argument from 0, source."""
    for step in program.steps:
        for index, source in enumerate(step.sources):
            yield step, index, source


def parameter_names(
    program: Program,
    lines: Sequence[Template],
    wordings: Sequence[Template],
    kept_names: Mapping[Source, str] | None = None,
) -> dict[Source, str]:
    """Return a name for each source of a program, in order of first use.

    A tool's argument gives its name. Else the nearest word gives it, in the operator or in the line
    of the value.

    Args:
        program: The program.
        lines: Templates of results.
        wordings: Templates of the task.
        kept_names: Source → its present name.
    """
    order = named_sources(program)
    names: dict[Source, str] = {}
    for source, name in (kept_names or {}).items():
        if source in order and name not in names.values():
            names[source] = name
    told_words = {word for text in (*lines, *wordings) for word in _words(text.text)}
    cost_by_word = {
        source: dict(_cost_by_word(source, program, wordings, told_words)) for source in order
    }
    claims = Counter(word for words in cost_by_word.values() for word in words)
    ranked = sorted(
        (
            (cost + (claims[word] - 1) * _CLAIM_COST, number, word, source)
            for number, (source, words) in enumerate(cost_by_word.items())
            for word, cost in words.items()
        ),
        key=lambda candidate: candidate[:3],
    )
    names_taken = set(names.values())
    for _, _, word, source in ranked:
        if source not in names and word not in names_taken:
            names[source] = word
            names_taken.add(word)
    for source in order:
        if source not in names:
            names[source] = _free_name(_KINDS[type(source)], names_taken)
            names_taken.add(names[source])
    return {source: names[source] for source in order}


def _cost_by_word(
    source: Source, program: Program, wordings: Sequence[Template], told_words: set[str]
) -> Iterator[tuple[str, float]]:
    cost_by_word: dict[str, float] = {}
    for cost, word in _names_with_costs(source, program, wordings, told_words):
        cost_by_word[word] = min(cost, cost_by_word.get(word, cost))
    yield from (
        (word, cost) for word, cost in cost_by_word.items() if PARAMETER_NAME.fullmatch(word)
    )


def named_sources(program: Program) -> list[Source]:
    """Return the sources that need a name in a program's file, in order of first use."""
    sources = dict.fromkeys(
        (*(each for _, _, each in argument_sources(program)), *_offers(program))
    )
    sources |= dict.fromkeys(
        base for source in sources if isinstance(source, Written) for base in source.bases
    )
    return list(sources)


def _offers(program: Program) -> Iterator[Choice]:
    for step in program.steps:
        for guard in step.guards:
            for condition in guard.when:
                if isinstance(condition, Offered):
                    yield condition.choice


def _names_with_costs(
    source: Source, program: Program, wordings: Sequence[Template], told_words: set[str]
) -> Iterator[tuple[float, str]]:
    """Yield the words that may name a source, with costs."""
    for step, index, argument_source in argument_sources(program):
        if argument_source != source:
            continue
        if step.form is not None and step.form.tool:
            yield 0.0, _as_name(step.form.slot_paths[index])
        first = _as_name(next(iter(tokens(step.operator)), ""))
        for cost, word in _words_beside_slot(step.operator, index):
            yield (
                cost + (word not in told_words) * _UNTOLD_COST + (word == first) * _FIRST_COST,
                word,
            )
    match source:
        case Choice(_, field) if inner := inner_field(field):
            yield from _words_beside_slot(inner[1], _index(inner[1], inner[0]))
        case Choice(kind, field) if not field.isdigit() and field not in ("", "item"):
            yield 0.5, _as_name(field)
        case Choice(kind, field):
            each_of = re.match(r"each \{(\d+)\} of ", kind)
            text = kind[each_of.end() :] if each_of else kind
            slot = each_of[1] if each_of else field
            for line in (template.text for template in wordings) if text == TASK else (text,):
                yield from _words_beside_slot(line, _index(line, slot))
        case TaskSlot(slot):
            for wording in wordings:
                for cost, word in _words_beside_slot(wording.text, _index(wording.text, slot)):
                    yield cost + _WORDING_COST, word
        case Argument(operator, index):
            yield from _words_beside_slot(operator, index)
        case Line(operator, _):
            yield from _words_with_costs(reversed(tokens(_SLOT.sub(" ", operator))), _WORDING_COST)
        case Constant(value):
            yield 0.5, _as_name(value)


def _index(text: str, slot: str) -> int:
    slots = [match[1] for match in _SLOT.finditer(text) if match[1] is not None]
    return slots.index(slot) if slot in slots else -1


def _words_beside_slot(text: str, index: int) -> Iterator[tuple[float, str]]:
    """Yield the words beside a slot with their costs, without function words."""
    if index < 0:
        return
    parts = [""]
    for match in re.split(r"(\{\{|\}\}|\{[^{}]*\})", text):
        if match in ("{{", "}}"):
            parts[-1] += match[0]
        elif match.startswith("{") and match.endswith("}"):
            parts.append("")
        else:
            parts[-1] += match
    if index + 1 >= len(parts):
        return
    yield from _words_with_costs(reversed(tokens(parts[index])), 0.0)
    yield from _words_with_costs(tokens(parts[index + 1]), _BEHIND_COST)


def _words_with_costs(words: Iterable[str], cost: float) -> Iterator[tuple[float, str]]:
    for word in itertools.islice(words, _FARTHEST):
        if not word[0].isalnum():
            cost += _SIGN_COST
            continue
        cost += 1.0
        if word.lower() not in FUNCTION_WORDS:
            yield cost, _as_name(word)


def _words(text: str) -> set[str]:
    return {_as_name(word) for word in tokens(_SLOT.sub(" ", text))}


def _as_name(text: str) -> str:
    """Return a text as a name: lower case, with hyphens for other characters."""
    name = re.sub(r"[^\w]+", "-", text.lower()).strip("-_")
    name = re.sub(r"^\d[\d_-]*", "", name)
    return name[:40]


def _free_name(name: str, names_taken: set[str]) -> str:
    return next(
        each
        for number in itertools.count(1)
        if (each := name if number == 1 else f"{name}-{number}") not in names_taken
    )


def program_id(goal: str, taken: Container[str] = ()) -> str:
    """Return an id for a program: the first words that its goal always says.

    Args:
        goal: A template of tasks.
        taken: Ids that other documents have.
    """
    words = [word for part in pieces(goal)[0] for word in tokens(part) if word[0].isalpha()]
    return slug(" ".join(words[:_WORDS]), taken)


def step_id(operator: str, others: Container[str]) -> str:
    """Return an id for a step: the words of its operator."""
    words = [w for w in tokens(operator.format(*[""] * operator.count("{}"))) if w[0].isalnum()]
    are_glued = [is_glued(word) for word in words]
    parts = (
        word if place and are_glued[place - 1] and are_glued[place] else f"-{word}"
        for place, word in enumerate(words)
    )
    name = "".join(itertools.islice(parts, _WORDS)).strip("-").lower() or "step"
    number = next(
        n for n in itertools.count(1) if (name if n == 1 else f"{name}-{n}") not in others
    )
    return name if number == 1 else f"{name}-{number}"
