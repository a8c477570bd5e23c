"""The reasoner that asks a chat model, and steps back to the symbolic one wherever that fails."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ...graph.acting import spelled
from ...graph.budget import Meter
from ...graph.reasoning import KnownGoal, PlacePolicy, Segment, Situation, Suggestion, TaskReading
from ...procedures.checks.instructing import instructions_in
from ...procedures.common.errors import BudgetError, ConditionError, ModelError
from ...procedures.common.text import fold_space
from ...procedures.conditions.language import parse_condition
from ...procedures.conditions.text_patterns import instantiate, template_parameters
from ...procedures.episodes.trajectories import Trajectory, cleaned, find_problem
from ...procedures.model.procedure import MetaProcedure, Procedure
from ...procedures.redaction.redactor import Redactor
from ...procedures.words.lexicon import Lexicon
from .chat import ChatClient, Check
from .prompts import as_data, load_prompt, recorded
from .symbolic import SymbolicReasoner

_LATEST_ACTIONS = 12
"""Latest actions that a prompt tells of."""
_MOST_ACTIONS = 80
"""Most possible actions or frames that a prompt lists."""
_MOST_KINDS = 200
"""Most kinds that a prompt lists."""
_MOST_REFUTED = 8
"""Readings that came to nothing, the newest, that a prompt tells of."""
_MOST_RUNS = 5
"""Most runs of each sort that are compared."""


class LLMReasoner:
    """A chat model for what a reasoner may be asked, with the symbolic reasoner beneath it.

    Every answer is checked before it is used. Where there is none (the budget is used up, the
    server is gone, the answer is not usable after one repair), ``act`` does what the symbolic
    reasoner would do and all else abstains.

    Args:
        client: The model.
        symbolic: What acts where the model does not.
        lexicon: Known kinds and frames, which the model is told.
        reads_first: Whether the model reads tasks before the library does; else it is asked only
            where no procedure reaches θ_conf.
    """

    def __init__(
        self,
        client: ChatClient,
        symbolic: SymbolicReasoner,
        lexicon: Lexicon,
        *,
        reads_first: bool = False,
    ) -> None:
        self._client = client
        self._symbolic = symbolic
        self._lexicon = lexicon
        self.asks_model = True
        self.model = client.name
        self.reads_first = reads_first

    def confidence(self, meter: Meter) -> float:
        """Return 1 while the model can be asked, so that θ_conf decides; else as symbols are.

        Without a model, a doubtful procedure is better than guessing.
        """
        if self._client.resting or not meter.left:
            return self._symbolic.confidence(meter)
        return 1.0

    def act(self, situation: Situation, meter: Meter) -> str | None:
        """Return the model's action, or the symbolic one; an impossible action is not taken."""
        memory, possible = situation.memory, situation.admissible

        def wrong(answer: Mapping[str, Any]) -> str | None:
            action = str(answer["action"]).strip()
            if not action or "\n" in action or not action.isprintable():
                return "the action must be one line of text"
            if spelled(action, possible) is None:
                return "this action is not possible now; choose one that is listed"
            if fold_space(action) in memory.failed_actions and possible is None:
                return "this action was tried and did not work; choose another"
            return None

        if possible is not None:
            offer, listed = "Possible actions, one a line:", list(possible[:_MOST_ACTIONS])
        else:
            offer = "Ways to write actions, {0} and {1} standing for things:"
            listed = list(self._lexicon.frames)[:_MOST_ACTIONS]
        values = {
            "task": as_data(memory.task),
            "first": as_data(situation.first, 1_500),
            "history": recorded(
                [
                    (action, observation)
                    for action, observation, _ in situation.history[-_LATEST_ACTIONS:]
                ],
                first=max(1, len(situation.history) - _LATEST_ACTIONS + 1),
            ),
            "offer": offer,
            "actions": "\n".join(as_data(each, 200) for each in listed) or "(none known)",
        }
        answer = self._ask("act", values, meter, wrong)
        if answer is None:
            return self._symbolic.act(situation, meter)
        return spelled(str(answer["action"]).strip(), possible)

    def parse_task(
        self,
        task: str,
        observation: str,
        goals: Sequence[KnownGoal],
        meter: Meter,
        refuted: Sequence[str] = (),
    ) -> TaskReading | None:
        """Return the goal that the model names, every slot filled."""
        if not goals:
            return None

        def wrong(answer: Mapping[str, Any]) -> str | None:
            number = None if answer["goal"] is None else int(answer["goal"])
            if number is None:
                return None
            if not 1 <= number <= len(goals):
                return f"there is no goal {number}; they are numbered 1 to {len(goals)}"
            fillers = answer.get("fillers") or {}
            missing = [name for name in goals[number - 1].slots if not _word(fillers.get(name))]
            if missing:
                return f"these slots of goal {number} are not filled: {missing}"
            return self._passed_over(task, goals[number - 1], fillers)

        values = {
            "task": as_data(task),
            "observation": as_data(observation, 1_000),
            "goals": "\n".join(f"{n}. {as_data(g.goal, 300)}" for n, g in enumerate(goals, 1)),
            "refuted": "\n".join(as_data(each, 300) for each in refuted[-_MOST_REFUTED:])
            or "(none)",
            "kinds": ", ".join(
                as_data(kind, 60) for kind in sorted(self._lexicon.kinds)[:_MOST_KINDS]
            ),
        }
        answer = self._ask("parse_task", values, meter, wrong)
        if answer is None or answer["goal"] is None:
            return None
        goal = goals[int(answer["goal"]) - 1]
        fillers = answer.get("fillers") or {}
        return TaskReading(goal, {name: _word(fillers[name]) for name in goal.slots})

    def _passed_over(self, task: str, goal: KnownGoal, fillers: Mapping[str, Any]) -> str | None:
        """Say which known things the task names and the fillers pass over for things it does not.

        A model that is sure of things that nobody spoke of is not to be believed.
        """
        goal_words = set(fold_space(goal.goal).split())
        task_kinds = {chunk for chunk in self._lexicon.chunk(task) if chunk in self._lexicon.kinds}
        task_kinds -= goal_words
        filler_words = {_word(fillers[name]) for name in goal.slots}
        if len(filler_words & task_kinds) >= min(len(goal.slots), len(task_kinds)):
            return None
        return f"the task names {sorted(task_kinds - filler_words)}, and the fillers do not"

    def segment(self, trajectory: Trajectory, meter: Meter) -> tuple[Segment, ...] | None:
        """Cut a trajectory as the model does; stretches must stand in order within it."""

        def wrong(answer: Mapping[str, Any]) -> str | None:
            end = 0
            for segment in answer["segments"]:
                if not end < segment["first"] <= segment["last"] <= len(trajectory.acts):
                    return (
                        f"the segment {segment['first']} to {segment['last']} is out of order or "
                        f"beyond the {len(trajectory.acts)} actions"
                    )
                end = segment["last"]
            return next(filter(None, map(_why_unfit, _texts(answer["segments"]))), None)

        values = {
            "task": as_data(trajectory.task),
            "first": as_data(trajectory.obs[0], 1_500),
            "history": _history_text(trajectory),
        }
        answer = self._ask("segment", values, meter, wrong)
        if answer is None:
            return None
        return tuple(
            Segment(
                trajectory,
                str(each["goal"]),
                int(each["first"]) - 1,
                int(each["last"]),
                tuple(each.get("preconditions", ())),
                tuple(each.get("postconditions", ())),
            )
            for each in answer["segments"]
        )

    def abstract(self, segment: Segment, meter: Meter) -> Mapping[str, Any] | None:
        """Draft a procedure; its steps, with the parameters put back, are the segment's actions."""

        def wrong(answer: Mapping[str, Any]) -> str | None:
            return _replay_problem(answer, segment)

        values = {
            "goal": as_data(segment.goal),
            "history": recorded(zip(segment.actions, segment.observations, strict=True)),
        }
        return self._ask("abstract", values, meter, wrong)

    def contrast(
        self,
        procedure: Procedure,
        successes: Sequence[Segment],
        failures: Sequence[Segment],
        meter: Meter,
    ) -> Suggestion | None:
        """Compare runs; conditions must parse and use the procedure's parameters only."""

        def wrong(answer: Mapping[str, Any]) -> str | None:
            conditions = [*answer["preconditions"], *answer["postconditions"]]
            parameters = set(procedure.parameters)
            for step in answer.get("steps") or ():
                conditions += [step[key] for key in ("when", "unless") if key in step]
                unknown = _parameters_of(step["do"]) - parameters
                if unknown:
                    return f"a step uses unknown parameters: {sorted(unknown)}"
            texts = [*conditions, fold_space(answer["rationale"]) or "-"]
            return _parse_problem(conditions, parameters) or next(
                filter(None, map(_why_unfit, texts)), None
            )

        values = {
            "procedure": as_data(json.dumps(procedure.to_document(), ensure_ascii=False), 4_000),
            "successes": _runs(successes),
            "failures": _runs(failures),
        }
        answer = self._ask("contrast", values, meter, wrong)
        if answer is None:
            return None
        steps = answer.get("steps")
        return Suggestion(
            preconditions=tuple(answer["preconditions"]),
            postconditions=tuple(answer["postconditions"]),
            steps=tuple(steps) if steps is not None else None,
            rationale=answer["rationale"],
        )

    def distil_policy(
        self, meta: MetaProcedure, trajectories: Sequence[Trajectory], meter: Meter
    ) -> tuple[PlacePolicy, ...] | None:
        """Return Θ for each place of a plan; conditions must parse and know the parameters."""

        def wrong(answer: Mapping[str, Any]) -> str | None:
            places = answer["places"]
            if len(places) != len(meta.plan):
                return f"the plan has {len(meta.plan)} places and the answer {len(places)}"
            listed = [text for place in places for text in place.values()]
            return _parse_problem(listed, set(meta.parameters)) or next(
                filter(None, map(_why_unfit, listed)), None
            )

        values = {
            "plan": as_data(json.dumps(meta.to_document(), ensure_ascii=False), 4_000),
            "episodes": "\n\n".join(map(_episode, trajectories[: 2 * _MOST_RUNS])),
        }
        answer = self._ask("distil_policy", values, meter, wrong)
        if answer is None:
            return None
        return tuple(
            PlacePolicy(
                proceed=place.get("continue"),
                skip=place.get("skip"),
                repeat=place.get("repeat"),
                abort=place.get("abort"),
            )
            for place in answer["places"]
        )

    def _ask(
        self, name: str, values: Mapping[str, str], meter: Meter, wrong: Check
    ) -> dict[str, Any] | None:
        try:
            return self._client.ask(load_prompt(name), values, meter, wrong)
        except (BudgetError, ModelError):
            return None


