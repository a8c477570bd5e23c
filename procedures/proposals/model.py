"""A proposal: a change of the library that waits for a person, or for a rule of theirs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..clock import now
from ..model_documents import behaviour, frozen, number, reading, thaw
from ..model_parts import Evidence

__all__ = [
    "AUTOMATIC",
    "CHANGES",
    "Contrast",
    "Document",
    "Part",
    "Proposal",
    "Replay",
    "Target",
    "document_key",
    "listed",
    "make_proposal",
]

Document = Mapping[str, Any]
"""A plain document: of a procedure, plan or program, of the ontology, or of types."""

CHANGES: Mapping[str, str] = {
    "ontology": "Change the {}",
    "new": "Add {}",
    "refine": "Refine {}",
    "variant": "Add {}, a variant",
    "split": "Split {}",
    "merge": "Merge into {}",
    "rollback": "Roll back {}",
    "meta": "Add plan {}",
    "status": "Change the status of {}",
    "retire": "Retire {}",
}
"""Kinds of change and their titles, in the order in which they are accepted."""

AUTOMATIC = "auto"
"""Who decided where nobody did: the policy ``auto``."""

_SLUG = 80
_DIGEST = 6
_WHO = 200
_NAMED = 3
"""Most files that a title names."""


def document_key(document: Document) -> tuple[str, str]:
    """Return (kind, id), by which a document is found in a library."""
    return document["kind"], document.get("id", document.get("of", ""))


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be changed: the id, and its version if it exists."""

    id: str
    version: int | None = None

    def to_document(self) -> dict[str, Any]:
        """Write it."""
        return {"id": self.id} | ({} if self.version is None else {"version": self.version})


@dataclass(frozen=True, slots=True)
class Contrast:
    """The episodes that were contrasted, by run id."""

    successes: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """Write it."""
        return {"successes": list(self.successes), "failures": list(self.failures)}


@dataclass(frozen=True, slots=True)
class Replay:
    """Episodes under the old and the new version: stored ones, or tasks that both played.

    Attributes:
        wins: Episodes that favour the new one.
        losses: Episodes that favour the old one.
        ties: Episodes that favour neither.
        ci: 95 % interval of the difference, each end in [-1, 1].
        tasks: Which tasks were played, for people; empty for stored episodes.
        outdated: Favouring the new one, the old one and neither: demonstrations that do not count,
            since what was played after them credibly says otherwise.
    """

    wins: int
    losses: int
    ties: int
    ci: tuple[float, float]
    tasks: str = ""
    outdated: tuple[int, int, int] | None = None

    @property
    def trials(self) -> int:
        """All episodes."""
        return self.wins + self.losses + self.ties

    @property
    def gain(self) -> float:
        """(wins - losses) / episodes, in [-1, 1]; 0 where there are none."""
        return (self.wins - self.losses) / self.trials if self.trials else 0.0

    @property
    def verdict(self) -> str:
        """What the interval says, in words."""
        if not self.trials:
            return "no episode was replayed"
        if self.ci[0] > 0:
            return "credibly better"
        if self.ci[1] < 0:
            return "credibly worse"
        return "no credible difference"

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Replay:
        """Read one that fits its schema."""
        low, high = document["ci"]
        numbers = document["wins"], document["losses"], document["ties"]
        outdated = document.get("outdated")
        return cls(
            *numbers,
            (low, high),
            document.get("tasks", ""),
            None if outdated is None else tuple(outdated),
        )

    def to_document(self) -> dict[str, Any]:
        """Write it."""
        ends = [number(round(end, 6)) for end in self.ci]
        plain: dict[str, Any] = {
            "wins": self.wins,
            "losses": self.losses,
            "ties": self.ties,
            "ci": ends,
        }
        if self.tasks:
            plain["tasks"] = self.tasks
        if self.outdated is not None:
            plain["outdated"] = list(self.outdated)
        return plain


