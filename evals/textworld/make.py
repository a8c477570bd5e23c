"""Making TextWorld games with ``tw-make``, once, into a cache that several processes share."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from ...procedures.common.errors import DataError, MissingExtraError
from .games import GameRecipe, recipe_of, split_folder

__all__ = ["INSTALL", "Progress", "ensure_games", "make_game", "require_textworld"]

INSTALL = "pip install 'macla[textworld]'"

#: Called as ``progress(games there, games wanted)`` after each game.
Progress = Callable[[int, int], None]

# For some combinations TextWorld fails for two seeds in three, which takes it a second each.
_ATTEMPTS = 40
_TIMEOUT_SECONDS = 300


def require_textworld() -> None:
    """Raise :class:`MissingExtraError` if TextWorld is not installed."""
    if importlib.util.find_spec("textworld") is None:
        raise MissingExtraError(
            f"TextWorld's games need the package textworld, which is not installed; run {INSTALL}"
        )


def ensure_games(
    game: str,
    split: str,
    n: int,
    root: str | Path | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[Path]:
    """Return the first ``n`` games of a split and make those that are not there yet.

    Args:
        game: ``cooking``, ``treasure`` or ``hunt``.
        split: ``train``, ``dev`` or ``test``.
        n: How many games, at least 1.
        root: The data root; see :func:`~.games.data_root`.
        jobs: How many games to make at the same time (each 2 to 9 s on one core).
        progress: Told after each game.

    Raises:
        DataError: If ``n`` is not positive, or a game cannot be made.
        MissingExtraError: If a game must be made and TextWorld is not installed.
    """
    if n < 1:
        raise DataError(f"the number of TextWorld games must be at least 1, not {n}")
    folder = split_folder(game, split, root)
    recipes = [recipe_of(game, split, index) for index in range(n)]
    paths = [folder / recipe.id / "game.z8" for recipe in recipes]
    missing = [recipe for recipe, path in zip(recipes, paths, strict=True) if not path.is_file()]
    if not missing:
        return paths
    require_textworld()
    there = n - len(missing)
    with ThreadPoolExecutor(max_workers=max(1, jobs)) as pool:
        futures = [pool.submit(make_game, recipe, folder) for recipe in missing]
        try:
            for future in as_completed(futures):
                future.result()
                there += 1
                if progress is not None:
                    progress(there, n)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return paths


def make_game(recipe: GameRecipe, folder: Path) -> Path:
    """Make one game below ``folder`` and return its ``.z8`` file.

    The game appears whole or not at all: it is made in a hidden folder beside its place and moved
    there at the end. If another process was faster, its game stays; both are the same.

    Raises:
        DataError: If TextWorld fails for every seed that is tried.
    """
    place = folder / recipe.id
    folder.mkdir(parents=True, exist_ok=True)
    trouble = ""
    for attempt in range(_ATTEMPTS):
        seed = recipe.attempt_seed(attempt)
        with tempfile.TemporaryDirectory(prefix=f".{recipe.id}-", dir=folder) as temporary:
            made = Path(temporary) / "game"
            made.mkdir()
            trouble = _run_tw_make([*recipe.arguments, "--seed", str(seed)], made / "game.z8")
            if "ImportError" in trouble or "ModuleNotFoundError" in trouble:
                break  # no other seed helps
            if trouble:
                continue
            # Inform's source is as large as the game and needed by nobody.
            (made / "game.ni").unlink(missing_ok=True)
            about = {"id": recipe.id, "arguments": list(recipe.arguments), "seed": seed}
            (made / "made.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
            _move(made, place)
        return place / "game.z8"
    raise DataError(
        f"{recipe.id}: tw-make {' '.join(recipe.arguments)} failed {attempt + 1} times; the last "
        f"time it said: {trouble}"
    )


def _run_tw_make(arguments: Sequence[str], output: Path) -> str:
    """Run ``tw-make`` in a process of its own; return what went wrong, or nothing."""
    command = [sys.executable, "-W", "ignore", str(_script()), *arguments]
    command += ["--output", str(output), "--silent", "--force"]
    # Some of TextWorld's choices go through sets: fix their order.
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    try:
        run = subprocess.run(  # noqa: S603 - our own arguments, no shell
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT_SECONDS,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"not ready after {_TIMEOUT_SECONDS} s"
    if run.returncode == 0 and output.is_file() and output.with_suffix(".json").is_file():
        return ""
    lines = (run.stderr or run.stdout).strip().splitlines() or [f"exit code {run.returncode}"]
    return lines[-1][:500]


def _script() -> Path:
    beside = Path(sysconfig.get_path("scripts")) / "tw-make"
    if beside.is_file():
        return beside
    found = shutil.which("tw-make")
    if found is None:
        raise MissingExtraError(f"tw-make, a part of textworld, is not to be found; run {INSTALL}")
    return Path(found)


def _move(made: Path, place: Path) -> None:
    try:
        os.replace(made, place)
    except OSError:
        if not (place / "game.z8").is_file():
            raise
