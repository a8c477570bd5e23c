"""Columns of tables whose heads are telling names: in CSV, TSV, Markdown, and where SQL inserts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .secret_names import Secrecy, secrecy

_BETWEEN = re.compile(r"[|;,\t]")
_HEAD = re.compile(r"\s*[\"'`*]*[^\W\d_][\w .*`\"'-]{0,40}")
_INSERT = re.compile(
    r"(?i)insert into [^\s(]{1,80} ?\((?P<names>[^()]{1,400})\)\s{0,3}values\s{0,3}\("
    r"(?P<values>(?:[^()']|'[^']{0,200}'){1,200})\)"
)
_ITEM = re.compile(r"\s*(?:'(?P<text>[^']*)'|[^,']*)\s*(?:,|\Z)")
_LONGEST_LINE = 2_000
"""Characters of a line that may be a row of a table; bounds the time."""
_RULE_SIGNS = frozenset("-: =+")


def columns(text: str) -> Iterator[tuple[str, Secrecy]]:
    """Yield (value, how secret) of the cells below a head that is a telling name.

    Args:
        text: Any text; a table in it ends at a line with another number of cells.
    """
    for match in _INSERT.finditer(text):
        names = match["names"].split(",")
        for name, item in zip(names, _ITEM.finditer(match["values"]), strict=False):
            if item["text"] and (level := secrecy(name.strip(' "`[]'))):
                yield item["text"], level
    secret: dict[int, Secrecy] = {}
    sign, count = "", 0
    for line in text.splitlines():
        if sign and line.count(sign) == count and len(line) <= _LONGEST_LINE:
            cells = line.split(sign)
            for number, level in secret.items():
                if not _RULE_SIGNS.issuperset(cells[number]):
                    yield cells[number].strip().strip("\"'`*"), level
            continue
        sign, secret = _head(line)
        count = line.count(sign) if sign else 0


def _head(line: str) -> tuple[str, dict[int, Secrecy]]:
    """Return what stands between the cells of a table's head, and its telling columns."""
    if len(line) <= _LONGEST_LINE:
        for sign in dict.fromkeys(_BETWEEN.findall(line)):
            cells = line.split(sign)
            titles = [each for each in cells if each.strip()] if sign == "|" else cells
            if len(titles) > 1 and all(_HEAD.fullmatch(each) for each in titles):
                secrecy_by_column = {
                    n: level for n, each in enumerate(cells) if (level := secrecy(each.strip()))
                }
                if secrecy_by_column:
                    return sign, secrecy_by_column
    return "", {}
