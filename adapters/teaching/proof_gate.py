"""The gate of proposals: a change with which fewer demonstrations are reproduced is not offered.

A copy of the library gets the change, and what it needs of the changes that wait. Library and copy
predict the same demonstrations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ...procedures.common.errors import MaclaError
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.evidence.ledger import Ledger
from ...procedures.learning.taught import TAUGHT, read_taught
from ...procedures.library.library import Library
from ...procedures.proof.folds import sample_within
from ...procedures.proof.proof import prove
from ...procedures.proposals.apply import accept
from ...procedures.proposals.proposal import LEARNED, Proposal
from ...procedures.sharing.exchange import open_evidence, write_lock
from ..trial_copies import required_by, trial_copy
from .predictors import text_predictor

__all__ = ["ProofGate"]

_SAMPLE = 40
"""Most demonstrations that are predicted; more tell hardly more of one change."""
_SAMPLED_ACTIONS = 400
"""Most actions that these have together: at 2 ms each under a second."""
_JUDGED = (*LEARNED, "variant", "split", "ontology")
"""Changes of what is done; what goes for want of room or evidence is judged by these."""


class ProofGate:
    """Tells whether a library reproduces fewer demonstrations with a change than without it.

    Args:
        library: The library, as it is whenever it is asked.
        ledger: Its evidence.
        waiting: Returns the changes that wait.
    """

    def __init__(
        self, library: Library, ledger: Ledger, waiting: Callable[[], Sequence[Proposal]]
    ) -> None:
        self._library = library
        self._ledger = ledger
        self._waiting = waiting
        self._reproduced: dict[tuple[str, str], int] = {}
        self._sample: tuple[float, Sequence[Trajectory]] = (0.0, ())

    def __call__(self, proposal: Proposal) -> bool:
        """Say whether the proof falls; without demonstrations at hand it does not."""
        shown = self._demonstrations() if proposal.change in _JUDGED else ()
        if not shown:
            return False
        try:
            return self._count(shown, proposal) < self._count(shown)
        except MaclaError:
            return False  # it is refused for that where it is submitted

    def _count(self, shown: Sequence[Trajectory], proposal: Proposal | None = None) -> int:
        """Return how many demonstrations the library reproduces, each library and change once."""
        here = self._library.content_hash
        key = here, proposal.id if proposal is not None else ""
        if key not in self._reproduced:
            with trial_copy(self._library) as copy:
                write_lock(copy, self._ledger)  # evidence says what is tried first
                if proposal is not None:
                    self._change(copy, proposal)
                count = _reproduced(copy.path, shown)
            self._reproduced = {k: n for k, n in self._reproduced.items() if k[0] == here}
            self._reproduced[key] = count
        return self._reproduced[key]

    def _change(self, copy: Library, proposal: Proposal) -> None:
        """Write a change into a copy, and before it what it needs of the changes that wait.

        Raises:
            MaclaError: It cannot be written.
        """
        with open_evidence(copy.path) as ledger:
            for each in required_by(proposal, self._waiting() if proposal.requires else ()):
                accept(copy, ledger, each)
            accept(copy, ledger, proposal)

    def _demonstrations(self) -> Sequence[Trajectory]:
        """Return the sample; the file is read again only when it was written."""
        file = self._library.path / TAUGHT
        written = file.stat().st_mtime if file.exists() else 0.0
        if written != self._sample[0]:
            every = [each for each in read_taught(self._library) or () if each.success]
            sizes = [len(each.acts) for each in every]
            chosen = sample_within(sizes, _SAMPLE, _SAMPLED_ACTIONS)
            self._sample = written, [every[at] for at in chosen]
        return self._sample[1]


def _reproduced(library: Path, shown: Sequence[Trajectory]) -> int:
    items = [(at, each.task, each) for at, each in enumerate(shown)]
    with text_predictor(library) as predictor:
        return sum(each.reproduced for each in prove(items, predictor))
