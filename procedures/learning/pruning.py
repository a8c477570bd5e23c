"""Remove what is worth least when a library exceeds its capacity.

:mod:`macla.procedures.method.retention` values procedures and chooses among goals; ``retention``,
``capacity`` and ``weights`` in ``library.yaml`` configure it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass

from ..evidence.ledger import Ledger
from ..evidence.ledger_rows import DEMONSTRATIONS, INHERITED
from ..evidence.posterior import posterior_mean, posterior_parameters
from ..library.library import Library
from ..method.retention import Item, discounted_value, keep
from ..method.settings import Method
from ..method.utility import retention_utility
from ..model.parameter_types import without_unnamed
from ..model.procedure import MetaProcedure, Procedure
from ..proposals.inheritance import live_counts, own_rates
from .store_learned import by_people


def prune(library: Library, ledger: Ledger, method: Method | None = None) -> list[str]:
    """Remove what is worth least until the library fits its capacities.

    Items that people locked, trust or wrote are protected, and so are procedures that a remaining
    plan runs.

    Args:
        library: The library to prune.
        ledger: Its evidence.
        method: Capacities and weights; by default the library's own.

    Returns:
        Ids that were removed.
    """
    removed = surplus(library, ledger, method or Method.from_settings(library.settings.settings))
    if removed:
        items: list[Procedure | MetaProcedure] = [*library.procedures.values()]
        remaining = [item for item in (*items, *library.metas.values()) if item.id not in removed]
        ontology = without_unnamed(library.ontology, remaining)
        library.write_all(ontology=ontology, remove=removed)
    return removed


def surplus(library: Library, ledger: Ledger, method: Method) -> list[str]:
    """Return what :func:`prune` would remove: plans, then procedures, by id."""
    return list(surplus_worth(library, ledger, method))


def surplus_worth(
    library: Library, ledger: Ledger, method: Method, gone: Collection[str] = ()
) -> dict[str, float]:
    """Return what exceeds the capacity, plans first: id → its retention value.

    Args:
        library: The library.
        ledger: Its evidence.
        method: Capacities and weights; they fix the unit of the value.
        gone: Ids that count as removed.
    """
    if "pruning" in library.settings.settings.get("learned", {}).get("without", ()):
        return {}
    metas = {name: item for name, item in library.metas.items() if name not in gone}
    procedures = {name: item for name, item in library.procedures.items() if name not in gone}
    if len(metas) <= method.metas and len(procedures) <= method.procedures:
        return {}
    values = _Values(library, ledger, method)
    items: list[Procedure | MetaProcedure] = [*metas.values(), *procedures.values()]
    protected_ids = {item.id for item in items if _is_protected(item)}
    runs_by_meta = {name: _runs_of(meta) for name, meta in metas.items()}
    worth = {name: values.of("meta", meta) for name, meta in metas.items()}
    kept_ids = keep(
        [Item(name, worth[name], runs_by_meta[name]) for name in metas],
        method.metas,
        protected_ids & metas.keys(),
    )
    run = {name for plan in kept_ids for name in runs_by_meta[plan]}
    goals = _goals_served(metas[name] for name in sorted(kept_ids))
    worth |= {name: values.of("procedure", item) for name, item in procedures.items()}
    kept_ids |= keep(
        [Item(name, worth[name], goals.get(name, (p.goal,))) for name, p in procedures.items()],
        method.procedures,
        (protected_ids | run) & procedures.keys(),
    )
    return {name: worth[name] for name in (*metas, *procedures) if name not in kept_ids}


def _is_protected(item: Procedure | MetaProcedure) -> bool:
    return bool(item.locked) or item.status == "trusted" or by_people(item)


def _runs_of(meta: MetaProcedure) -> tuple[str, ...]:
    """Return the ids that a plan runs; plans with the same ids serve goals of one kind."""
    return tuple(place.run or place.follow or "" for place in meta.plan)


def _goals_served(metas: Iterable[MetaProcedure]) -> Mapping[str, Hashable]:
    """Map each procedure to the goals of the plans that run it."""
    goals_by_procedure: dict[str, tuple[str, ...]] = {}
    for meta in metas:
        for name in dict.fromkeys(_runs_of(meta)):
            goals_by_procedure[name] = (*goals_by_procedure.get(name, ()), meta.goal)
    return goals_by_procedure


@dataclass(frozen=True, slots=True)
class _Use:
    """Use of a procedure or plan; times are in episodes.

    Attributes:
        uses: Number of uses.
        known: Episodes since its first use.
        idle: Episodes since its last use.
    """

    uses: float
    known: float
    idle: float


class _Values:
    """The value of each procedure and plan.

    The position of its rows in the ledger tells when something was used; the mean number of rows
    per episode converts rows to episodes.
    """

    def __init__(self, library: Library, ledger: Ledger, method: Method) -> None:
        self._method = method
        self._counts = live_counts(library, ledger)
        self._prior = method.prior_from(own_rates(library, ledger))
        without = (DEMONSTRATIONS, INHERITED)
        self._spans = {kind: ledger.spans(kind, without=without) for kind in ("procedure", "meta")}
        self._latest = ledger.revision()
        all_spans = (span for spans in self._spans.values() for span in spans.values())
        self._rows = self._latest - min((first for _, first, _ in all_spans), default=0) + 1.0
        self._demonstrated = float(library.settings.settings.get("learned", {}).get("episodes", 0))
        self._episodes = ledger.episodes(without=without)
        self._total = sum(
            self._use(kind, item.id, sum(self._rate(kind, item)[:2])).uses
            for kind, items in (("procedure", library.procedures), ("meta", library.metas))
            for item in items.values()
        )
        self.of: Callable[[str, Procedure | MetaProcedure], float] = (
            self._paper if method.retention == "paper" else self._future
        )

    def _rate(self, kind: str, item: Procedure | MetaProcedure) -> tuple[float, float, float]:
        """Return successes and failures of this version, and its posterior mean."""
        good, bad = self._counts.get((kind, item.id, item.version, ""), (0.0, 0.0))
        return good, bad, posterior_mean(*posterior_parameters(good, bad, self._prior))

    def _paper(self, kind: str, item: Procedure | MetaProcedure) -> float:
        good, bad, rate = self._rate(kind, item)
        use = self._use(kind, item.id, good + bad)
        weights = self._method.retention_weights
        return retention_utility(
            rate,
            use.uses / self._total if self._total else 0.0,
            math.exp(-use.idle / weights.tau),
            weights,
        )

    def _future(self, kind: str, item: Procedure | MetaProcedure) -> float:
        good, bad, rate = self._rate(kind, item)
        use = self._use(kind, item.id, good + bad)
        return discounted_value(
            rate, use.uses, use.known, use.idle, weights=self._method.preset.weights
        )

    def _use(self, kind: str, name: str, trials: float) -> _Use:
        rows, first, last = self._spans[kind].get(name, (0, self._latest, self._latest))
        rows_per_episode = self._rows / self._episodes if self._episodes else 1.0
        uses = max(trials, float(rows))
        age = (self._latest - first) / rows_per_episode + self._demonstrated
        # Without rows its last use was its demonstration, before the first episode.
        idle = (self._latest - last) / rows_per_episode if rows else float(self._episodes)
        return _Use(uses, max(age, uses), idle)
