"""What the loop knows while it plays: a library's content and its evidence, ready for use.

Built once from a library, its ledger and its index; nothing here changes during an episode.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..procedures.common.text import sentences
from ..procedures.conditions.text_patterns import (
    Pattern,
    instantiate,
    normalise,
    template_parameters,
)
from ..procedures.episodes.recognising import beginning_of, world_of
from ..procedures.evidence.failures import FailureMemory, risk_of
from ..procedures.evidence.ledger import CountKey
from ..procedures.evidence.posterior import probability_better
from ..procedures.model.procedure import MetaProcedure, Procedure
from ..procedures.planning.episode_memory import EpisodeMemory
from ..procedures.planning.kind_preference import in_order_of_use
from ..procedures.planning.search_statistics import SearchEvidence
from ..procedures.planning.world_model import World
from ..procedures.programs.documents import ProgramFile
from ..procedures.programs.play_evidence import contradicted, trials
from ..procedures.refinement.recovery import RECOVERY, RecoveryEvidence
from ..procedures.tasks.goal_interpretation import GoalReader, plan_deeds
from ..procedures.tasks.goal_matching import (
    GoalFit,
    GoalVocabulary,
    RoleKinds,
    fit_goal,
    goal_tokens,
)
from ..procedures.tasks.instruction_parser import unexplained
from ..procedures.words.goal_lexicon import GoalLexicon
from ..procedures.words.lexicon import Lexicon, frame_of
from ..procedures.words.similarity import TextSimilarity
from ..procedures.words.word_clusters import reworded
from .derived import filled, kind_counts, variants_of

TASK_SHARE = 0.6
"""Weight of the task in Rel, the observation having the rest: as in the authors' own code."""
_MOST_FITS = 2000
_CREDIBLY_WORSE = 0.95
_MEANT = 0.9
"""Similarity of a goal's word and a task's that the ontology puts beside it."""


class Hit(Protocol):
    """One thing that retrieval found."""

    @property
    def id(self) -> str:
        """Id of the procedure or meta-procedure."""
        ...

    @property
    def similarity(self) -> float:
        """Cosine similarity to the query, in [-1, 1]."""
        ...


class Retriever(Protocol):
    """Finds procedures and metas by meaning; the Chroma index is one."""

    def search(self, text: str, k: int, *, kind: str | None = None) -> Iterable[Hit]:
        """Return the k nearest entries, best first."""
        ...


