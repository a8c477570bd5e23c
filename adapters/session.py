"""Everything a library needs to be used, opened together: files, ledger, embeddings, index."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ..graph.context import LoopSettings
from ..graph.knowledge import Knowledge
from ..procedures.common.closable import Closing
from ..procedures.common.errors import Skip
from ..procedures.evidence.failures import FailureMemory, memories
from ..procedures.evidence.ledger import CountKey, Ledger
from ..procedures.evidence.ledger_rows import DEMONSTRATIONS
from ..procedures.evidence.running_counts import RunningCounts, RunningFailures
from ..procedures.index.procedure_index import ProcedureIndex
from ..procedures.learning.taught import read_floor, read_taught
from ..procedures.library.library import Library
from ..procedures.method.ablation import GROUPS, Part, parse_parts, procedures_without, unchecked
from ..procedures.method.settings import Method
from ..procedures.method.utility import Rule
from ..procedures.model.ontology_words import lexicon_from, outcomes_from
from ..procedures.model.parameter_types import resolved
from ..procedures.model.procedure import MetaProcedure, Ontology, Procedure
from ..procedures.planning.world_model import World
from ..procedures.programs.documents import ProgramFile
from ..procedures.programs.learning.valuing import taken_before, valued_choice
from ..procedures.proof.floor import Floor
from ..procedures.proposals.inheritance import own_rates
from ..procedures.sharing.exchange import open_evidence
from ..procedures.tooling.stops import stopped_in
from ..procedures.words.similarity import ExactSimilarity, TextSimilarity
from ..procedures.worth.experience import Experience, FactMemory, TakenBefore
from .among import Among
from .described import Described
from .embeddings import load_embeddings
from .reasoners.symbolic import SymbolicReasoner

_Item = TypeVar("_Item", Procedure, MetaProcedure)

_REMEMBERED = 5000
"""Latest outcomes among which situations that failed are looked for."""


class LibrarySession(Closing):
    """An open library with its evidence and index; a context manager.

    Example::

        with LibrarySession.open("library") as session:
            knowledge = session.knowledge()

    Attributes:
        library: The files.
        ledger: The evidence.
        index: The search index; made to agree with the files whenever knowledge is loaded.
    """

    def __init__(self, library: Library, ledger: Ledger) -> None:
        self.library = library
        self.ledger = ledger
        self.embeddings = load_embeddings(library.settings.embedding)
        self.similarity = TextSimilarity(self.embeddings)
        self.index = ProcedureIndex(library.path / ".macla" / "chroma", self.embeddings)
        self._described = Described()
        self._counts = RunningCounts(ledger, DEMONSTRATIONS)
        self._failures: RunningFailures | None = None

    @classmethod
    def open(
        cls,
        path: Path | str,
        *,
        ledger: str | Path | None = None,
        read_only: bool = False,
        skip: Skip | None = None,
    ) -> LibrarySession:
        """Open a library folder.

        Args:
            path: The folder.
            ledger: Path or URL of the evidence; by default ``.macla/evidence.db`` in the folder.
            read_only: Do not write evidence.
            skip: Told of each document that is wrong, which is left out; see :meth:`Library.open`.

        Raises:
            LibraryError: The folder is not a valid library.
            LedgerError: The evidence cannot be opened.
        """
        library = Library.open(path, skip)
        if ledger is None:
            return cls(library, open_evidence(library.path, read_only=read_only))
        if read_only and isinstance(ledger, Path) and not ledger.exists():
            return cls(library, Ledger.memory())
        return cls(library, Ledger.open(ledger, read_only=read_only))

    def sync_index(self) -> tuple[int, int]:
        """Make the index agree with the files as they were read last.

        Returns:
            The number of entries, and of those that changed.

        Raises:
            IndexFailure: The index can neither be written nor built.
        """
        entries = self._described.follow(self.library.contents)
        return len(entries), self.index.sync(entries)

    @property
    def learned_without(self) -> frozenset[Part]:
        """Parts of the method that the library was learned without; it is played without them."""
        learning = self.library.settings.settings.get("learned", {})
        return parse_parts(learning.get("without", ()))

    @property
    def method(self) -> Method:
        """How the library says that candidates are valued; checked."""
        return Method.from_settings(self.library.settings.settings)

    def method_of(self, preset: str | None) -> Method:
        """Return the method under a preset; None stands for the library's own."""
        settings = self.library.settings.settings
        return Method.from_settings(settings if preset is None else {**settings, "preset": preset})

    def left_out(
        self, ablated: frozenset[Part] = frozenset(), preset: str | None = None
    ) -> frozenset[Part]:
        """Return all parts that are off: by choice, as it was learned, and by the preset."""
        return ablated | self.learned_without | self.method_of(preset).preset.without

    def knowledge(
        self,
        *,
        without: str | None = None,
        ablated: frozenset[Part] = frozenset(),
        preset: str | None = None,
    ) -> Knowledge:
        """Load what the loop needs; builds or repairs the index first.

        Args:
            without: Leave out the evidence of this run, or of the runs of this family, so that what
                an evaluation recorded does not change the evaluation.
            ablated: Parts of the method to leave out; see :mod:`macla.procedures.method.ablation`.
            preset: Instead of the library's.
        """
        library, method = self.library, self.method
        ablated = self.left_out(ablated, preset)
        self.sync_index()
        counts, failures = self._evidence(without, ablated)
        metas = {} if "meta" in ablated else library.metas
        metas = unchecked(metas) if "preconditions" in ablated else metas
        procedures = procedures_without(library.procedures, ablated)
        rates = () if "posterior" in ablated else own_rates(library, self.ledger, without or "")
        programs = (
            {} if "programs" in ablated else _programs_of_actions(library, stopped_in(self.ledger))
        )
        runs_by_program = (
            {} if "posterior" in ablated else {n: each.runs for n, each in programs.items()}
        )

        def of(name: str, words: Ontology) -> Knowledge:
            lexicon = lexicon_from(words, clusters="ontology" not in ablated)
            listed_procedures, plans = (
                _items_of_world(procedures, name),
                _items_of_world(metas, name),
            )
            own_procedures = {
                id_: resolved(each, words.types) for id_, each in listed_procedures.items()
            }
            several = bool(library.ontology.worlds)
            return Knowledge(
                procedures=own_procedures,
                metas=plans,
                lexicon=lexicon,
                counts=counts,
                retriever=Among(self.index, {*own_procedures, *plans}) if several else self.index,
                similarity=ExactSimilarity() if "ontology" in ablated else self.similarity,
                outcomes=outcomes_from(words),
                world=World.from_ontology(words, lexicon),
                prior=method.prior_from(rates),
                failures=failures,
                library_hash=library.content_hash,
                programs=programs,
                shown=runs_by_program,
                goals=words.goals,
            )

        worlds = {name: of(name, words) for name, words in library.ontology.by_world.items()}
        told_by_world = library.ontology.told_by_world
        return replace(worlds.pop(""), worlds=worlds, told=told_by_world)

    def floor(self, ablated: frozenset[Part] = frozenset(), preset: str | None = None) -> Floor:
        """Return the demonstrations that the library was taught from; none where they are not here.

        Args:
            ablated: Parts of the method to leave out; with ``floor``, none is done again.
            preset: Instead of the library's.

        Raises:
            TrajectoryError: Their file cannot be read.
        """
        if "floor" in self.left_out(ablated, preset):
            return Floor()
        return Floor(read_taught(self.library) or (), read_floor(self.library.path))

    def experience(
        self, ablated: frozenset[Part] = frozenset(), memory: FactMemory | None = None
    ) -> Experience | None:
        """Return what earlier episodes tell of candidates; None where no program looks at it.

        Args:
            ablated: Parts of the method to leave out; with ``floor``, demonstrations tell nothing.
            memory: What was told of candidates; None where that does not count.
        """
        valued = [
            (file, choice)
            for file in self.library.programs.values()
            if (choice := valued_choice(file))
        ]
        if not valued:
            return None
        demonstrations = (
            [] if "floor" in self.left_out(ablated) else read_taught(self.library) or []
        )
        cases = (
            case
            for file, choice in valued
            for case in taken_before(file, choice, demonstrations).cases
        )
        return Experience(TakenBefore(cases), memory)

    def with_new_evidence(
        self, knowledge: Knowledge, ablated: frozenset[Part] = frozenset()
    ) -> Knowledge:
        """Return knowledge with what the ledger has by now, where the library did not change.

        Its cost does not grow with the ledger, since each row is read once, unless the prior is
        fitted to all of it.
        """
        ablated = self.left_out(ablated)
        counts, failures = self._evidence(None, ablated)
        rates = () if "posterior" in ablated else own_rates(self.library, self.ledger)
        prior = self.method.prior_from(rates)
        return knowledge.with_evidence(counts, failures, prior)

    def _evidence(
        self, without: str | None, ablated: frozenset[Part]
    ) -> tuple[Mapping[CountKey, tuple[float, float]], Mapping[tuple[str, str], FailureMemory]]:
        """Return what counts of the ledger, and what failed where, without what is left out."""
        counts, failures = self._whole_evidence(without)
        if ablated & {"posterior", "search", "reading"}:
            counts = {key: value for key, value in counts.items() if _part_of(key) not in ablated}
        return counts, {} if "risk" in ablated else failures

    def _whole_evidence(
        self, without: str | None
    ) -> tuple[Mapping[CountKey, tuple[float, float]], Mapping[tuple[str, str], FailureMemory]]:
        run = str(self.library.settings.settings.get("evidence_from", ""))
        if without is not None:
            counts = self.ledger.counts(superseded=(DEMONSTRATIONS, run), without=without)
            recent = self.ledger.rows(since=max(0, self.ledger.revision() - _REMEMBERED))
            counted_rows = (row for row in recent if not row.run.startswith(without))
            return counts, memories(counted_rows, self.method.failures)
        if self._failures is None:
            self._failures = RunningFailures(self.ledger, self.method.failures)
        ids = {*self.library.procedures, *self.library.metas, *self.library.programs}
        return self._counts.counts(run, ids), self._failures.memories(ids)

    def loop_settings(
        self,
        *,
        horizon: int = 50,
        seed: int = 0,
        preset: str | None = None,
        ablated: frozenset[Part] = frozenset(),
    ) -> LoopSettings:
        """Return the loop's settings as the library has them.

        Args:
            horizon: Most actions an episode may take.
            seed: Seed of every random choice.
            preset: Instead of the library's.
            ablated: Parts of the method to leave out.
        """
        method = self.method_of(preset)
        ablated = self.left_out(ablated, preset)
        blind = ablated.issuperset(GROUPS["bayes"])
        return LoopSettings(
            preset=method.preset.ablated(ablated),
            rule=Rule.SIMILARITY if blind else method.rule,
            horizon=horizon,
            seed=seed,
        )

    def reasoner(self, knowledge: Knowledge) -> SymbolicReasoner:
        """Return the reasoner that needs no model."""
        return SymbolicReasoner(knowledge.similarity)

    def close(self) -> None:
        """Close the index and the ledger."""
        self.index.close()
        self.ledger.close()


def _items_of_world(items: Mapping[str, _Item], name: str) -> Mapping[str, _Item]:
    """Return what is of a world, in the order that it has; all where there is no other."""
    if all(each.world == name for each in items.values()):
        return items
    return {key: each for key, each in items.items() if each.world == name}


def _programs_of_actions(library: Library, stopped: Container[str]) -> dict[str, ProgramFile]:
    """Return the programs that act by text and are not stopped; the others call tools."""
    entries = library.contents.of_kind("program").entries
    return {
        name: library.programs[name]
        for name, entry in entries.items()
        if not entry.head().calls_tools and name not in stopped
    }


def _part_of(key: CountKey) -> Part:
    """Return the part of the method that a sum of evidence belongs to."""
    kind, subject, _, binding = key
    if kind == "reading" or (kind == "binding" and not subject.startswith("@")):
        return "reading"  # how often a wording meant a goal, which kinds fill a role
    return "search" if binding else "posterior"
