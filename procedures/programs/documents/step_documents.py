"""Steps with their guards and boxes, as plain data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...common.errors import DanglingReferenceError, SchemaError
from ...episodes.templates import literal_text
from ..binding import looks_at
from ..box import Box
from ..call_forms import ANSWER, ANSWER_PATH, Form
from ..notation import condition_text
from ..program import Guard, ProgramStep
from ..program_conditions import After, DoneStep, Times
from ..sources import Best, Choice, Source, stands_beside
from ..terms import terms_of
from .boxes import read_box
from .node import Node, filled

_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


# ---------------------------------------------------------------------------- writing
def step_document(step: ProgramStep, names: Mapping[Source, str]) -> dict[str, Any]:
    """Return a step as plain data.

    Args:
        step: The step.
        names: Source → name of its parameter.

    Raises:
        ValueError: It has as many sources as neither its operator nor its arguments.
    """
    document: dict[str, Any] = {"id": step.id}
    if step.form is not None:
        document |= _call(step.form, step, names)
    else:
        document["do"] = _do(step, names)
    document |= _guards(step.guards, names)
    sizes = zip(step.sources, step.box.sizes, strict=False)
    return document | filled(
        {
            "again": step.again,
            "some": step.some,
            "commit": step.commit,
            "needs": list(step.box.needs),
            "provided": list(map(condition_text, step.box.provided)),
            "sizes": {names[source]: type_ for source, type_ in sizes if type_},
        }
    )


def _call(form: Form, step: ProgramStep, names: Mapping[Source, str]) -> dict[str, Any]:
    if form.slots != len(step.sources):
        raise ValueError(f"step {step.id}: {len(step.sources)} sources for {form.slots} arguments")
    holes = (f"{{{names[source]}}}" for source in step.sources)
    texts = {
        path: literal_text(first) + "".join(next(holes) + literal_text(part) for part in rest)
        for path, (first, *rest) in form.texts
    }
    if not form.tool:
        return {"say": texts[ANSWER_PATH]}
    return {"tool": form.tool} | filled({"with": texts})


def _do(step: ProgramStep, names: Mapping[Source, str]) -> str:
    sources = list(step.sources)

    def named(match: re.Match[str]) -> str:
        return match[0] if match[0] in ("{{", "}}") else f"{{{names[sources.pop(0)]}}}"

    holes = sum(match[1] is not None for match in _HOLE.finditer(step.operator))
    if holes != len(sources):
        raise ValueError(f"step {step.id}: {len(sources)} sources for {holes} arguments")
    return _HOLE.sub(named, step.operator)


def _guards(guards: Sequence[Guard], names: Mapping[Source, str]) -> dict[str, Any]:
    parts = [
        (
            [condition_text(each, names) for each in guard.when],
            [condition_text(each) for each in guard.others],
        )
        for guard in guards
    ]
    if len(parts) == 1 and parts[0][0]:
        when, rivals = parts[0]
        return {"when": when} | filled({"rivals": rivals})
    alternatives = [{"all": when, "rivals": r} if r else when for when, r in parts]
    return filled({"when": alternatives})


# ---------------------------------------------------------------------------- reading
def read_steps(
    document: Node, sources: Mapping[str, Source], wordings: Sequence[str]
) -> tuple[ProgramStep, ...]:
    """Read the steps of a program.

    Args:
        document: Document of the program.
        sources: Parameter → source.
        wordings: All wordings of the program.

    Raises:
        SchemaError: One is no step, or two have one id.
        ConditionError: A condition does not parse.
        DanglingReferenceError: One names a parameter or step that does not exist.
    """
    nodes = list(document["steps"].items())
    steps = [_read_step(node, sources) for node in nodes]
    ids: set[str] = set()
    for step, node in zip(steps, nodes, strict=True):
        if step.id in ids or not step.id:
            problem = f"the step {step.id!r} stands here twice" if step.id else "has no id"
            raise SchemaError(problem, path=(*node.path, "id"))
        ids.add(step.id)
    for step, node in zip(steps, nodes, strict=True):
        for key, name in _steps_named_by(step):
            if name and name not in ids:
                path = (*node.path, key)
                raise DanglingReferenceError(f"there is no step {name!r}", path=path)
    return _with_boxes(steps, document.get("boxes", {}), wordings)


def _steps_named_by(step: ProgramStep) -> list[tuple[str, str]]:
    """Return keys of a step's document, each with a step that it names."""
    names = [("needs", need) for need in step.box.needs]
    naming = DoneStep | After | Best
    for key, conditions in (("when", step.conditions), ("provided", step.box.provided)):
        names += [(key, each.step) for each in conditions if isinstance(each, naming)]
        terms = (term for each in conditions for term in terms_of(each))
        names += [(key, term.step) for term in terms if isinstance(term, Times)]
    return names


def _with_boxes(
    steps: Sequence[ProgramStep], boxes: Node, wordings: Sequence[str]
) -> tuple[ProgramStep, ...]:
    """Return the steps with their boxes."""
    if unknown := sorted(set(boxes.value) - {step.id for step in steps}):
        raise DanglingReferenceError(f"there is no step {unknown[0]!r}", path=boxes.path)
    return tuple(
        _with_box(step, boxes[step.id], wordings) if step.id in boxes.value else step
        for step in steps
    )


