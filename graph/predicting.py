"""What the loop would do at each step of a recorded episode; see :mod:`macla.procedures.proof`.

Possible actions are not recorded, so the loop predicts as it plays where they are hidden. Where an
attempt is one of several candidates (a place to search, a thing to choose), the next ones are asked
for, by the very node that prepares attempts, until one begins with what was shown; the episode
goes on from there, and the candidates that were passed over are still open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..procedures.common.text import fold_space
from ..procedures.conditions.text_patterns import (
    Pattern,
    instantiate,
    normalise,
    template_parameters,
)
from ..procedures.episodes.trajectories import Trajectory, cleaned
from ..procedures.planning.place_planner import explorations
from ..procedures.programs.reproducing import predictions_of
from ..procedures.proof.predictions import PredictedStep, Prediction, Shown
from ..procedures.words.lexicon import frame_of
from .context import LoopSettings
from .executions import run_ref
from .following import program_in_use
from .forcing import Forced, Moment
from .knowledge import Knowledge
from .phases import Attempt, Execution
from .protocols import Reasoner
from .state import MaclaState, steps_of

_LOOKED_FOR = ("search", "place", "choice")
"""Sources of parameters that are found by looking, and not in what somebody said."""
_MOST_CANDIDATES = 60
"""Attempts that are asked for at one step."""


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Other attempts than the first: their first actions, and where the shown one begins."""

    actions: tuple[str, ...] = ()
    begins: Moment | None = None


