"""Episodes as JSON Lines: one episode a line, read as a stream and checked by hand.

The check by hand is equivalent to ``trajectory.schema.json``, as a test verifies. It is much
faster, which matters for thousands of episodes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from ..common.errors import Skip, TrajectoryError, reason
from ..documents.plain_data import frozen, thaw
from ..local.replacing import replacing
from .tokens import spans

MAX_TEXT = 1_048_576
"""Longest task, observation or action, in characters."""
MAX_WORDS = 1_000
"""Most words and signs of a task or an action to learn from: the time to separate operators from
arguments grows with the square of their number."""
MAX_LINE = 64 * 1_048_576
"""Longest line, in bytes."""
_MAX_NAME = 2_000
"""Longest id or source, in characters."""

_REQUIRED = ("task", "obs", "acts", "success")
_KNOWN = frozenset({*_REQUIRED, "id", "also", "reward", "source", "info"})
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_ESCAPE_SEQUENCE = re.compile(
    "\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|[@-Z\\\\^_])"
)
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_BLANK = re.compile(r"[^\S\n\t ]")
_ESCAPES = ("\\u", "\\r", "\\b", "\\f", "\x7f")
"""Escapes in a line of ASCII JSON, one of which it has if a text holds a control character."""


@dataclass(frozen=True, slots=True)
class Trajectory:
    """One episode.

    Attributes:
        task: Text of the task.
        obs: Observations, one more than there are actions; the first before any action.
        acts: Actions, in order.
        success: Whether the task was done.
        id: Name of the episode, if it has one.
        also: Other sentences that ask for the same.
        reward: The environment's reward in [0, 1], where 1 is success; None if unknown.
        source: Origin of the episode, if known.
        info: Anything else; plain values.
    """

    task: str
    obs: tuple[str, ...]
    acts: tuple[str, ...]
    success: bool
    id: str = ""
    source: str = ""
    info: Mapping[str, Any] = field(default_factory=dict, hash=False)
    also: tuple[str, ...] = ()
    reward: float | None = None

    def __post_init__(self) -> None:
        if self.info:
            frozen(self, "info")

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Trajectory:
        """Read a plain document, which must fit ``trajectory.schema.json``."""
        return cls(
            document["task"],
            tuple(document["obs"]),
            tuple(document["acts"]),
            document["success"],
            document.get("id", ""),
            document.get("source", ""),
            document.get("info", {}),
            tuple(document.get("also", ())),
            document.get("reward"),
        )

    def to_document(self) -> dict[str, Any]:
        """Return the plain document, keys in a fixed order, empty ones left out."""
        document: dict[str, Any] = {"id": self.id} if self.id else {}
        document |= {
            "task": self.task,
            "obs": list(self.obs),
            "acts": list(self.acts),
            "success": self.success,
        }
        if self.also:
            document["also"] = list(self.also)
        if self.reward is not None:
            document["reward"] = self.reward
        if self.source:
            document["source"] = self.source
        if self.info:
            document["info"] = thaw(self.info)
        return document


def cleaned(text: str) -> str:
    """Return a text as a trajectory may hold it: without control characters, not too long.

    Line ends of any kind become line feeds, and other white space becomes a blank. Terminal escape
    sequences, control characters and lone surrogates are removed.
    """
    if not text.isascii() or not text.isprintable():
        text = _ESCAPE_SEQUENCE.sub("", text)
        text = _LINE_END.sub("\n", text)
        text = _BLANK.sub(" ", text)
        text = _CONTROL.sub("", text)
    return text[:MAX_TEXT]


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not allowed")


_decode = json.JSONDecoder(parse_constant=_no_constant).decode


def require_learnable(episode: Trajectory) -> None:
    """Refuse an episode that would take too long to learn from.

    Raises:
        TrajectoryError: A task or an action of it has more than :data:`MAX_WORDS` words and signs.
    """
    texts = (("task", (episode.task,)), ("also", episode.also), ("acts", episode.acts))
    for name, each in texts:
        for index, text in enumerate(each):
            if len(text) > MAX_WORDS and len(spans(text)) > MAX_WORDS:
                where = name if name == "task" else f"{name}.{index}"
                raise TrajectoryError(f"{where!r} has more than {MAX_WORDS} words: not learned")


def read_trajectories(
    path: Path | str, skip: Skip | None = None, *, to_learn: bool = False
) -> Iterator[Trajectory]:
    """Yield the episodes of a JSON Lines file; blank lines are skipped.

    Args:
        path: The file.
        skip: Called with each line that does not fit; without it, the first such line is an error.
        to_learn: Whether a line fits only if :func:`require_learnable` passes it.

    Raises:
        TrajectoryError: The file cannot be read or holds no episode, or a line does not
            fit ``trajectory.schema.json``; the message names file and line.
    """
    file = Path(path)
    has_episode = False
    first_error: TrajectoryError | None = None
    try:
        with file.open("rb") as stream:
            number = 0
            while line := stream.readline(MAX_LINE + 1):
                number += 1
                if line.isspace():
                    continue
                try:
                    if len(line) > MAX_LINE:
                        raise _fault(file, number, f"a line is longer than {MAX_LINE} bytes")
                    trajectory = _parse(line, file, number)
                    if to_learn:
                        _require_learnable(trajectory, file, number)
                except TrajectoryError as error:
                    if skip is None:
                        raise
                    skip(error)
                    first_error = first_error or error
                    while line and not line.endswith(b"\n"):
                        line = stream.readline(MAX_LINE)
                    continue
                has_episode = True
                yield trajectory
    except OSError as error:
        raise TrajectoryError(f"{file}: cannot be read: {reason(error)}") from error
    if not has_episode:
        if first_error is not None:
            raise first_error
        raise TrajectoryError(f"{file}: holds no episode (one JSON object a line is expected)")


def _fault(file: Path, number: int, problem: str) -> TrajectoryError:
    return TrajectoryError(f"{file}:{number}: {problem}")


def _require_learnable(episode: Trajectory, file: Path, number: int) -> None:
    try:
        require_learnable(episode)
    except TrajectoryError as error:
        raise _fault(file, number, str(error)) from None


def _parse(line: bytes, file: Path, number: int) -> Trajectory:
    try:
        text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        document = _decode(text)
    except UnicodeDecodeError:
        raise _fault(file, number, "is not UTF-8 text; is it a binary file?") from None
    except json.JSONDecodeError as error:
        problem_text = f"is not JSON: {error.msg} at column {error.colno}; is the line cut off?"
        raise _fault(file, number, problem_text) from None
    except RecursionError:
        raise _fault(file, number, "nests too deep") from None
    except ValueError as error:  # a constant or a number that JSON has not
        raise _fault(file, number, f"is not JSON: {str(error)[:200]}") from None
    suspicious = _suspicious(text)
    if suspicious and isinstance(document, dict) and isinstance(document.get("obs"), list):
        # Programs on Windows print these line ends; actions stay as they were typed.
        document["obs"] = [
            each.replace("\r\n", "\n") if isinstance(each, str) else each
            for each in document["obs"]
        ]
    problem = find_problem(document, suspicious=suspicious)
    if problem is not None:
        raise _fault(file, number, problem)
    return Trajectory.from_document(document)


def _suspicious(line: str) -> bool:
    """Tell whether a text in a line may hold a control character; raw ones are no JSON."""
    return not line.isascii() or any(escape in line for escape in _ESCAPES)


def find_problem(document: Any, *, suspicious: bool = True) -> str | None:
    """Return why a document is no trajectory, or None if it is one.

    Args:
        document: Plain data.
        suspicious: Whether its texts may hold control characters.
    """
    if not isinstance(document, dict):
        return "is not a JSON object"
    for key in _REQUIRED:
        if key not in document:
            return f"the key {key!r} is missing"
    if not document.keys() <= _KNOWN:
        unknown = min(str(key) for key in document.keys() - _KNOWN)
        return f"unknown key {unknown[:80]!r}; put other things below 'info'"
    obs, acts = document["obs"], document["acts"]
    if type(obs) is not list or type(acts) is not list:
        return "'obs' and 'acts' must be lists of texts"
    if type(document["success"]) is not bool:
        return "'success' must be true or false"
    reward = document.get("reward", 0)
    if type(reward) not in (int, float) or not 0 <= reward <= 1:
        return "'reward' must be a number from 0 to 1"
    also = document.get("also", [])
    if type(also) is not list:
        return "'also' must be a list of texts"
    if type(document.get("info", {})) is not dict:
        return "'info' must be an object"
    problem = (
        _text_problem("task", document["task"], 1, MAX_TEXT, suspicious)
        or _text_problem("id", document.get("id", "-"), 1, _MAX_NAME, suspicious)
        or _text_problem("source", document.get("source", "-"), 1, _MAX_NAME, suspicious)
    )
    if problem is None and document["task"].isspace():
        problem = "'task' is empty"
    if problem is not None:
        return problem
    for name, texts, least in (("obs", obs, 0), ("acts", acts, 1), ("also", also, 1)):
        for index, text in enumerate(texts):
            # The good path without a call: there are a hundred thousand texts.
            if suspicious or type(text) is not str or not least <= len(text) <= MAX_TEXT:
                where = f"{name}.{index}"
                problem = _text_problem(where, text, least, MAX_TEXT, suspicious)
                if problem is not None:
                    return problem
    if len(obs) != len(acts) + 1:
        return (
            f"has {len(obs)} observations and {len(acts)} actions; "
            "there must be one observation more than actions"
        )
    return None


def _text_problem(where: str, text: Any, least: int, most: int, suspicious: bool) -> str | None:
    if type(text) is not str:
        return f"{where!r} must be a text, not {type(text).__name__}"
    if len(text) < least:
        return f"{where!r} is empty"
    if len(text) > most:
        return f"{where!r} has {len(text)} characters; at most {most} are allowed"
    if suspicious and (bad := _CONTROL.search(text)) is not None:
        return f"{where!r} holds the control character U+{ord(bad[0]):04X}"
    return None


def write_trajectories(path: Path | str, trajectories: Iterable[Trajectory]) -> int:
    """Write episodes as JSON Lines, all or nothing, and return how many.

    Raises:
        TrajectoryError: An episode does not fit the schema, or the file cannot be written.
    """
    file = Path(path)
    count = 0
    try:
        with replacing(file) as stream:
            for count, trajectory in enumerate(trajectories, 1):
                document = trajectory.to_document()
                problem = find_problem(document)
                if problem is not None:
                    raise TrajectoryError(f"episode {count} cannot be written: {problem}")
                line = json.dumps(document, ensure_ascii=False, allow_nan=False)
                stream.write(f"{line}\n".encode())
    except (ValueError, TypeError) as error:
        raise TrajectoryError(f"episode {count} cannot be written: {error}") from None
    except OSError as error:
        raise TrajectoryError(f"{file}: cannot be written: {reason(error)}") from error
    return count
