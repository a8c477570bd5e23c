"""How what practice teaches gets into the library: one way in git, one elsewhere.

Outside git what was learned again is written as one change, because nobody reads it change by
change. In git each difference is a proposal, which its policy commits or keeps on a branch. What
the episodes are no reason for waits, as does that with which fewer demonstrations are reproduced;
words go with the change that needs them. What contrast or experiments change rests on trials, and
is no matter of demonstrations: the world may have changed since.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...procedures.common.errors import GitError, MaclaError
from ...procedures.documents.plain_data import behaves_alike
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.evidence.posterior import posterior_mean
from ...procedures.learning.learner import Learned
from ...procedures.learning.pruning import prune
from ...procedures.learning.refused import Refused
from ...procedures.library.library import Library
from ...procedures.model.procedure import Procedure
from ...procedures.proposals.apply import prepare, rebased
from ...procedures.proposals.causes import by_cause
from ...procedures.proposals.inheritance import live_counts
from ...procedures.proposals.learned import propose_learned
from ...procedures.proposals.policy import Policy
from ...procedures.proposals.proposal import LONGEST_RATIONALE, Proposal
from ...procedures.proposals.proposal_store import withdraw_unfit, withdraw_unlearned
from ...procedures.proposals.relearned import plan_relearned, store_relearned
from ...procedures.proposals.removal import propose_removals, with_room
from ...procedures.proposals.replay import Replayer
from ...procedures.proposals.support import AvailableProcedures, is_supported, is_worth_reading
from ...procedures.proposals.version_history import Revision, last_made
from ...procedures.proposals.word_documents import ontology_after
from ..git.commit_history import revisions_of
from ..git.stores import is_tracked, open_store
from ..session import LibrarySession
from ..submitting import policy_of, submitter
from .proof_gate import ProofGate

__all__ = ["Changes", "apart_from", "with_words", "worth_a_change"]

_EVEN = 0.5
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
        store = self._store
        waiting = store.pending if store is not None else list[Proposal]
        self._lowers_proof = ProofGate(session.library, session.ledger, waiting)
        self.place = submitter(session.library, session.ledger, self._policy)
        self.refused = Refused()

    def adopt(self, learned: Learned, episodes: Sequence[Trajectory]) -> bool:
        """Put what was learned into the library; say whether anything in it changed."""
        if self._store is None:
            return bool(store_relearned(self._library, self._ledger, learned))
        wanted = self._wanted(learned, episodes)
        return self._placed(with_room(self._library, wanted, self._store.decided()))

    def forget(self) -> Sequence[str]:
        """Remove what there is no room for; return the ids of what went.

        In git and under review each removal is a proposal of its own.
        """
        if self._store is None:
            return prune(self._library, self._ledger)
        before = (*self._library.metas, *self._library.procedures)
        self._placed(propose_removals(self._library, self._ledger, self._store.pending))
        left = {*self._library.metas, *self._library.procedures}
        return [name for name in before if name not in left]

    def _placed(self, proposals: Iterable[Proposal]) -> bool:
        """Send proposals on their way; say whether one of them was accepted."""
        changed = False
        proposals = list(proposals)
        made = {proposal.id for proposal in proposals}
        procedures = AvailableProcedures(self._library.procedures)
        for proposal in proposals:
            try:
                proposal = apart_from(self._library, proposal, made)
                if not procedures.suffice_for(proposal) or self._lowers_proof(proposal):
                    continue
                placed = self.place(proposal)
                if not placed.is_turned_down:
                    procedures.add(proposal)
                changed |= placed.note == "accepted"
            except MaclaError as error:
                self.refused.append(f"{proposal.id}: {error}")
        self._library.refresh()
        if self._store is not None:
            withdraw_unfit(self._library, self._store)
        return changed

    def _wanted(self, learned: Learned, episodes: Sequence[Trajectory]) -> list[Proposal]:
        """Return the changes that are to be made now, in order."""
        found = self._differences(learned, episodes)
        kept = [p for p in found if is_supported(p, works=self._works(p.target.id))]
        # The episode that shows a plan may be the only one that shows what it needs.
        needed = {name for p in kept for name in p.requires}
        kept = [p for p in found if p in kept or (p.id in needed and is_worth_reading(p))]
        if self._store is not None:
            withdraw_unlearned(self._store, kept)
        wanted = worth_a_change(self._library, kept)
        wanted = by_cause(wanted, Replayer.of(episodes, self._library, wanted).replay)
        return with_words(wanted) if self._policy == "auto" else wanted

    def _works(self, name: str) -> bool:
        """Say whether what stands works at least every other time, by its posterior mean."""
        item = self._library.procedures.get(name) or self._library.metas.get(name)
        if item is None:
            return True
        kind = "procedure" if isinstance(item, Procedure) else "meta"
        counts = live_counts(self._library, self._ledger, name)
        good, bad = counts.get((kind, name, item.version, ""), (0.0, 0.0))
        return posterior_mean(1.0 + good, 1.0 + bad) >= _EVEN

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


def apart_from(library: Library, proposal: Proposal, made: Container[str]) -> Proposal:
    """Let a proposal stand without the proposals that are not made now.

    Args:
        library: What is there; refreshed where that matters.
        proposal: The change.
        made: Ids of the proposals that are made now.
    """
    requires = tuple(name for name in proposal.requires if name in made)
    if requires == proposal.requires:
        return proposal
    library.refresh()
    return rebased(library, replace(proposal, requires=requires))


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


def with_words(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Let a change of the ontology go in one with the change that needs it, or else the first."""
    words = next((p for p in proposals if p.change == "ontology"), None)
    others = [p for p in proposals if p is not words]
    if words is None or not others:
        return list(proposals)
    first = next((p for p in others if words.id in p.requires), others[0])
    result = []
    for each in others:
        requires = tuple(
            dict.fromkeys(first.id if name == words.id else name for name in each.requires)
        )
        if each is first:
            rationale = f"{each.rationale}\n{words.rationale}"[:LONGEST_RATIONALE]
            each = replace(
                each,
                rationale=rationale,
                old=(*each.old, *words.old),
                new=(*each.new, *words.new),
            )
            requires = tuple(name for name in requires if name != first.id)
        result.append(replace(each, requires=requires))
    return result


