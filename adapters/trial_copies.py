"""Copies of a library in which a change can be tried: documents only, in a private folder."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from ..procedures.common.errors import LibraryError
from ..procedures.library.document_kinds import FOLDERS
from ..procedures.library.library import Library
from ..procedures.local.private import PrivateFolder
from ..procedures.proposals.proposal import Proposal
from ..procedures.proposals.proposal_store import in_order

__all__ = ["required_by", "trial_copy"]

_FILES = ("library.yaml", "ontology.yaml")


@contextmanager
def trial_copy(library: Library) -> Iterator[Library]:
    """Copy what a library says, without evidence and what else lies beside it.

    Args:
        library: The library.

    Raises:
        LibraryError: The copy cannot be written.
    """
    with ExitStack() as stack:
        try:
            folder = Path(tempfile.gettempdir())
            path = stack.enter_context(PrivateFolder(folder, "macla-trial-")).path / "library"
            path.mkdir()
            for name in _FILES:
                if (library.path / name).is_file():
                    shutil.copy2(library.path / name, path)
            for name in FOLDERS.values():
                if (library.path / name).is_dir():
                    shutil.copytree(library.path / name, path / name)
        except OSError as error:
            raise LibraryError(f"no copy can be made to try a change in: {error}") from error
        yield Library.open(path)


def required_by(proposal: Proposal, waiting: Sequence[Proposal]) -> list[Proposal]:
    """Return the changes that a change cannot do without, each after what it needs itself."""
    by_id = {each.id: each for each in waiting if each.id != proposal.id}
    required: dict[str, Proposal] = {}
    names = list(proposal.requires)
    while names:
        name = names.pop()
        if name in by_id and name not in required:
            required[name] = by_id[name]
            names += required[name].requires
    return in_order(list(required.values()))
