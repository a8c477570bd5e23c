"""Leave out one wording of ALFWorld's goals at a time, and play unused games told in it.

The benchmark tells each kind of task in two wordings. For each of them a library is learned from
the episodes that are told in any other, and plays the train games that were not learned from and
are told in the one left out. Writes a Markdown table with Wilson intervals at 95 %.

    python scripts/held_out_wordings.py [--episodes 2851] [--seed 0] [--limit N] [--goals human]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from macla.adapters.teaching.teaching import teach
from macla.evals.alfworld.games import find_games, load_game
from macla.evals.players.arms import Setting
from macla.evals.reports.statistics import wilson_interval
from macla.evals.running.runner import play_all
from macla.evals.suites.suites import EvalTask, make_suite
from macla.procedures.learning.analysis import read
from macla.procedures.learning.entities import learn_lexicon


def main() -> None:
    """Write the table to the standard output, a row at a time."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--episodes", type=int, default=2851, help="demonstrations, all wordings")
    parser.add_argument("--seed", type=int, default=0, help="which demonstrations")
    parser.add_argument("--limit", type=int, help="most games of a wording")
    parser.add_argument("--goals", choices=["templated", "human"], default="templated")
    parser.add_argument("--scramble", type=int, help="seed of invented words")
    chosen = parser.parse_args()
    source = make_suite("alfworld", goals=chosen.goals)
    shown, left = source.demonstrations(chosen.episodes, chosen.seed)
    everything, _ = make_suite("alfworld").demonstrations(None, None)
    lexicon = learn_lexicon(shown)
    wording = {t.id: read(t, lexicon).goal for t in everything}
    unused: dict[str, list[str]] = defaultdict(list)
    for name in left:
        unused[wording[name]].append(name)
    print("| wording left out | games | won | interval | mean steps |\n|---|---|---|---|---|")
    won = played = 0
    shares = []
    for goal, names in sorted(unused.items()):
        with TemporaryDirectory() as folder:
            library = Path(folder) / "library"
            others = [t for t in shown if wording[t.id] != goal]
            teach(library, others, domain="alfworld", scramble=chosen.scramble)
            tasks = _games(names[: chosen.limit], Path(folder) / "games.txt")
            played = make_suite("alfworld")
            setting = Setting(played, library=str(library), scramble=chosen.scramble)
            outcomes = play_all(setting, tasks)
        wins = sum(outcome.success for outcome in outcomes)
        won, played = won + wins, played + len(tasks)
        shares.append(wins / len(tasks))
        steps = sum(outcome.steps for outcome in outcomes) / len(tasks)
        print(f"| {goal} | {_row(wins, len(tasks))} | {steps:.2f} |", flush=True)
    print(f"| all | {_row(won, played)} | |")
    print(f"\nmean of the wordings: {100 * sum(shares) / len(shares):.1f} %")


def _games(names: list[str], split: Path) -> list[EvalTask]:
    split.write_text("\n".join(names), encoding="utf-8")
    games = [load_game(file) for file in find_games(str(split), None)]
    return [EvalTask(game.id, game) for game in games]


def _row(won: int, played: int) -> str:
    interval = wilson_interval(won, played)
    return f"{played} | {won} | {100 * interval.low:.1f} to {100 * interval.high:.1f} %"


if __name__ == "__main__":
    main()
