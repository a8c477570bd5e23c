"""What stands under review is credited with the demonstrations that come later, each once."""

from __future__ import annotations

from pathlib import Path

import pytest
from invented_worlds import burrow_demonstration
from macla.adapters.teaching.reviewed_learning import teach_by_review
from macla.procedures.library.library import Library
from macla.procedures.proposals.inheritance import live_counts
from macla.procedures.sharing.exchange import open_evidence

pytestmark = pytest.mark.usefixtures("plans_only")


def trials(path: Path) -> dict[str, float]:
    library = Library.open(path)
    with open_evidence(path) as ledger:
        counts = live_counts(library, ledger)
    return {f"{k} {n}@{v} {b}": sum(c) for (k, n, v, b), c in counts.items()}


def test_later_demonstrations_credit_what_stands_once(tmp_path: Path) -> None:
    path = tmp_path / "lib"
    shown = [burrow_demonstration(seed) for seed in range(20)]
    teach_by_review(path, shown[:6], domain="burrow", policy="auto")
    stood, before = dict(Library.open(path).procedures), trials(path)
    teach_by_review(path, shown, domain="burrow", policy="review")
    assert Library.open(path).procedures == stood
    after = trials(path)
    assert {key.split()[1] for key in after} == {key.split()[1] for key in before}
    assert all(after[name] >= n for name, n in before.items())
    assert after["procedure grab-out-of@1 "] > before["procedure grab-out-of@1 "]
    teach_by_review(path, shown, domain="burrow", policy="review")
    assert trials(path) == after


def test_learned_bit_by_bit_it_counts_as_learned_at_once(tmp_path: Path) -> None:
    shown = [burrow_demonstration(seed) for seed in range(20)]
    for name, parts in (("bits", (6, 12, 20)), ("once", (20,))):
        for upto in parts:
            teach_by_review(tmp_path / name, shown[:upto], domain="burrow", policy="auto")
    bits, once = trials(tmp_path / "bits"), trials(tmp_path / "once")
    assert bits == once


def test_what_waits_for_review_counts_for_nothing(tmp_path: Path) -> None:
    shown = [burrow_demonstration(seed) for seed in range(20)]
    teach_by_review(tmp_path / "lib", shown, domain="burrow", policy="review")
    assert trials(tmp_path / "lib") == {}
