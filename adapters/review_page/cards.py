"""What the page shows of one proposal, as values that a template only has to print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ...procedures.checks.instructing import instructions_in, texts_in
from ...procedures.diff import DocumentDiff, diff_documents, in_words
from ...procedures.errors import LibraryError
from ...procedures.model import Ontology
from ...procedures.posterior import credible_interval, posterior_mean, probability_better
from ...procedures.proposals.documents import Item, item_of
from ...procedures.proposals.model import CHANGES, Proposal, Replay, listed
from ...procedures.proposals.render import said
from ...procedures.yaml_dump import dump_yaml
from .side_by_side import Row, rows_of

__all__ = ["Card", "Change", "Evidence", "make_card"]

Plain: TypeAlias = Mapping[str, Any]
Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """A posterior Beta(alpha, beta) of a success rate, as the page shows it.

    Attributes:
        alpha: Pseudo-count of successes, prior included, > 0.
        beta: Pseudo-count of failures, prior included, > 0.
    """

    alpha: float
    beta: float

    @property
    def mean(self) -> float:
        """Mean of the rate, in (0, 1)."""
        return posterior_mean(self.alpha, self.beta)

    @property
    def interval(self) -> tuple[float, float]:
        """Central 95 % credible interval of the rate."""
        return credible_interval(self.alpha, self.beta)


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
        id: Its slug.
        change: Kind of change.
        title: What it does, in a line.
        version: Versions before and after, such as ``3 → 4``; empty if unknown.
        status: pending, accepted or rejected.
        created: When.
        rationale: Why.
        changes: Documents before and after.
        successes: Runs that worked, which were contrasted.
        failures: Runs that failed.
        counts: Numbers behind it, by name.
        utility: Expected utility before and after, each or None.
        replay: Stored episodes replayed, or None.
        live: Tasks played under both versions, or None.
        edited: Who changed it since it was made; empty if nobody.
        before: Evidence of the old version, or None.
        after: Evidence that the new version starts with, or None.
        requires: Proposals to accept before this one.
        stale: What has changed in the library since; empty if nothing.
        warnings: Texts in it that try to instruct a model.
    """

    id: str
    change: str
    title: str
    version: str
    status: str
    created: str
    rationale: str
    changes: tuple[Change, ...]
    successes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    counts: Mapping[str, float] | None = None
    utility: tuple[float | None, float | None] = (None, None)
    replay: Replay | None = None
    live: Replay | None = None
    edited: str = ""
    before: Evidence | None = None
    after: Evidence | None = None
    requires: tuple[str, ...] = ()
    stale: str = ""
    warnings: tuple[str, ...] = ()

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
        return f"{self.id} {self.change} {self.title} {names} {self.rationale}".casefold()


def make_card(
    proposal: Plain,
    current: Mapping[str, int] | None = None,
    counts: Mapping[tuple[str, str, int, str], tuple[float, float]] | None = None,
    words: Ontology | None = None,
) -> Card:
    """Return what the page shows of a proposal.

    Args:
        proposal: A document that fits ``proposal.schema.json``.
        current: Versions in the library by id, to tell what is outdated; None: not known.
        counts: Evidence of the library, as :meth:`Ledger.counts` has it.
        words: Tell the kinds of types.
    """
    known = words or Ontology()
    target = proposal["target"]
    old, new = (_by_key(proposal.get(side, ())) for side in ("old", "new"))
    changes = tuple(
        _change(key, old.get(key), new.get(key), known) for key in dict.fromkeys((*old, *new))
    )
    contrast = proposal.get("contrast", {})
    return Card(
        id=proposal["id"],
        change=proposal["change"],
        title=_title(proposal),
        version=_versions(target, old, new),
        status=proposal["status"],
        created=proposal["created"],
        rationale=_rationale(proposal),
        changes=changes,
        successes=tuple(contrast.get("successes", ())),
        failures=tuple(contrast.get("failures", ())),
        counts=_counts(proposal),
        utility=(proposal.get("eu_before"), proposal.get("eu_after")),
        replay=_replay(proposal.get("replay")),
        live=_replay(proposal.get("live")),
        edited=proposal.get("edited", ""),
        before=None if proposal.get("parts") else _before(target, old, counts or {}),
        after=_after(proposal, new),
        requires=tuple(proposal.get("requires", ())),
        stale=_stale(proposal, current),
        warnings=tuple(_warnings(proposal)),
    )


