"""What all tests share: no network, where the benchmark data lie, small learned libraries.

A test that needs loopback asks for it: ``@pytest.mark.allow_hosts(["127.0.0.1"])`` or the fixture
``socket_enabled``, both of pytest-socket. Unix sockets stay open (asyncio needs a pair of them).
"""

from __future__ import annotations

import gc
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# Helpers beside the tests; importlib mode puts no folder of tests on the path.
sys.path.insert(0, str(Path(__file__).parent))

import forking
from bounds import hold_examples
from fake_ollama import Answer, FakeOllama, running
from invented_worlds import burrow_demonstration, ruin_demonstration
from macla.adapters.session import LibrarySession
from macla.adapters.teaching import lesson, teaching
from macla.evals.alfworld.games import data_root
from macla.graph.build import compiled_loop, recursion_limit
from macla.graph.context import LoopSettings, MaclaContext
from macla.graph.knowledge import Knowledge
from macla.graph.protocols import Environment, OutcomeSink, Reasoner
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.learning.learner import Learned, learn
from macla.procedures.learning.store_learned import store
from macla.procedures.library.library import Library

# A busy machine is no fault of the code: the clock on the wall stops only what hangs, and
# pytest_itemcollected() holds each example of a property to processor time.
settings.register_profile("macla", deadline=60_000)
settings.load_profile("macla")

os.fsync = lambda _: None  # no power fails in a test, and disks are slow

_MEMORY, _ROOM = Path("/dev/shm"), 4 * 2**30
if (
    "TMPDIR" not in os.environ  # as it is for xdist's workers, and where somebody chose a place
    and os.access(_MEMORY, os.W_OK | os.X_OK)
    and shutil.disk_usage(_MEMORY).free > _ROOM
):
    # Databases wait for the disk at each commit, in the processes that a test starts, too.
    _folders = tempfile.TemporaryDirectory(prefix="m-", dir=_MEMORY)  # short, as errors cut paths
    os.chmod(_folders.name, 0o755)  # others may look in, as they may at the usual place
    os.environ["TMPDIR"], tempfile.tempdir = _folders.name, None

if "MACLA_STATE" not in os.environ:  # the processes that a test starts, and xdist's, share it
    _state = tempfile.TemporaryDirectory(prefix="macla-state-")
    os.environ["MACLA_STATE"] = _state.name

gc.disable()  # what is imported and collected stays; see pytest_collection_finish()

Serve = Callable[[Answer], FakeOllama]

LEARNED_FROM = 40
"""Demonstrations that the small libraries are learned from; seeds above it are unseen."""


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Set the defaults of pytest-socket before it reads them."""
    if config.pluginmanager.hasplugin("socket"):
        config.option.disable_socket = True
        config.option.allow_unix_socket = True


def pytest_collection_finish() -> None:
    """Look for garbage from here on, and only in what comes: a third of the time went into it.

    Learners make many small objects and few rings, so it is looked for seldom.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Hold the examples of a property to their time."""
    hold_examples(getattr(item, "obj", None))


@pytest.fixture
def forked_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the processes in which studies and tables of acceptance play."""
    for module in ("studies.cells", "acceptance.running"):
        monkeypatch.setattr(f"macla.evals.{module}.subprocess", forking.STAND_IN)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, socket_enabled: None) -> Iterator[Serve]:
    """Start a model's server that answers so; the environment points to it."""
    with ExitStack() as servers:

        def start(answer: Answer) -> FakeOllama:
            server = servers.enter_context(running(answer))
            monkeypatch.setenv("OLLAMA_HOST", server.url)
            return server

        yield start


@pytest.fixture(scope="session")
def alfworld_data() -> Path:
    """The folder of ALFWorld's games and episodes."""
    folder = data_root() / "alfworld"
    if not (folder / "expert.jsonl").is_file():
        pytest.skip(f"no ALFWorld data below {data_root()}; set MACLA_DATA")
    return folder


@dataclass(frozen=True)
class Small:
    """A library learned for the tests, open for playing.

    Attributes:
        path: Its folder.
        trajectories: What it was learned from.
        knowledge: What the loop needs.
        reasoner: The symbolic one.
        learned: What was learned as plans, before it was stored; None if programs were, too.
    """

    path: Path
    trajectories: tuple[Trajectory, ...]
    knowledge: Knowledge
    reasoner: Reasoner
    learned: Learned | None = None

    def context(self, environment: Environment, **changes: Any) -> MaclaContext:
        """Make the context of one episode."""
        return MaclaContext(self.knowledge, environment, self.reasoner, **changes)

    def play(
        self,
        environment: Environment,
        task: Any,
        *,
        ledger: OutcomeSink | None = None,
        run: str | None = None,
        **settings: Any,
    ) -> dict[str, Any]:
        """Play one episode and return the final state."""
        text, observation = environment.reset(task)
        chosen = LoopSettings(**settings)
        state: dict[str, Any] = {"task": text, "observation": observation}
        if run is not None:
            state["run"] = run
        return compiled_loop().invoke(
            state,
            context=self.context(environment, ledger=ledger, settings=chosen),
            config={"recursion_limit": recursion_limit(chosen.horizon)},
        )


LearnSmall = Callable[[Sequence[Trajectory]], Small]


@pytest.fixture(scope="session")
def learn_small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LearnSmall]:
    """Learn a library of plans in a temporary folder from the trajectories given."""
    sessions: list[LibrarySession] = []

    def learn_into(trajectories: Sequence[Trajectory]) -> Small:
        path = tmp_path_factory.mktemp("small") / "library"
        learned = learn(trajectories)
        library = Library.create(path, domain="test", embedding="static")
        with Ledger.open(path / ".macla" / "evidence.db") as ledger:
            store(library, ledger, learned)
        session = LibrarySession.open(path)
        sessions.append(session)
        knowledge = session.knowledge()
        reasoner = session.reasoner(knowledge)
        return Small(path, tuple(trajectories), knowledge, reasoner, learned)

    yield learn_into
    for session in sessions:
        session.close()


@pytest.fixture(scope="session")
def teach_small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LearnSmall]:
    """Teach a library in a temporary folder, as ``macla learn`` does: programs, and plans."""
    sessions: list[LibrarySession] = []

    def teach_into(trajectories: Sequence[Trajectory]) -> Small:
        path = tmp_path_factory.mktemp("small") / "library"
        teaching.teach(path, trajectories, domain="test")
        session = LibrarySession.open(path)
        sessions.append(session)
        knowledge = session.knowledge()
        return Small(path, tuple(trajectories), knowledge, session.reasoner(knowledge))

    yield teach_into
    for session in sessions:
        session.close()


@pytest.fixture(scope="session")
def burrow(learn_small: LearnSmall) -> Small:
    """Learned from :class:`~invented_worlds.Burrow`: numbered entities, no moves."""
    return learn_small([burrow_demonstration(seed) for seed in range(LEARNED_FROM)])


@pytest.fixture(scope="session")
def ruin(learn_small: LearnSmall) -> Small:
    """Learned from :class:`~invented_worlds.Ruin`: phrases, rooms, a notice with instructions."""
    return learn_small([ruin_demonstration(seed) for seed in range(LEARNED_FROM)])


@pytest.fixture(scope="module")
def plans_only() -> Iterator[None]:
    """Teach plans of everything: what is tested is what plans do, and small worlds need none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lesson, "propose_for_kinds", lambda *_: [])
        yield
