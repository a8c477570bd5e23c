"""Where values come from: the task's words, or the results of earlier calls.

A value that differs between episodes must be *explained*: at the same place of the task, or at the
same path of an earlier result, every episode has just that value. What cannot be explained is no
parameter, and the episodes are not one procedure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..condition_patterns import Pattern, escape
from .episodes import ToolEpisode
from .templates import (
    HOLE,
    Hole,
    TokenTemplate,
    common,
    fill_spans,
    generalise,
    match,
    words_of,
)
from .values import Token, canonical, kind_of, leaves, parse_result, select, text_of, tokenise

__all__ = ["Source", "Sources", "line_template", "read_line"]

_SPECIFIC = re.compile(r".*\d.*|.{5,}")
_MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value is read.

    Attributes:
        hole: The hole of the task's template, or None.
        part: Tokens (start, end) of what fills the hole; None for all of it.
        step: The call whose result is read, from 1, or None.
        path: JSON pointer into the result; None where a pattern is used.
        pattern: Pattern of a line of a plain text.
    """

    hole: int | None = None
    part: tuple[int, int] | None = None
    step: int | None = None
    path: str | None = None
    pattern: str | None = None


@dataclass(slots=True)
class Sources:
    """What several episodes of one kind offer as sources.

    Attributes:
        episodes: The episodes; all have the same tools in the same order.
        template: What their tasks share.
        fillers: For each episode, what fills the holes.
        results: For each episode, the parsed results.
    """

    episodes: Sequence[ToolEpisode]
    template: TokenTemplate
    fillers: list[list[str]]
    results: list[list[Any]]
    _leaves: dict[int, list[tuple[str, Any]]] = field(default_factory=dict)

    @classmethod
    def of(cls, episodes: Sequence[ToolEpisode]) -> Sources | None:
        """Align the tasks; None where they have too little in common."""
        tasks = [tokenise(each.task) for each in episodes]
        template = common([[token.text for token in tokens] for tokens in tasks])
        if template is None:
            return None
        words = [each for each in template if not isinstance(each, Hole) and each[0].isalpha()]
        holes = sum(isinstance(each, Hole) for each in template)
        if not words or holes > len(words):
            return None
        fillers: list[list[str]] = []
        for episode, tokens in zip(episodes, tasks, strict=True):
            spans = match(template, [token.text for token in tokens])
            if spans is None:
                return None
            fillers.append(fill_spans(episode.task, tokens, spans))
        results = [[parse_result(call.result) for call in each.calls] for each in episodes]
        return cls(episodes, template, fillers, results)

    def explain(self, values: Sequence[Any], before: int) -> Source | None:
        """Return where all these values (one an episode) are found, the task first.

        Args:
            values: What each episode has.
            before: How many results are there already.
        """
        texts = [text_of(each) for each in values]
        return self._in_task(texts) or self._in_results(values, texts, before)

    def _in_task(self, texts: Sequence[str]) -> Source | None:
        for hole in range(sum(isinstance(each, Hole) for each in self.template)):
            filled = [each[hole] for each in self.fillers]
            if filled == list(texts):
                return Source(hole=hole)
        for hole in range(sum(isinstance(each, Hole) for each in self.template)):
            tokens = [tokenise(each[hole]) for each in self.fillers]
            size = len(tokens[0])
            if size < 2 or any(len(each) != size for each in tokens):
                continue
            for start in range(size):
                for end in range(start + 1, size + 1):
                    if all(
                        each[hole][part[start].start : part[end - 1].end] == text
                        for each, part, text in zip(self.fillers, tokens, texts, strict=True)
                    ):
                        return Source(hole=hole, part=(start, end))
        return None

    def _in_results(
        self, values: Sequence[Any], texts: Sequence[str], before: int
    ) -> Source | None:
        for step in range(before - 1, -1, -1):
            if all(isinstance(each[step], str) for each in self.results):
                if found := self._in_lines(step, texts):
                    return found
                continue
            for path, leaf in self._of_first(step):
                if text_of(leaf) == texts[0] and self._everywhere(step, path, texts):
                    return Source(step=step + 1, path=path)
        return None

    def linked(self, values: Sequence[Any], key: str, before: int) -> Source | None:
        """Return the result that a value which never varied was most likely read from.

        An identifier that an earlier result holds under a like name is read, not known by heart.
        """
        if not _SPECIFIC.fullmatch(text_of(values[0])) or kind_of(values[0]) in (
            "text",
            "word",
            "path",
        ):
            return None
        texts = [text_of(each) for each in values]
        for step in range(before - 1, -1, -1):
            for path, leaf in self._of_first(step):
                name = path.rpartition("/")[2].casefold()
                if not name or name.isdigit() or text_of(leaf) != texts[0]:
                    continue
                like = name.endswith(key.casefold()) or key.casefold().endswith(name)
                if like and self._everywhere(step, path, texts):
                    return Source(step=step + 1, path=path)
        return None

    def constant_leaves(self) -> Iterator[tuple[Source, str]]:
        """Yield places of results that have one value in all episodes, longest texts first."""
        found: list[tuple[Source, str]] = []
        for step in range(len(self.results[0])):
            for path, leaf in self._of_first(step):
                text = text_of(leaf)
                if isinstance(leaf, bool) or leaf is None or not text:
                    continue
                if self._everywhere(step, path, [text] * len(self.results)):
                    found.append((Source(step=step + 1, path=path), text))
        # Of equally long ones the latest result, which is most likely what is reported.
        return iter(sorted(found, key=lambda each: (-len(each[1]), -(each[0].step or 0))))

    def columns(self) -> Iterator[tuple[Source, list[str]]]:
        """Yield places that hold a list in all episodes, with each episode's list as text."""
        for step in range(len(self.results[0])):
            for path, leaf in self._of_first(step):
                if not isinstance(leaf, list):
                    continue
                try:
                    lists = [select(each[step], path) for each in self.results]
                except (LookupError, TypeError):
                    continue
                if all(isinstance(each, list) and each for each in lists):
                    yield Source(step=step + 1, path=path), [text_of(each) for each in lists]

    def value(self, source: Source, episode: int) -> Any:
        """Return what an episode has at a source.

        Raises:
            LookupError: There is nothing.
        """
        if source.hole is not None:
            text = self.fillers[episode][source.hole]
            if source.part is None:
                return text
            tokens = tokenise(text)
            return text[tokens[source.part[0]].start : tokens[source.part[1] - 1].end]
        result = self.results[episode][(source.step or 1) - 1]
        if source.pattern is not None:
            return read_line(result, source.pattern)
        return select(result, source.path or "")

    def _of_first(self, step: int) -> list[tuple[str, Any]]:
        if step not in self._leaves:
            result = self.results[0][step]
            found = [each for each in leaves(result) if not _is_choice(result, each[0])]
            # Short paths first; the only element before columns, those before single elements.
            found.sort(
                key=lambda each: (each[0].count("/"), "!" not in each[0], "*" not in each[0])
            )
            self._leaves[step] = found
        return self._leaves[step]

    def _everywhere(self, step: int, path: str, texts: Sequence[str]) -> bool:
        try:
            return all(
                text_of(select(each[step], path)) == text and not _is_choice(each[step], path)
                for each, text in zip(self.results, texts, strict=True)
            )
        except (LookupError, TypeError):
            return False

    def _in_lines(self, step: int, texts: Sequence[str]) -> Source | None:
        results = [each[step] for each in self.results]
        if all(result.strip() == text for result, text in zip(results, texts, strict=True)):
            return Source(step=step + 1, path="")
        if any(text not in result for result, text in zip(results, texts, strict=True)):
            return None
        pattern = _line_pattern(results, texts)
        if pattern is None:
            return None
        try:
            if any(read_line(r, pattern) != t for r, t in zip(results, texts, strict=True)):
                return None
        except LookupError:
            return None
        return Source(step=step + 1, pattern=pattern)


