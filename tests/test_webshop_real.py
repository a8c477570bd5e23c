"""The shop against the official one: pages, search and rewards of its small catalogue."""

import json
import re
import time

import pytest
from macla.evals.suites.suites import make_suite
from macla.evals.webshop.catalogue import webshop_folder
from macla.evals.webshop.demonstrations import play_again, read_dialogues
from macla.evals.webshop.environment import WebshopEnvironment
from macla.evals.webshop.shop import open_shop

FOLDER = webshop_folder()
pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        not (FOLDER / "expert_dialogues.json").is_file(),
        reason=f"no WebShop data below {FOLDER.parent}; set MACLA_DATA",
    ),
]


def named(split):
    return json.loads((FOLDER / "splits.json").read_text("utf-8"))[split]


def test_every_logged_page_is_shown_to_the_letter():
    shop = open_shop(FOLDER)
    dialogues = read_dialogues(FOLDER)
    played = [play_again(shop, each) for each in dialogues]  # compares each page
    assert len(dialogues) == 803
    assert sum(len(each.pages) for each in dialogues) == 4077
    rewards = [each.reward for each in played]
    assert rewards.count(1.0) == 801
    assert min(rewards) == pytest.approx(5 / 6)


def test_every_golden_search_is_found():
    engine = open_shop(FOLDER).engine
    golden = json.loads((FOLDER / "search_golden_top50.json").read_text("utf-8"))
    found = {query: [product.id for product in engine.search(query)] for query in golden}
    assert len(golden) == 802
    assert all(found[query][:10] == hits[:10] for query, hits in golden.items())
    assert sum(found[query] == hits for query, hits in golden.items()) >= 800


def test_tasks_are_the_official_ones():
    goals = open_shop(FOLDER).goals
    assert len(goals) == 6910
    for each in read_dialogues(FOLDER):
        without_limit = [
            re.sub(r", and price lower than .*", "", text)
            for text in (each.task, goals[each.number].text)
        ]
        assert without_limit[0] == without_limit[1]


def test_the_exact_target_reaches_the_official_ceiling():
    shop = open_shop(FOLDER)
    dev = [shop.goals[number] for number in named("dev")]
    rewards = [shop.scorer.reward(goal, goal.product, goal.options) for goal in dev]
    assert sum(rewards) / len(dev) == pytest.approx(0.984, abs=0.0005)
    assert rewards.count(1.0) == 180


def test_unseen_targets_are_never_asked_for_in_training():
    suite, goals = make_suite("webshop"), open_shop(FOLDER).goals
    unseen = [task.reference for task in suite.tasks("unseen")]
    assert len(unseen) == 263
    shown = {goals[number].product.id for number in named("train")}
    assert not shown & {goals[number].product.id for number in unseen}
    assert not set(unseen) & {*named("train"), *named("dev")}
    assert len({goals[number].product.id for number in unseen}) == 263


@pytest.mark.speed
def test_a_step_takes_less_than_a_millisecond():
    shop = open_shop(FOLDER)
    environment = WebshopEnvironment(shop)
    dialogues = read_dialogues(FOLDER)
    started, steps = time.process_time(), 0
    for each in dialogues:
        environment.reset(each.number)
        for action in each.actions:
            environment.step(action)
            steps += 1
    assert (time.process_time() - started) / steps < 0.001
