"""Game files: where they are, which belong to a split, and what is in one.

A game is a folder with the official ``game.tw-pddl``: a JSON object with ``pddl_domain``,
``grammar``, ``pddl_problem``, ``solvable`` and ``walkthrough``. Its text is data: it is
never used as a path, as a template or as code.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...adapters.missing_split import no_file
from ...procedures.common.errors import DataError, MissingDataError

__all__ = [
    "GAME_FILE",
    "Game",
    "data_root",
    "find_games",
    "load_game",
    "read_game_file",
    "task_literal",
]

GAME_FILE = "game.tw-pddl"

_JSON_FOLDER = "json_2.1.1"
_MAX_BYTES = 8_000_000
_MAX_TASK = 1_000
_TASK_RULE = re.compile(r'"task"\s*:\s*\[\s*\{\s*"rhs"\s*:\s*("(?:[^"\\]|\\.)*")', re.DOTALL)
_TASK_PREFIX = "Your task is to: "
_UNSOLVABLE = re.compile(rb'"solvable"\s*:\s*false')
_UNSUPPORTED = ("movable", "Sliced")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Game:
    """One game, as its file holds it.

    Attributes:
        id: Name such as ``valid_seen/<task>/<trial>``.
        path: The ``game.tw-pddl`` file.
        task: The task sentence without ``Your task is to:``.
        problem: The PDDL problem. No agent may see it.
        walkthrough: The oracle plan, for tests and conformance only. No agent may see it.

    """

    id: str
    path: Path
    task: str
    problem: str = field(repr=False)
    walkthrough: tuple[str, ...] = field(repr=False)


def data_root(argument: str | Path | None = None) -> Path:
    """Return the folder of the benchmark data.

    The argument if given, else ``$MACLA_DATA``, else ``~/.cache/macla/bench``. The folder
    need not exist; whoever reads from it says what is missing.
    """
    chosen = argument or os.environ.get("MACLA_DATA") or "~/.cache/macla/bench"
    return _expanded(chosen)


def load_game(path: str | Path, *, name: str | None = None) -> Game:
    """Read a game from its file or from the folder that holds it.

    Args:
        path: ``game.tw-pddl`` or its folder.
        name: Id of the game; by default its folders below ``json_2.1.1``, or else the
            last two folders above the file.

    Raises:
        DataError: There is no such file, it is not a game, or no plan solves it.

    """
    file = _game_file(_expanded(path))
    content = read_game_file(file)
    if content["solvable"] is not True:
        raise DataError(
            f"{file}: marked as unsolvable, so it cannot be played to an end; leave it out "
            "(splits that are folders leave such games out by themselves)"
        )
    walkthrough = content["walkthrough"]
    if not isinstance(walkthrough, list) or not all(isinstance(each, str) for each in walkthrough):
        raise DataError(f"{file}: 'walkthrough' is not a list of commands; replace the file")
    return Game(
        id=_game_id(file) if name is None else name,
        path=file,
        task=task_sentence(content["grammar"], file),
        problem=content["pddl_problem"],
        walkthrough=tuple(walkthrough),
    )


def read_game_file(file: Path) -> dict[str, Any]:
    """Read the JSON of a game file and check that its five keys are there.

    Raises:
        DataError: The file is missing, too large, binary, cut short, not JSON, or lacks a
            key, or one of the texts is not text.

    """
    text = _read_text(file)
    try:
        content = json.loads(text)
    except RecursionError:
        raise DataError(f"{file}: nested too deeply to be a game; replace the file") from None
    except json.JSONDecodeError as error:
        raise DataError(
            f"{file}:{error.lineno}: not JSON, or cut short ({error.msg}); "
            "download or generate the game again"
        ) from None
    except ValueError as error:
        raise DataError(f"{file}: not readable as JSON ({error}); replace the file") from None
    if not isinstance(content, dict):
        raise DataError(f"{file}: holds a JSON {type(content).__name__}, not a game's object")
    for key in ("pddl_domain", "grammar", "pddl_problem"):
        if not isinstance(content.get(key), str):
            raise DataError(
                f"{file}: {key!r} is {'missing' if key not in content else 'not text'}; a game "
                "needs pddl_domain, grammar, pddl_problem, solvable and walkthrough"
            )
    for key in ("solvable", "walkthrough"):
        if key not in content:
            raise DataError(
                f"{file}: {key!r} is missing; regenerate the game with alfworld-generate"
            )
    return content


def find_games(split: str | Path, root: str | Path | None = None) -> list[Path]:
    """Return the game files of a split, in a fixed order.

    Args:
        split: A folder below ``<root>/alfworld/json_2.1.1`` (``valid_seen``) or below the
            data root, or a path to a folder of games, or a text file with one game a line
            (blank lines and lines that start with ``#`` are skipped; paths are relative to
            that file, to the data root or to ``json_2.1.1``, or absolute). A folder's games
            are sorted by path; a list keeps its own order.
        root: The data root, see :func:`data_root`.

    As in the official code, a folder's games that are marked unsolvable or that need
    movable or sliced objects are left out; a log message says how many.

    Raises:
        MissingDataError: There are no splits at all.
        DataError: There is no such split, it has no games, or a listed game is missing.

    """
    base = data_root(root)
    for place in (_json_folder(base) / split, base / split, _expanded(split)):
        if _is_folder(place):
            return _games_below(place)
        if _is_file(place):
            return [place] if place.name == GAME_FILE else list(_listed_games(place, base))
    available = _available_splits(base)
    if available:
        raise DataError(
            f"no ALFWorld split {str(split)!r}; available: {', '.join(available)}, or a path to a "
            f"folder of games or to a list of them{no_file(split)}"
        )
    raise MissingDataError(
        f"no ALFWorld split {str(split)!r}; no ALFWorld data below {base}; set MACLA_DATA "
        "to the folder that holds 'alfworld', or give a path to a folder of games"
    )


def _expanded(path: str | Path) -> Path:
    return Path(os.path.expanduser(path))  # unlike pathlib's, leaves an unknown ~user alone


def _read_text(file: Path) -> str:
    try:
        if file.stat().st_size > _MAX_BYTES:
            raise DataError(f"{file}: larger than {_MAX_BYTES:,} bytes, so not a game")
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{file}: binary, not the text of a game; replace the file") from None
    except (FileNotFoundError, ValueError):  # ValueError: the path cannot be one
        raise DataError(f"{file}: no such file; give a game's folder or its {GAME_FILE}") from None
    except OSError as error:
        raise DataError(f"{file}: cannot be read ({error.strerror}); check the path") from None


def task_literal(grammar: str) -> str | None:
    """Return the JSON string of the grammar's ``task`` rule, quotes included, if it has one."""
    rule = _TASK_RULE.search(grammar)
    return None if rule is None else rule.group(1)


