"""Learning into a library by way of proposals, which wait for people or are accepted at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ...graph.budget import Budget
from ...procedures.common.errors import ProposalError
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.learning.learner import Learned
from ...procedures.learning.taught import keep_taught, note_learned
from ...procedures.library.library import Library
from ...procedures.proposals.causes import by_cause
from ...procedures.proposals.inheritance import REVIEWED
from ...procedures.proposals.learned import propose_learned, propose_programs
from ...procedures.proposals.policy import Policy, submit
from ...procedures.proposals.proposal import Proposal
from ...procedures.proposals.proposal_store import Placed, withdraw_unfit, withdraw_unlearned
from ...procedures.proposals.removal import propose_removals, with_room
from ...procedures.proposals.replay import Replayer
from ...procedures.proposals.support import AvailableProcedures, is_supported, is_worth_reading
from ...procedures.proposals.version_history import last_made
from ...procedures.sharing.exchange import open_evidence
from ..git.commit_history import revisions_of
from ..git.stores import in_work_tree, is_tracked, open_store, start_library
from ..reasoners.gaps import LEARNING, Filled
from ..reasoners.models import ReasonerName
from ..submitting import policy_of
from .lesson import Lesson, learn_from, lesson_of, scramble_words
from .practice_changes import apart_from
from .practice_log import PracticeLog
from .segmenting import Segmented
from .starting import is_new, start_empty
from .teaching import SYMBOLIC, plans_alone

__all__ = ["Reviewed", "by_proposals", "teach_by_review"]


def by_proposals(path: Path | str, asked: Policy | None) -> Policy | None:
    """Return the policy if what is learned should become proposals; None to write it at once.

    Args:
        path: Folder of the library; it may not be there yet.
        asked: What was asked for; by default the library's own policy.

    Raises:
        LibraryError: The library is not valid, or names no policy.
        GitError: The library is in a repository that git does not open.
    """
    root = Path(path).expanduser().resolve()
    policy: Policy = asked or "auto"
    if asked is None and (root / "library.yaml").exists():
        policy = policy_of(Library.open(root))
    if policy == "auto":
        # A new library is committed only if somebody asked for commits.
        commits = in_work_tree(root) if asked else is_tracked(root)
        return "auto" if commits else None
    return "review"  # nobody can be asked about a whole library's learning


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What learning proposes.

    Attributes:
        library: The folder.
        domain: Name of the domain.
        created: Whether the library is new; it is empty then until something is accepted.
        episodes: Trajectories that were learned from, those of before included.
        placed: What became of each proposal.
        refused: Id of what could not be proposed or accepted → why.
        seconds: Wall time.
        filled: What a model added, where one was asked.
        segmented: What became of a model's segmentation, where one was asked for it.
        elsewhere: Ids of what was learned from episodes that are not here, which stays as it is.
        left_out: Changes that the stored episodes are no reason for.
        unfit: Plans that need such a change.
        withdrawn: Id of a proposal of before that does not fit any more → what it lacks.
    """

    library: Path
    domain: str
    created: bool
    episodes: int
    placed: tuple[Placed, ...]
    refused: Mapping[str, str]
    seconds: float
    filled: Filled | None = None
    segmented: Segmented | None = None
    elsewhere: tuple[str, ...] = ()
    left_out: tuple[Proposal, ...] = ()
    unfit: tuple[Proposal, ...] = ()
    withdrawn: Mapping[str, str] = field(default_factory=dict)


