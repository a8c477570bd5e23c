"""Programs proposed from demonstrations, each proved on held-out demonstrations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from ...arrangements.learning.wish_learning import Similarity
from ...common.independent_work import Each, here
from ...common.sampling import sample
from ...episodes.beginnings import common_beginning
from ...episodes.mentions import NAME
from ...episodes.tokens import tokens
from ...episodes.trajectories import Trajectory
from ...episodes.world_split import worlds_of
from ...learning.abstraction import slug
from ..documents import ProgramFile
from ..needed_facts import kinds_of_program
from ..parameter_names import argument_sources, program_id
from ..play_evidence import CLAIMED
from ..program import Act, Program
from ..program_proof import FEW, GRACE, ProgramProof, held_out_proof
from ..replaying import divergence_of, operators_of, replay
from ..sources import Written
from ..text_calls import action_of
from .arranging import propose_arranging
from .composing import propose_composing
from .grouping import groups_of, ways_apart
from .lessons import Lesson, Reading, read_lesson
from .operator_learning import with_whole_operators
from .paging import propose_paging
from .planning import learn_planner
from .program_kinds import ProgramProposal, TaskKind, without_disputed
from .program_learner import learn_program
from .reading_manners import Manner, Readings
from .renamed_copies import renamed_copies

_ABSTAINING = 0.5
"""Share of many held-out demonstrations that is enough where the program asks in all others."""
_LEAST = 3
"""Least demonstrations for a proposal."""
_MOST = 200
"""Most demonstrations that shape a program: whole episodes, evenly drawn."""
_LONGEST = 500
"""Most actions of a demonstration that shapes a program: each moment keeps all before it."""
_FIRST = 20
"""Demonstrations of the first, short trial of a manner of reading."""
_TRIAL = 40
"""Demonstrations that decide whether a program is worth its proof."""
_EXPLAINED = 0.2
"""Share of many demonstrations, or of a trial's, of which steps have to explain all calls."""
_WORTH = 0.3
"""Share of held-out demonstrations that a program has to reproduce."""
_MOST_PLANNED = 100
"""Most demonstrations, of all kinds of tasks, that shape a program that plans."""
_LEAST_PLANNED = 6
"""Least demonstrations for a program that plans."""
_SEARCHED = 0.6
"""Share of few that a program that searches has to reproduce to be used."""
_GENERAL = 0.7
"""Share of the reproduced demonstrations that have to be reproduced with other names, too."""
_UNSEEN = 0.1
"""Most chance, by Good and Turing, of a task in a new wording, for a program that plans.

It hands over all of these."""
_TRIED = 10
"""Demonstrations that a program that plans is replayed on; each step is planned anew."""
_STRANGE = 0.1
"""Most share of actions of a form that was never shown: a slip."""


def propose_programs(
    demonstrations: Sequence[Trajectory], other_ids: Collection[str] = ()
) -> list[ProgramProposal]:
    """Propose a program for each kind of task; see ``propose_for_kinds``."""
    kinds = propose_for_kinds(demonstrations, other_ids)
    return [kind.proposal for kind in kinds if kind.proposal is not None]


def propose_for_kinds(
    demonstrations: Sequence[Trajectory],
    other_ids: Collection[str] = (),
    similarity: Similarity | None = None,
    refused: Callable[[str], None] = lambda _: None,
    each: Each = here,
) -> list[TaskKind]:
    """Return the kinds of tasks that demonstrations show, with a program for each.

    Each world is learned separately. A kind gets no program where few of its held-out
    demonstrations are reproduced.

    Args:
        demonstrations: Episodes; programs are made of the successful ones.
        other_ids: Ids of other documents.
        similarity: Of two words, in [-1, 1]: a task may say a similar word for one of a table.
        refused: Receives the reasons why no program that plans is used, each once: worlds may share
            one, and that of a whole world stands for those of its parts.
        each: Learns the kinds of a world, which do not depend on each other.
    """
    usable = [each for each in demonstrations if each.success and 0 < len(each.acts) <= _LONGEST]
    kinds: list[TaskKind] = []
    reasons: list[str] = []
    for number, world in enumerate(worlds_of(usable)):
        names = {*other_ids, *(kind.id for kind in kinds if kind.proposal is not None)}
        kinds_of_world = _propose_for_world(world, names, similarity, reasons.append, each)
        kinds += (replace(_bound_to_world(kind), world=number) for kind in kinds_of_world)
    for reason in dict.fromkeys(reasons):
        refused(reason)
    return kinds