def task_sentence(grammar: str, file: Path) -> str:
    """Take the task sentence out of the grammar's ``task`` rule.

    Raises:
        DataError: There is none, or it is not one line of printable text.

    """
    literal = task_literal(grammar)
    try:
        sentence = str(json.loads(literal)) if literal else ""
    except json.JSONDecodeError:
        sentence = ""
    task = sentence.removeprefix(_TASK_PREFIX).strip()
    if not task or not task.isprintable() or len(task) > _MAX_TASK:
        raise DataError(
            f"{file}: its grammar has no readable 'task' rule with one line after "
            f"{_TASK_PREFIX.strip()!r}; download or generate the game again"
        )
    return task


def _game_file(path: Path) -> Path:
    return path / GAME_FILE if _is_folder(path) else path


def _game_id(file: Path) -> str:
    parts = file.absolute().parent.parts
    if _JSON_FOLDER in parts:
        below = parts[len(parts) - parts[::-1].index(_JSON_FOLDER) :]
        if below:
            return "/".join(below)
    return "/".join(part for part in parts[-2:] if part != file.anchor)


def _json_folder(base: Path) -> Path:
    return base / "alfworld" / _JSON_FOLDER


def _games_below(folder: Path) -> list[Path]:
    found = sorted(folder.rglob(GAME_FILE), key=lambda file: file.relative_to(folder).as_posix())
    if not found:
        raise DataError(
            f"{folder}: no {GAME_FILE} in it or below; a split is a folder of games, each in "
            "a folder of its own"
        )
    kept = [file for file in found if _playable(file, folder)]
    if len(kept) < len(found):
        _log.warning("%s: left out %d games that cannot be won", folder, len(found) - len(kept))
    if not kept:
        raise DataError(f"{folder}: none of its {len(found)} games can be won; use another split")
    return kept


def _playable(file: Path, folder: Path) -> bool:
    inner = file.relative_to(folder).as_posix()
    if any(word in inner for word in _UNSUPPORTED):
        return False
    try:
        return _UNSOLVABLE.search(file.read_bytes()) is None
    except OSError:
        return True  # loading it tells what is wrong


def _listed_games(list_file: Path, base: Path) -> Iterator[Path]:
    bases = (list_file.parent, base, _json_folder(base))
    lines = [line.strip() for line in _read_text(list_file).splitlines()]
    entries = [(n, line) for n, line in enumerate(lines, 1) if line and not line.startswith("#")]
    if not entries:
        raise DataError(f"{list_file}: lists no game; write one game path a line")
    for number, entry in entries:
        if not entry.isprintable():
            raise DataError(f"{list_file}:{number}: control characters in a path; correct the line")
        candidates = (_game_file(each / _expanded(entry)) for each in bases)
        game = next((each for each in candidates if _is_file(each)), None)
        if game is None:
            raise DataError(
                f"{list_file}:{number}: no game at {entry[:200]!r}; paths are relative to the "
                f"list's folder or to {base}, or absolute"
            )
        yield game


def _is_file(path: Path) -> bool:
    return os.path.isfile(path)  # unlike pathlib's, false also for a name that is too long


def _is_folder(path: Path) -> bool:
    return os.path.isdir(path)


def _available_splits(base: Path) -> list[str]:
    folder = _json_folder(base)
    if not folder.is_dir():
        return []
    return sorted(each.name for each in folder.iterdir() if each.is_dir())
