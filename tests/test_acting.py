"""Actions as the world lists them."""

import pytest
from macla.graph.acting import spelled


@pytest.mark.parametrize(
    ("action", "listed", "expected"),
    [
        ("open Door", None, "open Door"),
        (None, ["open door"], None),
        ("Open  door", ["open door"], "open door"),
        ("open box", ["open door"], None),
        ("say Good day", ["say {}"], "say Good day"),
        ("ask[the way]", ["look", "ask[{}]"], "ask[the way]"),
        ("ask[]", ["ask[{}]"], None),
        ("ask[ ]", ["ask[{}]"], None),
        ("ask[the way", ["ask[{}]"], None),
        ("aba", ["ab{}ba"], None),  # the two ends may not overlap
        ("print {}", ["print {}"], "print {}"),
    ],
)
def test_an_action_is_possible_if_it_is_listed_or_fills_a_form(action, listed, expected):
    assert spelled(action, listed) == expected