def _bound_to_world(kind: TaskKind) -> TaskKind:
    """Return a kind whose program counts its demonstrations, and is bound to their world.

    Only one that reads any task has to be told its world by how observations begin.
    """
    if kind.proposal is None:
        return kind
    file = replace(kind.proposal.file, demonstrations=len(kind.demonstrations))
    if file.reads_anything:
        # The first observation may quote the task, which says nothing of the world.
        begins = common_beginning(
            each.obs[0].partition(each.task)[0] if each.task else each.obs[0]
            for each in kind.demonstrations
        )
        file = replace(file, begins=begins)
    return replace(kind, proposal=replace(kind.proposal, file=file))


def _propose_for_world(
    demonstrations: list[Trajectory],
    names: set[str],
    similarity: Similarity | None,
    refused: Callable[[str], None],
    each: Each,
) -> list[TaskKind]:
    kinds: list[TaskKind] = []
    arranging = propose_arranging(demonstrations, names, similarity)
    if arranging is not None:
        kinds.append(arranging)
        names.add(arranging.id)
        demonstrations = arranging.others(demonstrations)
    paging = propose_paging(demonstrations, names)
    if paging is not None and paging.proposal is not None and _is_trusted(paging.proposal.proof):
        kinds.append(paging)
        names.add(paging.id)
        demonstrations = paging.others(demonstrations)
    composing = propose_composing(demonstrations, names)
    if composing is not None and composing.trusted:
        kinds.append(composing)
        names.add(composing.id)
        demonstrations = composing.others(demonstrations)
    groups = groups_of(demonstrations)
    for members, proposal in zip(groups, each(_proposal, groups), strict=True):
        if proposal is not None:
            file = replace(proposal.file, id=slug(proposal.file.id, names))
            proposal = replace(proposal, file=file)
            names.add(file.id)
        kinds.append(TaskKind(tuple(members), proposal))
    kinds = without_disputed(kinds)
    untrusted = [each for kind in kinds if not kind.trusted for each in kind.demonstrations]
    reasons: list[str] = []
    planning = _planning_proposal(untrusted, names, reasons.append)
    if planning is not None:
        return [*(kind for kind in kinds if kind.trusted), TaskKind(tuple(untrusted), planning)]
    parts: list[TaskKind] = []
    for part in ways_apart(untrusted):
        if (planning := _planning_proposal(part, names, reasons.append)) is not None:
            names.add(planning.file.id)
            parts.append(TaskKind(tuple(part), planning))
    if not parts:
        for reason in reasons[:1]:
            refused(reason)
        return kinds
    planned_ids = {id(each) for part in parts for each in part.demonstrations}
    others = (
        replace(kind, demonstrations=unplanned)
        for kind in kinds
        if (unplanned := tuple(each for each in kind.demonstrations if id(each) not in planned_ids))
    )
    return without_disputed([*others, *parts])


def draft_program(kind: TaskKind, other_ids: Collection[str], reason: str) -> ProgramFile:
    """Return the program of a kind as a draft, which hands over every task.

    Args:
        kind: The demonstrations.
        other_ids: Ids of other documents.
        reason: Why the program is not used.
    """
    if kind.proposal is not None:
        return kind.proposal.file
    reading, lessons = read_lesson(sample(kind.demonstrations, _TRIAL))
    program = learn_program(lessons)
    file = _file(
        reading, lessons, program, held_out_proof(lessons, needed=operators_of(program)), other_ids
    )
    return file.as_draft(reason)


def _proposal(kind: Sequence[Trajectory]) -> ProgramProposal | None:
    """Return the program of one kind of task; None where few demonstrations are reproduced.

    Its id ignores other documents.
    """
    if len(kind) < _LEAST:
        return None
    best = _best_program(kind)
    if best is None:
        return None
    members, reading, lessons, program, proof = best
    if proof.share < _WORTH:
        return None
    file = _file(reading, lessons, program, proof, ())
    if _is_trusted(proof) and not _is_general(file, reading, members[:_TRIAL], lessons[:_TRIAL]):
        file = file.as_draft("other names than those shown are not understood")
    if _is_trusted(proof) and _contradicts_demonstrations(program, lessons):
        file = file.as_draft("it does otherwise than a demonstration that it was learned from")
    return ProgramProposal(file, proof)


