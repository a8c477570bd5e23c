"""Learning online by practice: play, learn, play again; resumable, with a learning curve.

What happened is kept in ``.macla/practice.jsonl`` of the library (:mod:`.practice_log`). A practice
that was interrupted or killed goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from ...adapters.git.stores import is_tracked
from ...adapters.reasoners import make_client, make_reasoner
from ...adapters.reasoners.models import ReasonerName
from ...adapters.session import LibrarySession
from ...adapters.teaching.practice_changes import Changes
from ...adapters.teaching.practice_log import Played, PracticeLog, read_played
from ...graph.build import compiled_loop, recursion_limit
from ...graph.context import MaclaContext
from ...graph.finished_episode import trajectory_of
from ...graph.knowledge import Knowledge
from ...graph.state import EpisodeInput
from ...procedures.common.errors import EnvironmentFailure, LedgerError, MaclaError, TrajectoryError
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.evidence.posterior import posterior_mean, posterior_sd
from ...procedures.learning.episode_buffer import IF_REMOVED
from ...procedures.learning.online import OnlineLearner, OnlineSettings
from ...procedures.library.footprint import Footprint, footprint
from ...procedures.proposals.policy import Policy
from ...procedures.redaction.redactor import Redactor
from ...procedures.refinement.forming import FormationRule
from ...procedures.refinement.occasions import BEGAN
from ...procedures.refinement.refinery import Refinery
from ...procedures.sharing.exchange import write_lock
from ..players.arms import Setting, make_environment
from ..running.metered import MeteredEnvironment
from ..suites.suites import EvalTask

__all__ = ["Played", "PracticeSetting", "Practised", "in_order", "practise", "read_played"]

_FACTS = "practice"
"""Key of a buffered episode's ``info``: what its line in the practice file says of its play."""
_RUN = "online:"
_AGAIN = "#again"
_MOST_AGAIN = 2
"""How often a game is played again at once."""


@dataclass(frozen=True, slots=True)
class PracticeSetting:
    """How practice goes.

    Attributes:
        episode: How an episode is played; its library is the one that learns.
        experiments: Most actions an episode spends on experiments.
        learning: When to learn and how much to keep.
        forming: Plans are formed out of what was played every so many episodes (N_relearn).
        policy: How changes get into the library: ``auto`` or ``review``; None for its own.
    """

    episode: Setting
    experiments: int = 15
    learning: OnlineSettings = field(default_factory=lambda: OnlineSettings(every=1))
    forming: int = 50
    policy: Policy | None = None


@dataclass(frozen=True, slots=True)
class Practised:
    """A practice, complete or interrupted.

    Attributes:
        played: All episodes so far, those of earlier calls included.
        interrupted: Whether it was stopped before its end.
        refused: The latest changes that could not be made, with reasons.
        refusals: How many could not be made.
        footprint: What the library takes up now.
        before: How many of them earlier calls played.
        demonstrations: How many demonstrations were learned from, earlier ones included.
        removed: Ids of what went for want of room.
        lacking: Why nothing was learned afresh, only what was there refined, or "".
    """

    played: tuple[Played, ...]
    interrupted: bool
    refused: tuple[str, ...]
    footprint: Footprint
    before: int = 0
    demonstrations: int = 0
    removed: tuple[str, ...] = ()
    lacking: str = ""
    refusals: int = 0


def practise(
    setting: PracticeSetting,
    tasks: Collection[EvalTask],
    *,
    episodes: int | None = None,
    demonstrations: Sequence[Trajectory] = (),
    progress: Callable[[Played, int, int], None] | None = None,
    warn: Callable[[str], None] = lambda _: None,
) -> Practised:
    """Play tasks in order and learn after each.

    Args:
        setting: How; the library must be there.
        tasks: What to play; those that were played before are not played again, save that one
            which taught something new is played once more, to see whether it is true.
        episodes: How many to play in all; by default as many as there are tasks.
        demonstrations: Learned from as well, besides what the library was taught from.
        progress: Called after each episode with it, the number played and of how many.
        warn: Told what practice cannot do.

    Raises:
        LibraryError: The library cannot be used.
        LockError: Another practice is under way in it.
        LedgerError: Its evidence cannot be used, or is gone.
        DataError: A task is not one.
    """
    path = Path(setting.episode.library or "")
    log = PracticeLog(path)
    with LibrarySession.open(path) as session, log.opened() as before:
        if any(each.steps for each in before) and not session.ledger.total():
            raise LedgerError(
                f"{path / '.macla' / 'evidence.db'} holds no evidence, although {len(before)} "
                "episodes were practised; restore it, or begin anew with another library"
            )
        known, done = {each.id for each in before}, len(before)
        left = (task for task in tasks if task.id not in known)
        total = len(tasks) if episodes is None else episodes
        played = sum(bool(each.steps) for each in before)
        practice = _Practice(session, setting, demonstrations, number=done, played=played)
        if practice.learner.lacking:
            warn(
                f"{path}: {practice.learner.lacking}; what the library holds is refined, and "
                "nothing is learned afresh"
            )
        interrupted = False
        if before:
            practice.go_on_after(before[-1], tasks)
        practice.begin()
        try:
            while done < total:
                task = practice.again or next(left, None)
                if task is None:
                    break
                each = practice.play(task)
                # Kept in the file alone: a long practice must not fill the memory.
                log.append(each)
                done += 1
                if progress is not None:
                    progress(each, done, total)
        except KeyboardInterrupt:
            interrupted = True
        if not is_tracked(path):  # in git it goes with the commit of the next change
            write_lock(session.library, session.ledger)
        return practice.done(tuple(read_played(log.file)), interrupted=interrupted)


