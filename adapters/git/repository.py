"""A repository as far as proposals need it: commits beside the work tree, refs moved safely."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ...procedures.errors import GitError
from .run import Git

__all__ = ["Person", "Repository"]

_NOWHERE = "0" * 40
_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}
_WAIT = 10.0
_POLL = 0.02


@dataclass(frozen=True, slots=True)
class Person:
    """Who made a commit."""

    name: str
    email: str

    @classmethod
    def parse(cls, text: str) -> Person:
        """Read ``Name <mail>``.

        Raises:
            GitError: It is not of that form.
        """
        name, found, rest = text.partition("<")
        if not found or not rest.endswith(">") or "\n" in text or not name.strip():
            raise GitError(f"{text[:100]!r} is no author; write: Name <mail@example.org>")
        return cls(name.strip(), rest[:-1].strip())

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>"


class Repository:
    """The repository around a folder.

    Attributes:
        git: Runs git at the top of the work tree.
        top: The top of the work tree.
        folder: The git folder of this work tree.
    """

    def __init__(self, git: Git, top: Path, folder: Path) -> None:
        self.git = git
        self.top = top
        self.folder = folder

    @classmethod
    def around(cls, path: Path) -> Repository | None:
        """Return the repository whose work tree holds a folder; None where there is none.

        Raises:
            GitError: There is one, but git is missing or refuses it.
        """
        path = path.resolve()
        here = next((p for p in (path, *path.parents) if p.is_dir()), None)
        if here is None or not any((p / ".git").exists() for p in (here, *here.parents)):
            return None
        git = Git(here)
        code, out, err = git.attempt("rev-parse", "--show-toplevel", "--absolute-git-dir")
        if code:
            said = err.decode("utf-8", "replace").strip()
            if "must be run in a work tree" in said:
                return None
            raise GitError(f"git does not open the repository around {here}: {said[:500]}")
        top, folder = out.decode("utf-8", "surrogateescape").splitlines()[:2]
        found = Path(top).resolve()
        if not here.is_relative_to(found):
            return None
        git = Git(found)
        git.disable_filters()
        return cls(git, found, Path(folder))

    # ------------------------------------------------------------------ where it stands
    def head(self) -> str | None:
        """Return the commit that is checked out; None before the first one."""
        code, out, _ = self.git.attempt("rev-parse", "-q", "--verify", "HEAD^{commit}")
        return None if code else out.decode().strip()

    def branch(self) -> str | None:
        """Return the ref of the branch that is checked out; None where HEAD is detached."""
        code, out, _ = self.git.attempt("symbolic-ref", "-q", "HEAD")
        return None if code else out.decode("utf-8", "surrogateescape").strip()

    def ready(self) -> str:
        """Return the branch that a commit would go to.

        Raises:
            GitError: HEAD is detached, or a merge or the like is under way.
        """
        for name, what in _UNDER_WAY.items():
            if (self.folder / name).exists():
                raise GitError(
                    f"{what} is under way in {self.top}; finish or abort it first, then try again"
                )
        branch = self.branch()
        if branch is None:
            raise GitError(
                f"HEAD is detached in {self.top}; check out the branch that shall have the change"
            )
        return branch

    def person(self) -> Person | None:
        """Return who commits here, if git knows."""
        code, out, _ = self.git.attempt("var", "GIT_COMMITTER_IDENT")
        text = out.decode("utf-8", "replace")
        if code or ">" not in text:
            return None
        return Person.parse(text[: text.rindex(">") + 1])

    def is_ignored(self, name: str) -> bool:
        """Say whether git was told to leave a file alone."""
        # From standard input, where a name is never a pattern.
        data = f"{name}\0".encode("utf-8", "surrogateescape")
        plain = {"GIT_LITERAL_PATHSPECS": "0"}
        code, _, _ = self.git.attempt(
            "check-ignore", "-q", "-z", "--stdin", data=data, environment=plain
        )
        return code == 0

    # ------------------------------------------------------------------ objects
    def read(self, commit: str, name: str) -> bytes | None:
        """Return a file of a commit; None where it is not there."""
        code, out, _ = self.git.attempt("cat-file", "blob", f"{commit}:{name}")
        return None if code else out

    def names(self, commit: str, folder: str) -> list[str]:
        """Return the names of all files below a folder of a commit."""
        out = self.git.run("ls-tree", "-r", "-z", "--name-only", commit, "--", folder)
        return [n for n in out.decode("utf-8", "surrogateescape").split("\0") if n]

    def changed(self, one: str, other: str, folder: str) -> list[str]:
        """Return the names of files that differ between two commits, below a folder."""
        out = self.git.run(
            "diff-tree", "-r", "-z", "--name-only", "--no-ext-diff", "--no-textconv",
            one, other, "--", folder,
        )  # fmt: skip
        return [n for n in out.decode("utf-8", "surrogateescape").split("\0") if n]

    def is_ancestor(self, one: str, other: str) -> bool:
        """Say whether a commit is part of another's history."""
        return self.git.attempt("merge-base", "--is-ancestor", one, other)[0] == 0

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the latest common commit."""
        code, out, _ = self.git.attempt("merge-base", one, other)
        return None if code else out.decode().split()[0]

    def tree(self, parent: str | None, files: Mapping[str, bytes | None]) -> str:
        """Write the tree of a commit with some files changed (None: removed); return its name."""
        lines = []
        for name, content in files.items():
            if content is None:
                lines.append(f"0 {_NOWHERE}\t{name}")
            else:
                blob = self.git.run("hash-object", "-w", "--stdin", data=content).decode().strip()
                lines.append(f"100644 {blob}\t{name}")
        data = "".join(f"{line}\0" for line in lines).encode("utf-8", "surrogateescape")
        with tempfile.TemporaryDirectory(prefix="macla-") as folder:
            index = {"GIT_INDEX_FILE": str(Path(folder) / "index")}
            if parent is None:
                self.git.run("read-tree", "--empty", environment=index)
            else:
                self.git.run("read-tree", parent, environment=index)
            self.git.run("update-index", "-z", "--index-info", data=data, environment=index)
            return self.git.run("write-tree", environment=index).decode().strip()

    def commit(
        self, tree: str, parent: str | None, message: str, author: Person, committer: Person
    ) -> str:
        """Make a commit that no ref names yet; return its name."""
        who = {
            "GIT_AUTHOR_NAME": author.name,
            "GIT_AUTHOR_EMAIL": author.email,
            "GIT_COMMITTER_NAME": committer.name,
            "GIT_COMMITTER_EMAIL": committer.email,
        }
        parents = [] if parent is None else ["-p", parent]
        text = message.replace("\0", "\ufffd").encode("utf-8", "replace")
        out = self.git.run("commit-tree", *parents, "-F", "-", tree, data=text, environment=who)
        return out.decode().strip()

    # ------------------------------------------------------------------ refs
    def refs(self, *patterns: str) -> list[tuple[str, str]]:
        """Return (ref, commit) of all refs below the prefixes given."""
        out = self.git.run(
            "for-each-ref", "--format=%(refname) %(objectname) %(objecttype)", *patterns
        )
        rows = [line.split(" ") for line in out.decode("utf-8", "surrogateescape").splitlines()]
        return [(row[0], row[1]) for row in rows if len(row) == 3 and row[2] == "commit"]

    def move(self, ref: str, new: str | None, old: str | None, reason: str) -> bool:
        """Move, make or (``new`` None) remove a ref; False if it is not where ``old`` says."""
        before = old or _NOWHERE
        if new is None:
            arguments = ["update-ref", "-m", reason, "-d", ref, before]
        else:
            arguments = ["update-ref", "-m", reason, ref, new, before]
        code, _, err = self.git.attempt(*arguments)
        if not code:
            return True
        said = err.decode("utf-8", "replace")
        if "cannot lock ref" in said or "but expected" in said or "already exists" in said:
            return False
        raise GitError(f"the branch {ref} cannot be moved: {said.strip()[:500]}")

    # ------------------------------------------------------------------ the work tree
    def dirty(self, names: list[str]) -> list[str]:
        """Return those files whose work tree or index differs from the commit checked out."""
        head = self.head()
        staged: dict[str, str] = {}
        out = self.git.run("ls-files", "-s", "-z", "--", *names) if names else b""
        for entry in out.decode("utf-8", "surrogateescape").split("\0"):
            if entry:
                meta, _, name = entry.partition("\t")
                mode, blob, stage = meta.split()
                staged[name] = blob if stage == "0" else mode
        found = []
        for name in names:
            known = self.read(head, name) if head is not None else None
            file = self.top / name
            here = file.read_bytes() if file.is_file() else None
            blob = self._blob(known)
            if not _alike(known, here) or staged.get(name, "") != blob:
                found.append(name)
        return found

    def _blob(self, content: bytes | None) -> str:
        if content is None:
            return ""
        return self.git.run("hash-object", "--stdin", data=content).decode().strip()

    @contextlib.contextmanager
    def index_locked(self) -> Iterator[Path]:
        """Hold git's own lock on the index; yields the index that replaces it at the end.

        While it is held nobody commits in this work tree, so that moving the branch and the index
        is one step for everybody else.

        Raises:
            GitError: Another git holds the lock for too long.
        """
        index = Path(self.git.text("rev-parse", "--git-path", "index"))
        index = index if index.is_absolute() else self.top / index
        lock = index.with_name(index.name + ".lock")
        until = time.monotonic() + _WAIT
        while True:
            try:
                os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
                break
            except FileExistsError:
                if time.monotonic() > until:
                    raise GitError(
                        f"another git is at work in {self.top} ({lock} is there); wait for it to "
                        "end, or remove that file if none is running"
                    ) from None
                time.sleep(_POLL)
            except OSError as error:
                raise GitError(f"{lock} cannot be made: {error.strerror}") from error
        fresh = index.with_name(f"{index.name}.macla")
        try:
            if index.exists():
                shutil.copy2(index, fresh)  # with its time, by which git knows files as young as it
            else:
                self.git.run("read-tree", "--empty", environment={"GIT_INDEX_FILE": str(fresh)})
            yield fresh
            os.replace(fresh, index)
        finally:
            fresh.unlink(missing_ok=True)
            lock.unlink(missing_ok=True)

    def stage(self, index: Path, tree: str, names: list[str]) -> None:
        """Take files of a tree into an index that is held."""
        environment = {"GIT_INDEX_FILE": str(index)}
        lines = []
        for name in names:
            out = self.git.run("ls-tree", "-z", tree, "--", name)
            entry = out.decode("utf-8", "surrogateescape").rstrip("\0")
            if entry:
                mode, _, blob = entry.partition("\t")[0].split()
                lines.append(f"{mode} {blob}\t{name}")
            else:
                lines.append(f"0 {_NOWHERE}\t{name}")
        data = "".join(f"{line}\0" for line in lines).encode("utf-8", "surrogateescape")
        self.git.run("update-index", "-z", "--index-info", data=data, environment=environment)
        # Not refreshed: that could run a filter that the repository names.


def _alike(one: bytes | None, other: bytes | None) -> bool:
    if one is None or other is None:
        return one is other
    # A work tree may have the line ends of its system.
    return one == other or one.replace(b"\r\n", b"\n") == other.replace(b"\r\n", b"\n")
