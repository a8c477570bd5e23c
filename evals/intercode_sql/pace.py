"""Processor time of a step without execution: what a library takes to decide, and to read answers.

``python -m macla.evals.intercode_sql.pace LIBRARY --split db`` plays the split as its program
decides, and prints the mean. The first tasks are played once before, so that nothing is loaded
while it is measured.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from ...procedures.common.errors import LibraryError
from ...procedures.episodes.history import Done
from ...procedures.episodes.trajectories import cleaned
from ...procedures.library.library import Library
from ...procedures.programs.documents import ProgramFile
from ...procedures.programs.program import Act, decide
from ...procedures.programs.sources import Composed
from ...procedures.programs.text_calls import action_of
from .environment import SqlEnvironment
from .episode import MAX_STEPS
from .splits import split_tasks
from .tasks import SqlTask, data_folder, read_tasks

__all__ = ["main", "pace"]

_WARM = 5


def pace(file: ProgramFile, environment: SqlEnvironment, tasks: Sequence[SqlTask]) -> float:
    """Return the mean processor time of a step, in seconds, without what the database takes."""
    spent, steps = 0.0, 0
    for number, task in enumerate((*tasks[:_WARM], *tasks)):
        seconds, done = _play(file, environment, task)
        if number >= _WARM:
            spent, steps = spent + seconds, steps + done
    return spent / max(1, steps)


def _play(file: ProgramFile, environment: SqlEnvironment, task: SqlTask) -> tuple[float, int]:
    results = file.readers()[0]
    question, told = environment.reset(task)
    started = time.process_time()
    history = file.begin(question, told)
    spent, steps, over = 0.0, 0, False
    while not over and steps < MAX_STEPS:
        decision = decide(file.program, history)
        spent += time.process_time() - started
        if not isinstance(decision, Act):
            break
        action = action_of(decision.step.operator, decision.arguments)
        told, _, over, _ = environment.step(action)
        steps += 1
        started = time.process_time()
        done = Done(decision.step.id, decision.step.operator, decision.arguments)
        history.add(done, results.read(cleaned(told)))
    return spent, steps


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("--split", default="db")
    parser.add_argument("--protocol", choices=("ipr", "intercode"), default="ipr")
    parser.add_argument("--data", help="data root (default: $MACLA_DATA or ~/.cache/macla/bench)")
    wanted = parser.parse_args()
    files = Library.open(wanted.library).programs.values()
    composing = [f for f in files if any(isinstance(s, Composed) for s in f.names)]
    if not composing:
        raise LibraryError("no program composes texts", file=wanted.library)
    folder = data_folder(wanted.data)
    tasks = split_tasks(wanted.split, read_tasks(folder / "tasks.json"), folder)
    environment = SqlEnvironment(wanted.data, protocol=wanted.protocol)
    mean = pace(composing[0], environment, tasks)
    print(f"{1000 * mean:.2f} ms of processor time a step, {len(tasks)} tasks")


if __name__ == "__main__":
    main()
