"""Make proposals from evidence: contrast the executions that are due, propose credible changes."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..episodes.trajectories import Trajectory
from ..evidence.ledger import Ledger
from ..evidence.posterior import posterior_parameters
from ..learning.store_learned import CONTRAST
from ..library.library import Library
from ..method.settings import Method
from ..method.utility import Candidate, expected_utility
from ..model.ontology_words import lexicon_from, outcomes_from
from ..model.parameter_types import resolved
from ..model.procedure import MetaProcedure, Ontology, Procedure
from ..proposals.causes import by_cause
from ..proposals.inheritance import live_counts, own_rates
from ..proposals.locks import lock_violations
from ..proposals.proposal import Contrast, Proposal, Replay, make_proposal
from ..proposals.proposal_store import Placed
from ..proposals.replay import Replayer
from ..proposals.rollback import propose_rollbacks
from ..proposals.support import is_harmful
from ..proposals.version_history import Revision
from ..words.lexicon import Lexicon
from .bayes_factors import Trigger
from .execution_context import ExecutionContext
from .forming import FormationRule, Formed, form_plans
from .memory import ContextMemory
from .plan_cases import plan_case
from .plan_contrast import contrast_plan
from .procedure_contrast import contrast
from .step_contrast import step_index
from .suggestion import Suggestion, Wanting
from .traces import Trace, TraceMemory

_CELLS = ("with_successes", "with_failures", "without_successes", "without_failures")
_MOST_EPISODES = 3
"""Most episodes of a plan's goal, per outcome, that a chat model gets; it bounds the prompt."""


@dataclass(frozen=True, slots=True)
class Abstained:
    """A procedure or plan for whose failures contrast found no change.

    Attributes:
        item: The version.
        successes: Executions that worked.
        failures: Executions that failed.
        wanting: Effects that are not credible yet.
        trajectories: For a plan: the latest stored episodes of its goal, per outcome.
    """

    item: Procedure | MetaProcedure
    successes: tuple[ExecutionContext, ...]
    failures: tuple[ExecutionContext, ...]
    wanting: tuple[Wanting, ...]
    trajectories: tuple[Trajectory, ...] = ()


