"""A note of the decision under way: after a kill, the next command finishes it.

The note is written before the first file and removed after the commit. It says what would be
written, so that our own half of a change can be told from what a person left uncommitted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ...procedures.common.errors import LibraryError, MaclaError
from ...procedures.documents.yaml_io import atomic_write
from ...procedures.local.machine_folder import local_folder, local_path
from ...procedures.proposals.proposal import Proposal

_FILE = "deciding.json"


@contextmanager
def noted(root: Path, proposal: Proposal, names: Sequence[str], by: str) -> Iterator[None]:
    """Keep a note while a change is written and committed; only an interruption leaves it.

    Args:
        root: The library's folder.
        proposal: The change, with its documents as they will be on disk.
        names: Files that it changes, from the top of the repository.
        by: Who decides.
    """
    file = local_folder(root) / _FILE
    plain = {"proposal": proposal.to_document(), "files": list(names), "by": by}
    atomic_write(file, json.dumps(plain).encode())
    try:
        yield
    except Exception:
        file.unlink(missing_ok=True)  # what failed has told so, and is not tried again
        raise
    file.unlink(missing_ok=True)


def is_noted(root: Path) -> bool:
    """Say whether a change is being decided, or was left half decided."""
    return local_path(root, _FILE).exists()


@contextmanager
def unfinished(root: Path) -> Iterator[tuple[Proposal, list[str], str] | None]:
    """Yield the note that an interruption left, as :func:`noted` takes it; removed at the end.

    The index is held, as it is by who keeps a note: else the note may be of what is under way.

    Raises:
        LibraryError: The note cannot be read; it is left where it is.
    """
    file = local_path(root, _FILE)
    yield _read_note(file)
    file.unlink(missing_ok=True)


def _read_note(file: Path) -> tuple[Proposal, list[str], str] | None:
    try:
        plain = json.loads(file.read_bytes())
        return Proposal.from_document(plain["proposal"]), list(plain["files"]), str(plain["by"])
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, MaclaError) as error:
        raise LibraryError(
            "the note of an interrupted decision is damaged",
            file=file,
            hint="see with git status what it had written, keep or undo that, and delete the note",
        ) from error
