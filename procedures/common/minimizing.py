"""The minimum of a smooth loss, found by SciPy in one thread.

The models here are small: on a busy machine threads of BLAS would wait for each other at each step,
for longer than all else takes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from threadpoolctl import ThreadpoolController

if TYPE_CHECKING:  # slow to load, and only what learns needs it
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["minimum_of"]


def minimum_of(
    loss: Callable[[Any], Any], start: NDArray[np.float64], **options: Any
) -> tuple[NDArray[np.float64], float]:
    """Return the point where a loss is least, and that loss.

    Args:
        loss: Point → the loss, or the loss and its gradient where ``jac=True`` says so.
        start: Where the search begins.
        options: Further arguments of ``scipy.optimize.minimize``.
    """
    import numpy as np
    from scipy.optimize import minimize  # type: ignore[import-untyped]  # SciPy ships no types

    with _threadpools().limit(limits=1, user_api="blas"):
        result = minimize(loss, start, method="L-BFGS-B", **options)
    return np.asarray(result.x, dtype=np.float64), float(result.fun)


@cache
def _threadpools() -> ThreadpoolController:
    """Return the libraries that compute, found once: to look for them takes longer than a fit."""
    return ThreadpoolController()
