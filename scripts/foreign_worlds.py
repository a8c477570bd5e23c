"""Learn the small worlds of tests/foreign_worlds from few demonstrations, and count what is won.

Writes a Markdown table: won held-out tasks, about half of whose names are new, with Wilson
intervals at 95 %; possible actions shown and hidden. Demonstrations and tasks are made on the fly.

    python scripts/foreign_worlds.py [--demonstrations 10,30,100] [--tasks 30] [--world House]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from macla.adapters.environments import HiddenAdmissible
from macla.adapters.session import LibrarySession
from macla.evals.statistics import wilson_interval
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import LoopSettings, MaclaContext
from macla.procedures.learning.learner import learn
from macla.procedures.learning.store import store
from macla.procedures.library import Library

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from foreign_worlds import (
    WORLDS,
    ForeignTask,
    ForeignWorld,
    demonstrations,
    held_out_tasks,
    horizon,
)


def main() -> None:
    """Write the table to the standard output, a row at a time."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--demonstrations", default="10,30,100", help="how many; a list")
    parser.add_argument("--tasks", type=int, default=30, help="held-out tasks a world")
    parser.add_argument("--world", help="only this one")
    chosen = parser.parse_args()
    counts = [int(each) for each in chosen.demonstrations.split(",")]
    graph = create_macla_graph().compile()
    heads = [f"{count}, {arm}" for count in counts for arm in ("shown", "hidden")]
    print(f"| world | {' | '.join(heads)} |\n|{'---|' * (len(heads) + 1)}")
    for world in WORLDS:
        if chosen.world in (None, world.__name__):
            cells = [c for n in counts for c in both_arms(world, n, chosen.tasks, graph)]
            print(f"| `{world.__name__}` | {' | '.join(cells)} |", flush=True)


def both_arms(world: type[ForeignWorld], count: int, tasks: int, graph: Any) -> list[str]:
    """Learn from ``count`` demonstrations; return what is won, shown and hidden."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "library"
        library = Library.create(path, domain=world.__name__, embedding="static")
        with LibrarySession.open(path) as session:
            store(library, session.ledger, learn(demonstrations(world, count)))
        with LibrarySession.open(path) as session:
            cells = []
            for hidden in (False, True):
                won = count_won(session, world, held_out_tasks(tasks), graph, hidden=hidden)
                interval = wilson_interval(won, tasks)
                ends = f"{100 * interval.low:.0f} to {100 * interval.high:.0f} %"
                cells.append(f"{won} ({ends})")
    return cells


def count_won(
    session: LibrarySession,
    world: type[ForeignWorld],
    tasks: Sequence[ForeignTask],
    graph: Any,
    *,
    hidden: bool,
) -> int:
    """Play the tasks and return how many were won."""
    knowledge = session.knowledge()
    reasoner = session.reasoner(knowledge)
    settings = LoopSettings(horizon=horizon(world))
    won = 0
    for task in tasks:
        environment: Any = HiddenAdmissible(world()) if hidden else world()
        text, observation = environment.reset(task)
        final = graph.invoke(
            {"task": text, "observation": observation, "run": task.seed},
            context=MaclaContext(knowledge, environment, reasoner, settings=settings),
            config={"recursion_limit": recursion_limit(settings.horizon)},
        )
        won += bool(final.get("won"))
    return won


if __name__ == "__main__":
    main()
