"""Practice by reward: play tasks, try candidates out, learn what they are worth.

Where a choice of a program is open and an environment pays by degrees, the reward tells which
candidates are good. Each episode opens what it can, so that it is seen, and takes either any
candidate, the early ones of the list more often, or the one that seems best. Some episodes take
nothing and only look (:mod:`.reading_further`). What was taken and what it brought stands in
``.macla/rewards.jsonl`` of the library (:mod:`.reward_log`), what was seen in ``seen.jsonl``
beside it; a practice that was interrupted goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

from ...adapters.git.stores import is_tracked
from ...adapters.session import LibrarySession
from ...adapters.submitting import policy_of, submitter
from ...adapters.teaching.practice_log import PracticeLog
from ...graph.build import compiled_loop, recursion_limit
from ...graph.context import MaclaContext
from ...graph.finished_episode import trajectory_of
from ...graph.state import EpisodeInput
from ...procedures.common.errors import EnvironmentFailure, LibraryError, MaclaError
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.learning.taught import read_taught
from ...procedures.library.library import Library
from ...procedures.programs.documents.program_file import DEFAULT_STATUS, REASON, ProgramFile
from ...procedures.programs.learning.valuing import (
    WORTH,
    OpenChoice,
    open_choice,
    outcome_of,
    taken_before,
    valued_choice,
    with_worth,
    worth_shown,
)
from ...procedures.proposals.learned import propose_programs
from ...procedures.proposals.policy import Policy
from ...procedures.redaction.redactor import Redactor
from ...procedures.worth.experience import Experience, FactMemory, TakenBefore
from ...procedures.worth.fitting import Sample, fitted, reliability
from ...procedures.worth.reward_model import Worth
from ..players.arms import Setting, make_environment
from ..reports.statistics import bootstrap_mean_interval
from ..running.metered import MeteredEnvironment
from ..suites.suites import EvalTask
from .reading_further import Tours, shared_parts
from .reward_log import RewardedEpisode, RewardLog

__all__ = ["Rewarded", "has_open_choice", "practise_for_rewards"]

_EVERY = 50
"""Episodes after which what was learned is used: points change little by fewer."""
_TOUR = 4
"""Every fourth episode is a tour, as long as there is something to read."""
_LEAST = 10
"""Rewards of either sort from which a draft may be found to pay."""
_SURE = 1.0
"""Draws from here on mean the best candidate; they go up to 2, so that half of all do."""


@dataclass(frozen=True, slots=True)
class Rewarded:
    """What practice by reward came to.

    Attributes:
        program: The program that learned.
        episodes: How many were played in all.
        before: How many of them earlier calls played.
        mean_reward: Mean of the rewards of those in which the best candidate was meant; None of
            none.
        first_reward: The same of the first half of them.
        known: Candidates of which the fact memory knows.
        said: How reliable the worth of candidates is.
        changed: Whether the program of the library is another one now.
        interrupted: Whether it was stopped before its end.
        errors: Episodes that the environment broke off.
    """

    program: str
    episodes: int
    before: int
    mean_reward: float | None
    first_reward: float | None
    known: int
    said: str
    changed: bool
    interrupted: bool
    errors: int


def practise_for_rewards(
    setting: Setting,
    tasks: Sequence[EvalTask],
    *,
    episodes: int,
    policy: Policy | None = None,
    progress: Callable[[int, int, float], None] = lambda _done, _of, _mean: None,
    warn: Callable[[str], None] = lambda _: None,
) -> Rewarded:
    """Play tasks until so many episodes were played, and learn what candidates are worth.

    Args:
        setting: How episodes are played; its library learns.
        tasks: What is played, again and again, each time in another order.
        episodes: How many in all, those of earlier calls included.
        policy: How the changed program gets into the library; None for its own way.
        progress: Told after each episode how many were played, of how many, and the mean reward of
            the latest in which the best candidate was meant.
        warn: Told what practice cannot do.

    Raises:
        LibraryError: The library has no program with an open choice, or cannot be used.
        LockError: Another practice is under way in it.
        EnvironmentFailure: The environment breaks off most of the episodes.
    """
    path = Path(setting.library or "")
    with LibrarySession.open(path) as session, PracticeLog(path).alone():
        practice = _Practice(session, setting, warn)
        before = done = len(practice.played)
        interrupted = False
        try:
            while done < episodes:
                practice.play(_task_of(tasks, done, setting.seed), done)
                done += 1
                progress(done, episodes, practice.recent())
                if done % _EVERY == 0:
                    practice.learn()
        except KeyboardInterrupt:
            interrupted = True
        changed = practice.keep(policy)
        best = [each.reward for each in practice.played if not (each.trial or each.error)]
        half = best[: len(best) // 2]
        return Rewarded(
            program=practice.file.id,
            episodes=len(practice.played),
            before=before,
            mean_reward=sum(best) / len(best) if best else None,
            first_reward=sum(half) / len(half) if half else None,
            known=len(practice.memory),
            said=practice.said,
            changed=changed,
            interrupted=interrupted,
            errors=sum(bool(each.error) for each in practice.played),
        )


def _task_of(tasks: Sequence[EvalTask], number: int, seed: int) -> EvalTask:
    """Return the task of an episode: all in a random order, then all in another one."""
    turn, place = divmod(number, len(tasks))
    order = list(range(len(tasks)))
    Random(f"{seed}:{turn}").shuffle(order)  # noqa: S311 (not cryptography)
    return tasks[order[place]]


class _Practice:
    """An open library that plays for rewards."""

    def __init__(
        self, session: LibrarySession, setting: Setting, warn: Callable[[str], None]
    ) -> None:
        self._session, self._setting, self._warn = session, setting, warn
        library = session.library
        shown = read_taught(library) or []
        self.file, self._of, self._before, start = _begin(session, shown)
        self._start = start
        self._log = RewardLog(library.path)
        self.played = self._log.episodes
        self.memory = FactMemory.read(library.path, keep=True)
        self.said = self.file.provenance.get(WORTH, "")
        self._graph = compiled_loop()
        self._redact = Redactor.of_machine().text
        looks = self._start.opened is not None
        parts = shared_parts(self.file, self._of, shown) if looks else []
        self._tours = Tours(self.file, self._of, parts, self.memory, self._redact, self._before)
        self._environment: MeteredEnvironment | None = None
        self._plain = session.knowledge(ablated=setting.ablated, preset=setting.preset)
        self._knowledge = self._plain
        self._settings = session.loop_settings(
            horizon=setting.max_steps, seed=setting.seed, ablated=setting.ablated
        )
        self.learn()

    def play(self, task: EvalTask, number: int) -> None:
        """Play one task, and write down what it told."""
        random = Random(f"{self._setting.seed}:{number}")  # noqa: S311 (not cryptography)
        draw, alone = 2 * random.random(), random.random() < 0.5
        tour = number % _TOUR == _TOUR - 1 and bool(self._tours.parts)
        try:
            if tour:
                self._environment = self._environment or make_environment(self._setting)
                self._tours.play(self._environment, task.reference, self._setting.max_steps)
                self._log.add(RewardedEpisode(task.id, 0.0, None, None, trial=True))
                return
            episode, experience = self._play(task, draw, number, alone=alone)
        except EnvironmentFailure as failure:
            self._environment = None
            self._log.add(
                RewardedEpisode(task.id, 0.0, None, None, draw < _SURE, str(failure)[:2_000])
            )
            self._give_up_if_spent(failure)
            return
        outcome = outcome_of(self.file, self._of, episode, experience)
        for name, told in outcome.seen.items():
            line = {key: self._redact(text) for key, text in outcome.lines.get(name, {}).items()}
            texts = [self._redact(text) for text in told]
            self.memory.note(self._of.choice.kind, name, texts, line=line)
        listed, opened, reward = outcome.listed, outcome.opened, episode.reward
        if reward is None:  # cut off, or no share of 1: that tells nothing of what was taken
            listed = opened = None
        self._log.add(RewardedEpisode(task.id, reward or 0.0, listed, opened, draw < _SURE))

    def learn(self) -> None:
        """Learn from all rewards so far, and play by what was learned."""
        worth = self._worth()
        self.file, self._of = with_worth(self.file, self._of, worth)
        tried = replace(self.file, status=DEFAULT_STATUS)
        programs = {**self._plain.programs, self.file.id: tried}
        self._knowledge = replace(self._plain, programs=programs)

    def keep(self, policy: Policy | None) -> bool:
        """Write what was learned into the library, by its policy; say whether that changed it."""
        self.learn()
        session, file = self._session, self.file
        if not any(each.listed for each in self.played):
            if self.played:
                self._warn("no episode took a candidate and was paid, from 0 to 1: nothing learned")
            return False
        relied = reliability(self._samples(opened=self._start.opened is not None))
        rewards = sum(each.listed is not None for each in self.played)
        self.said = f"learned from {rewards} rewards" + (f"; {relied}" if relied else "")
        provenance = {**file.provenance, WORTH: self.said}
        if file.status != DEFAULT_STATUS and self._pays():
            provenance.pop(REASON, None)
            file = replace(file, status=DEFAULT_STATUS)
        file = replace(file, provenance=provenance)
        chosen = policy or policy_of(session.library)
        before = session.library.content_hash
        if chosen == "auto" and not is_tracked(session.library.path):
            session.library.write_programs([file])
        else:
            place = submitter(session.library, session.ledger, chosen)
            try:
                for proposal in propose_programs(session.library, [file], len(self.played)):
                    place(proposal)
            except MaclaError as error:
                self._warn(f"not changed: {error}")
        session.library.refresh()
        return session.library.content_hash != before

    def _pays(self) -> bool:
        """Whether what seems best brings more than what was tried, as rewards credibly show."""
        rewards = [(e.trial, e.reward) for e in self.played if e.listed is not None]
        best = [reward for trial, reward in rewards if not trial]
        others = [reward for trial, reward in rewards if trial]
        if min(len(best), len(others)) < _LEAST:
            return False
        return bootstrap_mean_interval(best).low > sum(others) / len(others)

    def recent(self) -> float:
        """Return the mean reward of the latest episodes in which the best candidate was meant."""
        best = [each.reward for each in self.played[-4 * _EVERY :] if not each.trial]
        return sum(best) / len(best) if best else 0.0

    def _play(
        self, task: EvalTask, draw: float, number: int, *, alone: bool
    ) -> tuple[Trajectory, Experience]:
        setting = self._setting
        environment = self._environment = self._environment or make_environment(setting)
        text, observation = environment.reset(task.reference)
        experience = Experience(
            self._before, self.memory, self._left_out(task, text, alone=alone), draw
        )
        context = MaclaContext(
            self._knowledge,
            environment,
            self._session.reasoner(self._knowledge),
            settings=self._settings,
            experience=experience,
        )
        start: EpisodeInput = {
            "task": text,
            "observation": observation,
            "run": f"practice:{setting.seed}:{number}",
            "horizon": setting.max_steps,
        }
        limit = recursion_limit(setting.max_steps)
        state: Any = self._graph.invoke(start, context=context, config={"recursion_limit": limit})
        return trajectory_of(state), experience

    def _left_out(self, task: EvalTask, text: str, *, alone: bool) -> frozenset[int]:
        """Return the demonstrations that do not count: those of the task itself.

        Every other time, ``alone``, all that took the same count neither, as if nobody had ever
        taken it: else nothing would be learned for tasks whose candidates nobody has shown.
        """
        cases = self._before.cases
        own = self._before.of_episode(task.id, text)
        names = {cases[n].name for n in own}
        if alone:
            own |= {n for n, each in enumerate(cases) if each.name in names}
        return frozenset(own)

    def _worth(self) -> Worth:
        """Return the points that demonstrations and rewards speak for."""
        listed = fitted(self._samples(opened=False), self._start.sight)
        if self._start.opened is None:
            return replace(self._start, sight=listed)
        opened = fitted(self._samples(opened=True), self._start.opened)
        return replace(self._start, sight=listed, opened=opened)

    def _samples(self, *, opened: bool) -> list[Sample]:
        """Return what was taken with its reward.

        Of candidates as they are listed only those that were taken without a look: what was taken
        after one is better than it looked.
        """
        if opened:
            return [Sample(e.opened, e.reward) for e in self.played if e.opened is not None]
        looked = self._start.opened is not None
        able = (e for e in self.played if e.trial or not looked)
        return [Sample(e.listed, e.reward) for e in able if e.listed is not None]

    def _give_up_if_spent(self, failure: EnvironmentFailure) -> None:
        """Raise the failure where most of the latest episodes ended so."""
        latest = self.played[-_EVERY // 5 :]
        if len(latest) >= _EVERY // 5 and 2 * sum(bool(e.error) for e in latest) > len(latest):
            raise failure


def has_open_choice(library: Library) -> bool:
    """Say whether a program leaves a choice open, so that rewards have something to tell."""
    shown = read_taught(library) or []
    files = (f for f in library.programs.values() if f.tools is None and f.status != "retired")
    return any(_valued(file, shown) is not None for file in files)


def _begin(
    session: LibrarySession, shown: Sequence[Trajectory]
) -> tuple[ProgramFile, OpenChoice, TakenBefore, Worth]:
    """Return the program that practises, its choice, and what demonstrations say of it.

    Raises:
        LibraryError: No program in use leaves a choice open.
    """
    files = [f for f in session.library.programs.values() if f.tools is None]
    # A draft, too: it may lack no more than what its candidates are worth.
    for status in (DEFAULT_STATUS, "draft"):
        for file in (f for f in files if f.status == status):
            if (found := _valued(file, shown)) is not None:
                return found
    raise LibraryError(
        "no program leaves a choice open, so that rewards have nothing to tell",
        file=session.library.path,
        hint="see macla list; practice by playing is macla practice without --rewards",
    )


def _valued(
    file: ProgramFile, shown: Sequence[Trajectory]
) -> tuple[ProgramFile, OpenChoice, TakenBefore, Worth] | None:
    """Return what :func:`_begin` does of one program; None where no choice of it is open."""
    of = valued_choice(file) or open_choice(
        file, [e for e in shown if file.reads(e.task, e.obs[0])]
    )
    if of is None:
        return None
    before, kept = taken_before(file, of, shown), of.choice.worth
    if kept is not None and not shown:
        return file, of, before, kept
    plain = OpenChoice(of.step, replace(of.choice, worth=None))
    start = worth_shown(file, plain, shown, before)
    if kept is not None:  # signs were learned with the points
        opened = start.sight if kept.opened is not None else None
        start = replace(start, opens=kept.opens, between=kept.between, opened=opened)
    return file, of, before, start
