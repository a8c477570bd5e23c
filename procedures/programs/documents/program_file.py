"""A whole program of a library, and its document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ...arrangements.arrangement_document import arrangement_document, arrangement_from_document
from ...common.errors import DanglingReferenceError, SchemaError
from ...compositions.composition_document import composition_document, composition_from_document
from ...episodes.beginnings import begins_with
from ...episodes.facts import UNREAD, Reader
from ...episodes.history import History, beginning
from ...episodes.mentions import Mention
from ...episodes.templates import Template, pieces
from ..call_forms import ToolUse
from ..notation import condition_text
from ..parameter_names import named_sources, parameter_names
from ..planning.sightings import Sightings
from ..program import Program, ProgramStep, planning_program
from ..program_conditions import Field, OneOf, Term, Together
from ..sources import Arranged, Composed, Source
from .boxes import box_document
from .flows import Flow, flow_document, flows, limits_mark, read_flow
from .line_documents import mention_document, read_mention, read_template, template_document
from .node import Node, filled
from .place_documents import places_document, read_places
from .planner_documents import planner_document, read_planner
from .references import check_references
from .source_documents import read_sources, source_document
from .step_documents import read_steps, step_document
from .tool_documents import read_tools, tools_document

DEFAULT_STATUS = "active"
REASON = "reason"
"""Key of a draft's provenance: why its proof does not allow to use it."""


@dataclass(frozen=True, slots=True)
class ProgramFile:
    """A program of a library, and how it reads tasks and results.

    Attributes:
        id: Name in the library, and of its file.
        program: The steps and their sources.
        lines: Templates of results.
        wordings: Templates of the task, the most frequent first.
        version: Number of the version; it counts changes of decisions.
        status: ``draft``, ``active`` or ``retired``.
        description: Free text of a person.
        provenance: Origin of this version, as free texts.
        locked: Whether no automatic change may touch it.
        names: Source → its name in the file; other sources get names when the file is written.
        mentions: Readers of names in running text.
        begins: Beginning of the first observation in its world; empty where the wordings are
            enough.
        tools: Use of the tools that it calls; None where it acts in words.
        accepted: The calls that a person accepted.
        accepted_limits: Mark of the limits within which they are made; empty where an earlier
            macla wrote none.
        demonstrations: Number of demonstrations that it was learned from; no part of decisions.
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
    begins: str = ""
    tools: ToolUse | None = None
    accepted: tuple[Flow, ...] = ()
    accepted_limits: str = ""
    demonstrations: int = field(default=0, compare=False)

    @property
    def ref(self) -> str:
        """``id@version``."""
        return f"{self.id}@{self.version}"

    def as_draft(self, reason: str) -> ProgramFile:
        """Return the program as a draft, with the reason why it is not used."""
        return replace(self, status="draft", provenance={**self.provenance, REASON: reason})

    @property
    def goal(self) -> str:
        """The most frequent wording of the task; empty where there is none."""
        return self.wordings[0].text if self.wordings else ""

    @property
    def purpose(self) -> str:
        """Purpose for people: its goal, or the goals for which it plans."""
        planner = self.program.planner
        if planner is None:
            return self.goal
        goals = [goal.wordings[0] for goal in planner.goals]
        kinds = "1 kind" if len(goals) == 1 else f"{len(goals)} kinds"
        return f"plans for {kinds} of tasks: {' | '.join(goals)}"

    @property
    def runs(self) -> int:
        """Number of demonstrations of the program."""
        return max((self.demonstrations, *(step.box.runs for step in self.program.steps)))

    def all_names(self) -> dict[Source, str]:
        """Return a name for each source, in order of first use."""
        return parameter_names(self.program, self.lines, self.wordings, self.names)

    def does_the_same(self, other: ProgramFile) -> bool:
        """Whether another program makes the same decisions. Names and the order of lines are free.

        Counts of sightings only order a search, so that they may differ.
        """
        own_decisions, other_decisions = (
            (_uncounted(each.program), each._read(), each.tools) for each in (self, other)
        )
        return own_decisions == other_decisions

    def seen_more(self, before: ProgramFile) -> bool:
        """Whether it has so many more sightings that its order of search is a new one."""
        places, places_before = self.program.places, before.program.places
        return (
            places is not None
            and places_before is not None
            and places.sightings.grown(places_before.sightings)
        )

    def unaccepted(self) -> list[str]:
        """Return the steps whose calls no person accepted with their present guards and limits."""
        accepted = () if self.has_other_limits() else self.accepted
        return [
            step
            for step, flow in flows(self.program).items()
            if not any(each.covers(flow) for each in accepted)
        ]

    def has_other_limits(self) -> bool:
        """Whether the limits of accepted calls were changed by hand since."""
        return bool(self.accepted and self.accepted_limits) and (
            self.accepted_limits != self._limits()
        )

    def as_accepted(self) -> ProgramFile:
        """Return the file as a person accepts it: active, with all calls accepted."""
        calls = sorted(set(flows(self.program).values()), key=lambda each: (each.call, each.when))
        return replace(
            self, status=DEFAULT_STATUS, accepted=tuple(calls), accepted_limits=self._limits()
        )

    def with_acceptance_of(self, before: ProgramFile) -> ProgramFile:
        """Return the file with what a person accepted of the one before, whatever it learned since.

        Limits that runs have moved are those that were accepted; limits that a hand moved are not.
        """
        if not before.accepted:
            return replace(self, accepted=(), accepted_limits="")
        limits = before.accepted_limits if before.has_other_limits() else self._limits()
        return replace(self, accepted=before.accepted, accepted_limits=limits)

    def _limits(self) -> str:
        names = {source: f"p{number}" for number, source in enumerate(named_sources(self.program))}
        return limits_mark(program_document(replace(self, names=names)))

    def _read(self) -> tuple[Any, ...]:
        return *(reader.templates for reader in self.readers()), self.mentions, self.begins

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

    @property
    def reads_anything(self) -> bool:
        """Whether a wording has no fixed text, so that it reads any task."""
        return any(wording.weight == 0 for wording in self.wordings)

    def reads(self, task: str, observation: str | None = None) -> bool:
        """Whether a wording reads a task, and the observation is of the program's world."""
        return self.exactness(task, observation) >= 0

    def exactness(self, task: str, observation: str | None = None) -> int:
        """Return the fixed characters of the wording that reads a task; -1 if none reads it.

        Args:
            task: The task.
            observation: The first observation; None if unknown. In another world the program reads
                nothing.
        """
        if observation is not None and not begins_with(observation, self.begins):
            return -1
        if not self.program.reads(task):
            return -1
        line = task.replace("\n", " ")
        return max((w.weight for w in self.wordings if w.read(line) is not None), default=-1)

    def legibility(self, observation: str) -> tuple[int, int]:
        """Return a rank of how well it reads an observation; greater is better.

        Returns:
            Minus the number of unread parts, and the fixed characters of the templates of the
            others: a template with more fixed text fits less by chance.
        """
        kinds = [fact.kind for fact in self.readers()[0].read(observation)]
        fixed_words = (word for kind in {*kinds} - {UNREAD} for word in pieces(kind)[0])
        return -kinds.count(UNREAD), sum(map(len, fixed_words))

    def begin(self, task: str, observation: str) -> History:
        """Return a new history. Callers with many histories should keep :meth:`readers`."""
        return self.program.begin(beginning(*self.readers(), task, observation))


