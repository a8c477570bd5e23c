"""The end of ``macla learn``: how many demonstrations the library reproduces."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import output

if TYPE_CHECKING:
    from ..adapters.proving.proving_report import LibraryProof


def document_of(proof: LibraryProof | None) -> dict[str, Any] | None:
    """Return the document of a proof for ``macla learn --json``."""
    return None if proof is None else proof.summary.to_document()


def print_proof(proof: LibraryProof | None) -> None:
    """Print the share of reproduced demonstrations and the most frequent first divergence."""
    if proof is None:
        return
    from ..procedures.learning.proved import in_words

    summary = proof.summary
    total_text = f"of {summary.of} demonstrations"
    if summary.of < summary.demonstrations:
        total_text = f"of {summary.of} (a sample of {summary.demonstrations:,})"
    kinds = proof.here.kinds[:1]
    divergence_text = "".join(f"; {each.count} times {in_words(each.example)}" for each in kinds)
    output.say(f"  reproduced  {summary.reproduced:>6} {total_text}{divergence_text}")


def proof_of_lesson(library: Path) -> LibraryProof | None:
    """Return the proof of a library that was just taught; None, with a warning, if it fails."""
    from ..adapters.proving.proving import prove_lesson

    try:
        return prove_lesson(library)
    except Exception as error:  # a fault of the proof is no fault of learning
        output.warn(f"what was learned was not proved: {error}")
        return None
