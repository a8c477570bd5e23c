"""The machine-local folder of a library, ``.macla``, and whether it may be believed.

What lies there is acted upon without review: half a change is finished, evidence decides, notes of
an acceptance are carried out. So it is believed only if it is no link, git tracks nothing in it,
and it holds a *mark* that this machine made for this library: two message authentication codes
with a key that lies outside all libraries, one of the folder's place and one of its number in the
file system. One that holds is enough, so that a library may be renamed and a disk mounted anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import re
import secrets
import shutil
import stat
from pathlib import Path

from ..common.errors import GitError, LibraryError, reason
from .regular import open_regular
from .safe_git import Git

LOCAL = ".macla"
"""Name of the machine-local folder in a library's folder."""
DECIDED = "decided"
"""Folder in it of proposals that were accepted, which a commit only tells of."""
_FRESH = re.compile(rf"{re.escape(LOCAL)}-[0-9a-f]{{12}}\.tmp")
"""Name of one that is being made; it counts from when it is renamed."""
_MARK = "machine"
_MOST_MARKS = 65_536
"""Characters of a file of marks, or of a `.git` that names a folder."""
_IGNORE = ".gitignore"
_STATE = "MACLA_STATE"
_KEY_BYTES = 32
"""Bytes of a machine's key: as many as SHA-256 has."""
_PRIVATE = 0o700
"""Nobody else reads what the machine keeps of runs, whatever the files in it allow."""

_Stamp = tuple[int, int, int, int]
_stamps_by_folder: dict[Path, tuple[_Stamp | None, ...]] = {}
"""Folders that were found to be our own, with the stamps of what that depends on."""


def local_path(root: Path, name: str) -> Path:
    """Return the path of a machine-local file, which need not be there.

    Args:
        root: The library's folder.
        name: Name below ``.macla``.

    Raises:
        LibraryError: What is in ``.macla`` may not be believed.
    """
    require_own(root)
    return root / LOCAL / name


def local_folder(root: Path) -> Path:
    """Return the machine-local folder of a library, made and hidden from git if need be.

    Raises:
        LibraryError: It is there, and may not be believed.
        OSError: It cannot be made.
    """
    root = Path(os.path.realpath(root))
    folder = root / LOCAL
    if _is_own(root):
        return folder
    fresh = root / f"{LOCAL}-{secrets.token_hex(6)}.tmp"
    fresh.mkdir(_PRIVATE, parents=True)
    try:
        (fresh / _IGNORE).write_text("*\n", encoding="utf-8")
        (fresh / _MARK).write_text(_mark_of(folder, fresh), encoding="utf-8")
        # Whole or not at all: another process must not find the folder without its mark.
        os.rename(fresh, folder)
    except OSError:
        if not folder.is_dir():
            raise  # else another process was first
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    _is_own(root)
    return folder


def is_fresh(folder: Path) -> bool:
    """Say whether a folder is one that was being made, and holds nothing else.

    Raises:
        OSError: It cannot be looked into.
    """
    return (
        _FRESH.fullmatch(folder.name) is not None
        and _is_folder(folder)
        and {entry.name for entry in os.scandir(folder)} <= {_IGNORE, _MARK}
    )


def make_parent(path: Path) -> None:
    """Make the folder of a file; where it is machine-local, as :func:`local_folder` does.

    Raises:
        LibraryError: It lies in a machine-local folder that may not be believed.
        OSError: It cannot be made.
    """
    for folder in path.parents:
        if folder.name == LOCAL:
            local_folder(folder.parent)
    path.parent.mkdir(parents=True, exist_ok=True)


def require_own(root: Path) -> bool:
    """Say whether there is a machine-local folder with something in it.

    Raises:
        LibraryError: There is, and it may not be believed.
    """
    return _is_own(Path(os.path.realpath(root)))


