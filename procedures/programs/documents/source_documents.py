"""Sources of values as plain data: the parameters of a program."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from ...arrangements import Arrangement
from ...common.errors import DanglingReferenceError, SchemaError
from ...compositions import Composition
from ...worth.worth_document import read_worth, worth_document
from ..decision_tables import DecisionTable, Tabled
from ..notation import condition_text, field_text, order_text, term_text
from ..parameter_names import PARAMETER_NAME
from ..program_conditions import (
    Argument,
    Arithmetic,
    Computation,
    OneOf,
    Rounded,
    Size,
    TaskSlot,
    Total,
)
from ..sources import (
    Arranged,
    At,
    Base,
    Case,
    Choice,
    Composed,
    Computed,
    Constant,
    Kept,
    Line,
    Piece,
    Recalled,
    Rule,
    Source,
    Written,
)
from ..value_notation import ENDS, SIDES, NumberNotation, Part, Writing
from .node import Node, filled

_BASES = ("argument", "choice", "constant", "line", "task")
"""Words of sources that depend on no other, and that others may be composed of."""
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_TOLD: Mapping[At, str] = {"first": "at_first", "ever": "so_far"}
"""Keys of choices that do not look at the newest result."""


# ---------------------------------------------------------------------------- writing
def source_document(source: Source, names: Mapping[Source, str]) -> dict[str, Any]:
    """Return a source as the document of a parameter.

    Args:
        source: The source.
        names: Source → name of its parameter.
    """
    match source:
        case Constant(value, said):
            return {"source": "constant", "value": value} | filled({"if_said": said})
        case TaskSlot(slot):
            return {"source": "task", "slot": _slot(slot)}
        case Argument(operator, index):
            return {"source": "argument", "of": operator, "number": index + 1}
        case Choice(kind, name, at, cases, steady, beside, worth):
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
            return document | _at(at)
        case Line(operator, number):
            return {"source": "line", "number": number + 1} | filled({"of": operator})
        case Written(parts):
            texts = [p if isinstance(p, str) else _piece(p, names) for p in parts]
            fields = (
                texts[0] if len(texts) == 1 and isinstance(texts[0], dict) else {"parts": texts}
            )
            return {"source": "written"} | fields
        case Tabled((table,)):
            return {"source": "table"} | _table(table)
        case Tabled(tables):
            return {"source": "table", "tables": [_table(each) for each in tables]}
        case Kept(drop):
            return {"source": "kept"} | filled({"drop": list(drop)})
        case Recalled(choice):
            return {"source": "recalled", "of": names[choice]}
        case Arranged(_, whole):
            return {"source": "arranged", "give": "whole" if whole else "record"}
        case Composed():
            return {"source": "composed"}
        case Computed((computation,)):
            return {"source": "computed"} | _computation(computation) | _written_as(source)
        case Computed(computations):
            several = [_computation(each) for each in computations]
            return {"source": "computed", "computations": several} | _written_as(source)


def _slot(name: str) -> str | int:
    """Return a slot as it is written: an integer for a number from 1, else a text."""
    return int(name) if _NUMBER.fullmatch(name) else name


def _case(case: Case) -> dict[str, Any]:
    document = {
        "when": list(map(condition_text, case.when)),
        **_rule(case.rule),
        "rivals": list(map(_rule, case.others)),
        "settled": case.settled,
        "always": list(map(condition_text, case.always)),
        "known": list(map(condition_text, case.known)),
    }
    # What is settled needs no word.
    return {key: value for key, value in document.items() if bool(value) != (key == "settled")}


def _rule(rule: Rule) -> dict[str, Any]:
    where, order = map(condition_text, rule.where), map(order_text, rule.order)
    return filled({"where": list(where), "order": list(order)})


def _way(way: Choice) -> dict[str, Any]:
    document = {"line": way.kind, "take": field_text(way.field)}
    return document | _at(way.at)


def _at(at: At) -> dict[str, bool]:
    return {} if at == "newest" else {_TOLD[at]: True}


def _piece(pieces: Sequence[Piece], names: Mapping[Source, str]) -> dict[str, Any]:
    first, *rivals = ({"from": names[p.base]} | _writing(p.writing) for p in pieces)
    return first | filled({"rivals": rivals})


def _writing(writing: Writing) -> dict[str, Any]:
    parts = [[part.side, part.end, part.sign] for part in writing.parts]
    document: dict[str, Any] = {
        "part": parts[0] if len(parts) == 1 else parts,
        "dates": list(writing.dates or ()),
        "clock": writing.clock,
        "numbers": _numbers(writing.numbers) if writing.numbers else None,
        "table": dict(writing.table),
        "keep": writing.keep,
        "joint": writing.joint,
        "swap": list(writing.swap or ()),
        "case": writing.case,
        "width": writing.width,
        "add": writing.add,
    }
    return filled(document, required=() if writing.joint is None else ("joint",))


def _numbers(notation: NumberNotation) -> dict[str, Any]:
    document = {"reads": notation.reads, "point": notation.point}
    return (
        document
        | filled({"group": notation.group})
        | ({} if notation.decimals is None else {"decimals": notation.decimals})
    )


def _table(table: DecisionTable) -> dict[str, Any]:
    rows = [[*classes, value] for classes, value in table.rows]
    return {"by": [term_text(term) for term in table.by], "rows": rows}


def _computation(computation: Computation) -> dict[str, Any]:
    match computation:
        case Arithmetic() | Rounded() | Size():
            return {"of": term_text(computation)}
        case Total(kind, name, where, ever):
            rows = {"count": kind} if name is None else {"sum": kind, "field": field_text(name)}
            return rows | filled({"where": list(map(condition_text, where)), _TOLD["ever"]: ever})


def _written_as(source: Computed) -> dict[str, Any]:
    point = source.point if source.point != "." else ""
    document = {"duration": source.duration, "point": point, "positive": source.positive}
    decimals = {} if source.decimals is None else {"decimals": source.decimals}
    return filled(document) | decimals


# ---------------------------------------------------------------------------- reading
def read_sources(
    parameters: Node,
    arrangement: Arrangement | None = None,
    composition: Composition | None = None,
) -> dict[str, Source]:
    """Read the parameters of a program: name → source, in their order.

    Args:
        parameters: The parameters.
        arrangement: Arrangement of the program, if it has one.
        composition: Composition of the program, if it has one.

    Raises:
        SchemaError: One is no parameter, or has no proper name.
        ConditionError: A condition does not parse.
        DanglingReferenceError: A written text names a parameter that does not exist.
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
        name: _read_base(node) for name, node in nodes.items() if node["source"].value in _BASES
    }
    return {
        name: bases[name]
        if name in bases
        else _read_derived(node, bases, nodes, arrangement, composition)
        for name, node in nodes.items()
    }


