"""Reading files as they were at a revision, from a repository that may be a stranger's.

Only plumbing that reads objects is called, with lists of arguments and no shell: no hook,
filter, text conversion, external diff, pager, editor or network can run. A revision is
resolved to an object's name once, and only that name goes on to further commands.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ...procedures.errors import GitError, LibraryError
from ...procedures.local.git import Git
from ...procedures.yaml_io import MAX_BYTES

__all__ = ["Revision", "RevisionReader"]

_MOST_FILES: Final = 20_000


@dataclass(frozen=True, slots=True)
class Revision:
    """A tree at a revision.

    Attributes:
        name: As it was asked for.
        tree: Name of the tree or commit object, in hexadecimal.
    """

    name: str
    tree: str


class RevisionReader:
    """Reads files of a git repository at revisions; it changes and runs nothing.

    Attributes:
        top: Folder of its work tree, resolved; for a bare one, the repository itself.
    """

    def __init__(self, top: Path) -> None:
        self.top = top

    @classmethod
    def around(cls, folder: Path) -> RevisionReader | None:
        """Return the repository that a folder lies in, or None if there is none.

        Raises:
            GitError: There is one, but git is missing.
        """
        here = folder.resolve()
        try:
            code, out, _ = _git(folder, "rev-parse", "--show-toplevel")
        except GitError:
            if any((p / ".git").exists() for p in (here, *here.parents)):
                raise
            return None
        if code:
            return None
        return cls(Path(os.fsdecode(out.rstrip(b"\n"))).resolve())

    def resolve(self, revision: str) -> Revision | None:
        """Return the commit or tree that a revision names, or None if it names none."""
        if not revision or "\0" in revision or "\n" in revision:
            return None
        code, out, _ = _git(
            self.top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{tree}}"
        )
        if code:
            return None
        return Revision(revision, out.decode("ascii").strip())

    def file(self, revision: Revision, path: str) -> bytes | None:
        """Return a file's content at a revision, or None if there is no such file.

        Args:
            revision: Where to look.
            path: Path below the top of the repository, with forward slashes.

        Raises:
            LibraryError: It is too large, or git failed.
        """
        found = self.files(revision, [path])
        return found.get(path)

    def is_folder(self, revision: Revision, path: str) -> bool:
        """Say whether a path is a folder at a revision."""
        if path in ("", "."):
            return True
        return _git(self.top, "cat-file", "-t", f"{revision.tree}:{path}")[1] == b"tree\n"

    def files(self, revision: Revision, paths: Sequence[str]) -> dict[str, bytes]:
        """Return the content of all regular files at or below some paths.

        Args:
            revision: Where to look.
            paths: Paths below the top of the repository; ``""`` is all of it.

        Raises:
            LibraryError: There are too many, one is too large, or git failed.
        """
        specs = [path for path in paths if path not in ("", ".")]
        listing = _checked(
            self.top, "ls-tree", "-r", "-l", "-z", "--full-tree",
            revision.tree, "--", *specs,
        )  # fmt: skip
        objects: dict[str, str] = {}
        for entry in listing.split(b"\0")[:-1]:
            about, _, raw = entry.partition(b"\t")
            mode, kind, name, size = about.split()
            path = os.fsdecode(raw)
            if kind != b"blob" or mode not in (b"100644", b"100755"):
                continue
            if int(size) > MAX_BYTES:
                where = f"{revision.name}:{path}"
                raise LibraryError(f"is larger than {MAX_BYTES} bytes", file=where)
            objects[path] = name.decode("ascii")
        if len(objects) > _MOST_FILES:
            raise LibraryError(
                f"has {len(objects)} files at {revision.name}; at most {_MOST_FILES} are read",
                file=self.top,
            )
        contents = self._blobs(sorted(set(objects.values())))
        return {path: contents[name] for path, name in objects.items()}

    def _blobs(self, names: Sequence[str]) -> dict[str, bytes]:
        """Return the contents of objects by name."""
        if not names:
            return {}
        asked = "".join(f"{name}\n" for name in names).encode("ascii")
        answer = _checked(self.top, "cat-file", "--batch", given=asked)
        found: dict[str, bytes] = {}
        start = 0
        for name in names:
            end = answer.index(b"\n", start)
            words = answer[start:end].split()
            if len(words) != 3:
                raise LibraryError(f"the object {name} is missing", file=self.top, hint="git fsck")
            size = int(words[2])
            found[name] = answer[end + 1 : end + 1 + size]
            start = end + 2 + size
        return found

    def history(self, path: str) -> Iterator[Revision]:
        """Yield the commits that changed a path, newest first, from all branches."""
        done = _checked(self.top, "rev-list", "HEAD", "--all", "--", path)
        for line in done.decode("ascii").split():
            yield Revision(line[:12], line)


def _git(folder: Path, *arguments: str, given: bytes = b"") -> tuple[int, bytes, bytes]:
    return Git(folder).attempt(*arguments, data=given)


def _checked(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    code, out, err = _git(folder, *arguments, given=given)
    if code:
        lines = err.decode("utf-8", "replace").strip().splitlines()
        problem = lines[-1].removeprefix("fatal: ") if lines else f"code {code}"
        raise GitError(f"{folder}: git says: {problem}")
    return out
