"""A proposal in words, for commit messages and terminals."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from ..common.text import counted
from ..diff import DocumentDiff, diff_documents, document_lines, in_words
from ..library.document_kinds import WORDS
from ..model.parameter_types import with_more
from ..model.procedure import Ontology
from ..model.procedure_parts import Evidence
from .proposal import AUTOMATIC, Part, Proposal, Replay, document_key
from .proposal_documents import item_without_notes
from .support import BEFORE
from .word_documents import ontology_of

_LINE_WIDTH = 100
"""Characters of a line, at which rationales are wrapped."""
_MOST_LINES = 80
"""Lines of the longest description in a commit message."""
_NAMES = frozenset({"kind", "id", "of", "version", "status"})
_NONE: Mapping[str, Evidence] = MappingProxyType({})


def words_with(ontology: Ontology, waiting: Iterable[Proposal]) -> Ontology:
    """Return the words with the types that proposals add, as procedures among these name them."""
    for proposal in waiting:
        for document in proposal.new:
            if document["kind"] in WORDS and not _NAMES.issuperset(document):
                worlds = ontology_of([document]).by_world
                ontology = with_more(ontology, {name: each.types for name, each in worlds.items()})
    return ontology


def changes(proposal: Proposal, words: Ontology | None = None) -> Iterator[DocumentDiff]:
    """Yield what changes in each document of a proposal; evidence and provenance are left out.

    A document that a record only names, since a commit holds it, is passed over.
    """
    ontology = words_with(words or Ontology(), [proposal])
    old = {document_key(d): d for d in proposal.old if not _NAMES.issuperset(d)}
    new = {document_key(d): d for d in proposal.new if not _NAMES.issuperset(d)}
    type_keys = {("types", name) for kind, name in new if kind not in WORDS}  # told with it
    word_documents = [
        [d for k, d in each.items() if k[0] in WORDS and k not in type_keys] for each in (old, new)
    ]
    if any(word_documents):
        yield diff_documents(*map(ontology_of, word_documents))
    for key in {**old, **new}:
        if key[0] not in WORDS:
            sides = (item_without_notes(each[key]) if key in each else None for each in (old, new))
            yield diff_documents(*(in_words(side, ontology) for side in sides))


def reasons(proposal: Proposal) -> Iterator[str]:
    """Yield lines that say why: rationale, counts, expected utility, replay."""
    yield from _wrapped(said(proposal))
    yield from _facts(proposal)


def said(proposal: Proposal) -> Iterator[str]:
    """Yield why something is changed, a paragraph each; each file has its own."""
    if not proposal.parts:
        yield from proposal.rationale.splitlines()
        return
    yield f"One change of {len(proposal.parts)} files, decided as a whole."
    for part in proposal.parts:
        yield ""
        yield from f"{part.id}: {part.rationale}".splitlines()
        yield from (f"  {line}" for line in _numbers(proposal, part))


def _facts(proposal: Proposal) -> Iterator[str]:
    if proposal.edited:
        yield f"Edited by {proposal.edited}; counts and evidence are of what was proposed before"
    if proposal.contrast is not None:
        worked, failed = len(proposal.contrast.successes), len(proposal.contrast.failures)
        which = "Stored episodes that show it" if proposal.run else "Episodes"
        yield f"{which}: {worked} in which it worked, {failed} in which it failed"
    if not proposal.parts:  # else each has its own
        yield from _numbers(proposal, proposal)
    elif proposal.replay is not None:
        yield f"All together: replay of {_outcome(proposal.replay, 'stored episode')}"
    if proposal.live is not None:
        yield f"Played {_outcome(proposal.live, 'task')} ({proposal.live.tasks})"
    if proposal.requires:
        yield "Needs: " + ", ".join(proposal.requires)


def times(good: float, bad: float, *, ways: bool = False) -> str:
    """Say how often something worked, or of a learned plan how many went its way."""
    if ways:
        return f"{good:g} went this way, {bad:g} another"
    return f"worked {counted(good, 'time')}, failed {counted(bad, 'time')}"


def shows_ways(proposal: Proposal, name: str) -> bool:
    """Say whether what is counted of a file is demonstrations of a plan's goal: none failed."""
    return bool(proposal.run) and any(d["kind"] == "meta" and d["id"] == name for d in proposal.new)


