"""What was learned and does not fit: named and left out, so that it costs nothing else."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from ...schemas import first_misfit
from ..errors import MaclaError, SchemaError, Skip
from ..model_documents import thaw

__all__ = ["fitting_part", "log_skipped"]

_LOG = logging.getLogger(__name__)


def log_skipped(error: MaclaError) -> None:
    """Log what is left out, as a warning."""
    _LOG.warning("left out: %s", error)


def fitting_part(schema: str, document: Mapping[str, Any], skip: Skip) -> dict[str, Any]:
    """Return a document without the entries that do not fit its schema.

    Args:
        schema: Name of the schema.
        document: Plain data.
        skip: Told of each entry left out.

    Raises:
        SchemaError: It does not fit as a whole.
    """
    part: dict[str, Any] = thaw(document)
    while (misfit := first_misfit(schema, part)) is not None:
        if not misfit.path:
            raise SchemaError(f"the {schema} that was learned does not fit: {misfit.problem}")
        skip(SchemaError(f"left out of the {schema}: {misfit.problem}", path=misfit.path))
        inner: Any = part
        for key in misfit.path[:-1]:
            inner = inner[key]
        del inner[misfit.path[-1]]
    return part
