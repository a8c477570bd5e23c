"""A proposal in words, for commit messages and terminals."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from ..model_documents import thaw
from ..posterior import credible_interval
from ..yaml_dump import dump_yaml
from .documents import name_of
from .model import Document, Proposal, document_key

__all__ = ["changes", "diff_text", "message", "reasons"]

_WIDTH = 100
_NOISE = ("evidence", "provenance")


def diff_text(old: Document | None, new: Document | None) -> str:
    """Return what changes between two documents, for people; None for one that is not there."""
    before, after = ([] if each is None else _lines(each) for each in (old, new))
    lines = difflib.unified_diff(before, after, "old", "new", n=2)
    return "".join(list(lines)[2:])


def _lines(document: Document) -> list[str]:
    shown = {key: value for key, value in thaw(document).items() if key not in _NOISE}
    return dump_yaml(shown).splitlines(keepends=True)


def changes(proposal: Proposal) -> Iterator[tuple[str, str]]:
    """Yield (id, what changes in it) for each document of a proposal."""
    old = {document_key(d): d for d in proposal.old}
    new = {document_key(d): d for d in proposal.new}
    for key in {**old, **new}:
        name = name_of(new.get(key) or old[key])
        yield name, diff_text(old.get(key), new.get(key))


def reasons(proposal: Proposal) -> Iterator[str]:
    """Yield lines that say why: rationale, counts, expected utility, replay."""
    yield from _wrapped(proposal.rationale)
    if proposal.contrast is not None:
        worked, failed = len(proposal.contrast.successes), len(proposal.contrast.failures)
        yield f"Contrast: {worked} episodes that worked, {failed} that failed"
    counts = dict(proposal.counts)
    good, bad = counts.pop("successes", None), counts.pop("failures", None)
    if good is not None or bad is not None:
        yield f"Evidence: worked {good or 0:g} times, failed {bad or 0:g} times"
    if counts:
        yield "Counts: " + ", ".join(f"{name} {value:g}" for name, value in counts.items())
    if proposal.eu_before is not None and proposal.eu_after is not None:
        yield f"Expected utility: {proposal.eu_before:.3f} before, {proposal.eu_after:.3f} after"
    if (replay := proposal.replay) is not None:
        yield (
            f"Replay of {replay.trials} episodes: {replay.wins} better, {replay.losses} worse, "
            f"{replay.ties} alike; gain {replay.gain:+.3f} "
            f"(95 % {replay.ci[0]:+.3f} to {replay.ci[1]:+.3f})"
        )
    if (start := proposal.inherited_evidence) is not None:
        low, high = credible_interval(start.alpha, start.beta)
        mean = start.alpha / (start.alpha + start.beta)
        yield f"Starts from a rate of {mean:.3f} (95 % {low:.3f} to {high:.3f})"
    if proposal.requires:
        yield "Needs: " + ", ".join(proposal.requires)


def message(proposal: Proposal) -> str:
    """Return the commit message of a proposal."""
    lines = [proposal.title, "", *reasons(proposal), "", f"Proposal: {proposal.id}"]
    return "\n".join(lines) + "\n"


def _wrapped(text: str) -> Iterator[str]:
    import textwrap

    for paragraph in text.splitlines():
        yield from textwrap.wrap(paragraph, _WIDTH) or [""]
