"""A lesson: episodes, what of them becomes programs, and what plans are learned from."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ...graph.budget import Budget
from ...graph.protocols import Reasoner
from ...procedures.common.errors import TrajectoryError
from ...procedures.common.independent_work import Each, here
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.evidence.ledger import Ledger
from ...procedures.learning.cuts import Cut
from ...procedures.learning.episode_buffer import digest
from ...procedures.learning.kept_cuts import kept_cuts
from ...procedures.learning.learner import Learned, learn, successes
from ...procedures.learning.online import OnlineLearner
from ...procedures.learning.several_worlds import learn_worlds
from ...procedures.learning.store_learned import by_people
from ...procedures.learning.taught import joined, learned_elsewhere, read_taught, read_without_plans
from ...procedures.library.library import Library
from ...procedures.method.ablation import Part
from ...procedures.method.settings import Method
from ...procedures.model.procedure import MetaProcedure, Procedure
from ...procedures.programs.learning.program_kinds import TaskKind
from ...procedures.programs.learning.proposing import propose_for_kinds
from ...procedures.programs.shown_choices import shown_choices
from ...procedures.words.lexicon import Lexicon
from ...procedures.words.similarity import TextSimilarity
from ..embeddings import DEFAULT_EMBEDDING, load_embeddings
from ..reasoners import make_client, make_reasoner
from ..reasoners.gaps import Filled, fill_gaps
from ..reasoners.models import ReasonerName
from ..reasoners.symbolic import SymbolicReasoner
from ..scramble import Scrambler
from .choosing import By, Plan, choose
from .program_files import ProgramFiles, program_files
from .segmenting import Segmented, learn_segmented

__all__ = ["Lesson", "Taught", "learn_from", "lesson_of", "scramble_words"]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is learned from, and what of it in which way.

    Attributes:
        trajectories: All of them, those that the library was taught from before included.
        before: How many these are.
        programs: What is written as programs.
        planned: What plans are learned from: some of them, and what was learned by practice.
        without_plans: Digests of those that plans are known to end wrongly.
        elsewhere: Ids of what the library holds from episodes that are not here; it stays.
        refused: Why a program that plans was tried and is not used.
        replace_all: Whether it takes the place of all that a library holds.
    """

    trajectories: Sequence[Trajectory]
    before: int
    programs: ProgramFiles
    planned: Sequence[Trajectory]
    without_plans: frozenset[str]
    elsewhere: frozenset[str]
    refused: tuple[str, ...] = ()
    replace_all: bool = False

    def replacing(self, library: Library) -> Collection[str]:
        """Return ids of what stays only if it is learned again, wherever it was learned."""
        if not self.replace_all:
            return ()
        return {*library.procedures, *library.metas, *library.programs}

    def choices(self, shown: Trajectory) -> Iterator[tuple[Sequence[str], str]]:
        """Yield where a program that is used has several candidates in a demonstration."""
        for file in self.programs.files:
            if file.status == "active":
                yield from shown_choices(file, shown)


def lesson_of(
    trajectories: Sequence[Trajectory],
    library: Library | None,
    plan: Plan,
    *,
    programs: bool = True,
    replace_all: bool,
    each: Each = here,
) -> Lesson:
    """Join trajectories to what a library was taught from, and say what becomes of which.

    Args:
        trajectories: What is given.
        library: What is there; None where there is nothing yet.
        plan: Learns plans alone of demonstrations, into a folder, to see how they end.
        programs: Whether programs are proposed; else there are only plans, of everything.
        replace_all: Whether these episodes take the place of all that was learned elsewhere.
        each: Who learns the kinds of tasks.

    Raises:
        TrajectoryError: There is nothing to learn from.
    """
    if not trajectories:
        raise TrajectoryError("nothing to learn from: no episode was given")
    successes(trajectories)  # what a library was taught before is no reason to learn it again
    kept = None if library is None else read_taught(library)
    every = joined(kept or (), trajectories)
    foreign = _foreign(library) if library is not None and not replace_all else frozenset()
    tried: list[str] = []
    kinds = propose_for_kinds(every, (), _word_similarity, tried.append, each) if programs else []

    choice = choose(kinds, every, plan, _present_in(None if replace_all else library, kept or ()))
    files = program_files(choice.kinds, choice.doubtful, library, stay=foreign)
    left = {id(each) for each in choice.planned}
    refused = [
        e for k in choice.kinds if not k.trusted for e in k.demonstrations if id(e) not in left
    ]
    trusted = [file for file in files.files if file.status == "active"]
    played = (
        e for e in _played(library) if not any(file.reads(e.task, e.obs[0]) for file in trusted)
    )
    return Lesson(
        every,
        len(kept or ()),
        files,
        [*choice.planned, *played],
        frozenset(map(digest, refused)),
        foreign,
        tuple(tried),
        replace_all,
    )


