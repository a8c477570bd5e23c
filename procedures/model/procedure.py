"""Procedures and meta-procedures as immutable values, and the ontology's classes.

Every class reads a plain document (``from_document``, which expects one that fits its
schema) and writes one with a fixed order of keys and without defaults
(``to_document``). Conditions are parsed once, on reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..conditions.language import Condition
from ..documents.plain_data import condition, conditions, frozen, reading
from .ontology import Cluster, Entities, Instruction, LibrarySettings, Ontology, Operator
from .procedure_parts import Evidence, Parameter, Shown, Step

__all__ = [
    "DEFAULT_STATUS",
    "Cluster",
    "Entities",
    "Evidence",
    "Instruction",
    "LibrarySettings",
    "MetaProcedure",
    "Ontology",
    "Operator",
    "Parameter",
    "Place",
    "Procedure",
    "Step",
]

DEFAULT_STATUS = "provisional"


def _parameters(document: Mapping[str, Any]) -> Mapping[str, Parameter]:
    result: dict[str, Parameter] = {}
    for name, entry in document.get("parameters", {}).items():
        with reading("parameter", "parameters", name):
            result[name] = Parameter.from_document(entry)
    return result


def _shared_fields(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that procedures and plans have in common."""
    locked = document.get("locked", False)
    return {
        "id": document["id"],
        "version": document["version"],
        "goal": document["goal"],
        "parameters": _parameters(document),
        "preconditions": conditions(document, "preconditions"),
        "postconditions": conditions(document, "postconditions"),
        "status": document.get("status", DEFAULT_STATUS),
        "evidence": Evidence.from_document(document["evidence"])
        if "evidence" in document
        else None,
        "provenance": document.get("provenance", {}),
        "locked": locked if isinstance(locked, bool) else tuple(locked),
        "world": document.get("world", ""),
    }


def _condition_texts(items: tuple[Condition, ...]) -> list[str | bool]:
    return [item.to_yaml() for item in items]


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure: goal, preconditions, steps, postconditions.

    Attributes:
        id: Its slug, which is also its file's name.
        version: From 1; changes whenever behaviour does.
        goal: Template of what it achieves.
        steps: Steps, in order.
        parameters: Parameters by name.
        preconditions: Conditions of which none may be false for it to start.
        postconditions: Conditions that all hold when it worked.
        status: draft, provisional, trusted or retired.
        evidence: Snapshot taken when the version was made.
        provenance: Its origin; free texts.
        locked: Whether no automatic change may touch it, or which keys.
        wordings: Other templates of tasks with this goal.
        shown: Values of demonstrations in places that may decide; evidence, not behaviour.
        world: Name of its world in the ontology; "" is the first.
    """

    id: str
    version: int
    goal: str
    steps: tuple[Step, ...]
    parameters: Mapping[str, Parameter] = field(default_factory=dict, hash=False)
    preconditions: tuple[Condition, ...] = ()
    postconditions: tuple[Condition, ...] = ()
    status: str = DEFAULT_STATUS
    evidence: Evidence | None = None
    provenance: Mapping[str, str] = field(default_factory=dict, hash=False)
    locked: bool | tuple[str, ...] = False
    wordings: tuple[str, ...] = ()
    shown: tuple[Shown, ...] = ()
    world: str = ""

    def __post_init__(self) -> None:
        frozen(self, "parameters", "provenance")

    def __reduce__(self) -> tuple[Any, ...]:
        return Procedure.from_document, (self.to_document(),)

    @property
    def ref(self) -> str:
        """``id@version``."""
        return f"{self.id}@{self.version}"

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Procedure:
        """Read a procedure.

        Raises:
            ConditionError: A condition does not parse; carries its path.
            SchemaError: The document is no procedure.
        """
        with reading("procedure"):
            steps: list[Step] = []
            for index, entry in enumerate(document["steps"]):
                with reading("step", "steps", index):
                    steps.append(Step.from_document(entry))
            return cls(
                **_shared_fields(document),
                steps=tuple(steps),
                wordings=tuple(document.get("wordings", ())),
                shown=tuple(map(Shown.from_document, document.get("shown", ()))),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the procedure; keys stand in a fixed order."""
        document = _head("procedure", self)
        if self.wordings:
            document["wordings"] = list(self.wordings)
        _add_parameters(document, self.parameters)
        if self.preconditions:
            document["preconditions"] = _condition_texts(self.preconditions)
        document["steps"] = [step.to_document() for step in self.steps]
        if self.postconditions:
            document["postconditions"] = _condition_texts(self.postconditions)
        if self.shown:
            document["shown"] = [each.to_document() for each in self.shown]
        _add_history(document, self)
        return document


def _head(kind: str, item: Procedure | MetaProcedure) -> dict[str, Any]:
    document: dict[str, Any] = {"kind": kind, "id": item.id, "version": item.version}
    if item.status != DEFAULT_STATUS:
        document["status"] = item.status
    if item.world:
        document["world"] = item.world
    document["goal"] = item.goal
    return document