def _read_derived(
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
    if node["source"].value == "recalled":
        return Recalled(_read_recalled(node["of"], bases))
    if node["source"].value == "table":
        several = "tables" in node.value
        return Tabled(tuple(map(_read_table, node["tables"].items() if several else (node,))))
    if node["source"].value == "computed":
        return _read_computed(node)
    if node["source"].value == "written":
        return _read_written(node, bases, names)
    raise SchemaError(
        "should be one of constant, task, argument, choice, line, written, computed, table, kept, "
        "arranged, composed, recalled",
        path=(*node.path, "source"),
    )


def _read_recalled(node: Node, bases: Mapping[str, Base]) -> Choice:
    choice = bases.get(node.text())
    if choice is None:
        raise DanglingReferenceError(f"there is no parameter {node.value!r}", path=node.path)
    if not isinstance(choice, Choice) or choice.worth is None:
        raise SchemaError(
            f"{node.value!r} is no choice that knows what its candidates are worth", path=node.path
        )
    return choice


def _read_base(node: Node) -> Base:
    match node["source"].value:
        case "constant":
            return Constant(node["value"].text(), node.flag("if_said"))
        case "task":
            return TaskSlot(str(node["slot"].value))
        case "argument":
            return Argument(node["of"].text(), int(node["number"].value) - 1)
        case "line":
            return Line(node.get("of", "").text(), int(node["number"].value) - 1)
        case _:
            several = "cases" in node.value
            beside = int(node["beside"].value) - 1 if "beside" in node.value else None
            cases = map(_read_case, node["cases"].items() if several else (node,))
            return Choice(
                node["among"].text(),
                node["take"].field(),
                next((at for at, key in _TOLD.items() if node.flag(key)), "newest"),
                tuple(cases) if beside is None else (),
                node.flag("steady"),
                beside,
                read_worth(node["worth"].value) if "worth" in node.value else None,
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
    conditions = node.get("known").conditions()
    if wrong := next((each for each in conditions if not isinstance(each, OneOf)), None):
        problem = f'should list values, such as {{1}} in ["a", "b"], not {condition_text(wrong)}'
        raise SchemaError(problem, path=(*node.path, "known"))
    return tuple(each for each in conditions if isinstance(each, OneOf))


def _read_rule(node: Node) -> Rule:
    orders = tuple(item.order() for item in node.get("order").items())
    return Rule(node.get("where").conditions(), orders)


def _read_written(node: Node, bases: Mapping[str, Base], names: Container[str]) -> Written:
    """Read a composed text.

    Args:
        node: Node of the parameter.
        bases: Name → source, for parameters that may be its parts.
        names: Names of all parameters.
    """
    parts = node["parts"].items() if "parts" in node.value else (node,)
    return Written(
        tuple(
            part.text()
            if isinstance(part.value, str)
            else tuple(
                _read_piece(each, bases, names) for each in (part, *part.get("rivals").items())
            )
            for part in parts
        )
    )


def _read_piece(node: Node, bases: Mapping[str, Base], names: Container[str]) -> Piece:
    base = node["from"]
    if base.text() not in names:
        raise DanglingReferenceError(f"there is no parameter {base.value!r}", path=base.path)
    if base.value not in bases:
        raise SchemaError(
            f"{base.value!r} is written anew itself, or computed",
            path=base.path,
            hint="name a parameter whose value is said, and all of the writing here",
        )
    return Piece(bases[base.value], _read_writing(node))


def _read_writing(node: Node) -> Writing:
    part = node.get("part")
    several = bool(part.value) and not isinstance(part.value[0], str)
    parts = [each.texts() for each in (part.items() if several else (part,)) if each.value]
    for each in parts:
        if each[0] not in SIDES or each[1] not in ENDS:
            problem = "should be before or after, first or last, and a sign"
            raise SchemaError(problem, path=(*node.path, "part"))
    swap, dates = (node.get(key).texts() for key in ("swap", "dates"))
    table = node.get("table", {}).value
    return Writing(
        tuple(Part(*each) for each in parts),
        (dates[0], dates[1]) if dates else None,
        node.get("clock", "").text(),
        _read_numbers(node["numbers"]) if "numbers" in node.value else None,
        tuple(sorted((str(key), str(value)) for key, value in table.items())),
        node.get("keep", "").text(),
        node["joint"].text() if "joint" in node.value else None,
        (swap[0], swap[1]) if swap else None,
        node.get("case", "").text(),
        int(node.get("width", 0).value),
        int(node.get("add", 0).value),
    )


def _read_numbers(node: Node) -> NumberNotation:
    decimals = node.get("decimals", None).value
    return NumberNotation(
        node["reads"].text(),
        node["point"].text(),
        node.get("group", "").text(),
        None if decimals is None else int(decimals),
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
    duration = node.get("duration", "").text()
    point = node.get("point", ".").text()
    decimals = None if decimals is None else int(decimals)
    positive = bool(node.get("positive", False).value)
    return Computed(tuple(computations), decimals, duration, point, positive)


def _read_computation(node: Node) -> Computation:
    for word in ("count", "sum"):
        if word in node.value:
            field = node["field"].field() if word == "sum" else None
            ever = node.flag(_TOLD["ever"])
            return Total(node[word].text(), field, node.get("where").conditions(), ever)
    term = node["of"].term()
    if not isinstance(term, Arithmetic | Rounded):
        problem = 'two values and a sign belong here, such as task(1) - told("Due: {1}", 1)'
        raise SchemaError(problem, path=(*node.path, "of"))
    return term
