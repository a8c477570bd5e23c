"""How changes get into a library on this machine: which policy holds, and where they are kept."""

from __future__ import annotations

from collections.abc import Callable

from ..procedures.evidence.ledger import Ledger
from ..procedures.library.library import Library
from ..procedures.proposals.policy import Ask, Policy, submit
from ..procedures.proposals.proposal import Proposal
from ..procedures.proposals.proposal_store import FileStore, Placed
from .git.proposal_branches import GitStore
from .git.stores import is_tracked, open_store


def policy_of(library: Library) -> Policy:
    """Return the policy of a library.

    ``proposals: {policy: …}`` below ``settings`` in ``library.yaml`` says it; else it is ``review``
    where git tracks the library and ``auto`` elsewhere.

    Raises:
        GitError: The library is in a repository that git does not open.
    """
    policy: Policy | None = library.settings.settings.get("proposals", {}).get("policy")
    return policy or ("review" if is_tracked(library.path) else "auto")


def submitter(
    library: Library, ledger: Ledger, policy: Policy | None = None, *, ask: Ask | None = None
) -> Callable[[Proposal], Placed]:
    """Return what sends a change on its way: written at once, kept for review, or asked about.

    In git, what is written at once is a commit of its own, and what waits is a branch; elsewhere
    both are files in ``proposals/``. A library in a work tree that is not committed yet is treated
    as one outside git, unless its changes are to be reviewed. What a killed process had accepted
    and not committed is committed first.

    Args:
        library: What changes are for.
        ledger: Its evidence.
        policy: ``auto``, ``review`` or ``interrupt``; by default the library's own.
        ask: For ``interrupt``: asks a person, such as LangGraph's ``interrupt``.

    Raises:
        GitError: The library is in a repository in which nothing can be proposed.
    """
    policy_in_use = policy or policy_of(library)
    in_files = policy_in_use != "review" and not is_tracked(library.path)
    store = FileStore(library.path) if in_files else open_store(library.path)
    if isinstance(store, GitStore):
        store.finish(library, ledger)
    return lambda proposal: submit(library, ledger, proposal, policy_in_use, store, ask=ask)
