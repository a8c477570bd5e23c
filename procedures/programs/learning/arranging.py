"""Programs that arrange, for demonstrations that hand in a list of records as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from ...arrangements.arrangement import Arrangement
from ...arrangements.learning.arrangement_learner import learn_arrangement
from ...arrangements.learning.arrangement_proof import held_out
from ...arrangements.learning.shown import Shown, read_shown
from ...arrangements.learning.wish_learning import Similarity
from ...episodes.lines import lines_of
from ...episodes.templates import ANY_TEXT, Template, literal_text
from ...episodes.trajectories import Trajectory
from ...learning.abstraction import slug
from ..documents import ProgramFile
from ..program import Program, ProgramStep
from ..program_proof import ProgramProof
from ..replaying import Divergence
from ..sources import Arranged
from .program_kinds import ProgramProposal, TaskKind

_LEAST = 3
"""Least demonstrations for an arrangement."""
_FOLDS = 3
"""Folds of the proof: few demonstrations are enough for one."""
_POSSIBLE = 0.8
"""Share of held-out demonstrations that have to be possible for an arrangement to be used."""
_SLOTS_NAMED = 3
"""Most slots in an id, so that it stays short."""
_MOST_REFUSALS = 10
"""Most lines of refusals that become templates, the most frequent."""


def propose_arranging(
    demonstrations: Sequence[Trajectory],
    other_ids: Collection[str] = (),
    similarity: Similarity | None = None,
) -> TaskKind | None:
    """Return demonstrations that arrange, with a program; None where too few do.

    Args:
        demonstrations: Episodes that succeeded.
        other_ids: Ids of other documents.
        similarity: Of two words, in [-1, 1].
    """
    members, examples = [], []
    for demonstration, example in zip(demonstrations, read_shown(demonstrations), strict=True):
        if example is not None:
            members.append(demonstration)
            examples.append(example)
    if len(examples) < _LEAST:
        return None
    arrangement = learn_arrangement(examples, similarity)
    if arrangement is None:
        return None
    proof = _proof(examples, similarity)
    trusted = proof.share >= _POSSIBLE
    provenance = {"proof": proof.text}
    if not trusted:
        provenance["reason"] = proof.divergences[0].because
    file = ProgramFile(
        _identifier(arrangement, other_ids),
        Program(_steps(arrangement, examples)),
        _lines(arrangement, examples),
        (ANY_TEXT,),
        status="active" if trusted else "draft",
        provenance=provenance,
    )
    return TaskKind(tuple(members), ProgramProposal(file, proof))


def _proof(examples: Sequence[Shown], similarity: Similarity | None) -> ProgramProof:
    divergences = (
        Divergence(each.task, len(each.told) + 1, (each.finish, ()), because, abstains=True)
        for each, because in zip(examples, held_out(examples, _FOLDS, similarity), strict=True)
        if because
    )
    return ProgramProof(len(examples), tuple(divergences))


def _steps(arrangement: Arrangement, examples: Sequence[Shown]) -> tuple[ProgramStep, ...]:
    enquiry = arrangement.enquiry
    asking = [ProgramStep("ask", enquiry.do, (Arranged(arrangement, False),))] if enquiry else []
    finish = ProgramStep("hand-in", examples[0].finish, (Arranged(arrangement, True),), commit=True)
    return (*asking, finish)


def _lines(arrangement: Arrangement, examples: Sequence[Shown]) -> tuple[Template, ...]:
    """Return the templates of answers: the line that tells a number, and the shown refusals."""
    if arrangement.enquiry is None:
        return ()
    before, slot, behind = arrangement.enquiry.tells.partition("{1}")
    refusals = Counter(
        line for each in examples for text in each.refusals for line in lines_of(text)
    )
    return (
        Template(f"{literal_text(before)}{slot}{literal_text(behind)}"),
        *(Template(literal_text(line)) for line, _ in refusals.most_common(_MOST_REFUSALS)),
    )


def _identifier(arrangement: Arrangement, other_ids: Collection[str]) -> str:
    slots = dict.fromkeys(form.slot for form in arrangement.forms if form.among)
    return slug(" ".join(("arrange", *list(slots)[:_SLOTS_NAMED])), other_ids)
