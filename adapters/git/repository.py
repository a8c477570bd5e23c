"""A repository as far as proposals need it: what its commits hold, refs moved safely."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from ...procedures.common.errors import GitError
from ...procedures.local.safe_git import Git

Contents: TypeAlias = Mapping[tuple[str, str], bytes | None]
"""Files by (commit, name); None where one is not there."""

_UNDER_WAY = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase",
}


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
        name, bracket, rest = text.partition("<")
        if not bracket or not rest.endswith(">") or "\n" in text or not name.strip():
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
        name_length: How many hexadecimal digits the name of an object has.
    """

    def __init__(self, git: Git, top: Path, folder: Path, name_length: int = 40) -> None:
        self.git = git
        self.name_length = name_length
        self.top = top
        self.folder = folder

    @classmethod
    def around(cls, path: Path) -> Repository | None:
        """Return the repository whose work tree holds a folder; None where there is none.

        Raises:
            GitError: There is one, but git is missing or refuses it, or it is that of another
                work tree.
        """
        path = path.resolve()
        folder_there = next((p for p in (path, *path.parents) if p.is_dir()), None)
        if folder_there is None:
            return None
        above = (folder_there, *folder_there.parents)
        if not any((p / ".git").exists() for p in above):
            if bare := next(filter(_is_bare, above), None):
                raise GitError(
                    f"{bare} is a bare repository, which has no files to work on; clone it, and "
                    "keep the library in the clone"
                )
            return None
        git = Git(folder_there)
        code, out, err = git.attempt(
            "rev-parse", "--show-toplevel", "--absolute-git-dir", "--show-object-format"
        )
        if code:
            message = err.decode("utf-8", "replace").strip()
            if "must be run in a work tree" in message:
                return None
            raise GitError(
                f"git does not open the repository around {folder_there}: {message[:500]}"
            )
        top, folder, names = out.decode("utf-8", "surrogateescape").splitlines()[:3]
        work_tree = Path(top).resolve()
        if not folder_there.is_relative_to(work_tree):
            return None
        if (other := _work_tree_of(Path(folder).resolve(), work_tree)) is not None:
            raise GitError(
                f"{work_tree / '.git'} leads to the repository of {other}, which is another "
                "work tree; nothing is committed there: make a work tree with `git worktree add`, "
                "or remove that file"
            )
        git = Git(work_tree)
        git.disable_filters()
        return cls(git, work_tree, Path(folder), 64 if names == "sha256" else 40)

    # ------------------------------------------------------------------ where it stands
    def head(self) -> str | None:
        """Return the commit that is checked out; None before the first one."""
        return self.stand()[0]

    def stand(self) -> tuple[str | None, str | None]:
        """Return the commit that is checked out, and the ref of its branch.

        None before the first commit, and where HEAD is detached.
        """
        code, out, _ = self.git.attempt(
            "rev-parse", "-q", "HEAD^{commit}", "--symbolic-full-name", "HEAD"
        )
        if not code:
            commit, ref = out.decode("utf-8", "surrogateescape").splitlines()[:2]
            return commit, None if ref == "HEAD" else ref
        code, out, _ = self.git.attempt("symbolic-ref", "-q", "HEAD")
        return None, None if code else out.decode("utf-8", "surrogateescape").strip()

    def ready(self) -> tuple[str | None, str]:
        """Return the commit that is checked out, and the branch that a commit would go to.

        Raises:
            GitError: HEAD is detached, or a merge or the like is under way.
        """
        self._settled()
        head, branch = self.stand()
        if branch is None:
            raise GitError(
                f"HEAD is detached in {self.top}; check out the branch that shall have the change"
            )
        return head, branch

    def checked_out(self, branch: str) -> tuple[str | None, str, str | None]:
        """Return the same as :meth:`ready`, and the commit that another branch is at, at once.

        Raises:
            GitError: As :meth:`ready` does.
        """
        out = self.git.run(
            "for-each-ref", "--format=%(objectname)%(HEAD)%(refname)", "refs/heads/", branch
        )
        lines = out.decode("utf-8", "surrogateescape").splitlines()
        size = self.name_length
        tips = {line[size + 1 :]: line[:size] for line in lines}
        branch_here = next((line[size + 1 :] for line in lines if line[size] == "*"), None)
        tip = tips.get(branch)
        if branch_here is None:
            return *self.ready(), tip
        self._settled()
        return tips[branch_here], branch_here, tip

    def _settled(self) -> None:
        """Raise if a merge or the like is under way."""
        for name, what in _UNDER_WAY.items():
            if (self.folder / name).exists():
                raise GitError(
                    f"{what} is under way in {self.top}; finish or abort it first, then try again"
                )

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
        return self.read_all([(commit, name)])[commit, name]

    def read_all(self, places: Iterable[tuple[str, str]]) -> dict[tuple[str, str], bytes | None]:
        """Return contents by (commit, name), all read by one process; None where there is none."""
        content_by_place: dict[tuple[str, str], bytes | None] = dict.fromkeys(places)
        plain = [key for key in content_by_place if "\n" not in key[1]]
        for key in content_by_place.keys() - set(plain):
            code, out, _ = self.git.attempt("cat-file", "blob", ":".join(key))
            content_by_place[key] = None if code else out
        contents = read_blobs(self.git, [":".join(key) for key in plain])
        return content_by_place | dict(zip(plain, contents, strict=True))

    def changed(self, pairs: Sequence[tuple[str, str]], folder: str) -> dict[str, list[str]]:
        """Return the names of the files below a folder that differ, by the second commit."""
        names_by_commit: dict[str, list[str]] = {other: [] for _, other in pairs}
        if not pairs:
            return names_by_commit
        query = "".join(f"{other} {one}\n" for one, other in pairs).encode()
        out = self.git.run(
            "diff-tree", "--stdin", "-r", "-z", "--name-only", "--no-ext-diff", "--no-textconv",
            "--", folder, data=query,
        )  # fmt: skip
        here: list[str] = []
        for entry in out.decode("utf-8", "surrogateescape").split("\0"):
            if entry.strip() in names_by_commit:
                here = names_by_commit[entry.strip()]
            elif entry:
                here.append(entry)
        return names_by_commit

    def merge_base(self, one: str, other: str) -> str | None:
        """Return the latest common commit."""
        code, out, _ = self.git.attempt("merge-base", one, other)
        return None if code else out.decode().split()[0]

    def committers(self, commits: Sequence[str]) -> dict[str, str]:
        """Return who made each commit, as ``Name <mail>``."""
        if not commits:
            return {}
        out = self.git.run(
            "log", "--no-walk=unsorted", "--stdin", "-z", "--format=%H %cn <%ce>",
            data="".join(f"{commit}\n" for commit in commits).encode(),
        )  # fmt: skip
        rows = [row.partition(" ") for row in out.decode("utf-8", "replace").split("\0") if row]
        return {commit: who for commit, _, who in rows}

    def bases(self, head: str, tips: Sequence[str]) -> dict[str, str | None]:
        """Return the latest commit that each tip has in common with another one.

        One process finds what only the tips have; where that is a line of commits, it ends at the
        common one.
        """
        if not tips:
            return {}
        query = "".join(f"{tip}\n" for tip in tips) + f"^{head}\n"
        out = self.git.run("rev-list", "--parents", "--stdin", data=query.encode())
        parents = {row[0]: row[1:] for row in map(str.split, out.decode().splitlines())}
        base_by_tip: dict[str, str | None] = {}
        for tip in tips:
            at = tip
            while len(parents.get(at, ())) == 1:
                at = parents[at][0]
            base_by_tip[tip] = at if at not in parents else self.merge_base(head, tip)
        return base_by_tip

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
        before = old or "0" * self.name_length
        if new is None:
            arguments = ["update-ref", "-m", reason, "-d", ref, before]
        else:
            arguments = ["update-ref", "-m", reason, ref, new, before]
        code, _, err = self.git.attempt(*arguments)
        if not code:
            return True
        message = err.decode("utf-8", "replace")
        if "cannot lock ref" in message or "but expected" in message or "already exists" in message:
            return False
        raise GitError(f"the branch {ref} cannot be moved: {message.strip()[:500]}")

    # ------------------------------------------------------------------ the work tree
    def standing(self, names: Sequence[str], head: str | None) -> list[tuple[str, str]]:
        """Return what :meth:`changed_here` wants to be read: in the commit and in the index."""
        return [(where, name) for where in ([head, ""] if head else [""]) for name in names]

    def changed_here(
        self,
        names: Sequence[str],
        head: str | None,
        contents: Contents,
    ) -> list[str]:
        """Return those files that are not as a commit has them, by contents that were read."""
        changed_names = []
        for name in names:
            committed = contents.get((head or "", name)) if head else None
            file = self.top / name
            content = file.read_bytes() if file.is_file() else None
            if not _same_content(committed, content) or contents.get(("", name)) != committed:
                changed_names.append(name)
        return changed_names