def teach_by_review(
    path: Path | str,
    trajectories: Sequence[Trajectory],
    *,
    domain: str,
    source: Mapping[str, Any] | None = None,
    scramble: int | None = None,
    reasoner: ReasonerName = SYMBOLIC,
    segmenter: str = "",
    policy: Policy = "review",
    replace_all: bool = False,
    budget: Budget = LEARNING,
    stage: Callable[[str], None] = lambda _: None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Reviewed:
    """Learn, and propose each difference to the library; by default nothing in it changes.

    A library that is not there is made, empty, and in a git work tree committed.

    Args:
        path: The library's folder.
        trajectories: At least one success.
        domain: Name of the domain; a library of another one is refused.
        source: What a new library records about where it was learned from.
        scramble: Seed of invented words to replace all words by.
        reasoner: Names the model, if one is asked about tasks that symbols find no plan for.
        segmenter: Names the model that cuts demonstrations into procedures; none if it is empty.
        replace_all: As :func:`~macla.adapters.teaching.teaching.teach` has it.
        policy: ``review`` keeps the proposals for people, ``auto`` accepts each at once, in git
            as a commit.
        budget: What it may be asked about one episode.
        stage: Told what is being done.
        progress: Told how many proposals are made, of how many.

    Raises:
        LibraryError: As :func:`~macla.adapters.teaching.teaching.teach` does.
        LockError: So too.
        GitError: The library is in a work tree in which nothing can be proposed.
        TrajectoryError: There is nothing to learn from.
    """
    started = time.perf_counter()
    root = Path(path).expanduser().resolve()
    created = is_new(root, domain)
    trajectories = scramble_words(trajectories, scramble, stage)
    known = None if created else Library.open(root)
    settings = known.settings.settings if known else {}
    stage("proving programs")
    lesson = lesson_of(trajectories, known, plans_alone(), replace_all=replace_all)
    models = learn_from(
        lesson.planned,
        reasoner,
        segmenter,
        budget,
        None if replace_all else known,
        settings,
        stage,
    )
    stage("proposing")
    if created:
        record = {"evidence_from": REVIEWED, **({"learned": dict(source)} if source else {})}
        start_empty(root, domain, record)
        start_library(root)
    library = Library.open(root)
    with PracticeLog(root).alone():
        keep_taught(
            root,
            lesson.trajectories,
            lesson.without_plans,
            lesson.choices,
            replacing=lesson.replacing(library),
        )
        result = _submitted(library, models.learned, lesson, policy, progress)
    return Reviewed(
        library=root,
        domain=domain,
        created=created,
        episodes=len(lesson.trajectories),
        placed=tuple(result.placed),
        refused=result.refused,
        seconds=time.perf_counter() - started,
        filled=models.filled,
        segmented=models.segmented,
        elsewhere=tuple(sorted(lesson.elsewhere)),
        left_out=tuple(result.left_out),
        unfit=tuple(result.unfit),
        withdrawn=result.withdrawn,
    )


class _Submitted(NamedTuple):
    """What became of each difference: placed, refused (id → why), or not proposed.

    Withdrawn (id → why) is what was proposed before.
    """

    placed: list[Placed]
    refused: dict[str, str]
    left_out: list[Proposal]
    unfit: list[Proposal]
    withdrawn: dict[str, str]


def _submitted(
    library: Library,
    learned: Learned,
    lesson: Lesson,
    policy: Policy,
    progress: Callable[[int, int], None],
) -> _Submitted:
    """Propose each difference, and return what became of it."""
    store = open_store(library.path)
    placed: list[Placed] = []
    refused: dict[str, str] = {}
    with open_evidence(library.path) as ledger:
        store.settle(library, ledger)
        differences = propose_learned(
            library,
            ledger,
            learned,
            lesson.planned,
            made_before=lambda name: last_made(revisions_of(library, name)),
            programs=[file.id for file in lesson.programs.files],
            credit=True,
            replace_all=lesson.replace_all,
        )
        proposals, left_out = _worth_it(differences, policy)
        withdraw_unlearned(store, proposals)
        proposals = with_room(library, proposals, store.decided())
        replayer = Replayer.of(lesson.planned, library, proposals)
        proposals = by_cause(proposals, replayer.replay)
        made = {proposal.id for proposal in proposals}
        programs = propose_programs(library, lesson.programs.files, len(lesson.trajectories))
        note_learned(library.path, (file.id for file in lesson.programs.files))
        removals = propose_removals(library, ledger, store.pending)  # made when the others are in
        procedures, unfit = AvailableProcedures(library.procedures), list[Proposal]()
        number_of = len(programs) + len(proposals)
        for number, proposal in enumerate(chain(programs, proposals, removals)):
            progress(min(number, number_of), number_of)
            if not procedures.suffice_for(proposal):
                unfit.append(proposal)
                continue
            try:
                if proposal.id in made:
                    proposal = apart_from(library, proposal, made)
                placed.append(submit(library, ledger, proposal, policy, store))
                if not placed[-1].is_turned_down:
                    procedures.add(proposal)
            except ProposalError as error:
                refused[proposal.id] = str(error)
        withdrawn = withdraw_unfit(library, store)
    return _Submitted(placed, refused, left_out, unfit, withdrawn)


def _worth_it(
    proposals: Sequence[Proposal], policy: Policy
) -> tuple[list[Proposal], list[Proposal]]:
    """Leave out what no replayed episode favours, or more contradict; under auto what one favours.

    Returns:
        What is proposed, and what is not.
    """
    kept: list[Proposal] = []
    out: list[Proposal] = []
    for proposal in proposals:
        good = is_supported(proposal) if policy == "auto" else is_worth_reading(proposal)
        (kept if good else out).append(proposal)
    return kept, out
