"""Learn procedures from episodes of tool calls, one after the other, into a library."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..clock import now
from ..learning.abstraction import slug
from ..learning.pruning import surplus
from ..ledger import Ledger, Outcome, OutcomeKind
from ..library import Library
from ..method import Method
from ..model import Procedure
from ..model_documents import behaves_alike, thaw
from ..proposals.model import Proposal
from .abstraction import REDACTED
from .buffer import EpisodeBuffer
from .dates import dates_in
from .episodes import ToolEpisode
from .execution import Execution, is_tool_procedure
from .groups import Group, Groups
from .refining import does_less, refinement_of, superseded_by
from .values import leaves, text_of

__all__ = ["SHOWN", "ToolLearner", "ToolLearnerSettings"]

SHOWN = "shown/"
"""Begins the run of evidence that comes from a demonstration."""
_MADE_BY = "tool calls"


@dataclass(frozen=True, slots=True)
class ToolLearnerSettings:
    """How much to keep and when to trust.

    Attributes:
        support: Demonstrations from which a procedure may act; before, it is a draft.
        buffer: Most episodes kept.
        procedures: Capacity for procedures; by default the library's own.
    """

    support: int = 2
    buffer: int = 1000
    procedures: int | None = None


class ToolLearner:
    """Takes episodes of tool calls and keeps the library's procedures up to date. Thread-safe.

    Args:
        library: Where procedures go.
        ledger: Where evidence goes.
        settings: How much to keep.

    Attributes:
        removed: Ids of what went for want of room.

    Raises:
        TrajectoryError: The episodes kept beside the library cannot be read.
    """

    def __init__(
        self, library: Library, ledger: Ledger, settings: ToolLearnerSettings | None = None
    ) -> None:
        self._library = library
        self._ledger = ledger
        self._settings = settings or ToolLearnerSettings()
        self.removed: list[str] = []
        self._lock = threading.RLock()
        self._buffer = EpisodeBuffer(library.path, self._settings.buffer)
        self._groups = Groups(each for each in self._buffer.load() if not each.earlier)
        self._adopt()

    def add(self, episode: ToolEpisode, *, evidence: bool = True) -> list[str]:
        """Learn from one episode; one whose id was seen before counts once.

        Args:
            episode: What happened; without secrets.
            evidence: Whether it counts for its procedure. Not for a run in which that procedure
                acted itself: the outcome of that run is recorded already.

        Returns:
            Names of the files that changed.

        Raises:
            TrajectoryError: The episode cannot be kept.
            LibraryError: The library cannot be written; the episode is kept all the same.
        """
        return self.add_all([episode], evidence=evidence)

    def add_all(self, episodes: Iterable[ToolEpisode], *, evidence: bool = True) -> list[str]:
        """Learn from several episodes and write the library once; see :meth:`add`."""
        with self._lock:
            touched: dict[int, Group] = {}
            counted: list[tuple[Group, ToolEpisode]] = []
            rebuilt = False
            for episode in episodes:
                news, replaced = self._buffer.add(episode)
                if replaced:
                    self._groups = Groups()
                    touched.clear()
                    rebuilt = True
                for each in news:
                    if each.earlier:
                        continue  # a procedure knows nothing of what was said before
                    group = self._groups.add(each)
                    if group is not None:
                        touched[id(group)] = group
                        if evidence:
                            counted.append((group, each))
            if rebuilt:
                self._adopt()
            return self._write(list(touched.values()), counted) if touched else []

    def refinements(self) -> list[Proposal]:
        """Return what should change: procedures whose tasks were done another way since.

        The same demonstrations give the same proposals, so this may be asked again and again.
        """
        with self._lock:
            self._library.refresh()
            found: dict[str, Proposal] = {}
            for group in self._groups:
                if group.procedure.id in self._library.procedures:
                    continue
                for old in self._rivals(group):
                    standing = [g for g in self._groups if g.procedure.id == old.id]
                    if any(each.latest > group.latest for each in standing):
                        continue  # that way was shown later
                    made = refinement_of(old, group, self._ledger)
                    if made is not None:
                        found[old.id] = made
            return list(found.values())

    def refined(self, name: str) -> list[str]:
        """Take note that a refinement was written; returns the files that changed."""
        with self._lock:
            self._library.refresh()
            new = self._library.procedures.get(name)
            if new is None:
                return []
            for group in self._groups:
                mine = group.procedure
                if mine.id != name and _same_way(mine, new):
                    for other in self._groups:
                        if other.procedure.id == name:
                            other.procedure = replace(other.procedure, id="new")
                    group.procedure = replace(new, version=1)
                    return [f"procedures/{name}.yaml"]
            return []

    def _shown(self) -> list[Procedure]:
        return [g.procedure for g in self._groups if g.support >= self._settings.support]

    def _rivals(self, group: Group) -> list[Procedure]:
        """Return the procedures in use that a group's demonstrations do in another way."""
        return [
            other
            for other in superseded_by(
                group, self._settings.support, self._library.procedures.values()
            )
            if other.status == "provisional" or (other.status == "trusted" and self._fails(other))
        ]

    def _fails(self, procedure: Procedure) -> bool:
        key = ("procedure", procedure.id, procedure.version, "")
        return self._ledger.counts("procedure").get(key, (0, 0))[1] > 0

    # ------------------------------------------------------------------------ writing
    def _adopt(self) -> None:
        """Give groups the ids under which the library knows what they demonstrate."""
        for known in self._library.procedures.values():
            if not known.provenance.get("learned_from", "").endswith(_MADE_BY):
                continue
            free = [g for g in self._groups if g.procedure.id not in self._library.procedures]
            alike = [g for g in free if _same_way(g.procedure, known)]
            same_goal = [g for g in free if g.procedure.goal == known.goal]
            if found := alike or same_goal:
                group = max(found, key=lambda each: each.latest)
                group.procedure = replace(group.procedure, id=known.id)

    def _write(self, groups: list[Group], counted: list[tuple[Group, ToolEpisode]]) -> list[str]:
        library = self._library
        library.refresh()
        known = library.procedures
        taken = {*known, *library.metas, *(g.procedure.id for g in self._groups)}
        written: dict[str, Procedure] = {}
        gone: set[str] = set()
        for group in groups:
            old = group.procedure.id
            name = self._named(group, taken)
            taken.add(name)
            if name != old and old in known and not known[old].locked:
                gone.add(old)
            group.procedure = replace(group.procedure, id=name)
            if name in known and known[name].locked:
                continue
            if name not in known and self._rivals(group):
                continue  # that is no new procedure, but a refinement: see refinements()
            written[name] = self._settled(group, known.get(name))
        retired = self._drafts_superseded(groups, {**known, **written}, gone)
        written |= {each.id: each for each in retired}
        changed = library.write_all(list(written.values()), remove=gone & known.keys())
        self._count(groups, counted)
        method = Method.from_settings(library.settings.settings)
        room, metas = self._settings.procedures, max(1, len(library.metas))  # plans stay
        room = method.procedures if room is None else room
        method = replace(method, procedures=room, metas=metas)
        removed = surplus(library, self._ledger, method)
        changed += library.write_all(remove=removed)
        self.removed += removed
        return changed

    def _named(self, group: Group, taken: set[str]) -> str:
        """Name a procedure by its goal; a name once given to two demonstrations stays."""
        current = group.procedure.id
        if group.support > 2 and current != "new":
            return current
        wanted = slug(group.procedure.goal)
        if re.fullmatch(rf"{re.escape(wanted)}(-\d+)?", current):
            return current
        return slug(group.procedure.goal, taken - {current})

    def _settled(self, group: Group, known: Procedure | None) -> Procedure:
        procedure = group.procedure
        secret = bool(REDACTED.search(repr([dict(step.args) for step in procedure.steps])))
        dated = any(
            date not in procedure.goal
            for step in procedure.steps
            for _, value in leaves(thaw(step.args))
            for date in dates_in(text_of(value))
        )
        # A run that was given up half-way shows no way of its own.
        less = any(
            does_less(procedure, other) and Execution.start(other, group.episodes[-1].task)
            for other in (*self._library.procedures.values(), *self._shown())
            if other.status != "retired" and is_tool_procedure(other)
        )
        trusted = group.support >= self._settings.support and not (secret or dated or less)
        status = "provisional" if trusted else "draft"
        if known is not None and known.status == "trusted":
            status = "trusted"
        note = "; holds redacted values, so a model must call it" if secret else ""
        note += "; holds a date that nobody said, so a model must call it" if dated else ""
        return replace(
            procedure,
            version=1 if known is None else known.version + 1,
            status=status,
            provenance={"learned_from": f"episodes of {_MADE_BY}{note}"},
        )

    def _drafts_superseded(
        self, groups: list[Group], known: Mapping[str, Procedure], gone: set[str]
    ) -> list[Procedure]:
        """Retire drafts of what was shown in another way since."""
        retired: dict[str, Procedure] = {}
        for group in groups:
            for other in superseded_by(group, self._settings.support, known.values()):
                if other.status == "draft" and other.id not in gone:
                    retired[other.id] = replace(other, status="retired")
        return list(retired.values())

    def _count(self, groups: list[Group], counted: list[tuple[Group, ToolEpisode]]) -> None:
        """Record demonstrations; each counts once for each version."""
        at = now()
        rows: list[Outcome] = []
        fresh = {id(group): {e.id for g, e in counted if g is group} for group in groups}
        for group in groups:
            stored = self._library.procedures.get(group.procedure.id)
            if stored is None:
                continue
            # A new version starts with what it was made of.
            shown = {e.id for e in group.episodes} if fresh[id(group)] else set()
            rows += [
                Outcome(
                    run=f"{SHOWN}{name}",
                    step=0,
                    subject_kind="procedure",
                    subject=stored.id,
                    version=stored.version,
                    outcome=OutcomeKind.SUCCESS,
                    successes=1.0,
                    failures=0.0,
                    at=at,
                )
                for name in sorted(shown | fresh[id(group)])
            ]
        self._ledger.record(rows)


def _same_way(one: Procedure, other: Procedure) -> bool:
    """Whether two procedures do the same, whatever they are called and asked for with."""
    return behaves_alike(_unworded(one), _unworded(other))


def _unworded(procedure: Procedure) -> dict[str, Any]:
    document = procedure.to_document()
    return {key: document[key] for key in document if key not in ("id", "goal", "wordings")}
