"""Who does units of work, where a cluster cannot be had."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from macla.evals.running.executors import RayExecutor
from macla.procedures.common.errors import MaclaError


@pytest.mark.parametrize("kind", [Exception, ConnectionError, RuntimeError])
def test_a_cluster_that_does_not_start_is_told(kind: type[Exception]) -> None:
    """Ray raises a plain exception where a node takes too long, as on a machine under load."""

    def init(**_: object) -> None:
        raise kind("The current node timed out during startup.")

    with pytest.raises(MaclaError, match=r"cannot be used: The current node timed out.*ray status"):
        next(RayExecutor._opened(SimpleNamespace(init=init), 2))
