"""Programs as documents: everything that :func:`~.program.decide` uses, in a form to be reviewed.

A file says how tasks and results are read (``goal``, ``wordings``, ``lines``), where each value
comes from (``parameters``) and what is done (``steps``). Empty keys are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ..episodes.facts import Reader
from ..episodes.history import History, begun
from ..episodes.mentions import Mention, context_text, read_context
from ..episodes.templates import Template, escaped
from ..errors import ConditionError, DanglingReferenceError, SchemaError
from ..model_documents import below
from .box import Box
from .box_notation import box_document, read_box
from .conditions import After, Argument, Asked, Condition, DoneStep, Field, OneOf, Term, Together
from .forms import ANSWER, ANSWER_PATH, Form, ToolUse
from .naming import PARAMETER_NAME, parameter_names
from .notation import (
    condition_text,
    field_text,
    order_text,
    read_condition,
    read_field,
    read_order,
)
from .program import Guard, Program, Step
from .searching.places import Places
from .searching.sightings import Sightings
from .sources import ANY, Case, Choice, Constant, Offered, Order, Rule, Search, Source, Written
from .writing import ENDS, SIDES, Part, Writing

__all__ = ["DEFAULT_STATUS", "ProgramFile", "program_document", "program_from_document"]

DEFAULT_STATUS = "active"
_HOLE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A program of a library, and how it reads tasks and results.

    Attributes:
        id: Name in the library, and of its file.
        program: What is done.
        lines: Templates of results.
        wordings: Templates of the task, the most frequent first.
        version: Counts changes of what is done.
        status: ``draft``, ``active`` or ``retired``.
        description: What a person says of it.
        provenance: Where this version comes from; free texts.
        locked: Whether no automatic change may touch it.
        names: Source → its name in the file; what is missing is named when it is written.
        tools: How the tools are used that it calls; None where it acts in words.
    """

    id: str
    program: Program
    lines: tuple[Template, ...]
    wordings: tuple[Template, ...]
    version: int = 1
    status: str = DEFAULT_STATUS
    description: str = ""
    provenance: Mapping[str, str] = field(default_factory=dict, hash=False)
    locked: bool = False
    names: Mapping[Source, str] = field(default_factory=dict, hash=False, compare=False)
    mentions: tuple[Mention, ...] = ()
    tools: ToolUse | None = None

    @property
    def ref(self) -> str:
        """``id@version``."""
        return f"{self.id}@{self.version}"

    @property
    def goal(self) -> str:
        """The most frequent wording of the task; empty where there is none."""
        return self.wordings[0].text if self.wordings else ""

    def all_names(self) -> dict[Source, str]:
        """Return a name for each source, in order of first use."""
        return parameter_names(self.program, self.lines, self.wordings, self.names)

    def does_the_same(self, other: ProgramFile) -> bool:
        """Whether another program decides the same: its names and the order of lines are free."""
        mine, theirs = (self.program, self._read()), (other.program, other._read())
        return mine == theirs and self.tools == other.tools

    def _read(self) -> list[tuple[Template | Mention, ...]]:
        return [*(reader.templates for reader in self.readers()), self.mentions]

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> ProgramFile:
        """Read a document; see :func:`program_from_document`."""
        return program_from_document(document)

    def to_document(self) -> dict[str, Any]:
        """Return the document; see :func:`program_document`."""
        return program_document(self)

    def readers(self) -> tuple[Reader, Reader]:
        """Return the readers of results and of tasks."""
        return _readers(self.lines, self.wordings, self.mentions)

    def reads(self, task: str) -> bool:
        """Whether a task is in one of the wordings."""
        return self.exactness(task) >= 0

    def exactness(self, task: str) -> int:
        """Return how much of a task a wording says itself, in characters; -1 if none reads it."""
        line = task.replace("\n", " ")
        return max((w.weight for w in self.wordings if w.read(line) is not None), default=-1)

    def begin(self, task: str, observation: str) -> History:
        """Start a history; :meth:`readers` are worth keeping where many are started."""
        return self.program.begin(begun(*self.readers(), task, observation))


@lru_cache(256)
def _readers(
    lines: tuple[Template, ...], wordings: tuple[Template, ...], mentions: tuple[Mention, ...]
) -> tuple[Reader, Reader]:
    """Make the readers once; they remember what they have read."""
    return Reader(lines, mentions), Reader(wordings)