class LoopPredictor:
    """Predicts text episodes with the nodes of the loop.

    Args:
        knowledge: What the library holds.
        reasoner: As in play; it should raise :class:`~.forcing.Untrusted` instead of acting.
        settings: Of the loop.
    """

    def __init__(self, knowledge: Knowledge, reasoner: Reasoner, settings: LoopSettings) -> None:
        self._all = knowledge
        self._reasoner = reasoner
        self._settings = replace(settings, experiments=0)
        self._idle_by_world: dict[int, frozenset[str]] = {}

    def begin(self, episode: Trajectory) -> Sequence[Shown]:
        """Start an episode."""
        self._episode = episode
        self._at = 0
        self._last: tuple[str, ...] = ()
        self._program: Sequence[Prediction] = ()
        first = cleaned(episode.obs[0])
        # The nodes know no more than what is known of the episode's world.
        self._knowledge = self._all.of(episode.task, first)
        self._forced = Forced(
            self._knowledge, self._reasoner, self._settings, episode.task, first, len(episode.acts)
        )
        self._moment, _ = self._forced.wanted(self._forced.start)
        if (file := program_in_use(self._moment.state, self._knowledge)) is not None:
            self._program = predictions_of(file, episode, fold_space, self._shape)
        last = len(episode.acts) - 1
        return [
            Shown(fold_space(act), act, self._shape(act), final=number == last)
            for number, act in enumerate(episode.acts)
        ]

    def predict(self, shown: Shown) -> Prediction:
        """Say what the loop would do; a program that plays says it for all of the episode."""
        if self._program:
            return self._program[self._at]
        if shown.shape in self._frames_without_use() and not shown.final:
            return Prediction(None, abstains=True)
        self._others = _Candidates()
        self._moment, action = self._forced.wanted(self._moment)
        if action is None:
            return Prediction(None, because=self._untrusted(), by=self._last)
        key = fold_space(action)
        self._others = self._candidates(shown.action, key)
        self._last = _by(self._moment.state)
        prediction = Prediction(
            key, action, self._shape(action), self._others.actions, by=self._last
        )
        if not PredictedStep(shown, prediction).diverges:
            return prediction
        if not shown.final and self._is_glance():
            return Prediction(None, by=self._last, abstains=True)
        return replace(prediction, because=self._because(shown))

    def observe(self, step: PredictedStep) -> None:
        """Go on with what was shown and observed."""
        self._at += 1
        if self._program or not step.counts:
            return  # the loop does not see the answer to what it would not do
        over = self._at == len(self._episode.acts)
        won = over and self._episode.success
        observation, reward = self._episode.obs[self._at], float(won)
        if step.diverges:
            if (other := self._achieved_otherwise(step.shown.text)) is not None:
                after = self._forced.done(other, observation, reward, over=over, won=won)
                if steps_of(after.state) > steps_of(other.state):  # it was not left out
                    self._moment = after
                    self._forced.events.clear()
                    return
            self._moment = self._forced.forced(
                self._moment, step.shown.text, observation, reward, over=over, won=won
            )
            return
        begins = self._others.begins or self._moment
        self._moment = self._forced.done(begins, observation, reward, over=over, won=won)
        self._forced.events.clear()

    def _frames_without_use(self) -> frozenset[str]:
        """Return the frames of the episode's world that nothing learned there has a use for."""
        world = id(self._knowledge)
        if world not in self._idle_by_world:
            self._idle_by_world[world] = _idle_frames(self._knowledge)
        return self._idle_by_world[world]

    def _is_glance(self) -> bool:
        """Tell whether the step looks again where the same action showed as many things before."""
        acts, answers, lexicon = self._episode.acts, self._episode.obs[1:], self._knowledge.lexicon
        action, things = acts[self._at], set(lexicon.entities(answers[self._at]))
        if self._knowledge.world.only_acts(self._shape(action)):
            return False
        return any(
            earlier == action and things.issubset(lexicon.entities(answer))
            for earlier, answer in zip(acts[: self._at], answers, strict=False)
        )

    def _achieved_otherwise(self, action: str) -> Moment | None:
        """Return the moment at which the attempt's last step is this action, if it may be.

        What was shown does what the attempt is for to a thing that the plan names, where the rest
        is looked for: the plan goes on behind it, or every later step would be missed for this one.
        Another thing than the plan would name, or read in a text, is another deed.
        """
        execution, attempt = _attempt_of(self._moment)
        if execution is None or attempt is None or attempt["purpose"] != "run":
            return None
        procedure = self._knowledge.procedure(attempt["ref"])
        template, bound = procedure.steps[-1].do or "", execution["bound"]
        used = set(template_parameters(template))
        free = used - bound.keys()
        if any(procedure.parameters[p].source not in _LOOKED_FOR for p in free) or (
            free == used and not self._alike(action, self._deed(attempt))
        ):
            return None
        number = len(procedure.steps) - 1
        if number not in attempt["steps"] or not Pattern.parse(template).bind(bound).matches(
            normalise(action)
        ):
            return None
        last, attempt = attempt["steps"].index(number), attempt.copy()
        frame, arguments = self._knowledge.lexicon.parse(action)
        if frame == frame_of(template):
            things = dict(zip(template_parameters(template), arguments, strict=True))
            attempt["binding"] = attempt["binding"] | things
        attempt |= {"route": [], "step": last, "repeated": 0, "action": action}
        execution = {**execution, "attempt": attempt}
        return Moment({**self._moment.state, "execution": execution}, "execute")

    def _shape(self, action: str) -> str:
        return self._knowledge.lexicon.parse(action)[0]

    def _candidates(self, shown: str, first: str) -> _Candidates:
        """Ask for other attempts until one begins with what was shown."""
        moment = self._moment
        execution, attempt = _attempt_of(moment)
        if execution is None or attempt is None:
            return _Candidates()
        if attempt["purpose"] == "explore":
            return self._explorations(execution, attempt, shown, first)
        if not _is_choice(execution, attempt):
            return _Candidates()
        if self._does_it(attempt, first):
            # What is done to a thing is no search for another one, unless only a number differs.
            begins = self._achieved_otherwise(shown) if self._alike(shown, first) else None
            return _Candidates() if begins is None else _Candidates((shown,), begins)
        open_before = _before(moment.state, execution, attempt)
        events = len(self._forced.events)
        actions: list[str] = []
        current = moment
        for _ in range(_MOST_CANDIDATES):
            marks = _marks(current.state)
            current, action = self._forced.wanted(
                Moment(current.state, "check_pre"), lambda each: _elsewhere(each, moment)
            )
            if action is None or current.node != "execute" or _marks(current.state) == marks:
                break
            key = fold_space(action)
            _, other = _attempt_of(current)
            if other is not None and self._does_it(other, key):
                continue
            if key != first and key not in actions:
                actions.append(key)
            if key == shown != first:
                begins = Moment(_passed_over(current.state, open_before), current.node)
                del self._forced.events[events:]
                return _Candidates(tuple(actions), begins)
            if actions and shown == first:
                break  # it is a choice, and that is all that is asked
        del self._forced.events[events:]
        return _Candidates(tuple(actions))

    def _explorations(
        self, execution: Execution, attempt: Attempt, shown: str, first: str
    ) -> _Candidates:
        """Return other ways to explore; the attempt begins with the shown one, if it is one."""
        ways = map(fold_space, explorations(self._forced.memory(self._moment)))
        others = tuple(way for way in ways if way != first)
        if shown not in others:
            return _Candidates(others)
        attempt = {**attempt, "route": [shown]}
        state: MaclaState = {**self._moment.state, "execution": {**execution, "attempt": attempt}}
        return _Candidates(others[: others.index(shown) + 1], Moment(state, self._moment.node))

    def _does_it(self, attempt: Attempt, action: str) -> bool:
        """Whether an action is the last step of an attempt: what its procedure is for."""
        return attempt["purpose"] == "run" and self._deed(attempt) == normalise(action)

    def _deed(self, attempt: Attempt) -> str:
        """Return the action of the last step of an attempt, normalised."""
        final = self._knowledge.procedure(attempt["ref"]).steps[-1].do or ""
        return normalise(instantiate(final, attempt["binding"]) or "")

    def _alike(self, action: str, other: str) -> bool:
        """Tell whether two actions do the same to things of the same kinds."""
        lexicon = self._knowledge.lexicon
        (frame, things), (other_frame, other_things) = map(lexicon.parse, (action, other))
        return action != other and (frame, *map(lexicon.kind, things)) == (
            other_frame,
            *map(lexicon.kind, other_things),
        )

    def _untrusted(self) -> str:
        """Say why nothing would be done: the plan that ended last, if one did."""
        why = "no procedure is trusted"
        for event in reversed(self._forced.events):
            if event["node"] == "check_post" and event.get("theta") == "abort":
                return f"{why} after the plan ended ({event['because']})"
            if event["node"] == "check_pre" and "refused" in event:
                return f"{why} after the plan was refused ({event['refused']})"
            if event["node"] == "check_pre":
                false = [each for each in event.get("preconditions", ()) if each["value"] is False]
                if false:
                    return f"{why} after a precondition was false ({false[0]['condition']})"
            if event["node"] == "check_post" and event.get("theta") == "continue":
                return f"{why} after the plan came to its end"
        return why

    def _because(self, shown: Shown) -> str:
        """Say why what was shown would not be done: it is left out, no candidate, not its turn."""
        moment = self._moment
        _, attempt = _attempt_of(moment)
        if attempt is not None:
            for skipped in self._forced.event(moment).get("skipped", ()):
                left = instantiate(str(skipped["do"]), attempt["binding"]) or ""
                if normalise(left) == normalise(shown.action):
                    return f"{skipped['do']!r} is left out: {skipped['because']}"
        if shown.final and shown.action in self._others.actions:
            return "it is only one of the candidates, and the last step is not tried twice"
        if self._others.actions:
            return f"none of {len(self._others.actions) + 1} candidates begins so"
        if attempt is not None:
            name = attempt["ref"].rpartition("@")[0]
            if attempt["route"]:
                return f"it is on the way to what {name} needs"
            return f"step {attempt['steps'][attempt['step']] + 1} of {name} comes next"
        return "another action comes next"


