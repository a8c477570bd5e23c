"""A view of an execution's context for conditions, and the features of its situations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..common.text import sentences
from ..conditions.text_patterns import normalise, quoted
from ..words.lexicon import Lexicon, fill_frame, placeholders
from ..words.sentence_patterns import generalise
from .execution_context import ExecutionContext


class ContextView:
    """An :class:`.EpisodeView` of one execution, which conditions read.

    Args:
        context: The execution.
        lexicon: Finds entities.
        until: How many of its steps have been done.

    Attributes:
        task: Text of the task.
    """

    def __init__(self, context: ExecutionContext, lexicon: Lexicon, until: int) -> None:
        self.task = context.task
        self._lexicon = lexicon
        worked = [event for event in context.steps[:until] if event[2]]
        self._actions = [normalise(a) for a in (*context.done, *(event[0] for event in worked))]
        self._latest = sentences(worked[-1][1]) if worked else context.latest
        observed_sentences = (sentence for event in worked for sentence in sentences(event[1]))
        self._all = tuple(dict.fromkeys((*context.seen, *context.latest, *observed_sentences)))

    def has_observation(self) -> bool:
        """Tell whether anything was observed yet."""
        return bool(self._all)

    def latest_sentences(self) -> Sequence[str]:
        """Return the sentences of the latest observation."""
        return self._latest

    def all_sentences(self) -> Iterable[str]:
        """Return all stored sentences."""
        return self._all

    def successful_actions(self) -> Sequence[str]:
        """Return the actions that worked, oldest first."""
        return self._actions

    def last_action_on(self, entity: str) -> str | None:
        """Return the last action that worked on the entity."""
        for action in reversed(self._actions):
            if entity in self._lexicon.parse(action)[1]:
                return action
        return None

    def kind_of(self, entity: str) -> str:
        """Return the kind of an entity."""
        return self._lexicon.kind(entity)

    def mates(self, kind: str) -> Sequence[str]:
        """Return kinds that mean nearly the same; none for a kind that the library knows."""
        return () if kind in self._lexicon.kinds else self._lexicon.clusters.mates(kind)


def action_template(action: str, context: ExecutionContext, lexicon: Lexicon) -> str | None:
    """Return an action over the parameters of an execution, with ``*`` for unbound entities.

    None where it has entities, but no bound one.
    """
    frame, arguments = lexicon.parse(action)
    names = {entity.lower(): name for name, entity in context.binding.items()}
    if arguments and names.keys().isdisjoint(arguments):
        return None
    return fill_frame(frame, placeholders(arguments, names))


def situation_features(
    context: ExecutionContext,
    lexicon: Lexicon,
    mentioned: Iterable[str],
    until: int,
) -> Iterator[str]:
    """Yield conditions that may distinguish this situation from others.

    Each mentions one of the variables: a guard on anything else easily fits by chance.

    Args:
        context: The execution.
        lexicon: Finds entities.
        mentioned: Names of the parameters, one of which each condition mentions.
        until: How many of its steps have been done.
    """
    view = ContextView(context, lexicon, until)
    names = {context.binding[n].lower(): n for n in mentioned if n in context.binding}
    if not names:
        return
    slots = ["{" + name + "}" for name in names.values()]

    def tells(pattern: str) -> bool:
        return any(slot in pattern for slot in slots)

    for word, texts in (("observed", view.latest_sentences()), ("ever", view.all_sentences())):
        for sentence in texts:
            pattern = generalise(lexicon, sentence, names)
            if tells(pattern):
                yield f"{word}({quoted(pattern)})"
    for action in view.successful_actions():
        frame, arguments = lexicon.parse(action)
        if not names.keys().isdisjoint(arguments):
            yield f"done({quoted(fill_frame(frame, placeholders(arguments, names)))})"
    for entity, name in names.items():
        yield f"kind({{{name}}}) in [{quoted(lexicon.kind(entity))}]"
