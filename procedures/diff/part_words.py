"""Conditions, steps and other parts of a library, said in words."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..conditions.language import (
    AllOf,
    AnyOf,
    Asked,
    Attempts,
    Condition,
    Constant,
    Done,
    Ever,
    Fact,
    KindIn,
    Last,
    Not,
    Observed,
)
from ..documents.plain_data import thaw
from ..model.ontology import Operator
from ..model.procedure import Parameter, Place, Step

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


_VERBS: dict[type[Condition], tuple[str, str]] = {
    Observed: ("the latest observation says {}", "the latest observation does not say {}"),
    Ever: ("{} was seen at some time", "{} was never seen"),
    Done: ("{} was done before", "{} was never done"),
    Asked: ("the task mentions {}", "the task does not mention {}"),
    Last: ("what was last done with {} was {}", "what was last done with {} was not {}"),
    KindIn: ("{} is of kind {}", "{} is not of kind {}"),
}
"""Condition → its words where it holds, and where not; ``{}`` for pattern or parameter."""


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
        signs = [s for texts in outcomes.values() if not isinstance(texts, str) for s in texts]
        if signs and all(isinstance(sign, str) for sign in signs):
            text += f"; it worked where one reads {listed(map(quoted, signs), 'or')}"
    others = [key.replace("_", " ") for key in operator.extra if key != "outcomes"]
    return f"{text}; also noted: {listed(others)}" if others else text


def compact(value: Any) -> str:
    """Write a plain value on one line."""
    if isinstance(value, str):
        return value
    return json.dumps(thaw(value), ensure_ascii=False, default=str)


def in_words(value: Any) -> str:
    """Return a plain value on one line, without the marks of a notation."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_nested_words(each)}" for name, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return listed(map(_nested_words, value))
    return compact(value)


def _nested_words(value: Any) -> str:
    is_nested = not isinstance(value, str) and isinstance(value, Mapping | Sequence)
    return f"({in_words(value)})" if is_nested else in_words(value)


def condition_words(condition: Condition) -> str:
    """Say a condition of :mod:`macla.procedures.conditions.language` in words."""
    return _in_words(condition, True)


def _in_words(condition: Condition, positive: bool) -> str:
    """Say a condition, or that it does not hold."""
    if isinstance(condition, Not):
        return _in_words(condition.part, not positive)
    if isinstance(condition, AllOf | AnyOf):
        every = isinstance(condition, AllOf)
        if positive:
            return (" and " if every else " or ").join(map(_in_brackets, condition.parts()))
        inner = "; ".join(_in_words(part, True) for part in condition.parts())
        return f"not {'all' if every else 'any'} of ({inner})"
    if isinstance(condition, Constant):
        return _constant(condition.value, positive)
    if isinstance(condition, Fact):
        return _FACTS[condition.name][0 if positive else 1]
    if isinstance(condition, Done) and condition.pattern is None:
        return f"it was last done with {'these same' if positive else 'other'} things"
    if isinstance(condition, Attempts):
        times = condition.at_least
        amount = "at least" if positive else "fewer than"
        return f"it was tried {amount} {times} {'time' if times == 1 else 'times'}"
    verb = _VERBS[type(condition)][0 if positive else 1]
    if isinstance(condition, Last | KindIn):
        choices = listed((quoted(pattern.text) for pattern in condition.choices), "or")
        return verb.format(f"{{{condition.name}}}", choices)
    return verb.format(quoted(condition.pattern.text))  # type: ignore[attr-defined]


def _in_brackets(condition: Condition) -> str:
    text = _in_words(condition, True)
    return f"({text})" if isinstance(condition, AllOf | AnyOf) else text


def _constant(value: bool | None, positive: bool) -> str:
    if value is None:
        return "it is unknown"
    return "always" if value is positive else "never"


def action_text(step: Step) -> str:
    """Return what a step does, guards left out."""
    if step.do is not None:
        return step.do
    return f"{step.tool}({', '.join(f'{k}={compact(v)}' for k, v in step.args.items())})"


_FROM = {
    "value": " “{}”",
    "via": " through {{{}}}",
    "of": " that {{{}}} names",
    "by": " by what {} shows",
    "step": " from the result of step {}",
    "path": " at “{}”",
    "pattern": " where it says “{}”",
}
"""Field of a parameter's source → its words."""


def place_words(place: Place) -> str:
    """Say what a place of a plan runs, and with what."""
    if place.follow is not None:
        source = "the task" if place.follow == "task" else f"what {place.follow} shows"
        return f"follow the instructions of {source}"
    bindings = ", ".join(f"{name}={value}" for name, value in place.with_.items())
    return f"{place.run}({bindings})"


def parameter_words(parameter: Parameter) -> str:
    """Say where a parameter's value comes from."""
    text = _SOURCES.get(parameter.source, parameter.source)
    for key, words in _FROM.items():
        if (value := getattr(parameter, key)) is not None:
            text += words.format(value)
    if parameter.type is not None:
        text += f", of type {parameter.type}"
        if parameter.kinds:
            text += f": {listed(parameter.kinds, 'or')}"
    elif parameter.kinds:
        text += f", of kind {listed(parameter.kinds, 'or')}"
    if parameter.description:
        text += f" ({parameter.description})"
    return text
