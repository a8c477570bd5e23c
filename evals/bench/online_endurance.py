"""Thousands of episodes of learning online on generated household games: does it stay level?

Run ``python evals/bench/online_endurance.py --episodes 20000 --library /tmp/endurance``; the same
command goes on where it was stopped. It reports memory, processor time a decision takes (learning
included), wall time, and the ledger's growth over tenths of the run. A JSON document with the
figures is written beside the library, and while it runs a line for each hundredth of it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import time
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from macla.adapters.embeddings import DEFAULT_EMBEDDING
from macla.adapters.teaching.teaching import teach
from macla.evals.alfworld.generator import generate_game
from macla.evals.players.arms import Setting
from macla.evals.practice.practice_loop import Played, PracticeSetting, practise, read_played
from macla.evals.suites.suites import EvalTask, make_suite
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.library.library import Library

_PAGE = resource.getpagesize()


class Games(Collection[EvalTask]):
    """Generated games, made when they are asked for, so that none of them takes up memory.

    Args:
        count: How many.
        seed: Of what they are.
        played: Ids of episodes so far; games that need not be made for these are left out.
    """

    def __init__(self, count: int, seed: int, played: Sequence[str] = ()) -> None:
        self.count, self.seed = count, seed
        # The last may be due to be played again.
        self.done = {*played} - {each.partition("#")[0] for each in played[-1:]}

    def __len__(self) -> int:
        return self.count

    def __contains__(self, task: object) -> bool:
        return any(task == each for each in self)

    def __iter__(self) -> Iterator[EvalTask]:
        for index in range(self.count):
            name = f"generated/{self.seed}/{index}"
            if name not in self.done:
                game = generate_game(index, seed=self.seed)
                yield EvalTask(name, game.game(), game.task_type)


def resident() -> float:
    """Return the memory this process holds now, in MB."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE / 1e6


def main() -> None:
    """Practise and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=500)
    parser.add_argument("--demonstrations", type=int, default=10)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    suite = make_suite("alfworld")
    shown, _ = suite.demonstrations(asked.demonstrations, asked.seed)
    if not (asked.library / "library.yaml").exists():
        if shown:
            teach(asked.library, shown, domain=suite.domain)
        else:
            Library.create(asked.library, domain=suite.domain, embedding=DEFAULT_EMBEDDING)
    noted = asked.library.with_suffix(".samples.jsonl")
    started = time.perf_counter()
    every = max(1, asked.episodes // 100)
    cpu, steps = time.process_time(), 0

    def note(each: Played, done: int, of: int) -> None:
        nonlocal cpu, steps
        steps += each.steps
        if done % every == 0:
            with Ledger.open(asked.library / ".macla" / "evidence.db", read_only=True) as ledger:
                rows = ledger.total()
            used = time.process_time() - cpu
            sample = {
                "episode": done,
                "process": os.getpid(),
                "mb": round(resident(), 1),
                "rows": rows,
                "cpu_ms_a_decision": round(1000 * used / max(1, steps), 3),
                "seconds": round(time.perf_counter() - started, 1),
            }
            with noted.open("a", encoding="utf-8") as file:
                file.write(json.dumps(sample) + "\n")
            print(done, "of", of, sample, flush=True)
            cpu, steps = time.process_time(), 0

    setting = Setting(
        suite, library=str(asked.library), admissible=True, seed=asked.seed, record=True
    )
    before = [each.id for each in read_played(asked.library / ".macla" / "practice.jsonl")]
    practised = practise(
        PracticeSetting(setting),
        Games(asked.episodes, asked.seed + 1, before),
        episodes=asked.episodes,
        demonstrations=shown,
        progress=note,
    )
    tenth = max(1, len(practised.played) // 10)
    starts = range(0, min(tenth * 10, len(practised.played)), tenth)
    parts = [practised.played[at : at + tenth] for at in starts]
    samples: list[dict[str, Any]] = [json.loads(line) for line in noted.open(encoding="utf-8")]
    share = max(1, len(samples) // 10)
    document = {
        "episodes": len(practised.played),
        "solved": [round(sum(p.won for p in part) / len(part), 4) for part in parts],
        "cpu_ms_a_decision": [
            round(statistics.mean(s["cpu_ms_a_decision"] for s in samples[at : at + share]), 3)
            for at in range(0, len(samples), share)
        ],
        "ms_a_decision": [
            round(1000 * sum(p.seconds[0] for p in part) / sum(p.steps for p in part), 3)
            for part in parts
        ],
        "ms_learning_an_episode": [
            round(1000 * sum(p.seconds[1] for p in part) / len(part), 3) for part in parts
        ],
        "footprint": practised.footprint.to_document(),
        "samples": samples,
    }
    place = asked.library.with_suffix(".json")
    place.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    print(json.dumps({k: v for k, v in document.items() if k != "samples"}, indent=2))


if __name__ == "__main__":
    main()
