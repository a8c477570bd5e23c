"""Taking back the last learning or accepting: what stood in the files before, kept beside them.

Kept are the files that were changed, the records of proposals, the episodes that the library was
taught from, and which programs were stopped that are not any more. Evidence is not taken back: what
happened, happened. So a file that was used since gets the next version instead of the one whose
evidence is of something else.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import re
import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from ..common.clock import now
from ..common.errors import LibraryError, reason
from ..documents.yaml_io import atomic_write, load_yaml, read_bytes
from ..documents.yaml_update import updated
from ..evidence.ledger import Ledger, Outcome
from ..evidence.ledger_rows import DEMONSTRATIONS, INHERITED
from ..files.parsing import contents_of, yaml_files
from ..learning.taught import TAUGHT
from ..local.machine_folder import DECIDED, LOCAL, local_folder, local_path
from ..local.private import PrivateFolder
from ..proposals.inheritance import live_counts
from ..tooling.stops import stopped_in, stopping_again
from . import library_commit as commits
from .consistency import check
from .document_kinds import FOLDERS
from .journal import PENDING, Before, recorded
from .library import LOCK_TIMEOUT, Library

_NOTE = "undo.json"
_EPISODES_FOLDER = "undo"
_KEPT_NAME = re.compile(rf"{_EPISODES_FOLDER}|kept-[0-9a-f]{{12}}")
_EPISODES = (TAUGHT.name, TAUGHT.with_suffix(".json").name)
_RECORDS = ("proposals/", f"{LOCAL}/{DECIDED}/")
_NONE: Final[Mapping[str, str]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Undoing:
    """The last change that can be taken back.

    Attributes:
        what: What was done, in words.
        at: When, ISO 8601.
        files: Name below the library's folder → what stood there; None where there was no file.
        after: Name → SHA-256 (hexadecimal) of what was written; None where it was removed.
        kept: Name of the folder with the episodes of before; where it is gone, they stay.
        cleared: Id of a program that was let act again → why it had been stopped.
    """

    what: str
    at: str
    files: Mapping[str, bytes | None]
    after: Mapping[str, str | None]
    kept: str = _EPISODES_FOLDER
    cleared: Mapping[str, str] = field(default_factory=dict)

    @property
    def documents(self) -> list[str]:
        """Names of the files that it changed, records of proposals left out."""
        return sorted(name for name in self.files if not name.startswith(_RECORDS))


@contextlib.contextmanager
def undoable(root: Path, what: str, cleared: Mapping[str, str] = _NONE) -> Iterator[None]:
    """Keep what the files of a library say before they are changed in here.

    What changed nothing leaves the change before it as the one that can be taken back; so does a
    library that is not there yet.

    Args:
        root: The library's folder.
        what: What is done, in words.
        cleared: Programs that may act again once it is done, with the reasons why they were
            stopped.
    """
    root = root.resolve()
    if not (root / "library.yaml").exists():
        yield
        return
    records = _records(root)
    # Two commands may do something at the same time: the one that ends last can be taken back.
    with contextlib.ExitStack() as stack:
        with _as_library_errors(root):
            folder = stack.enter_context(PrivateFolder(local_folder(root), PENDING))
            _remove_leftovers(root)
            kept_folder = folder.path / _EPISODES_FOLDER
            kept_folder.mkdir()
            for name in _EPISODES:
                if (file := local_path(root, name)).is_file():
                    shutil.copy2(file, kept_folder / name)
        with recorded(root) as before:
            is_done = False
            try:
                yield
                is_done = True
            finally:  # what was interrupted can be taken back as far as it came
                with _as_library_errors(root):
                    done = cleared if is_done else _NONE
                    _keep(root, what, done, before, records, kept_folder)


@contextlib.contextmanager
def _as_library_errors(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        problem = f"what may have to be taken back cannot be kept: {reason(error)}"
        raise LibraryError(problem, file=root) from error


def _keep(
    root: Path,
    what: str,
    cleared: Mapping[str, str],
    before: Before,
    records: Mapping[str, bytes],
    kept_folder: Path,
) -> None:
    records_now = _records(root)
    old: Before = dict(before)
    for name in records.keys() | records_now.keys():
        old[name] = records.get(name)
    changed = {name: data for name, data in old.items() if _content(root / name) != data}
    if all(name.startswith(_RECORDS) for name in changed) and not cleared:
        return
    after = {name: _hash_of(_content(root / name)) for name in sorted(changed)}
    # Its own name each time: killed in between, the note never speaks of another's episodes.
    name = f"kept-{secrets.token_hex(6)}"
    _note(root, Undoing(what, now(), dict(sorted(changed.items())), after, name, cleared))
    kept_folder.rename(local_path(root, name))
    _remove_kept(root, but=name)


def _remove_leftovers(root: Path) -> None:
    """Remove what a killed command left of the episodes that it kept."""
    with contextlib.suppress(LibraryError):  # who wants to take something back is told
        last = undoing(root)
        _remove_kept(root, but="" if last is None else last.kept)


def _remove_kept(root: Path, but: str = "") -> None:
    """Remove the episodes that were kept for changes that nobody can take back any more."""
    for folder in local_path(root, _NOTE).parent.iterdir():
        is_obsolete = _KEPT_NAME.fullmatch(folder.name) and folder.name != but
        if is_obsolete and folder.is_dir() and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)


def _note(root: Path, last: Undoing) -> None:
    files = {name: _text(data) for name, data in last.files.items()}
    note = {"what": last.what, "at": last.at, "files": files, "after": dict(last.after)}
    note |= {"kept": last.kept, "cleared": dict(last.cleared)}
    atomic_write(local_path(root, _NOTE), json.dumps(note).encode())


def undoing(root: Path) -> Undoing | None:
    """Return the last change that can be taken back; None where there is none.

    Raises:
        LibraryError: The note of it cannot be read, or the machine-local files are not believed.
    """
    file = local_path(root.resolve(), _NOTE)
    try:
        note = json.loads(file.read_bytes())
        files = {name: None if t is None else t.encode() for name, t in note["files"].items()}
        folder_name = str(note.get("kept", _EPISODES_FOLDER))
        if not _KEPT_NAME.fullmatch(folder_name):
            raise ValueError(f"names no folder of its own: {folder_name[:80]!r}")
        cleared = {str(name): str(why) for name, why in note.get("cleared", {}).items()}
        after = dict(note["after"])
        return Undoing(str(note["what"]), str(note["at"]), files, after, folder_name, cleared)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        hint = "remove it; `macla undo DIR ID` takes a single file back"
        raise LibraryError(f"cannot be read: {error}", file=file, hint=hint) from None


def undo(library: Library, ledger: Ledger, last: Undoing) -> list[str]:
    """Write what stood in the files before the last change.

    Args:
        library: Where; refreshed first and afterwards.
        ledger: Says which versions were used since, and gets what a new version starts from.
        last: As :func:`undoing` returned it.

    Returns:
        Names, below the library's folder, of the files that changed.

    Raises:
        LibraryError: A file was changed since, or what stood there would not be a valid library
            any more; nothing is written then.
    """
    root = library.path
    library.refresh()
    with commits.locked(root, LOCK_TIMEOUT):
        _require_unchanged(root, last)
        files, rows = _as_before(library, ledger, last)
        documents = {n: d for n, d in files.items() if not n.startswith(_RECORDS)}
        content_by_name = {
            path.relative_to(root).as_posix(): read_bytes(path)
            for folder in ("", *FOLDERS.values())
            for path in yaml_files(root / folder)
        }
        content_after = {n: d for n, d in {**content_by_name, **documents}.items() if d is not None}
        check(contents_of(content_after, root), root, on_disk=False)
        ledger.record(chain(rows, _stops(library, ledger, last)))
        # Killed from here on, the same undoing goes on: what is written is what is wanted.
        _note(root, dataclasses.replace(last, files=files))
        shared = {name: data for name, data in files.items() if not name.startswith(f"{LOCAL}/")}
        removed = [name for name, data in shared.items() if data is None and (root / name).exists()]
        commits.commit(root, {n: d for n, d in shared.items() if d is not None}, removed)
        for name in files.keys() - shared.keys():
            if (data := files[name]) is None:
                (root / name).unlink(missing_ok=True)
            else:
                atomic_write(root / name, data)
        episodes = local_path(root, last.kept)
        for name in _EPISODES if episodes.is_dir() else ():
            kept_file = episodes / name
            if kept_file.is_file():
                atomic_write(local_path(root, name), kept_file.read_bytes())
            else:
                local_path(root, name).unlink(missing_ok=True)
        local_path(root, _NOTE).unlink()
        _remove_kept(root)
    library.refresh()
    return sorted(documents)


def _require_unchanged(root: Path, last: Undoing) -> None:
    for name, mark in last.after.items():
        data = _content(root / name)
        # What a killed undoing wrote back already is as it should be.
        if _hash_of(data) != mark and data != last.files[name]:
            raise LibraryError(
                f"was changed since {last.what}, so that cannot be taken back as a whole",
                file=root / name,
                hint="nothing was written; `macla undo DIR ID` lets one procedure do what it did, "
                "or takes back what was accepted of one program",
            )


def _as_before(
    library: Library, ledger: Ledger, last: Undoing
) -> tuple[dict[str, bytes | None], list[Outcome]]:
    """Return the files as they were, with the next version where that of now was used since."""
    files: dict[str, bytes | None] = dict(last.files)
    rows: list[Outcome] = []
    for kind, item in library.items():
        name = f"{FOLDERS[kind]}/{item.id}.yaml"
        old = files.get(name)
        if old is None:
            continue
        document: dict[str, Any] = load_yaml(old, library.path / name)
        version = int(document["version"])
        # It is the later one where an undoing was killed that had noted what it would write.
        if version >= item.version or not _was_used(ledger, item.id, item.version):
            continue
        sums = live_counts(library, ledger, item.id).get((kind, item.id, version, ""), (0.0, 0.0))
        new = item.version + 1
        files[name] = updated(old, {**document, "version": new})
        run = f"{INHERITED}undo-{_hash_of(old)}"
        context = {"parent": f"{item.id}@{version}"}
        rows.append(Outcome.of_sums(run, (kind, item.id, new, ""), sums, now(), context=context))
    return files, rows


def _stops(library: Library, ledger: Ledger, last: Undoing) -> Iterator[Outcome]:
    """Yield what stops the programs again that the last change let act."""
    stopped = stopped_in(ledger)
    for name, why in last.cleared.items():
        if name in library.programs and name not in stopped:
            yield stopping_again(library.programs[name], why)


def _was_used(ledger: Ledger, name: str, version: int) -> bool:
    return any(
        row.version == version and not row.run.startswith((DEMONSTRATIONS, INHERITED))
        for row in ledger.rows(subject=name)
    )


def _records(root: Path) -> dict[str, bytes]:
    files = (file for folder in _RECORDS for file in yaml_files(root / folder))
    return {file.relative_to(root).as_posix(): read_bytes(file) for file in files}


def _content(file: Path) -> bytes | None:
    return file.read_bytes() if file.is_file() else None


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode()


def _hash_of(data: bytes | None) -> str | None:
    return None if data is None else hashlib.sha256(data).hexdigest()