# ---------------------------------------------------------------------------- writing
def program_document(file: ProgramFile) -> dict[str, Any]:
    """Return a program as plain data.

    Raises:
        ValueError: A step has as many sources as neither its operator nor its arguments.
    """
    program = file.program
    names = file.all_names()
    document: dict[str, Any] = {
        "kind": "program",
        "id": file.id,
        "version": file.version,
        "status": "" if file.status == DEFAULT_STATUS else file.status,
        "description": file.description,
        "goal": _template(file.wordings[0]) if file.wordings else None,
        "wordings": [_template(each) for each in file.wordings[1:]],
        "lines": [_template(each) for each in file.lines],
        "names": [_mention(each) for each in file.mentions],
        "known": [
            *(condition_text(OneOf(term, tuple(v))) for term, v in program.few.items()),
            *map(condition_text, program.together),
        ],
        "places": _places(program.places) if program.places else None,
        **_tools(file.tools or ToolUse(), program),
        "parameters": {name: _source(source, names) for source, name in names.items()},
        "steps": [_step(step, names) for step in program.steps],
        "boxes": {
            step.id: box_document(step.box, (each.text for each in file.wordings))
            for step in program.steps
            if step.box.runs
        },
        "provenance": dict(file.provenance),
        "locked": file.locked,
    }
    kept = {"goal"} if file.wordings else set()
    return {key: value for key, value in document.items() if value or key in kept | {"steps"}}


def _template(template: Template) -> str | dict[str, Any]:
    if template == Template(template.text):
        return template.text
    document: dict[str, Any] = {"line": template.text}
    if template.few:
        document["few"] = {slot: list(values) for slot, values in sorted(template.few.items())}
    if template.lists:
        document["lists"] = sorted(template.lists)
    if template.special:
        document["special"] = [each.text for each in template.special]
    if template.joint:
        document["joint"] = template.joint
    if template.over:
        document["over"] = sorted(template.over)
    if template.means:
        document["means"] = template.means
    return document


def _source(source: Source, names: Mapping[Source, str]) -> dict[str, Any]:
    match source:
        case Constant(value, said):
            return {"source": "constant", "value": value} | ({"if_said": True} if said else {})
        case Asked(slot):
            return {"source": "task", "slot": _slot(slot)}
        case Argument(operator, index):
            return {"source": "argument", "of": operator, "number": index + 1}
        case Choice(kind, name, newest, cases, steady):
            document: dict[str, Any] = {"source": "choice", "take": field_text(name), "among": kind}
            if len(cases) == 1 and not cases[0].when:
                document |= _case(cases[0])
            else:
                document["cases"] = [_case(case) for case in cases]
            if steady:
                document["steady"] = True
            return document | ({} if newest else {"so_far": True})
        case Written(base, writings):
            return {"source": "written", "from": names[base]} | (
                _writing(writings[0])
                if len(writings) == 1
                else {"writings": [_writing(each) for each in writings]}
            )
        case Search(among):
            return {
                "source": "search",
                "ways": [
                    {"line": each.kind, "take": field_text(each.field)}
                    | ({} if each.newest else {"so_far": True})
                    for each in among
                ],
            }


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


def _read_writing(place: _Place) -> Writing:
    part, swap, dates = (place.get(key, ()).texts() for key in ("part", "swap", "dates"))
    before, behind = place.get("between", ("", "")).texts()
    if part and (part[0] not in SIDES or part[1] not in ENDS):
        problem = "should be before or after, first or last, and a sign"
        raise SchemaError(problem, path=(*place.path, "part"))
    return Writing(
        Part(*part) if part else None,
        (swap[0], swap[1]) if swap else None,
        place.get("case", "").text(),
        (dates[0], dates[1]) if dates else None,
        before,
        behind,
    )


def _mention(mention: Mention) -> dict[str, Any]:
    return {
        "of": mention.operator,
        "number": mention.index + 1,
        "longest": mention.longest,
        "where": [context_text(each) for each in mention.contexts],
    }


def _places(places: Places) -> dict[str, Any]:
    document: dict[str, Any] = {"moves": list(places.moves), "told_by": list(places.told_by)}
    if not places.start:
        document["at_first"] = False
    if not places.named:
        document["named"] = False
    if places.by_name:
        document["by_name"] = True
    if places.back:
        document["back"] = dict(places.back)
    if places.sightings.visits:
        document["visits"] = dict(places.sightings.visits)
        document["seen"] = {thing: dict(at) for thing, at in places.sightings.seen.items()}
    return document


