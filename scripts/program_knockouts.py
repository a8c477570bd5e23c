"""Say what each rule of the learner of programs is worth on worlds that may be looked at.

Programs are learned from 40 and from 10 demonstrations of the ladder's development half and of the
fresh worlds that may be looked at, and played without
the loop: where no program is trusted, nothing is done.

example:
  python scripts/program_knockouts.py
  python scripts/program_knockouts.py --only "programs: rivals"
  python scripts/program_knockouts.py --world InvoiceMatch --world HelpDesk
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from knockouts.programs import PROGRAMS
from knockouts.replacing import NOTHING, knock_out
from macla.evals.cells import WorldCell
from macla.evals.fresh_worlds.parts import OPEN
from macla.evals.ladder.cells import world_cell
from macla.evals.ladder.worlds import DEVELOPMENT
from macla.procedures.episodes.history import Done
from macla.procedures.programs.learning.proposing import propose_programs
from macla.procedures.programs.program import Act, decide
from macla.procedures.programs.text_calls import action_of, did_something

_FORMS = ("hidden", "few")
_WORLDS = {
    "ladder": DEVELOPMENT,
    **OPEN,
}


def main() -> None:
    """Print episodes won and spoiled, first with all rules, then without each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", metavar="NAME", help="only this rule")
    parser.add_argument("--world", metavar="NAME", action="append", help="only these, each apart")
    options = parser.parse_args()
    wanted = options.only
    if options.world:
        _print_worlds(options.world)
        return
    names = [NOTHING, *(row.name for row in PROGRAMS if wanted in (None, row.name))]
    columns = [f"{half}, {form}" for half in _WORLDS for form in _FORMS]
    print(f"{'without':<34}" + "".join(f"{each:>16}" for each in columns) + "  (won, spoiled)")
    # What is replaced stays replaced, so each rule has a process of its own.
    with ProcessPoolExecutor(2, get_context("spawn"), max_tasks_per_child=1) as pool:
        for name, figures in zip(names, pool.map(_figures, names), strict=True):
            cells = "".join(f"{won:>10}{spoiled:>6}" for won, spoiled in figures)
            print(f"{name:<34}{cells}", flush=True)


def _print_worlds(names: Sequence[str]) -> None:
    """Print episodes won and spoiled of worlds, with all rules."""
    print(f"{'world':<34}" + "".join(f"{form:>16}" for form in _FORMS) + "  (won, spoiled)")
    kinds = {kind.__name__: kind for worlds in _WORLDS.values() for kind in worlds}
    for name in names:
        if name not in kinds:
            raise SystemExit(f"there is no world {name}; there are {', '.join(sorted(kinds))}")
        marks = [_played(world_cell(kinds[name], form)) for form in _FORMS]
        cells = "".join(f"{each.count('1'):>10}{each.count('x'):>6}" for each in marks)
        print(f"{name:<34}{cells}", flush=True)


def _figures(name: str) -> list[tuple[int, int]]:
    for row in PROGRAMS:
        if row.name == name:
            knock_out(row)
    out = []
    for worlds in _WORLDS.values():
        for form in _FORMS:
            marks = "".join(mark for world in worlds for mark in _played(world_cell(world, form)))
            out.append((marks.count("1"), marks.count("x")))
    return out


def _played(cell: WorldCell) -> Sequence[str]:
    """Return a mark for each episode; a rule without which learning breaks off wins nothing."""
    try:
        proposals = propose_programs(cell.lesson)
    except Exception as error:  # the rule was not made to be missing
        print(f"  {cell.name}: {type(error).__name__}: {error}")
        proposals = []
    files = [each.file for each in proposals if each.trusted]
    marks = []
    for task in cell.tasks:
        asked, observation = cell.environment.reset(task)
        file = max(files, key=lambda each: each.exactness(asked, observation), default=None)
        if file is not None and file.reads(asked, observation):
            history, (results, _) = file.begin(asked, observation), file.readers()
            for _ in range(cell.horizon):
                decision = decide(file.program, history)
                if not isinstance(decision, Act):
                    break
                step, arguments = decision.step, decision.arguments
                told, _, done, _ = cell.environment.step(action_of(step.operator, arguments))
                facts = results.read(told)
                worked = did_something(facts, history, again=step.again)
                history.add(Done(step.id, step.operator, arguments, worked), facts)
                if done:
                    break
        marks.append(cell.mark())
    return marks


if __name__ == "__main__":
    main()
