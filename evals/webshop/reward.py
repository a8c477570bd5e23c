"""What a purchase is worth, in [0, 1].

Source: https://github.com/princeton-nlp/WebShop, ``goal.py`` and ``normalize.py``. Official scoring
reads the nouns of two titles with a tagger (spaCy's ``en_core_web_sm``); here a title's words stand
in for them, without function words and numbers. They matter only where the bought product was made
for another search, or shares no word with the wanted title.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...procedures.common.errors import MissingExtraError
from ...procedures.words.function_words import FUNCTION_WORDS
from .catalogue import Product
from .goals import Goal

__all__ = ["Scorer", "basic_color", "title_words"]

_ALIKE = 85
"""Two texts match above this similarity, of 100."""
_SHARED_CATEGORIES = 2
_COLOR_NAMES = (
    "alabaster apricot aqua ash asphalt azure banana beige black blue blush bordeaux bronze brown "
    "burgundy camel camo caramel champagne charcoal cheetah chestnut chocolate christmas coffee "
    "cognac copper coral cranberry cream crystal dark denim eggplant elephant espresso fuchsia "
    "gold granite grape graphite grass gray green grey heather indigo ivory ivy khaki lavender "
    "lemon leopard light lilac lime magenta maroon mauve merlot midnight mint mocha multicolor "
    "mushroom mustard natural navy nude olive orange peach pewter pink plum purple rainbow red "
    "rose royal rust sand sapphire seashell silver skull slate steel stone stonewash sunflower "
    "tan taupe teal tiger turquoise violet walnut wheat white wine yellow"
)
_COLORS = tuple(_COLOR_NAMES.split())
"""Basic colours in the official order, in which the first that a text contains counts."""
_WORD = re.compile(r"[^\W\d_]+")

TitleWords = Callable[[str], list[str]]


def title_words(title: str) -> list[str]:
    """Return the words of a title that may name what it is: no function words, no numbers."""
    return [word for word in _WORD.findall(title.lower()) if word not in FUNCTION_WORDS]


def basic_color(text: str) -> str:
    """Return the first basic colour whose name a text contains, or the text."""
    return next((color for color in _COLORS if color in text), text)


@dataclass(frozen=True, slots=True)
class Scorer:
    """Scores purchases.

    Attributes:
        prices: Product id → price in dollars.
        words: The words of a title that count as its nouns.
    """

    prices: Mapping[str, float]
    words: TitleWords = title_words

    def reward(self, goal: Goal, bought: Product, options: Mapping[str, str]) -> float:
        """Return the reward of buying a product with options (heading → value), in [0, 1].

        Raises:
            MissingExtraError: ``thefuzz`` is not installed.
        """
        points = (
            _attributes_met(goal, bought)
            + _options_met(goal, tuple(options.values()))
            + (self.prices[bought.id] <= goal.limit)
        )
        most = len(goal.product.wanted) + len(goal.options) + 1
        return points / most * self._same_kind(goal.product, bought)

    def _same_kind(self, wanted: Product, bought: Product) -> float:
        """Return the factor for the kind of product: 1, 0.5, 0.1 or 0."""
        names = self.words(wanted.title)
        shared = set(names) & set(self.words(bought.title))
        overlap = len(shared) / len(names) if names else 0.2
        if overlap == 0:
            return 0.0
        if overlap < 0.1:
            return 0.1
        alike = (
            bought.query == wanted.query
            or len(set(bought.categories) & set(wanted.categories)) >= _SHARED_CATEGORIES
            or overlap > 0.2
        )
        return 1.0 if alike else 0.5


def _attributes_met(goal: Goal, bought: Product) -> int:
    texts = (bought.title.lower(), " ".join(bought.bullets).lower(), bought.description.lower())
    return sum(
        any(_similarity(noted, attribute) > _ALIKE for noted in bought.attributes)
        or any(attribute in text for text in texts)
        for attribute in goal.product.wanted
    )


def _options_met(goal: Goal, chosen: tuple[str, ...]) -> int:
    """Count the wanted options that a chosen value is like.

    As in the official program, the chosen value is reduced to its colour, and the wanted one is
    compared together with its heading, reduced only where it is a basic colour's name itself.
    """
    colors = [basic_color(value) for value in chosen]
    return sum(
        any(_similarity(color, _wanted_text(heading, value)) > _ALIKE for color in colors)
        for heading, value in goal.options.items()
    )


def _wanted_text(heading: str, value: str) -> str:
    for color in _COLORS:
        if color in (heading, value):
            return color
    return f"{heading} {value}"


def _similarity(one: str, other: str) -> int:
    return int(_fuzz().token_set_ratio(one, other))


def _fuzz() -> Any:
    try:
        from thefuzz import fuzz
    except ImportError:
        raise MissingExtraError(
            "WebShop's reward needs the package thefuzz; pip install 'macla[webshop]'"
        ) from None
    return fuzz