_TYPES = {"bool": "flag", "float": "number", "int": "integer", "NoneType": "nothing"}
_TYPED = {name: type_ for type_, name in _TYPES.items()}


def _tools(tools: ToolUse, program: Program) -> dict[str, Any]:
    types: dict[str, dict[str, Any]] = {}
    for (tool, path), names in sorted(tools.types.items()):
        types.setdefault(tool, {})[path] = sorted(_TYPES[name] for name in names)
    steps = {step.operator: step.id for step in reversed(program.steps)}
    return {
        "types": types,
        "lists": sorted(tools.lists),
        "shared": sorted(tools.shared),
        "unfinished": sorted([steps[each] for each in calls] for calls in tools.unfinished),
    }


def _slot(name: str) -> str | int:
    return int(name) if name.isascii() and name.isdigit() and str(int(name)) == name else name


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
    return document


def _rule(rule: Rule) -> dict[str, Any]:
    document: dict[str, Any] = {}
    if rule.where:
        document["where"] = [condition_text(each) for each in rule.where]
    if rule.order:
        document["order"] = [order_text(each) for each in rule.order]
    return document


def _step(step: Step, names: Mapping[Source, str]) -> dict[str, Any]:
    document: dict[str, Any] = {"id": step.id}
    if step.form is not None:
        document |= _call(step.form, step, names)
    else:
        document["do"] = _do(step, names)
    document |= _guards(step.guards, names)
    if step.again:
        document["again"] = True
    if step.commit:
        document["commit"] = True
    if step.box.needs:
        document["needs"] = list(step.box.needs)
    if step.box.provided:
        document["provided"] = [condition_text(each) for each in step.box.provided]
    sizes = zip(step.sources, step.box.sizes, strict=False)
    if types := {names[source]: type_ for source, type_ in sizes if type_}:
        document["sizes"] = types
    return document


def _call(form: Form, step: Step, names: Mapping[Source, str]) -> dict[str, Any]:
    if form.slots != len(step.sources):
        raise ValueError(f"step {step.id}: {len(step.sources)} sources for {form.slots} arguments")
    holes = (f"{{{names[source]}}}" for source in step.sources)
    texts = {
        path: escaped(first) + "".join(next(holes) + escaped(part) for part in rest)
        for path, (first, *rest) in form.texts
    }
    if not form.tool:
        return {"say": texts[ANSWER_PATH]}
    return {"tool": form.tool} | ({"with": texts} if texts else {})


def _do(step: Step, names: Mapping[Source, str]) -> str:
    sources = list(step.sources)

    def filled(match: re.Match[str]) -> str:
        return match[0] if match[0] in ("{{", "}}") else f"{{{names[sources.pop(0)]}}}"

    holes = sum(match[1] is not None for match in _HOLE.finditer(step.operator))
    if holes != len(sources):
        raise ValueError(f"step {step.id}: {len(sources)} sources for {holes} arguments")
    return _HOLE.sub(filled, step.operator)


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
        return {"when": when} | ({"rivals": rivals} if rivals else {})
    alternatives = [{"all": when, "rivals": r} if r else when for when, r in parts]
    return {"when": alternatives} if parts else {}


# ---------------------------------------------------------------------------- reading
def program_from_document(document: Mapping[str, Any]) -> ProgramFile:
    """Read a program from plain data.

    Raises:
        SchemaError: The document has not the shape of one; the path says where.
        ConditionError: A condition does not parse; carries text, column and path.
        DanglingReferenceError: It names a parameter or step that is not there.
    """
    try:
        return _program(_Place(document, ()))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise SchemaError(f"not a program: {reason}") from None


