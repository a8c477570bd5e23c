"""Programs that demonstrations propose, each proved on demonstrations that were held out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial

from ...arrangements.learning.wish_learning import Similarity
from ...common.independent_work import Each, here
from ...episodes.action_operators import learn_grammar
from ...episodes.beginnings import common_beginning
from ...episodes.mentions import NAME
from ...episodes.tokens import Tokens, tokens
from ...episodes.trajectories import Trajectory
from ...episodes.unification import common
from ...episodes.world_split import worlds_of
from ...learning.abstraction import slug
from ..decision_tables import Tabled
from ..documents import REASON, ProgramFile
from ..needed_facts import kinds_of_program
from ..parameter_names import argument_sources, program_id
from ..play_evidence import CLAIMED
from ..program import Act, Program
from ..program_proof import FEW, GRACE, ProgramProof, held_out_proof
from ..replaying import divergence_of, operators_of, replay
from ..sources import Computed, Written
from ..text_calls import action_of
from .arranging import propose_arranging
from .composing import propose_composing
from .lessons import Lesson, Reading, read_lesson
from .operator_learning import with_whole_operators
from .other_kinds import without_disputed
from .paging import propose_paging
from .planning import learn_planner
from .program_kinds import Kind, Proposal
from .program_learner import learn_program
from .reading_manners import Manner, Readings, sample
from .renamed_copies import renamed_copies
from .ways_apart import ways_apart

__all__ = ["draft_program", "propose_for_kinds", "propose_programs"]

_ABSTAINING = 0.5
"""The same where it only asks in all others: of many that tells how seldom it would be wrong."""
_LEAST = 3
"""Demonstrations from which on something is proposed."""
_MOST = 200
"""Most demonstrations that shape a program: whole episodes, evenly drawn."""
_LONGEST = 500
"""Actions; a demonstration of more shapes no program: each moment of it keeps all before it."""
_FIRST = 20
"""Demonstrations from which it is seen that a way of learning is worth no trial."""
_TRIAL = 40
"""Demonstrations from which it is seen whether a program is worth its proof."""
_WORTH = 0.3
"""Share of held-out demonstrations that a program has to reproduce."""
_MOST_PLANNED = 100
"""Most demonstrations, of all kinds of tasks, that shape a program that plans."""
_LEAST_PLANNED = 6
"""Demonstrations from which on a program that plans is proposed."""
_SEARCHED = 0.6
"""Share of few that a program that searches has to reproduce to be used."""
_GENERAL = 0.7
"""Share of the reproduced demonstrations that have to be reproduced with other names, too."""
_UNSEEN = 0.1
"""Chance, by Good and Turing, that a task is in a wording that nobody showed, up to which a program
that plans is used: it would hand over all of these."""
_TRIED = 10
"""Demonstrations by which it is seen what a program that plans would do: each step is planned."""
_STRANGE = 0.1
"""Share of what it does up to which that is a slip."""
_LIKE = 0.5
"""Share of words, or of operators, that demonstrations of one kind have in common."""


def propose_programs(
    demonstrations: Sequence[Trajectory], taken: Collection[str] = ()
) -> list[Proposal]:
    """Propose a program for each kind of task that demonstrations show; see there."""
    kinds = propose_for_kinds(demonstrations, taken)
    return [kind.proposal for kind in kinds if kind.proposal is not None]


def propose_for_kinds(
    demonstrations: Sequence[Trajectory],
    taken: Collection[str] = (),
    similarity: Similarity | None = None,
    refused: Callable[[str], None] = lambda _: None,
    each: Each = here,
) -> list[Kind]:
    """Return the kinds of tasks that demonstrations show, with a program for each.

    Each world is learned apart. Nothing is proposed for a kind of which few demonstrations, held
    out, are reproduced.

    Args:
        demonstrations: Episodes; programs are made of the successful ones.
        taken: Ids that other documents have.
        similarity: Of two words, in [-1, 1]: which others a task may use for those of tables.
        refused: Told why a program that plans was tried and is not used.
        each: Learns the kinds of a world, which do not depend on each other.
    """
    shown = [each for each in demonstrations if each.success and 0 < len(each.acts) <= _LONGEST]
    kinds: list[Kind] = []
    for number, world in enumerate(worlds_of(shown)):
        names = {*taken, *(kind.id for kind in kinds if kind.proposal is not None)}
        own = _propose_for_world(world, names, similarity, refused, each)
        kinds += (replace(_counted(_of_its_world(kind)), world=number) for kind in own)
    return kinds


def _counted(kind: Kind) -> Kind:
    """Return a kind whose program says how many demonstrations it was learned from."""
    if kind.proposal is None:
        return kind
    file = replace(kind.proposal.file, demonstrations=len(kind.demonstrations))
    return replace(kind, proposal=replace(kind.proposal, file=file))


def _of_its_world(kind: Kind) -> Kind:
    """Return a kind whose program, where it reads any task, is taken up in its own world only."""
    if kind.proposal is None or not kind.proposal.file.reads_anything:
        return kind
    # The task may stand in what is told first; that part says nothing of the world.
    begins = common_beginning(
        shown.obs[0].partition(shown.task)[0] if shown.task else shown.obs[0]
        for shown in kind.demonstrations
    )
    file = replace(kind.proposal.file, begins=begins)
    return replace(kind, proposal=replace(kind.proposal, file=file))


def _propose_for_world(
    shown: list[Trajectory],
    names: set[str],
    similarity: Similarity | None,
    refused: Callable[[str], None],
    each: Each,
) -> list[Kind]:
    kinds: list[Kind] = []
    arranging = propose_arranging(shown, names, similarity)
    if arranging is not None:
        kinds.append(arranging)
        names.add(arranging.id)
        shown = arranging.others(shown)
    paging = propose_paging(shown, names)
    if paging is not None and paging.proposal is not None and _trusted(paging.proposal.proof):
        kinds.append(paging)
        names.add(paging.id)
        shown = paging.others(shown)
    composing = propose_composing(shown, names)
    if composing is not None and composing.trusted:
        kinds.append(composing)
        names.add(composing.id)
        shown = composing.others(shown)
    groups = _kinds(shown)
    for members, proposal in zip(groups, each(_proposal, groups), strict=True):
        if proposal is not None:
            file = replace(proposal.file, id=slug(proposal.file.id, names))
            proposal = replace(proposal, file=file)
            names.add(file.id)
        kinds.append(Kind(tuple(members), proposal))
    kinds = without_disputed(kinds)
    rest = [each for kind in kinds if not kind.trusted for each in kind.demonstrations]
    reasons: list[str] = []
    planning = _planning(rest, names, reasons.append)
    if planning is not None:
        return [*(kind for kind in kinds if kind.trusted), Kind(tuple(rest), planning)]
    parts: list[Kind] = []
    for part in ways_apart(rest):
        if (planning := _planning(part, names, reasons.append)) is not None:
            names.add(planning.file.id)
            parts.append(Kind(tuple(part), planning))
    if not parts:
        for reason in reasons:
            refused(reason)
        return kinds
    planned = {id(shown) for part in parts for shown in part.demonstrations}
    others = (
        replace(kind, demonstrations=left)
        for kind in kinds
        if (left := tuple(shown for shown in kind.demonstrations if id(shown) not in planned))
    )
    return without_disputed([*others, *parts])


def draft_program(kind: Kind, taken: Collection[str], reason: str) -> ProgramFile:
    """Return what is known of a kind of task, as a draft: whoever meets one hands over.

    Args:
        kind: The demonstrations.
        taken: Ids that other documents have.
        reason: Why it is not used.
    """
    if kind.proposal is not None:
        return kind.proposal.file
    reading, lessons = read_lesson(sample(kind.demonstrations, _TRIAL))
    program = learn_program(lessons)
    file = _file(
        reading, lessons, program, held_out_proof(lessons, needed=operators_of(program)), taken
    )
    return replace(file, status="draft", provenance={**file.provenance, REASON: reason})


def _proposal(kind: Sequence[Trajectory]) -> Proposal | None:
    """Return the program of one kind of task; None where few are reproduced.

    Its id is as if there were no other.
    """
    if len(kind) < _LEAST:
        return None
    best = _best(kind)
    if best is None:
        return None
    members, reading, lessons, program, proof = best
    if proof.share < _WORTH:
        return None
    file = _file(reading, lessons, program, proof, ())
    if _trusted(proof) and not _general(file, reading, members[:_TRIAL], lessons[:_TRIAL]):
        said = "other names than those shown are not understood"
        file = replace(file, status="draft", provenance={**file.provenance, REASON: said})
    if _trusted(proof) and _contradicts(program, lessons):
        said = "it does otherwise than a demonstration that it was learned from"
        file = replace(file, status="draft", provenance={**file.provenance, REASON: said})
    return Proposal(file, proof)


def _contradicts(program: Program, lessons: Sequence[Lesson]) -> bool:
    """Whether a program of few demonstrations does otherwise than these showed.

    Of many, one that differs is noise; of few, a case that was shown once looks the same. What is
    only passed on may be misread, which an answer tells; what is made nobody else says. Two that
    go on with another action show a case that the program does not know.
    """
    if len(lessons) > FEW:
        return False
    needed = operators_of(program)
    otherwise = 0
    for lesson in lessons:
        parted = next((each for each in replay(program, lesson, needed) if each.diverges), None)
        decision = parted.decision if parted else None
        if parted is None or not isinstance(decision, Act):
            continue
        step = decision.step
        values = zip(step.sources, decision.arguments, parted.arguments, strict=False)
        if step.operator == parted.operator and any(
            isinstance(source, Written | Computed | Tabled) and made != shown
            for source, made, shown in values
        ):
            return True
        otherwise += step.operator != parted.operator
    return otherwise > GRACE


def _best(
    kind: Sequence[Trajectory],
) -> tuple[list[Trajectory], Reading, list[Lesson], Program, ProgramProof] | None:
    """Return the demonstrations, the program that reproduces most of them, and its proof.

    None where no manner of reading is worth a proof.
    """
    best = None
    readings = Readings(kind)
    for manner in readings.manners(_TRIAL):
        if not _promising(manner, readings):
            continue
        members = sample(readings.all, _MOST)
        reading, lessons = readings.read(_MOST, manner)
        program = learn_program(lessons)
        if not _reproduced(program, lessons, _WORTH):
            continue
        proof = held_out_proof(lessons, needed=operators_of(program), hope=_trusted)
        if best is None or _rank(proof) > _rank(best[-1]):
            best = members, reading, lessons, program, proof
        if _trusted(proof) and (proof.of <= FEW or proof.share >= CLAIMED):
            break
    return best


def _rank(proof: ProgramProof) -> tuple[bool, float]:
    """Return what is greater of the better program: it is used, and reproduces a greater share."""
    return _trusted(proof), proof.share


def _promising(manner: Manner, readings: Readings) -> bool:
    """Whether a manner of reading is worth a proof, as trials on few demonstrations tell.

    Of few demonstrations none can be spared for a trial.
    """
    number = len(readings.all)
    if number <= _TRIAL:
        return True
    trial = readings.read(_TRIAL, manner)[1]
    return _worth(sample(trial, _FIRST), _WORTH / 2) and _worth(trial, _WORTH)


def _worth(lessons: Sequence[Lesson], least: float) -> bool:
    """Whether a program of few demonstrations reproduces enough of a few others."""
    if len(lessons) < 2 * _LEAST:
        return False
    return _reproduced(learn_program(lessons[::2]), lessons[1::2], least)


def _reproduced(program: Program, lessons: Sequence[Lesson], least: float) -> bool:
    """Whether a program reproduces at least a share of some demonstrations."""
    good = sum(divergence_of(program, lesson) is None for lesson in lessons)
    return good >= least * len(lessons)


def _planning(
    demonstrations: Sequence[Trajectory], taken: Collection[str], refused: Callable[[str], None]
) -> Proposal | None:
    """Return a program that plans, for all kinds of tasks at once; None where it is not trusted."""
    asked = sample([each for each in demonstrations if each.task.strip()], _MOST_PLANNED)
    members = [_said_otherwise(each, number) for number, each in enumerate(asked)]
    if len(members) < _LEAST_PLANNED:
        return None
    reading = read_lesson(members)[0].with_names(members)
    lessons = with_whole_operators(reading.lessons(members))
    learn = partial(learn_planner, results=reading.results)
    program = learn(lessons)
    if program.planner is None:
        return None
    wordings = Counter(program.planner.wording_of(each.task) for each in members)
    alone = wordings[""] + sum(n == 1 for n in wordings.values())
    if alone > _UNSEEN * len(members):
        refused(f"{alone} of {len(members)} tasks are worded as no other")
        return None
    hope = partial(_trusted, searching=True)
    needed = operators_of(program)
    proof = held_out_proof(lessons, learn=learn, needed=needed, hope=hope)
    if not hope(proof):
        least = (
            f"at least {_SEARCHED:.0%} of {_LEAST_PLANNED} or more, and hardly one done otherwise"
        )
        rest = "; the rest was not tried" if proof.hopeless else ""
        refused(
            f"{proof.reproduced} of {proof.of} demonstrations reproduced, {proof.wrong} done "
            f"otherwise, held out by folds{rest}; {least} is asked for"
        )
        return None
    if (strange := _never_shown(program, lessons)) is not None:
        refused(f"it would do {strange!r}, which is of no form that was shown")
        return None
    return Proposal(_file(reading, lessons, program, proof, taken), proof)


def _said_otherwise(demonstration: Trajectory, number: int) -> Trajectory:
    """Return a demonstration with one of the sentences that ask for it, in turn.

    A program that plans takes up any task, so that it is proved in all words in which people ask.
    """
    sentences = (demonstration.task, *filter(str.strip, demonstration.also))
    return replace(demonstration, task=sentences[number % len(sentences)])


def _never_shown(program: Program, lessons: Sequence[Lesson]) -> str | None:
    """Return what a program often does with arguments of as many words as none that was shown."""
    shown = {
        (operator, tuple(len(tokens(each)) for each in arguments))
        for lesson in lessons
        for operator, arguments, _ in lesson.calls
    }
    strange: list[str] = []
    done = 0
    for lesson in sample(lessons, _TRIED):
        for each in replay(program, lesson):
            if not isinstance(each.decision, Act):
                continue
            done += 1
            operator, arguments = each.decision.step.operator, each.decision.arguments
            if (operator, tuple(len(tokens(one)) for one in arguments)) not in shown:
                strange.append(action_of(operator, arguments))
    return strange[0] if len(strange) > _STRANGE * done else None


def _kinds(demonstrations: Sequence[Trajectory]) -> list[list[Trajectory]]:
    """Group demonstrations by what was asked, and groups by the operators that they call.

    Tasks that say half their words alike, in the same order, ask for the same; so do wordings
    whose demonstrations have half of their operators in common. The largest group comes first.
    """
    shown = sample(demonstrations, 2 * _MOST)
    grammar = learn_grammar([(each.task, each.obs, each.acts) for each in shown])
    wordings: list[tuple[Tokens, list[Trajectory], set[str]]] = []
    for demonstration in demonstrations:
        task = tokens(demonstration.task)
        alike = (
            w for w in wordings if len(common(w[0], task)) >= _LIKE * max(len(w[0]), len(task))
        )
        wording = next(alike, None)
        if wording is None:
            wording = task, [], set()
            wordings.append(wording)
        _, members, operators = wording
        members.append(demonstration)
        if len(members) <= _TRIAL:
            operators.update(" ".join(grammar.skeleton(action)) for action in demonstration.acts)
    kinds: list[tuple[set[str], list[Trajectory]]] = []
    for _, members, operators in sorted(wordings, key=lambda x: len(x[1]), reverse=True):
        for mine, others in kinds:
            if len(operators & mine) >= _LIKE * len(operators | mine):
                others += members
                break
        else:
            kinds.append((operators, list(members)))
    return sorted((members for _, members in kinds), key=len, reverse=True)


def _trusted(proof: ProgramProof, *, searching: bool = False) -> bool:
    """Whether a program is used.

    Of few demonstrations hardly any can be spared, so that one in which the program abstains says
    little; of many nearly all have to be reproduced, unless it abstains from all others. Where
    something is searched for, what was shown is one of several ways that count, so that more of
    them have to be met.
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


