"""Counts the steps that a backtracking matcher takes: linear time without a clock."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

if sys.version_info >= (3, 11):
    from re import _parser as parser  # type: ignore[attr-defined]
else:
    import sre_parse as parser

After = Callable[[int], "int | None"]
_SINGLE = {"LITERAL", "NOT_LITERAL", "ANY", "IN"}


class Counter:
    """Looks for a pattern as :mod:`re` does, from left to right, and counts.

    Attributes:
        steps: Items of the pattern that were tried at a place of the text.
    """

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
        self._folded = bool(self._tree.state.flags & re.IGNORECASE)
        self._signs: dict[tuple[int, str], bool] = {}
        self.steps = 0

    def scan(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of all matches."""
        self._text, self._groups = text, dict[int, tuple[int, int]]()
        found: list[tuple[int, int]] = []
        at = 0
        while at <= len(text):
            end = self._match(self._tree.data, at, lambda end: end)
            if end is not None:
                found.append((at, end))
            at = at + 1 if end is None else max(end, at + 1)
        return found

    def _match(self, items: list[Any], at: int, after: After) -> int | None:
        done = 0
        for item in items:
            self.steps += 1
            (op, value), done = item, done + 1
            if op.name not in _SINGLE:
                break
            if not self._one(item, at):
                return None
            at += 1
        else:
            return after(at)
        name, rest = op.name, items[done:]
        if name == "AT":
            return self._match(rest, at, after) if self._place(str(value), at) else None
        if name == "SUBPATTERN":
            group, inner = value[0], value[3].data

            def close(end: int) -> int | None:
                if group is not None:
                    self._groups[group] = (at, end)
                return self._match(rest, end, after)

            return self._match(inner, at, close)
        if name == "BRANCH":
            for branch in value[1]:
                first = branch.data[0] if branch.data else None
                if first is not None and first[0].name in _SINGLE and not self._one(first, at):
                    self.steps += 1  # as below, and sooner: most branches end here
                elif (end := self._match([*branch.data, *rest], at, after)) is not None:
                    return end
            return None
        if name in ("ASSERT", "ASSERT_NOT"):
            direction, inner = value
            start = at if direction > 0 else at - inner.getwidth()[1]
            held = start >= 0 and self._match(inner.data, start, lambda end: end) is not None
            return self._match(rest, at, after) if held == (name == "ASSERT") else None
        if name == "GROUPREF":
            start, end = self._groups[value]
            said = self._text[start:end]
            same = self._text.startswith(said, at)
            return self._match(rest, at + len(said), after) if same else None
        assert name in ("MAX_REPEAT", "MIN_REPEAT"), name
        return self._repeat(name == "MAX_REPEAT", value, rest, at, after)

    def _repeat(
        self, greedy: bool, value: Any, rest: list[Any], at: int, after: After
    ) -> int | None:
        least, most, inner = value[0], int(value[1]), value[2].data
        if len(inner) == 1 and str(inner[0][0]) == "SUBPATTERN" and inner[0][1][0] is None:
            inner = inner[0][1][3].data
        ends = [at]
        if greedy:
            while len(ends) <= most and (end := self._once(inner, ends[-1])) is not None:
                ends.append(end)
            for end in reversed(ends[least:]):
                if (told := self._match(rest, end, after)) is not None:
                    return told
            return None
        while True:
            if len(ends) > least and (told := self._match(rest, ends[-1], after)) is not None:
                return told
            end = self._once(inner, ends[-1]) if len(ends) <= most else None
            if end is None:
                return None
            ends.append(end)

    def _once(self, inner: list[Any], at: int) -> int | None:
        """Match once, without going back into it: enough where its end is certain."""
        self.steps += 1
        return self._match(inner, at, lambda end: end if end > at else None)

    def _one(self, item: Any, at: int) -> bool:
        if at >= len(self._text):
            return False
        sign = self._text[at]
        key = id(item), sign
        if key not in self._signs:
            signs = {sign, sign.lower(), sign.upper()} if self._folded else {sign}
            self._signs[key] = any(self._is(item, each) for each in signs)
        return self._signs[key]

    def _is(self, item: Any, sign: str) -> bool:
        name, value = str(item[0]), item[1]
        if name == "IN":
            negated = str(value[0][0]) == "NEGATE"
            return negated != any(self._is(each, sign) for each in value[negated:])
        if name == "RANGE":
            return value[0] <= ord(sign) <= value[1]
        if name == "CATEGORY":
            kinds = {"SPACE": r"\s", "WORD": r"\w", "DIGIT": r"\d"}
            kind = str(value).removeprefix("CATEGORY_")
            held = re.match(kinds[kind.removeprefix("NOT_")], sign) is not None
            return held != kind.startswith("NOT_")
        if name == "ANY":
            return True
        return (sign == chr(value)) == (name == "LITERAL")

    def _place(self, name: str, at: int) -> bool:
        if name in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
            return at == 0
        if name in ("AT_END", "AT_END_STRING"):
            return at == len(self._text)
        raise AssertionError(name)