def _is_choice(result: Any, path: str) -> bool:
    """Whether a path takes one of several like things: why that one, nothing shows."""
    value, in_row = result, False
    for part in path.split("/")[1:]:
        if isinstance(value, list) and part.isdigit() and len(value) > 1:
            nested = any(isinstance(each, dict | list) for each in value)
            if nested or (not in_row and len({kind_of(each) for each in value}) == 1):
                return True
        in_row = isinstance(value, list)
        if part == "*":
            return False
        value = select(value, f"/{part}")
    return False


def _line_pattern(results: Sequence[str], texts: Sequence[str]) -> str | None:
    """Return the pattern of the line that holds each text, with {value} in its place."""
    template: TokenTemplate | None = None
    for result, text in zip(results, texts, strict=True):
        marked = None
        for line in result.splitlines()[:_MOST_LINES]:
            tokens = tokenise(line)
            span = _span_of(line, tokens, text)
            if span is not None:
                words = [token.text for token in tokens]
                marked = [*words[: span[0]], "\0", *words[span[1] :]]
                break
        if marked is None:
            return None
        template = tuple(marked) if template is None else generalise(template, marked)
        if template is None or "\0" not in template:
            return None
    if template is None or not any(isinstance(e, str) and e[0].isalnum() for e in template):
        return None
    parts = [
        "{value}" if e == "\0" else "*" if isinstance(e, Hole) else escape(e) for e in template
    ]
    return " ".join(parts)


def _span_of(text: str, tokens: Sequence[Token], value: str) -> tuple[int, int] | None:
    at = text.find(value)
    if at < 0 or not value:
        return None
    starts = {token.start: index for index, token in enumerate(tokens)}
    ends = {token.end: index for index, token in enumerate(tokens, 1)}
    start, end = starts.get(at), ends.get(at + len(value))
    return None if start is None or end is None else (start, end)


def line_template(pattern: str) -> TokenTemplate:
    """Return the tokens of a line's pattern; ``{value}`` is the named hole."""
    result: list[str | Hole] = []
    for piece in _split(pattern):
        if piece == "*":
            result.append(HOLE)
        elif piece == "{value}":
            result.append(Hole("value"))
        else:
            result.extend(
                words_of(piece.replace("\\*", "*").replace("\\{", "{").replace("\\\\", "\\"))
            )
    return tuple(result)


def _split(pattern: str) -> list[str]:
    return [each for each in re.split(r"(?<!\\)(\*|\{value\})", pattern) if each.strip()]


def read_line(result: Any, pattern: str, *, whole: bool = False) -> str:
    """Return the value that the first fitting line of a text holds.

    Args:
        result: The text.
        pattern: The line's pattern.
        whole: The text is one line, whatever its breaks.

    Raises:
        LookupError: No line fits.
    """
    Pattern.parse(pattern)
    template = line_template(pattern)
    names = [piece.name for piece in template if isinstance(piece, Hole)]
    lines = [canonical(str(result))] if whole else str(result).splitlines()[:_MOST_LINES]
    for line in lines:
        tokens = tokenise(line)
        spans = match(template, [token.text for token in tokens], exact=False)
        if spans is not None:
            return fill_spans(line, tokens, spans)[names.index("value")]
    raise LookupError("no line fits the pattern")
