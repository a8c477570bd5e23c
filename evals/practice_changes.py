"""How what practice teaches gets into the library: one way in git, one elsewhere.

Outside git what was learned again is written as one change, because nobody reads it change by
change. In git each difference is a proposal, which its policy commits or keeps on a branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..adapters.git.history import revisions_of
from ..adapters.git.stores import is_tracked, open_store
from ..adapters.session import LibrarySession
from ..adapters.submitting import policy_of, submitter
from ..procedures.errors import GitError, MaclaError
from ..procedures.learning.learner import Learned
from ..procedures.learning.pruning import prune
from ..procedures.library import Library
from ..procedures.model_documents import behaves_alike, thaw
from ..procedures.proposals.apply import prepare
from ..procedures.proposals.history import Revision, last_made
from ..procedures.proposals.learned import propose_learned
from ..procedures.proposals.model import Proposal
from ..procedures.proposals.policy import Policy
from ..procedures.proposals.relearned import plan_relearned, store_relearned
from ..procedures.proposals.removal import propose_removals, with_room
from ..procedures.trajectories import Trajectory

__all__ = ["Changes", "worth_a_change"]

_GROWN = 0.1
"""Share of new words from which they are a change of their own."""


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
        plain = self._policy == "auto" and not is_tracked(session.library.path)
        self._store = None if plain else open_store(session.library.path)
        self.place = submitter(session.library, session.ledger, self._policy)
        self.refused: list[str] = []

    def adopt(self, learned: Learned, episodes: Sequence[Trajectory]) -> bool:
        """Put what was learned into the library; say whether anything in it changed."""
        if self._store is None:
            return bool(store_relearned(self._library, self._ledger, learned))
        wanted = with_room(
            self._library, self._differences(learned, episodes), self._store.decided()
        )
        return self._placed(worth_a_change(self._library, wanted))

    def forget(self) -> bool:
        """Remove what there is no room for; say whether anything went.

        In git and under review each removal is a proposal of its own.
        """
        if self._store is None:
            return bool(prune(self._library, self._ledger))
        return self._placed(propose_removals(self._library, self._ledger, self._store.pending))

    def _placed(self, proposals: Iterable[Proposal]) -> bool:
        """Send proposals on their way; say whether one of them was accepted."""
        changed = False
        for proposal in proposals:
            try:
                changed |= self.place(proposal).note == "accepted"
            except MaclaError as error:  # noqa: PERF203 (the other changes still go)
                self.refused.append(f"{proposal.id}: {error}")
        self._library.refresh()
        return changed

    def _differences(self, learned: Learned, episodes: Sequence[Trajectory]) -> list[Proposal]:
        return propose_learned(
            self._library,
            self._ledger,
            learned,
            episodes,
            made_before=lambda name: last_made(self.revisions(name)),
            plan=plan_relearned(self._library, self._ledger, learned, self.revisions),
        )

    def revisions(self, name: str) -> Sequence[Revision]:
        """Return the versions that a procedure or plan had; none where no commit has it yet."""
        try:
            return revisions_of(self._library, name)
        except GitError:
            return []


def worth_a_change(library: Library, proposals: Sequence[Proposal]) -> list[Proposal]:
    """Leave out changes of words that nobody would want to read alone.

    Such are the order of words, and some few words more: these wait until a procedure or plan
    changes too, or there are a tenth more of them.
    """
    others = any(proposal.change != "ontology" for proposal in proposals)
    return [
        proposal
        for proposal in proposals
        if proposal.change != "ontology" or _tells(library, proposal, alone=not others)
    ]


def _tells(library: Library, proposal: Proposal, *, alone: bool) -> bool:
    """Say whether a change of the ontology is worth being read."""
    here = library.ontology.to_document()
    (there,) = (thaw(document) for document in prepare(library, proposal).documents.values())
    if behaves_alike(here, there):
        return False
    known, new = (each.get("entities", {}).get("kinds", ()) for each in (here, there))
    grown = len({*new} - {*known}) >= _GROWN * len(known)
    return not alone or grown or _without_words(here) != _without_words(there)


def _without_words(document: dict[str, Any]) -> dict[str, Any]:
    """Return an ontology without its version and the words that it lists."""
    entities = {k: v for k, v in document.get("entities", {}).items() if k != "kinds"}
    rest = {k: v for k, v in document.items() if k not in ("version", "clusters", "entities")}
    return {**rest, "entities": entities}
