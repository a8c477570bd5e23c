"""Conditions of programs as texts.

``said({4})``, ``{3} <= task(3)``, ``told("The {1} is {2}.", 2) = "late"``, ``not shown("Done.")``:
one condition for each text, constants in double quotes as in JSON.
:func:`~.notation_reading.read_condition` reads the texts of :func:`condition_text`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from ..episodes.history import Telling
from .exact_numbers import FIGURE
from .program_conditions import (
    After,
    Argument,
    Arithmetic,
    Comparison,
    Condition,
    DoneStep,
    EverySaid,
    Field,
    Known,
    Literal,
    OneOf,
    Only,
    Own,
    Period,
    Rounded,
    Row,
    Said,
    Shown,
    Size,
    TaskSlot,
    Term,
    Times,
    Together,
    ToldField,
    Total,
    Unused,
)
from .sources import Best, Offered, Order, Source

NAME = re.compile(r"\w[\w.\-@'/%:\[\]]*")
"""Names of fields, parameters and steps that need no quotes."""
GAP = "..."
"""Mark between two signs, for the text that the task has there."""
RANKS = ("first", "second", "third")
"""Words for the place in an order."""
TELLINGS: Mapping[Telling, str] = {"newest": "told", "before": "before", "first": "first"}
"""Words for the result that a field belongs to."""
SPELLED = {
    "≠": "!=",
    "≈": "~",
    "begins": "begins with",
    "ends": "ends with",
    "contains": "contains",
    "not begins": "does not begin with",
    "not ends": "does not end with",
    "not contains": "does not contain",
}
"""Relation → its spelling in files, where it differs."""


def condition_text(
    condition: Condition | Offered, parameters: Mapping[Source, str] | None = None
) -> str:
    """Return a condition as a text.

    Args:
        condition: The condition.
        parameters: Source → its name, for ``offered(…)``.
    """
    match condition:
        case Said(term, "", ""):
            return f"said({term_text(term)})"
        case Said(term, before, behind):
            return f"said({_between(before, behind)}, {term_text(term)})"
        case EverySaid(kind, name, before, behind, negated):
            arguments = f"{_between(before, behind)}, {_quotation(kind)}, {_name(name)}"
            return f"{_not(negated)}every said({arguments})"
        case Comparison(left, "≠", Literal(value)):
            return f"{term_text(left)} != {_quotation(value)}"
        case Comparison(left, relation, right):
            return f"{term_text(left)} {SPELLED.get(relation, relation)} {term_text(right)}"
        case OneOf(term, (value,)):
            return f"{term_text(term)} = {_quotation(value)}"
        case OneOf(term, values):
            return f"{term_text(term)} in [{', '.join(map(_quotation, values))}]"
        case Together(left, right, pairs):
            pair_texts = ", ".join(f"[{_quotation(a)}, {_quotation(b)}]" for a, b in pairs)
            return f"{term_text(left)} with {term_text(right)} in [{pair_texts}]"
        case Known(term, negated):
            return f"{_not(negated)}known({term_text(term)})"
        case Unused(term, operator, negated, beside):
            texts = (*map(term_text, (term, *beside)), _quotation(operator))
            return f"{_not(negated)}unused({', '.join(texts)})"
        case Shown(kind, now, negated):
            return f"{_not(negated)}{'' if now else 'ever '}shown({_quotation(kind)})"
        case Only(kinds, ever):
            return f"{'ever ' if ever else ''}only({', '.join(map(_quotation, kinds))})"
        case DoneStep(step, negated, times):
            times_text = f", {times} times" if times > 1 else ""
            return f"{_not(negated)}done({_name(step)}{times_text})"
        case After("", negated):
            return f"{_not(negated)}at first"
        case After(step, negated):
            return f"{_not(negated)}after({_name(step)})"
        case Best(choice=choice, negated=negated, step=step):
            return f"{_not(negated)}best({_name((parameters or {})[choice])}, {_name(step)})"
        case Offered(choice, negated, several, where):
            word = "several" if several else "offered"
            parts = (_name((parameters or {})[choice]), *map(condition_text, where))
            return f"{_not(negated)}{word}({', '.join(parts)})"


def _between(before: str, behind: str) -> str:
    return _quotation(f"{before}{GAP}{behind}")


def term_text(term: Term) -> str:
    """Return a term as a text."""
    match term:
        case Field(name):
            return field_text(name)
        case ToldField(kind, name, at):
            return f"{TELLINGS[at]}({_quotation(kind)}, {_name(name)})"
        case TaskSlot(slot):
            return f"task({_name(slot)})"
        case Literal(value):
            return f"value({_quotation(value)})"
        case Own(index):
            return f"argument({index + 1})"
        case Argument(operator, index):
            return f"argument({_quotation(operator)}, {index + 1})"
        case Row(kind, key, by, name, before):
            word = "before" if before else "row"
            where = f"{field_text(key)} = {term_text(by)}"
            return f"{word}({_quotation(kind)}, {where}, {field_text(name)})"
        case Total(kind, name, where, ever):
            word, of = ("count", ()) if name is None else ("sum", (field_text(name),))
            parts = (_quotation(kind), *of, *map(condition_text, where))
            return f"{'ever ' if ever else ''}{word}({', '.join(parts)})"
        case Times(step):
            return f"times({_name(step)})"
        case Arithmetic(left, sign, right):
            return f"{_operand(left)} {sign} {_operand(right)}"
        case Size(inner):
            return f"size({term_text(inner)})"
        case Period(inner, unit):
            return f"{unit}({term_text(inner)})"
        case Rounded(inner, how, decimals):
            return f"{how}({term_text(inner)}{f', {decimals}' if decimals else ''})"


def _operand(term: Term) -> str:
    return f"({term_text(term)})" if isinstance(term, Arithmetic) else term_text(term)


def field_text(name: str) -> str:
    """Return a field of the candidate as a text: ``{1}``, ``{price}``, ``{2} * {3}``."""
    return name if FIGURE.fullmatch(name) else f"{{{_name(name)}}}"


def order_text(order: Order) -> str:
    """Return an order of preference as a text: ``least {3}``."""
    if order.listed:
        return f"first listed {term_text(order.by)}"
    if order.said:
        return f"first said {term_text(order.by)}"
    rank = f"{RANKS[order.rank - 1]} " if order.rank > 1 else ""
    place = f"{rank}{'greatest' if order.greatest else 'least'} {term_text(order.by)}"
    return f"behind {place}" if order.behind else place


def _not(negated: bool) -> str:
    return "not " if negated else ""


def _quotation(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _name(text: str) -> str:
    return text if NAME.fullmatch(text) else _quotation(text)
