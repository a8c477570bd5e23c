"""What the expected utility as printed lets a library do, before anything is played.

    macla learn alfworld --library lib --episodes 2851 --seed 0 --method printed
    python scripts/printed_utility.py lib                   # split: valid_seen

It prints how similar the tasks of a split are to the nearest plan's goal, and for how many of
them any plan reaches θ_conf under the preset ``printed``; then, for values of Rel, with how many
successes and no failure a procedure reaches it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median

from macla.adapters.session import LibrarySession
from macla.evals.suites.suites import make_suite
from macla.procedures.method.presets import PRESETS
from macla.procedures.method.utility import Candidate, expected_utility

PRINTED = PRESETS["printed"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--split", default="valid_seen")
    options = parser.parse_args()
    tasks = [task.reference.task for task in make_suite("alfworld").tasks(options.split)]
    nearest, trusted = [], 0
    with LibrarySession.open(options.library, read_only=True) as session:
        knowledge = session.knowledge()
        for task in tasks:
            hits = list(knowledge.retriever.search(task, 16, kind="meta"))
            nearest.append(max(hit.similarity for hit in hits))
            trusted += any(
                worth(hit.similarity, *knowledge.posterior("meta", hit.id, meta.version))
                for hit in hits
                if (meta := knowledge.metas.get(hit.id)) is not None
            )
    print(
        f"{len(tasks)} tasks; similarity of the nearest goal: median {median(nearest):.2f}, ",
        end="",
    )
    print(f"from {min(nearest):.2f} to {max(nearest):.2f}")
    print(f"a plan reaches θ_conf for {trusted} of them")
    for relevance in (1.0, 0.9, 0.8, 0.7, 0.6, 0.55, 0.5):
        enough = [n for n in range(5000) if worth(relevance, 1.0 + n, 1.0)]
        print(f"Rel {relevance}:", f"{enough[0]} to {enough[-1]}" if enough else "never")


def worth(relevance: float, alpha: float, beta: float) -> bool:
    candidate = Candidate("", max(0.0, relevance), alpha, beta)
    return expected_utility(candidate, PRINTED).value >= PRINTED.weights.theta_conf


if __name__ == "__main__":
    main()
