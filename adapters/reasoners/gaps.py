"""Learn with a model what symbolic learning has no plan for; what it did learn stays as it is.

A *gap* is a solved task that no learned plan's goal matches. For each, the model cuts the episode
into segments and drafts a procedure for each. A draft counts only if it gives its own segment's
actions again; expectations, sources of parameters and the plan are then derived symbolically, and
every document is held against its schema and the library's rules. A segment whose last action is
what a learned procedure is for uses that procedure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...graph.budget import Budget, Meter
from ...graph.protocols import Abstracter
from ...graph.reasoning import Segment
from ...procedures.condition_patterns import (
    Pattern,
    escape,
    instantiate,
    normalise,
    quoted,
    renamed,
    template_parameters,
)
from ...procedures.errors import ConditionError, LibraryError
from ...procedures.learning.abstraction import slug
from ...procedures.learning.learner import Learned
from ...procedures.lexicon import Lexicon
from ...procedures.matching import GoalVocabulary, fit_goal
from ...procedures.model import MetaProcedure, Procedure
from ...procedures.semantics import check_meta, check_procedure
from ...procedures.text import sentences
from ...procedures.trajectories import Trajectory
from ...schemas import first_misfit
from .prompts import as_data

__all__ = ["LEARNING", "Filled", "fill_gaps", "gaps_of"]

LEARNING = Budget(calls=24, tokens=96_000)
"""What one episode may cost when it is learned from: its segments are asked for one by one."""
_MOST_GAPS = 20
"""Most episodes that a model is asked about in one go, the shortest first."""
_SAME = 1.0
"""Cost of a reading below which a goal is taken to match a task."""
_SLOTS = "abcdefgh"


@dataclass(frozen=True, slots=True)
class Filled:
    """What a model added.

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
        each for each in shortest.values() if not _matched(each.task, goals, lexicon, vocabulary)
    ]


