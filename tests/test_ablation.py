"""Each part of ``--method without`` turns off one thing, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from invented_worlds import burrow_demonstration
from macla.adapters.session import LibrarySession
from macla.adapters.teaching.teaching import teach
from macla.procedures.common.errors import MaclaError
from macla.procedures.evidence.ledger import Outcome
from macla.procedures.learning.pruning import prune
from macla.procedures.method.ablation import GROUPS, PARTS, Part, parse_parts
from macla.procedures.method.settings import Method
from macla.procedures.method.utility import Rule
from macla.procedures.words.similarity import ExactSimilarity
from test_growing import GREETED

PLAYED: tuple[Part, ...] = tuple(
    part for part in PARTS if part not in ("idle", "contrast", "pruning")
)
"""Parts that are left out in playing; the others are of learning alone."""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LibrarySession]:
    """A library of plans and programs, with a failure that is remembered."""
    path = tmp_path_factory.mktemp("ablation") / "lib"
    teach(path, [burrow_demonstration(seed) for seed in range(20)], domain="x", preset="paper")
    teach(path.parent / "whole", GREETED, domain="x")
    with LibrarySession.open(path) as opened:
        plan = min(opened.library.metas)
        told = Outcome(
            *("e", 0, "meta", plan, 1, "execution_failed", 0.0, 1.0),
            "2026-01-01T00:00:00+00:00",
            context={"situation": ["a=pod"]},
        )
        opened.ledger.record([told])
        yield opened


def facts(session: LibrarySession, ablated: frozenset[Part]) -> dict[str, Any]:
    """Part → what is there of it."""
    knowledge = session.knowledge(ablated=ablated, preset="default")
    loop = session.loop_settings(ablated=ablated, preset="default")
    (plan, *_) = sorted(session.library.metas)
    steps = [s for p in knowledge.procedures.values() for s in p.steps]
    checked = [*knowledge.procedures.values(), *knowledge.metas.values()]
    counts = knowledge.counts
    shown = GREETED[3]
    with LibrarySession.open(session.library.path.parent / "whole", read_only=True) as whole:
        programs = bool(whole.knowledge(ablated=ablated).programs)
        same = whole.floor(ablated).same(shown.task, shown.obs[0], [])
    return {
        "posterior": knowledge.posterior("meta", plan, 1) != knowledge.prior,
        "risk": (loop.preset.weights.cost_failure > 0.0, bool(knowledge.failures)),
        "information": loop.preset.weights.exploration > 0.0,
        "reading": (
            loop.preset.relevance.value,
            any(kind == "binding" and not name.startswith("@") for kind, name, _, _ in counts),
        ),
        "search": any(name.startswith("@") for _, name, _, _ in counts),
        "guards": any(step.when or step.unless for step in steps),
        "preconditions": any(each.preconditions for each in checked),
        "meta": bool(knowledge.metas),
        "ontology": not isinstance(knowledge.similarity, ExactSimilarity),
        "programs": programs,
        "floor": same is not None,
    }


@pytest.mark.parametrize("part", PLAYED)
def test_one_switch_turns_off_one_thing(session: LibrarySession, part: Part) -> None:
    whole, less = facts(session, frozenset()), facts(session, frozenset({part}))
    changed = {name for name, value in whole.items() if less[name] != value}
    if part not in ("guards", "search"):  # burrows need no guards, and nothing is looked for there
        assert changed == {part}
    assert changed <= {part}


def test_groups_stand_for_several(session: LibrarySession) -> None:
    assert parse_parts(["bayes"]) == frozenset(GROUPS["bayes"])
    assert parse_parts(["contrastive,risk"]) == {*GROUPS["contrastive"], "risk"}
    blind = session.loop_settings(ablated=parse_parts(["bayes"]), preset="default")
    assert blind.rule is Rule.SIMILARITY
    with pytest.raises(MaclaError, match="no part 'luck'"):
        parse_parts(["luck"])


def test_without_pruning_nothing_is_forgotten(tmp_path: Path) -> None:
    shown = [burrow_demonstration(seed) for seed in range(12)]
    full = teach(tmp_path / "a", shown, domain="x", without=("programs",))
    kept = teach(tmp_path / "b", shown, domain="x", without=("programs", "pruning"))
    assert full.procedures == kept.procedures > 1
    for name, least in (("a", 1), ("b", kept.procedures)):
        with LibrarySession.open(tmp_path / name) as opened:
            prune(opened.library, opened.ledger, Method(procedures=1, metas=1))
            assert len(opened.library.procedures) + len(opened.library.metas) >= least
            assert (len(opened.library.metas) == kept.metas) == (name == "b")
