"""Checks beyond JSON Schema: whether names, references and conditions fit together.

An *error* makes a library unusable: a reference leads nowhere, or an entry has no meaning. A
*warning* is legal but surely a mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ...schemas.meant import meant
from ..common.errors import ConditionError, DanglingReferenceError, LibraryError
from ..conditions.language import AllOf, AnyOf, Condition, Constant, Not
from ..conditions.nodes import Attempts, Fact
from ..conditions.text_patterns import Pattern, template_parameters
from ..words.word_clusters import cluster_faults
from .ontology import Operator
from .parameter_types import named_types
from .procedure import MetaProcedure, Ontology, Parameter, Place, Procedure
from .types_files import TypesFile

Path = tuple[str | int, ...]
Severity = Literal["error", "warning"]


_WORDS = ("ontology", "")
_READ_OF_OPERATORS = frozenset(
    ("outcomes", "needs", "things", "at", "heading", "reverse", "fixed_text")
)
_READ_OF_INSTRUCTIONS = frozenset(("word", "in_order", "known"))


@dataclass(frozen=True, slots=True)
class Issue:
    """One fault of a document.

    Attributes:
        severity: ``error`` or ``warning``.
        owner: Document: (``procedure``, id), (``meta``, id) or (``ontology``, "").
        path: Keys from the document's root.
        message: The fault, and advice.
        raises: The error that an ``error`` becomes when a library is opened.
        missed: Documents, any of which would mend it if it were there: (kind, id).
    """

    severity: Severity
    owner: tuple[str, str]
    path: Path
    message: str
    raises: type[LibraryError] = field(default=LibraryError, compare=False)
    missed: tuple[tuple[str, str], ...] = field(default=(), compare=False)


class _Report:
    """Collects the issues of one document."""

    def __init__(self, kind: str, name: str = "") -> None:
        self.owner = (kind, name)
        self.issues: list[Issue] = []

    def error(self, path: Path, message: str) -> None:
        self.issues.append(Issue("error", self.owner, path, message))

    def dangling(self, path: Path, message: str, *missed: tuple[str, str]) -> None:
        raises = DanglingReferenceError
        self.issues.append(Issue("error", self.owner, path, message, raises, missed))

    def warning(self, path: Path, message: str) -> None:
        self.issues.append(Issue("warning", self.owner, path, message))

    def parse(
        self, parser: Callable[[str], Iterable[str]], text: str, path: Path
    ) -> tuple[str, ...]:
        """Return the parameters of a template or pattern; report it if it does not parse."""
        try:
            return tuple(parser(text))
        except ConditionError as error:
            self.issues.append(Issue("error", self.owner, path, error.problem, ConditionError))
            return ()


def _of_pattern(text: str) -> Iterable[str]:
    return Pattern.parse(text).names


def always(condition: Condition | None) -> bool | None:
    """Return the value that a condition always has, or None if it varies or is unknown."""
    if isinstance(condition, Constant):
        return condition.value
    if isinstance(condition, Not):
        inner = always(condition.part)
        return None if inner is None else not inner
    if isinstance(condition, AllOf | AnyOf):
        deciding = isinstance(condition, AnyOf)
        values = [always(part) for part in condition.parts()]
        if deciding in values:
            return deciding
        return None if None in values else not deciding
    return None


class _Names:
    """Uses of parameters in one document, against those that it declares."""

    def __init__(self, parameters: Mapping[str, Parameter], report: _Report) -> None:
        self.parameters = parameters
        self.report = report
        self.used: set[str] = set()

    def use(self, names: Iterable[str], path: Path) -> None:
        for name in names:
            if name in self.parameters:
                self.used.add(name)
            else:
                declared = ", ".join(self.parameters) or "none"
                self.report.dangling(path, f"unknown parameter {{{name}}}; declared: {declared}")

    def template(self, text: str, path: Path) -> None:
        self.use(self.report.parse(template_parameters, text, path), path)

    def condition(self, item: Condition, path: Path, *, in_plan: bool = False) -> None:
        self.use(sorted(item.parameters()), path)
        if not in_plan:
            _refuse_facts(item, path, self.report)

    def arguments(self, value: Any, path: Path) -> None:
        if isinstance(value, str):
            self.template(value, path)
        elif isinstance(value, Mapping):
            for key, inner in value.items():
                self.arguments(inner, (*path, key))
        elif isinstance(value, tuple | list):
            for index, inner in enumerate(value):
                self.arguments(inner, (*path, index))

    def declared(self) -> None:
        """Check the declarations themselves, after all uses are known."""
        for name, parameter in self.parameters.items():
            for key, other in (("via", parameter.via), ("of", parameter.of)):
                if other is not None:
                    self.use((other,), ("parameters", name, key))
        for name in self.parameters:
            cycle = self._cycle(name)
            if cycle and min(cycle) == name:
                circle = " -> ".join((*cycle, name))
                self.report.error(("parameters", name), f"parameters refer in a circle: {circle}")
        for name in self.parameters:
            if name not in self.used:
                self.report.warning(("parameters", name), f"parameter {{{name}}} is never used")

    def _cycle(self, start: str) -> tuple[str, ...]:
        """Return the circle of ``via`` and ``of`` through a parameter, if there is one."""
        reached: dict[str, None] = {}
        queue = [start]
        while queue:
            name = queue.pop()
            if name in reached or name not in self.parameters:
                continue
            reached[name] = None
            parameter = self.parameters[name]
            onward = [other for other in (parameter.via, parameter.of) if other is not None]
            if start in onward:
                return tuple(reached)
            queue += onward
        return ()


def _refuse_facts(item: Condition, path: Path, report: _Report) -> None:
    for node in item.walk():
        if isinstance(node, Fact | Attempts):
            word = node.name if isinstance(node, Fact) else "attempts"
            report.error(
                path,
                f"{word!r} means something only in continue, skip, repeat and abort of a plan",
            )


def _check_conditions(owner: Procedure | MetaProcedure, names: _Names, report: _Report) -> None:
    names.template(owner.goal, ("goal",))
    for key, items in (
        ("preconditions", owner.preconditions),
        ("postconditions", owner.postconditions),
    ):
        for index, item in enumerate(items):
            names.condition(item, (key, index))
            if always(item) is False:
                consequence = (
                    "it can never start" if key == "preconditions" else "it can never succeed"
                )
                report.warning((key, index), f"this is always false, so {consequence}")


def _check_wordings(owner: Procedure, names: _Names, report: _Report) -> None:
    for index, wording in enumerate(owner.wordings):
        path: Path = ("wordings", index)
        names.template(wording, path)
        slots = set(report.parse(template_parameters, wording, path))
        for name in report.parse(template_parameters, owner.goal, ("goal",)):
            if name not in slots:
                report.error(path, f"{{{name}}} of the goal is missing")


def check_procedure(procedure: Procedure) -> list[Issue]:
    """Return the faults of a procedure by itself."""
    report = _Report("procedure", procedure.id)
    names = _Names(procedure.parameters, report)
    _check_conditions(procedure, names, report)
    _check_wordings(procedure, names, report)
    for index, step in enumerate(procedure.steps):
        path: Path = ("steps", index)
        if step.do is not None:
            names.template(step.do, (*path, "do"))
        names.arguments(step.args, (*path, "args"))
        for number, pattern in enumerate(step.expect):
            place = (*path, "expect", number)
            names.use(report.parse(_of_pattern, pattern, place), place)
        if step.when is not None:
            names.condition(step.when, (*path, "when"))
            if always(step.when) is False:
                report.warning((*path, "when"), "this step is never reached: always false")
        if step.unless is not None:
            names.condition(step.unless, (*path, "unless"))
            if always(step.unless) is True:
                report.warning((*path, "unless"), "this step is never reached: always true")
        if step.until is not None:
            names.condition(step.until, (*path, "until"))
            if always(step.until) is False:
                report.warning((*path, "until"), "this step never ends well: always false")
    for name, parameter in procedure.parameters.items():
        _check_result_source(name, parameter, procedure, report)
    names.declared()
    return report.issues


def _check_result_source(
    name: str, parameter: Parameter, procedure: Procedure, report: _Report
) -> None:
    """Check the place that a parameter of source ``result`` reads its value from."""
    if parameter.source != "result" or parameter.step is None:
        return
    path: Path = ("parameters", name, "step")
    if parameter.step > len(procedure.steps):
        report.dangling(path, f"there is no step {parameter.step}")
    elif procedure.steps[parameter.step - 1].tool is None:
        report.error(path, f"step {parameter.step} is no tool call, so it has no result")
    if parameter.pattern is not None:
        holes = report.parse(_of_pattern, parameter.pattern, ("parameters", name, "pattern"))
        if holes != ("value",):
            report.error(("parameters", name, "pattern"), "it must hold {value} once")


def check_meta(
    meta: MetaProcedure,
    procedures: Mapping[str, Procedure],
    metas: Collection[str] = (),
    operators: Collection[str] = (),
) -> list[Issue]:
    """Return the faults of a meta-procedure among these procedures and operators."""
    report = _Report("meta", meta.id)
    names = _Names(meta.parameters, report)
    _check_conditions(meta, names, report)
    names.use(meta.distinct, ("distinct",))
    runs = {place.run for place in meta.plan}
    for name, parameter in meta.parameters.items():
        if parameter.by is not None and parameter.by not in runs:
            report.dangling(
                ("parameters", name, "by"), f"no place of the plan runs {parameter.by!r}"
            )
    last = len(meta.plan) - 1
    for index, place in enumerate(meta.plan):
        path: Path = ("plan", index)
        _check_reference(place, path, procedures, metas, meta, report)
        sources = (("task",), operators, procedures)
        if place.follow is not None and not any(place.follow in each for each in sources):
            report.dangling(
                (*path, "follow"),
                f"unknown operator {place.follow!r}; use task, or an operator of ontology.yaml",
                _WORDS,
                ("procedure", place.follow),
            )
        names.use(place.with_.values(), (*path, "with"))
        for number, item in enumerate(place.prefer):
            names.condition(item, (*path, "prefer", number))
        _check_control(place, path, index == last, names, report)
    names.declared()
    return report.issues


def _check_reference(
    place: Place,
    path: Path,
    procedures: Mapping[str, Procedure],
    metas: Collection[str],
    owner: MetaProcedure,
    report: _Report,
) -> None:
    if place.run is None:
        return
    procedure = procedures.get(place.run)
    at = (*path, "run")
    if procedure is None:
        advice = meant(place.run, procedures)
        message = f"there is no procedure {place.run!r}{f'; {advice}' if advice else ''}"
        if place.run in metas:
            message = f"{place.run!r} is a meta-procedure; a plan runs only procedures"
        report.dangling(at, message, ("procedure", place.run))
        return
    if procedure.world != owner.world:
        other_world = procedure.world or "that of the first"
        report.warning(
            at, f"{procedure.ref} is of another world ({other_world}), so it never runs here"
        )
    for name in place.with_:
        if name not in procedure.parameters:
            declared = ", ".join(procedure.parameters) or "none"
            report.dangling(
                (*path, "with", name),
                f"{procedure.ref} has no parameter {name!r}; it has: {declared}",
            )
    for name, parameter in procedure.parameters.items():
        if parameter.source == "given" and name not in place.with_:
            report.warning(at, f"parameter {{{name}}} of {procedure.ref} is given, but not bound")
    if procedure.status == "retired" and owner.status != "retired":
        report.warning(at, f"{procedure.ref} is retired")


def _check_control(place: Place, path: Path, last: bool, names: _Names, report: _Report) -> None:
    for key, item in (
        ("continue", place.proceed),
        ("skip", place.skip),
        ("repeat", place.repeat),
        ("abort", place.abort),
    ):
        if item is not None:
            names.condition(item, (*path, key), in_plan=True)
    if always(place.skip) is True:
        report.warning((*path, "skip"), "this place is never reached: always true")
    never_aborts = place.abort is None or always(place.abort) is False
    if always(place.repeat) is True and never_aborts:
        report.warning((*path, "repeat"), "this place repeats for ever: add an abort")
    if not last:
        if always(place.abort) is True:
            report.warning((*path, "abort"), "the places after this one are never reached")
        if always(place.proceed) is False and always(place.skip) is not True:
            report.warning((*path, "continue"), "the places after this one are never reached")


def check_ontology(ontology: Ontology) -> list[Issue]:
    """Return the faults of an ontology."""
    report = _Report("ontology")
    frames = {frame for operator in ontology.operators.values() for frame in operator.frames}
    for name, operator in ontology.operators.items():
        _check_operator(operator, ("operators", name), frames, report)
    for index, entry in enumerate(ontology.instructions):
        path: Path = ("instructions", index)
        _warn_of_unread(entry.extra, _READ_OF_INSTRUCTIONS, path, report)
        if entry.source != "task" and entry.source not in ontology.operators:
            report.dangling((*path, "source"), f"unknown operator {entry.source!r}")
        slots = set(report.parse(_of_pattern, entry.cue, (*path, "cue")))
        filled_slots = set(report.parse(template_parameters, entry.do, (*path, "do")))
        for name in sorted(filled_slots - slots):
            report.warning((*path, "do"), f"slot {{{name}}} does not stand in the cue")
        if entry.unless is not None:
            _refuse_facts(entry.unless, (*path, "unless"), report)
    clusters = [(each.name, each.words, each.locked) for each in ontology.clusters]
    for severity, keys, message in cluster_faults(clusters):
        report.issues.append(Issue(severity, report.owner, ("clusters", *keys), message))
    for name, words in ontology.worlds.items():
        for issue in check_ontology(words):
            report.issues.append(replace(issue, path=("worlds", name, *issue.path)))
    return report.issues


def _check_operator(operator: Operator, path: Path, frames: Set[str], report: _Report) -> None:
    """Report entries of an operator that cannot be parsed, or that nothing reads."""
    notes = operator.extra
    _warn_of_unread(notes, _READ_OF_OPERATORS, path, report)
    if "heading" in notes:
        report.parse(_of_pattern, notes["heading"], (*path, "heading"))
    for frame, patterns in notes.get("outcomes", {}).items():
        for index, pattern in enumerate(patterns):
            report.parse(_of_pattern, pattern, (*path, "outcomes", frame, index))
    for key in ("outcomes", "needs", "things", "at"):
        for frame in notes.get(key, {}):
            if frame not in operator.frames:
                report.warning((*path, key, frame), "this is none of the operator's frames")
    for frame, positions in notes.get("needs", {}).items():
        for position, needed_frames in positions.items():
            for other in needed_frames:
                if other not in frames:
                    where = (*path, "needs", frame, position)
                    report.warning(where, f"no operator has the frame {other!r}")


def _warn_of_unread(
    extra: Mapping[str, Any], known_keys: Set[str], path: Path, report: _Report
) -> None:
    for key in extra:
        if key not in known_keys:
            report.warning((*path, key), "this key is kept and not read; is it misspelled?")


def check_library(
    procedures: Mapping[str, Procedure], metas: Mapping[str, MetaProcedure], ontology: Ontology
) -> Iterator[Issue]:
    """Yield all faults of the contents of a library."""
    for procedure in procedures.values():
        yield from check_procedure(procedure)
    yield from shared_ids("meta", metas, procedures)
    for meta in metas.values():
        operators = ontology.of_world(meta.world).operators
        yield from check_meta(meta, procedures, metas, operators)
    yield from check_ontology(ontology)
    items: list[Procedure | MetaProcedure] = [*procedures.values(), *metas.values()]
    yield from unknown_worlds(items, ontology)
    yield from unknown_types(items, ontology)
    yield from unused_types(named_types(items), ontology)


def unknown_worlds(
    items: Iterable[Procedure | MetaProcedure | TypesFile], ontology: Ontology
) -> Iterator[Issue]:
    """Yield a warning for each document of a world that the ontology does not have."""
    kinds = {Procedure: "procedure", MetaProcedure: "meta", TypesFile: "types"}
    for item in items:
        if item.world and item.world not in ontology.worlds:
            kind = kinds[type(item)]
            consequence = "these are kinds of the first" if kind == "types" else "it never runs"
            message = f"ontology.yaml has no world {item.world!r}, so {consequence}"
            yield Issue("warning", (kind, item.id), ("world",), message, missed=(_WORDS,))


def unknown_types(
    items: Iterable[Procedure | MetaProcedure], ontology: Ontology
) -> Iterator[Issue]:
    """Yield an error for each parameter of a type that the ontology does not have.

    The library still opens, since procedures and ontology are merged in any order. A parameter of
    an unknown type accepts any kind.
    """
    for item in items:
        types = ontology.of_world(item.world).types
        free = types.keys() - {each.type for each in item.parameters.values()}
        for name, parameter in item.parameters.items():
            if parameter.type and parameter.type not in types:
                kind = "procedure" if isinstance(item, Procedure) else "meta"
                world = f"the world {item.world!r} of " if item.world else ""
                advice = _advice_for_type(parameter.type, free, ontology)
                message = f"{world}the ontology has no type {parameter.type!r}; {advice}"
                path = ("parameters", name, "type")
                yield Issue("error", (kind, item.id), path, message)


def _advice_for_type(name: str, free: Collection[str], ontology: Ontology) -> str:
    """Return advice for an unknown type: its namesake in another world, or a similar name.

    Args:
        name: The unknown type.
        free: Types that no other parameter of the document names.
        ontology: The ontology of all worlds.
    """
    for world, words in ontology.by_world.items():
        if name in words.types:
            return f"it stands in {f'the world {world!r}' if world else 'the first world'}"
    owner = name.rpartition(".")[0]
    place = f"types/{owner}.yaml" if owner else "the types of ontology.yaml"
    return meant(name, free, f"add its kinds to {place}")


def unused_types(type_names: Iterable[tuple[str, str]], ontology: Ontology) -> Iterator[Issue]:
    """Yield a warning for each type that nothing names, or that is empty.

    Args:
        type_names: World and name of each type that something names.
        ontology: The ontology.
    """
    used_types = {(world if world in ontology.worlds else "", name) for world, name in type_names}
    for world, words in ontology.by_world.items():
        for name, kinds in words.types.items():
            path = (*(("worlds", world) if world else ()), "types", name)
            if (world, name) not in used_types:
                message = "no procedure or plan has a parameter of this type"
                owner = name.rpartition(".")[0]
                owners = (("procedure", owner), ("meta", owner))
                yield Issue("warning", _WORDS, path, message, missed=owners)
            elif not kinds:
                message = "is empty, so anything fits a parameter of this type"
                yield Issue("warning", _WORDS, path, message)


def shared_ids(kind: str, names: Iterable[str], other_ids: Collection[str]) -> Iterator[Issue]:
    """Yield an error for each id that documents of another kind have, too.

    Args:
        kind: Kind of the documents.
        names: Their ids.
        other_ids: Ids of procedures; for programs also those of plans.
    """
    others = "procedure or plan" if kind == "program" else "procedure"
    for name in names:
        if name in other_ids:
            message = f"the id {name!r} is also that of a {others}; rename one"
            yield Issue("error", (kind, name), ("id",), message)
