"""Lists of clauses: ``For {1} press {2}, for {3} press {4}.`` is one list, whatever its length.

Clauses are alike if they begin with one word, and share another one. So each tells a fact of its
own, and their order does not matter.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .mentions import sentences_of
from .templates import COMMA, Line, Template, pieces, renumbered
from .unification import unification

_MARK = "\ue000"
"""Stands for a list of clauses; the next signs stand for clauses of other forms."""
_SIGNS = re.compile(r"[\ue000-\uf8ff]")
"""These signs, which few texts have, for pictures of their own."""
_LEAST = 3
"""Least lines with a list in one context; fewer may be chance."""
_WORDS = 2
"""Least words that all clauses share."""
_END = re.compile(r"[.!?]?$")
_FIGURES = re.compile(r"\d+")
_SLOTS = re.compile(r"\{(\d+)\}(?: \{\d+\})+")


@dataclass(frozen=True, slots=True)
class ClauseLists:
    """Lists of clauses in lines.

    Attributes:
        signs: Context, a line without its list and figures → the sign that stands for the list.
        forms: Sign → template of a clause.
    """

    signs: Mapping[str, str]
    forms: Mapping[str, Template]

    def marked(self, lines: Iterable[Line]) -> list[Line]:
        """Return lines with a sign in place of each list."""
        return [replace(line, text=self._marked(line.text)) for line in lines]

    def unmarked(self, template: Template) -> Template:
        """Return a template with a list in place of a sign."""
        sign = next((sign for sign in self.forms if sign in template.text), None)
        if sign is None:
            return template
        slot = str(len(template.slots) + 1)
        text = template.text.replace(sign, f"{{{slot}}}", 1)
        return replace(template, text=text, lists=frozenset({slot}), item=self.forms[sign].text)

    def _marked(self, line: str) -> str:
        for text, _ in _lists_in(line) if self.signs else ():
            if sign := self.signs.get(_context(text)):
                return text.replace(_MARK, sign)
        return line


def learn_clause_lists(lines: Sequence[Line]) -> ClauseLists:
    """Learn which lines hold lists of clauses.

    Args:
        lines: All lines.
    """
    lists: dict[str, list[Sequence[str]]] = defaultdict(list)
    if any(_SIGNS.search(line.text) for line in lines):
        return ClauseLists({}, {})
    for line in lines:
        for text, clauses in _lists_in(line.text):
            lists[_context(text)].append(clauses)
    sign_by_context: dict[str, str] = {}
    sign_by_form: dict[Template, str] = {}
    for context, members in lists.items():
        if len(members) >= _LEAST and len({clauses[0] for clauses in members}) > 1:
            form = _form({each for clauses in members for each in clauses})
            if form is not None:
                sign = sign_by_form.setdefault(form, chr(ord(_MARK) + len(sign_by_form)))
                sign_by_context[context] = sign
    return ClauseLists(sign_by_context, {sign: form for form, sign in sign_by_form.items()})


def _lists_in(line: str) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield a line with a list of clauses replaced by a mark, and the clauses."""
    for sentence in sentences_of(line) if COMMA in line else ():
        listing = _END.sub("", sentence)
        clauses = [f"{each[:1].lower()}{each[1:]}" for each in listing.split(COMMA)]
        begin_alike = len({each.partition(" ")[0] for each in clauses}) == 1  # soon known
        if len(clauses) > 1 and begin_alike and _form(clauses) is not None:
            yield line.replace(listing, _MARK, 1), clauses


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
    return _FIGURES.sub("0", text)