def _idle_frames(knowledge: Knowledge) -> frozenset[str]:
    """Return the frames that demonstrations hold and that nothing learned has a use for."""
    world = knowledge.world
    steps = (step.do for each in knowledge.procedures.values() for step in each.steps)
    used = {frame_of(template) for template in steps if template is not None}
    used.update(rule.frame for rule in world.rules)
    used.update(
        frame
        for by_position in world.needs.values()
        for each in by_position.values()
        for frame in each
    )
    return frozenset(
        frame for frame in knowledge.lexicon.frames if frame not in used and world.only_acts(frame)
    )


def _by(state: MaclaState) -> tuple[str, ...]:
    """Return ids of the procedure and of the plan that act."""
    execution, plan = state["execution"], state["plan"]
    refs = [run_ref(execution) if execution else None, plan["meta"] if plan else None]
    return tuple(ref.rpartition("@")[0] for ref in refs if ref)


def _attempt_of(moment: Moment) -> tuple[Execution | None, Attempt | None]:
    """Return the attempt that is about to act, with its execution; None where none is."""
    execution = moment.state["execution"] if moment.node == "execute" else None
    return execution, execution["attempt"] if execution else None


def _is_choice(execution: Execution, attempt: Attempt) -> bool:
    """Whether an attempt's things are chosen, at least in part, and not given."""
    return attempt["look"] is not None or not attempt["binding"].keys() <= execution["bound"].keys()


