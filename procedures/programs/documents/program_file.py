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
from ..counts import uncounted
from ..notation import condition_text
from ..parameter_names import named_sources, parameter_names
from ..program import Program, Step, planning_program
from ..program_conditions import Field, OneOf, Term, Together
from ..sources import Arranged, Composed, Source
from .boxes import box_document
from .flows import Flow, flow_document, flows, read_flow
from .line_documents import mention_document, read_mention, read_template, template_document
from .node import Node
from .place_documents import places_document, read_places
from .planner_documents import planner_document, read_planner
from .references import check_references
from .source_documents import read_sources, source_document
from .step_documents import read_steps, step_document
from .tool_documents import read_tools, tools_document

__all__ = ["DEFAULT_STATUS", "REASON", "ProgramFile", "program_document", "program_from_document"]

DEFAULT_STATUS = "active"
REASON = "reason"
"""What says in the provenance of a draft why its proof does not allow to use it."""


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
        mentions: How names are read in running text.
        begins: What the first observation begins with, in the world that it is for; empty where
            its wordings say enough.
        tools: How the tools are used that it calls; None where it acts in words.
        accepted: The calls that a person accepted.
        demonstrations: How many it was learned from; says nothing of what is done.
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
    demonstrations: int = field(default=0, compare=False)

    @property
    def ref(self) -> str:
        """``id@version``."""
        return f"{self.id}@{self.version}"

    @property
    def goal(self) -> str:
        """The most frequent wording of the task; empty where there is none."""
        return self.wordings[0].text if self.wordings else ""

    @property
    def purpose(self) -> str:
        """What it is for, as people read it: its goal, or the goals for which it plans."""
        planner = self.program.planner
        if planner is None:
            return self.goal
        goals = [goal.wordings[0] for goal in planner.goals]
        kinds = "1 kind" if len(goals) == 1 else f"{len(goals)} kinds"
        return f"plans for {kinds} of tasks: {' | '.join(goals)}"

    @property
    def runs(self) -> int:
        """In how many demonstrations it was shown."""
        return max((self.demonstrations, *(step.box.runs for step in self.program.steps)))

    def all_names(self) -> dict[Source, str]:
        """Return a name for each source, in order of first use."""
        return parameter_names(self.program, self.lines, self.wordings, self.names)

    def does_the_same(self, other: ProgramFile) -> bool:
        """Whether another program decides the same: its names and the order of lines are free.

        How often something was seen somewhere says only where to look first.
        """
        mine, theirs = (
            (uncounted(each.program), each._read(), each.tools) for each in (self, other)
        )
        return mine == theirs

    def seen_more(self, before: ProgramFile) -> bool:
        """Whether it rests on so many more sightings that its order of search is a new one."""
        places, known = self.program.places, before.program.places
        return places is not None and known is not None and places.sightings.grown(known.sightings)

    def unaccepted(self) -> list[str]:
        """Return the steps with calls that no person accepted where they are made now."""
        return [
            step
            for step, flow in flows(self.program).items()
            if not any(each.covers(flow) for each in self.accepted)
        ]

    def as_accepted(self) -> ProgramFile:
        """Return it as a person accepts it: it acts, and its calls may change something."""
        calls = sorted(set(flows(self.program).values()), key=lambda each: (each.call, each.when))
        return replace(self, status=DEFAULT_STATUS, accepted=tuple(calls))

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
        """Whether a wording says nothing itself, so that any task is one."""
        return any(wording.weight == 0 for wording in self.wordings)

    def reads(self, task: str, observation: str | None = None) -> bool:
        """Whether a task is in one of the wordings, and the world is the one that it is for."""
        return self.exactness(task, observation) >= 0

    def exactness(self, task: str, observation: str | None = None) -> int:
        """Return how much of a task a wording says itself, in characters; -1 if none reads it.

        Args:
            task: What is asked.
            observation: The first one; in another world than its own the program reads nothing.
                None where it is not at hand.
        """
        if observation is not None and not begins_with(observation, self.begins):
            return -1
        if not self.program.reads(task):
            return -1
        line = task.replace("\n", " ")
        exact = max((w.weight for w in self.wordings if w.read(line) is not None), default=-1)
        if exact < 0 and self.program.planner is not None and self._is_at_home(observation):
            return 0  # in words that are near
        return exact

    def _is_at_home(self, observation: str | None) -> bool:
        """Whether a line that it knows stands in the first observation.

        Words that are near say too little: those of another world's tasks are near, too.
        """
        if observation is None or not self.lines:
            return True
        own = {line.text for line in self.lines}
        return any(fact.kind in own for fact in self.readers()[0].read(observation))

    def legibility(self, observation: str) -> tuple[int, int]:
        """Return how well it reads an observation, the greater the better.

        Returns:
            Minus the number of parts that it cannot read, and how many characters the forms say
            that it reads the others by: the more a form says itself, the less it fits by chance.
        """
        kinds = [fact.kind for fact in self.readers()[0].read(observation)]
        said = (word for kind in {*kinds} - {UNREAD} for word in pieces(kind)[0])
        return -kinds.count(UNREAD), sum(map(len, said))

    def begin(self, task: str, observation: str) -> History:
        """Start a history; :meth:`readers` are worth keeping where many are started."""
        return self.program.begin(beginning(*self.readers(), task, observation))


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
        "accepted": [flow_document(each) for each in file.accepted],
        "description": file.description,
        "goal": template_document(file.wordings[0]) if file.wordings else None,
        "wordings": []
        if program.planner  # its goals say them
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
    kept = {"goal"} if file.wordings else set()
    kept |= set() if program.planner else {"steps"}
    return {key: value for key, value in document.items() if value or key in kept}


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
    )


def _wordings(document: Node) -> Iterator[Node]:
    if "goal" in document.value:
        yield document["goal"]
    yield from document.get("wordings").items()


def _read_orders(document: Node, steps: Sequence[Step]) -> tuple[tuple[str, ...], ...]:
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
    used = set(named_sources(program))
    for name, source in sources.items():
        if source not in used:
            raise DanglingReferenceError(
                f"the parameter {name!r} is used nowhere", path=("parameters", name)
            )