def _title(proposal: Plain) -> str:
    names = [part["id"] for part in proposal.get("parts", ())] or [proposal["target"]["id"]]
    text = CHANGES.get(proposal["change"], "Change {}").format(listed(names))
    if proposal["change"] == "variant" and (base := Proposal.from_document(proposal).base):
        text += f" of {base}"
    return text


def _rationale(proposal: Plain) -> str:
    """Return why it is proposed; of several files each by itself, with its own numbers."""
    if not proposal.get("parts"):
        return str(proposal["rationale"])
    return "\n".join(said(Proposal.from_document(proposal)))


def _counts(proposal: Plain) -> dict[str, float]:
    """Return the numbers behind a proposal; of what was learned they count demonstrations."""
    counts: dict[str, float] = dict(proposal.get("counts", {}))
    if proposal.get("run"):
        for name, told in (("successes", "worked"), ("failures", "failed")):
            if name in counts:
                counts[f"demonstrations that {told}"] = counts.pop(name)
    return counts


def _warnings(proposal: Plain) -> Iterator[str]:
    """Say where a text tries to instruct a model; what is replaced does not matter any more."""
    looked_at = {key: value for key, value in proposal.items() if key != "old"}
    for path, text in texts_in(looked_at):
        for what, words in instructions_in(text):
            where = ".".join(str(key) for key in path)
            yield f"A text ({where}) {what}: {words}"


def _by_key(documents: Sequence[Plain]) -> dict[Key, Plain]:
    return {(document["kind"], document.get("id", "")): document for document in documents}


def _change(key: Key, old: Plain | None, new: Plain | None, words: Ontology) -> Change:
    name = " ".join(key).strip()
    rows = rows_of(_text(old), _text(new))
    try:
        before, after = (in_words(_read(side), words) for side in (old, new))
        return Change(diff_documents(before, after), rows, name)
    except LibraryError as error:
        return Change(None, rows, name, str(error))


def _read(document: Plain | None) -> Item | None:
    return None if document is None else item_of(document)


def _text(document: Plain | None) -> str:
    return "" if document is None else dump_yaml(document)


def _versions(target: Plain, old: Mapping[Key, Plain], new: Mapping[Key, Plain]) -> str:
    def of(documents: Mapping[Key, Plain]) -> Any:
        return next(
            (d["version"] for (_, name), d in documents.items() if name == target["id"]), ""
        )

    before, after = target.get("version") or of(old), of(new)
    if before and after and before != after:
        return f"{before} → {after}"
    return str(after or before)


def _replay(document: Plain | None) -> Replay | None:
    return None if document is None else Replay.from_document(document)


def _before(
    target: Plain, old: Mapping[Key, Plain], counts: Mapping[Any, tuple[float, float]]
) -> Evidence | None:
    """Return the evidence of what is replaced: the ledger's, else the snapshot in its file."""
    for (kind, name), document in old.items():
        if name == target["id"]:
            successes, failures = counts.get((kind, name, document["version"], ""), (0.0, 0.0))
            if successes + failures > 0:
                return Evidence(1.0 + successes, 1.0 + failures)
            return _evidence(document.get("evidence"))
    return None


def _after(proposal: Plain, new: Mapping[Key, Plain]) -> Evidence | None:
    found = _evidence(proposal.get("inherited_evidence"))
    if found is None:
        name = proposal["target"]["id"]
        snapshots = (d.get("evidence") for (_, other), d in new.items() if other == name)
        found = _evidence(next(snapshots, None))
    return found


def _evidence(document: Plain | None) -> Evidence | None:
    if document is None:
        return None
    return Evidence(float(document["alpha"]), float(document["beta"]))


def _stale(proposal: Plain, current: Mapping[str, int] | None) -> str:
    target = proposal["target"]
    version = target.get("version")
    if current is None or version is None or target["id"] == "ontology":
        return ""
    here = current.get(target["id"])
    if here is None:
        return f"{target['id']} is no longer in the library."
    if here != version:
        return f"This was made for version {version}; the library has version {here}."
    return ""
