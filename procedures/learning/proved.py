"""Store a summary of a library's last proof beside it, on this machine only.

It holds for the library's content at that time. A summary that cannot be read counts as none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..common.errors import MaclaError
from ..common.text import fold_space
from ..documents.yaml_io import atomic_write
from ..local.machine_folder import LOCAL, local_folder
from ..proof.proof import Divergence, Proof, Share

PROVED = Path(LOCAL) / "proof.json"
"""The file in a library's folder; like all there, it is not for git."""
LEAST_REPRODUCED = 0.8
"""Share of its own demonstrations below which a library gets a warning. Demonstrators err and look
about in ways that nobody should repeat, so a library need not reproduce all. Where it misses one in
five, something was learned wrongly or not at all, and a person should look."""
_MOST_DIVERGENCES = 2
"""Most first divergences in a summary; they must fit a short message."""


@dataclass(frozen=True, slots=True)
class Proved:
    """A stored summary of a proof.

    Attributes:
        library_hash: Of the content that was proved.
        reproduced: Demonstrations that are reproduced.
        of: Demonstrations that were proved.
        demonstrations: All that there are; more than ``of`` where a sample was proved.
        shares: Id of a procedure or plan → what it reproduces of those it acts in.
        divergences: The most frequent first divergences, in words.
    """

    library_hash: str
    reproduced: int
    of: int
    demonstrations: int
    shares: Mapping[str, Share]
    divergences: tuple[str, ...]

    @classmethod
    def from_proof(cls, proof: Proof, library_hash: str, demonstrations: int) -> Proved:
        """Return the summary of a proof."""
        divergences = tuple(
            f"{kind.count} {in_words(kind.example)}" for kind in proof.kinds[:_MOST_DIVERGENCES]
        )
        return cls(
            library_hash,
            proof.reproduced,
            proof.of,
            demonstrations,
            dict(proof.shares),
            divergences,
        )

    @property
    def enough(self) -> bool:
        """Whether the share reaches :data:`LEAST_REPRODUCED`."""
        return self.reproduced >= LEAST_REPRODUCED * self.of

    def to_document(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "library_hash": self.library_hash,
            "reproduced": self.reproduced,
            "of": self.of,
            "demonstrations": self.demonstrations,
            "shares": {name: [each.reproduced, each.of] for name, each in self.shares.items()},
            "divergences": list(self.divergences),
        }


def in_words(divergence: Divergence) -> str:
    """Describe a first divergence: step, shown action, predicted action, reason."""
    step = divergence.step
    would = f"would do {_quotation(step.prediction.text)}"
    if step.prediction.action is None:
        would = "would do nothing"
    because = f": {step.prediction.because}" if step.prediction.because else ""
    return f"step {divergence.number}: shown {_quotation(step.shown.text)}, {would}{because}"


def keep_proved(root: Path, proved: Proved) -> None:
    """Store a summary in place of the earlier one; do nothing where that cannot be written."""
    try:
        data = json.dumps(proved.to_document(), ensure_ascii=False).encode("utf-8", "replace")
        atomic_write(local_folder(root) / PROVED.name, data)
    except (OSError, MaclaError):
        return


def read_proved(root: Path, library_hash: str) -> Proved | None:
    """Return the summary of a library with this content; None where there is none."""
    proved = last_proved(root)
    return proved if proved is not None and proved.library_hash == library_hash else None


def last_proved(root: Path) -> Proved | None:
    """Return the last summary, of whichever content; None where there is none."""
    try:
        document = json.loads((root / PROVED).read_bytes())
        proved = Proved(
            str(document["library_hash"]),
            int(document["reproduced"]),
            int(document["of"]),
            int(document["demonstrations"]),
            {str(n): Share(int(a), int(b)) for n, (a, b) in document["shares"].items()},
            tuple(map(str, document["divergences"])),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    sound = 0 <= proved.reproduced <= proved.of and proved.of > 0
    return proved if sound else None


def _quotation(text: str) -> str:
    flat = fold_space(text)
    return f'"{flat if len(flat) <= 80 else flat[:79] + "…"}"'
