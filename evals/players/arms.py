"""The arms of an evaluation: who plays. Each is opened once and plays any number of episodes."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol, cast

from ...adapters.environments import HiddenAdmissible, guard_environment
from ...adapters.reasoners.models import ReasonerName
from ...adapters.scramble import Scrambler, scramble_environment
from ...adapters.verb_last import verb_last_environment, with_verbs_last
from ...graph.budget import Budget
from ...graph.protocols import AdmissibleEnvironment
from ...procedures.common.errors import DataError, EnvironmentFailure, MaclaError
from ...procedures.episodes.trajectories import Trajectory, read_trajectories
from ...procedures.evidence.ledger_rows import EVALUATION
from ...procedures.method.ablation import Part, parse_parts
from ...procedures.programs.learning.valuing import outcome_of, valued_choice
from ...procedures.worth.experience import FactMemory
from ..running.episode import EpisodeOutcome
from ..running.metered import MeteredEnvironment, meter_environment
from ..suites.suites import Copied, EvalTask, Solved, Suite
from .arm_kinds import ArmKind, arm_kind
from .baselines import NearestRebound, NearestReplay, Player, RandomAdmissible, play
from .retrieval_players import TrajectoryRetrieval, WorkflowRetrieval

if TYPE_CHECKING:
    from ...adapters.session import LibrarySession
    from ...graph.phases import Counters
    from ...graph.state import EpisodeInput, MaclaState

__all__ = ["Arm", "Setting", "make_environment", "open_arm", "play_task", "run_id"]


@dataclass(frozen=True, slots=True)
class Setting:
    """All that decides how an episode goes; can be pickled.

    Attributes:
        suite: Where tasks come from and are played.
        arm: A name that :func:`.arm_kinds.arm_kind` knows.
        library: Folder of the library; may be None for the baselines.
        max_steps: Horizon, at least 1.
        admissible: Whether the possible actions are shown.
        scramble: Seed of the invented words, or None.
        verb_last: Whether the first word of every action stands at its end.
        seed: Seed of everything random.
        record: Write outcomes to the library's evidence.
        demonstrations: File that players of demonstrations copy, instead of the suite's own.
        timeout: Seconds a call of a user's environment may take.
        reasoner: Who acts and reads where no procedure is trusted: ``symbolic``, ``ollama:MODEL``
            or ``hybrid:MODEL``.
        without: Parts of the method to leave out; see :mod:`macla.procedures.method.ablation`.
        preset: A name of ``procedures.method.presets.PRESETS``, instead of what the library says.
        budget: What an episode may ask of the reasoner's model.
        experiments: Most actions an episode of the arm ``macla`` spends on experiments; with any,
            possible actions that are shown are explored where nothing is known.
        fact_memory: Whether the arm ``macla`` knows what was told of candidates when they were
            opened before: in practice, and in the episodes that were played so far.
    """

    suite: Suite
    arm: str = "macla"
    library: str | None = None
    max_steps: int = 50
    admissible: bool = False
    scramble: int | None = None
    seed: int = 0
    record: bool = False
    demonstrations: str | None = None
    timeout: float = 60.0
    reasoner: str = "symbolic"
    without: tuple[str, ...] = ()
    preset: str | None = None
    budget: Budget = field(default_factory=Budget)
    experiments: int = 0
    verb_last: bool = False
    fact_memory: bool = False

    @property
    def ablated(self) -> frozenset[Part]:
        """The parts of the method that are left out.

        Raises:
            MaclaError: There is no such part.
        """
        return parse_parts((*self.without, *self.kind.without))

    @property
    def kind(self) -> ArmKind:
        """What the arm's name stands for."""
        return arm_kind(self.arm)

    @property
    def by_library(self) -> bool:
        """Whether the library plays."""
        return self.kind.player == "library"

    def __post_init__(self) -> None:
        """Check what can be checked without playing."""
        if self.by_library and self.library is None:
            raise DataError(f"the arm {self.arm!r} needs a library; give --library DIR")
        if self.arm == "random" and not self.admissible:
            what = "the arm 'random' chooses among possible actions"
            raise DataError(f"{what}; add --world admissible")
        if self.kind.preset is not None and self.preset is not None:
            raise DataError(f"the arm {self.arm!r} has a preset of its own; leave out the preset")
        if self.kind.player == "oracle" and not isinstance(self.suite, Solved):
            raise DataError(f"{self.suite.name} has no solutions of its own; leave out the oracle")
        if self.kind.player == "copy" and not isinstance(self.suite, Copied):
            raise DataError(f"{self.suite.name} has no copy of its own; take the arm 'rebound'")
        if self.max_steps < 1:
            raise DataError(f"an episode needs at least one step, not {self.max_steps}")
        ReasonerName.parse(self.reasoner)
        parse_parts(self.without)


