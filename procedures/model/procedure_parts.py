"""Parts of procedures and meta-procedures: parameters, steps, snapshots of evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ..conditions.language import AnyOf, Condition, Observed
from ..conditions.text_patterns import Pattern
from ..documents.plain_data import condition, frozen, number, reading, thaw
from ..evidence.posterior import credible_interval, posterior_mean


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a procedure or meta-procedure, with the source of its value.

    Attributes:
        source: given, search, place, choice, constant, task, text, entity, told or result.
        kinds: Kinds of entities that fit; from a file they come in the order of their names.
        type: Name of the ontology's type that lists the kinds instead; see
            :mod:`.parameter_types`. After a look-up the kinds are in ``kinds``, too; no file has
            both.
        via: For ``search``: the parameter whose candidates are searched.
        value: For ``constant``: the value.
        of: For ``entity``: the parameter that holds the words for the entity.
        by: For ``told``: the procedure whose observation tells the entity.
        description: For people.
        step: For ``result``: the step whose result is read, from 1.
        path: For ``result``: JSON pointer into it, ``*`` for every element; None with a pattern.
        pattern: For ``result``: pattern of one of its lines, with ``{value}`` for the value.
    """

    source: str
    kinds: tuple[str, ...] = ()
    via: str | None = None
    value: str | None = None
    of: str | None = None
    by: str | None = None
    description: str = ""
    step: int | None = None
    path: str | None = None
    pattern: str | None = None
    type: str | None = None

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Parameter:
        """Read a parameter."""
        with reading("parameter"):
            return cls(
                source=document["source"],
                kinds=tuple(sorted(document.get("kinds", ()))),
                via=document.get("via"),
                value=document.get("value"),
                of=document.get("of"),
                by=document.get("by"),
                description=document.get("description", ""),
                step=document.get("step"),
                path=document.get("path"),
                pattern=document.get("pattern"),
                type=document.get("type"),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the parameter."""
        document: dict[str, Any] = {"source": self.source}
        if self.of is not None:
            document["of"] = self.of
        if self.by is not None:
            document["by"] = self.by
        if self.via is not None:
            document["via"] = self.via
        for key in ("step", "path", "pattern"):
            if getattr(self, key) is not None:
                document[key] = getattr(self, key)
        if self.type is not None:
            document["type"] = self.type
        elif self.kinds:
            document["kinds"] = sorted(self.kinds)
        if self.value is not None:
            document["value"] = self.value
        if self.description:
            document["description"] = self.description
        return document


@dataclass(frozen=True, slots=True)
class Shown:
    """The values that a place had in the demonstrations of a tool procedure.

    Attributes:
        values: One value per demonstration, in order; for a place in a list, the distinct ones.
            ``{name}`` is that parameter's value, ``#`` and eight digits a longer text.
        of: The parameter with these values; otherwise they are of a place in a result:
        step: The step whose result is read, from 1.
        path: As for a parameter; ``#`` at its end is the length of a list.
        pattern: As for a parameter.
    """

    values: tuple[str | int | float | bool | None, ...]
    of: str | None = None
    step: int | None = None
    path: str | None = None
    pattern: str | None = None

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Shown:
        """Read the entry."""
        with reading("shown"):
            return cls(
                values=tuple(document["values"]),
                of=document.get("of"),
                step=document.get("step"),
                path=document.get("path"),
                pattern=document.get("pattern"),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the entry."""
        places = {key: getattr(self, key) for key in ("of", "step", "path", "pattern")}
        present: dict[str, Any] = {key: each for key, each in places.items() if each is not None}
        return {**present, "values": list(self.values)}


@dataclass(frozen=True, slots=True)
class Step:
    """A text action (``do``) or a tool call (``tool``, ``args``) with its guards.

    Attributes:
        do: Template of the action.
        tool: Name of the tool.
        args: The tool's arguments; texts in it are templates.
        parallel: Whether the call is issued together with that of the step before.
        when: Run the step only if this holds.
        unless: Skip the step if this holds.
        until: Repeat the step until this holds; it is done at least once.
        at_most: Repetitions after which the attempt is given up; only with ``until``.
        expect: Patterns; the step worked if one of them matches the answer.
    """

    do: str | None = None
    tool: str | None = None
    args: Mapping[str, Any] = field(default_factory=dict, hash=False)
    when: Condition | None = None
    unless: Condition | None = None
    until: Condition | None = None
    at_most: int | None = None
    expect: tuple[str, ...] = ()
    parallel: bool = False

    def __post_init__(self) -> None:
        frozen(self, "args")

    @property
    def expected(self) -> Condition | None:
        """The expected answer as one condition, or None where nothing is expected."""
        return _expected(self.expect)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Step:
        """Read a step; a single expectation needs no list."""
        with reading("step"):
            expect = document.get("expect", ())
            return cls(
                do=document.get("do"),
                tool=document.get("tool"),
                args=document.get("args", {}),
                when=condition(document, "when"),
                unless=condition(document, "unless"),
                until=condition(document, "until"),
                at_most=document.get("at_most"),
                expect=(expect,) if isinstance(expect, str) else tuple(expect),
                parallel=document.get("parallel", False),
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
        if self.parallel:
            document["parallel"] = True
        if self.when is not None:
            document["when"] = self.when.to_yaml()
        if self.unless is not None:
            document["unless"] = self.unless.to_yaml()
        if self.until is not None:
            document["until"] = self.until.to_yaml()
            document["at_most"] = self.at_most
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

    @property
    def mean(self) -> float:
        """Mean of the success rate, in (0, 1)."""
        return posterior_mean(self.alpha, self.beta)

    @property
    def interval(self) -> tuple[float, float]:
        """Central 95 % credible interval of the rate."""
        return credible_interval(self.alpha, self.beta)

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