def _word(text: Any) -> str:
    word = fold_space(text).lower() if isinstance(text, str) else ""
    # A filler goes into state and files: it must be what a trajectory's texts may be.
    document = {"task": word or "-", "obs": ["", ""], "acts": ["-"], "success": True}
    return "" if find_problem(document) else word


def _texts(segments: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for each in segments:
        yield from (each["goal"], *each.get("preconditions", ()), *each.get("postconditions", ()))


def _why_unfit(text: str) -> str | None:
    """Say why a text may not stand in a library's files, or None."""
    if not text.strip() or cleaned(text) != text or not text.isprintable():
        return "each text must be one line of plain text"
    for what, _ in instructions_in(text):
        return f"a text {what}; say only what was done and seen"
    if Redactor().text(text) != text:
        return "a text holds what looks like a secret; leave it out"
    return None


def _history_text(trajectory: Trajectory) -> str:
    return recorded(zip(trajectory.acts[:60], trajectory.obs[1:61], strict=True))


def _episode(trajectory: Trajectory) -> str:
    outcome = "solved" if trajectory.success else "not solved"
    return f"Task, {outcome}: {as_data(trajectory.task)}\n{_history_text(trajectory)}"


def _runs(segments: Sequence[Segment]) -> str:
    histories = [
        recorded(zip(each.actions, each.observations, strict=True))
        for each in segments[:_MOST_RUNS]
    ]
    return "\n\n".join(histories) or "(none)"


def _parameters_of(template: str) -> set[str]:
    try:
        return set(template_parameters(template))
    except ConditionError:
        return {"(a template that does not parse)"}


def _parse_problem(conditions: Sequence[str], parameters: set[str]) -> str | None:
    for text in conditions:
        try:
            unknown = set(parse_condition(text).parameters()) - parameters
        except ConditionError as error:
            return str(error)[:300]
        if unknown:
            return f"the condition {text[:100]!r} uses unknown parameters: {sorted(unknown)}"
    return None


def _replay_problem(draft: Mapping[str, Any], segment: Segment) -> str | None:
    """Say why a draft does not give its own segment's actions, or None if it does."""
    value_by_parameter = draft["parameters"]
    used_parameters: set[str] = set()
    last_place = -1
    for step in draft["steps"]:
        unknown = _parameters_of(step) - value_by_parameter.keys()
        if unknown:
            return f"the step {step[:100]!r} uses names that are no parameters: {sorted(unknown)}"
        used_parameters |= _parameters_of(step)
        action = fold_space(instantiate(step, value_by_parameter) or "")
        later = range(last_place + 1, len(segment.actions))
        place = next((i for i in later if fold_space(segment.actions[i]) == action), None)
        if place is None:
            return f"the step {step[:100]!r} with the parameters put back is no (later) action"
        last_place = place
    if last_place != len(segment.actions) - 1:
        return f"the last step must be the last action, {segment.actions[-1][:100]!r}"
    unknown = _parameters_of(draft["goal"]) - used_parameters
    if unknown:
        return f"the goal uses names that no step uses: {sorted(unknown)}"
    if spare := value_by_parameter.keys() - used_parameters:
        return f"no step uses these parameters: {sorted(spare)}"
    same = [
        (a, b)
        for a, b in pairwise(sorted(value_by_parameter, key=value_by_parameter.__getitem__))
        if value_by_parameter[a] == value_by_parameter[b]
    ]
    return f"these parameters stand for the same text: {same[0]}" if same else None
