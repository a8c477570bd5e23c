"""Lists of clauses: ``For {1} press {2}, for {3} press {4}.`` is one list, whatever its length.

Clauses are alike if they begin with one word, and share another one. So each tells a fact of its
own, and their order does not matter.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .mentions import sentences_of
from .templates import COMMA, Line, Template, pieces, renumbered
from .unification import unification

_MARK = "\ue000"
"""Stands for a list of clauses while lines are mined."""
_LEAST = 3
"""Least lines with a list in one context; fewer may be chance."""
_WORDS = 2
"""Least words that all clauses share."""
_END = re.compile(r"[.!?]?$")
_FIGURES = re.compile(r"\d+")
_FIGURE = "0"
_SLOTS = re.compile(r"\{(\d+)\}(?: \{\d+\})+")


@dataclass(frozen=True, slots=True)
class ClauseLists:
    """Lists of clauses in lines.

    Attributes:
        forms: Context, a line without its list and figures → template of a clause.
    """

    forms: Mapping[str, Template]

    def marked(self, lines: Iterable[Line]) -> list[Line]:
        """Return lines with a mark in place of each list."""
        out: list[Line] = []
        for line in lines:
            texts = _with_mark(line.text)
            text = next((text for text, _ in texts if _context(text) in self.forms), line.text)
            out.append(replace(line, text=text))
        return out

    def unmarked(self, template: Template) -> Template:
        """Return a mined template with a list in place of a mark."""
        plain, _ = pieces(template.text)
        form = self.forms.get(_context(_FIGURE.join(plain))) or next(
            (each for context, each in self.forms.items() if _fits(plain, context)), None
        )
        if _MARK not in template.text or form is None:
            return template
        slot = str(len(template.slots) + 1)
        text = template.text.replace(_MARK, f"{{{slot}}}", 1)
        return replace(template, text=text, lists=frozenset({slot}), item=form.text)


def learn_clause_lists(lines: Sequence[Line]) -> ClauseLists:
    """Learn which lines hold lists of clauses.

    Args:
        lines: All lines.
    """
    lists: dict[str, list[Sequence[str]]] = defaultdict(list)
    for line in lines:
        for text, clauses in _with_mark(line.text):
            lists[_context(text)].append(clauses)
    forms: dict[str, Template] = {}
    for context, members in lists.items():
        if len(members) >= _LEAST and len({clauses[0] for clauses in members}) > 1:
            form = _form({each for clauses in members for each in clauses})
            if form is not None:
                forms[context] = form
    return ClauseLists(forms)


def _with_mark(line: str) -> list[tuple[str, Sequence[str]]]:
    """Return a line with each list of clauses replaced by a mark, and the clauses."""
    out: list[tuple[str, Sequence[str]]] = []
    for sentence in sentences_of(line) if COMMA in line else ():
        listing = _END.sub("", sentence)
        clauses = [f"{each[:1].lower()}{each[1:]}" for each in listing.split(COMMA)]
        if len(clauses) > 1 and _form(clauses) is not None:
            out.append((line.replace(listing, _MARK, 1), clauses))
    return out


def _form(clauses: Iterable[str]) -> Template | None:
    """Return the template of clauses; None unless they share a first word, and another one."""
    form = unification(sorted(clauses))
    if form is None or not form.slots:
        return None
    form = renumbered(Template(_SLOTS.sub(r"{\1}", form.text)))  # a name may have several words
    plain, _ = pieces(form.text)
    words = [word for part in plain for word in part.split() if word.isalpha()]
    is_clause = bool(plain[0].strip()) and len(words) >= _WORDS and any(map(str.strip, plain[1:]))
    return form if is_clause else None


def _context(text: str) -> str:
    return _FIGURES.sub(_FIGURE, text)


def _fits(plain: Sequence[str], context: str) -> bool:
    """Whether the constant text of a template stands in a context."""
    at = 0
    for part in plain:
        at = context.find(_context(part), at)
        if at < 0:
            return False
        at += len(part)
    return True
