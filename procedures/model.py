"""What is known, as immutable values: procedures, meta-procedures, the ontology, the settings.

Every class reads a plain document (``from_document``, which expects one that fits its
schema) and writes one with a fixed order of keys and without defaults
(``to_document``). Conditions are parsed once, on reading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from .condition_patterns import Pattern
from .conditions import AnyOf, Condition, Observed
from .model_documents import condition, conditions, frozen, number, reading, thaw
from .model_ontology import Cluster, Entities, Instruction, LibrarySettings, Ontology, Operator

__all__ = [
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


@dataclass(frozen=True, slots=True)
class Parameter:
    """One slot of a procedure or meta-procedure, and where its value comes from.

    Attributes:
        source: given, search, place, choice, constant, task, text or entity.
        kinds: Kinds of entity that fit, most promising first.
        via: For ``search``: the parameter whose candidates are searched.
        value: For ``constant``: the value.
        of: For ``entity``: the parameter that holds the words for the entity.
        description: For people.
    """

    source: str
    kinds: tuple[str, ...] = ()
    via: str | None = None
    value: str | None = None
    of: str | None = None
    description: str = ""

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Parameter:
        """Read a parameter."""
        with reading("parameter"):
            return cls(
                source=document["source"],
                kinds=tuple(document.get("kinds", ())),
                via=document.get("via"),
                value=document.get("value"),
                of=document.get("of"),
                description=document.get("description", ""),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the parameter."""
        document: dict[str, Any] = {"source": self.source}
        if self.of is not None:
            document["of"] = self.of
        if self.via is not None:
            document["via"] = self.via
        if self.kinds:
            document["kinds"] = list(self.kinds)
        if self.value is not None:
            document["value"] = self.value
        if self.description:
            document["description"] = self.description
        return document


