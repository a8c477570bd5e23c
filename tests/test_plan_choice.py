"""Which plans are used: what proof says of their ends."""

from __future__ import annotations

import pytest
from macla.evals.choosing import Endings, ends_well


@pytest.mark.parametrize(
    ("counts", "used"),
    [
        (Endings(right=3, wrong=1, early=1), True),
        (Endings(right=2, wrong=2, early=1), False),
        (Endings(right=0, wrong=0, early=0), False),
    ],
)
def test_plans_that_end_nothing_rightly_are_not_used(counts: Endings, used: bool) -> None:
    assert ends_well(counts) is used
