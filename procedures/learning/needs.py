"""Learn what was last done to a thing that a procedure is given.

``take {v} from *`` says that the thing ``{v}`` was taken. A thing that the procedure chooses itself
has no needs: few demonstrations would make chance a need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from ..words.lexicon import fill_frame
from .drafts import Draft

_SHARE = 0.95
"""Share of segments that a need must have held in."""
_MOST = 6
"""Most alternatives of one need; it bounds the length of the condition."""
_RARE = 0.01
"""Share of segments below which an alternative is noise."""


def deed(draft: Draft, variable: int) -> str:
    """Return what a draft does to one of its final arguments, as ``take {v} from *``."""
    arguments = ["*"] * draft.arity
    arguments[variable] = "{v}"
    return fill_frame(draft.final, arguments)


def learn_needs(drafts: Mapping[str, Draft]) -> dict[str, dict[int, frozenset[str]]]:
    """Return by key of a draft and variable the deeds of which one was the last on its thing.

    Demonstrations that end with a deed do not say what may follow it. It is held possible wherever
    all that the deed itself needs is enough.
    """
    needs: dict[str, dict[int, frozenset[str]]] = {}
    needs_by_deed: dict[str, frozenset[str]] = {}
    for key, draft in drafts.items():
        needs[key] = {
            variable: deeds
            for variable in range(draft.arity)
            if draft.is_given(variable) and (deeds := _usual_deeds(draft, variable))
        }
        needs_by_deed |= {deed(draft, variable): deeds for variable, deeds in needs[key].items()}
    for draft in drafts.values():
        for counts in draft.earlier.values():
            for text in counts:
                needs_by_deed.pop(text, None)  # demonstrations show what may follow it
    for key, draft in drafts.items():
        for variable, deeds in needs[key].items():
            others = sorted(_untold(needs_by_deed, deeds) - {deed(draft, variable)})
            needs[key][variable] = deeds | set(others[: _MOST - len(deeds)])
    return needs


def _usual_deeds(draft: Draft, variable: int) -> frozenset[str]:
    """Return what was last done to an argument, if nearly all segments know it."""
    earlier = draft.earlier.get(variable, Counter())
    total = sum(earlier.values())
    ranked = sorted(((n, text) for text, n in earlier.items() if text), reverse=True)[:_MOST]
    count_by_text = {text: count for count, text in ranked if count >= _RARE * total}
    return frozenset(count_by_text if sum(count_by_text.values()) >= _SHARE * total else ())


def _untold(needs_by_deed: Mapping[str, frozenset[str]], deeds: frozenset[str]) -> set[str]:
    """Return the last deeds of demonstrations that need no more than some deeds."""
    return {text for text, needs in needs_by_deed.items() if needs <= deeds}
