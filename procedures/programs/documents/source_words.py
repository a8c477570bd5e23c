"""Where a value of a program comes from, in words for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...yaml_dump import flow

__all__ = ["source_in_words"]


def source_in_words(source: Mapping[str, Any]) -> str:
    """Return one line that tells where a value comes from.

    Args:
        source: A parameter of a program's document.
    """
    match source["source"]:
        case "choice":
            where = source.get("where", ())
            rule = f" where {' and '.join(map(str, where))}" if where else ""
            return f"{source.get('take')} of {source.get('among')}, a result{rule}"
        case "task":
            return "said in the task"
        case "constant":
            return f"always {source.get('value')}"
        case kind:
            rest = {key: value for key, value in source.items() if key != "source"}
            return f"{kind} {flow(rest)}" if rest else str(kind)
