"""Programs that compose, for demonstrations that end with a text of told and said parts."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...compositions.learning.composition_learner import Learned, learn_composition
from ...compositions.learning.composition_proof import proved
from ...episodes.templates import ANY_TEXT, literal_text
from ...episodes.tokens import tokens
from ...episodes.trajectories import Trajectory
from ...learning.abstraction import slug
from ..box import Box
from ..documents import ProgramFile
from ..play_evidence import CLAIMED
from ..program import Program, ProgramStep
from ..program_proof import ProgramProof
from ..replaying import Divergence
from ..sources import Composed, Source
from .program_kinds import ProgramProposal, TaskKind

_COMPOSE = "compose"


def propose_composing(
    demonstrations: Sequence[Trajectory], other_ids: Collection[str] = ()
) -> TaskKind | None:
    """Return demonstrations that compose texts, with a program; None where too few do.

    The program is used where it reproduces more held-out demonstrations than the nearest other one,
    re-bound. Without graded rewards it has to reproduce nearly all.

    Args:
        demonstrations: Episodes that succeeded.
        other_ids: Ids of other documents.
    """
    composing = learn_composition(demonstrations)
    if composing is None:
        return None
    evidence = proved(composing)
    graded = any(each.reward is not None for each in demonstrations)
    trusted = evidence.first > evidence.rebound and (
        graded or evidence.first >= CLAIMED * evidence.of
    )
    tried_text = f"{evidence.tried} among the {composing.composition.most_tries} that are tried"
    proof_text = (
        f"{evidence.first} of {evidence.of} demonstrations reproduced first, {tried_text}, "
        f"{evidence.rebound} by the nearest one; whole worlds held out"
    )
    file = ProgramFile(
        _identifier(composing, other_ids),
        _program(composing),
        (ANY_TEXT,),
        (ANY_TEXT,),
        status="active" if trusted else "draft",
        provenance={"proof": proof_text}
        | ({} if trusted else {"reason": "too few demonstrations are reproduced"}),
    )
    divergences = tuple(
        Divergence(each.shown.task, len(each.shown.acts), (each.text, ()), why, abstains=True)
        for each, why in evidence.missed
    )
    members = tuple(each.shown for each in composing.material.composed)
    return TaskKind(members, ProgramProposal(file, ProgramProof(evidence.of, divergences)))


def _program(composing: Learned) -> Program:
    """Return the program: a step that composes, then the fixed actions of the end."""
    source: Source = Composed(composing.composition)
    ends = composing.material.ends
    return Program(
        (
            ProgramStep(_COMPOSE, "{}", (source,), again=True, commit=not ends),
            *(
                ProgramStep(
                    slug(end, ()),
                    literal_text(end),
                    (),
                    commit=number == len(ends),
                    box=Box(needs=(_COMPOSE,)),
                )
                for number, end in enumerate(ends, 1)
            ),
        )
    )


def _identifier(composing: Learned, other_ids: Collection[str]) -> str:
    words = [w for w in tokens(composing.composition.look_ups[0].do) if w.isalpha()]
    return slug(" ".join(("compose", *words)), other_ids)