def _marks(state: MaclaState) -> tuple[Sequence[object], ...]:
    """Return what tells that an attempt was made."""
    execution, looked = state["execution"], state["search"]["visited"]
    return (execution["tried"], looked, execution["prepared"]) if execution else ([], looked, [])


def _elsewhere(moment: Moment, before: Moment) -> bool:
    """Whether the plan has left the place at which candidates are asked for."""
    plan, old = moment.state["plan"], before.state["plan"]
    if plan is None or old is None:
        return True
    ended = moment.state["verdict"] in ("exhausted", "refused")
    moved = plan["cursor"] != old["cursor"] or len(plan["items"]) != len(old["items"])
    return ended or moved


def _before(state: MaclaState, execution: Execution, attempt: Attempt) -> MaclaState:
    """Return the state as it was before an attempt that has not done anything yet."""
    if attempt["began"] < steps_of(state):
        return state
    search, before = state["search"].copy(), execution.copy()
    if attempt["look"] is not None:
        search["visited"] = _less(search["visited"], attempt["look"])
    if attempt["purpose"] == "run":
        before["tried"] = execution["tried"][:-1]
    if attempt["purpose"] == "prepare":
        before["prepared"] = execution["prepared"][:-1]
    before["attempts"] = execution["attempts"] - 1
    return {**state, "search": search, "execution": before}


def _passed_over(state: MaclaState, before: MaclaState) -> MaclaState:
    """Return a state at the beginning of an attempt, the candidates before it still open."""
    execution, old = state["execution"], before["execution"]
    assert execution is not None  # noqa: S101 (the caller is in an attempt)
    assert old is not None  # noqa: S101
    attempt = execution["attempt"]
    assert attempt is not None  # noqa: S101
    search, started, purpose = before["search"].copy(), execution.copy(), attempt["purpose"]
    if attempt["look"] is not None:
        search["visited"] = [*search["visited"], attempt["look"]]
    tried = execution["tried"][-1:] if purpose == "run" else []
    prepared = execution["prepared"][-1:] if purpose == "prepare" else []
    started["tried"] = [*old["tried"], *tried]
    started["prepared"] = [*old["prepared"], *prepared]
    started["attempts"] = old["attempts"] + 1
    return {**state, "search": search, "execution": started}


def _less(names: Sequence[str], name: str) -> list[str]:
    """Return names without the last occurrence of one."""
    kept = list(names)
    if name in kept:
        kept.reverse()
        kept.remove(name)
        kept.reverse()
    return kept