@dataclass(frozen=True, slots=True)
class _Place:
    """A value of a document, and where it stands."""

    value: Any
    path: tuple[str | int, ...]

    def get(self, key: str, default: Any = ()) -> _Place:
        return _Place(self.value.get(key, default), (*self.path, key))

    def __getitem__(self, key: str) -> _Place:
        if key not in self.value:
            raise SchemaError(f"{key!r} is missing", path=self.path)
        return _Place(self.value[key], (*self.path, key))

    def items(self) -> Iterator[_Place]:
        if not isinstance(self.value, list | tuple):
            raise SchemaError("should be a list", path=self.path)
        for index, value in enumerate(self.value):
            yield _Place(value, (*self.path, index))

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise SchemaError("should be a text", path=self.path)
        return self.value

    def texts(self) -> tuple[str, ...]:
        return tuple(item.text() for item in self.items())

    def condition(self, sources: Mapping[str, Source] | None = None) -> Condition | Offered:
        try:
            return read_condition(self.value, sources)
        except ConditionError as error:
            raise below(error, self.path) from None

    def field(self) -> str:
        try:
            return read_field(self.value)
        except ConditionError as error:
            raise below(error, self.path) from None

    def order(self) -> Order:
        try:
            return read_order(self.value)
        except ConditionError as error:
            raise below(error, self.path) from None

    def plain_conditions(self) -> tuple[Condition, ...]:
        found: list[Condition] = []
        for item in self.items():
            condition = item.condition()
            if isinstance(condition, Offered):  # pragma: no cover - no sources: cannot be read
                raise SchemaError("offered(…) stands under a step's when only", path=item.path)
            found.append(condition)
        return tuple(found)


def _program(place: _Place) -> ProgramFile:
    parameters = place.get("parameters", {})
    sources = _read_sources(parameters, place)
    wordings = tuple(_read_template(p) for p in _wordings(place))
    steps = _boxed(
        tuple(_read_step(item, sources) for item in place["steps"].items()),
        place.get("boxes", {}),
        [wording.text for wording in wordings],
    )
    used = _check_steps(steps, place)
    used.update(list(_bases_of(used)))
    for name, source in sources.items():
        if source not in used:
            raise DanglingReferenceError(
                f"the parameter {name!r} is used nowhere", path=("parameters", name)
            )
    few: dict[Term, tuple[str, ...]] = {}
    together: list[Together] = []
    for item in place.get("known").items():
        known = item.condition()
        if isinstance(known, Together):
            together.append(known)
            continue
        if not isinstance(known, OneOf) or isinstance(known.term, Field):
            raise SchemaError('should be told("…", …) in […], or task(…) in […]', path=item.path)
        few[known.term] = known.values
    return ProgramFile(
        id=place["id"].text(),
        program=Program(
            steps,
            few,
            tuple(together),
            _read_places(place["places"]) if "places" in place.value else None,
        ),
        lines=tuple(_read_template(item) for item in place.get("lines").items()),
        wordings=wordings,
        version=place.get("version", 1).value,
        status=place.get("status", DEFAULT_STATUS).text(),
        description=place.get("description", "").text(),
        provenance=dict(place.get("provenance", {}).value),
        locked=bool(place.get("locked", False).value),
        names={source: name for name, source in sources.items()},
        mentions=tuple(_read_mention(item) for item in place.get("names").items()),
        tools=_read_tools(place, steps) if any(step.form for step in steps) else None,
    )


def _wordings(place: _Place) -> Iterator[_Place]:
    if "goal" in place.value:
        yield place["goal"]
    yield from place.get("wordings").items()


def _boxed(steps: Sequence[Step], place: _Place, wordings: Sequence[str]) -> tuple[Step, ...]:
    """Put what was shown to the steps."""
    if unknown := sorted(set(place.value) - {step.id for step in steps}):
        raise DanglingReferenceError(f"there is no step {unknown[0]!r}", path=place.path)
    out: list[Step] = []
    for step in steps:
        if step.id in place.value:
            try:
                box = read_box(place.value[step.id], step.box, wordings)
            except ConditionError as error:
                raise below(error, (*place.path, step.id)) from None
            except SchemaError as error:
                raise SchemaError(error.problem, path=(*place.path, step.id)) from None
            step = replace(step, box=box)
        out.append(step)
    return tuple(out)


def _read_tools(place: _Place, steps: Sequence[Step]) -> ToolUse:
    operators = {step.id: step.operator for step in steps}
    for item in place.get("unfinished").items():
        for name in item.texts():
            if name not in operators:
                raise DanglingReferenceError(f"there is no step {name!r}", path=item.path)
    return ToolUse(
        {
            (tool, path): frozenset(_TYPED[name] for name in names)
            for tool, paths in place.get("types", {}).value.items()
            for path, names in paths.items()
        },
        frozenset(place.get("lists").texts()),
        frozenset(place.get("shared").texts()),
        frozenset(
            tuple(operators[name] for name in item.texts())
            for item in place.get("unfinished").items()
        ),
    )


