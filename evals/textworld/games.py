"""Which TextWorld games there are: how each one of a split is made, and where it lies."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from ...adapters.missing_split import no_file
from ...procedures.common.errors import DataError

__all__ = [
    "GAMES",
    "SPLITS",
    "GameRecipe",
    "check_game",
    "check_split",
    "data_root",
    "find_games",
    "game_id",
    "recipe_of",
    "split_folder",
]

Game = Literal["cooking", "treasure", "hunt"]

GAMES: Final[tuple[str, ...]] = ("cooking", "treasure", "hunt")
SPLITS: Final[tuple[str, ...]] = ("train", "dev", "test")

# Hunt is treasure with a shorter task: both share their game files.
_MADE_AS: Final = {"cooking": "cooking", "treasure": "treasure", "hunt": "treasure"}
_FOOD_SPLIT: Final = {"train": "train", "dev": "valid", "test": "test"}
# Seeds of different splits never meet; the room between them is for a million games each.
_FIRST_SEED: Final = {"train": 1_000_000, "dev": 2_000_000, "test": 3_000_000}
# A seed for which TextWorld finds no game is replaced by the one so far behind it.
_RETRY_STRIDE: Final = 10_000_000

_TREASURE_LEVELS: Final = 30


@dataclass(frozen=True, slots=True)
class GameRecipe:
    """How one game is made: what ``tw-make`` is asked for.

    Attributes:
        game: ``cooking`` or ``treasure``.
        split: ``train``, ``dev`` or ``test``.
        index: Number of the game within its split, from 0.
        arguments: Arguments of ``tw-make`` before ``--seed`` and ``--output``.
        seed: The seed of the first attempt.
    """

    game: str
    split: str
    index: int
    arguments: tuple[str, ...]
    seed: int

    @property
    def id(self) -> str:
        """Name of the game and of its folder, such as ``cooking-train-0007``."""
        return f"{self.game}-{self.split}-{self.index:04d}"

    def attempt_seed(self, attempt: int) -> int:
        """Return the seed of attempt number ``attempt``, counted from 0."""
        return self.seed + attempt * _RETRY_STRIDE


def recipe_of(game: str, split: str, index: int) -> GameRecipe:
    """Return how game number ``index`` of a split is made; the same answer on every machine.

    Cooking games go round through one to three ingredients and 1, 6 or 9 rooms. One game in five
    has its doors and containers open already, one its ingredients cooked and one cut already, so
    that a line of the recipe may ask for what must not be done again. Treasure games go round
    through TextWorld's 30 levels.
    """
    made_as = _MADE_AS[check_game(game)]
    check_split(split)
    if made_as == "cooking":
        ingredients, rooms = 1 + index % 3, (1, 6, 9)[index // 3 % 3]
        arguments = ["tw-cooking", "--recipe", str(ingredients), "--take", str(ingredients)]
        arguments += ["--go", str(rooms), "--split", _FOOD_SPLIT[split]]
        # 5 has no divisor in common with the 9 combinations above, so all meet.
        for flag, left_out in (("--open", 0), ("--cook", 1), ("--cut", 2)):
            if index % 5 != left_out:
                arguments.append(flag)
    else:
        # 7 has no divisor in common with 30: neighbouring games differ in difficulty.
        level = 1 + index * 7 % _TREASURE_LEVELS
        arguments = ["tw-treasure_hunter", "--level", str(level)]
    return GameRecipe(made_as, split, index, tuple(arguments), _FIRST_SEED[split] + index)


def check_game(game: str) -> str:
    """Return ``game`` if it is one of :data:`GAMES`; raise :class:`DataError` otherwise."""
    if game not in GAMES:
        raise DataError(f"unknown TextWorld game {game!r}; choose one of {', '.join(GAMES)}")
    return game


def check_split(split: str) -> str:
    """Return ``split`` if it is one of :data:`SPLITS`; raise :class:`DataError` otherwise."""
    if split not in SPLITS:
        raise DataError(
            f"unknown TextWorld split {split!r}; choose one of {', '.join(SPLITS)}, a folder of "
            "games, or a text file with one game path a line"
        )
    return split


def data_root(root: str | Path | None = None) -> Path:
    """Return the data root: ``root``, else ``$MACLA_DATA``, else ``~/.cache/macla/bench``."""
    if root is not None:
        return Path(root).expanduser()
    named = os.environ.get("MACLA_DATA")
    return Path(named).expanduser() if named else Path.home() / ".cache" / "macla" / "bench"


def split_folder(game: str, split: str, root: str | Path | None = None) -> Path:
    """Return the folder that holds (or will hold) the games of a split."""
    made_as = _MADE_AS[check_game(game)]
    return data_root(root) / "textworld" / made_as / check_split(split)


def game_id(path: Path) -> str:
    """Return the name of a game: its folder's for ``<id>/game.z8``, else the file's."""
    return path.parent.name if path.stem == "game" else path.stem


def find_games(where: Path) -> list[Path]:
    """Return the games below a folder, of a list file, or a single game; sorted for a folder.

    Args:
        where: A folder (searched at any depth for ``*.z8``), a ``.z8`` file (or the ``.json``
            beside it), or a text file with one such path a line (relative to that file; empty
            lines and lines that start with ``#`` are skipped).

    Raises:
        DataError: If nothing is there, or a named file is not a TextWorld game.
    """
    if where.is_dir():
        found = sorted(where.rglob("*.z8"))
        # A game that is being made lies in a hidden folder until it is complete.
        found = [p for p in found if not any(q.startswith(".") for q in p.relative_to(where).parts)]
        if not found:
            raise DataError(f"{where}: no TextWorld game (*.z8) below this folder")
        return [_checked(path) for path in found]
    if not where.is_file():
        raise DataError(
            f"{where}: no such split, folder or list of TextWorld games; the splits are "
            f"{', '.join(SPLITS)}{no_file(where)}"
        )
    if where.suffix in {".z8", ".json"}:
        return [_checked(where)]
    return [_checked(path) for path in _read_list(where)]


def _read_list(where: Path) -> list[Path]:
    try:
        lines = where.read_text(encoding="utf-8").splitlines()
    except (UnicodeDecodeError, OSError) as error:
        raise DataError(f"{where}: not a text file with one game path a line ({error})") from error
    named = [line.strip() for line in lines]
    paths = [where.parent / line for line in named if line and not line.startswith("#")]
    if not paths:
        raise DataError(f"{where}: names no game; write one game path a line")
    games: list[Path] = []
    for number, path in enumerate(paths, start=1):
        try:
            exists = path.exists()
        except (OSError, ValueError):  # a line that cannot be a path at all
            exists = False
        if not exists:
            raise DataError(f"{where}: game {number} of the list is not there: {str(path)[:200]!r}")
        games += find_games(path) if path.is_dir() else [path]
    return games


def _checked(path: Path) -> Path:
    game = path.with_suffix(".z8")
    if not game.is_file() or game.suffix != ".z8":
        raise DataError(
            f"{path}: not a TextWorld game; a game is a .z8 file with a .json beside it"
        )
    if not game.with_suffix(".json").is_file():
        raise DataError(f"{game}: the game's .json is missing beside it; copy both files")
    return game
