"""Making commits beside the work tree, and finding the commits that name proposals.

A commit is made by one process, whatever else is changed or staged.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...procedures.common.errors import GitError
from .repository import Person, Repository
from .staging import stage

_ATTEMPTS = 20
"""Tries to commit while others move the branch."""
_BESIDE = "refs/macla/beside"
"""Ref of a commit while it is made that no ref shall name."""
_DATE = re.compile(r"@?(\d+)(?: ([+-]\d{4}))?")


def commit_here(
    repository: Repository,
    index: Path,
    names: Sequence[str],
    text: str,
    people: tuple[Person, Person],
    at: tuple[str | None, str] | None = None,
) -> None:
    """Commit files as the work tree has them; the index is held.

    ``at`` is the commit that is checked out, and its branch, where that was just asked for.

    Raises:
        GitError: HEAD is detached, a merge or the like is under way, or the branch moves on and on.
    """
    branch = ""
    files = {name: _content(repository.top / name) for name in names}
    stage(repository, index, files)
    for attempt in range(_ATTEMPTS):
        head, branch = at if at is not None and not attempt else repository.ready()
        if record(repository, branch, head, files, text, people):
            return
    lock = repository.folder / f"{branch}.lock"
    why = f"is locked; remove {lock} if no git runs" if lock.exists() else "moves all the time"
    raise GitError(f"the branch {branch} {why}; the change is in the work tree, commit it")


def _content(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None


def record(
    repository: Repository,
    branch: str,
    head: str | None,
    files: Mapping[str, bytes | None],
    text: str,
    people: tuple[Person, Person],
) -> bool:
    """Make a commit and move its branch, by one process; False if the branch is elsewhere by now.

    Files go by their names from the top of the work tree; None: it is removed.

    Raises:
        GitError: It cannot be made.
    """
    lines = _commit(branch, head, files, text, people)
    code, _, err = _fast_import(repository, lines)
    if not code:
        return True
    complaint = err.decode("utf-8", "replace")
    if "not updating" in complaint.lower() or "cannot lock ref" in complaint:
        return False
    raise _commit_error(repository, complaint)


def commit_beside(
    repository: Repository,
    head: str,
    files: Mapping[str, bytes | None],
    text: str,
    people: tuple[Person, Person],
) -> str:
    """Make a commit, as :func:`record` does, that no ref names yet; return its name."""
    lines = _commit(_BESIDE, head, files, text, people)
    nowhere = b"from " + b"0" * repository.name_length
    lines += [b"get-mark :1", b"reset " + _BESIDE.encode(), nowhere]
    code, out, err = _fast_import(repository, lines)
    if code:
        raise _commit_error(repository, err.decode("utf-8", "replace"))
    return out.decode("ascii").strip()


def _commit(
    branch: str,
    head: str | None,
    files: Mapping[str, bytes | None],
    text: str,
    people: tuple[Person, Person],
) -> list[bytes]:
    """Return what tells git to make a commit on a branch."""
    message = text.replace("\0", "\ufffd").encode("utf-8", "replace")
    author, committer = (f"{each} {_now()}".encode() for each in people)
    lines = [b"commit " + branch.encode("utf-8", "surrogateescape"), b"mark :1"]
    lines += [b"author " + author, b"committer " + committer, *_data(message)]
    if head is not None:
        lines.append(b"from " + head.encode())
    for name, content in files.items():
        path = _quoted_path(name)
        if content is None:
            lines.append(b"D " + path)
        else:
            lines += [b"M 100644 inline " + path, *_data(content)]
    return lines


def _fast_import(repository: Repository, lines: Sequence[bytes]) -> tuple[int, bytes, bytes]:
    stream = b"\n".join([*lines, b"done", b""])
    return repository.git.attempt("fast-import", "--quiet", "--done", data=stream)


def _commit_error(repository: Repository, complaint: str) -> GitError:
    return GitError(f"the commit cannot be made in {repository.top}: {complaint.strip()[:500]}")


def _now() -> str:
    """Return the time as git writes it, or the one that the environment names, as git has it."""
    date = _DATE.fullmatch(os.environ.get("GIT_COMMITTER_DATE", ""))
    if date is not None:
        return f"{date[1]} {date[2] or '+0000'}"
    return f"{int(time.time())} {time.strftime('%z') or '+0000'}"


def _data(content: bytes) -> Iterator[bytes]:
    yield b"data %d" % len(content)
    yield content


def _quoted_path(name: str) -> bytes:
    plain = name.encode("utf-8", "surrogateescape")
    escaped = plain.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"'


def tells_of(repository: Repository, head: str, proposal: str) -> bool:
    """Say whether a commit of a history is the record of a proposal."""
    return proposal in _deciding_commits(repository, head, [proposal])


def told_since(repository: Repository, bases: Mapping[str, str]) -> list[str]:
    """Return the proposals that a commit names which came after their branch began.

    What was accepted and taken back may be proposed again: from a commit after that. ``bases`` are
    the commits that the branches of proposals have in common with HEAD.
    """
    ids = []
    commits = _deciding_commits(repository, "HEAD", list(bases)) if bases else {}
    for name, commit in commits.items():
        code, _, _ = repository.git.attempt("merge-base", "--is-ancestor", commit, bases[name])
        if code:
            ids.append(name)
    return sorted(ids)


def _deciding_commits(
    repository: Repository, head: str, proposals: Sequence[str]
) -> dict[str, str]:
    """Return proposal → the last commit whose message names it, unless that one reopens it.

    A squash indents the messages that it joins, so that they are no trailers any more.
    """
    out = repository.git.run(
        "log", "-z", "--format=%H%n%B", "--fixed-strings", "--grep=Proposal: ", head, "--"
    )
    commits: dict[str, str] = {}
    undecided = set(proposals)
    for entry in out.decode("utf-8", "replace").split("\0"):
        commit, _, text = entry.partition("\n")
        pairs = (line.strip().partition(": ") for line in text.splitlines())
        named = undecided.intersection(name for key, _, name in pairs if key == "Proposal")
        undecided -= named
        if not text.startswith("Reopen: "):
            commits |= dict.fromkeys(named, commit)
    return commits
