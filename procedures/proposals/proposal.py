"""A proposal: a change of the library that waits for a person, or for a rule of theirs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..common.clock import now
from ..documents.plain_data import behaviour, frozen, number, reading, thaw
from ..model.procedure_parts import Evidence

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

LEARNED = ("new", "meta", "refine")
"""Kinds of change that learning makes of what is carried out."""
AUTOMATIC = "auto"
"""Who decided where nobody did: the policy ``auto``."""

_ID_LENGTH = 80
"""Most characters of an id, which is the name of a file and of a branch."""
_ID_DIGEST_LENGTH = 6
"""Characters of the digest in an id: enough to tell proposals of one name apart."""
_NAME_LENGTH = 200
"""Most characters of the name of who edited a proposal."""
LONGEST_RATIONALE = 20_000
"""Most characters of a rationale, as the schema has it."""
_MOST_NAMED = 3
"""Most files that a title names."""


def document_key(document: Document) -> tuple[str, str]:
    """Return (kind, id), by which a document is found in a library."""
    return document["kind"], document.get("id", document.get("of", ""))


@dataclass(frozen=True, slots=True)
class Target:
    """The document that is changed: its id, and its version if it exists."""

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
        episodes: Names of the stored episodes, those that do not count included: digests of what
            happened in them, so that the same ones can be replayed again, each as often as it is
            named.
    """

    wins: int
    losses: int
    ties: int
    ci: tuple[float, float]
    tasks: str = ""
    outdated: tuple[int, int, int] | None = None
    episodes: tuple[str, ...] = ()

    @property
    def trials(self) -> int:
        """All episodes."""
        return self.wins + self.losses + self.ties

    @property
    def gain(self) -> float:
        """(wins - losses) / episodes, in [-1, 1]; 0 where there are none."""
        return (self.wins - self.losses) / self.trials if self.trials else 0.0

    @property
    def tally(self) -> str:
        """How many episodes favour which, in words."""
        return f"{self.wins} better, {self.losses} worse, {self.ties} alike"

    @property
    def verdict(self) -> str:
        """The verdict of the interval, in words."""
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
            outdated and tuple(outdated),
            tuple(document.get("episodes", ())),
        )

    def to_document(self) -> dict[str, Any]:
        """Write it."""
        plain: dict[str, Any] = {key: getattr(self, key) for key in ("wins", "losses", "ties")}
        plain["ci"] = [number(round(end, 6)) for end in self.ci]
        return plain | _nonempty_fields(self, ("tasks", "outdated", "episodes"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The reasons for the change of one file: of a whole proposal, or of one of its files.

    Attributes:
        id: Of the file.
        rationale: Why, for people.
        counts: Numbers behind it; ``successes`` and ``failures`` are trials of the new version.
        eu_before: Expected utility of the old version, by all of its evidence; of a variant that of
            what it is a variant of, with things of every kind.
        eu_after: Expected utility of the new version, where there was a contrast by the executions
            that were as it makes all of them.
        replay: What the stored episodes say.
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
        fields = {key: getattr(proposal, key) for key in ("rationale", *_NUMBERS)}
        return cls(id=proposal.target.id, **fields)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Part:
        """Read one that fits its schema."""
        return cls(**_field_values(document, ("id", "rationale"), _NUMBERS))

    def to_document(self) -> dict[str, Any]:
        """Write it; keys stand in a fixed order."""
        return {"id": self.id, "rationale": self.rationale, **_nonempty_fields(self, _NUMBERS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal(Part):
    """One proposed change, as ``proposal.schema.json`` has it; its id is a slug of its own.

    Attributes:
        target: What is changed.
        change: One of :data:`CHANGES`.
        created: When, ISO 8601.
        status: pending, accepted or rejected.
        old: Documents as they were when it was made.
        new: Documents as they should be; one of ``old`` that is not here goes.
        parts: Of a change of several files for one cause: what speaks for each.
        contrast: Episodes that were contrasted.
        live: What playing tasks under both versions says.
        evidence_key: Digest of the evidence it rests on.
        run: Run of the ledger that holds what was counted while learning it.
        requires: Proposals to accept first.
        edited: Who changed what it proposes; what was replayed before is dropped then.
        decided: When it was decided.
        by: Who decided.
        why: Why.
    """

    target: Target
    change: str
    created: str
    status: str = "pending"
    old: tuple[Document, ...] = ()
    new: tuple[Document, ...] = ()
    parts: tuple[Part, ...] = ()
    contrast: Contrast | None = None
    live: Replay | None = None
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

    def part(self, name: str) -> Part:
        """Return what speaks for the change of one file: a part, or where there are none all."""
        return next((part for part in self.parts if part.id == name), self)

    def saying(self, name: str, **changes: Any) -> Proposal:
        """Return it with other fields of the part for one file."""
        if not self.parts:
            return replace(self, **changes)
        parts = (replace(part, **changes) if part.id == name else part for part in self.parts)
        return replace(self, parts=tuple(parts))

    def without(self, name: str) -> Proposal | None:
        """Return it without the change of one file; None where it changes no other file.

        The replay is of all files together, so it is left out.
        """
        rest = tuple(part for part in self.parts if part.id != name)
        if not rest:
            return None
        old, new = ([d for d in side if d.get("id") != name] for side in (self.old, self.new))
        source = self if len(rest) > 1 else rest[0]
        numbers = {key: getattr(source, key) for key in _NUMBERS}
        if source is self:
            numbers = {"counts": self.counts, "parts": rest}
        return make_proposal(
            self.change, source.rationale, target=rest[0].id, old=old, new=new,
            created=self.created,
            contrast=self.contrast, run=self.run, requires=self.requires, **numbers,
        )  # fmt: skip

    def needing(self, names: Iterable[str]) -> Proposal:
        """Return it with other proposals to accept first."""
        requires = tuple(dict.fromkeys(names))
        return self if requires == self.requires else replace(self, requires=requires)

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
            edited=who[:_NAME_LENGTH] or "somebody",
            replay=None,
            live=None,
            eu_after=None,
        )

    @property
    def effect(self) -> list[Any]:
        """What each file of it is to do, whatever the evidence."""
        return [[*document_key(d), d.get("status"), behaviour(d)] for d in self.new]

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
    def headline(self) -> str:
        """The change in words, without versions."""
        text = CHANGES[self.change].format(listed(self.changed))
        if self.change == "variant" and (base := self.base):
            text += f" of {base}"
        return text

    @property
    def title(self) -> str:
        """The change in words, in one line."""
        text = f"Remove {self.target.id}" if self.removes else self.headline
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
            return cls(**_field_values(document, _REQUIRED_KEYS, _OPTIONAL_KEYS))

    def to_document(self) -> dict[str, Any]:
        """Write the proposal; keys stand in a fixed order."""
        always = {key: _plain(getattr(self, key)) for key in _REQUIRED_KEYS}
        return {"kind": "proposal", **always, **_nonempty_fields(self, _OPTIONAL_KEYS)}


_NUMBERS = ("counts", "eu_before", "eu_after", "replay", "inherited_evidence")
"""Keys of what speaks for a change besides its rationale."""
_REQUIRED_KEYS = ("id", "target", "change", "status", "created", "rationale")
_OPTIONAL_KEYS = (
    *("edited", "decided", "by", "why", "requires", "contrast"),
    *(*_NUMBERS, "live", "parts", "evidence_key", "run", "old", "new"),
)
"""Keys of a proposal that are written where it says something there, in their order."""
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "target": lambda target: Target(**target),
    "contrast": lambda found: Contrast(tuple(found["successes"]), tuple(found["failures"])),
    "replay": Replay.from_document,
    "live": Replay.from_document,
    "inherited_evidence": Evidence.from_document,
    "parts": lambda parts: tuple(map(Part.from_document, parts)),
    **dict.fromkeys(("requires", "old", "new"), tuple),
}


def _field_values(
    document: Mapping[str, Any], always: Iterable[str], more: Iterable[str]
) -> dict[str, Any]:
    """Return the values of a document's keys; those in ``always`` have to be there."""
    keys = (*always, *(key for key in more if key in document))
    return {key: _READERS.get(key, lambda value: value)(document[key]) for key in keys}


def _nonempty_fields(owner: object, keys: Iterable[str]) -> dict[str, Any]:
    """Return the fields of an object that are not empty, as plain data."""
    values = {key: getattr(owner, key) for key in keys}
    nonempty = {key: value for key, value in values.items() if value not in (None, "", (), {})}
    if "counts" in nonempty:
        nonempty["counts"] = {name: number(value) for name, value in nonempty["counts"].items()}
    return {key: _plain(value) for key, value in nonempty.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Target | Contrast | Replay | Part | Evidence):
        return value.to_document()
    return [_plain(each) for each in value] if isinstance(value, tuple) else thaw(value)


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


def listed(names: Sequence[str]) -> str:
    """Return names for a title."""
    if len(names) == 1:
        return names[0]
    leading = names if len(names) <= _MOST_NAMED else names[: _MOST_NAMED - 1]
    rest = len(names) - len(leading)
    last = f"{rest} more" if rest else leading[-1]
    return f"{', '.join(leading if rest else leading[:-1])} and {last}"


def digest(value: Any) -> str:
    """Return a short digest of plain data."""
    text = json.dumps(thaw(value), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _identifier(proposal: Proposal) -> str:
    """Name a proposal by what it changes, how, and on what evidence."""
    mark = digest([proposal.effect, proposal.evidence_key])[:_ID_DIGEST_LENGTH]
    name = proposal.name.replace("/", "-")
    head, _, version = name.rpartition("-v")
    room = _ID_LENGTH - len(version) - len(mark) - 3
    return f"{head[:room].rstrip('.')}-v{version}-{mark}".replace("..", ".")
