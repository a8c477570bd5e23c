"""Where values come from: the parameters of a program."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Any

from ...arrangements import Arrangement
from ...compositions import Composition
from ...errors import DanglingReferenceError, SchemaError
from ...worth.document import read_worth, worth_document
from ..computing import Computation, Total
from ..conditions import Argument, Arithmetic, OneOf, TaskSlot
from ..naming import PARAMETER_NAME
from ..notation import condition_text, field_text, order_text, term_text
from ..sources import (
    Arranged,
    Base,
    Case,
    Choice,
    Composed,
    Computed,
    Constant,
    Kept,
    Rewriting,
    Rule,
    Source,
)
from ..tables import DecisionTable, Tabled
from ..writing import ENDS, SIDES, Part, Writing
from .node import Node

__all__ = ["read_sources", "source_document"]

_MADE = ("arranged", "composed", "computed", "kept", "table", "written")
"""Sources of which no other is made."""
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


# ---------------------------------------------------------------------------- writing
def source_document(source: Source, names: Mapping[Source, str]) -> dict[str, Any]:
    """Return a source as the document of a parameter.

    Args:
        source: The source.
        names: Source → name of its parameter.
    """
    match source:
        case Constant(value, said):
            return {"source": "constant", "value": value} | ({"if_said": True} if said else {})
        case TaskSlot(slot):
            return {"source": "task", "slot": _slot(slot)}
        case Argument(operator, index):
            return {"source": "argument", "of": operator, "number": index + 1}
        case Choice(kind, name, newest, cases, steady, beside, worth):
            document: dict[str, Any] = {"source": "choice", "take": field_text(name), "among": kind}
            if beside is not None:
                document["beside"] = beside + 1
            elif len(cases) == 1 and not cases[0].when:
                document |= _case(cases[0])
            else:
                document["cases"] = [_case(case) for case in cases]
            if steady:
                document["steady"] = True
            if worth is not None:
                document["worth"] = worth_document(worth)
            return document | ({} if newest else {"so_far": True})
        case Rewriting(base, (writing,)):
            return {"source": "written", "from": names[base]} | _writing(writing)
        case Rewriting(base, writings):
            several = [_writing(each) for each in writings]
            return {"source": "written", "from": names[base], "writings": several}
        case Tabled((table,)):
            return {"source": "table"} | _table(table)
        case Tabled(tables):
            return {"source": "table", "tables": [_table(each) for each in tables]}
        case Kept(drop):
            return {"source": "kept"} | ({"drop": list(drop)} if drop else {})
        case Arranged(_, whole):
            return {"source": "arranged", "give": "whole" if whole else "record"}
        case Composed():
            return {"source": "composed"}
        case Computed((computation,), decimals):
            return {"source": "computed"} | _computation(computation) | _decimals(decimals)
        case Computed(computations, decimals):
            several = [_computation(each) for each in computations]
            return {"source": "computed", "computations": several} | _decimals(decimals)


def _slot(name: str) -> str | int:
    """Return a slot as it is written: the number of one, from 1; any other name as text."""
    return int(name) if _NUMBER.fullmatch(name) else name


def _case(case: Case) -> dict[str, Any]:
    document: dict[str, Any] = {}
    if case.when:
        document["when"] = [condition_text(each) for each in case.when]
    document |= _rule(case.rule)
    if case.others:
        document["rivals"] = [_rule(rule) for rule in case.others]
    if not case.settled:
        document["settled"] = False
    if case.always:
        document["always"] = [condition_text(each) for each in case.always]
    if case.known:
        document["known"] = [condition_text(each) for each in case.known]
    return document


def _rule(rule: Rule) -> dict[str, Any]:
    document: dict[str, Any] = {}
    if rule.where:
        document["where"] = [condition_text(each) for each in rule.where]
    if rule.order:
        document["order"] = [order_text(each) for each in rule.order]
    return document


def _way(way: Choice) -> dict[str, Any]:
    document = {"line": way.kind, "take": field_text(way.field)}
    return document if way.newest else document | {"so_far": True}


def _writing(writing: Writing) -> dict[str, Any]:
    document: dict[str, Any] = {}
    if writing.part:
        document["part"] = [writing.part.side, writing.part.end, writing.part.sign]
    if writing.swap:
        document["swap"] = list(writing.swap)
    if writing.case:
        document["case"] = writing.case
    if writing.dates:
        document["dates"] = list(writing.dates)
    if writing.before or writing.behind:
        document["between"] = [writing.before, writing.behind]
    return document


def _table(table: DecisionTable) -> dict[str, Any]:
    rows = [[*classes, value] for classes, value in table.rows]
    return {"by": [term_text(term) for term in table.by], "rows": rows}


def _computation(computation: Computation) -> dict[str, Any]:
    match computation:
        case Arithmetic():
            return {"of": term_text(computation)}
        case Total(kind, None, where):
            document: dict[str, Any] = {"count": kind}
        case Total(kind, name, where):
            document = {"sum": kind, "field": field_text(name or "")}
    if where:
        document["where"] = [condition_text(each) for each in where]
    return document


def _decimals(decimals: int | None) -> dict[str, Any]:
    return {} if decimals is None else {"decimals": decimals}


# ---------------------------------------------------------------------------- reading
def read_sources(
    parameters: Node,
    arrangement: Arrangement | None = None,
    composition: Composition | None = None,
) -> dict[str, Source]:
    """Read the parameters of a program: name → source, in their order.

    Args:
        parameters: The parameters.
        arrangement: Of the program, if it has one.
        composition: The same.

    Raises:
        SchemaError: One is none, or has no proper name.
        ConditionError: A condition does not parse.
        DanglingReferenceError: What is written anew names a parameter that is not there.
    """
    for name in parameters.value:
        if not PARAMETER_NAME.fullmatch(name):
            raise SchemaError(
                f"{name!r} is no name of a parameter",
                path=(*parameters.path, name),
                hint="a letter, then letters, digits, _ and -",
            )
    nodes = {name: parameters[name] for name in parameters.value}
    bases = {
        name: _read_base(node) for name, node in nodes.items() if node["source"].value not in _MADE
    }
    return {
        name: bases[name]
        if name in bases
        else _read_made(node, bases, nodes, arrangement, composition)
        for name, node in nodes.items()
    }


def _read_made(
    node: Node,
    bases: Mapping[str, Base],
    names: Container[str],
    arrangement: Arrangement | None,
    composition: Composition | None,
) -> Source:
    if node["source"].value == "composed":
        if composition is None:
            raise SchemaError(
                "there is no composition", path=node.path, hint="write it below composition"
            )
        return Composed(composition)
    if node["source"].value == "arranged":
        if arrangement is None:
            raise SchemaError(
                "there is no arrangement", path=node.path, hint="write it below arrangement"
            )
        return Arranged(arrangement, node["give"].text() == "whole")
    if node["source"].value == "kept":
        return Kept(node.get("drop").texts())
    if node["source"].value == "table":
        several = "tables" in node.value
        return Tabled(tuple(map(_read_table, node["tables"].items() if several else (node,))))
    computed = node["source"].value == "computed"
    return _read_computed(node) if computed else _read_written(node, bases, names)


def _read_base(node: Node) -> Base:
    match node["source"].value:
        case "constant":
            return Constant(node["value"].text(), node.flag("if_said"))
        case "task":
            return TaskSlot(str(node["slot"].value))
        case "argument":
            return Argument(node["of"].text(), int(node["number"].value) - 1)
        case "choice":
            several = "cases" in node.value
            beside = int(node["beside"].value) - 1 if "beside" in node.value else None
            cases = map(_read_case, node["cases"].items() if several else (node,))
            return Choice(
                node["among"].text(),
                node["take"].field(),
                not node.flag("so_far"),
                tuple(cases) if beside is None else (),
                node.flag("steady"),
                beside,
                read_worth(node["worth"].value) if "worth" in node.value else None,
            )
    raise SchemaError(
        "should be one of constant, task, argument, choice, written, computed, kept, arranged, "
        "composed",
        path=(*node.path, "source"),
    )


def _read_case(node: Node) -> Case:
    return Case(
        node.get("when").conditions(),
        _read_rule(node),
        tuple(_read_rule(item) for item in node.get("rivals").items()),
        node.flag("settled", default=True),
        node.get("always").conditions(),
        _read_known(node),
    )


def _read_known(node: Node) -> tuple[OneOf, ...]:
    known = node.get("known").conditions()
    if wrong := next((each for each in known if not isinstance(each, OneOf)), None):
        problem = f'should list values, such as {{1}} in ["a", "b"], not {condition_text(wrong)}'
        raise SchemaError(problem, path=(*node.path, "known"))
    return tuple(each for each in known if isinstance(each, OneOf))


def _read_rule(node: Node) -> Rule:
    orders = tuple(item.order() for item in node.get("order").items())
    return Rule(node.get("where").conditions(), orders)


def _read_written(node: Node, bases: Mapping[str, Base], names: Container[str]) -> Rewriting:
    """Read what is written anew.

    Args:
        node: Of the parameter.
        bases: The parameters of which it may be made.
        names: Of all parameters.
    """
    base = node["from"]
    if base.text() not in names:
        raise DanglingReferenceError(f"there is no parameter {base.value!r}", path=base.path)
    if base.value not in bases:
        raise SchemaError(
            f"{base.value!r} is written anew itself, or computed",
            path=base.path,
            hint="name a parameter whose value is said, and all of the writing here",
        )
    several = "writings" in node.value
    writings = map(_read_writing, node["writings"].items() if several else (node,))
    return Rewriting(bases[base.value], tuple(writings))


def _read_writing(node: Node) -> Writing:
    part, swap, dates = (node.get(key).texts() for key in ("part", "swap", "dates"))
    before, behind = node.get("between", ("", "")).texts()
    if part and (part[0] not in SIDES or part[1] not in ENDS):
        problem = "should be before or after, first or last, and a sign"
        raise SchemaError(problem, path=(*node.path, "part"))
    return Writing(
        Part(*part) if part else None,
        (swap[0], swap[1]) if swap else None,
        node.get("case", "").text(),
        (dates[0], dates[1]) if dates else None,
        before,
        behind,
    )


def _read_table(node: Node) -> DecisionTable:
    by = tuple(item.term() for item in node["by"].items())
    rows = [item.texts() for item in node["rows"].items()]
    for number, row in enumerate(rows):
        if len(row) != len(by) + 1:
            problem = f"should have {len(by)} values to decide by, and the one that they give"
            raise SchemaError(problem, path=(*node.path, "rows", number))
    if len({row[:-1] for row in rows}) < len(rows):
        raise SchemaError("two rows decide the same case", path=(*node.path, "rows"))
    return DecisionTable(by, tuple((row[:-1], row[-1]) for row in rows))


def _read_computed(node: Node) -> Computed:
    several = "computations" in node.value
    computations = map(_read_computation, node["computations"].items() if several else (node,))
    decimals = node.get("decimals", None).value
    return Computed(tuple(computations), None if decimals is None else int(decimals))


def _read_computation(node: Node) -> Computation:
    if "count" in node.value:
        return Total(node["count"].text(), None, node.get("where").conditions())
    if "sum" in node.value:
        field = node["field"].field()
        return Total(node["sum"].text(), field, node.get("where").conditions())
    term = node["of"].term()
    if not isinstance(term, Arithmetic):
        problem = 'two values and a sign belong here, such as task(1) - told("Due: {1}", 1)'
        raise SchemaError(problem, path=(*node.path, "of"))
    return term