@dataclass(frozen=True, slots=True)
class Part:
    """What speaks for one of several files that a proposal changes for one cause.

    Attributes:
        id: Its id.
        rationale: Why, for people.
        counts: Numbers behind it, as a proposal has them.
        eu_before: Expected utility of the old version, by all of its evidence.
        eu_after: That of the new one.
        replay: What the stored episodes say of it alone.
        inherited_evidence: Posterior that the new version starts from.
    """

    id: str
    rationale: str
    counts: Mapping[str, float] = field(default_factory=dict, hash=False)
    eu_before: float | None = None
    eu_after: float | None = None
    replay: Replay | None = None
    inherited_evidence: Evidence | None = None

    def __post_init__(self) -> None:
        frozen(self, "counts")

    @classmethod
    def of(cls, proposal: Proposal) -> Part:
        """Return what a proposal of one file says."""
        return cls(
            proposal.target.id,
            proposal.rationale,
            proposal.counts,
            proposal.eu_before,
            proposal.eu_after,
            proposal.replay,
            proposal.inherited_evidence,
        )

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Part:
        """Read one that fits its schema."""
        replay, inherited = document.get("replay"), document.get("inherited_evidence")
        return cls(
            id=document["id"],
            rationale=document["rationale"],
            counts=document.get("counts", {}),
            eu_before=document.get("eu_before"),
            eu_after=document.get("eu_after"),
            replay=replay and Replay.from_document(replay),
            inherited_evidence=inherited and Evidence.from_document(inherited),
        )

    def to_document(self) -> dict[str, Any]:
        """Write it; keys stand in a fixed order."""
        return {"id": self.id, "rationale": self.rationale, **_numbers(self)}


