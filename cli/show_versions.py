"""``macla show --versions``: the versions of a procedure or plan."""

from __future__ import annotations

from pathlib import Path

from . import output

_NAMED = 3
"""Most episodes that are named for a version."""


def print_versions(library: Path, ref: str, *, as_json: bool) -> None:
    """Tell every version of a procedure or plan, latest first.

    For each: when, why, by whom, the episodes that it was learned from, the evidence that it
    started from, and what part of that it inherited.
    """
    from ..adapters.git.commit_history import revisions_of
    from ..procedures.evidence.ledger import Ledger
    from ..procedures.library.library import Library
    from ..procedures.proposals.inheritance import inherited_by
    from ..procedures.proposals.proposal import AUTOMATIC

    opened = Library.open(library)
    revisions = revisions_of(opened, ref)
    inherited: dict[int, tuple[str, float, float]] = {}
    evidence_file = opened.path / ".macla" / "evidence.db"
    if evidence_file.exists():
        with Ledger.open(evidence_file, read_only=True) as ledger:
            inherited = inherited_by(ledger, ref)
    if as_json:
        documents = []
        for revision in revisions:
            parent, successes, failures = inherited.get(revision.version or 0, ("", 0.0, 0.0))
            inheritance = (
                {"from": parent, "successes": successes, "failures": failures} if parent else None
            )
            documents.append({**revision.to_json(), "inherited": inheritance})
        output.emit_json({"id": ref, "revisions": documents})
        return
    for revision in reversed(revisions):
        name = f"{ref}@{revision.version}" if revision.document is not None else f"{ref} removed"
        facts = [revision.at, revision.commit[:10], revision.author]
        if revision.by and revision.by != revision.author:
            automatic = revision.by == AUTOMATIC
            facts.append("accepted automatically" if automatic else f"accepted by {revision.by}")
        if revision.edited:
            facts.append(f"edited by {revision.edited}")
        output.say("  ".join([output.strong(name), *filter(None, facts)]))
        output.say(f"    {revision.reason}")
        if (start := revision.start) is not None:
            beta = f"Beta({start.alpha:g}, {start.beta:g})"
            output.say(f"    evidence then: rate {start.mean:.3f}, {beta}")
        if revision.version in inherited:
            parent, successes, failures = inherited[revision.version]
            output.say(
                f"    of that, {successes:g} successes and {failures:g} failures from {parent}"
            )
        if revision.episodes:
            names = ", ".join(revision.episodes[:_NAMED])
            rest = len(revision.episodes) - _NAMED
            others = f" and {rest} more (--json names all)" if rest > 0 else ""
            output.say(f"    from the episodes {names}{others}")
