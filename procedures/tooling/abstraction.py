"""From episodes of one kind to a procedure: anti-unification of tasks, arguments and answers.

Every procedure is *replayed* before it is believed: read with its own parameters, each episode it
was made of must give back exactly its arguments and its answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..condition_patterns import escape, quoted
from ..conditions import parse_condition
from ..errors import LibraryError
from ..model import Parameter, Procedure, Step
from .episodes import ToolEpisode
from .execution import Execution, arguments_of
from .flow import Source, Sources
from .templates import common, fill_spans, match
from .values import (
    LONGEST_RESULT,
    Token,
    canonical,
    convert,
    invariant_pattern,
    kind_of,
    result_pattern,
    text_of,
    tokenise,
)

__all__ = ["REDACTED", "abstract", "shape_of", "worth_learning"]

REDACTED = re.compile(r"redacted_[a-z]+_[0-9a-f]{8}")
"""What a redaction puts in the place of a secret."""
_LONGEST_ANSWER = 2_000
_LONGEST_TASK = 4_000
_ACKNOWLEDGEMENT = 6
"""A plain result of at most so many tokens that never varied is expected as it is."""
_GUARDED = 6
_FINE = re.compile(r"\w+|[^\w\s]")


class _Unexplained(Exception):  # noqa: N818  # never leaves this module
    """A value varies, and nothing explains it."""


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
            procedure = _Abstraction(sources, identifier).build(with_answer=with_answer)
        except _Unexplained:
            continue
        if procedure is not None and _replays(procedure, episodes):
            return procedure
    return None


def _replays(procedure: Procedure, episodes: Sequence[ToolEpisode]) -> bool:
    """Whether the procedure gives back each episode's calls and answer."""
    tools = [step for step in procedure.steps if step.tool is not None]
    answers = [step for step in procedure.steps if step.do is not None]
    for episode in episodes:
        execution = Execution.start(procedure, episode.task)
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


@dataclass(frozen=True, slots=True)
class _Use:
    """A named source."""

    name: str
    source: Source
    like: Any = None