def _general(
    file: ProgramFile,
    reading: Reading,
    demonstrations: Sequence[Trajectory],
    lessons: Sequence[Lesson],
) -> bool:
    """Whether copies of demonstrations with other names are reproduced nearly as well.

    What is made of a part of a name cannot be told of names that are exchanged word by word.
    """
    if any(isinstance(source, Written) for _, _, source in argument_sources(file.program)):
        return True
    good = sum(divergence_of(file.program, lesson) is None for lesson in lessons)
    copies = reading.lessons(renamed_copies(file, demonstrations, lessons))
    alike = sum(divergence_of(file.program, lesson) is None for lesson in copies)
    return alike >= _GENERAL * good


def _file(
    reading: Reading,
    lessons: Sequence[Lesson],
    program: Program,
    proof: ProgramProof,
    taken: Collection[str],
) -> ProgramFile:
    used = Counter(lesson.first.wording for lesson in lessons)
    wordings = sorted(
        (template for template in reading.tasks.templates if template.text in used),
        key=lambda template: (-used[template.text], template.text),
    )
    if program.planner is not None:
        wordings = list(program.planner.wordings)
    kinds = {
        fact.kind
        for lesson in lessons
        for result in (*lesson.first.results, *(r for _, _, r in lesson.calls))
        for fact in result
    }
    trusted = _trusted(proof, searching=program.planner is not None)
    # Names that its own steps take tell which sentences list several.
    own = {
        f"{NAME}{i + 1} of {s.operator}"
        for s in program.steps
        for i in range(s.operator.count("{}"))
    }
    looked_at = kinds_of_program(program) | own
    mentions = tuple(each for each in reading.results.mentions if each.kind in looked_at)
    lines = tuple(
        template
        for template in reading.results.templates
        if template.text in (looked_at if template.nested else kinds)
    )
    goal = wordings[0].text if wordings else "any task"
    if program.planner is not None:  # it is for all of its goals: named after what they end with
        goal = " ".join(("plan", *dict.fromkeys(each.ends for each in program.planner.goals)))
    said = f"{proof.reproduced} of {proof.of} demonstrations reproduced, held out by folds"
    return ProgramFile(
        _id_beside_plans(goal, taken),
        program,
        lines,
        tuple(wordings),
        status="active" if trusted else "draft",
        provenance={"proof": said},
        mentions=mentions,
    )


def _id_beside_plans(goal: str, taken: Collection[str]) -> str:
    """Return an id that no plan for this goal has, which a clone may learn meanwhile."""
    of_plan = slug(goal)
    name = program_id(goal, taken)
    return slug(f"{of_plan} program", taken) if name == of_plan else name
