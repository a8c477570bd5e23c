"""Leave out learned entries that do not fit, with a report, so that the others stay."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from ...schemas import first_misfit
from ..checks.instructing import instructing_document
from ..common.errors import MaclaError, SchemaError, Skip
from ..documents.plain_data import thaw

_LOG = logging.getLogger(__name__)


def log_skipped(error: MaclaError) -> None:
    """Log what is left out as a warning."""
    _LOG.warning("left out: %s", error)


def fitting_ontology(document: Mapping[str, Any], skip: Skip) -> dict[str, Any]:
    """Return an ontology without the entries that do not fit or try to instruct a model.

    Args:
        document: Plain data.
        skip: Called with each entry left out.

    Raises:
        SchemaError: The document as a whole does not fit.
    """
    part: dict[str, Any] = thaw(document)
    while (misfit := _misfit(part)) is not None:
        problem, path = misfit
        if not path:
            raise SchemaError(f"the ontology that was learned does not fit: {problem}")
        skip(SchemaError(f"left out of the ontology: {problem}", path=path))
        inner: Any = part
        for key in path[:-1]:
            inner = inner[key]
        del inner[path[-1]]
    return part


def _misfit(part: Mapping[str, Any]) -> tuple[str, tuple[str | int, ...]] | None:
    """Return the first problem and its path; None if all fits."""
    if (misfit := first_misfit("ontology", part)) is not None:
        return misfit.problem, tuple(misfit.path)
    return next(((message, path) for path, message in instructing_document(part)), None)