def _read_sources(parameters: _Place, place: _Place) -> dict[str, Source]:
    """Read the parameters; what is written anew may be made of any of the others."""
    sources: dict[str, Source] = {}
    open_: set[str] = set()

    def read(name: str) -> Source:
        if name in sources:
            return sources[name]
        parameter = parameters[name]
        if parameter["source"].value != "written":
            sources[name] = _read_source(parameter)
            return sources[name]
        base = parameter["from"].text()
        if base not in parameters.value or name in open_:
            problem = (
                f"there is no parameter {base!r}" if name not in open_ else "is made of itself"
            )
            raise DanglingReferenceError(problem, path=parameter["from"].path)
        open_.add(name)
        several = "writings" in parameter.value
        writings = [*parameter["writings"].items()] if several else [parameter]
        sources[name] = Written(read(base), tuple(map(_read_writing, writings)))
        return sources[name]

    return {name: read(name) for name in parameters.value if _is_name(name, place)}


def _is_name(name: str, place: _Place) -> bool:
    if not PARAMETER_NAME.fullmatch(name):
        raise SchemaError(
            f"{name!r} is no name of a parameter",
            path=(*place.path, "parameters", name),
            hint="a letter, then letters, digits, _ and -",
        )
    return True


def _bases_of(sources: Iterable[Source]) -> Iterator[Source]:
    for source in sources:
        while isinstance(source, Written):
            source = source.base
            yield source


def _check_steps(steps: Sequence[Step], place: _Place) -> set[Source]:
    """Hold steps to what they name; return the sources they use."""
    ids: set[str] = set()
    for index, step in enumerate(steps):
        if step.id in ids or not step.id:
            problem = f"the step {step.id!r} stands here twice" if step.id else "has no id"
            raise SchemaError(problem, path=("steps", index, "id"))
        ids.add(step.id)
    used: set[Source] = set()
    for index, step in enumerate(steps):
        used.update(step.sources)
        guards = [c for guard in step.guards for c in (*guard.when, *guard.others)]
        used.update(each.choice for each in guards if isinstance(each, Offered))
        named = [("needs", need) for need in step.box.needs]
        for key, conditions in (("when", guards), ("provided", step.box.provided)):
            named += [(key, c.step) for c in conditions if isinstance(c, DoneStep | After)]
        for key, name in named:
            if name and name not in ids:
                path = (*place.path, "steps", index, key)
                raise DanglingReferenceError(f"there is no step {name!r}", path=path)
    return used


def _read_template(place: _Place) -> Template:
    if isinstance(place.value, str):
        template = Template(place.value)
    else:
        few = place.get("few", {})
        template = Template(
            place["line"].text(),
            {slot: few[slot].texts() for slot in few.value},
            frozenset(place.get("lists").texts()),
            tuple(Template(text) for text in place.get("special").texts()),
            frozenset(place.get("over").texts()),
            place.get("joint", "").text(),
            place.get("means", "").text(),
        )
    slots = template.slots
    if len(set(slots)) < len(slots):
        raise SchemaError("has a slot twice", path=place.path)
    if unknown := sorted({*template.few, *template.lists} - set(slots)):
        raise SchemaError(f"has no slot {{{unknown[0]}}}", path=place.path)
    return template


def _read_source(place: _Place) -> Source:
    match place["source"].value:
        case "constant":
            return Constant(place["value"].text(), bool(place.get("if_said", False).value))
        case "task":
            return Asked(str(place["slot"].value))
        case "argument":
            return Argument(place["of"].text(), int(place["number"].value) - 1)
        case "choice":
            cases = (
                tuple(_read_case(item) for item in place["cases"].items())
                if "cases" in place.value
                else (_read_case(place),)
            )
            return Choice(
                place["among"].text(),
                place["take"].field(),
                not place.get("so_far", False).value,
                cases,
                bool(place.get("steady", False).value),
            )
        case "search":
            return Search(
                tuple(
                    Choice(
                        each["line"].text(),
                        each["take"].field(),
                        not each.get("so_far", False).value,
                        ANY,
                    )
                    for each in place["ways"].items()
                )
            )
    raise SchemaError(
        "should be one of constant, task, argument, choice, search, written",
        path=(*place.path, "source"),
    )


