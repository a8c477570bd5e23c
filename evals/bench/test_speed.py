"""Speed of learning, of one decision, and of whole games.

Run with ``pytest evals/bench --benchmark-only``; real episodes need the benchmark data. The
decision is timed on a library of 200 procedures: the learned ones and renamed copies of them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from macla.adapters.session import LibrarySession
from macla.evals.alfworld.environment import make_environment
from macla.evals.alfworld.games import data_root, find_games
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import MaclaContext
from macla.graph.nodes.begin import begin
from macla.graph.nodes.check_pre import check_pre
from macla.graph.nodes.retrieve import retrieve
from macla.graph.nodes.score import score
from macla.procedures.episodes.trajectories import Trajectory, read_trajectories
from macla.procedures.learning.learner import learn
from macla.procedures.learning.store_learned import store
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import MetaProcedure, Procedure

EPISODES = 2851
PROCEDURES = 200
METAS = 50


@pytest.fixture(scope="module")
def episodes() -> list[Trajectory]:
    path = data_root() / "alfworld" / "expert.jsonl"
    if not path.exists():
        pytest.skip(f"no benchmark data at {path}")
    return list(itertools.islice(read_trajectories(path), EPISODES))


@pytest.fixture(scope="module")
def session(
    episodes: list[Trajectory], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LibrarySession]:
    folder = tmp_path_factory.mktemp("bench") / "library"
    Library.create(folder, domain="bench", embedding="static:all-minilm-l6-v2-128")
    with LibrarySession.open(folder) as opened:
        store(opened.library, opened.ledger, learn(episodes))
        fill(opened.library)
        yield opened


def fill(library: Library) -> None:
    """Add renamed copies until the library is at capacity."""
    procedures, metas = list(library.procedures.values()), list(library.metas.values())
    copies = [
        Procedure.from_document(
            {**p.to_document(), "id": f"{p.id}-{n}", "goal": f"{p.goal} variant {n}"}
        )
        for n, p in zip(range(PROCEDURES - len(procedures)), itertools.cycle(procedures))
    ]
    meta_copies = [
        MetaProcedure.from_document(
            {**m.to_document(), "id": f"{m.id}-{n}", "goal": f"{m.goal} variant {n}"}
        )
        for n, m in zip(range(METAS - len(metas)), itertools.cycle(metas))
    ]
    library.write_all(copies, meta_copies)


def test_learning(benchmark: Any, episodes: list[Trajectory]) -> None:
    """Learning 2,851 episodes, in memory."""
    learned = benchmark.pedantic(learn, args=(episodes,), rounds=3, iterations=1)
    assert learned.episodes == EPISODES


def test_decision(benchmark: Any, session: LibrarySession) -> None:
    """One decision at 200 procedures and 50 metas: retrieve from Chroma, score, check."""
    knowledge = session.knowledge()
    assert len(knowledge.procedures) == PROCEDURES
    game = find_games("valid_seen")[0]
    environment = make_environment()
    task, observation = environment.reset(game)
    context = MaclaContext(knowledge, environment, session.reasoner(knowledge))
    runtime: Any = SimpleNamespace(context=context, stream_writer=lambda event: None)
    state: dict[str, Any] = {"task": task, "observation": observation, "run": "bench"}
    state |= begin(state, runtime)  # type: ignore[arg-type]

    def decide() -> str:
        now = dict(state)
        for node in (retrieve, score, check_pre):
            now |= node(now, runtime)  # type: ignore[arg-type]
        return str(now["route"])

    assert benchmark(decide) == "retrieve"


def test_ten_games(benchmark: Any, session: LibrarySession) -> None:
    """Ten games through the compiled loop, one process."""
    knowledge = session.knowledge()
    graph = create_macla_graph().compile()
    environment = make_environment()
    games: list[Path] = find_games("valid_seen")[::14][:10]

    def play() -> int:
        won = 0
        for number, game in enumerate(games):
            context = MaclaContext(knowledge, environment, session.reasoner(knowledge))
            task, observation = environment.reset(game)
            state = graph.invoke(
                {"task": task, "observation": observation, "run": f"bench-{number}"},
                context=context,
                config={"recursion_limit": recursion_limit(50)},
            )
            won += bool(state["won"])
        return won

    assert benchmark.pedantic(play, rounds=3, iterations=1) >= 8
