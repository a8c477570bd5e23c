"""Ask a model how demonstrations are cut into procedures: one of each goal, within a budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...graph.budget import Budget, Meter
from ...graph.protocols import Abstracter
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.learning.cuts import Cut, Stretch
from .prompts import as_data

_MOST_GOALS = 20
"""Most goals that a model is asked about in one go, the most often demonstrated first."""


@dataclass(slots=True)
class Asked:
    """The answers of a model.

    Attributes:
        cuts: Goal → how it cuts one of its demonstrations.
        asked: Demonstrations that it was asked about.
        calls: Requests.
        tokens: Tokens of prompts and answers.
        refused: Goal → why nothing was taken.
    """

    cuts: dict[str, Cut] = field(default_factory=dict)
    asked: int = 0
    calls: int = 0
    tokens: int = 0
    refused: dict[str, str] = field(default_factory=dict)


def ask_for_cuts(
    demonstrations: Mapping[str, Sequence[Trajectory]],
    reasoner: Abstracter,
    *,
    maker: str,
    budget: Budget,
    progress: Callable[[int, int], None],
) -> Asked:
    """Ask how the shortest demonstration of each goal is cut.

    Args:
        demonstrations: Goal → what was demonstrated of it.
        reasoner: Cuts.
        maker: Stands in the provenance of what comes of it.
        budget: What one demonstration may cost.
        progress: Told before each question: how many were asked, of how many.
    """
    goals = sorted(demonstrations, key=lambda goal: (-len(demonstrations[goal]), goal))
    answers = Asked()
    for number, goal in enumerate(goals[:_MOST_GOALS]):
        progress(number, len(goals[:_MOST_GOALS]))
        shortest = min(
            demonstrations[goal], key=lambda each: (len(each.acts), each.task, each.acts)
        )
        meter = Meter(budget)
        segments = reasoner.segment(shortest, meter)
        answers.asked += 1
        answers.calls += meter.calls
        answers.tokens += meter.tokens
        if segments:
            stretches = tuple(
                Stretch(each.goal, each.start, each.stop, each.preconditions, each.postconditions)
                for each in segments
            )
            answers.cuts[goal] = Cut(shortest, stretches, maker)
        elif meter.left:
            answers.refused[goal] = "no usable answer"
        else:
            answers.refused[goal] = "the budget was used up before there was a usable answer"
    for goal in goals[_MOST_GOALS:]:
        answers.refused[goal] = f"not asked: {_MOST_GOALS} goals are asked about at most"
    answers.refused = {as_data(goal, 80): why for goal, why in answers.refused.items()}
    return answers
