"""Reading files as they were at a revision, from a repository that may be a stranger's.

Only plumbing that reads objects is called, with lists of arguments and no shell: no hook,
filter, text conversion, external diff, pager, editor or network can run. A revision is
resolved to an object's name once, and only that name goes on to further commands.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ...procedures.common.errors import GitError, LibraryError
from ...procedures.documents.yaml_io import MAX_BYTES
from ...procedures.files.contents import Contents
from ...procedures.files.parsing import contents_of
from ...procedures.library.document_kinds import FOLDERS
from ...procedures.local.safe_git import Git
from .repository import read_blobs

_LIBRARY_FILES: Final = ("library.yaml", "ontology.yaml", *FOLDERS.values())
_MOST_FILES: Final = 20_000
"""Files of one revision that are read; bounds the memory."""


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
        self._git = Git(top)

    @classmethod
    def around(cls, folder: Path) -> RevisionReader | None:
        """Return the repository that a folder lies in, or None if there is none.

        Raises:
            GitError: There is one, but git is missing.
        """
        here = folder.resolve()
        try:
            code, out, _ = Git(folder).attempt("rev-parse", "--show-toplevel")
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
        code, out, _ = self._git.attempt(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{tree}}"
        )
        if code:
            return None
        return Revision(revision, out.decode("ascii").strip())

    def file(self, revision: Revision, path: str) -> bytes | None:
        """Return a file's content at a revision, or None if there is no such file.

        Raises:
            LibraryError: It is too large, or git failed.
        """
        return self.files(revision, [path]).get(path)

    def is_folder(self, revision: Revision, path: str) -> bool:
        """Say whether a path is a folder at a revision."""
        if path in ("", "."):
            return True
        return self._git.attempt("cat-file", "-t", f"{revision.tree}:{path}")[1] == b"tree\n"

    def files(self, revision: Revision, paths: Sequence[str]) -> dict[str, bytes]:
        """Return the content of all regular files at or below some paths.

        Raises:
            LibraryError: There are too many, one is too large, or git failed.
        """
        specs = [path for path in paths if path not in ("", ".")]
        listing = self._checked(
            "ls-tree", "-r", "-l", "-z", "--full-tree", revision.tree, "--", *specs
        )
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
        names = sorted(set(objects.values()))
        contents = dict(zip(names, read_blobs(self._git, names), strict=True))
        return {path: self._there(name, contents[name]) for path, name in objects.items()}

    def library(self, revision: Revision, folder: str) -> Contents:
        """Return the library in a folder at a revision.

        Raises:
            LibraryError: It has too many files, or one that is no document of a library.
        """
        prefix = f"{folder}/" if folder else ""
        files = self.files(revision, [f"{prefix}{part}" for part in _LIBRARY_FILES])
        inside = {path.removeprefix(prefix): data for path, data in files.items()}
        return contents_of(inside, Path(f"{revision.name}:{folder}"))

    def below(self, folder: Path) -> str:
        """Return a folder's path below the top of the repository; "" for the top.

        Raises:
            LibraryError: It lies elsewhere.
        """
        try:
            relative = folder.resolve().relative_to(self.top).as_posix()
        except ValueError:
            raise LibraryError("lies outside its repository", file=folder) from None
        return "" if relative == "." else relative

    def accepting(self, proposal: str) -> str | None:
        """Return the latest commit that accepted a proposal, as its message says."""
        line = f"^Proposal: {re.escape(proposal)}$"
        out = self._checked("log", "-1", "--format=%H", "-E", f"--grep={line}", "HEAD")
        return out.decode("ascii").strip() or None

    def _there(self, name: str, content: bytes | None) -> bytes:
        if content is None:
            raise LibraryError(f"the object {name} is missing", file=self.top, hint="git fsck")
        return content

    def _checked(self, *arguments: str) -> bytes:
        code, out, err = self._git.attempt(*arguments)
        if code:
            lines = err.decode("utf-8", "replace").strip().splitlines()
            problem = lines[-1].removeprefix("fatal: ") if lines else f"code {code}"
            raise GitError(f"{self.top}: git says: {problem}")
        return out