class Arm(Protocol):
    """Plays one episode in an environment that is metered."""

    def play(self, environment: MeteredEnvironment, task: EvalTask) -> Mapping[str, Any]:
        """Play, and return what the meter does not know: fields of :class:`EpisodeOutcome`."""
        ...


def run_id(setting: Setting, task: str, *, library_hash: str = "") -> str:
    """Name an episode by what it is; the same episode has the same name in every process.

    Recording an episode again under the same name counts once.

    Args:
        setting: How it is played.
        task: Id of the task.
        library_hash: Hash of the library's content.
    """
    facts = [
        setting.suite.name,
        dict(setting.suite.facts()),
        task,
        setting.seed,
        setting.max_steps,
        setting.admissible,
        setting.scramble,
        library_hash,
        *([setting.reasoner] if setting.reasoner != "symbolic" else []),
        *([sorted(setting.ablated)] if setting.ablated else []),
        *([setting.arm] if setting.arm != "macla" else []),
        *([setting.preset] if setting.preset is not None else []),
        *([asdict(setting.budget)] if setting.budget != Budget() else []),
        *(["verb last"] if setting.verb_last else []),
        *(["fact memory"] if setting.fact_memory else []),
    ]
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False)
    return EVALUATION + hashlib.sha256(text.encode(errors="replace")).hexdigest()[:24]


def make_environment(setting: Setting) -> MeteredEnvironment:
    """Make the environment of an evaluation: shown or hidden, scrambled, guarded, metered."""
    environment = setting.suite.environment(show_admissible=setting.admissible)
    if setting.suite.guarded:
        environment = guard_environment(environment, setting.timeout)
    if setting.verb_last:
        environment = verb_last_environment(environment)
    if not setting.admissible and isinstance(environment, AdmissibleEnvironment):
        environment = HiddenAdmissible(environment)
    if setting.scramble is not None:
        environment = scramble_environment(environment, Scrambler(setting.scramble))
    return meter_environment(environment)


@contextmanager
def open_arm(setting: Setting, *, evaluated: frozenset[str] = frozenset()) -> Iterator[Arm]:
    """Open what an arm needs; yields the arm.

    Args:
        setting: Says which arm.
        evaluated: Ids of the tasks to be played; no demonstration of these is replayed.
    """
    with ExitStack() as stack:
        kind = setting.kind
        if kind.player in ("library", "nothing"):
            from ...adapters.session import LibrarySession

            path = setting.library or ""
            if kind.player == "nothing":
                path = _empty(stack.enter_context(TemporaryDirectory(prefix="macla-none-")))
            read_only = not (setting.record and kind.player == "library")
            session = stack.enter_context(LibrarySession.open(path, read_only=read_only))
            yield _Macla(session, setting)
        elif kind.player == "random":
            yield _Baseline(RandomAdmissible(setting.seed), setting)
        elif kind.player == "oracle":
            yield _Oracle(setting)
        else:
            copying = _COPYING.get(setting.arm) or cast("Copied", setting.suite).copier
            yield _Baseline(copying(_to_replay(setting, evaluated)), setting)