class _Abstraction:
    """The work on one group of episodes."""

    def __init__(self, sources: Sources, identifier: str) -> None:
        self.sources = sources
        self.episodes = sources.episodes
        self.identifier = identifier
        self.uses: list[_Use] = []

    def build(self, *, with_answer: bool) -> Procedure | None:
        steps: list[Step] = []
        first = self.episodes[0]
        for index, call in enumerate(first.calls):
            before = next(i for i, other in enumerate(first.calls) if other.turn == call.turn)
            args = self._node([each.calls[index].arguments for each in self.episodes], "", before)
            steps.append(
                Step(
                    tool=call.tool,
                    args=args,
                    parallel=index > 0 and first.calls[index - 1].turn == call.turn,
                    expect=self._expectation(index),
                )
            )
        if with_answer:
            steps.append(self._answer())
        goal = self._goal()
        if goal is None:
            return None
        try:
            return Procedure.from_document(
                Procedure(
                    id=self.identifier,
                    version=1,
                    goal=goal,
                    parameters=self._parameters(),
                    steps=tuple(steps),
                ).to_document()
            )
        except LibraryError:
            return None

    # ------------------------------------------------------------------ arguments
    def _node(self, values: Sequence[Any], key: str, before: int) -> Any:
        """Return the template of one argument, or part of one."""
        if all(isinstance(each, dict) for each in values):
            if any(each.keys() != values[0].keys() for each in values):
                raise _Unexplained
            return {
                name: self._node([each[name] for each in values], name, before)
                for name in values[0]
            }
        if all(_same(each, values[0]) for each in values):
            return self._constant(values, key, before)
        found = self.sources.explain(values, before)
        if found is not None and self._convertible(found, values):
            return f"{{{self._name(found, key, values[0])}}}"
        if all(isinstance(each, list) and len(each) == len(values[0]) for each in values):
            return [self._node(list(column), key, before) for column in zip(*values, strict=True)]
        if all(isinstance(each, str) for each in values):
            return self._text(values, key, before)
        raise _Unexplained

    def _constant(self, values: Sequence[Any], key: str, before: int) -> Any:
        value = values[0]
        if not isinstance(value, list | bool) and value is not None:
            found = self.sources.linked(values, key, before)
            if found is not None and self._convertible(found, values):
                return f"{{{self._name(found, key, value)}}}"
        return _escaped(value)

    def _convertible(self, source: Source, values: Sequence[Any]) -> bool:
        """Whether the value at the source can take the type that the argument has."""
        try:
            return all(
                _same(convert(self.sources.value(source, i), value), value)
                for i, value in enumerate(values)
            )
        except (ValueError, LookupError):
            return False

    def _text(self, values: Sequence[str], key: str, before: int) -> str:
        """Return the template of a text of which parts vary."""
        for split in (tokenise, _fine_tokens):
            found = self._parts(
                values, split, lambda texts: self.sources.explain(texts, before), key
            )
            if found is not None:
                return found
        raise _Unexplained

    def _parts(
        self,
        values: Sequence[str],
        split: Callable[[str], Sequence[Token]],
        explain: Callable[[list[str]], Source | None],
        key: str,
    ) -> str | None:
        tokens = [split(each) for each in values]
        template = common([[token.text for token in each] for each in tokens])
        if template is None:
            return None
        all_spans = [match(template, [t.text for t in each], exact=False) for each in tokens]
        filled: list[list[str]] = []
        for value, own, spans in zip(values, tokens, all_spans, strict=True):
            if spans is None:
                return None
            filled.append(fill_spans(value, own, spans))
        found: list[Source] = []
        for column in zip(*filled, strict=True):
            source = explain(list(column))
            if source is None:
                return None
            found.append(source)
        names = [f"{{{self._name(source, key)}}}" for source in found]
        first_spans = all_spans[0]
        assert first_spans is not None  # noqa: S101 (checked above)
        return _written(values[0], tokens[0], first_spans, names)

    # --------------------------------------------------------------------- answer
    def _answer(self) -> Step:
        """Return the last step, which says the answer."""
        answers = [each.answer or "" for each in self.episodes]
        if any(len(each) > _LONGEST_ANSWER for each in answers):
            raise _Unexplained
        marks: list[tuple[str, Source]] = []
        for source, texts in self.sources.columns():
            # A list in an answer is one value, however long it is.
            if all(text in a for text, a in zip(texts, answers, strict=True)) and any(
                ", " in text for text in texts
            ):
                mark = f"list{len(marks)}mark"
                answers = [a.replace(t, mark, 1) for a, t in zip(answers, texts, strict=True)]
                marks.append((mark, source))
        count = len(self.episodes[0].calls)
        text = None
        for split in (tokenise, _fine_tokens):
            text = self._parts(answers, split, lambda t: self.sources.explain(t, count), "value")
            if text is not None:
                break
        if text is None:
            raise _Unexplained
        for mark, source in marks:
            text = text.replace(mark, f"{{{self._name(source, 'values')}}}", 1)
        text = self._linked(text)
        bare = re.sub(r"(?<!\\)\{[a-z]\w*\}", " ", text)
        known = {word for word in self.sources.template if isinstance(word, str)}
        if REDACTED.search(bare) or any(
            any(c.isdigit() for c in token.text) and token.text not in known
            for token in tokenise(bare)
        ):
            # A figure that stands in no result was worked out: that is for the model.
            raise _Unexplained
        return Step(do=text, **self._answer_guards())

    def _linked(self, text: str) -> str:
        """Read from results what an answer reports, even where it was the same each time."""
        known = " ".join(each for each in self.sources.template if isinstance(each, str))
        for source, value in self.sources.constant_leaves():
            pattern = r"(?<![\w{])" + re.escape(escape(value)) + r"(?![\w}])"
            if value in known or not (found := re.search(pattern, text)):
                continue
            name = self._name(source, "value")
            text = f"{text[: found.start()]}{{{name}}}{text[found.end() :]}"
        return text

    def _answer_guards(self) -> dict[str, Any]:
        """What was so in every demonstration must be so again, or the answer is the model's."""
        when: list[str] = []
        unless: list[str] = []
        for index in range(len(self.episodes[0].calls)):
            values = [each[index] for each in self.sources.results]
            pattern = (
                _text_pattern(values)
                if all(isinstance(each, str) for each in values)
                else invariant_pattern(values)
            )
            if pattern is not None:
                when.append(f"ever({quoted(pattern)})")
            unless += _vanishing(values, self._linked_keys(index + 1))
        guards: dict[str, Any] = {}
        if when:
            guards["when"] = parse_condition(" and ".join(dict.fromkeys(when)))
        if unless:
            guards["unless"] = parse_condition(" or ".join(dict.fromkeys(unless)))
        return guards

    def _linked_keys(self, step: int) -> set[str]:
        """Keys of a result that parameters read; their kinds are checked with the parameters."""
        return {
            (use.source.path or "").removeprefix("/")
            for use in self.uses
            if use.source.step == step
        }

    # ----------------------------------------------------------------------- rest
    def _expectation(self, index: int) -> tuple[str, ...]:
        values = [each[index] for each in self.sources.results]
        if any(isinstance(each, str) and len(each) > LONGEST_RESULT for each in values):
            return ()
        if all(isinstance(each, str) for each in values):
            pattern = _text_pattern(values)
            if (
                pattern is not None
                and "*" not in pattern
                and len(tokenise(values[0])) > _ACKNOWLEDGEMENT
            ):
                pattern = None
        else:
            pattern = result_pattern(values)
        return () if pattern is None else (pattern,)

    def _name(self, source: Source, key: str, like: Any = None) -> str:
        """Name a source; ``like`` is an argument that it gives as a whole, so its type counts."""
        for number, use in enumerate(self.uses):
            if use.source != source:
                continue
            if (
                like is None
                or use.like is None
                or isinstance(like, str) == isinstance(use.like, str)
            ):
                if use.like is None:
                    self.uses[number] = replace(use, like=like)
                return use.name
            if source.hole is not None:
                raise _Unexplained  # text here and number there: a goal names a slot once
        last = (source.path or "").rpartition("/")[2]
        if last and not last.isdigit() and (like is None or not key):
            key = last
        base = re.sub(r"\W+", "_", key.lower(), flags=re.ASCII).strip("_")[:30]
        if not base or not base[0].isalpha():
            base = "x"
        taken = {use.name for use in self.uses}
        name, number = base, 2
        while name in taken:
            name, number = f"{base}_{number}", number + 1
        self.uses.append(_Use(name, source, like))
        return name

    def _goal(self) -> str | None:
        """Write the tasks' template; None where a hole is not used, or used in two ways."""
        task = self.episodes[0].task
        tokens = tokenise(task)
        spans = match(self.sources.template, [token.text for token in tokens])
        if spans is None:
            return None
        pieces: list[tuple[int, int]] = []
        names: list[str] = []
        for hole, (start, end) in enumerate(spans):
            used = [use for use in self.uses if use.source.hole == hole]
            if not used:
                return None
            whole = [use for use in used if use.source.part is None]
            if whole:
                if len(used) > 1:
                    return None
                pieces.append((start, end))
                names.append(whole[0].name)
                continue
            at = 0
            for use in sorted(used, key=lambda each: each.source.part or (0, 0)):
                part = use.source.part or (0, 0)
                if part[0] != at:
                    return None
                pieces.append((start + part[0], start + part[1]))
                names.append(use.name)
                at = part[1]
            if at != end - start:
                return None
        return _written(task, tokens, pieces, [f"{{{name}}}" for name in names])

    def _parameters(self) -> dict[str, Parameter]:
        found: dict[str, Parameter] = {}
        for use in self.uses:
            source = use.source
            values = [self.sources.value(source, i) for i in range(len(self.episodes))]
            if use.like is not None:
                values = [convert(value, use.like) for value in values]
            kinds = sorted({kind_of(value) for value in values})
            found[use.name] = Parameter(
                source="result" if source.hole is None else "task",
                kinds=tuple(kinds),
                step=source.step,
                path=source.path,
                pattern=source.pattern,
            )
        return found


