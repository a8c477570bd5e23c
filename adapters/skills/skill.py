"""A program as a skill: a ``SKILL.md`` to read, and the program itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, Template

from ...procedures.common.text import fold_space
from ...procedures.documents.yaml_dump import dump_yaml, scalar
from ...procedures.programs.documents import ProgramFile, source_in_words

DOCUMENT = "references/macla.yaml"
"""Where a skill has the program from which it was made."""
_LONGEST_NAME = 64
"""Characters of a skill's name that the format allows."""
_LONGEST_DESCRIPTION = 1024
"""Characters of a skill's description that the format allows."""
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill, as files of its folder.

    Attributes:
        name: Of the skill and its folder: small letters, figures and single hyphens, at most 64.
        text: What ``SKILL.md`` says.
        document: The program from which it was made, YAML, for :data:`DOCUMENT`.
    """

    name: str
    text: str
    document: str


@dataclass(frozen=True, slots=True)
class _SkillStep:
    what: str
    only: tuple[str, ...]
    final: bool


def skill_of(item: ProgramFile) -> Skill:
    """Return a program that has steps as a skill; what people accepted is not part of it."""
    document = replace(item, accepted=(), accepted_limits="").to_document()
    name = _NOT_IN_NAMES.sub("-", item.id).strip("-")[:_LONGEST_NAME].rstrip("-")
    tools = list(dict.fromkeys(step["tool"] for step in document["steps"] if "tool" in step))
    wordings = [_code(each.text) for each in item.wordings]
    description = f"How to do: {item.goal}"
    if tools:
        description += f" Calls the tools {', '.join(tools)}."
    description += " Use it when that is asked for, in these or other words."
    text = _template().render(
        name=name,
        description=scalar(_short(fold_space(description), _LONGEST_DESCRIPTION)),
        ref=scalar(item.ref),
        goal=fold_space(item.goal),
        learned=fold_space(str(document.get("provenance", {}).get("learned_from", ""))),
        asked=wordings,
        values=list(_values(document.get("parameters", {}))),
        steps=[_step(each, _values_if_said(document)) for each in document["steps"]],
        document=DOCUMENT,
    )
    return Skill(name, text, dump_yaml(document))


@lru_cache(maxsize=1)
def _template() -> Template:
    text = (files(__package__) / "skill.md.jinja").read_text(encoding="utf-8")
    # Markdown, not HTML: texts are set as code, in which nothing has a meaning.
    environment = Environment(
        autoescape=False,  # noqa: S701
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
    )
    return environment.from_string(text)


def _values(parameters: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    for name, source in parameters.items():
        yield name, _code(source_in_words(source))


def _values_if_said(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the values that are there only where they are said, by the name of the parameter."""
    parameters: Mapping[str, Mapping[str, Any]] = document.get("parameters", {})
    return {
        name: str(source["value"]) for name, source in parameters.items() if source.get("if_said")
    }


def _step(step: Mapping[str, Any], told_only: Mapping[str, str]) -> _SkillStep:
    words = {"when": "only when", "unless": "not when", "until": "until"}
    only = [text for key, word in words.items() for text in _conditions(word, step.get(key))]
    # A step of which a value is not there is passed over: a condition that stands in no step.
    deed = _deed(step)
    only += [
        f"only when the task or a result says {_code(value)}"
        for name, value in told_only.items()
        if f"{{{name}}}" in deed
    ]
    return _SkillStep(fold_space(deed), tuple(only), bool(step.get("commit")) and "tool" in step)


def _deed(step: Mapping[str, Any]) -> str:
    if "tool" in step:
        arguments = [
            f"`{path}` = {_code(str(value))}" for path, value in step.get("with", {}).items()
        ]
        return f"Call `{step['tool']}`" + (f" with {', '.join(arguments)}." if arguments else ".")
    if "say" in step:
        return f"Answer {_code(str(step['say']))}."
    return f"Do {_code(str(step.get('do', '')))}."


def _conditions(word: str, value: Any) -> list[str]:
    values: Sequence[Any] = value if isinstance(value, list) else [value] if value else []
    return [f"{word} {_code(str(text))}" for text in values]


def _code(text: str) -> str:
    """Return a text as code of Markdown, on one line."""
    line = fold_space(text)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    space = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{space}{line}{space}{fence}"


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