_COPYING: Mapping[str, Callable[[Sequence[Trajectory]], Player]] = {
    "nearest": NearestReplay,
    "rebound": NearestRebound,
    "workflows": WorkflowRetrieval,
    "trajectories": TrajectoryRetrieval,
}
"""Arm → the player of demonstrations."""


def _empty(folder: str) -> str:
    from ...procedures.library.library import Library

    path = Path(folder) / "library"
    Library.create(path, domain="none", embedding="static")
    return str(path)


def play_task(
    arm: Arm, setting: Setting, environment: MeteredEnvironment | None, task: EvalTask
) -> tuple[EpisodeOutcome, MeteredEnvironment | None]:
    """Play one task; return the outcome and the environment, or None where it is spent.

    What an environment does wrong, and a fault inside the loop, ends the episode and stands in
    its ``error``. Errors in what was given (a file that is no game, a library) are raised.
    """
    started, processor = time.perf_counter(), time.process_time()
    fields: Mapping[str, Any] = {}
    error = ""
    try:
        environment = environment or make_environment(setting)
        fields = arm.play(environment, task)
    except EnvironmentFailure as failure:
        error = str(failure)
    except MaclaError:
        raise
    except Exception as fault:  # a fault of ours spoils one episode, not the evaluation
        error = f"{type(fault).__name__}: {fault}"
    outcome = EpisodeOutcome(
        id=task.id,
        task=environment.task if environment is not None else "",
        success=environment is not None and environment.won,
        steps=len(environment.actions) if environment is not None else 0,
        reward=environment.reward if environment is not None else 0.0,
        actions=tuple(environment.actions) if environment is not None else (),
        seconds=time.perf_counter() - started,
        deciding=max(
            0.0,
            time.process_time() - processor - (environment.spent if environment is not None else 0),
        ),
        error=error,
        group=task.group,
        **fields,
    )
    return outcome, None if error else environment


class _Macla:
    """The library, through the LangGraph loop."""

    def __init__(self, session: LibrarySession, setting: Setting) -> None:
        from ...adapters.reasoners import make_client
        from ...graph.build import compiled_loop

        self._session = session
        self._setting = setting
        kind = setting.kind
        preset = kind.preset or setting.preset
        # What evaluations recorded does not count here, so that an episode that is played
        # again, after a crash or in another process, gives the same rows and counts once.
        self._knowledge = session.knowledge(
            without=EVALUATION, ablated=setting.ablated, preset=preset
        )
        self._floor = session.floor(setting.ablated, preset)
        memory = None
        if setting.fact_memory:
            memory = FactMemory.read(session.library.path, keep=setting.record)
        self._experience = session.experience(setting.ablated, memory)
        chosen = session.loop_settings(
            horizon=setting.max_steps,
            seed=setting.seed,
            preset=preset,
            ablated=setting.ablated,
        )
        self._settings = replace(
            chosen,
            budget=setting.budget,
            experiments=setting.experiments,
            rule=kind.rule or chosen.rule,
            preset=replace(chosen.preset, live=chosen.preset.live and not kind.frozen),
        )
        self._graph = compiled_loop()
        self._reasoner = ReasonerName.parse(setting.reasoner)
        self._client = make_client(
            self._reasoner, timeout=setting.budget.timeout, seed=setting.seed
        )

    def play(self, environment: MeteredEnvironment, task: EvalTask) -> Mapping[str, Any]:
        from ...adapters.reasoners import make_reasoner
        from ...graph.build import recursion_limit
        from ...graph.context import MaclaContext

        setting, session = self._setting, self._session
        text, observation = environment.reset(task.reference)
        knowledge = self._knowledge
        symbolic = session.reasoner(knowledge)
        context = MaclaContext(
            knowledge,
            environment,
            make_reasoner(self._reasoner, self._client, symbolic, knowledge.lexicon),
            ledger=session.ledger if setting.record else None,
            settings=self._settings,
            floor=self._floor,
            experience=self._experience,
        )
        start: EpisodeInput = {
            "task": text,
            "observation": observation,
            "run": run_id(setting, task.id, library_hash=self._knowledge.library_hash),
            "horizon": setting.max_steps,
        }
        limit = recursion_limit(setting.max_steps)
        state: Any = self._graph.invoke(start, context=context, config={"recursion_limit": limit})
        self._remember(state)
        counters: Counters = state["counters"]
        return {
            "fallback_steps": counters["fallback_actions"],
            "llm_calls": counters["llm_calls"],
            "llm_tokens": counters["llm_tokens"],
            "llm_failures": counters["llm_failures"],
            "metas": tuple(counters["metas"]),
            "procedures": tuple(counters["procedures"]),
            "refuted": sum(state["readings"]["refuted"].values()),
            "choices": tuple((ref, hope, rate) for ref, hope, rate in counters["choices"]),
        }

    def _remember(self, state: MaclaState) -> None:
        """Note what an episode told of candidates, where that counts."""
        from ...graph.finished_episode import trajectory_of

        running, experience = state["program"], self._experience
        if running is None or experience is None or experience.memory is None:
            return
        file = self._knowledge.program(running["ref"])
        of = valued_choice(file)
        if of is None:
            return
        outcome = outcome_of(file, of, trajectory_of(state), experience)
        for name, told in outcome.seen.items():
            line = outcome.lines.get(name)
            experience.memory.note(of.choice.kind, name, told, line=line)