def _is_own(root: Path) -> bool:
    """Do what :func:`require_own` does, for a path without links."""
    folder = root / LOCAL
    if not _is_folder(folder):
        _refuse_what_is_no_folder(folder)
        return False
    index = _git_index(root)
    stamps = (_stamp(folder, changing=False), _stamp(folder / _MARK), _stamp(index))
    if _stamps_by_folder.get(folder) == stamps:
        return True
    if index is not None and _is_tracked(root):
        hint = f"take it out with `git rm -r --cached {LOCAL}`, then remove it"
        raise _distrust_error(folder, "is tracked by git", hint)
    if not _has_mark(folder):
        if not {entry.name for entry in os.scandir(folder)} <= {_IGNORE}:
            raise _distrust_error(folder, "was not made by this machine for this library")
        _write_mark(folder)  # there is nothing in it to believe
        stamps = (stamps[0], _stamp(folder / _MARK), stamps[2])
    if os.lstat(folder).st_mode & ~_PRIVATE & 0o777:  # another version of macla made it
        with contextlib.suppress(OSError):
            folder.chmod(_PRIVATE)
    _stamps_by_folder[folder] = stamps
    return True


def adopt(root: Path) -> bool:
    """Believe the machine-local folder of a library that a person moved or copied here.

    Args:
        root: The library's folder.

    Returns:
        Whether it was not believed before.

    Raises:
        LibraryError: It is a link or holds one, git tracks it, or it holds half a change, which
            would change files that nobody looked at.
    """
    root = root.resolve()
    folder = root / LOCAL
    _refuse_what_is_no_folder(folder)
    if not folder.is_dir():
        raise LibraryError("is not there, so there is nothing to adopt", file=folder)
    if _git_index(root) is not None and _is_tracked(root):
        hint = f"take it out with `git rm -r --cached {LOCAL}`, and look at what it holds"
        raise _distrust_error(folder, "is tracked by git", hint)
    if _has_mark(folder):
        return False
    for name in ("commit", "deciding.json"):
        if (folder / name).exists():
            hint = "open the library once where it came from, or remove this"
            raise LibraryError("is half a change from elsewhere", file=folder / name, hint=hint)
    _refuse_what_is_no_file(folder)
    try:
        _write_mark(folder)
    except OSError as error:
        problem = f"cannot be written, so it cannot be adopted ({reason(error)})"
        hint = "make it writable (chmod -R u+w), or adopt a copy that is"
        raise LibraryError(problem, file=folder, hint=hint) from None
    return True