def _written(
    text: str, tokens: Sequence[Token], spans: Sequence[tuple[int, int]], names: Sequence[str]
) -> str:
    """Return a text with spans of its tokens replaced by names; the rest stands for itself."""
    parts: list[str] = []
    at = 0
    for (start, end), name in zip(spans, names, strict=True):
        parts += [escape(text[at : tokens[start].start]), name]
        at = tokens[end - 1].end
    return "".join([*parts, escape(text[at:])])


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, list):
        return [_escaped(each) for each in value]
    if isinstance(value, dict):
        return {key: _escaped(each) for key, each in value.items()}
    return value


def _same(left: Any, right: Any) -> bool:
    """Equality that tells true from 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right) and isinstance(left, str) == isinstance(right, str)


def _fine_tokens(text: str) -> tuple[Token, ...]:
    return tuple(Token(each[0], *each.span()) for each in _FINE.finditer(text))


def _text_pattern(values: Sequence[str]) -> str | None:
    """Return what plain results share, as a pattern."""
    texts = [canonical(each) for each in values]
    tokens = [tokenise(each) for each in texts]
    if any(len(each) > 200 for each in tokens):
        return None
    template = common([[token.text for token in each] for each in tokens])
    if template is None:
        return None
    if not any(isinstance(piece, str) and piece[0].isalnum() for piece in template):
        return None
    spans = match(template, [token.text for token in tokens[0]], exact=False)
    if spans is None:
        return None
    pattern = _written(texts[0], tokens[0], spans, ["*"] * len(spans))
    return pattern if pattern and len(pattern) <= _LONGEST_ANSWER else None


def _vanishing(values: Sequence[Any], linked: set[str]) -> list[str]:
    """Conditions that say: a figure or text that demonstrations had is nothing this time."""
    if not all(isinstance(each, Mapping) for each in values):
        return []
    found: list[str] = []
    for key in [each for each in values[0] if each not in linked][:_GUARDED]:
        column = [each.get(key) for each in values]
        if all(_same(each, column[0]) for each in column):
            continue
        if all(isinstance(e, int | float) and not isinstance(e, bool) and e > 0 for e in column):
            nothing = ["0,", "0}", "-*", "null,", "null}"]
        elif all(isinstance(e, str) and e for e in column):
            nothing = ['"",', '""}', "null,", "null}"]
        elif all(isinstance(e, list) and e for e in column):
            nothing = ["[]"]
        else:
            continue
        name = escape(text_of([key]) if not isinstance(key, str) else f'"{key}"')
        for each in nothing:
            tail = each if each.endswith("*") else each + "*"
            found.append(f"ever({quoted(f'*{name}: {tail}')})")
    return found
