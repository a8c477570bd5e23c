"""From episodes of one kind to a procedure: anti-unification of tasks, arguments and answers.

Every procedure is *replayed* before it is believed: read with its own parameters, each episode it
was made of must give back exactly its arguments and its answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..condition_patterns import escape, quoted
from ..conditions import Condition, parse_condition
from ..errors import LibraryError
from ..model import Procedure, Step
from .answering import REDACTED, answer_step, guards
from .arguments import argument_template
from .episodes import ToolEpisode
from .execution import Execution, arguments_of
from .familiar import shown_by
from .flow import Sources
from .uses import Unexplained, Uses
from .values import LONGEST_RESULT, result_pattern, tokenise
from .writing import text_pattern

__all__ = ["REDACTED", "abstract", "replays", "shape_of", "worth_learning"]

_LONGEST_TASK = 4_000
_ACKNOWLEDGEMENT = 6
"""A plain result of at most so many tokens that never varied is expected as it is."""


def worth_learning(episode: ToolEpisode) -> ToolEpisode | None:
    """Return an episode without the calls that did not work, or None if nothing is left."""
    calls = [call for call in episode.calls if call.ok]
    if not episode.success or not calls or len(episode.task) > _LONGEST_TASK:
        return None
    turns = {turn: i for i, turn in enumerate(sorted({call.turn for call in calls}))}
    return replace(episode, calls=tuple(replace(call, turn=turns[call.turn]) for call in calls))


def shape_of(episode: ToolEpisode) -> str:
    """Name the tools, their order and the form of their arguments; only like shapes merge."""

    def form(value: Any) -> str:
        if isinstance(value, Mapping):
            return "{" + ",".join(f"{key}:{form(value[key])}" for key in sorted(value)) + "}"
        return "[]" if isinstance(value, list | tuple) else "."

    return ";".join(f"{call.turn}.{call.tool}{form(call.args)}" for call in episode.calls)


def abstract(episodes: Sequence[ToolEpisode], identifier: str) -> Procedure | None:
    """Return the procedure that several episodes of one shape demonstrate.

    Args:
        episodes: At least one; each passed through :func:`worth_learning`.
        identifier: Id of the procedure.

    Returns:
        A procedure of version 1, or None where the episodes are not one procedure. Its last step
        is the answer (``do``), where that can be composed.
    """
    sources = Sources.of(episodes)
    if sources is None:
        return None
    # What one run said is no template yet.
    answered = len(episodes) > 1 and all(each.answer for each in episodes)
    for with_answer in (True, False) if answered else (False,):
        try:
            procedure = _built(sources, identifier, with_answer=with_answer)
        except Unexplained:
            continue
        if procedure is not None and replays(procedure, episodes):
            return procedure
    return None


def replays(procedure: Procedure, episodes: Sequence[ToolEpisode]) -> bool:
    """Whether the procedure gives back each episode's calls and answer."""
    tools = [step for step in procedure.steps if step.tool is not None]
    answers = [step for step in procedure.steps if step.do is not None]
    for episode in episodes:
        execution = Execution.start(procedure, episode.task, context="\n".join(episode.context))
        if execution is None:
            return False
        for number, (step, call) in enumerate(zip(tools, episode.calls, strict=True)):
            try:
                if arguments_of(step, execution) != call.arguments:
                    return False
            except LookupError:
                return False
            execution = execution.with_result(number, call.result)
        if answers:
            told = execution.answer()
            if told is None or told.split() != (episode.answer or "").split():
                return False
    return True


def _built(sources: Sources, identifier: str, *, with_answer: bool) -> Procedure | None:
    """Return the procedure of one group of episodes, not yet replayed."""
    uses = Uses(sources)
    first = sources.episodes[0]
    steps: list[Step] = []
    for index, call in enumerate(first.calls):
        before = next(i for i, other in enumerate(first.calls) if other.turn == call.turn)
        values = [each.calls[index].arguments for each in sources.episodes]
        earlier = [i for i, other in enumerate(first.calls) if other.turn == call.turn - 1]
        checked = guards(sources, earlier) if index == before else {}
        steps.append(
            Step(
                tool=call.tool,
                args=argument_template(sources, uses, values, "", before),
                parallel=index > 0 and first.calls[index - 1].turn == call.turn,
                expect=_expectation([each[index] for each in sources.results]),
                **checked,
            )
        )
    if with_answer:
        steps.append(answer_step(sources, uses))
    goal = uses.goal()
    if goal is None:
        return None
    made = Procedure(
        id=identifier,
        version=1,
        goal=goal,
        parameters=uses.parameters(),
        preconditions=_context(sources),
        steps=tuple(steps),
        shown=shown_by(sources, uses),
    )
    try:
        return Procedure.from_document(made.to_document())
    except LibraryError:
        return None


def _context(sources: Sources) -> tuple[Condition, ...]:
    """What calls owe to the agent's instructions in every episode, these must say again."""
    said = set(sources.episodes[0].context)
    for episode in sources.episodes[1:]:
        said &= set(episode.context)
    return tuple(
        parse_condition(f"observed({quoted(f'*{escape(value)}*')})") for value in sorted(said)
    )


def _expectation(values: Sequence[Any]) -> tuple[str, ...]:
    """Return the form that results share, as patterns."""
    if any(isinstance(each, str) and len(each) > LONGEST_RESULT for each in values):
        return ()
    if not all(isinstance(each, str) for each in values):
        pattern = result_pattern(values)
        return () if pattern is None else (pattern,)
    pattern = text_pattern(values)
    if pattern is None or ("*" not in pattern and len(tokenise(values[0])) > _ACKNOWLEDGEMENT):
        return ()
    return (pattern,)
