"""Sources of values in words for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...documents.yaml_dump import flow


def source_in_words(source: Mapping[str, Any]) -> str:
    """Return one line that describes the source of a value.

    Args:
        source: A parameter of a program's document.
    """
    match source["source"]:
        case "choice":
            rule = "; ".join(filter(None, map(_rule, source.get("cases", (source,)))))
            return f"{source.get('take')} of {source.get('among')}, a result {rule}".rstrip()
        case "task":
            return f"said in the task as {{{source.get('slot')}}}"
        case "constant" if source.get("if_said"):
            return f"{source.get('value')}, where the task or a result says it"
        case "constant":
            return f"always {source.get('value')}"
        case "argument":
            return f"argument {source.get('number')} of the newest {source.get('of')}"
        case kind:
            rest = {key: value for key, value in source.items() if key != "source"}
            return f"{kind} {flow(rest)}" if rest else str(kind)


def _rule(case: Mapping[str, Any]) -> str:
    """Return the conditions and orders of a case, which a person has to judge."""
    words = {"when": "when", "where": "where", "order": "by"}
    texts_by_word = {word: [str(each) for each in case.get(key, ())] for key, word in words.items()}
    return " ".join(f"{word} {' and '.join(each)}" for word, each in texts_by_word.items() if each)
