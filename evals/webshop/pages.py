"""The shop's pages as text: what is seen and what can be clicked.

A page is the official one without its markup: its texts in order, joined by ``[SEP]``. Source:
https://github.com/princeton-nlp/WebShop, ``convert_html_to_text`` of ``web_agent_text_env.py`` and
the templates.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .catalogue import Product

__all__ = [
    "BACK_TO_SEARCH",
    "BUY_NOW",
    "NEXT_PAGE",
    "PREVIOUS_PAGE",
    "TABS",
    "Page",
    "item_page",
    "purchase_page",
    "results_page",
    "search_page",
    "tab_page",
]

BACK_TO_SEARCH = "Back to Search"
NEXT_PAGE = "Next >"
PREVIOUS_PAGE = "< Prev"
BUY_NOW = "Buy Now"
TABS = ("Description", "Features", "Reviews")
_PER_PAGE = 10


@dataclass(frozen=True, slots=True)
class Page:
    """A page.

    Attributes:
        text: What is seen.
        buttons: Labels of what leads elsewhere, in the page's order.
        options: Value that can be chosen → its heading.
    """

    text: str
    buttons: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """Return all that can be clicked: buttons, then values."""
        return (*self.buttons, *self.options)


def search_page(goal: str) -> Page:
    """Return the page on which an episode begins."""
    return Page(_joined("WebShop", "Instruction:", goal, "Search"))


def results_page(goal: str, hits: Sequence[Product], number: int) -> Page:
    """Return a page of hits.

    Args:
        goal: Text of the task.
        hits: All hits of the search, best first.
        number: Of the page, from 1.
    """
    shown = hits[(number - 1) * _PER_PAGE : number * _PER_PAGE]
    buttons = [BACK_TO_SEARCH]
    if number > 1:
        buttons.append(PREVIOUS_PAGE)
    if number * _PER_PAGE < len(hits):
        buttons.append(NEXT_PAGE)
    rows = [text for hit in shown for text in (hit.id, hit.title, hit.price_tag)]
    head = f"Page {number} (Total results: {len(hits)})"
    text = _joined("Instruction:", goal, BACK_TO_SEARCH, head, *buttons[1:], *rows)
    return Page(text, (*buttons, *(hit.id for hit in shown)))


def item_page(goal: str, product: Product) -> Page:
    """Return the page of a product."""
    values = [text for heading, row in product.options.items() for text in (heading, *row) if text]
    facts = (product.title, f"Price: {product.price_tag}", "Rating: N.A.")
    buttons = (BACK_TO_SEARCH, PREVIOUS_PAGE, *TABS, BUY_NOW)
    text = _joined("Instruction:", goal, *buttons[:2], *values, *facts, *TABS, BUY_NOW)
    # Where two headings offer one value, the later one counts.
    options = {value: heading for heading, row in product.options.items() for value in row}
    return Page(text, buttons, options)


def tab_page(goal: str, product: Product, tab: str) -> Page:
    """Return what a tab of a product's page shows; ``tab`` is one of :data:`TABS`."""
    contents: Sequence[str]
    if tab == "Description":
        contents = (product.description or "No Description",)
    elif tab == "Features":
        contents = product.bullets or ("No Features",)
    else:
        contents = ("No reviews found",)  # the published catalogues have none
    buttons = (BACK_TO_SEARCH, PREVIOUS_PAGE)
    return Page(_joined("Instruction:", goal, *buttons, *contents), buttons)


def purchase_page(product: Product, options: Mapping[str, str], reward: float) -> Page:
    """Return the page after a purchase; it names the reward and nothing of the task."""
    chosen = json.dumps(dict(options), sort_keys=True)
    for character in "<>&'":
        chosen = chosen.replace(character, f"\\u{ord(character):04x}")
    bought = ("asin", product.id, "options", chosen, "attrs", "None", "category", "None")
    wanted = ("asin", "options", "attrs", "price upper", "instuction text", "category")
    return Page(
        _joined(
            *("Thank you for shopping with us!", "Your code:", "None"),
            *("(Paste it in your MTurk interface.)", "Purchased", *bought),
            *("query", "None", "product category", "None", "Target", *wanted),
            *("product category", "query", "Goal", "None", "Reward"),
            *("Your score (min 0.0, max 1.0)", str(reward), "Reward Details", "None"),
        )
    )


def _joined(*texts: str) -> str:
    return " [SEP] ".join(text.strip() for text in texts)