def _read_mention(place: _Place) -> Mention:
    where = place["where"]
    return Mention(
        place["of"].text(),
        int(place["number"].value) - 1,
        int(place["longest"].value),
        tuple(read_context(text) for text in where.texts()),
    )


def _read_places(place: _Place) -> Places:
    back = place.get("back", {})
    return Places(
        place["moves"].texts(),
        place["told_by"].texts(),
        start=bool(place.get("at_first", True).value),
        named=bool(place.get("named", True).value),
        by_name=bool(place.get("by_name", False).value),
        back={move: back[move].text() for move in back.value},
        sightings=Sightings(
            dict(place.get("visits", {}).value),
            {thing: dict(at) for thing, at in place.get("seen", {}).value.items()},
        ),
    )


def _read_case(place: _Place) -> Case:
    return Case(
        place.get("when").plain_conditions(),
        _read_rule(place),
        tuple(_read_rule(item) for item in place.get("rivals").items()),
        bool(place.get("settled", True).value),
        place.get("always").plain_conditions(),
    )


def _read_rule(place: _Place) -> Rule:
    orders = tuple(item.order() for item in place.get("order").items())
    return Rule(place.get("where").plain_conditions(), orders)


def _read_step(place: _Place, sources: Mapping[str, Source]) -> Step:
    used: list[Source] = []

    def taken(name: str, path: tuple[str | int, ...]) -> Source:
        if name not in sources:
            raise DanglingReferenceError(
                f"there is no parameter {name!r}",
                path=path,
                hint="write braces of the text itself as {{ and }}",
            )
        return sources[name]

    def parts(text: _Place) -> tuple[str, ...]:
        """Return what stands around the slots; the braces of the text itself are doubled."""
        found = [""]
        at = 0
        for match in _HOLE.finditer(text.text()):
            found[-1] += text.value[at : match.start()]
            at = match.end()
            if match[1] is None:
                found[-1] += match[0]
            else:
                used.append(taken(match[1], text.path))
                found.append("")
        return (*found[:-1], found[-1] + text.value[at:])

    form: Form | None = None
    if "say" in place.value:
        form = Form(ANSWER, ((ANSWER_PATH, _unescaped(parts(place["say"]))),))
    elif "tool" in place.value:
        given = place.get("with", {})
        texts = tuple((path, _unescaped(parts(given[path]))) for path in sorted(given.value))
        form = Form(place["tool"].text(), texts)
    operator = form.operator if form else "{}".join(parts(place["do"]))
    return Step(
        id=place["id"].text(),
        operator=operator,
        sources=tuple(used),
        guards=_read_guards(place, sources),
        again=bool(place.get("again", False).value),
        commit=bool(place.get("commit", False).value),
        box=_read_box(place, used, sources),
        form=form,
    )


def _unescaped(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(part.replace("{{", "{").replace("}}", "}") for part in parts)


def _read_box(place: _Place, used: Sequence[Source], sources: Mapping[str, Source]) -> Box:
    types: dict[Source, str] = {}
    for name, type_ in place.get("sizes", {}).value.items():
        if name not in sources or sources[name] not in used:
            path = (*place.path, "sizes", name)
            raise DanglingReferenceError(f"the step has no parameter {name!r}", path=path)
        types[sources[name]] = type_
    return Box(
        needs=place.get("needs").texts(),
        provided=place.get("provided").plain_conditions(),
        sizes=tuple(types.get(source, "") for source in used) if types else (),
    )


def _read_guards(place: _Place, sources: Mapping[str, Source]) -> tuple[Guard, ...]:
    items = list(place.get("when").items())
    rivals = place.get("rivals")
    if items and all(isinstance(item.value, str) for item in items):
        when = tuple(item.condition(sources) for item in items)
        return (Guard(when, rivals.plain_conditions()),)
    if rivals.value:
        raise SchemaError(
            "rivals of one of several alternatives stand beside it",
            path=rivals.path,
            hint="write - {all: […], rivals: […]}",
        )
    guards: list[Guard] = []
    for item in items:
        if isinstance(item.value, Mapping):
            every, others = item["all"], item.get("rivals").plain_conditions()
        else:
            every, others = item, ()
        guards.append(Guard(tuple(c.condition(sources) for c in every.items()), others))
    return tuple(guards)