class _Baseline:
    """A player that uses no library; no procedure chose its actions."""

    def __init__(self, player: Player, setting: Setting) -> None:
        self._player = player
        self._setting = setting

    def play(self, environment: MeteredEnvironment, task: EvalTask) -> Mapping[str, Any]:
        play(self._player, environment, task.reference, max_steps=self._setting.max_steps)
        return {"fallback_steps": len(environment.actions)}


class _Oracle:
    """Does what the suite says solves a task."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting

    def play(self, environment: MeteredEnvironment, task: EvalTask) -> Mapping[str, Any]:
        suite = self._setting.suite
        solution = suite.solution(task) if isinstance(suite, Solved) else None
        environment.reset(task.reference)
        for action in (solution or ())[: self._setting.max_steps]:
            if environment.step(action)[2]:
                break
        return {"fallback_steps": len(environment.actions)}


def _to_replay(setting: Setting, evaluated: frozenset[str]) -> Sequence[Trajectory]:
    """Demonstrations to copy: those the library was taught from, if one is given."""
    if setting.demonstrations is None and setting.library is not None:
        shown = _taught(setting.library)
        return [trajectory for trajectory in shown if trajectory.id not in evaluated]
    if setting.demonstrations is not None:
        shown = list(read_trajectories(Path(setting.demonstrations)))
    else:
        shown, _ = setting.suite.demonstrations(None, None)
    shown = [trajectory for trajectory in shown if trajectory.id not in evaluated]
    if setting.verb_last:
        shown = [with_verbs_last(trajectory) for trajectory in shown]
    if setting.scramble is not None:
        scrambler = Scrambler(setting.scramble)
        shown = [scrambler.trajectory(trajectory) for trajectory in shown]
    return shown


def _taught(path: str) -> list[Trajectory]:
    """Return what a library was taught from, in the words in which it was taught."""
    from ...procedures.learning.taught import lacking_taught, read_taught
    from ...procedures.library.library import Library

    library = Library.open(path)
    shown = read_taught(library)
    if shown is None:
        raise DataError(
            f"{path}: {lacking_taught(library)}; give demonstrations with --demos FILE.jsonl, or "
            "leave --library out for all of the benchmark's"
        )
    return shown
