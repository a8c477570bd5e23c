"""Learn what was last done to a thing that a procedure is given, and what that leaves done.

``take {v} from *`` says that the thing ``{v}`` was taken. A thing that the procedure chooses itself
has no needs: few demonstrations would make chance a need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..words.lexicon import fill_frame
from .drafts import Draft

__all__ = ["Needs", "deed"]

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


@dataclass(slots=True)
class Needs:
    """Needs of all drafts.

    Attributes:
        deeds: Key of a draft and variable → deeds of which one was the last on its thing.
        _own: The same, as demonstrations show it, by the deed of the draft.
    """

    deeds: dict[tuple[str, int], frozenset[str]] = field(default_factory=dict)
    _own: dict[str, frozenset[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, drafts: Mapping[str, Draft]) -> Needs:
        """Learn the needs of drafts.

        Demonstrations that end with a deed do not say what may follow it. It is held possible
        wherever all that the deed itself needs is enough.
        """
        needs = cls()
        for key, draft in drafts.items():
            for variable in range(draft.arity):
                if draft.is_given(variable) and (usual := _shown_deeds(draft, variable)):
                    needs.deeds[key, variable] = usual
                    needs._own[deed(draft, variable)] = usual
        earlier_deeds = {
            text
            for draft in drafts.values()
            for counts in draft.earlier.values()
            for text in counts
        }
        last_deeds = {text: own for text, own in needs._own.items() if text not in earlier_deeds}
        for (key, variable), usual in needs.deeds.items():
            others = sorted(_untold(last_deeds, usual) - {deed(drafts[key], variable)})
            needs.deeds[key, variable] = usual | set(others[: _MOST - len(usual)])
        return needs

    def keepers(self, own: str, following: tuple[str, int]) -> set[str]:
        """Return the deeds that need a deed, and behind which the following procedure can go on.

        Behind one of these the deed is still done: a thing that was heated is still held.
        """
        return {text for text in self.deeds.get(following, ()) if own in self._own.get(text, ())}


def _shown_deeds(draft: Draft, variable: int) -> frozenset[str]:
    """Return what was last done to an argument, if nearly all segments know it."""
    earlier = draft.earlier.get(variable, Counter())
    total = sum(earlier.values())
    ranked = sorted(((n, text) for text, n in earlier.items() if text), reverse=True)[:_MOST]
    count_by_text = {text: count for count, text in ranked if count >= _RARE * total}
    return frozenset(count_by_text if sum(count_by_text.values()) >= _SHARE * total else ())


def _untold(last_deeds: Mapping[str, frozenset[str]], usual: frozenset[str]) -> set[str]:
    """Return the last deeds of demonstrations that need no more than what is usual there."""
    return {text for text, own in last_deeds.items() if own <= usual}
