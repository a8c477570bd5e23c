"""Playing in the shop: one purchase is an episode.

Source: https://github.com/princeton-nlp/WebShop, ``web_agent_text_env.py``. Differences: the
developers' searches (``<r>``, ``<a>``, ``<c>``, ``<q>``) are words like others, and after the
purchase nothing can be done any more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...graph.answers import checked_action
from ...graph.protocols import BLANK
from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import cleaned
from .catalogue import Product
from .goals import Goal
from .pages import (
    BACK_TO_SEARCH,
    BUY_NOW,
    NEXT_PAGE,
    PREVIOUS_PAGE,
    TABS,
    Page,
    item_page,
    purchase_page,
    results_page,
    search_page,
    tab_page,
)
from .shop import Shop

__all__ = ["WebshopEnvironment"]

_TABS = {tab.lower(): tab for tab in TABS}


@dataclass(slots=True)
class _Visit:
    """Where an episode is."""

    goal: Goal
    page: Page
    hits: Sequence[Product] = ()
    number: int = 0
    product: Product | None = None
    tab: str = ""
    options: dict[str, str] = field(default_factory=dict)
    done: bool = False


class WebshopEnvironment:
    """A shop of text pages, with the actions ``search[words]`` and ``click[label]``.

    Case does not matter. What cannot be done changes nothing, and the page is told again. Before
    the first search two are listed as possible: for the task's own words, and for any.

    Args:
        shop: Where to buy.
    """

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._visit: _Visit | None = None

    def reset(self, task: int | Goal) -> tuple[str, str]:
        """Start an episode; return ``(task text, first page)``.

        Raises:
            DataError: There is no task of this number.
        """
        goal = task if isinstance(task, Goal) else self._goal(task)
        self._visit = _Visit(goal, search_page(goal.text))
        return goal.text, self._visit.page.text

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do one action; return ``(page, reward, done, {})``. Only a purchase has a reward.

        Raises:
            DataError: No episode was started.
            EnvironmentFailure: The action is no text.
        """
        visit = self._started()
        reward = 0.0
        verb, argument = _parsed(checked_action(self, action))
        if argument and not visit.done:
            if verb == "search":
                self._search(visit, argument)
            elif verb == "click":
                reward = self._click(visit, argument)
        return visit.page.text, reward, visit.done, {}

    def admissible(self) -> list[str]:
        """Return the actions that are possible now, labels as the page shows them."""
        visit = self._started()
        if not visit.page.labels:
            return [] if visit.done else [f"search[{visit.goal.text}]", f"search[{BLANK}]"]
        return [f"click[{label}]" for label in visit.page.labels]

    def _goal(self, number: int) -> Goal:
        goals = self._shop.goals
        if not isinstance(number, int) or not 0 <= number < len(goals):
            raise DataError(
                f"WebShop has no task {str(number)[:80]}; there are {len(goals)}, numbered from 0"
            )
        return goals[number]

    def _started(self) -> _Visit:
        if self._visit is None:
            raise DataError("no episode was started; call reset(task) first")
        return self._visit

    def _search(self, visit: _Visit, words: str) -> None:
        visit.hits = self._shop.engine.search(words)
        self._show_results(visit, 1)

    def _show_results(self, visit: _Visit, number: int) -> None:
        visit.product, visit.tab, visit.options, visit.number = None, "", {}, number
        visit.page = results_page(visit.goal.text, visit.hits, number)

    def _click(self, visit: _Visit, label: str) -> float:
        """Follow a click; return the reward. A label means the same whatever carries it."""
        page = visit.page
        buttons = {button.lower() for button in page.buttons}
        # An agent reads other white space as a blank.
        options = {cleaned(value): (heading, value) for value, heading in page.options.items()}
        if cleaned(label) not in options and label not in buttons:
            return 0.0
        product = visit.product
        if label == BACK_TO_SEARCH.lower():
            visit.product, visit.tab, visit.options = None, "", {}
            visit.page = search_page(visit.goal.text)
        elif product is None:
            self._click_in_results(visit, label)
        elif label == BUY_NOW.lower():
            return self._buy(visit, product)
        elif label == PREVIOUS_PAGE.lower() and not visit.tab:
            self._show_results(visit, visit.number)
        elif label in _TABS:
            visit.tab = _TABS[label]
            visit.page = tab_page(visit.goal.text, product, visit.tab)
        else:  # an option, or back from a tab
            if (choice := options.get(cleaned(label))) is not None:
                heading, value = choice
                visit.options[heading.lower()] = value
            visit.tab = ""
            visit.page = item_page(visit.goal.text, product)
        return 0.0

    def _click_in_results(self, visit: _Visit, label: str) -> None:
        if label == NEXT_PAGE.lower():
            self._show_results(visit, visit.number + 1)
        elif label == PREVIOUS_PAGE.lower():
            self._show_results(visit, visit.number - 1)
        else:
            visit.product = self._shop.products[label.upper()]
            visit.page = item_page(visit.goal.text, visit.product)

    def _buy(self, visit: _Visit, product: Product) -> float:
        reward = self._shop.scorer.reward(visit.goal, product, visit.options)
        visit.page = purchase_page(product, visit.options, reward)
        visit.done = True
        return reward


def _parsed(action: str) -> tuple[str, str]:
    """Return verb and argument of an action; no argument where it has not the form of one.

    As the official expression reads it: in the first line, from the last bracket that opens
    before something to the last that closes.
    """
    line = action.partition("\n")[0]
    end = line.rfind("]")
    start = line.rfind("[", 0, max(end - 1, 0))
    return (line[:start], line[start + 1 : end].lower()) if start > 0 else ("", "")
