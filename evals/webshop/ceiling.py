"""What was lost where: the best purchase among what an arm opened, listed or remembered.

``python -m macla.evals.webshop.ceiling LIBRARY --split unseen --fact-memory`` plays a split, then
plays the actions again beside an oracle that reads the goal. The oracle buys the best product, with
the best options, of those that the agent opened in the episode, of those that its own searches
listed, and of these with those that earlier episodes had opened. Each of these purchases is
possible within the limit of steps: a search, a click on the product, its options, and the purchase.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ...procedures.worth.experience import FactMemory
from ..players.arms import Setting
from ..reports.statistics import bootstrap_mean_interval
from ..running.runner import play_all
from ..suites.suites import make_suite
from .catalogue import Product, webshop_folder
from .environment import WebshopEnvironment
from .goals import Goal
from .shop import Shop, open_shop

__all__ = ["WAYS", "best_reward", "ceilings", "looked_at"]

WAYS = (
    "bought",
    "best that was opened",
    "best that was listed",
    "best listed or remembered",
    "what the task was made from",
)
"""What is told of each episode."""
_CLICK = "click["


def ceilings(
    setting: Setting, split: str, known: Iterable[str], shop: Shop
) -> Mapping[str, list[float]]:
    """Play a split and return the rewards of each way to buy.

    Args:
        setting: How it is played.
        split: Which tasks.
        known: Products that were opened in practice.
        shop: Where they are bought.
    """
    tasks = setting.suite.tasks(split)
    remembered = set(known)
    found: dict[str, list[float]] = {way: [] for way in WAYS}
    for task, outcome in zip(tasks, play_all(setting, tasks), strict=True):
        goal = shop.goals[task.reference]
        listed, opened = looked_at(shop, task.reference, outcome.actions)
        target = {goal.product.id}
        for way, ids in zip(WAYS[1:], (opened, listed, listed | remembered, target), strict=True):
            products = [
                shop.products[each] for each in sorted(ids, key=lambda i: (i not in target, i))
            ]
            found[way].append(max(outcome.reward, best_reward(shop, goal, products)))
        found[WAYS[0]].append(outcome.reward)
        remembered |= opened
    return found


def looked_at(shop: Shop, number: int, actions: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return the products that these actions list, and those that they open."""
    environment = WebshopEnvironment(shop)
    environment.reset(number)
    listed: set[str] = set()
    opened: set[str] = set()
    for action in actions:
        shown = {each[len(_CLICK) : -1].upper() for each in environment.admissible()}
        listed |= shown & shop.products.keys()
        name = action[len(_CLICK) : -1].upper()
        if action.startswith(_CLICK) and name in shown & shop.products.keys():
            opened.add(name)
        environment.step(action)
    return listed, opened


def best_reward(shop: Shop, goal: Goal, products: Iterable[Product]) -> float:
    """Return the reward of the best purchase, with the options that are worth most, one by one."""
    most = len(goal.product.wanted) + len(goal.options) + 1
    best = 0.0
    for product in products:
        chosen: dict[str, str] = {}
        reward = shop.scorer.reward(goal, product, chosen)
        if reward + len(goal.options) / most <= best:  # no options make it better
            continue
        for heading, values in product.options.items():
            for value in values:
                paid = shop.scorer.reward(goal, product, {**chosen, heading: value})
                if paid > reward:
                    reward, chosen[heading] = paid, value
        best = max(best, reward)
    return best


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path)
    parser.add_argument("--split", default="unseen")
    parser.add_argument("--fact-memory", action="store_true")
    parser.add_argument("--data", help="data root (default: $MACLA_DATA or ~/.cache/macla/bench)")
    wanted = parser.parse_args()
    suite = make_suite("webshop", data=wanted.data)
    setting = Setting(
        suite, library=str(wanted.library), max_steps=suite.max_steps,
        fact_memory=wanted.fact_memory,
    )  # fmt: skip
    shop = open_shop(webshop_folder(wanted.data))
    known = FactMemory.read(wanted.library, keep=False).names() if wanted.fact_memory else ()
    found = ceilings(setting, wanted.split, (n for n in known if n in shop.products), shop)
    for way, rewards in found.items():
        interval = bootstrap_mean_interval(rewards)
        mean = sum(rewards) / len(rewards)
        whole = sum(reward == 1.0 for reward in rewards)
        print(
            f"{way:26} {mean:.3f} ({interval.low:.3f} to {interval.high:.3f}), "
            f"{whole} of {len(rewards)} worth 1"
        )


if __name__ == "__main__":
    main()