def _contradicts_demonstrations(program: Program, lessons: Sequence[Lesson]) -> bool:
    """Whether a program of few demonstrations contradicts them.

    Among many demonstrations one that differs is noise; among few it may be a case of its own. A
    value that the program makes contradicts at once, since no answer corrects it. Other actions
    contradict if there are more than ``GRACE``.
    """
    if len(lessons) > FEW:
        return False
    operators = operators_of(program)
    different_actions = 0
    for lesson in lessons:
        divergence = next(
            (each for each in replay(program, lesson, operators) if each.diverges), None
        )
        if divergence is None or not isinstance(divergence.decision, Act):
            continue
        if divergence.makes_another:
            return True
        different_actions += divergence.decision.step.operator != divergence.operator
    return different_actions > GRACE


def _best_program(
    kind: Sequence[Trajectory],
) -> tuple[list[Trajectory], Reading, list[Lesson], Program, ProgramProof] | None:
    """Return the demonstrations, the program that reproduces most of them, and its proof.

    None where no manner of reading is worth a proof.
    """
    best = None
    readings = Readings(kind)
    for manner in readings.manners(_TRIAL):
        if not _is_promising(manner, readings):
            continue
        members = sample(readings.all, _MOST)
        reading, lessons = readings.read(_MOST, manner)
        program = learn_program(lessons, explained=_EXPLAINED if len(lessons) > FEW else 0.0)
        if not _reproduces(program, lessons, _WORTH):
            continue
        proof = held_out_proof(
            lessons,
            needed=operators_of(program),
            any_order=program.any_order,
            hope=_is_trusted,
        )
        if best is None or _rank(proof) > _rank(best[-1]):
            best = members, reading, lessons, program, proof
        if _is_trusted(proof) and (proof.of <= FEW or proof.share >= CLAIMED):
            break
    return best


def _rank(proof: ProgramProof) -> tuple[bool, float]:
    """Return the rank of a program: whether it is used, then the share that it reproduces."""
    return _is_trusted(proof), proof.share


def _is_promising(manner: Manner, readings: Readings) -> bool:
    """Whether trials on few demonstrations show that a manner of reading is worth a proof.

    There is no trial where demonstrations are few.
    """
    number = len(readings.all)
    if number <= _TRIAL:
        return True
    trial = readings.read(_TRIAL, manner)[1]
    return _passes_trial(sample(trial, _FIRST), _WORTH / 2) and _passes_trial(trial, _WORTH)


def _passes_trial(lessons: Sequence[Lesson], least: float) -> bool:
    """Whether a program of few demonstrations reproduces enough of a few others."""
    if len(lessons) < 2 * _LEAST:
        return False
    program = learn_program(lessons[::2], explained=_EXPLAINED)
    return _reproduces(program, lessons[1::2], least)


def _reproduces(program: Program, lessons: Sequence[Lesson], least: float) -> bool:
    """Whether a program reproduces at least a share of some demonstrations."""
    reproduced = sum(divergence_of(program, lesson) is None for lesson in lessons)
    return reproduced >= least * len(lessons)


def _planning_proposal(
    demonstrations: Sequence[Trajectory], other_ids: Collection[str], refused: Callable[[str], None]
) -> ProgramProposal | None:
    """Return a program that plans, for all kinds of tasks at once; None where it is not trusted."""
    requests = sample([each for each in demonstrations if each.task.strip()], _MOST_PLANNED)
    members = [_with_other_wording(each, number) for number, each in enumerate(requests)]
    if len(members) < _LEAST_PLANNED:
        return None
    reading = read_lesson(members)[0].with_names(members)
    lessons = with_whole_operators(reading.lessons(members))
    learn = partial(learn_planner, results=reading.results)
    program = learn(lessons)
    if program.planner is None:
        return None
    wordings = Counter(program.planner.wording_of(each.task) for each in members)
    single = wordings[""] + sum(n == 1 for n in wordings.values())
    if single > _UNSEEN * len(members):
        refused(f"{single} of {len(members)} tasks are worded as no other")
        return None
    hope = partial(_is_trusted, searching=True)
    operators = operators_of(program)
    proof = held_out_proof(lessons, learn=learn, needed=operators, hope=hope)
    if not hope(proof):
        least = (
            f"at least {_SEARCHED:.0%} of {_LEAST_PLANNED} or more, and hardly one done otherwise"
        )
        refused(f"{proof.text}; {proof.wrong} done otherwise; {least} is asked for")
        return None
    if (strange := _unknown_action(program, lessons)) is not None:
        refused(f"it would do {strange!r}, which is of no form that was shown")
        return None
    return ProgramProposal(_file(reading, lessons, program, proof, other_ids), proof)