def _add_parameters(document: dict[str, Any], parameters: Mapping[str, Parameter]) -> None:
    if parameters:
        document["parameters"] = {name: each.to_document() for name, each in parameters.items()}


def _add_history(document: dict[str, Any], item: Procedure | MetaProcedure) -> None:
    if item.evidence is not None:
        document["evidence"] = item.evidence.to_document()
    if item.provenance:
        document["provenance"] = dict(item.provenance)
    if item.locked:
        document["locked"] = item.locked if isinstance(item.locked, bool) else list(item.locked)


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a plan: a sub-procedure to run, or instructions to follow.

    Attributes:
        run: Id of the sub-procedure; the library's version of it runs.
        with_: The sub-procedure's parameter → the meta-procedure's.
        prefer: Soft conditions on candidate bindings, most important first.
        follow: Instead of ``run``: ``task``, or the operator whose instructions to follow.
        proceed: Θ's ``continue``: go on to the next place.
        skip: Θ: pass over this place.
        repeat: Θ: run this place again, with the next candidate binding.
        abort: Θ: give the whole plan up.
    """

    run: str | None = None
    with_: Mapping[str, str] = field(default_factory=dict, hash=False)
    prefer: tuple[Condition, ...] = ()
    follow: str | None = None
    proceed: Condition | None = None
    skip: Condition | None = None
    repeat: Condition | None = None
    abort: Condition | None = None

    def __post_init__(self) -> None:
        frozen(self, "with_")

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Place:
        """Read a place; a version after the id, as earlier plans have it, is ignored."""
        with reading("place of a plan"):
            return cls(
                run=document["run"].partition("@")[0] if "run" in document else None,
                with_=document.get("with", {}),
                prefer=conditions(document, "prefer"),
                follow=document.get("follow"),
                proceed=condition(document, "continue"),
                skip=condition(document, "skip"),
                repeat=condition(document, "repeat"),
                abort=condition(document, "abort"),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the place."""
        document: dict[str, Any] = {}
        if self.run is not None:
            document["run"] = self.run
        if self.follow is not None:
            document["follow"] = self.follow
        if self.with_:
            document["with"] = dict(self.with_)
        if self.prefer:
            document["prefer"] = _condition_texts(self.prefer)
        for key, decision in (
            ("continue", self.proceed),
            ("skip", self.skip),
            ("repeat", self.repeat),
            ("abort", self.abort),
        ):
            if decision is not None:
                document[key] = decision.to_yaml()
        return document


@dataclass(frozen=True, slots=True)
class MetaProcedure:
    """A meta-procedure: a goal and a plan of procedures with bindings and control.

    Attributes as for :class:`Procedure`, and:

    Attributes:
        plan: The places, in order.
        distinct: Parameters that must be bound to different entities.
    """

    id: str
    version: int
    goal: str
    plan: tuple[Place, ...]
    parameters: Mapping[str, Parameter] = field(default_factory=dict, hash=False)
    preconditions: tuple[Condition, ...] = ()
    distinct: tuple[str, ...] = ()
    postconditions: tuple[Condition, ...] = ()
    status: str = DEFAULT_STATUS
    evidence: Evidence | None = None
    provenance: Mapping[str, str] = field(default_factory=dict, hash=False)
    locked: bool | tuple[str, ...] = False
    world: str = ""

    def __post_init__(self) -> None:
        frozen(self, "parameters", "provenance")

    def __reduce__(self) -> tuple[Any, ...]:
        return MetaProcedure.from_document, (self.to_document(),)

    @property
    def ref(self) -> str:
        """``id@version``."""
        return f"{self.id}@{self.version}"

    @property
    def follows_task(self) -> bool:
        """Whether some place of the plan follows the task's instructions."""
        return any(place.follow == "task" for place in self.plan)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> MetaProcedure:
        """Read a meta-procedure.

        Raises:
            ConditionError: A condition does not parse; carries its path.
            SchemaError: The document is no meta-procedure.
        """
        with reading("meta-procedure"):
            plan: list[Place] = []
            for index, entry in enumerate(document["plan"]):
                with reading("place of a plan", "plan", index):
                    plan.append(Place.from_document(entry))
            return cls(
                **_shared_fields(document),
                plan=tuple(plan),
                distinct=tuple(document.get("distinct", ())),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the meta-procedure; keys stand in a fixed order."""
        document = _head("meta", self)
        _add_parameters(document, self.parameters)
        if self.preconditions:
            document["preconditions"] = _condition_texts(self.preconditions)
        document["plan"] = [place.to_document() for place in self.plan]
        if self.distinct:
            document["distinct"] = list(self.distinct)
        if self.postconditions:
            document["postconditions"] = _condition_texts(self.postconditions)
        _add_history(document, self)
        return document
