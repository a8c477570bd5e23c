"""Learning online by practice: play, learn, play again; resumable, with a learning curve.

What happened is kept in ``.macla/practice.jsonl`` of the library, one line an episode, synced
before the next one begins. An interrupted practice goes on where it was.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from ..adapters.session import LibrarySession
from ..graph.build import create_macla_graph, recursion_limit
from ..graph.context import MaclaContext
from ..graph.knowledge import Knowledge
from ..graph.state import MaclaState
from ..graph.trajectories import trajectory_of
from ..procedures.errors import EnvironmentFailure, LibraryError, MaclaError
from ..procedures.footprint import Footprint, footprint
from ..procedures.learning.online import OnlineLearner, OnlineSettings
from ..procedures.posterior import posterior_mean, posterior_sd
from ..procedures.proposals.policy import Policy
from ..procedures.refinement.forming import FormationRule
from ..procedures.refinement.occasions import BEGAN
from ..procedures.refinement.refinery import Refinery
from ..procedures.trajectories import Trajectory
from .arms import Setting, make_environment
from .metered import MeteredEnvironment
from .practice_changes import Changes
from .suites import EvalTask

__all__ = ["Played", "PracticeSetting", "Practised", "in_order", "practise", "read_played"]

_FILE = "practice.jsonl"
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
class Played:
    """One episode of practice and what was known after it.

    Attributes:
        id: The task.
        won: Whether it was solved.
        steps: Actions done.
        fallback: Those that no procedure chose.
        experiments: Those that were experiments.
        procedures: Procedures in the library after it.
        metas: Meta-procedures in the library after it.
        mean: Mean over procedures of their posterior means, in (0, 1); 0 without any.
        sd: Mean of their posterior standard deviations.
        learned: Whether the library changed because of it.
        refined: Changes put forward because of what failed in it, each with what became of it.
        seconds: Of playing and of learning.
        error: What the environment did wrong, or "".
    """

    id: str
    won: bool
    steps: int
    fallback: int
    experiments: int
    procedures: int
    metas: int
    mean: float
    sd: float
    learned: bool
    seconds: tuple[float, float]
    error: str = ""
    refined: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Practised:
    """A practice, complete or interrupted.

    Attributes:
        played: All episodes so far, those of earlier calls included.
        interrupted: Whether it was stopped before its end.
        refused: Changes that could not be made, with reasons.
        footprint: What the library takes up now.
        afresh: Whether procedures were learned; else those that were there were only refined.
    """

    played: tuple[Played, ...]
    interrupted: bool
    refused: tuple[str, ...]
    footprint: Footprint
    afresh: bool = True


def practise(
    setting: PracticeSetting,
    tasks: Collection[EvalTask],
    *,
    episodes: int | None = None,
    demonstrations: Sequence[Trajectory] = (),
    progress: Callable[[Played, int, int], None] | None = None,
) -> Practised:
    """Play tasks in order and learn after each.

    Args:
        setting: How; the library must be there.
        tasks: What to play; those that were played before are not played again, save that one
            which taught something new is played once more, to see whether it is true.
        episodes: How many to play in all; by default as many as there are tasks.
        demonstrations: Learned from as well, besides what the library was taught from.
        progress: Called after each episode with it, the number played and of how many.

    Raises:
        LibraryError: The library cannot be used.
        DataError: A task is not one.
    """
    path = Path(setting.episode.library or "")
    with LibrarySession.open(path) as session:
        file = session.library.path / ".macla" / _FILE
        ids = [each.id for each in read_played(file)]
        known, done = set(ids), len(ids)
        left = (task for task in tasks if task.id not in known)
        total = len(tasks) if episodes is None else episodes
        practice = _Practice(session, setting, demonstrations, number=done)
        interrupted = False
        practice.begin()
        try:
            while done < total:
                task = practice.again or next(left, None)
                if task is None:
                    break
                each = practice.play(task)
                # Kept in the file alone: a long practice must not fill the memory.
                _append(file, each)
                done += 1
                if progress is not None:
                    progress(each, done, total)
        except KeyboardInterrupt:
            interrupted = True
        memory = footprint(session.library, session.ledger)
        played, afresh = tuple(read_played(file)), practice.learner.afresh
        return Practised(played, interrupted, practice.refused, memory, afresh)


def read_played(file: Path) -> Iterator[Played]:
    """Yield the episodes of a practice file; what a crash left of a line is passed over.

    Raises:
        LibraryError: A line is not an episode of practice.
    """
    if not file.exists():
        return
    for number, line in enumerate(file.read_bytes().split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            lists = {name: tuple(entry[name]) for name in ("seconds", "refined") if name in entry}
            yield Played(**{**entry, **lists})
        except ValueError:
            continue
        except (TypeError, KeyError) as error:
            raise LibraryError(
                f"line {number} is not an episode of practice ({error}); remove the file to begin "
                "anew",
                file=file,
            ) from None


class _Practice:
    """An open library that plays and learns."""

    def __init__(
        self,
        session: LibrarySession,
        setting: PracticeSetting,
        demonstrations: Sequence[Trajectory],
        *,
        number: int = 0,
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
            without=self._ablated,
        )
        self.refinery = (
            None
            if "contrastive" in self._ablated
            else Refinery.of(
                session.library,
                session.ledger,
                self._change.place,
                episodes=lambda: self.learner.episodes,
            )
        )
        self.again: EvalTask | None = None
        self._number = number
        self._graph = create_macla_graph().compile()
        self._environment: MeteredEnvironment | None = None
        self._knowledge = session.knowledge(ablated=self._ablated)
        chosen = session.loop_settings(
            horizon=setting.episode.max_steps,
            seed=setting.episode.seed,
            preset=setting.episode.preset,
            ablated=self._ablated,
        )
        self._settings = replace(chosen, experiments=setting.experiments)

    @property
    def refused(self) -> tuple[str, ...]:
        """Changes that could not be made, with reasons."""
        return (*self.learner.refused, *self._change.refused)

    def begin(self) -> None:
        """Take in the demonstrations that the library was not taught from yet."""
        if self.learner.behind:
            self._refresh(self.learner.relearn())

    def play(self, task: EvalTask) -> Played:
        """Play one task and learn from it."""
        started = time.perf_counter()
        error = ""
        try:
            state = self._play(task)
        except EnvironmentFailure as failure:
            error, state, self._environment = str(failure), None, None
        over = time.perf_counter()
        self._number += 1
        refined = tuple(state.get("refined") or ()) if state else ()
        changed = any(each["note"] == "accepted" for each in refined)
        checking, self.again = self.again, None
        if state is not None and state.get("history"):
            changed |= self._learn(task, trajectory_of(state), checking=checking is not None)
        changed |= self._form()
        self._refresh(changed)
        counters = (state or {}).get("counters") or {}
        mean, sd = self._posterior()
        return Played(
            id=task.id,
            won=bool(state and state.get("won")),
            steps=len(state.get("history") or []) if state else 0,
            fallback=int(counters.get("fallback_actions", 0)),
            experiments=int(counters.get("experiments", 0)),
            procedures=len(self._knowledge.procedures),
            metas=len(self._knowledge.metas),
            mean=round(mean, 6),
            sd=round(sd, 6),
            learned=changed,
            seconds=(round(over - started, 6), round(time.perf_counter() - over, 6)),
            error=error,
            refined=tuple(f"{each['target']}: {each['note']}" for each in refined),
        )

    def _learn(self, task: EvalTask, episode: Trajectory, *, checking: bool) -> bool:
        """Take an episode in; say whether the library changed."""
        changed = self.learner.add(episode)
        if checking and (not episode.success or BEGAN in episode.info):
            first = task.id.partition(_AGAIN)[0]
            changed |= self.learner.doubt(self._run(first))
            if self.learner.doubtful(self._run(first)) and task.id.count(_AGAIN) < _MOST_AGAIN:
                self.again = replace(task, id=task.id + _AGAIN)
        elif not checking and changed and self.learner.doubtful(episode.id):
            self.again = replace(task, id=task.id + _AGAIN)
        return changed

    def _form(self) -> bool:
        """Form plans out of what was played, where that is due; say whether the library changed."""
        if self.refinery is None or "meta" in self._ablated:
            return False
        if self._number % self.setting.forming:
            return False
        rule = FormationRule.paper() if self._settings.preset.name == "paper" else None
        changed = False
        for proposal in self.refinery.form(rule):
            try:
                changed |= self.refinery.submit(proposal) == "accepted"
            except MaclaError as error:  # noqa: PERF203 (locked, or changed meanwhile)
                self.learner.refused.append(f"{proposal.id}: {error}")
        return changed

    def _play(self, task: EvalTask) -> MaclaState:
        setting = self.setting.episode
        environment = self._environment = self._environment or make_environment(setting)
        text, observation = environment.reset(task.reference)
        context = MaclaContext(
            self._knowledge,
            environment,
            self.session.reasoner(self._knowledge),
            ledger=self.session.ledger,
            settings=self._settings,
            refinery=self.refinery,
        )
        start: MaclaState = {
            "task": text,
            "observation": observation,
            "run": self._run(task.id),
            "horizon": setting.max_steps,
        }
        limit = recursion_limit(setting.max_steps)
        state: Any = self._graph.invoke(start, context=context, config={"recursion_limit": limit})
        final: MaclaState = state
        return final

    def _run(self, task: str) -> str:
        return f"{_RUN}{self.setting.episode.seed}:{task}"

    def _refresh(self, changed: bool) -> None:
        """Take in what the episode changed: new evidence only, or the whole library."""
        if changed:
            self.session.library.refresh()
            self._knowledge = self.session.knowledge(ablated=self._ablated)
        elif "bayes" not in self._ablated:
            self._knowledge = self.session.with_new_evidence(self._knowledge)

    def _posterior(self) -> tuple[float, float]:
        """Mean over procedures of the means and of the standard deviations of their posteriors."""
        known: Knowledge = self._knowledge
        both = [known.posterior("procedure", p.id, p.version) for p in known.procedures.values()]
        if not both:
            return 0.0, 0.0
        means = sum(posterior_mean(a, b) for a, b in both) / len(both)
        return means, sum(posterior_sd(a, b) for a, b in both) / len(both)


def _append(file: Path, each: Played) -> None:
    line = json.dumps(asdict(each), ensure_ascii=False).encode() + b"\n"
    with file.open("r+b" if file.exists() else "wb") as stream:
        data_end = stream.seek(0, os.SEEK_END)
        if data_end:
            stream.seek(data_end - 1)
            if stream.read(1) != b"\n":
                line = b"\n" + line  # a crash left half a line: it stays apart
        stream.write(line)
        stream.flush()
        os.fsync(stream.fileno())


def in_order(tasks: Sequence[EvalTask], seed: int, without: Mapping[str, Any]) -> list[EvalTask]:
    """Return tasks in a random order that a seed fixes, those that were shown left out."""
    found = [task for task in tasks if task.id not in without]
    Random(seed).shuffle(found)  # noqa: S311 (not cryptography)
    return found