def _with_other_wording(demonstration: Trajectory, number: int) -> Trajectory:
    """Return a demonstration whose task is one of the sentences that ask for it, in turn.

    A program that plans takes up any task, so that its proof covers all wordings of people.
    """
    sentences = (demonstration.task, *filter(str.strip, demonstration.also))
    return replace(demonstration, task=sentences[number % len(sentences)])


def _unknown_action(program: Program, lessons: Sequence[Lesson]) -> str | None:
    """Return an action of a form that was never shown, if a program does such often.

    The form is the operator and the number of words of each argument.
    """
    word_counts = {
        (operator, tuple(len(tokens(argument)) for argument in arguments))
        for lesson in lessons
        for operator, arguments, _ in lesson.calls
    }
    strange: list[str] = []
    acts = 0
    for lesson in sample(lessons, _TRIED):
        for outcome in replay(program, lesson):
            if not isinstance(outcome.decision, Act):
                continue
            acts += 1
            operator, arguments = outcome.decision.step.operator, outcome.decision.arguments
            if (operator, tuple(len(tokens(one)) for one in arguments)) not in word_counts:
                strange.append(action_of(operator, arguments))
    return strange[0] if len(strange) > _STRANGE * acts else None


def _is_trusted(proof: ProgramProof, *, searching: bool = False) -> bool:
    """Whether a program is used.

    Of few demonstrations some share is enough if the program is hardly ever wrong. Of many nearly
    all have to be reproduced, unless the program abstains from all others. A program that searches
    may find another way than the shown one: of many it has to reproduce fewer.
    """
    if proof.hopeless:
        return False
    if searching:
        enough = proof.of >= _LEAST_PLANNED and proof.share >= _SEARCHED
        return enough and proof.seldom_wrong
    if proof.of > FEW and proof.share < CLAIMED:
        return proof.share >= _ABSTAINING and not proof.wrong
    if proof.of > FEW:
        return True
    return proof.share >= _WORTH and proof.never_wrong


def _is_general(
    file: ProgramFile,
    reading: Reading,
    demonstrations: Sequence[Trajectory],
    lessons: Sequence[Lesson],
) -> bool:
    """Whether copies of demonstrations with other names are reproduced nearly as well.

    Programs that write parts of names pass: exchanged names say nothing about those.
    """
    if any(isinstance(source, Written) for _, _, source in argument_sources(file.program)):
        return True
    reproduced = sum(divergence_of(file.program, lesson) is None for lesson in lessons)
    copies = reading.lessons(renamed_copies(file, demonstrations, lessons))
    reproduced_copies = sum(divergence_of(file.program, lesson) is None for lesson in copies)
    return reproduced_copies >= _GENERAL * reproduced


def _file(
    reading: Reading,
    lessons: Sequence[Lesson],
    program: Program,
    proof: ProgramProof,
    other_ids: Collection[str],
) -> ProgramFile:
    count_by_wording = Counter(lesson.first.wording for lesson in lessons)
    wordings = sorted(
        (template for template in reading.tasks.templates if template.text in count_by_wording),
        key=lambda template: (-count_by_wording[template.text], template.text),
    )
    if program.planner is not None:
        wordings = list(program.planner.wordings)
    kinds = {
        fact.kind
        for lesson in lessons
        for result in (*lesson.first.results, *(r for _, _, r in lesson.calls))
        for fact in result
    }
    trusted = _is_trusted(proof, searching=program.planner is not None)
    # The names that its steps take tell which sentences list several.
    argument_kinds = {
        f"{NAME}{i + 1} of {s.operator}"
        for s in program.steps
        for i in range(s.operator.count("{}"))
    }
    looked_at = kinds_of_program(program) | argument_kinds
    mentions = tuple(each for each in reading.results.mentions if each.kind in looked_at)
    lines = tuple(
        template
        for template in reading.results.templates
        if template.text in (looked_at if template.nested else kinds)
    )
    goal = wordings[0].text if wordings else "any task"
    if program.planner is not None:  # it is named after the ends of all its goals
        goal = " ".join(("plan", *dict.fromkeys(each.ends for each in program.planner.goals)))
    return ProgramFile(
        _id_beside_plans(goal, other_ids),
        program,
        lines,
        tuple(wordings),
        status="active" if trusted else "draft",
        provenance={"proof": proof.text},
        mentions=mentions,
    )


def _id_beside_plans(goal: str, other_ids: Collection[str]) -> str:
    """Return an id that no plan for this goal has, which a clone may learn meanwhile."""
    name = program_id(goal)
    return slug(f"{name} program" if name == slug(goal) else name, other_ids)