def _with_box(step: ProgramStep, node: Node, wordings: Sequence[str]) -> ProgramStep:
    box = read_box(node.value, step.box, wordings, node.path)
    if box.reasons and len(box.reasons) != len(step.guards):
        raise SchemaError(
            f"counts {len(box.reasons)} lists of conditions, and 'when' has {len(step.guards)}",
            path=node["reasons"].path,
            hint="remove the number of each list that went from 'when'",
        )
    return replace(step, box=box)


def _read_step(node: Node, sources: Mapping[str, Source]) -> ProgramStep:
    form, operator, step_sources = _read_action(node, sources)
    for problem in _misplaced(step_sources):
        hint = f"the step {node['id'].text()!r} has {len(step_sources)} arguments, numbered from 1"
        raise DanglingReferenceError(problem, path=node.path, hint=hint)
    return ProgramStep(
        id=node["id"].text(),
        operator=operator,
        sources=step_sources,
        guards=_read_guards(node, sources),
        again=node.flag("again"),
        some=node.flag("some"),
        commit=node.flag("commit"),
        box=Box(
            needs=node.get("needs").texts(),
            provided=node.get("provided").conditions(),
            sizes=_read_sizes(node.get("sizes", {}), step_sources, sources),
        ),
        form=form,
    )


def _misplaced(step_sources: Sequence[Source]) -> Iterator[str]:
    """Yield what is wrong with sources that depend on other arguments.

    These have to be there, and depend on none themselves. One beside which a source stands is
    chosen among the same facts.
    """
    for number, source in enumerate(step_sources):
        if isinstance(source, Choice) and source.beside is not None:
            if not stands_beside(source, step_sources):
                yield f"beside: {source.beside + 1} is no argument chosen among {source.kind!r}"
            continue
        for other in sorted(looks_at(source)):
            if other == number or other >= len(step_sources) or looks_at(step_sources[other]):
                yield f"argument({other + 1}) is no other argument that is given first"


def _read_sizes(
    node: Node, step_sources: Sequence[Source], sources: Mapping[str, Source]
) -> tuple[str, ...]:
    """Return the types of sizes of the arguments of a step."""
    types: dict[Source, str] = {}
    for name, type_ in node.value.items():
        if name not in sources or sources[name] not in step_sources:
            problem = f"the step has no parameter {name!r}"
            raise DanglingReferenceError(problem, path=(*node.path, name))
        types[sources[name]] = type_
    return tuple(types.get(source, "") for source in step_sources) if types else ()


def _read_action(
    node: Node, sources: Mapping[str, Source]
) -> tuple[Form | None, str, tuple[Source, ...]]:
    """Return the form of a step (None for an action in words), its operator and its sources."""
    if "say" in node.value:
        tool, texts = ANSWER, [(ANSWER_PATH, node["say"])]
    elif "tool" in node.value:
        arguments = node.get("with", {})
        tool = node["tool"].text()
        texts = [(path, arguments[path]) for path in sorted(arguments.value)]
    else:
        parts, step_sources = _read_text(node["do"], sources)
        return None, "{}".join(parts), step_sources
    texts_and_sources = [(path, *_read_text(text, sources)) for path, text in texts]
    form = Form(tool, tuple((path, _unescaped(parts)) for path, parts, _ in texts_and_sources))
    return (
        form,
        form.operator,
        tuple(source for _, _, step_sources in texts_and_sources for source in step_sources),
    )


def _read_text(
    text: Node, sources: Mapping[str, Source]
) -> tuple[tuple[str, ...], tuple[Source, ...]]:
    """Return the parts of a text around its holes, with doubled braces, and the holes' sources."""
    parts = [""]
    hole_sources: list[Source] = []
    end_of_last = 0
    for match in _HOLE.finditer(text.text()):
        parts[-1] += text.value[end_of_last : match.start()]
        end_of_last = match.end()
        name = match[1]
        if name is None:
            parts[-1] += match[0]
        elif name in sources:
            hole_sources.append(sources[name])
            parts.append("")
        else:
            raise DanglingReferenceError(
                f"there is no parameter {name!r}",
                path=text.path,
                hint="write braces of the text itself as {{ and }}",
            )
    parts[-1] += text.value[end_of_last:]
    return tuple(parts), tuple(hole_sources)


def _unescaped(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part.replace("{{", "{").replace("}}", "}") for part in parts)


def _read_guards(node: Node, sources: Mapping[str, Source]) -> tuple[Guard, ...]:
    items = list(node.get("when").items())
    rivals = node.get("rivals")
    if items and all(isinstance(item.value, str) for item in items):
        when = tuple(item.condition(sources) for item in items)
        return (Guard(when, rivals.conditions()),)
    if rivals.value:
        raise SchemaError(
            "rivals of one of several alternatives stand beside it",
            path=rivals.path,
            hint="write - {all: […], rivals: […]}",
        )
    guards: list[Guard] = []
    for item in items:
        if isinstance(item.value, Mapping):
            conditions, others = item["all"], item.get("rivals").conditions()
        else:
            conditions, others = item, ()
        guards.append(Guard(tuple(c.condition(sources) for c in conditions.items()), others))
    return tuple(guards)
