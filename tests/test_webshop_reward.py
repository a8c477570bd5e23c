"""What a purchase is worth, on a small invented catalogue."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.evals.webshop.reward import Scorer, basic_color, title_words
from small_shop import products, small_shop

SHOP = small_shop()
PRODUCTS = tuple(SHOP.products.values())
VALUES = sorted({value for each in PRODUCTS for row in each.options.values() for value in row})

goals = st.sampled_from(SHOP.goals)
options = st.dictionaries(
    st.sampled_from(["size", "color", "gift"]),
    st.one_of(st.sampled_from(VALUES), st.text(max_size=10)),
)


@given(goals, st.sampled_from(PRODUCTS), options)
def test_a_reward_is_between_zero_and_one(goal, bought, chosen):
    assert 0.0 <= SHOP.scorer.reward(goal, bought, chosen) <= 1.0


@given(goals)
def test_the_target_with_its_options_is_worth_one(goal):
    assert SHOP.scorer.reward(goal, goal.product, goal.options) == 1.0


@given(goals, st.sampled_from(PRODUCTS), options)
def test_a_higher_price_is_worth_no_more(goal, bought, chosen):
    dear = Scorer({each.id: goal.limit + 1 for each in PRODUCTS})
    cheap = Scorer({each.id: goal.limit for each in PRODUCTS})
    assert dear.reward(goal, bought, chosen) <= cheap.reward(goal, bought, chosen)


@given(goals)
def test_the_limit_itself_is_within_it_and_a_cent_more_is_not(goal):
    at, above = (
        Scorer({goal.product.id: price}).reward(goal, goal.product, goal.options)
        for price in (goal.limit, goal.limit + 0.01)
    )
    assert at == 1.0
    assert above < 1.0


def lantern(**wanted):
    goal = next(goal for goal in SHOP.goals if goal.product.id == "B000000001")
    return replace(goal, options=wanted, limit=20.0)


@pytest.mark.parametrize(
    ("wanted", "chosen", "reward"),
    [
        ({}, {}, 1.0),
        ({"color": "blue"}, {}, 2 / 3),
        ({"color": "blue"}, {"color": "light blue"}, 1.0),  # its basic colour
        ({"color": "deep blue"}, {"shade": "navy blue"}, 1.0),  # the heading does not count
        ({"color": "darkblue"}, {"color": "darkblue"}, 2 / 3),  # only one side is reduced
        ({"size": "large"}, {"size": "x-large"}, 2 / 3),
        ({"size": "large"}, {"size": "small"}, 2 / 3),
    ],
)
def test_options_match_by_their_words(wanted, chosen, reward):
    goal = lantern(**wanted)
    assert SHOP.scorer.reward(goal, goal.product, chosen) == pytest.approx(reward)


def bought(**changes):
    return replace(lantern().product, id="B000000002", **changes)


@pytest.mark.parametrize(
    ("changes", "factor"),
    [
        ({}, 1.0),
        ({"title": "Copper Pot", "query": "pot", "categories": ("Kitchen",)}, 1.0),  # 1 of 3 words
        ({"title": "Teapot"}, 0.0),
    ],
)
def test_another_kind_of_product_is_worth_less(changes, factor):
    assert SHOP.scorer.reward(lantern(), bought(**changes), {}) == factor


def test_few_words_in_common_count_with_the_kind():
    words = "copper storm lantern alpha beta gamma delta epsilon zeta eta theta"
    goal = lantern()
    wide = replace(goal, product=replace(goal.product, title=words))
    other = {"query": "pot", "categories": ("Kitchen",)}
    assert SHOP.scorer.reward(wide, bought(title="copper storm", **other), {}) == 0.5
    assert SHOP.scorer.reward(wide, bought(title="copper storm"), {}) == 1.0
    wider = replace(goal, product=replace(goal.product, title=f"{words} iota"))
    assert SHOP.scorer.reward(wider, bought(title="copper", **other), {}) == 0.1
    nameless = replace(goal, product=replace(goal.product, title="3 of 4"))
    assert SHOP.scorer.reward(nameless, bought(**other), {}) == 0.5


def test_attributes_are_looked_for_in_all_texts():
    goal = lantern()
    goal = replace(goal, product=replace(goal.product, wanted=("nine hours", "floating")))
    assert SHOP.scorer.reward(goal, goal.product, {}) == pytest.approx(2 / 3)


def test_colors_and_words():
    assert basic_color("a1-light blue") == "blue"  # in the official order, not the text's
    assert basic_color("pattern 7") == "pattern 7"
    assert title_words("The 3 Lanterns of Tin, 12oz") == ["lanterns", "tin", "oz"]


def test_prices_are_drawn_within_their_range():
    for seed in range(5):
        prices = small_shop(seed).scorer.prices
        assert 3.1 <= prices["B000000002"] <= 8.9
        assert prices["B000000001"] == 12.5
        assert prices["B000000003"] == 100.0
    assert products()[1].price_tag == "$3.1 to $8.9"
