"""What stands under review is credited with the demonstrations that come later, each once."""

from __future__ import annotations

from pathlib import Path

import pytest
from invented_worlds import burrow_demonstration
from macla.evals.reviewing import teach_by_review
from macla.procedures.library import Library
from macla.procedures.proposals.inheritance import live_counts
from macla.procedures.sharing.exchange import open_evidence

pytestmark = pytest.mark.usefixtures("plans_only")


def trials(path: Path) -> dict[str, float]:
    library = Library.open(path)
    with open_evidence(path) as ledger:
        counts = live_counts(library, ledger)
    of = ("procedure", "meta")
    return {f"{n}@{v}": sum(c) for (k, n, v, b), c in counts.items() if k in of and not b}


def test_later_demonstrations_credit_what_stands_once(tmp_path: Path) -> None:
    path = tmp_path / "lib"
    shown = [burrow_demonstration(seed) for seed in range(20)]
    teach_by_review(path, shown[:6], domain="burrow", policy="auto")
    stood, before = dict(Library.open(path).procedures), trials(path)
    teach_by_review(path, shown, domain="burrow", policy="review")
    assert Library.open(path).procedures == stood
    after = trials(path)
    assert after.keys() >= before.keys()
    assert all(after[name] >= n for name, n in before.items())
    assert after["grab-out-of@1"] > before["grab-out-of@1"]
    teach_by_review(path, shown, domain="burrow", policy="review")
    assert trials(path) == after


def test_learned_bit_by_bit_it_counts_as_learned_at_once(tmp_path: Path) -> None:
    shown = [burrow_demonstration(seed) for seed in range(20)]
    for name, parts in (("bits", (6, 12, 20)), ("once", (20,))):
        for upto in parts:
            teach_by_review(tmp_path / name, shown[:upto], domain="burrow", policy="auto")
    bits, once = trials(tmp_path / "bits"), trials(tmp_path / "once")
    assert bits["grab-out-of@1"] == once["grab-out-of@1"]
