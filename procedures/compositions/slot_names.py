"""Templates as files write them: slots with names that say what they hold.

``SELECT {table.select} FROM {table} WHERE {table.where} = '{said}'``: a table, two names of its
own, after the words behind which they stand, and a value that the task says. A second slot of one
name has a number, ``{table2}``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..episodes.templates import literal_text
from .text_templates import VALUE, Slot, Template

SAID = "said"
"""Name of a slot for a value of the task."""
_NAME, _OWN = "name", "own"
"""Names of slots for a listed name and for one of its own, where there is no better word."""
_WORD = re.compile(r"[^\W\d_]+")
_SLOT = re.compile(r"(\{\{|\}\}|\{[^{}]*\})")
_FORM = re.compile(r"([^\W\d_]+\d*)(?:\.[^\W\d_]+\d*)?")


def noun_of(look_up: str) -> str:
    """Return a word for what a look-up lists: its last one, of one thing.

    >>> noun_of("SHOW TABLES")
    'table'
    """
    word = (_WORD.findall(look_up.lower()) or [_NAME])[-1]
    word = word[:-1] if len(word) > 3 and word[-1] == "s" != word[-2] else word
    return _NAME if word == SAID else word


def named_template(template: Template, noun: str) -> str:
    """Return a template's text with a name in each slot.

    Args:
        template: The template.
        noun: A word for names of level 0.
    """
    names = [""] * len(template.slots)
    for place in template.choosing:  # names of level 0 first: others are called after them
        slot = template.slots[place]
        if slot.level == VALUE:
            stem = SAID
        elif slot.of is None:
            stem = noun
        else:
            word = _WORD.match(template.contexts[place])
            stem = f"{names[slot.of]}.{word[0] if word else _OWN}"
        names[place] = next(name for name in _numbered(stem) if name not in names)
    return "".join(
        literal_text(piece) if isinstance(piece, str) else f"{{{names[piece]}}}"
        for piece in template.pieces
    )


def _numbered(stem: str) -> Iterator[str]:
    yield stem
    number = 2
    while True:
        yield f"{stem}{number}"
        number += 1


def template_of(text: str) -> Template:
    """Return the template that a text with named slots is.

    Raises:
        ValueError: A slot has no name, or is called after one that stands nowhere.
    """
    parts = _SLOT.split(text)
    standing = dict.fromkeys(part[1:-1] for part in parts if _is_slot(part))
    for name in standing:
        if not _FORM.fullmatch(name):
            raise ValueError(
                f"{{{name}}} is no slot: write {{word}}, {{word.word}} or {{{SAID}}}, "
                "and double the braces of a text"
            )
    names = sorted(standing, key=lambda name: _level(name) != 0)
    slots = tuple(_slot(name, names) for name in names)
    numbered = (f"{{{names.index(p[1:-1]) + 1}}}" if _is_slot(p) else p for p in parts)
    return Template("".join(numbered), slots)


def _is_slot(part: str) -> bool:
    return part.startswith("{") and part != "{{"


def _level(name: str) -> int:
    if name.rstrip("0123456789") == SAID:
        return VALUE
    return 1 if "." in name else 0


def _slot(name: str, names: Sequence[str]) -> Slot:
    level = _level(name)
    if level != 1:
        return Slot(level)
    owner = name.partition(".")[0]
    if owner not in names or _level(owner) != 0:
        raise ValueError(f"{{{name}}} is called after {{{owner}}}, which is no listed name here")
    return Slot(1, names.index(owner))