def fill_gaps(
    learned: Learned,
    trajectories: Sequence[Trajectory],
    reasoner: Abstracter,
    *,
    maker: str = "a model",
    budget: Budget = LEARNING,
    progress: Callable[[int, int], None] = lambda done, of: None,
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
    calls = tokens = asked = 0
    chosen = gaps[:_MOST_GAPS]
    for done, trajectory in enumerate(chosen):
        progress(done, len(chosen))
        if work.matches(trajectory.task):
            continue  # the plan of an earlier gap covers it
        meter = Meter(budget)
        work.learn(trajectory, reasoner, meter)
        asked += 1
        calls += meter.calls
        tokens += meter.tokens
    filled = Filled(
        gaps=len(gaps),
        asked=asked,
        plans=len(work.learned.metas) - len(learned.metas),
        procedures=len(work.learned.procedures) - len(learned.procedures),
        calls=calls,
        tokens=tokens,
        refused=tuple(work.refused),
    )
    return work.learned, filled


def _lexicon(learned: Learned) -> Lexicon:
    return learned.lexicon or Lexicon(numbered=False, kinds=(), frames=())


def _matched(task: str, goals: Sequence[str], lexicon: Lexicon, vocabulary: GoalVocabulary) -> bool:
    chunks = lexicon.chunk(task)
    return any(goal == "*" or fit_goal(goal, chunks, vocabulary).cost < _SAME for goal in goals)


@dataclass(frozen=True, slots=True)
class _Use:
    """A procedure in a plan: its id, and what its parameters stood for in the episode."""

    identifier: str
    values: Mapping[str, str]
    final: str


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
        self.maker = maker
        self.refused: list[str] = []
        self._outcomes: dict[str, list[str]] = {
            frame: list(patterns)
            for operator in learned.ontology.get("operators", {}).values()
            for frame, patterns in operator.get("outcomes", {}).items()
        }

    def matches(self, task: str) -> bool:
        goals = [str(document["goal"]) for document in self.learned.metas.values()]
        return _matched(task, goals, self.lexicon, GoalVocabulary(goals))

    def learn(self, trajectory: Trajectory, reasoner: Abstracter, meter: Meter) -> None:
        segments = reasoner.segment(trajectory, meter)
        if not segments:
            self._refuse(trajectory.task, "not cut into segments")
            return
        made: dict[str, dict[str, Any]] = {}
        uses: list[_Use] = []
        for segment in segments:
            use = self._known(segment)
            if use is None:
                use = self._drafted(segment, reasoner, meter, made)
            if use is None:
                self._refuse(trajectory.task, f"no procedure for {as_data(segment.goal, 80)!r}")
                return
            uses.append(use)
        documents = {**self.learned.procedures, **made}
        meta = self._meta(trajectory, uses)
        problem = _meta_problem(meta, documents, self.learned.metas)
        if problem is not None:
            self._refuse(trajectory.task, problem)
            return
        self.learned.procedures.update(made)
        self.learned.metas[meta["id"]] = meta
        self.learned.meta_counts[meta["id"]] = (1.0, 0.0)
        for use in uses:
            if use.identifier in made:
                good, bad = self.learned.procedure_counts.get(use.identifier, (0.0, 0.0))
                self.learned.procedure_counts[use.identifier] = (good + 1.0, bad)
                for name, value in use.values.items():
                    key = (use.identifier, name, self.lexicon.kind(normalise(value)))
                    self.learned.kind_counts[key] = self.learned.kind_counts.get(key, 0.0) + 1.0

    def _refuse(self, what: str, why: str) -> None:
        self.refused.append(f"{as_data(what, 80)!r}: {as_data(why, 300)}")

    def _known(self, segment: Segment) -> _Use | None:
        """A learned procedure whose last step is the segment's last action, if there is one."""
        final = segment.actions[-1]
        frame, arguments = self.lexicon.parse(final)
        for identifier, document in self.learned.procedures.items():
            template = document["steps"][-1].get("do", "")
            names = template_parameters(template)
            shown = renamed(template, {name: f"{{{i}}}" for i, name in enumerate(names)})
            if shown == frame and len(names) == len(arguments):
                return _Use(identifier, dict(zip(names, arguments, strict=True)), template)
        return None

    def _drafted(
        self,
        segment: Segment,
        reasoner: Abstracter,
        meter: Meter,
        made: dict[str, dict[str, Any]],
    ) -> _Use | None:
        draft = reasoner.abstract(segment, meter)
        if draft is None:
            return None
        taken = {*self.learned.procedures, *self.learned.metas, *made}
        try:
            document = self._document(draft, segment, slug(str(draft["goal"]), taken))
            problem = _procedure_problem(document)
        except (ConditionError, KeyError, TypeError) as error:
            problem = f"it cannot be read: {error}"
        if problem is not None:
            self._refuse(segment.goal, problem)
            return None
        made[document["id"]] = document
        return _Use(document["id"], dict(draft["parameters"]), document["steps"][-1]["do"])

    def _document(
        self, draft: Mapping[str, Any], segment: Segment, identifier: str
    ) -> dict[str, Any]:
        values = {name: normalise(str(value)) for name, value in draft["parameters"].items()}
        steps = [self._step(str(step), values) for step in draft["steps"]]
        for step in steps[:-1]:
            step["unless"] = "done"
        shown = self._effect(draft, segment, values) or steps[-1].get("expect", [])
        document: dict[str, Any] = {
            "kind": "procedure",
            "id": identifier,
            "version": 1,
            "status": "provisional",
            "goal": str(draft["goal"]),
            "parameters": self._parameters(segment, values),
            "steps": steps,
            "postconditions": [" or ".join(f"observed({quoted(p)})" for p in shown)]
            if shown
            else [],
            "provenance": {"learned_from": "1 demonstration", "abstracted_by": self.maker},
        }
        return document

    def _step(self, template: str, values: Mapping[str, str]) -> dict[str, Any]:
        frame, arguments = self.lexicon.parse(instantiate(template, values) or "")
        by_value = {value: "{" + name + "}" for name, value in values.items()}
        shown = {str(i): by_value.get(a, escape(a)) for i, a in enumerate(arguments)}
        expect = [renamed(pattern, shown) for pattern in self._outcomes.get(frame, ())]
        return {"do": template, "expect": expect} if expect else {"do": template}

    def _effect(
        self, draft: Mapping[str, Any], segment: Segment, values: Mapping[str, str]
    ) -> list[str]:
        """The draft's effect, if it was in fact seen after the last action."""
        text = str(draft.get("effect") or "").strip()
        try:
            pattern = Pattern.parse(text)
        except ConditionError:
            return []
        if not text.replace("*", "").strip(" .") or not set(pattern.names) <= values.keys():
            return []
        matcher = pattern.bind(dict(values))
        seen = sentences(segment.observations[-1])
        return [text] if any(matcher.matches(normalise(sentence)) for sentence in seen) else []

    def _parameters(self, segment: Segment, values: Mapping[str, str]) -> dict[str, dict[str, Any]]:
        """Where each value came from: known before, or found through another in the segment."""
        episode = segment.trajectory
        before = [*episode.obs[: segment.start + 1], *episode.acts[: segment.start]]
        known = " ".join(normalise(text) for text in before)
        listed = {name: [self.lexicon.kind(value)] for name, value in values.items()}
        found = {name: {"source": "choice", "kinds": listed[name]} for name in values}
        for name, value in values.items():
            if _stands_in(value, known):
                continue
            for action, observation in zip(segment.actions, segment.observations, strict=True):
                carriers = [
                    other
                    for other, text in values.items()
                    if other != name and _stands_in(text, normalise(action))
                ]
                if _stands_in(value, normalise(observation)) and carriers:
                    via = carriers[0]
                    found[name] = {"source": "search", "via": via, "kinds": listed[name]}
                    found[via] = {"source": "place", "kinds": listed[via]}
                    break
        return found

    def _meta(self, trajectory: Trajectory, uses: Sequence[_Use]) -> dict[str, Any]:
        variables: dict[str, str] = {}
        for use in uses:
            for value in use.values.values():
                variables.setdefault(normalise(value), f"x{len(variables) + 1}")
        task = normalise(trajectory.task)
        kinds = {value: self.lexicon.kind(value) for value in variables}
        named = sorted(
            {kind for kind in kinds.values() if _stands_in(kind, task)}, key=lambda k: (-len(k), k)
        )[: len(_SLOTS)]
        slots = {kind: _SLOTS[i] for i, kind in enumerate(named)}
        goal = _with_slots(task, slots)
        slots = {kind: slot for kind, slot in slots.items() if "{" + slot + "}" in goal}
        parameters: dict[str, dict[str, Any]] = {
            slot: {"source": "task"} for slot in slots.values()
        }
        for value, name in variables.items():
            slot = slots.get(kinds[value])
            parameters[name] = (
                {"source": "entity", "of": slot} if slot is not None else {"source": "search"}
            )
        places = [
            {
                "run": f"{use.identifier}@1",
                "with": {own: variables[normalise(v)] for own, v in use.values.items()},
                "continue": "post",
                "repeat": "not post and not exhausted",
                "abort": "exhausted",
            }
            for use in uses
        ]
        document: dict[str, Any] = {
            "kind": "meta",
            "id": slug(goal, {*self.learned.procedures, *self.learned.metas, *_ids(uses)}),
            "version": 1,
            "status": "provisional",
            "goal": goal,
            "parameters": parameters,
            "plan": places,
            "provenance": {"learned_from": "1 demonstration", "abstracted_by": self.maker},
        }
        shared = [name for value, name in variables.items() if kinds[value] in slots]
        if len(shared) > 1:
            document["distinct"] = shared
        return document


def _ids(uses: Sequence[_Use]) -> set[str]:
    return {use.identifier for use in uses}


def _stands_in(phrase: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None


def _with_slots(task: str, slots: Mapping[str, str]) -> str:
    """Write slots in the places of kinds; the rest of the task stands for itself."""
    if not slots:
        return escape(task)
    cut = re.compile(rf"(?<!\w)({'|'.join(re.escape(kind) for kind in slots)})(?!\w)")
    parts = cut.split(task)
    return "".join("{" + slots[p] + "}" if i % 2 else escape(p) for i, p in enumerate(parts))


def _procedure_problem(document: Mapping[str, Any]) -> str | None:
    misfit = first_misfit("procedure", document)
    if misfit is not None:
        return f"it does not fit its schema: {misfit.problem}"
    try:
        issues = check_procedure(Procedure.from_document(document))
    except LibraryError as error:
        return str(error)
    wrong = [issue.message for issue in issues if issue.severity == "error"]
    return wrong[0] if wrong else None


def _meta_problem(
    document: Mapping[str, Any],
    procedures: Mapping[str, Mapping[str, Any]],
    metas: Mapping[str, Any],
) -> str | None:
    misfit = first_misfit("meta-procedure", document)
    if misfit is not None:
        return f"it does not fit its schema: {misfit.problem}"
    try:
        known = {name: Procedure.from_document(each) for name, each in procedures.items()}
        issues = check_meta(MetaProcedure.from_document(document), known, metas)
    except LibraryError as error:
        return str(error)
    wrong = [issue.message for issue in issues if issue.severity == "error"]
    return wrong[0] if wrong else None
