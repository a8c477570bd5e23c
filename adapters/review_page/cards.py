"""The contents of the page for one proposal, as values that a template only prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...procedures.checks.instructing import instructing_document
from ...procedures.common.errors import LibraryError
from ...procedures.diff import DocumentDiff, diff_documents, in_words
from ...procedures.documents.plain_data import thaw
from ...procedures.documents.yaml_dump import dump_yaml
from ...procedures.evidence.ledger import CountKey
from ...procedures.evidence.posterior import probability_better
from ...procedures.model.procedure import Ontology
from ...procedures.model.procedure_parts import Evidence
from ...procedures.proposals.proposal import Document, Proposal, document_key
from ...procedures.proposals.proposal_documents import item_of
from ...procedures.proposals.proposal_words import said, shows_ways
from .side_by_side import Row, rows_of


@dataclass(frozen=True, slots=True)
class Change:
    """One document before and after.

    Attributes:
        diff: The semantic diff, or None where a document cannot be read.
        rows: The diff of the texts, side by side.
        name: Kind and id.
        problem: Why there is no semantic diff.
    """

    diff: DocumentDiff | None
    rows: tuple[Row, ...]
    name: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """One proposal.

    Attributes:
        proposal: The proposal.
        version: Versions before and after, such as ``3 → 4``; empty if unknown.
        rationale: Why; of several files each by itself, with its own numbers.
        changes: Documents before and after.
        counts: Numbers behind it, by name; of what was learned they count demonstrations.
        before: Evidence of the old version, or None.
        after: Evidence that the new version starts with, or None.
        stale: What has changed in the library since; empty if nothing.
        warnings: Texts in it that try to instruct a model.
        lacks: What it needs that is nowhere; empty if nothing.
    """

    proposal: Proposal
    version: str
    rationale: str
    changes: tuple[Change, ...]
    counts: Mapping[str, float]
    before: Evidence | None
    after: Evidence | None
    stale: str
    warnings: tuple[str, ...]
    lacks: str = ""

    @property
    def better(self) -> float | None:
        """Probability that the new rate is higher than the old, or None."""
        if self.before is None or self.after is None:
            return None
        return probability_better(
            self.after.alpha, self.after.beta, self.before.alpha, self.before.beta
        )

    @property
    def searched(self) -> str:
        """The text that the filter looks in."""
        names = " ".join(change.name for change in self.changes)
        text = f"{self.proposal.id} {self.proposal.change} {self.proposal.headline}"
        return f"{text} {names} {self.rationale}".casefold()


def make_card(
    proposal: Proposal,
    current: Mapping[str, int] | None = None,
    counts: Mapping[CountKey, tuple[float, float]] | None = None,
    words: Ontology | None = None,
    lacks: str = "",
) -> Card:
    """Return what the page shows of a proposal.

    Args:
        proposal: What is proposed.
        current: Versions in the library by id, to tell what is outdated; None: not known.
        counts: Evidence of the library, as :meth:`Ledger.counts` has it.
        words: Tell the kinds of types.
        lacks: What it needs that is neither in the library nor waits.
    """
    ontology = words or Ontology()
    old, new = ({document_key(d): d for d in side} for side in (proposal.old, proposal.new))
    several = bool(proposal.parts)
    return Card(
        proposal,
        version=_versions(proposal),
        rationale="\n".join(said(proposal)),
        changes=tuple(_change(key, old.get(key), new.get(key), ontology) for key in {**old, **new}),
        counts=_counts(proposal),
        before=None if several else _before(proposal, counts or {}),
        after=proposal.inherited_evidence or _snapshot(_target(proposal, proposal.new)),
        stale=_stale(proposal, current),
        warnings=tuple(
            f"{'.'.join(map(str, path))}: {message}"
            for path, message in instructing_document(proposal.to_document())
        ),
        lacks=lacks,
    )


def _counts(proposal: Proposal) -> dict[str, float]:
    counts = dict(proposal.counts)
    if proposal.run:
        ways = shows_ways(proposal, proposal.target.id)
        words = ("went this way", "went another") if ways else ("worked", "failed")
        for name, word in zip(("successes", "failures"), words, strict=True):
            if name in counts:
                counts[f"demonstrations that {word}"] = counts.pop(name)
    return counts


def _change(
    key: tuple[str, str], old: Document | None, new: Document | None, words: Ontology
) -> Change:
    name = " ".join(key).strip()
    rows = rows_of(*("" if side is None else dump_yaml(thaw(side)) for side in (old, new)))
    try:
        items = (None if side is None else item_of(side) for side in (old, new))
        return Change(diff_documents(*(in_words(item, words) for item in items)), rows, name)
    except LibraryError as error:
        return Change(None, rows, name, str(error))


def _target(proposal: Proposal, documents: Sequence[Document]) -> Document:
    """Return the document that a proposal is about; an empty one where it is not there."""
    return next((d for d in documents if d.get("id", "") == proposal.target.id), {})


def _versions(proposal: Proposal) -> str:
    before = proposal.target.version or _target(proposal, proposal.old).get("version", "")
    after = _target(proposal, proposal.new).get("version", "")
    if before and after and before != after:
        return f"{before} → {after}"
    return str(after or before)


def _before(proposal: Proposal, counts: Mapping[CountKey, tuple[float, float]]) -> Evidence | None:
    """Return the evidence of what is replaced: the ledger's, else the snapshot in its file."""
    old = _target(proposal, proposal.old)
    if not old:
        return None
    good, bad = counts.get((*document_key(old), old["version"], ""), (0.0, 0.0))
    return Evidence(1.0 + good, 1.0 + bad) if good + bad > 0 else _snapshot(old)


def _snapshot(document: Document) -> Evidence | None:
    noted = document.get("evidence")
    return None if noted is None else Evidence.from_document(noted)


def _stale(proposal: Proposal, current: Mapping[str, int] | None) -> str:
    name, version = proposal.target.id, proposal.target.version
    if current is None or version is None or name == "ontology":
        return ""
    current_version = current.get(name)
    if current_version is None:
        return f"{name} is no longer in the library."
    if current_version != version:
        return f"This was made for version {version}; the library has version {current_version}."
    return ""
