"""Commits as records: one process that makes a commit, and what commits tell of proposals."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence

from .repository import Person, Repository

__all__ = ["record", "tells_of", "told_since"]

_DATE = re.compile(r"@?(\d+)(?: ([+-]\d{4}))?")


def record(
    repository: Repository,
    branch: str,
    head: str | None,
    files: Mapping[str, bytes | None],
    text: str,
    people: tuple[Person, Person],
) -> bool:
    """Make a commit and move its branch, by one process; False if the branch is elsewhere by now.

    Args:
        repository: Where.
        branch: Ref of the branch.
        head: The commit that it is at; None before the first one.
        files: Name from the top of the work tree → content, None where it goes.
        text: The message.
        people: Author and committer.

    Raises:
        GitError: It cannot be made.
    """
    message = text.replace("\0", "\ufffd").encode("utf-8", "replace")
    author, committer = (f"{each} {_now()}".encode() for each in people)
    lines = [b"commit " + branch.encode("utf-8", "surrogateescape")]
    lines += [b"author " + author, b"committer " + committer, *_data(message)]
    if head is not None:
        lines.append(b"from " + head.encode())
    for name, content in files.items():
        path = _quoted(name)
        if content is None:
            lines.append(b"D " + path)
        else:
            lines += [b"M 100644 inline " + path, *_data(content)]
    stream = b"\n".join([*lines, b"done", b""])
    code, _, err = repository.git.attempt("fast-import", "--quiet", "--done", data=stream)
    if not code:
        return True
    said = err.decode("utf-8", "replace")
    if "not updating" in said.lower() or "cannot lock ref" in said:
        return False
    raise repository.failed("the commit cannot be made", said)


def _now() -> str:
    """Return the time as git writes it, or the one that the environment names, as git has it."""
    named = _DATE.fullmatch(os.environ.get("GIT_COMMITTER_DATE", ""))
    if named is not None:
        return f"{named[1]} {named[2] or '+0000'}"
    return f"{int(time.time())} {time.strftime('%z') or '+0000'}"


def _data(content: bytes) -> Iterator[bytes]:
    yield b"data %d" % len(content)
    yield content


def _quoted(name: str) -> bytes:
    plain = name.encode("utf-8", "surrogateescape")
    escaped = plain.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"' + escaped + b'"'


def tells_of(repository: Repository, head: str, proposal: str) -> bool:
    """Say whether a commit of a history is the record of a proposal."""
    return any(True for _ in _telling(repository, head, [proposal]))


def told_since(repository: Repository, bases: Mapping[str, str]) -> list[str]:
    """Return the proposals of which a commit tells that came after where their branch began.

    What was accepted and taken back may be proposed again: from a commit after that.

    Args:
        repository: Where.
        bases: Id of a proposal → the commit that its branch has in common with HEAD.
    """
    found = []
    for commit, name in _telling(repository, "HEAD", list(bases)):
        code, _, _ = repository.git.attempt("merge-base", "--is-ancestor", commit, bases[name])
        if code:
            found.append(name)
    return sorted(set(found))


def _telling(
    repository: Repository, head: str, proposals: Sequence[str]
) -> Iterator[tuple[str, str]]:
    """Yield (commit, proposal) of the commits whose message names one of some proposals.

    A squash indents the messages that it joins, so that they are no trailers any more.
    """
    out = repository.git.run(
        "log", "-z", "--format=%H%n%B", "--fixed-strings", "--grep=Proposal: ", head, "--"
    )
    wanted = set(proposals)
    for entry in out.decode("utf-8", "replace").split("\0"):
        commit, _, text = entry.partition("\n")
        if text.startswith("Reopen: "):
            continue
        for line in text.splitlines():
            key, _, name = line.strip().partition(": ")
            if key == "Proposal" and name in wanted:
                yield commit, name