class Refinery:
    """Contrasts executions and proposes the changes that they support.

    Args:
        library: The library to refine.
        ledger: The evidence.
        submit: Submits a proposal under the caller's policy.
        trigger: When a contrast is credible.
        method: Expected utility, θ_conf and the prior, as the settings of the library have them.
        episodes: Returns the stored trajectories, for replays and for plans.
        revisions: Returns the history of a file; without it nothing is rolled back.

    Attributes:
        abstained: Items for which the last call of :meth:`propose` found no change, by
            ``id@version``; without those for which a change was suggested otherwise.
    """

    def __init__(
        self,
        library: Library,
        ledger: Ledger,
        submit: Callable[[Proposal], Placed],
        *,
        trigger: Trigger | None = None,
        method: Method | None = None,
        episodes: Callable[[], Sequence[Trajectory]] = tuple,
        revisions: Callable[[str], Sequence[Revision]] | None = None,
    ) -> None:
        self._library = library
        self._ledger = ledger
        self._submit = submit
        self._trigger = trigger or Trigger()
        self._method = method or Method()
        self._episodes = episodes
        self._revisions = revisions
        self._memory = ContextMemory(ledger)
        self._ontology = library.ontology
        self._made: dict[str, tuple[Ontology, Lexicon]] = {}
        self._told: dict[str, TraceMemory] = {}
        self._suggested: set[str] = set()
        self.abstained: dict[str, Abstained] = {}

    def propose(self, refs: Sequence[str]) -> list[Proposal]:
        """Return the most credible change of each of these versions (``id@version``).

        A version that is credibly worse than the one before is rolled back instead. Locked or
        retired items and superseded versions are left out.
        """
        self.abstained = {}
        if not refs:
            return []
        self._memory.refresh()
        self._library.refresh()
        self._memory.forget_all_but({each.ref for each in self._library.procedures.values()})
        proposals: list[Proposal] = []
        if self._revisions is not None:
            names = {ref.rpartition("@")[0] for ref in refs}
            proposals += propose_rollbacks(self._library, self._ledger, self._revisions, names)
        rolled_back_ids = {proposal.target.id for proposal in proposals}
        for ref in refs:
            name, _, version = ref.rpartition("@")
            if name in rolled_back_ids:
                continue
            item = self._library.procedures.get(name) or self._library.metas.get(name)
            if item is None or str(item.version) != version:
                continue
            if item.status == "retired" or item.locked is True:
                continue
            suggestion = (
                self._of_procedure(item) if isinstance(item, Procedure) else self._of_plan(item)
            )
            if suggestion is None:
                continue
            proposal = self.proposal(item, suggestion)
            pairs = zip(proposal.old, proposal.new, strict=False)
            if not any(lock_violations(old, new) for old, new in pairs):
                proposals.append(proposal)
        for ref in self._suggested & self.abstained.keys():
            del self.abstained[ref]  # its suggestion waits, or was refused
        return by_cause(proposals, self._replay)

    @classmethod
    def of(
        cls,
        library: Library,
        ledger: Ledger,
        submit: Callable[[Proposal], Placed],
        *,
        episodes: Callable[[], Sequence[Trajectory]] = tuple,
        revisions: Callable[[str], Sequence[Revision]] | None = None,
    ) -> Refinery:
        """Return a refinery configured by the library's settings (its preset)."""
        method = Method.from_settings(library.settings.settings)
        trigger = Trigger.paper() if method.preset.strict else Trigger()
        return cls(
            library,
            ledger,
            submit,
            trigger=trigger,
            method=method,
            episodes=episodes,
            revisions=revisions,
        )

    def _of_procedure(self, procedure: Procedure) -> Suggestion | None:
        _, lexicon = self._words(procedure.world)
        good = self._memory.successes(procedure.ref)
        bad = self._memory.failures(procedure.ref)
        method = dataclasses.replace(self._method, prior=self._prior())
        result = contrast(procedure, good, bad, lexicon, self._trigger, method)
        if result.suggestions:
            return result.suggestions[0]
        wanting = tuple(
            each
            for each in result.wanting
            if each.kind != "missing_step" or step_index(procedure, each.text) is None
        )
        self.abstained[procedure.ref] = Abstained(procedure, tuple(good), tuple(bad), wanting)
        return None

    def _of_plan(self, meta: MetaProcedure) -> Suggestion | None:
        ontology, lexicon = self._words(meta.world)
        traces = self._traces(meta.world)
        suggestion, wanting = contrast_plan(
            meta,
            traces,
            self._library.procedures,
            lexicon,
            outcomes_from(ontology),
            self._trigger,
        )
        if suggestion is None:
            episodes = [t.episode for t in traces if plan_case(meta, t, lexicon) is not None]
            won = [each for each in episodes if each.success][-_MOST_EPISODES:]
            lost = [each for each in episodes if not each.success][-_MOST_EPISODES:]
            examples = (*won, *lost)
            unsure = (wanting,) if wanting else ()
            self.abstained[meta.ref] = Abstained(meta, (), (), unsure, examples)
        return suggestion

    def _words(self, world: str) -> tuple[Ontology, Lexicon]:
        """Return ontology and lexicon of a world, cached until the library's ontology changes."""
        if self._ontology is not self._library.ontology:
            self._ontology, self._made = self._library.ontology, {}
        if world not in self._made:
            words = self._ontology.of_world(world)
            self._made[world] = words, lexicon_from(words)
        return self._made[world]

    def _traces(self, world: str) -> list[Trace]:
        """Return the traces of a world's episodes."""
        ontology, lexicon = self._words(world)
        world_procedures = (p for p in self._library.procedures.values() if p.world == world)
        procedures = tuple(resolved(p, ontology.types) for p in world_procedures)
        all_worlds = self._library.ontology
        episodes = [e for e in self._episodes() if all_worlds.world_of(e.task, e.obs[0]) == world]
        memory = self._told.setdefault(world, TraceMemory())
        return memory.traces(episodes, procedures, lexicon, ontology)

    def form(self, rule: FormationRule | None = None) -> list[Proposal]:
        """Return the plans that the stored episodes support, the most valuable first.

        Args:
            rule: When a plan is formed; by default that of the library's preset.
        """
        if rule is None and self._method.preset.strict:
            rule = FormationRule.paper()
        self._library.refresh()
        formed: list[tuple[Formed, str]] = []
        for world in self._library.ontology.by_world:
            plans = form_plans(
                self._traces(world),
                self._library.procedures,
                self._words(world)[1],
                tuple(self._library.metas.values()),
                rule,
                [*self._library.programs, *(plan.document["id"] for plan, _ in formed)],
            )
            formed += ((plan, world) for plan in plans)
        proposals = []
        for plan, world in sorted(formed, key=lambda each: -each[0].value):
            total = plan.solved + plan.lost
            why = (
                f"{plan.solved} of {total} episodes that went this way were solved; keeping it is "
                f"worth {plan.value:.3f} decisions an episode."
            )
            note = f"{plan.solved} episodes solved this way, {plan.lost} lost"
            notes = plan.document.get("provenance", {})
            proposals.append(
                make_proposal(
                    "meta",
                    why,
                    target=plan.document["id"],
                    new=[{**plan.document, **_of(world), "provenance": {**notes, CONTRAST: note}}],
                    contrast=Contrast(plan.episodes, ()),
                    counts={"solved": float(plan.solved), "lost": float(plan.lost)},
                    eu_after=self._utility(plan.solved, plan.lost),
                )
            )
        return proposals

    def proposal(self, item: Procedure | MetaProcedure, suggestion: Suggestion) -> Proposal:
        """Return a suggestion as a proposal, with its evidence and its replay."""
        counts = live_counts(self._library, self._ledger, item.id)
        kind = "procedure" if isinstance(item, Procedure) else "meta"
        good, bad = counts.get((kind, item.id, item.version, ""), (0.0, 0.0))
        effect = suggestion.effect
        cells = effect.table.cells if effect is not None else None
        expected_counts = cells[:2] if cells is not None else (good, bad)
        variant = suggestion.kind == "variant"
        worked, failed = len(suggestion.successes), len(suggestion.failures)
        note = f"{worked} episodes where it worked, {failed} where it failed"
        notes = {**suggestion.document.get("provenance", {}), CONTRAST: note}
        proposal = make_proposal(
            "variant" if variant else "refine",
            suggestion.why,
            target=suggestion.document["id"],
            old=[] if variant else [item.to_document()],
            new=[{**suggestion.document, "provenance": notes}],
            contrast=Contrast(suggestion.successes, suggestion.failures),
            counts=dict(zip(_CELLS, cells, strict=True)) if cells is not None else {},
            eu_before=self._utility(good, bad),
            eu_after=self._utility(*expected_counts),
        )
        return self._replayed(proposal)

    def _replayed(self, proposal: Proposal) -> Proposal:
        return dataclasses.replace(proposal, replay=self._replay(proposal))

    def _replay(self, proposal: Proposal) -> Replay | None:
        episodes = self._episodes()
        return (
            Replayer.of(episodes, self._library, [proposal]).replay(proposal) if episodes else None
        )

    def suggested(
        self, item: Procedure | MetaProcedure, document: Mapping[str, Any], why: str
    ) -> Proposal | None:
        """Return another's change, such as a chat model's, as a proposal with its replay.

        None where the replay is credibly harmful.
        """
        self._suggested.add(item.ref)
        runs = _runs(self.abstained.get(item.ref))
        note = f"{len(runs[0])} episodes where it worked, {len(runs[1])} where it failed"
        # Without this note the next learning from episodes would undo the change.
        notes = {**document.get("provenance", {}), CONTRAST: note}
        proposal = make_proposal(
            "refine",
            why,
            target=item.id,
            old=[item.to_document()],
            new=[{**document, "provenance": notes}],
            contrast=Contrast(*runs),
        )
        replayed = self._replayed(proposal)
        return None if is_harmful(replayed) else replayed

    def submit(self, proposal: Proposal) -> str:
        """Submit a proposal; return the note of what became of it."""
        note = self._submit(proposal).note
        if note == "accepted":
            self._library.refresh()
        return note

    def _utility(self, successes: float, failures: float) -> float:
        """Return the expected utility at full relevance, without its information term.

        Risk is the share that failed.
        """
        trials = successes + failures
        risk = failures / trials if trials else 0.0
        posterior = posterior_parameters(successes, failures, self._prior())
        candidate = Candidate("", 1.0, *posterior, risk)
        return round(expected_utility(candidate, self._method.preset).expected, 4)

    def _prior(self) -> tuple[float, float]:
        """Return the prior: the configured one, or one fitted to the current evidence."""
        return self._method.prior_from(own_rates(self._library, self._ledger))


def _runs(abstained: Abstained | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of the episodes that worked and of those that failed."""
    if abstained is None:
        return (), ()
    good, bad = (
        [
            *(context.run for context in contexts),
            *(each.id for each in abstained.trajectories if each.success == worked and each.id),
        ]
        for contexts, worked in ((abstained.successes, True), (abstained.failures, False))
    )
    return tuple(dict.fromkeys(good)), tuple(dict.fromkeys(bad))


def _of(world: str) -> dict[str, str]:
    """Return the document key that names a world; empty for the first world."""
    return {"world": world} if world else {}
