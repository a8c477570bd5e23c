"""Arguments of calls as templates: anti-unification of values, of nested JSON too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .flow import Source, Sources
from .templates import common, fill_spans, match
from .uses import Unexplained, Uses
from .values import Token, convert, tokenise
from .writing import escaped, fine_tokens, same, written

__all__ = ["argument_template", "text_template"]


def argument_template(
    sources: Sources, uses: Uses, values: Sequence[Any], key: str, before: int
) -> Any:
    """Return the template of one argument, or part of one.

    Args:
        sources: What the episodes offer.
        uses: Takes the names of what is used.
        values: What each episode has there.
        key: The argument's name.
        before: How many results are there when the call is made.

    Raises:
        Unexplained: The values differ, and nothing explains them.
    """
    if all(isinstance(each, dict) for each in values):
        if any(each.keys() != values[0].keys() for each in values):
            raise Unexplained
        return {
            name: argument_template(sources, uses, [each[name] for each in values], name, before)
            for name in values[0]
        }
    if all(same(each, values[0]) for each in values):
        return _constant(sources, uses, values, key, before)
    found = sources.explain(values, before)
    if found is not None and _convertible(sources, found, values):
        return f"{{{uses.name(found, key, values[0])}}}"
    if all(isinstance(each, list) and len(each) == len(values[0]) for each in values):
        return [
            argument_template(sources, uses, list(column), key, before)
            for column in zip(*values, strict=True)
        ]
    if all(isinstance(each, str) for each in values):
        text = text_template(values, uses, lambda texts: sources.explain(texts, before), key)
        if text is not None:
            return text
    raise Unexplained


def _constant(sources: Sources, uses: Uses, values: Sequence[Any], key: str, before: int) -> Any:
    value = values[0]
    if not isinstance(value, list | bool) and value is not None:
        found = sources.linked(values, key, before)
        if found is not None and _convertible(sources, found, values):
            return f"{{{uses.name(found, key, value)}}}"
    return escaped(value)


def _convertible(sources: Sources, source: Source, values: Sequence[Any]) -> bool:
    """Whether the value at the source can take the type that the argument has."""
    try:
        return all(
            same(convert(sources.value(source, i), value), value) for i, value in enumerate(values)
        )
    except (ValueError, LookupError):
        return False


def text_template(
    values: Sequence[str], uses: Uses, explain: Callable[[list[str]], Source | None], key: str
) -> str | None:
    """Return the template of texts of which parts vary, or None where a part is not explained.

    Args:
        values: What each episode has.
        uses: Takes the names of what is used.
        explain: Finds the source of what differs.
        key: Names what has no name of its own.
    """
    for split in (tokenise, fine_tokens):
        found = _parts(values, split, uses, explain, key)
        if found is not None:
            return found
    return None


def _parts(
    values: Sequence[str],
    split: Callable[[str], Sequence[Token]],
    uses: Uses,
    explain: Callable[[list[str]], Source | None],
    key: str,
) -> str | None:
    tokens = [split(each) for each in values]
    template = common([[token.text for token in each] for each in tokens])
    if template is None:
        return None
    all_spans: list[tuple[tuple[int, int], ...]] = []
    for own in tokens:
        spans = match(template, [token.text for token in own], exact=False)
        if spans is None:
            return None
        all_spans.append(spans)
    filled = [fill_spans(*each) for each in zip(values, tokens, all_spans, strict=True)]
    found: list[Source] = []
    for column in zip(*filled, strict=True):
        source = explain(list(column))
        if source is None:
            return None
        found.append(source)
    names = [f"{{{uses.name(source, key)}}}" for source in found]
    return written(values[0], tokens[0], all_spans[0], names)
