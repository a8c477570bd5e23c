"""Arguments that a tool has under another name now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..words.word_clusters import THETA_SIM, Similarity, equivalent_names


def renamed_arguments(
    argument_names: Iterable[str],
    schema: Mapping[str, Any] | None,
    similarity: Similarity,
    threshold: float = THETA_SIM,
) -> dict[str, str]:
    """Return the names that a call's arguments probably have in a tool's present schema.

    This is a guess for a model or a person, and is never carried out by itself. It covers all
    arguments, each with a name of its own, and all that the schema requires; else it is empty.

    Args:
        argument_names: Names of the call's arguments.
        schema: JSON Schema of the tool's arguments, or None if unknown.
        similarity: Of two names told as words, in [-1, 1].
        threshold: θ_sim.

    Returns:
        Old name → new name, of those that differ; empty where there is nothing to say.
    """
    properties = (schema or {}).get("properties")
    names = list(argument_names)
    if schema is None or not isinstance(properties, Mapping):
        return {}
    if all(name in properties for name in names):
        return {}
    new_name_by_old = equivalent_names(names, list(properties), similarity, threshold)
    required = schema.get("required")
    required_names = set(required if isinstance(required, list) else ())
    if len(new_name_by_old) < len(names) or not required_names <= set(new_name_by_old.values()):
        return {}
    return {old: new for old, new in new_name_by_old.items() if old != new}