def read_blobs(git: Git, names: Sequence[str]) -> list[bytes | None]:
    """Return contents by the names of objects, all read by one process; None: there is none.

    A name is on one line: that of an object, or ``commit:file``.
    """
    if not names:
        return []
    query = "".join(f"{name}\n" for name in names)
    out = git.run("cat-file", "--batch", data=query.encode("utf-8", "surrogateescape"))
    contents: list[bytes | None] = []
    at = 0
    for _ in names:
        end = out.index(b"\n", at)
        words = out[at:end].rsplit(b" ", 2)
        at = end + 1
        if len(words) < 3 or not words[2].isdigit():
            contents.append(None)  # missing, or ambiguous
            continue
        size = int(words[2])
        contents.append(out[at : at + size] if words[1] == b"blob" else None)
        at += size + 1
    return contents


def blob_name(content: bytes | None, length: int) -> str:
    """Return the name that git gives to a content, in a repository with names of some length."""
    if content is None:
        return ""
    digest = hashlib.sha256() if length == 64 else hashlib.sha1(usedforsecurity=False)
    digest.update(b"blob %d\0" % len(content))
    digest.update(content)
    return digest.hexdigest()


def _is_bare(folder: Path) -> bool:
    return (folder / "HEAD").is_file() and all(
        (folder / name).is_dir() for name in ("objects", "refs")
    )


def _work_tree_of(home: Path, top: Path) -> Path | None:
    """Return the work tree whose repository is at ``home`` where that is not ``top``, else None.

    Repositories of submodules, and those that were put elsewhere, know of no other work tree.
    """
    if (link := home / "gitdir").is_file():  # of a linked work tree: it says where that is
        work_tree = (home / link.read_text(errors="surrogateescape").strip()).parent.resolve()
    elif home.name == ".git":
        work_tree = home.parent
    else:
        return None
    return None if work_tree == top else work_tree


def _same_content(one: bytes | None, other: bytes | None) -> bool:
    if one is None or other is None:
        return one is other
    # A work tree may have the line ends of its system.
    return one == other or one.replace(b"\r\n", b"\n") == other.replace(b"\r\n", b"\n")
