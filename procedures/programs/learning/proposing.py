"""Programs that demonstrations propose, each proved on demonstrations that were held out."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass

from ...episodes.tokens import tokens
from ...trajectories import Trajectory
from ..documents import ProgramFile
from ..proof import ProgramProof, divergence_of, held_out
from .learner import Lesson, Reading, learn_program, read_lesson

__all__ = ["TRUSTED", "Proposal", "propose_programs"]

TRUSTED = 0.9
"""Share of held-out demonstrations from which a program is used."""
_LEAST = 3
_MOST = 200
"""Most demonstrations that shape a program: whole episodes, evenly drawn."""
_TRIAL = 40
"""Demonstrations from which it is seen whether a program is worth its proof."""
_WORTH = 0.5
_SLOT = re.compile(r"\{[^}]*\}")
_WORDS = 6
_LIKE = 0.5
"""Share of operators that two wordings have in common if they ask for the same."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A program and its proof."""

    file: ProgramFile
    proof: ProgramProof

    @property
    def trusted(self) -> bool:
        """Whether enough held-out demonstrations are reproduced."""
        return self.proof.share >= TRUSTED


def propose_programs(
    demonstrations: Sequence[Trajectory], taken: Collection[str] = ()
) -> list[Proposal]:
    """Propose a program for each kind of task that demonstrations show.

    Nothing is proposed for a kind of which half the demonstrations, held out, part from it.

    Args:
        demonstrations: Episodes; programs are made of the successful ones.
        taken: Ids that other documents have.
    """
    shown = [each for each in demonstrations if each.success and each.acts]
    shown = shown[:: max(1, -(-len(shown) // (2 * _MOST)))]
    if len(shown) < _LEAST:
        return []
    reading, lessons = read_lesson(shown)
    proposals: list[Proposal] = []
    for kind in _kinds(lessons):
        members = kind[:: max(1, -(-len(kind) // _MOST))]
        if len(members) < _LEAST or not _worth(members):
            continue
        proof = held_out(members)
        if proof.share < _WORTH:
            continue
        names = {*taken, *(proposal.file.id for proposal in proposals)}
        proposals.append(Proposal(_file(reading, members, proof, names), proof))
    return proposals


def _worth(lessons: Sequence[Lesson]) -> bool:
    """Whether a program of few demonstrations reproduces half of a few others."""
    if len(lessons) < _TRIAL:
        return True
    trial = lessons[:: max(1, len(lessons) // _TRIAL)][:_TRIAL]
    program = learn_program(trial[::2])
    others = trial[1::2]
    good = sum(divergence_of(program, lesson) is None for lesson in others)
    return good >= _WORTH * len(others)


def _kinds(lessons: Sequence[Lesson]) -> list[list[Lesson]]:
    """Group demonstrations by wordings, and wordings by the operators that they call for."""
    worded: dict[str, list[Lesson]] = defaultdict(list)
    for lesson in lessons:
        worded[lesson.first.wording].append(lesson)
    groups: list[tuple[set[str], list[str]]] = []
    for wording, members in sorted(worded.items(), key=lambda x: (-len(x[1]), x[0])):
        counts = Counter(o for lesson in members for o in {call[0] for call in lesson.calls})
        mine = {operator for operator, count in counts.items() if count * 2 >= len(members)}
        for operators, wordings in groups:
            if len(mine & operators) >= _LIKE * max(1, len(mine | operators)):
                wordings.append(wording)
                break
        else:
            groups.append((mine, [wording]))
    return [
        [lesson for lesson in lessons if lesson.first.wording in wordings] for _, wordings in groups
    ]


def _file(
    reading: Reading, lessons: Sequence[Lesson], proof: ProgramProof, taken: Container[str]
) -> ProgramFile:
    program = learn_program(lessons)
    used = Counter(lesson.first.wording for lesson in lessons)
    wordings = sorted(
        (template for template in reading.tasks.templates if template.text in used),
        key=lambda template: (-used[template.text], template.text),
    )
    kinds = {
        fact.kind
        for lesson in lessons
        for result in (*lesson.first.results, *(r for _, _, r in lesson.calls))
        for fact in result
    }
    lines = tuple(template for template in reading.results.templates if template.text in kinds)
    goal = wordings[0].text if wordings else "any task"
    said = f"{proof.reproduced} of {proof.of} demonstrations reproduced, held out by folds"
    return ProgramFile(
        _identifier(goal, taken),
        program,
        lines,
        tuple(wordings),
        status="active" if proof.share >= TRUSTED else "draft",
        provenance={"proof": said},
    )


def _identifier(goal: str, taken: Container[str]) -> str:
    """Return an id: the first words that a goal always says."""
    words = [word for word in tokens(_SLOT.sub(" ", goal)) if word[0].isalpha()]
    name = "-".join(words[:_WORDS]).lower()
    name = "".join(c if c.isascii() and (c.isalnum() or c == "-") else "" for c in name)
    name = name.strip("-") or "program"
    number = next(n for n in itertools.count(1) if (name if n == 1 else f"{name}-{n}") not in taken)
    return name if number == 1 else f"{name}-{number}"
