"""A procedure of tool calls in progress: its parameters read, its next calls, its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ..condition_patterns import Pattern, instantiate, normalise, template_parameters
from ..model import Parameter, Procedure, Step
from ..model_documents import thaw
from .flow import read_line
from .templates import Hole, TokenTemplate, fill_spans, match, words_of
from .values import (
    LONGEST_RESULT,
    Token,
    canonical,
    kind_of,
    parse_result,
    select,
    text_of,
    tokenise,
)

__all__ = [
    "Execution",
    "arguments_of",
    "batches",
    "goal_template",
    "is_tool_procedure",
    "needed_words",
]

_ALONE = re.compile(r"\{([A-Za-z0-9_]{1,40})\}")
_NUMBERS = frozenset({"zero", "negative", "count", "amount"})
_ALIKE: Mapping[str, frozenset[str]] = {
    "text": frozenset({"text", "word", "code"}),
    "count": frozenset({"count", "amount"}),
    "amount": frozenset({"count", "amount"}),
    "number": frozenset({"integer", "number"}),
}
"""Kind that was seen → kinds that will do."""
_BREAKS_OUT = re.compile(r"[\"'`;\\<>|$\n\r{}]|--")
"""What may end the quotation or the statement that a value is put into."""
_SENTENCE_END = re.compile(r"[.!?;:\n]")
_MARKS = (".", "?", "!")
_QUOTES = ("''", '""', "``", "\u2018\u2019", "\u201c\u201d", "\u00ab\u00bb", "\u201e\u201c")
_LONGEST_ANSWER = 20_000
_NAME = re.compile(r"(?<!\\)\{([A-Za-z0-9_]{1,40})\}")


def is_tool_procedure(procedure: Procedure) -> bool:
    """Whether a procedure begins with a call of a tool."""
    return procedure.steps[0].tool is not None


@lru_cache(maxsize=4_096)
def goal_template(goal: str) -> TokenTemplate:
    """Return the words and named holes of a goal."""
    result: list[str | Hole] = []
    at = 0
    for found in _NAME.finditer(goal):
        result += words_of(_plain(goal[at : found.start()]))
        result.append(Hole(found[1]))
        at = found.end()
    return (*result, *words_of(_plain(goal[at:])))


def needed_words(goal: str) -> frozenset[str]:
    """Return the words without which a goal reads no task; a last mark is none of them."""
    words = [piece for piece in goal_template(goal) if not isinstance(piece, Hole)]
    return frozenset(word.casefold() for word in words if word not in _MARKS)


def _plain(text: str) -> str:
    return re.sub(r"\\([\\*{])", r"\1", text)


def batches(procedure: Procedure) -> list[list[int]]:
    """Return the indices of the tool steps, those issued together in one list."""
    found: list[list[int]] = []
    for index, step in enumerate(procedure.steps):
        if step.tool is None:
            break
        if step.parallel and found:
            found[-1].append(index)
        else:
            found.append([index])
    return found


@dataclass(slots=True)
class _View:
    """What conditions may look at: the task and the results, one line each."""

    task: str
    lines: tuple[str, ...]

    def has_observation(self) -> bool:
        return bool(self.lines)

    def latest_sentences(self) -> Sequence[str]:
        return self.lines[-1:]

    def all_sentences(self) -> Iterable[str]:
        return self.lines

    def successful_actions(self) -> Sequence[str]:
        return ()

    def last_action_on(self, entity: str) -> str | None:
        return None

    def kind_of(self, entity: str) -> str:
        return kind_of(entity)

    def mates(self, kind: str) -> Sequence[str]:
        return ()


@dataclass(frozen=True, slots=True)
class Execution:
    """A procedure read for one task, with the results so far.

    Attributes:
        procedure: What is carried out.
        task: The task's text.
        fillers: Parameter → the task's words for it.
        results: Index of a step → its result as text.
        words: How many words of the goal, or of one of its wordings, the task has.
    """

    procedure: Procedure
    task: str
    fillers: Mapping[str, str]
    results: Mapping[int, str]
    words: int = 0

    @classmethod
    def start(
        cls,
        procedure: Procedure,
        task: str,
        words: Sequence[str] | None = None,
        context: str | None = None,
    ) -> Execution | None:
        """Read the task with the procedure's goal or a wording of it; None where none fits.

        All words of the goal must be there, every filler must be of a kind that was met before,
        and no precondition may be false. A sentence's last mark may be missing or another one.

        Args:
            procedure: What is to be carried out.
            task: The task.
            words: Its tokens, where they are known already.
            context: The agent's instructions; None where they are not known.
        """
        tokens = tokenise(task)
        words = words or [token.text for token in tokens]
        for goal in (procedure.goal, *procedure.wordings):
            made = cls._read(procedure, goal, task, tokens, words, context)
            if made is not None:
                return made
        return None

    @classmethod
    def _read(
        cls,
        procedure: Procedure,
        goal: str,
        task: str,
        tokens: Sequence[Token],
        words: Sequence[str],
        context: str | None,
    ) -> Execution | None:
        template = goal_template(goal)
        spans = match(template, words)
        if spans is None and (alike := _without_mark(template, words)) is not None:
            spans = match(*alike)
        if spans is None:
            return None
        names = [piece.name for piece in template if isinstance(piece, Hole)]
        fillers: dict[str, str] = {}
        for name, text in zip(names, fill_spans(task, tokens, spans), strict=True):
            text = _unquoted(text)
            if fillers.setdefault(name, text) != text:
                return None
        size = sum(not isinstance(piece, Hole) for piece in template)
        made = cls(procedure, task, fillers, {}, size)
        try:
            for name in names:
                made.value(name)
        except LookupError:
            return None
        view = _View(task, () if context is None else (normalise(context),))
        if any(
            condition.evaluate(view, made._texts()).value is False
            for condition in procedure.preconditions
        ):
            return None
        return made

    def with_result(self, index: int, text: str) -> Execution:
        """Return the execution with one more result."""
        return replace(self, results={**self.results, index: text})

    def value(self, name: str) -> Any:
        """Return the value of a parameter.

        Raises:
            LookupError: It cannot be read, or is of a kind that was never met.
        """
        parameter = self.procedure.parameters[name]
        if parameter.source == "constant":
            return parameter.value
        if parameter.source == "task":
            if name not in self.fillers:
                raise LookupError(f"the task does not say {name}")
            value: Any = self.fillers[name]
        elif parameter.source == "result" and parameter.step is not None:
            value = _read(self.results[parameter.step - 1], parameter)
        else:
            raise LookupError(f"{name} is for a model to find")
        value = _typed(value, parameter.kinds)
        _check_kind(name, value, parameter)
        return value

    def as_expected(self, index: int) -> bool:
        """Whether a result has the form that was met in demonstrations."""
        step = self.procedure.steps[index]
        if not step.expect:
            return True
        text = self.results[index]
        if len(text) > LONGEST_RESULT:
            return False
        line = normalise(canonical(parse_result(text)))
        return any(Pattern.parse(each).bind({}).matches(line) for each in step.expect)

    def as_shown(self, step: Step) -> bool:
        """Whether the results so far are what they were before this step in demonstrations."""
        if step.when is None and step.unless is None:
            return True
        lines = tuple(
            normalise(canonical(parse_result(self.results[index])))
            for index in sorted(self.results)
        )
        view, texts = _View(self.task, lines), self._texts()
        if step.when is not None and step.when.evaluate(view, texts).value is not True:
            return False
        return step.unless is None or step.unless.evaluate(view, texts).value is not True

    def answer(self) -> str | None:
        """Return the final answer, or None where it is for the model to give."""
        step = self.procedure.steps[-1]
        if step.do is None:
            return None
        if not self.as_shown(step):
            return None
        told = instantiate(step.do, self._texts())
        return None if told is None or len(told) > _LONGEST_ANSWER else told

    def _texts(self) -> dict[str, str]:
        """Return all values that can be read now, as text."""
        found: dict[str, str] = {}
        for name in self.procedure.parameters:
            with suppress(LookupError):
                found[name] = text_of(self.value(name))
        return found


def _without_mark(
    template: TokenTemplate, words: Sequence[str]
) -> tuple[TokenTemplate, Sequence[str]] | None:
    """Return template and words without a last mark that only one has, or both in another form."""
    if len(template) < 2 or len(words) < 2:
        return None
    wanted, there = template[-1] in _MARKS, words[-1] in _MARKS
    if wanted:
        return template[:-1], words[:-1] if there else words
    return (template, words[:-1]) if there and isinstance(template[-1], str) else None


def _unquoted(text: str) -> str:
    """Return a value without the quotation marks around it."""
    inner = text[1:-1].strip()
    return inner if len(text) > 2 and text[0] + text[-1] in _QUOTES and inner else text


def arguments_of(step: Step, execution: Execution) -> dict[str, Any]:
    """Return the arguments of a call.

    Raises:
        LookupError: A parameter cannot be read, or does not belong into a text such as this.
    """
    return {key: _filled(value, execution) for key, value in thaw(step.args).items()}


def _filled(value: Any, execution: Execution) -> Any:
    if isinstance(value, dict):
        return {key: _filled(inner, execution) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, execution) for inner in value]
    if not isinstance(value, str):
        return value
    if alone := _ALONE.fullmatch(value):
        return execution.value(alone[1])
    texts: dict[str, str] = {}
    for name in template_parameters(value):
        texts[name] = text_of(execution.value(name))
        if _BREAKS_OUT.search(texts[name]):
            raise LookupError(f"{name} holds signs that have a meaning where it would be put")
    told = instantiate(value, texts)
    assert told is not None  # noqa: S101 (every parameter has a value here)
    return told


def _read(text: str, parameter: Parameter) -> Any:
    if len(text) > LONGEST_RESULT:
        raise LookupError("the result is too long to be looked into")
    result = parse_result(text)
    if parameter.pattern is not None:
        return read_line(result, parameter.pattern)
    if not parameter.path and isinstance(result, str):
        return result.strip()
    try:
        return select(result, parameter.path or "")
    except TypeError as error:
        raise LookupError(str(error)) from error


def _typed(value: Any, kinds: Sequence[str]) -> Any:
    numeric = not _NUMBERS.isdisjoint(kinds)
    if numeric and isinstance(value, str):
        try:
            return int(value)
        except ValueError:
            pass
        try:
            return float(value)
        except ValueError:
            raise LookupError(f"{value[:40]!r} is no number") from None
    if kinds and not numeric and isinstance(value, int | float) and not isinstance(value, bool):
        return text_of(value)
    return value


def _check_kind(name: str, value: Any, parameter: Parameter) -> None:
    if not parameter.kinds:
        return
    kind = kind_of(value)
    if not any(kind in _ALIKE.get(each, (each,)) for each in parameter.kinds):
        raise LookupError(f"{name} was never {kind} before")
    if parameter.source == "task" and kind == "text" and _SENTENCE_END.search(str(value)):
        raise LookupError(f"{name} would span sentences")
