"""Which plans are used: what proof says of their ends."""

from __future__ import annotations

import pytest
from macla.evals.choosing import Endings, ends_well


@pytest.mark.parametrize(
    ("counts", "used"),
    [
        (Endings(right=3, wrong=1, early=1, of=6, foreseen=20), True),
        (Endings(right=2, wrong=2, early=1, of=6, foreseen=20), False),
        (Endings(right=0, wrong=0, early=0, of=6, foreseen=4), True),  # only play can tell
        (Endings(right=0, wrong=0, early=0, of=6, foreseen=0), False),
    ],
)
def test_plans_that_foresee_nothing_are_not_used(counts: Endings, used: bool) -> None:
    assert ends_well(counts) is used