@dataclass(frozen=True)
class Knowledge:
    """A library's content and evidence.

    Attributes:
        procedures: By id.
        metas: By id.
        lexicon: Entities and frames, from the ontology.
        counts: Evidence: key → (successes, failures).
        retriever: Finds candidates.
        similarity: Of words and phrases.
        world: Effects, enabling links, places, instructions.
        outcomes: Frame → patterns of which one follows when the action works.
        prior: (α, β) before any evidence.
        failures: (kind, id) → what is remembered of the situations in which it failed.
        library_hash: Hash of the library's content.
        shown: Program → demonstrations of it that count as evidence.
        goals: What goals in people's own words mean.
        worlds: The same of further worlds, by name.
        told: World → words that its episodes mostly begin with; "" is this one.
        reader: Reads those.
    """

    procedures: Mapping[str, Procedure]
    metas: Mapping[str, MetaProcedure]
    lexicon: Lexicon
    counts: Mapping[CountKey, tuple[float, float]]
    retriever: Retriever
    similarity: TextSimilarity
    outcomes: Mapping[str, tuple[Pattern, ...]]
    world: World = field(default_factory=World)
    prior: tuple[float, float] = (1.0, 1.0)
    failures: Mapping[tuple[str, str], FailureMemory] = field(default_factory=dict)
    library_hash: str = ""
    programs: Mapping[str, ProgramFile] = field(default_factory=dict)
    shown: Mapping[str, int] = field(default_factory=dict)
    goals: GoalLexicon = field(default_factory=GoalLexicon)
    worlds: Mapping[str, Knowledge] = field(default_factory=dict)
    told: Mapping[str, Collection[str]] = field(default_factory=dict)
    reader: GoalReader = field(init=False)
    evidence: SearchEvidence = field(init=False)
    recoveries: RecoveryEvidence = field(init=False)
    filled: Mapping[str, float] = field(init=False)
    vocabulary: GoalVocabulary = field(init=False)
    _meant: Mapping[str, str] = field(init=False)
    _achievers: Mapping[str, str] = field(init=False)
    _fits: dict[tuple[str, tuple[str, ...]], GoalFit] = field(init=False, default_factory=dict)
    _kinds: Mapping[tuple[str, str], dict[str, float]] = field(init=False)
    _overall: dict[str, float] = field(init=False)
    _overall_total: float = field(init=False)
    _roles: dict[str, dict[str, RoleKinds]] = field(init=False, default_factory=dict)
    _variants: Mapping[str, tuple[str, ...]] = field(init=False)
    _goal_by_word: Mapping[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """Derive what depends only on the content."""
        object.__setattr__(self, "_variants", variants_of(self.procedures))
        object.__setattr__(self, "_achievers", self._by_final_frame())
        alike: dict[str, list[str]] = {}
        for meta in self.metas.values():
            alike.setdefault(plan_deeds(meta), []).append(meta.goal)
        # A procedure that no plan runs is a task's whole goal, as a plan is; rivals share it.
        run = {place.run for meta in self.metas.values() for place in meta.plan}
        alone = {each.goal for name, each in self.procedures.items() if name not in run}
        goals = [*(" ".join(each) for each in alike.values()), *sorted(alone)]
        object.__setattr__(self, "vocabulary", GoalVocabulary(goals))
        reader = GoalReader(self.goals, self.metas, self.lexicon.kinds, self.similarity)
        object.__setattr__(self, "reader", reader)
        others = (procedure.goal for procedure in self.procedures.values())
        known = self.vocabulary.words.union(*map(goal_tokens, others))
        object.__setattr__(self, "_goal_by_word", self._goals_by_only_word())
        object.__setattr__(self, "_meant", self.lexicon.clusters.replacements(known))
        self._derive_from_evidence()

    def with_evidence(
        self,
        counts: Mapping[CountKey, tuple[float, float]],
        failures: Mapping[tuple[str, str], FailureMemory],
        prior: tuple[float, float],
    ) -> Knowledge:
        """Return the same content with other evidence; what depends on content alone is shared."""
        other = copy.copy(self)
        object.__setattr__(other, "prior", prior)
        object.__setattr__(other, "counts", counts)
        object.__setattr__(other, "failures", failures)
        object.__setattr__(other, "_fits", {})
        object.__setattr__(other, "_roles", {})
        worlds = {k: v.with_evidence(counts, failures, prior) for k, v in self.worlds.items()}
        object.__setattr__(other, "worlds", worlds)
        other._derive_from_evidence()
        return other

    def of(self, task: str, observation: str) -> Knowledge:
        """Return what is known of the world of an episode with this task and first observation."""
        if not self.worlds:
            return self
        return self.worlds.get(world_of(self.told, beginning_of(task, observation)), self)

    def _derive_from_evidence(self) -> None:
        bindings = {
            (subject, binding): value
            for (kind, subject, version, binding), value in self.counts.items()
            if kind == "binding" and version == 0
        }
        clusters = self.lexicon.clusters
        evidence = SearchEvidence(bindings, self.similarity, clusters)
        object.__setattr__(self, "evidence", evidence)
        tried = {key: value for (subject, key), value in bindings.items() if subject == RECOVERY}
        object.__setattr__(self, "filled", filled(bindings))
        object.__setattr__(self, "recoveries", RecoveryEvidence(tried))
        kinds, overall = kind_counts(self.procedures, self.counts)
        object.__setattr__(self, "_kinds", kinds)
        object.__setattr__(self, "procedures", in_order_of_use(self.procedures, kinds))
        object.__setattr__(self, "_overall", overall)
        object.__setattr__(self, "_overall_total", max(1.0, float(sum(overall.values()))))

    def _goals_by_only_word(self) -> dict[str, str]:
        """Return word → the only goal of procedures that has it; variants share their goal."""
        goals_by_word: dict[str, set[str]] = {}
        for goal in {procedure.goal for procedure in self.procedures.values()}:
            for word in goal_tokens(goal):
                goals_by_word.setdefault(word, set()).add(goal)
        return {word: min(goals) for word, goals in goals_by_word.items() if len(goals) == 1}

    def _by_final_frame(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for procedure in self.procedures.values():
            template = procedure.steps[-1].do
            if template is None or procedure.status == "retired":
                continue
            if procedure.provenance.get("parent", procedure.id).partition("@")[0] != procedure.id:
                continue  # a variant is run where what it is a variant of is called for
            frame = frame_of(template)
            found.setdefault(frame, procedure.id)
            found.setdefault(self.world.operator(frame), procedure.id)
        return found

    def posterior(self, kind: str, subject: str, version: int) -> tuple[float, float]:
        """Return (α, β) of a procedure's, meta-procedure's or program's success."""
        successes, failures = self._trials(kind, subject, version)
        return self.prior[0] + successes, self.prior[1] + failures

    def _trials(self, kind: str, subject: str, version: int) -> tuple[float, float]:
        """Return its successes, demonstrations among them, and failures."""
        good, bad = self.counts.get((kind, subject, version, ""), (0.0, 0.0))
        return trials(self.shown.get(subject, 0), good, bad) if kind == "program" else (good, bad)

    def instance(self, ref: str, kind: str, fillers: Mapping[str, str]) -> str:
        """Return the goal of a procedure or plan with its slots filled; empty ones are left out."""
        known = self.meta(ref) if kind == "meta" else self.procedure(ref)
        names = template_parameters(known.goal)
        filled = instantiate(known.goal, {name: fillers.get(name, "") for name in names})
        return " ".join((filled or known.goal).split())

    def relevance(self, goal: str, task: str, observation: str) -> float:
        """Return Rel of a goal, in [0, 1]: its cosine with the task and with what is observed."""
        near, here = self.similarity(goal, task), self.similarity(goal, observation)
        return max(0.0, min(1.0, TASK_SHARE * near + (1.0 - TASK_SHARE) * here))

    def risk(
        self,
        kind: str,
        subject: str,
        version: int,
        situation: frozenset[str],
        *,
        here: Iterable[tuple[Sequence[str], bool]] = (),
        printed: bool = False,
    ) -> float:
        """Return how likely a failure is in such a situation, in [0, 1], by what is remembered.

        Args:
            kind: ``procedure``, ``meta`` or ``program``.
            subject: Its id.
            version: Its version.
            situation: What the task speaks of.
            here: Its runs in this episode: (situation, whether it worked).
            printed: Whether it is the share of its failures whose situations are similar.
        """
        memory = self.failures.get((kind, subject))
        for features, worked in here:
            memory = (memory or FailureMemory()).after(frozenset(features), worked=worked)
        successes, failures = self._trials(kind, subject, version)
        return risk_of(memory, situation, successes, failures, printed=printed)

    def variant(
        self, procedure: Procedure, binding: Mapping[str, str], memory: EpisodeMemory
    ) -> Procedure | None:
        """Return the variant that is for these things: that whose preconditions hold, the surest.

        One that is credibly worse than what it is a variant of is left alone, unless it does the
        same: then its kind is the harder one, and the other would fare no better there.
        """
        found: list[tuple[float, str, Procedure]] = []
        own = self.posterior("procedure", procedure.id, procedure.version)
        for each in (self.procedures[name] for name in self._variants.get(procedure.id, ())):
            verdicts = [c.evaluate(memory, binding).value for c in each.preconditions]
            if False in verdicts or True not in verdicts:
                continue
            alpha, beta = self.posterior("procedure", each.id, each.version)
            # Nothing speaks against it without a failure.
            worse = beta > self.prior[1] and each.steps != procedure.steps
            if worse and probability_better(*own, alpha, beta) > _CREDIBLY_WORSE:
                continue
            found.append((-alpha / (alpha + beta), each.id, each))
        return min(found)[2] if found else None

    def program(self, ref: str) -> ProgramFile:
        """Return the program that ``id@version`` names."""
        return self.programs[ref.rpartition("@")[0]]

    def drafted(self, task: str, observation: str) -> ProgramFile | None:
        """Return a program that reads a task and is not used yet, if there is one."""
        drafts = (file for file in self.programs.values() if file.status == "draft")
        return next((file for file in drafts if file.reads(task, observation)), None)

    def program_for(self, task: str, observation: str) -> ProgramFile | None:
        """Return the program in use one of whose wordings a task is, the most exact of them.

        Of those that are as exact it is the one that reads the first observation best.

        Args:
            task: What is asked.
            observation: The first one; it tells the world.
        """
        active = (file for file in self.programs.values() if file.status == "active")
        fits = [(file.exactness(task, observation), file) for file in active]
        most = max((exactness for exactness, _ in fits), default=-1)
        exact = [file for exactness, file in fits if exactness == most]
        if most < 0 or len(exact) == 1:
            return exact[0] if most >= 0 else None
        return max(exact, key=lambda file: file.legibility(observation))

    def contradicted(self, ref: str) -> bool:
        """Whether play contradicts what a program's proof claimed, so that plans are its rivals.

        Args:
            ref: The program's ``id@version``.
        """
        name, _, version = ref.rpartition("@")
        return contradicted(*self.counts.get(("program", name, int(version), ""), (0.0, 0.0)))

    def procedure(self, ref: str) -> Procedure:
        """Return the procedure that ``id@version`` names."""
        return self.procedures[ref.rpartition("@")[0]]

    def meta(self, ref: str) -> MetaProcedure:
        """Return the meta-procedure that ``id@version`` names."""
        return self.metas[ref.rpartition("@")[0]]

    def roles(self, meta: MetaProcedure) -> Mapping[str, RoleKinds]:
        """Slot → kinds that the plan's procedures have been used on in that role."""
        found = self._roles.get(meta.id)
        if found is None:
            gathered: dict[str, dict[str, float]] = {}
            for place in meta.plan:
                for own, name in place.with_.items():
                    parameter = meta.parameters.get(name)
                    if parameter is not None and parameter.of is not None:
                        role = gathered.setdefault(parameter.of, {})
                        for kind, count in self._kinds.get((place.run or "", own), {}).items():
                            role[kind] = role.get(kind, 0.0) + count
            found = {
                slot: RoleKinds(counts, self._overall, self._overall_total)
                for slot, counts in gathered.items()
            }
            self._roles[meta.id] = found
        return found

    def _other_names(self, meta: MetaProcedure, chunks: Iterable[str]) -> set[str]:
        """Return the words of a task that name a procedure which the plan does not run."""
        goals = {each.goal for p in meta.plan if (each := self.procedures.get(p.run or ""))}
        by_word = self._goal_by_word
        return {word for word in chunks if word in by_word and by_word[word] not in goals}

    def query(self, task: str) -> str:
        """Return a task in the words of goals, where it has words that only mean the same."""
        return reworded(task, self._meant)

    def _alike(self, wanted: str, word: str) -> float:
        """Similarity of a goal's word and a task's; nearly 1 for one that means the same."""
        found = self.similarity(wanted, word)
        return max(found, _MEANT) if self._meant.get(word) == wanted else found

    def fit(self, known: MetaProcedure | Procedure, chunks: tuple[str, ...]) -> GoalFit:
        """Align a task with a goal; remembered, because a task is asked for more than once."""
        key = (known.ref, chunks)
        found = self._fits.get(key)
        if found is None:
            if isinstance(known, MetaProcedure):
                roles, others = self.roles(known), self._other_names(known, chunks)
                found = fit_goal(known.goal, chunks, self.vocabulary, self._alike, roles, others)
            else:
                found = fit_goal(known.goal, chunks, self.vocabulary, self._alike)
            if len(self._fits) >= _MOST_FITS:
                self._fits.clear()
            self._fits[key] = found
        return found

    def usual(self, frame: str, position: int, entity: str) -> bool:
        """Tell whether an entity's kind has been used at this position of the operator before."""
        procedure = self.achieving(frame)
        if procedure is None:
            return False
        names = template_parameters(procedure.steps[-1].do or "")
        if position >= len(names):
            return False
        return self.lexicon.kind(entity) in self._kinds.get((procedure.id, names[position]), {})

    def unread_cost(self, memory: EpisodeMemory) -> float:
        """Cost of a reading by instructions: the words of clauses that call for nothing."""
        clauses = unexplained(self.world, memory, "task")
        return sum(
            self.vocabulary.weight(word)
            for clause in clauses
            for word in memory.lexicon.chunk(clause)
        )

    def achieving(self, frame: str) -> Procedure | None:
        """Return a procedure whose final step has this frame's operator, the same frame first."""
        found = self._achievers.get(frame) or self._achievers.get(self.world.operator(frame))
        return None if found is None else self.procedures[found]

    def worked(self, action: str, observation: str) -> bool:
        """Tell whether an action outside any procedure worked, by what usually follows it."""
        if self.world.failed(observation):
            return False
        frame, arguments = self.lexicon.parse(action)
        if self.world.effects.get(frame) == "moves":
            arrived = self.world.arrived(observation)
            if arrived is not None:
                return arrived
        patterns = self.outcomes.get(frame)
        if not patterns:
            return bool(observation.strip())
        bindings = {f"a{i}": argument for i, argument in enumerate(arguments)}
        found = sentences(observation)
        return any(
            matcher.matches(normalise(sentence))
            for matcher in (pattern.bind(bindings) for pattern in patterns)
            for sentence in found
        )
