"""What the index finds of what an exact search finds, in a library of 600 goals of five domains.

    python scripts/retrieval_recall.py

Goals are tasks of the benchmarks' training data in their own words; queries are 200 others of them.
"""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import numpy as np
from macla.adapters.embeddings.static import StaticEmbeddings
from macla.evals.intercode_sql.splits import split_tasks
from macla.evals.intercode_sql.tasks import data_folder, read_tasks
from macla.evals.suites import make_suite
from macla.procedures.index import IndexEntry, ProcedureIndex

GOALS, QUERIES = 600, 200
DEPTHS = (1, 4, 16)
"""16 is what the loop retrieves."""


def main() -> None:
    texts = tasks()
    random.Random(0).shuffle(texts)
    goals, queries = texts[:GOALS], texts[GOALS : GOALS + QUERIES]
    embeddings = StaticEmbeddings()
    vectors = embeddings.embed_array([*goals, *queries])
    likeness = vectors[GOALS:] @ vectors[:GOALS].T
    entries = [IndexEntry(f"g{i}", "procedure", 1, text, str(i)) for i, text in enumerate(goals)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        index = ProcedureIndex(Path(folder) / "chroma", embeddings)
        index.sync(entries)
        found = [[hit.similarity for hit in index.search(q, max(DEPTHS))] for q in queries]
        index.close()
    print(f"{len(goals)} goals, {len(queries)} queries\n")
    print("| k | recall of the exact k nearest |\n|---|---|")
    for k in DEPTHS:
        # By likeness: goals that are equally near are equally right.
        least = np.sort(likeness, axis=1)[:, -k]
        hits = [
            sum(s >= bound - 2e-6 for s in each[:k])
            for each, bound in zip(found, least, strict=True)
        ]
        print(f"| {k} | {sum(hits) / (k * len(queries)):.4f} |")


def tasks() -> list[str]:
    """Return tasks to learn from, each once."""
    folder = data_folder()
    every = read_tasks(folder / "tasks.json")
    held = {task.id for name in ("gold", "db") for task in split_tasks(name, every, folder)}
    found = [task.query for task in every if task.id not in held]
    for name, episodes in (("alfworld", 300), ("webshop", 100), ("travelplanner", None)):
        found += [each.task for each in make_suite(name).demonstrations(episodes, 0)[0]]
    return list(dict.fromkeys(found))


if __name__ == "__main__":
    main()