@dataclass(frozen=True, slots=True)
class Proposal:
    """One proposed change, as ``proposal.schema.json`` has it.

    Attributes:
        id: Its slug.
        target: What is changed.
        change: One of :data:`CHANGES`.
        rationale: Why, for people.
        created: When, ISO 8601.
        status: pending, accepted or rejected.
        old: Documents as they were when it was made.
        new: Documents as they should be; one of ``old`` that is not here goes.
        parts: Of a change of several files for one cause: what speaks for each.
        contrast: Episodes that were contrasted.
        counts: Numbers behind it; ``successes`` and ``failures`` are trials of the new version.
        eu_before: Expected utility of the old version, by all of its evidence; of a variant that of
            what it is a variant of, with things of every kind.
        eu_after: Expected utility of the new version, where there was a contrast by the executions
            that were as it makes all of them.
        replay: What the stored episodes say.
        live: What playing tasks under both versions says.
        inherited_evidence: Posterior that the new version starts from.
        evidence_key: Digest of the evidence it rests on.
        run: Run of the ledger that holds what was counted while learning it.
        requires: Proposals to accept first.
        edited: Who changed what it proposes; what was replayed before is dropped then.
        decided: When it was decided.
        by: Who decided.
        why: Why.
    """

    id: str
    target: Target
    change: str
    rationale: str
    created: str
    status: str = "pending"
    old: tuple[Document, ...] = ()
    new: tuple[Document, ...] = ()
    parts: tuple[Part, ...] = ()
    contrast: Contrast | None = None
    counts: Mapping[str, float] = field(default_factory=dict, hash=False)
    eu_before: float | None = None
    eu_after: float | None = None
    replay: Replay | None = None
    live: Replay | None = None
    inherited_evidence: Evidence | None = None
    evidence_key: str = ""
    run: str = ""
    requires: tuple[str, ...] = ()
    edited: str = ""
    decided: str = ""
    by: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        frozen(self, "old", "new", "counts")

    @property
    def changed(self) -> tuple[str, ...]:
        """Ids of what it is about."""
        return tuple(part.id for part in self.parts) or (self.target.id,)

    @property
    def versions(self) -> frozenset[tuple[str, str, int]]:
        """(kind of change, id, version) of all that it makes."""
        new = ((d.get("id", "ontology"), int(d.get("version", 0))) for d in self.new)
        return frozenset((self.change, *each) for each in new if each[0] in self.changed)

    def part(self, name: str) -> Proposal | Part:
        """Return what speaks for the change of one file: a part, or where there are none all."""
        return next((part for part in self.parts if part.id == name), self)

    def saying(self, name: str, rationale: str) -> Proposal:
        """Return it with another rationale for the change of one file."""
        if not self.parts:
            return replace(self, rationale=rationale)
        told = (replace(p, rationale=rationale) if p.id == name else p for p in self.parts)
        return replace(self, parts=tuple(told))

    def without(self, name: str) -> Proposal | None:
        """Return it without the change of one file; None where it is about no other.

        What was replayed is of all files together, so that it is known of each alone then.
        """
        left = tuple(part for part in self.parts if part.id != name)
        if not left:
            return None
        old, new = ([d for d in side if d.get("id") != name] for side in (self.old, self.new))
        rest = {"contrast": self.contrast, "run": self.run, "requires": self.requires}
        if len(left) > 1:
            return make_proposal(
                self.change, self.rationale, target=left[0].id, old=old, new=new, parts=left,
                counts=self.counts, created=self.created, **rest,
            )  # fmt: skip
        (own,) = left
        numbers = {
            key: getattr(own, key)
            for key in ("counts", "eu_before", "eu_after", "replay", "inherited_evidence")
        }
        return make_proposal(
            self.change, own.rationale, target=own.id, old=old, new=new, created=self.created,
            **numbers, **rest,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """``<change>/<target>-v<n>``, n the version that there will be."""
        versions = [d["version"] for d in self.new if "version" in d] or [self.target.version or 1]
        return f"{self.change}/{self.target.id}-v{versions[0]}"

    def edited_by(self, who: str, new: Iterable[Document] | None = None) -> Proposal:
        """Return it as somebody changed it: what was replayed and expected is no longer known."""
        return replace(
            self,
            new=self.new if new is None else tuple(new),
            parts=tuple(replace(part, replay=None, eu_after=None) for part in self.parts),
            edited=who[:_WHO] or "somebody",
            replay=None,
            live=None,
            eu_after=None,
        )

    @property
    def base(self) -> str:
        """Id of what the target is a variant of, as its provenance says; empty if of nothing."""
        for document in self.new:
            if document.get("id") == self.target.id:
                parent = str(document.get("provenance", {}).get("parent", ""))
                return parent.partition("@")[0]
        return ""

    @property
    def removes(self) -> bool:
        """Whether the target itself goes, and nothing takes its place."""
        return self.change == "retire" and not self.new

    @property
    def title(self) -> str:
        """What it does, in one line."""
        text = CHANGES[self.change].format(listed(self.changed))
        if self.removes:
            text = f"Remove {self.target.id}"
        if self.change == "variant" and (base := self.base):
            text += f" of {base}"
        if self.change in ("refine", "rollback") and self.new and not self.parts:
            text += f" to version {self.new[0]['version']}"
        if self.change == "status" and self.new:
            text += f" to {self.new[0].get('status', 'provisional')}"
        return text

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Proposal:
        """Read a proposal that fits its schema.

        Raises:
            SchemaError: It has not the shape of one.
        """
        with reading("proposal"):
            contrast = document.get("contrast")
            replay, live = document.get("replay"), document.get("live")
            inherited = document.get("inherited_evidence")
            return cls(
                id=document["id"],
                target=Target(**document["target"]),
                change=document["change"],
                rationale=document["rationale"],
                created=document["created"],
                status=document["status"],
                old=tuple(document.get("old", ())),
                new=tuple(document.get("new", ())),
                parts=tuple(map(Part.from_document, document.get("parts", ()))),
                contrast=contrast
                and Contrast(tuple(contrast["successes"]), tuple(contrast["failures"])),
                counts=document.get("counts", {}),
                eu_before=document.get("eu_before"),
                eu_after=document.get("eu_after"),
                replay=replay and Replay.from_document(replay),
                live=live and Replay.from_document(live),
                inherited_evidence=inherited and Evidence.from_document(inherited),
                evidence_key=document.get("evidence_key", ""),
                run=document.get("run", ""),
                requires=tuple(document.get("requires", ())),
                edited=document.get("edited", ""),
                decided=document.get("decided", ""),
                by=document.get("by", ""),
                why=document.get("why", ""),
            )

    def to_document(self) -> dict[str, Any]:
        """Write the proposal; keys stand in a fixed order."""
        document: dict[str, Any] = {
            "kind": "proposal",
            "id": self.id,
            "target": self.target.to_document(),
            "change": self.change,
            "status": self.status,
            "created": self.created,
            "rationale": self.rationale,
        }
        for key in ("edited", "decided", "by", "why"):
            if getattr(self, key):
                document[key] = getattr(self, key)
        if self.requires:
            document["requires"] = list(self.requires)
        if self.contrast is not None:
            document["contrast"] = self.contrast.to_document()
        numbers = _numbers(self)
        if self.live is not None:
            numbers["live"] = self.live.to_document()
        document |= numbers
        if self.parts:
            document["parts"] = [part.to_document() for part in self.parts]
        for key in ("evidence_key", "run"):
            if getattr(self, key):
                document[key] = getattr(self, key)
        for key in ("old", "new"):
            if getattr(self, key):
                document[key] = thaw(getattr(self, key))
        return document


def make_proposal(
    change: str,
    rationale: str,
    *,
    target: str,
    old: Iterable[Document] = (),
    new: Iterable[Document] = (),
    created: str = "",
    **more: Any,
) -> Proposal:
    """Return a pending proposal with its id, and with a key of its evidence if none is given.

    Args:
        change: What kind of change.
        rationale: Why, for people.
        target: Id of what is changed; ``ontology`` for the ontology.
        old: Documents as they are.
        new: Documents as they should be.
        created: When; now by default.
        more: Other fields of :class:`Proposal`.
    """
    old, new = tuple(old), tuple(new)
    versions = {d.get("id", "ontology"): d["version"] for d in old if "version" in d}
    version = versions.get(target)
    draft = Proposal(
        id="draft",
        target=Target(target, version),
        change=change,
        rationale=rationale,
        created=created or now(),
        old=old,
        new=new,
        **more,
    )
    if not draft.evidence_key:
        contrast = draft.contrast.to_document() if draft.contrast else {}
        parts = [[part.id, sorted(part.counts.items())] for part in draft.parts]
        counts = {name: float(value) for name, value in sorted(draft.counts.items())}
        rests_on = [contrast, counts, parts] if parts else [contrast, counts]
        draft = replace(draft, evidence_key=digest(rests_on))
    return replace(draft, id=_identifier(draft))


def _numbers(of: Proposal | Part) -> dict[str, Any]:
    """Write what speaks for a change, or for a part of one."""
    document: dict[str, Any] = {}
    if of.counts:
        document["counts"] = {name: number(value) for name, value in of.counts.items()}
    for key in ("eu_before", "eu_after"):
        if getattr(of, key) is not None:
            document[key] = getattr(of, key)
    if of.replay is not None:
        document["replay"] = of.replay.to_document()
    if of.inherited_evidence is not None:
        document["inherited_evidence"] = of.inherited_evidence.to_document()
    return document


def listed(names: Sequence[str]) -> str:
    """Return names for a title."""
    if len(names) == 1:
        return names[0]
    named = names if len(names) <= _NAMED else names[: _NAMED - 1]
    rest = len(names) - len(named)
    last = f"{rest} more" if rest else named[-1]
    return f"{', '.join(named if rest else named[:-1])} and {last}"


def digest(value: Any) -> str:
    """Return a short digest of plain data."""
    text = json.dumps(thaw(value), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _identifier(proposal: Proposal) -> str:
    """Name a proposal by what it changes, how, and on what evidence."""
    new = [[*document_key(d), d.get("status"), behaviour(d)] for d in proposal.new]
    mark = digest([new, proposal.evidence_key])[:_DIGEST]
    name = proposal.name.replace("/", "-")
    head, _, version = name.rpartition("-v")
    room = _SLUG - len(version) - len(mark) - 3
    return f"{head[:room].rstrip('.')}-v{version}-{mark}".replace("..", ".")