@dataclass(frozen=True, slots=True)
class Step:
    """A text action (``do``) or a tool call (``tool``, ``args``) with its guards.

    Attributes:
        do: Template of the action.
        tool: Name of the tool.
        args: The tool's arguments; texts in it are templates.
        when: Run the step only if this holds.
        unless: Skip the step if this holds.
        expect: Patterns; one of them in the answer means that the step worked.
    """

    do: str | None = None
    tool: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict, hash=False)
    when: Condition | None = None
    unless: Condition | None = None
    expect: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self, "args")

    @property
    def expected(self) -> Condition | None:
        """What the answer should show, as one condition, or None where nothing is expected."""
        return _expected(self.expect)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Step:
        """Read a step; a single expectation may stand without a list."""
        with reading("step"):
            expect = document.get("expect", ())
            return cls(
                do=document.get("do"),
                tool=document.get("tool"),
                args=document.get("args", {}),
                when=condition(document, "when"),
                unless=condition(document, "unless"),
                expect=(expect,) if isinstance(expect, str) else tuple(expect),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the step."""
        document: dict[str, Any] = {}
        if self.do is not None:
            document["do"] = self.do
        if self.tool is not None:
            document["tool"] = self.tool
        if self.args:
            document["args"] = thaw(self.args)
        if self.when is not None:
            document["when"] = self.when.to_yaml()
        if self.unless is not None:
            document["unless"] = self.unless.to_yaml()
        if self.expect:
            document["expect"] = list(self.expect)
        return document


@lru_cache(maxsize=4_096)
def _expected(patterns: tuple[str, ...]) -> Condition | None:
    parts = tuple(Observed(Pattern.parse(pattern)) for pattern in patterns)
    if len(parts) < 2:
        return parts[0] if parts else None
    return AnyOf(parts)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A snapshot of the evidence when a version was made: a Beta(alpha, beta) posterior."""

    alpha: float
    beta: float
    as_of: str = ""

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Evidence:
        """Read a snapshot."""
        with reading("snapshot of evidence"):
            return cls(float(document["alpha"]), float(document["beta"]), document.get("as_of", ""))

    def to_document(self) -> dict[str, Any]:
        """Write the snapshot."""
        document: dict[str, Any] = {"alpha": number(self.alpha), "beta": number(self.beta)}
        if self.as_of:
            document["as_of"] = self.as_of
        return document


def _parameters(document: Mapping[str, Any]) -> Mapping[str, Parameter]:
    result: dict[str, Parameter] = {}
    for name, entry in document.get("parameters", {}).items():
        with reading("parameter", "parameters", name):
            result[name] = Parameter.from_document(entry)
    return result


def _evidence(document: Mapping[str, Any]) -> Evidence | None:
    if "evidence" not in document:
        return None
    return Evidence.from_document(document["evidence"])


def _locked(document: Mapping[str, Any]) -> bool | tuple[str, ...]:
    locked = document.get("locked", False)
    return locked if isinstance(locked, bool) else tuple(locked)


def _printed(items: tuple[Condition, ...]) -> list[str | bool]:
    return [item.to_yaml() for item in items]


@dataclass(frozen=True, slots=True)
class Procedure:
    """A procedure: goal, preconditions, steps, postconditions.

    Attributes:
        id: Its slug, which is also its file's name.
        version: From 1; changes whenever behaviour does.
        goal: Template of what it achieves.
        steps: What to do, in order.
        parameters: Slot by name.
        preconditions: All must not be false for it to start.
        postconditions: All hold when it worked.
        status: draft, provisional, trusted or retired.
        evidence: Snapshot taken when the version was made.
        provenance: Where it comes from; free texts.
        locked: What no automatic change may touch: all of it, or these keys.
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
            SchemaError: The document has not the shape of one.
        """
        with reading("procedure"):
            steps: list[Step] = []
            for index, entry in enumerate(document["steps"]):
                with reading("step", "steps", index):
                    steps.append(Step.from_document(entry))
            return cls(
                id=document["id"],
                version=document["version"],
                goal=document["goal"],
                steps=tuple(steps),
                parameters=_parameters(document),
                preconditions=conditions(document, "preconditions"),
                postconditions=conditions(document, "postconditions"),
                status=document.get("status", DEFAULT_STATUS),
                evidence=_evidence(document),
                provenance=document.get("provenance", {}),
                locked=_locked(document),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the procedure; keys stand in a fixed order."""
        document: dict[str, Any] = {"kind": "procedure", "id": self.id, "version": self.version}
        if self.status != DEFAULT_STATUS:
            document["status"] = self.status
        document["goal"] = self.goal
        if self.parameters:
            document["parameters"] = _written(self.parameters)
        if self.preconditions:
            document["preconditions"] = _printed(self.preconditions)
        document["steps"] = [step.to_document() for step in self.steps]
        if self.postconditions:
            document["postconditions"] = _printed(self.postconditions)
        _add_history(document, self.evidence, self.provenance, self.locked)
        return document


def _written(parameters: Mapping[str, Parameter]) -> dict[str, Any]:
    return {name: parameter.to_document() for name, parameter in parameters.items()}


def _add_history(
    document: dict[str, Any],
    evidence: Evidence | None,
    provenance: Mapping[str, str],
    locked: bool | tuple[str, ...],
) -> None:
    if evidence is not None:
        document["evidence"] = evidence.to_document()
    if provenance:
        document["provenance"] = dict(provenance)
    if locked:
        document["locked"] = locked if isinstance(locked, bool) else list(locked)


@dataclass(frozen=True, slots=True)
class Place:
    """One place of a plan: a sub-procedure to run, or instructions to follow.

    Attributes:
        run: Id of the sub-procedure.
        version: Its version.
        with_: The sub-procedure's parameter → the meta-procedure's.
        prefer: Soft conditions on candidate bindings, most important first.
        follow: Instead of ``run``: ``task``, or the operator whose instructions to follow.
        proceed: Θ's ``continue``: go on to the next place.
        skip: Θ: pass over this place.
        repeat: Θ: run this place again, with the next candidate binding.
        abort: Θ: give the whole plan up.
    """

    run: str | None = None
    version: int | None = None
    with_: Mapping[str, str] = field(default_factory=dict, hash=False)
    prefer: tuple[Condition, ...] = ()
    follow: str | None = None
    proceed: Condition | None = None
    skip: Condition | None = None
    repeat: Condition | None = None
    abort: Condition | None = None

    def __post_init__(self) -> None:
        frozen(self, "with_")

    @property
    def ref(self) -> str | None:
        """``id@version`` of the sub-procedure, or None where instructions are followed."""
        return None if self.run is None else f"{self.run}@{self.version}"

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Place:
        """Read a place."""
        with reading("place of a plan"):
            run, version = None, None
            if "run" in document:
                run, _, digits = document["run"].rpartition("@")
                version = int(digits)
            return cls(
                run=run,
                version=version,
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
            document["run"] = self.ref
        if self.follow is not None:
            document["follow"] = self.follow
        if self.with_:
            document["with"] = dict(self.with_)
        if self.prefer:
            document["prefer"] = _printed(self.prefer)
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

    def __post_init__(self) -> None:
        frozen(self, "parameters", "provenance")

    def __reduce__(self) -> tuple[Any, ...]:
        return MetaProcedure.from_document, (self.to_document(),)

    @property
    def ref(self) -> str:
        """``id@version``."""
        return f"{self.id}@{self.version}"

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> MetaProcedure:
        """Read a meta-procedure.

        Raises:
            ConditionError: A condition does not parse; carries its path.
            SchemaError: The document has not the shape of one.
        """
        with reading("meta-procedure"):
            plan: list[Place] = []
            for index, entry in enumerate(document["plan"]):
                with reading("place of a plan", "plan", index):
                    plan.append(Place.from_document(entry))
            return cls(
                id=document["id"],
                version=document["version"],
                goal=document["goal"],
                plan=tuple(plan),
                parameters=_parameters(document),
                preconditions=conditions(document, "preconditions"),
                distinct=tuple(document.get("distinct", ())),
                postconditions=conditions(document, "postconditions"),
                status=document.get("status", DEFAULT_STATUS),
                evidence=_evidence(document),
                provenance=document.get("provenance", {}),
                locked=_locked(document),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the meta-procedure; keys stand in a fixed order."""
        document: dict[str, Any] = {"kind": "meta", "id": self.id, "version": self.version}
        if self.status != DEFAULT_STATUS:
            document["status"] = self.status
        document["goal"] = self.goal
        if self.parameters:
            document["parameters"] = _written(self.parameters)
        if self.preconditions:
            document["preconditions"] = _printed(self.preconditions)
        document["plan"] = [place.to_document() for place in self.plan]
        if self.distinct:
            document["distinct"] = list(self.distinct)
        if self.postconditions:
            document["postconditions"] = _printed(self.postconditions)
        _add_history(document, self.evidence, self.provenance, self.locked)
        return document
