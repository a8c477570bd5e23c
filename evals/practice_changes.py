"""How what practice teaches gets into the library: one way in git, one elsewhere.

Outside git what was learned again is written as one change, because nobody reads it change by
change. In git each difference is a proposal, which its policy commits or keeps on a branch.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..adapters.git.history import revisions_of
from ..adapters.git.stores import is_tracked
from ..adapters.session import LibrarySession
from ..adapters.submitting import policy_of, submitter
from ..procedures.errors import MaclaError
from ..procedures.learning.learner import Learned
from ..procedures.learning.store import store
from ..procedures.proposals.history import last_made
from ..procedures.proposals.learned import propose_learned
from ..procedures.proposals.model import Proposal
from ..procedures.proposals.policy import Policy
from ..procedures.trajectories import Trajectory

__all__ = ["Changes"]


class Changes:
    """Takes changes of a library that is practised with.

    Args:
        session: The open library.
        policy: ``auto`` or ``review``; by default the library's own. Nobody sits at a practice
            who could be asked, so ``interrupt`` is ``review``.

    Attributes:
        place: Sends a proposal on its way.
        refused: Changes that could not be made, with reasons.
    """

    def __init__(self, session: LibrarySession, policy: Policy | None = None) -> None:
        self._library, self._ledger = session.library, session.ledger
        policy = policy or policy_of(session.library)
        self._policy: Policy = "auto" if policy == "auto" else "review"
        self._tracked = is_tracked(session.library.path)
        self.place = submitter(session.library, session.ledger, self._policy)
        self.refused: list[str] = []

    def adopt(self, learned: Learned, episodes: Sequence[Trajectory]) -> bool:
        """Put what was learned into the library; say whether anything in it changed."""
        if not self._tracked and self._policy == "auto":
            return bool(store(self._library, self._ledger, learned))
        changed = False
        for proposal in self._differences(learned, episodes):
            try:
                changed |= self.place(proposal).note == "accepted"
            except MaclaError as error:  # noqa: PERF203 (the other changes still go)
                self.refused.append(f"{proposal.id}: {error}")
        self._library.refresh()
        return changed

    def _differences(self, learned: Learned, episodes: Sequence[Trajectory]) -> Sequence[Proposal]:
        return propose_learned(
            self._library,
            self._ledger,
            learned,
            episodes,
            made_before=lambda name: last_made(revisions_of(self._library, name)),
        )
