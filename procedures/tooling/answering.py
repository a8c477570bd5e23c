"""The final answer as a template, and what must be so again before memory gives it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ..condition_patterns import escape, quoted
from ..conditions import parse_condition
from ..model import Step
from .arguments import text_template
from .dates import dates_in
from .flow import Source, Sources
from .uses import Unexplained, Uses
from .values import invariant_pattern, tokenise
from .writing import LONGEST, text_pattern, text_without_figures

__all__ = ["REDACTED", "answer_step", "guards"]

REDACTED = re.compile(r"redacted_[a-z]+_[0-9a-f]{8}")
"""What a redaction puts in the place of a secret."""


def answer_step(sources: Sources, uses: Uses) -> Step:
    """Return the last step, which says the answer.

    Raises:
        Unexplained: It cannot be composed of the task's words and of values in results.
    """
    answers = [each.answer or "" for each in sources.episodes]
    if any(len(each) > LONGEST for each in answers):
        raise Unexplained
    answers, marks = _with_marks(sources, answers)
    count = len(sources.episodes[0].calls)
    text = text_template(answers, uses, lambda texts: sources.explain(texts, count), "value")
    if text is None:
        raise Unexplained
    for mark, source in marks:
        text = text.replace(mark, f"{{{uses.name(source, 'values')}}}", 1)
    text = _linked(sources, uses, text)
    bare = re.sub(r"(?<!\\)\{[a-z]\w*\}", " ", text)
    known = {word for word in sources.template if isinstance(word, str)}
    said = " ".join(known)
    if any(date not in said for date in dates_in(bare)):
        raise Unexplained  # the day is another one tomorrow
    if REDACTED.search(bare) or any(
        any(c.isdigit() for c in token.text) and token.text not in known for token in tokenise(bare)
    ):
        # A figure that stands in no result was worked out: that is for the model.
        raise Unexplained
    last = [i for i, c in enumerate(sources.episodes[0].calls) if c.turn == _last_turn(sources)]
    return Step(do=text, **guards(sources, last))


def _with_marks(sources: Sources, answers: list[str]) -> tuple[list[str], list[tuple[str, Source]]]:
    """Put a mark for each list of values: in an answer it is one value, however long it is."""
    marks: list[tuple[str, Source]] = []
    for source, texts in sources.columns():
        if all(text in a for text, a in zip(texts, answers, strict=True)) and any(
            ", " in text for text in texts
        ):
            mark = f"list{len(marks)}mark"
            answers = [a.replace(t, mark, 1) for a, t in zip(answers, texts, strict=True)]
            marks.append((mark, source))
    return answers, marks


def _linked(sources: Sources, uses: Uses, text: str) -> str:
    """Read from results what an answer reports, even where it was the same each time."""
    known = " ".join(each for each in sources.template if isinstance(each, str))
    for source, value in sources.constant_leaves():
        pattern = r"(?<![\w{])" + re.escape(escape(value)) + r"(?![\w}])"
        if value in known or not (found := re.search(pattern, text)):
            continue
        name = uses.name(source, "value")
        text = f"{text[: found.start()]}{{{name}}}{text[found.end() :]}"
    return text


def _last_turn(sources: Sources) -> int:
    return sources.episodes[0].calls[-1].turn


def guards(sources: Sources, results: Sequence[int]) -> dict[str, Any]:
    """Return ``when`` and ``unless`` of a step that follows on results.

    What was so in every demonstration must be so again, or what to do next is the model's to say:
    nothing shows that a locked account may be closed as an open one may.

    Args:
        sources: What the episodes offer.
        results: Indices of the calls whose results are looked at.
    """
    when: list[str] = []
    unless: list[str] = []
    for index in results:
        values = [each[index] for each in sources.results]
        pattern = (
            text_pattern(values)
            if all(isinstance(each, str) for each in values)
            else invariant_pattern(values)
        )
        if pattern is not None:
            when.append(f"ever({quoted(pattern)})")
        if all(isinstance(each, str) for each in values):
            unless += [f"ever({quoted(each)})" for each in text_without_figures(values)]
    found: dict[str, Any] = {}
    if when:
        found["when"] = parse_condition(" and ".join(dict.fromkeys(when)))
    if unless:
        found["unless"] = parse_condition(" or ".join(dict.fromkeys(unless)))
    return found