class _Practice:
    """An open library that plays and learns."""

    def __init__(
        self,
        session: LibrarySession,
        setting: PracticeSetting,
        demonstrations: Sequence[Trajectory],
        *,
        number: int = 0,
        played: int = 0,
    ) -> None:
        self.session = session
        self.setting = setting
        self._ablated = setting.episode.ablated | session.learned_without
        self._change = Changes(session, setting.policy)
        self.learner = OnlineLearner(
            session.library,
            session.ledger,
            demonstrations=demonstrations,
            similarity=session.similarity,
            settings=setting.learning,
            place=self._change.place,
            adopt=self._change.adopt,
            forget=self._change.forget,
            without=self._ablated,
            played=played,
            redact=Redactor.of_machine().trajectory,
        )
        self.refinery = (
            None
            if "contrast" in self._ablated
            else Refinery.of(
                session.library,
                session.ledger,
                self._change.place,
                episodes=lambda: self.learner.episodes,
                revisions=self._change.revisions,
            )
        )
        self.again: EvalTask | None = None
        self._number = self._before = number
        self._opened = True
        self._graph = compiled_loop()
        self._environment: MeteredEnvironment | None = None
        self._knowledge = session.knowledge(ablated=self._ablated)
        chosen = session.loop_settings(
            horizon=setting.episode.max_steps,
            seed=setting.episode.seed,
            preset=setting.episode.preset,
            ablated=self._ablated,
        )
        self._settings = replace(
            chosen, experiments=setting.experiments, budget=setting.episode.budget
        )
        self._reasoner = ReasonerName.parse(setting.episode.reasoner)
        self._client = make_client(
            self._reasoner, timeout=setting.episode.budget.timeout, seed=setting.episode.seed
        )

    def done(self, played: tuple[Played, ...], *, interrupted: bool) -> Practised:
        """Return what came of it."""
        learner, change, library = self.learner, self._change, self.session.library
        left = {*library.metas, *library.procedures}
        return Practised(
            played,
            interrupted,
            refused=(*learner.refused, *change.refused),
            footprint=footprint(library, self.session.ledger),
            before=self._before,
            demonstrations=learner.demonstrations,
            removed=tuple(name for name in learner.forgotten if name not in left),
            lacking=learner.lacking,
            refusals=learner.refused.total + change.refused.total,
        )

    def begin(self) -> None:
        """Take in the demonstrations that the library was not taught from yet; keep to its room."""
        learner = self.learner
        self._refresh(learner.relearn() if learner.behind else learner.prune())

    def go_on_after(self, last: Played, tasks: Collection[EvalTask]) -> None:
        """Find out whether the episode before an interruption was to be played again.

        Raises:
            TrajectoryError: It is not among the episodes that are kept.
        """
        first = last.id.partition(_AGAIN)[0]
        checked = last.id != first
        episode = self._kept(last.id)
        if last.steps:
            self._refuse_cut(last.id)
        if not (checked or last.learned) or not self._again_doubtful(last.id):
            return
        if checked and (episode is None or not _in_vain(episode)):
            return
        task = next((each for each in tasks if each.id == first), None)
        if task is not None:
            self.again = replace(task, id=last.id + _AGAIN)

    def play(self, task: EvalTask) -> Played:
        """Play one task and learn from it; what was played before a kill is not played again."""
        started = time.perf_counter()
        error = ""
        episode = self._kept(task.id)
        # What an earlier one taught was seen once more if that is kept too.
        killed = episode is not None and (
            self.learner.episodes[-1] is episode or self._kept(task.id + _AGAIN) is not None
        )
        try:
            episode = episode or self._play(task)
        except EnvironmentFailure as failure:
            error, self._environment = str(failure), None
        over = time.perf_counter()
        self._number += 1
        facts: Mapping[str, Any] = episode.info.get(_FACTS, {}) if episode else {}
        refined = tuple(facts.get("refined", ()))
        changed = any(each.endswith(": accepted") for each in refined)
        checking, self.again = self.again, None
        if episode is not None and episode.acts:
            changed |= self._learn(task, episode, checking=checking is not None, killed=killed)
        changed |= self._form()
        if changed:
            # Plans that were formed and variants need room as what was learned does.
            self.learner.prune()
        self._refresh(changed)
        mean, sd = self._posterior()
        return Played(
            id=task.id,
            won=episode is not None and episode.success,
            steps=len(episode.acts) if episode else 0,
            fallback=int(facts.get("fallback", 0)),
            experiments=int(facts.get("experiments", 0)),
            procedures=len(self._knowledge.procedures),
            metas=len(self._knowledge.metas),
            mean=round(mean, 6),
            sd=round(sd, 6),
            learned=changed,
            seconds=(round(over - started, 6), round(time.perf_counter() - over, 6)),
            error=error,
            refined=refined,
        )

    def _learn(self, task: EvalTask, episode: Trajectory, *, checking: bool, killed: bool) -> bool:
        """Take an episode in; say whether the library changed."""
        changed = self.learner.add(episode)
        if checking and _in_vain(episode):
            changed |= self.learner.doubt(self._run(task.id.partition(_AGAIN)[0]))
        elif checking or not (changed or (killed and self.learner.taught(episode))):
            return changed
        if self._again_doubtful(task.id):
            self.again = replace(task, id=task.id + _AGAIN)
        return changed

    def _again_doubtful(self, task: str) -> bool:
        """Tell whether what a game taught is to be seen once more."""
        first = task.partition(_AGAIN)[0]
        return task.count(_AGAIN) < _MOST_AGAIN and self.learner.doubtful(self._run(first))

    def _refuse_cut(self, task: str) -> None:
        """Refuse to go on without what was learned from: the last episode is always kept."""
        file, kept = self.session.library.path / ".macla" / "episodes.jsonl", self.learner.episodes
        full = len(kept) >= self.setting.learning.buffer
        if file.exists() and not full and not any(each.id.endswith(f":{task}") for each in kept):
            raise TrajectoryError(
                f"{file} was cut off: it lacks the episode {task!r}, which was practised; "
                f"{IF_REMOVED}"
            )

    def _kept(self, task: str) -> Trajectory | None:
        """Return the episode of a task, if it is still kept."""
        run = self._run(task)
        return next((each for each in reversed(self.learner.episodes) if each.id == run), None)

    def _form(self) -> bool:
        """Form plans out of what was played, where that is due; say whether the library changed."""
        if self.refinery is None or "meta" in self._ablated:
            return False
        if self._number % self.setting.forming:
            return False
        rule = FormationRule.paper() if self._settings.preset.strict else None
        changed = False
        for proposal in self.refinery.form(rule):
            try:
                changed |= self.refinery.submit(proposal) == "accepted"
            except MaclaError as error:  # noqa: PERF203 (locked, or changed meanwhile)
                self.learner.refused.append(f"{proposal.id}: {error}")
        return changed

    def _play(self, task: EvalTask) -> Trajectory:
        """Play one task to its end."""
        setting = self.setting.episode
        run = self._run(task.id)
        if self._opened and next(self.session.ledger.rows(run=run), None) is not None:
            # What a killed play of it left in the ledger must not make this one another.
            self._knowledge = self.session.knowledge(without=run, ablated=self._ablated)
        self._opened = False
        environment = self._environment = self._environment or make_environment(setting)
        text, observation = environment.reset(task.reference)
        context = MaclaContext(
            self._knowledge,
            environment,
            make_reasoner(
                self._reasoner,
                self._client,
                self.session.reasoner(self._knowledge),
                self._knowledge.lexicon,
            ),
            ledger=self.session.ledger,
            settings=self._settings,
            refinery=self.refinery,
        )
        start: EpisodeInput = {
            "task": text,
            "observation": observation,
            "run": run,
            "horizon": setting.max_steps,
        }
        limit = recursion_limit(setting.max_steps)
        state: Any = self._graph.invoke(start, context=context, config={"recursion_limit": limit})
        episode = trajectory_of(state)
        facts = {
            "fallback": state["counters"]["fallback_actions"],
            "experiments": state["counters"]["experiments"],
            "refined": [f"{each['target']}: {each['note']}" for each in state["refined"]],
        }
        return replace(episode, info={**episode.info, _FACTS: facts})

    def _run(self, task: str) -> str:
        return f"{_RUN}{self.setting.episode.seed}:{task}"

    def _refresh(self, changed: bool) -> None:
        """Take in what the episode changed: new evidence only, or the whole library."""
        if changed:
            self.session.library.refresh()
            self._knowledge = self.session.knowledge(ablated=self._ablated)
        else:
            self._knowledge = self.session.with_new_evidence(self._knowledge, self._ablated)

    def _posterior(self) -> tuple[float, float]:
        """Mean over procedures of the means and of the standard deviations of their posteriors."""
        known: Knowledge = self._knowledge
        both = [known.posterior("procedure", p.id, p.version) for p in known.procedures.values()]
        if not both:
            return 0.0, 0.0
        means = sum(posterior_mean(a, b) for a, b in both) / len(both)
        return means, sum(posterior_sd(a, b) for a, b in both) / len(both)


def in_order(tasks: Sequence[EvalTask], seed: int, without: Mapping[str, Any]) -> list[EvalTask]:
    """Return tasks in a random order that a seed fixes, those that were shown left out."""
    found = [task for task in tasks if task.id not in without]
    Random(seed).shuffle(found)  # noqa: S311 (not cryptography)
    return found


def _in_vain(episode: Trajectory) -> bool:
    """Tell whether a game that was played again was not solved straight away."""
    return not episode.success or BEGAN in episode.info