def _is_folder(path: Path) -> bool:
    """Say whether a folder stands there itself, and no link to one."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def _refuse_what_is_no_folder(folder: Path) -> None:
    if folder.is_symlink():
        hint = "remove it, or put the folder itself there and adopt it"
        raise _distrust_error(folder, "is a link", hint)
    if folder.exists() and not folder.is_dir():
        hint = "remove it, or put it elsewhere: macla keeps evidence in a folder of this name"
        raise LibraryError("is no folder", file=folder, hint=hint)


def _refuse_what_is_no_file(folder: Path) -> None:
    """Refuse a folder in which something is a link, which macla would write through, or a pipe.

    Raises:
        LibraryError: Something is.
    """
    for above, folders, files in os.walk(folder):
        for path in map(Path(above).joinpath, (*folders, *files)):
            kind = os.lstat(path).st_mode
            if not (stat.S_ISDIR(kind) or stat.S_ISREG(kind)):
                what = "is a link" if stat.S_ISLNK(kind) else "is no file"
                raise LibraryError(what, file=path, hint="remove it: macla makes none there")


def _distrust_error(folder: Path, why: str, hint: str = "") -> LibraryError:
    return LibraryError(
        f"{why}, so what it holds is not believed",
        file=folder,
        hint=hint
        or "remove it; or, if you moved or copied the library yourself, run: macla migrate "
        f"{folder.parent} --adopt",
    )


def _stamp(path: Path | None, *, changing: bool = True) -> _Stamp | None:
    try:
        status = os.lstat(path) if path is not None else None
    except (OSError, ValueError):  # ValueError: a name that cannot be, as a `.git` may give
        status = None
    if status is None:
        return None
    times = (status.st_mtime_ns, status.st_size) if changing else (0, 0)
    return (status.st_dev, status.st_ino, *times)


def _git_index(root: Path) -> Path | None:
    """Return the index of the work tree around a folder; None outside of any."""
    folder = os.fspath(root)
    while True:  # plain strings: this is asked before whatever is believed
        entry = os.path.join(folder, ".git")
        try:
            kind = os.stat(entry).st_mode
        except OSError:
            kind = 0
        if stat.S_ISDIR(kind):
            return Path(entry) / "index"
        if stat.S_ISREG(kind):  # a work tree beside the first one, or a submodule
            with open(entry, encoding="utf-8", errors="replace") as stream:
                content = stream.read(_MOST_MARKS)
            return Path(folder) / content.removeprefix("gitdir:").strip() / "index"
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _is_tracked(root: Path) -> bool:
    """Say whether git tracks anything in the machine-local folder.

    Raises:
        LibraryError: git is there and cannot say.
    """
    try:
        git = Git(root)
    except GitError:
        return False  # without git nobody checks anything out here; the mark is asked as well
    code, out, err = git.attempt(
        # Whoever owns the work tree: only names are listed, nothing of it is run.
        *("-c", "safe.directory=*", "ls-files", "-z", "--", LOCAL),
        # On some systems `.MACLA` is the same folder.
        environment={"GIT_LITERAL_PATHSPECS": "0", "GIT_ICASE_PATHSPECS": "1"},
    )
    if code:
        message = err.decode("utf-8", "replace").strip()[:300]
        raise _distrust_error(root / LOCAL, f"may be tracked by git, which says: {message}")
    return bool(out)


def _has_mark(folder: Path) -> bool:
    file = folder / _MARK
    try:
        with open_regular(file) as stream:
            data = b"" if file.is_symlink() else stream.read(_MOST_MARKS)
        lines = data.decode("ascii").split()
    except (OSError, ValueError):
        return False
    expected = _mark_of(folder, folder).split()
    return any(map(hmac.compare_digest, lines, expected))


def _write_mark(folder: Path) -> None:
    if not (folder / _IGNORE).exists():
        (folder / _IGNORE).write_text("*\n", encoding="utf-8")
    (folder / _MARK).unlink(missing_ok=True)
    (folder / _MARK).write_text(_mark_of(folder, folder), encoding="utf-8")


def _mark_of(place: Path, folder: Path) -> str:
    """Return the mark of a folder, two lines, that stands, or is going to stand, at a place."""
    key, number = machine_key("local"), os.lstat(folder).st_ino
    statements = (f"place {place}", f"number {number}")
    codes = (
        hmac.new(key, each.encode("utf-8", "surrogateescape"), hashlib.sha256)
        for each in statements
    )
    return "".join(code.hexdigest() + "\n" for code in codes)


def machine_key(purpose: str) -> bytes:
    """Return this machine's key for a purpose; made on first use, outside of all libraries.

    Raises:
        LibraryError: It cannot be kept.
    """
    configured = os.environ.get(_STATE)
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    file = (Path(configured) if configured else Path(state) / "macla") / "machine.key"
    try:
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            temporary = file.with_suffix(f".{secrets.token_hex(4)}")
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(secrets.token_bytes(_KEY_BYTES))
            try:
                file.hardlink_to(temporary)
            except FileExistsError:
                pass  # another process was first
            finally:
                temporary.unlink()
        key = file.read_bytes()
    except (OSError, RuntimeError) as error:
        hint = f"set {_STATE} to a folder of yours, outside of all libraries, that can be written"
        raise LibraryError(f"cannot be kept: {error}", file=file, hint=hint) from error
    if len(key) < _KEY_BYTES:
        raise LibraryError("is damaged", file=file, hint="remove it, and adopt your libraries anew")
    return hmac.digest(key, purpose.encode(), "sha256")