def _numbers(proposal: Proposal, part: Part) -> Iterator[str]:
    counts = dict(part.counts)
    good, bad = counts.pop("successes", None), counts.pop("failures", None)
    if good or bad:
        ways = shows_ways(proposal, proposal.target.id if part is proposal else part.id)
        which = "Demonstrations of its goal" if ways else "Demonstrations of it"
        told = times(good or 0.0, bad or 0.0, ways=ways)
        yield f"{which if proposal.run else 'Evidence'}: {told}"
    counts.pop(BEFORE, None)
    if counts:
        yield "Counts: " + ", ".join(f"{name} {value:g}" for name, value in counts.items())
    if part.eu_before is not None and part.eu_after is not None:
        yield f"Expected utility: {part.eu_before:.3f} before, {part.eu_after:.3f} after"
    if part.replay is not None:
        yield f"Replay of {_outcome(part.replay, 'stored episode')}"
    if (start := part.inherited_evidence) is not None:
        low, high = start.interval
        yield f"Starts from a rate of {start.mean:.3f} (95 % {low:.3f} to {high:.3f})"


def _outcome(replay: Replay, what: str) -> str:
    text = (
        f"{counted(replay.trials, what)}: {replay.tally}; gain {replay.gain:+.3f} "
        f"(95 % {replay.ci[0]:+.3f} to {replay.ci[1]:+.3f})"
    )
    if replay.outdated is None:
        return text
    wins, losses, ties = replay.outdated
    return (
        f"{text}; demonstrations say otherwise ({wins} better, {losses} worse, {ties} alike), and "
        "what was played since counts"
    )


def described(proposal: Proposal) -> str:
    """Return why and what a proposal changes, in words."""
    parts = ["\n".join(_wrapped(said(proposal))), "\n".join(_facts(proposal))]
    parts += ["\n".join(map(str, document_lines(each))) for each in changes(proposal)]
    return "\n\n".join(filter(None, parts))


def message(proposal: Proposal, starts: Mapping[str, Evidence] = _NONE) -> str:
    """Return the commit message of a proposal: what, why, and the change in words."""
    words = described(proposal).splitlines()
    if len(words) > _MOST_LINES:
        omitted = len(words) - _MOST_LINES
        words = [*words[:_MOST_LINES], f"(and {omitted} more lines, which `macla diff` shows)"]
    trailers = [f"Proposal: {proposal.id}"]
    for name in proposal.changed:
        counts = proposal.part(name).counts
        good, bad = (counts.get(key, 0.0) for key in ("successes", "failures"))
        if good or bad:
            whose = f"{name} " if proposal.parts else ""
            told = times(good, bad, ways=shows_ways(proposal, name))
            trailers.append(f"Evidence: {whose}{told}")
    for name, start in starts.items():
        whose = f"{name} " if proposal.parts else ""
        trailers.append(f"Starts-from: {whose}Beta({start.alpha:.6g}, {start.beta:.6g})")
    for name, replay in (("Replay", proposal.replay), ("Played", proposal.live)):
        if replay is not None:
            trailers.append(f"{name}: {replay.tally}")
    if proposal.status == "accepted" and proposal.by == AUTOMATIC:
        trailers.append(f"Accepted: {AUTOMATIC}")
    if proposal.status == "accepted" and proposal.by.endswith(">"):
        trailers.append(f"Reviewed-by: {proposal.by}")
    if proposal.edited.endswith(">"):
        trailers.append(f"Co-authored-by: {proposal.edited}")
    return "\n".join([proposal.title, "", *words, "", *trailers]) + "\n"


def _wrapped(paragraphs: Iterable[str]) -> Iterator[str]:
    """Yield paragraphs in lines; what is indented is a line already."""
    for paragraph in paragraphs:
        indented = paragraph.startswith(" ")
        yield from [paragraph] if indented else textwrap.wrap(paragraph, _LINE_WIDTH) or [""]