def _present_in(library: Library | None, kept: Sequence[Trajectory]) -> Callable[[TaskKind], By]:
    """Return what tells by what a library, taught from demonstrations, does the tasks of a kind."""
    if library is None:
        return lambda _: By.NEITHER
    active = [file for file in library.programs.values() if file.status == "active"]
    before: frozenset[str] = frozenset()
    if library.metas:
        before = frozenset(map(digest, kept)) - read_without_plans(library.path)

    def present(kind: TaskKind) -> By:
        if any(file.reads(e.task, e.obs[0]) for file in active for e in kind.demonstrations[:1]):
            return By.PROGRAM
        shown = any(digest(each) in before for each in kind.demonstrations)
        return By.PLANS if shown else By.NEITHER

    return present


def _foreign(library: Library) -> frozenset[str]:
    """Return ids of what was learned from episodes that are not here; what people wrote is not."""
    items: tuple[Procedure | MetaProcedure, ...] = (
        *library.procedures.values(),
        *library.metas.values(),
    )
    written = {item.id for item in items if by_people(item)}
    written |= {file.id for file in library.programs.values() if not file.provenance}
    return learned_elsewhere(library) - written


def _played(library: Library | None) -> list[Trajectory]:
    """Return what practice with a library taught; nothing where it was not practised with."""
    if library is None or not (library.path / ".macla" / "episodes.jsonl").exists():
        return []
    with Ledger.open(library.path / ".macla" / "evidence.db") as ledger:
        return OnlineLearner(library, ledger).lessons()


def _word_similarity(first: str, second: str) -> float:
    return _similarity()(first, second)


@lru_cache(maxsize=1)
def _similarity() -> TextSimilarity:
    """Load the embedding where it is needed: hardly any demonstrations need it."""
    return TextSimilarity(load_embeddings(DEFAULT_EMBEDDING))


def scramble_words(
    trajectories: Sequence[Trajectory], seed: int | None, stage: Callable[[str], None]
) -> Sequence[Trajectory]:
    """Replace all words by invented ones, where a seed is given."""
    if seed is None:
        return trajectories
    stage("inventing words")
    scrambler = Scrambler(seed)
    return [scrambler.trajectory(trajectory) for trajectory in trajectories]


@dataclass(frozen=True, slots=True)
class Taught:
    """What was learned, and what models had to do with it.

    Attributes:
        learned: What was learned.
        filled: What a model added, where one was asked about tasks without a plan.
        segmented: What became of a model's segmentation, where one was asked for it.
    """

    learned: Learned
    filled: Filled | None = None
    segmented: Segmented | None = None


def learn_from(
    trajectories: Sequence[Trajectory],
    reasoner: ReasonerName,
    segmenter: str,
    budget: Budget,
    library: Library | None,
    settings: Mapping[str, Any],
    stage: Callable[[str], None],
    ablated: frozenset[Part] = frozenset(),
) -> Taught:
    """Learn, with models where they are named.

    Args:
        trajectories: What plans are learned from.
        reasoner: Names the model that is asked about tasks without a plan, if one is.
        segmenter: Full name of the model that cuts demonstrations; empty for none.
        budget: What a model may be asked about one episode.
        library: What is there; demonstrations that a model cut for it are cut likewise.
        settings: Of the library, or of the one to come.
        stage: Told what is being done.
        ablated: Parts left out.
    """
    method = Method.from_settings(settings)
    stage("learning")
    similarity = _similarity()
    if not trajectories:
        return Taught(Learned(), segmented=Segmented(segmenter) if segmenter else None)
    known = None if "ontology" in ablated else similarity
    kept = kept_cuts(library.procedures, library.metas) if library is not None else {}

    def learned_with(cuts: Mapping[str, Cut]) -> Learned:
        return learn_worlds(
            trajectories,
            lambda world: learn(
                world,
                known,
                method.theta_dup,
                method.theta_sim,
                method.k_vocab,
                without=ablated,
                cuts={**kept, **cuts},
            ),
        )

    segmented: Segmented | None = None
    if segmenter:
        name = ReasonerName("model", segmenter)
        learned, segmented = learn_segmented(
            learned_with,
            lambda plain: _reasoner(plain, name, budget),
            model=segmenter,
            budget=budget,
            settings=settings,
            stage=stage,
        )
    else:
        learned = learned_with({})
    if reasoner.mode == "symbolic":
        return Taught(learned, segmented=segmented)
    if learned.lexicon is None:
        return Taught(learned, Filled(), segmented)
    learned, filled = fill_gaps(
        learned,
        trajectories,
        _reasoner(learned, reasoner, budget),
        maker=reasoner.model,
        budget=budget,
        progress=lambda done, of: stage(f"asking {reasoner.model} about task {done + 1} of {of}"),
    )
    return Taught(learned, filled, segmented)


def _reasoner(learned: Learned, name: ReasonerName, budget: Budget) -> Reasoner:
    """Return who is asked; what symbols learned is all there, whatever it answers."""
    client = make_client(name, timeout=budget.timeout)
    lexicon = learned.lexicon or Lexicon(numbered=False, kinds=(), frames=())
    return make_reasoner(name, client, SymbolicReasoner(_similarity()), lexicon)