def _uncounted(program: Program) -> Program:
    """Return a program without its counts of things seen."""
    places, planner = program.places, program.planner
    if places is None or planner is None:
        return program
    operators = tuple(
        replace(
            operator,
            parameters=tuple(
                replace(each, kinds=dict.fromkeys(sorted(each.kinds), 1))
                for each in operator.parameters
            ),
        )
        for operator in planner.operators
    )
    return replace(
        program,
        places=replace(places, sightings=Sightings()),
        planner=replace(planner, operators=operators),
    )


@lru_cache(256)
def _readers(
    lines: tuple[Template, ...], wordings: tuple[Template, ...], mentions: tuple[Mention, ...]
) -> tuple[Reader, Reader]:
    """Return the readers, cached, as they remember what they have read."""
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
        "accepted": [flow_document(each) for each in file.accepted],
        "accepted_limits": file.accepted_limits,
        "description": file.description,
        "goal": template_document(file.wordings[0]) if file.wordings else None,
        "wordings": []
        if program.planner  # its goals hold them
        else [template_document(each) for each in file.wordings[1:]],
        "lines": [template_document(each) for each in file.lines],
        "names": [mention_document(each) for each in file.mentions],
        "begins": file.begins,
        "demonstrations": file.demonstrations,
        "known": [
            *(condition_text(OneOf(term, tuple(v))) for term, v in program.few.items()),
            *map(condition_text, program.together),
        ],
        "any_order": [list(group) for group in program.any_order],
        "places": places_document(program.places) if program.places else None,
        **(planner_document(program.planner) if program.planner else {}),
        "arrangement": next(
            (arrangement_document(s.arrangement) for s in names if isinstance(s, Arranged)), None
        ),
        "composition": next(
            (composition_document(s.composition) for s in names if isinstance(s, Composed)), None
        ),
        **tools_document(file.tools or ToolUse(), program.steps),
        "parameters": {name: source_document(source, names) for source, name in names.items()},
        "steps": [step_document(step, names) for step in program.steps if not program.planner],
        "boxes": {
            step.id: box_document(step.box, (each.text for each in file.wordings))
            for step in program.steps
            if step.box.runs
        },
        "provenance": dict(file.provenance),
        "locked": file.locked,
    }
    required_keys = {"goal"} if file.wordings else set()
    required_keys |= set() if program.planner else {"steps"}
    return filled(document, required_keys)


