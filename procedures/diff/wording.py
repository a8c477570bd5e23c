"""Conditions, steps and other parts of a library, said in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..conditions import (
    AllOf,
    AnyOf,
    Asked,
    Attempts,
    Condition,
    Constant,
    Done,
    Ever,
    Fact,
    Kind,
    Last,
    Not,
    Observed,
)
from ..model import Parameter, Place, Step
from ..model_documents import thaw
from ..model_ontology import Operator

__all__ = [
    "action_text",
    "compact",
    "condition_words",
    "listed",
    "operator_words",
    "parameter_words",
    "place_words",
    "quoted",
]

_FACTS = {
    "post": ("its postconditions hold", "its postconditions do not hold"),
    "pre": ("its preconditions hold", "its preconditions do not hold"),
    "exhausted": ("no candidate is left", "a candidate is left"),
}
_SOURCES = {
    "given": "bound by the caller",
    "search": "found by search",
    "place": "a place to search",
    "choice": "any known entity",
    "constant": "always",
    "task": "read from the task",
    "text": "free text",
    "entity": "an entity",
    "told": "the entity that is told apart",
    "result": "read",
}


def quoted(text: str) -> str:
    """Put a text in quotation marks."""
    return f"“{text}”"


def listed(items: Iterable[str], last: str = "and") -> str:
    """Join texts as one says them: ``a, b or c``."""
    texts = list(items)
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {last} {texts[-1]}"


_EFFECTS = {
    "acts": "acts on things",
    "moves": "moves between places",
    "reveals": "reveals what was not to be seen",
    "reads": "reads a text",
}


def operator_words(operator: Operator) -> str:
    """Say what a verb does and how one sees that it worked; what else is noted is named only."""
    text = listed(operator.frames, "or")
    if operator.effect:
        text += f": {_EFFECTS.get(operator.effect, operator.effect)}"
    outcomes = operator.extra.get("outcomes")
    if isinstance(outcomes, Mapping):
        signs = [s for found in outcomes.values() if not isinstance(found, str) for s in found]
        if signs and all(isinstance(sign, str) for sign in signs):
            text += f"; it worked where one reads {listed(map(quoted, signs), 'or')}"
    others = [key.replace("_", " ") for key in operator.extra if key != "outcomes"]
    return f"{text}; also noted: {listed(others)}" if others else text


def compact(value: Any) -> str:
    """Write a plain value on one line."""
    if isinstance(value, str):
        return value
    return json.dumps(thaw(value), ensure_ascii=False, default=str)


def condition_words(condition: Condition) -> str:
    """Say a condition of :mod:`macla.procedures.conditions` in words."""
    return _said(condition, True)


def _said(condition: Condition, positive: bool) -> str:
    """Say a condition, or that it does not hold."""
    if isinstance(condition, Not):
        return _said(condition.part, not positive)
    if isinstance(condition, AllOf | AnyOf):
        inner = "; ".join(_said(part, True) for part in condition.parts())
        every = isinstance(condition, AllOf)
        if positive:
            joined = (
                _grouped(part, nested=isinstance(part, AllOf | AnyOf)) for part in condition.parts()
            )
            return (" and " if every else " or ").join(joined)
        return f"not {'all' if every else 'any'} of ({inner})"
    return _ATOMS[type(condition)](condition, positive)


def _grouped(condition: Condition, *, nested: bool) -> str:
    said = _said(condition, True)
    return f"({said})" if nested else said


def _constant(condition: Any, positive: bool) -> str:
    if condition.value is None:
        return "it is unknown"
    return "always" if condition.value is positive else "never"


def _observed(condition: Any, positive: bool) -> str:
    verb = "says" if positive else "does not say"
    return f"the latest observation {verb} {quoted(condition.pattern.text)}"


def _ever(condition: Any, positive: bool) -> str:
    verb = "was seen at some time" if positive else "was never seen"
    return f"{quoted(condition.pattern.text)} {verb}"


def _done(condition: Any, positive: bool) -> str:
    if condition.pattern is None:
        return f"it was last done with {'these same' if positive else 'other'} things"
    verb = "was done before" if positive else "was never done"
    return f"{quoted(condition.pattern.text)} {verb}"


def _choices(condition: Any) -> str:
    return listed((quoted(pattern.text) for pattern in condition.choices), "or")


def _last(condition: Any, positive: bool) -> str:
    verb = "was" if positive else "was not"
    return f"what was last done with {{{condition.name}}} {verb} {_choices(condition)}"


def _kind(condition: Any, positive: bool) -> str:
    verb = "is" if positive else "is not"
    return f"{{{condition.name}}} {verb} of kind {_choices(condition)}"


def _asked(condition: Any, positive: bool) -> str:
    verb = "mentions" if positive else "does not mention"
    return f"the task {verb} {quoted(condition.pattern.text)}"


def _fact(condition: Any, positive: bool) -> str:
    return _FACTS[condition.name][0 if positive else 1]


def _attempts(condition: Any, positive: bool) -> str:
    times = condition.at_least
    said = "at least" if positive else "fewer than"
    return f"it was tried {said} {times} {'time' if times == 1 else 'times'}"


_ATOMS: dict[type[Condition], Callable[[Any, bool], str]] = {
    Constant: _constant,
    Observed: _observed,
    Ever: _ever,
    Done: _done,
    Last: _last,
    Kind: _kind,
    Asked: _asked,
    Fact: _fact,
    Attempts: _attempts,
}


def action_text(step: Step) -> str:
    """Return what a step does, guards left out."""
    if step.do is not None:
        return step.do
    return f"{step.tool}({', '.join(f'{k}={compact(v)}' for k, v in step.args.items())})"


def place_words(place: Place) -> str:
    """Say what a place of a plan runs, and with what."""
    if place.follow is not None:
        source = "the task" if place.follow == "task" else f"what {place.follow} shows"
        return f"follow the instructions of {source}"
    bound = ", ".join(f"{name}={value}" for name, value in place.with_.items())
    return f"{place.run}({bound})"


def parameter_words(parameter: Parameter) -> str:
    """Say where a parameter's value comes from."""
    said = _SOURCES.get(parameter.source, parameter.source)
    if parameter.value is not None:
        said += f" {quoted(parameter.value)}"
    if parameter.via is not None:
        said += f" through {{{parameter.via}}}"
    if parameter.of is not None:
        said += f" that {{{parameter.of}}} names"
    if parameter.by is not None:
        said += f" by what {parameter.by} shows"
    if parameter.step is not None:
        said += f" from the result of step {parameter.step}"
    if parameter.path is not None:
        said += f" at {quoted(parameter.path)}"
    if parameter.pattern is not None:
        said += f" where it says {quoted(parameter.pattern)}"
    if parameter.type is not None:
        said += f", of type {parameter.type}"
        if parameter.kinds:
            said += f": {listed(parameter.kinds, 'or')}"
    elif parameter.kinds:
        said += f", of kind {listed(parameter.kinds, 'or')}"
    if parameter.description:
        said += f" ({parameter.description})"
    return said
