"""Small files learned into a big library: which games are won before that are not won after?

Run ``python -m macla.evals.bench.small_files``. One library is learned from ALFWorld's
demonstrations, and then, each into a copy of its own, twenty files of 1 to 20 episodes: other
demonstrations of the same world, the same with useless actions in between, episodes that came to
nothing, and demonstrations of worlds that have nothing to do with it. The games of the split are
played with each. It prints a JSON document; everything happens in a temporary folder.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from macla.evals.alfworld.games import data_root
from macla.evals.foreign_worlds import WORLDS, demonstrations

Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--episodes", type=int, default=2851, help="of the big library")
    parser.add_argument("--split", default="valid_seen")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory(prefix="macla-small-files-") as folder:
        top = Path(folder)
        rows = _expert_rows()
        rng.shuffle(rows)
        base = top / "base"
        _learn(_write(top / "base.jsonl", rows[: given.episodes]), base)
        before = _won(base, given.split)
        results: list[dict[str, Any]] = []
        for number in range(given.files):
            kind, make = list(_KINDS.items())[number % len(_KINDS)]
            library = top / f"lib{number}"
            shutil.copytree(base, library)
            _macla("migrate", str(library), "--adopt")
            file = _write(top / f"{number}.jsonl", make(rows[given.episodes :], rng))
            _learn(file, library)
            after = _won(library, given.split)
            results.append(
                {
                    "kind": kind,
                    "episodes": len(file.read_text("utf-8").splitlines()),
                    "won": len(after),
                    "lost": sorted(before - after),
                }
            )
            counts = f"won {len(after)}, lost {len(before - after)}"
            said = f"{number + 1} of {given.files}: {kind}, {counts}"
            print(said, file=sys.stderr, flush=True)
            shutil.rmtree(library)
    lost = sum(len(result["lost"]) for result in results)
    print(json.dumps({"won_before": len(before), "lost": lost, "files": results}, indent=2))
    sys.exit(1 if lost else 0)


def _expert_rows() -> list[Row]:
    """ALFWorld's demonstrations, those of the games that are played left out."""
    path = data_root(None) / "alfworld" / "expert.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return [row for row in rows if row["success"] and row["id"].startswith("train/")]


def _others(rows: Sequence[Row], rng: random.Random) -> list[Row]:
    return rng.sample(list(rows), rng.randint(1, 20))


def _noisy(rows: Sequence[Row], rng: random.Random) -> list[Row]:
    """With actions in between at which nothing happens."""
    noisy = []
    for row in _others(rows, rng):
        obs, acts = [row["obs"][0]], []
        for act, answer in zip(row["acts"], row["obs"][1:], strict=True):
            if rng.random() < 0.3:
                acts.append("examine the ceiling")
                obs.append("Nothing happens.")
            acts.append(act)
            obs.append(answer)
        noisy.append({**row, "obs": obs, "acts": acts})
    return noisy


def _failures(rows: Sequence[Row], rng: random.Random) -> list[Row]:
    """All but one broken off half way."""
    whole, *others = _others(rows, rng)
    halves = [(row, len(row["acts"]) // 2) for row in others]
    return [
        whole,
        *(
            {**row, "obs": row["obs"][: half + 1], "acts": row["acts"][:half], "success": False}
            for row, half in halves
            if half
        ),
    ]


def _foreign(rows: Sequence[Row], rng: random.Random) -> list[Row]:
    """Of a world that shares neither its actions nor its goals with a household."""
    shown = demonstrations(rng.choice(WORLDS), rng.randint(3, 20))
    return [
        {"task": e.task, "obs": list(e.obs), "acts": list(e.acts), "success": e.success}
        for e in shown
    ]


_KINDS: dict[str, Callable[[Sequence[Row], random.Random], list[Row]]] = {
    "other demonstrations": _others,
    "with useless actions": _noisy,
    "came to nothing": _failures,
    "another world": _foreign,
}


def _write(path: Path, rows: Sequence[Row]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def _learn(file: Path, library: Path) -> None:
    _macla("learn", str(file), "--library", str(library))


def _won(library: Path, split: str) -> set[str]:
    said = _macla("eval", "alfworld", "--library", str(library), "--split", split, "--json")
    return {episode["id"] for episode in json.loads(said)["episodes"] if episode["success"]}


def _macla(*words: str) -> str:
    command = [sys.executable, "-c", "from macla.cli.main import main; main()", *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode not in (0, 1):  # 1: an episode was skipped and named
        raise SystemExit(f"macla {' '.join(words)}: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main()