def _tells(library: Library, proposal: Proposal, *, alone: bool) -> bool:
    """Say whether a change of the ontology is worth being read."""
    documents = prepare(library, proposal).documents.values()
    here = library.ontology.to_document()
    there = ontology_after(library.contents, documents).to_document()
    if behaves_alike(here, there):
        return False
    known, new = map(_kinds, (here, there))
    grown = len(new - known) >= _GROWN * len(known)
    return not alone or grown or _without_words(here) != _without_words(there)


def _kinds(document: dict[str, Any]) -> set[tuple[str, str]]:
    """Return the kinds of things of each world, beside its name."""
    worlds = {"": document, **document.get("worlds", {})}
    return {
        (name, kind)
        for name, words in worlds.items()
        for kind in words.get("entities", {}).get("kinds", ())
    }


def _without_words(document: dict[str, Any]) -> dict[str, Any]:
    """Return an ontology without its version, the words that it lists and what actions tell."""
    worlds = {name: _without_words(words) for name, words in document.get("worlds", {}).items()}
    entities = {k: v for k, v in document.get("entities", {}).items() if k != "kinds"}
    operators = {
        name: {key: value for key, value in operator.items() if key != "outcomes"}
        for name, operator in document.get("operators", {}).items()
    }
    told = ("version", "clusters", "entities", "told", "types")
    rest = {k: v for k, v in document.items() if k not in told}
    return {**rest, "entities": entities, "operators": operators, "worlds": worlds}
