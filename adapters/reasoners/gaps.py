"""Learn with a model what symbolic learning has no plan for; what it did learn stays as it is.

A *gap* is a solved task that no learned plan's goal matches. For each, the model cuts the episode
into segments and drafts a procedure for each. A draft counts only if it gives its own segment's
actions again; expectations, sources of parameters and the plan are then derived symbolically, and
every document is held against its schema and the library's rules. A segment whose last action is
what a learned procedure is for uses that procedure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...graph.budget import Budget, Meter
from ...graph.protocols import Abstracter
from ...graph.reasoning import Segment
from ...procedures.common.errors import ConditionError
from ...procedures.conditions.text_patterns import normalise, renamed, template_parameters
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.learning.abstraction import slug
from ...procedures.learning.learner import Learned
from ...procedures.tasks.goal_matching import GoalVocabulary, fit_goal
from ...procedures.words.lexicon import Lexicon
from .drafted_documents import DocumentMaker, Use, meta_problem, procedure_problem
from .prompts import as_data

LEARNING = Budget(calls=24, tokens=96_000)
"""What one episode may cost when it is learned from: its segments are asked for one by one."""
_MOST_GAPS = 20
"""Most episodes that a model is asked about in one go, the shortest first."""
_MATCH_COST = 1.0
"""Cost of a reading below which a goal is taken to match a task."""


@dataclass(frozen=True, slots=True)
class Filled:
    """The plans and procedures that a model added, and what they cost.

    Attributes:
        gaps: Tasks that symbolic learning has no plan for.
        asked: Episodes that the model was asked about.
        plans: Plans that came of it.
        procedures: Procedures that came of it.
        calls: Requests.
        tokens: Tokens of prompts and answers.
        refused: Why something was not taken, one text each.
    """

    gaps: int = 0
    asked: int = 0
    plans: int = 0
    procedures: int = 0
    calls: int = 0
    tokens: int = 0
    refused: tuple[str, ...] = ()


def gaps_of(learned: Learned, trajectories: Sequence[Trajectory]) -> list[Trajectory]:
    """Return one solved episode of each task that no plan matches, the shortest first."""
    lexicon = _lexicon(learned)
    shortest: dict[str, Trajectory] = {}
    for trajectory in sorted(trajectories, key=lambda t: (len(t.acts), t.task)):
        if trajectory.success and trajectory.acts:
            shortest.setdefault(normalise(trajectory.task), trajectory)
    goals = [str(document["goal"]) for document in learned.metas.values()]
    vocabulary = GoalVocabulary(goals)
    return [
        each for each in shortest.values() if not _is_matched(each.task, goals, lexicon, vocabulary)
    ]


def fill_gaps(
    learned: Learned,
    trajectories: Sequence[Trajectory],
    reasoner: Abstracter,
    *,
    maker: str = "a model",
    budget: Budget = LEARNING,
    progress: Callable[[int, int], None] = lambda number, of: None,
) -> tuple[Learned, Filled]:
    """Ask a reasoner about the tasks that symbolic learning has no plan for.

    Args:
        learned: What symbolic learning found; it is not changed.
        trajectories: What it was learned from.
        reasoner: Cuts and abstracts.
        maker: Stands in the provenance of what is added.
        budget: What one episode may cost.
        progress: Told after each episode.

    Returns:
        What was learned with what was added, and a report.
    """
    gaps = gaps_of(learned, trajectories)
    work = _Work(learned, maker)
    calls = tokens = asked_count = 0
    sample = gaps[:_MOST_GAPS]
    for number, trajectory in enumerate(sample):
        progress(number, len(sample))
        if work.matches(trajectory.task):
            continue  # the plan of an earlier gap covers it
        meter = Meter(budget)
        work.learn(trajectory, reasoner, meter)
        asked_count += 1
        calls += meter.calls
        tokens += meter.tokens
    filled = Filled(
        gaps=len(gaps),
        asked=asked_count,
        plans=len(work.learned.metas) - len(learned.metas),
        procedures=len(work.learned.procedures) - len(learned.procedures),
        calls=calls,
        tokens=tokens,
        refused=tuple(work.refused),
    )
    return work.learned, filled


def _lexicon(learned: Learned) -> Lexicon:
    return learned.lexicon or Lexicon(numbered=False, kinds=(), frames=())


def _is_matched(
    task: str, goals: Sequence[str], lexicon: Lexicon, vocabulary: GoalVocabulary
) -> bool:
    chunks = lexicon.chunk(task)
    return any(
        goal == "*" or fit_goal(goal, chunks, vocabulary).cost < _MATCH_COST for goal in goals
    )


class _Work:
    """Adds to a copy of what was learned, one episode after the other, all or nothing each."""

    def __init__(self, learned: Learned, maker: str) -> None:
        self.learned = replace(
            learned,
            procedures=dict(learned.procedures),
            metas=dict(learned.metas),
            procedure_counts=dict(learned.procedure_counts),
            meta_counts=dict(learned.meta_counts),
            kind_counts=dict(learned.kind_counts),
        )
        self.lexicon = _lexicon(learned)
        self.refused: list[str] = []
        outcomes: dict[str, list[str]] = {
            frame: list(patterns)
            for operator in learned.ontology.get("operators", {}).values()
            for frame, patterns in operator.get("outcomes", {}).items()
        }
        self._make = DocumentMaker(self.lexicon, outcomes, maker)

    def matches(self, task: str) -> bool:
        goals = [str(document["goal"]) for document in self.learned.metas.values()]
        return _is_matched(task, goals, self.lexicon, GoalVocabulary(goals))

    def learn(self, trajectory: Trajectory, reasoner: Abstracter, meter: Meter) -> None:
        segments = reasoner.segment(trajectory, meter)
        if not segments:
            self._refuse(trajectory.task, "not cut into segments")
            return
        drafts: dict[str, dict[str, Any]] = {}
        uses: list[Use] = []
        for segment in segments:
            use = self._known(segment, {**self.learned.procedures, **drafts})
            if use is None:
                use = self._drafted(segment, reasoner, meter, drafts)
            if use is None:
                self._refuse(trajectory.task, f"no procedure for {as_data(segment.goal, 80)!r}")
                return
            uses.append(use)
        documents = {**self.learned.procedures, **drafts}
        meta = self._make.meta(trajectory, uses, {*documents, *self.learned.metas})
        problem = meta_problem(meta, documents, self.learned.metas)
        if problem is not None:
            self._refuse(trajectory.task, problem)
            return
        self.learned.procedures.update(drafts)
        self.learned.metas[meta["id"]] = meta
        self.learned.meta_counts[meta["id"]] = (1.0, 0.0)
        for use in uses:
            if use.identifier in drafts:
                good, bad = self.learned.procedure_counts.get(use.identifier, (0.0, 0.0))
                self.learned.procedure_counts[use.identifier] = (good + 1.0, bad)
                for name, value in use.values.items():
                    key = (use.identifier, name, self.lexicon.kind(normalise(value)))
                    self.learned.kind_counts[key] = self.learned.kind_counts.get(key, 0.0) + 1.0

    def _refuse(self, what: str, why: str) -> None:
        self.refused.append(f"{as_data(what, 80)!r}: {as_data(why, 300)}")

    def _known(self, segment: Segment, documents: Mapping[str, Mapping[str, Any]]) -> Use | None:
        """Return the use of a procedure whose last step is the segment's last action, if any."""
        final = segment.actions[-1]
        frame, arguments = self.lexicon.parse(final)
        for identifier, document in documents.items():
            template = document["steps"][-1].get("do", "")
            names = template_parameters(template)
            final_frame = renamed(template, {name: f"{{{i}}}" for i, name in enumerate(names)})
            if final_frame == frame and len(names) == len(arguments):
                return Use(identifier, dict(zip(names, arguments, strict=True)))
        return None

    def _drafted(
        self,
        segment: Segment,
        reasoner: Abstracter,
        meter: Meter,
        drafts: dict[str, dict[str, Any]],
    ) -> Use | None:
        draft = reasoner.abstract(segment, meter)
        if draft is None:
            return None
        taken_ids = {*self.learned.procedures, *self.learned.metas, *drafts}
        try:
            document = self._make.procedure(draft, segment, slug(str(draft["goal"]), taken_ids))
            problem = procedure_problem(document)
        except (ConditionError, KeyError, TypeError) as error:
            problem = f"it cannot be read: {error}"
        if problem is not None:
            self._refuse(segment.goal, problem)
            return None
        drafts[document["id"]] = document
        return Use(document["id"], dict(draft["parameters"]))