# ---------------------------------------------------------------------------- reading
def program_from_document(document: Mapping[str, Any]) -> ProgramFile:
    """Read a program from plain data.

    Raises:
        SchemaError: The document has not the shape of one; the path says where.
        ConditionError: A condition does not parse; carries text, column and path.
        DanglingReferenceError: It names a parameter or step that is not there.
    """
    try:
        return _read_program(Node(document))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        reason = f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
        raise SchemaError(f"not a program: {reason}") from None


def _read_program(document: Node) -> ProgramFile:
    described = document.value.get("arrangement")
    arrangement = arrangement_from_document(described) if described else None
    composed = document.value.get("composition")
    composition = composition_from_document(composed) if composed else None
    sources = read_sources(document.get("parameters", {}), arrangement, composition)
    wordings = tuple(read_template(each) for each in _wordings(document))
    if "goal" in document.value and not wordings[0].text.strip():
        problem, hint = "is empty", "write how the task is asked, such as 'Greet {1}.'"
        raise SchemaError(problem, path=("goal",), hint=hint)
    lines = tuple(read_template(item) for item in document.get("lines").items())
    mentions = tuple(read_mention(item) for item in document.get("names").items())
    few, together = _read_known(document.get("known"))
    if "goals" in document.value:
        planner = read_planner(document)
        places = read_places(document["places"])
        check_references(document, planner, places, lines, mentions)
        wordings = planner.wordings
        program = planning_program(planner, places)
    else:
        steps = read_steps(document, sources, [wording.text for wording in wordings])
        program = Program(steps, few, together, _read_orders(document, steps))
    _check_used(sources, program)
    tools = any(step.form for step in program.steps)
    return ProgramFile(
        id=document["id"].text(),
        program=program,
        lines=lines,
        wordings=wordings,
        version=document.get("version", 1).value,
        status=document.get("status", DEFAULT_STATUS).text(),
        description=document.get("description", "").text(),
        provenance=dict(document.get("provenance", {}).value),
        locked=document.flag("locked"),
        names={source: name for name, source in sources.items()},
        mentions=mentions,
        begins=document.get("begins", "").text(),
        demonstrations=document.get("demonstrations", 0).value,
        tools=read_tools(document, program.steps) if tools else None,
        accepted=tuple(map(read_flow, document.get("accepted").items())),
        accepted_limits=document.get("accepted_limits", "").text(),
    )


def _wordings(document: Node) -> Iterator[Node]:
    if "goal" in document.value:
        yield document["goal"]
    yield from document.get("wordings").items()


def _read_orders(document: Node, steps: Sequence[ProgramStep]) -> tuple[tuple[str, ...], ...]:
    """Read groups of steps.

    Raises:
        DanglingReferenceError: One names a step that is not there.
    """
    ids = {step.id for step in steps}
    groups = [(item, item.texts()) for item in document.get("any_order").items()]
    for node, group in groups:
        if unknown := sorted(set(group) - ids):
            raise DanglingReferenceError(f"there is no step {unknown[0]!r}", path=node.path)
    return tuple(group for _, group in groups)


def _read_known(node: Node) -> tuple[dict[Term, tuple[str, ...]], tuple[Together, ...]]:
    """Read the values, and the pairs of values, that were shown."""
    few: dict[Term, tuple[str, ...]] = {}
    together: list[Together] = []
    for item in node.items():
        match item.condition():
            case Together() as pairs:
                together.append(pairs)
            case OneOf(term, values) if not isinstance(term, Field):
                few[term] = values
            case _:
                problem = 'should be told("…", …) in […], or task(…) in […]'
                raise SchemaError(problem, path=item.path)
    return few, tuple(together)


def _check_used(sources: Mapping[str, Source], program: Program) -> None:
    used_sources = set(named_sources(program))
    for name, source in sources.items():
        if source not in used_sources:
            raise DanglingReferenceError(
                f"the parameter {name!r} is used nowhere", path=("parameters", name)
            )
