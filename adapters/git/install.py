"""``macla git install``: git's own diff and merge understand the files of a library."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from ...procedures.common.errors import GitError
from ...procedures.documents.yaml_io import atomic_write
from .repository import Repository

_BEGIN, _END = "# macla: begin", "# macla: end"
_LINES = (
    "procedures/*.yaml diff=macla merge=macla",
    "meta/*.yaml diff=macla merge=macla",
    "programs/*.yaml diff=macla merge=macla",
    "ontology.yaml diff=macla merge=macla",
    "types/*.yaml diff=macla",
)
_KEYS = ("diff.macla.command", "merge.macla.name", "merge.macla.driver")


def _repository(root: Path) -> Repository:
    repository = Repository.around(root)
    if repository is None:
        raise GitError(f"{root} is in no git work tree; run `git init` there first")
    return repository


def install(path: Path | str) -> list[str]:
    """Set both drivers for a library; doing it again changes nothing.

    The attributes go to the library's ``.gitattributes``, which is committed like any file; the
    commands to the repository's own configuration, which never leaves the machine.

    Returns:
        What was changed, for people.

    Raises:
        GitError: The library is in no work tree.
        LibraryError: ``.gitattributes`` cannot be written.
    """
    root = Path(path).resolve()
    repository = _repository(root)
    changed = _with_block(root, "".join(f"{line}\n" for line in (_BEGIN, *_LINES, _END)))
    program = _program()
    settings = {
        "diff.macla.command": f"{program} diff --git-driver --",
        "merge.macla.name": "macla: by keys and steps",
        "merge.macla.driver": f"{program} git merge-driver -- %O %A %B %P",
    }
    for key, value in settings.items():
        if _get(repository, key) != value:
            repository.git.run("config", "--local", key, value)
            changed.append(key)
    return changed


def uninstall(path: Path | str) -> list[str]:
    """Take both drivers away again; returns what was changed."""
    root = Path(path).resolve()
    repository = _repository(root)
    changed = _with_block(root, "")
    for key in _KEYS:
        if _get(repository, key) is not None:
            repository.git.run("config", "--local", "--unset-all", key)
            changed.append(key)
    for section in ("diff.macla", "merge.macla"):
        repository.git.attempt("config", "--local", "--remove-section", section)
    return changed


def _with_block(root: Path, block: str) -> list[str]:
    """Put another block in the place of ours in a library's attributes; return what changed."""
    file = root / ".gitattributes"
    try:
        before = file.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        before = ""
    after = _without(before) + block
    if after == before:
        return []
    if after:
        atomic_write(file, after.encode("utf-8", "surrogateescape"))
    else:
        file.unlink()
    return [str(file)]


def _without(text: str) -> str:
    """Return the text without our block, ending in a line break if it has anything."""
    head, begin_mark, rest = text.partition(f"{_BEGIN}\n")
    if begin_mark:
        text = head + rest.partition(f"{_END}\n")[2]
    return text if not text or text.endswith("\n") else f"{text}\n"


def _get(repository: Repository, key: str) -> str | None:
    code, out, _ = repository.git.attempt("config", "--local", "--get", key)
    return None if code else out.decode("utf-8", "replace").rstrip("\n")


def _program() -> str:
    """Return how a shell starts this macla, wherever git is run."""
    sibling = Path(sys.executable).with_name("macla")
    program = str(sibling) if sibling.exists() else shutil.which("macla")
    return shlex.quote(Path(program).as_posix()) if program else "macla"
