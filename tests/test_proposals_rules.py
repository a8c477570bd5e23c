"""The language of --where."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.common.errors import ProposalError
from macla.procedures.evidence.posterior import credible_interval
from macla.procedures.model.procedure_parts import Evidence
from macla.procedures.proposals.proposal import Replay, make_proposal
from macla.procedures.proposals.rules import Rule, lower_bound

PROPOSAL = make_proposal(
    "refine",
    "Because.",
    target="fetch",
    counts={"successes": 8.0, "failures": 1.0, "contrast": 3.0},
    eu_before=0.2,
    eu_after=0.5,
    replay=Replay(5, 1, 14, (0.01, 0.38)),
    inherited_evidence=Evidence(3.0, 2.0),
)
BARE = make_proposal("new", "Because.", target="lodge")


@pytest.mark.parametrize(
    ("rule", "holds"),
    [
        ("replay.gain > 0 and lower_bound > 0.4", True),
        ("replay.gain > 0.2", False),
        ("replay.gain == 0.2", True),
        ("replay.wins >= 5 and not replay.losses > 1", True),
        ("0 < replay.low < replay.high <= 1", True),
        ("counts.contrast == 3 or change == 'new'", True),
        ("eu_after > eu_before", True),
        ("target == 'fetch' and change != \"new\"", True),
        ("(target == 'x' or target == 'fetch') and eu_before > -1", True),
        ("counts.unknown > 1", False),
        ("not counts.unknown > 1", False),
        ("counts.unknown > 1 or target == 'fetch'", True),
        ("target > 3", False),
    ],
)
def test_rules(rule: str, holds: bool) -> None:
    assert Rule(rule).holds(PROPOSAL) is holds


def test_what_is_not_said_is_unknown() -> None:
    assert not Rule("replay.gain > 0").holds(BARE)
    assert not Rule("not replay.gain > 0").holds(BARE)
    assert not Rule("lower_bound < 2").holds(BARE)
    assert Rule("change == 'new'").holds(BARE)


def test_lower_bound_is_that_of_the_posterior() -> None:
    assert lower_bound(PROPOSAL) == pytest.approx(credible_interval(11.0, 3.0)[0])
    assert lower_bound(BARE) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "target",
        "__import__('os').system('true')",
        "replay.gain.real > 0",
        "(lambda: 1)() > 0",
        "target in ['fetch']",
        "[x for x in 'a'] == 1",
        "replay > 0",
        "reply.gain > 0",
        "counts['a'] > 0",
        "gain > 0",
        "1 +1 > 0",
        "f'{target}' == 'x'",
        "True == True",
        "(((" * 40,
        "not " * 80 + "1 < 2",
        "1 < 2 " + "and 1 < 2 " * 500,
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ProposalError, match="not a rule"):
        Rule(text)


@given(st.text(max_size=60))
def test_any_text_is_a_rule_or_a_clear_error(text: str) -> None:
    try:
        rule = Rule(text)
    except ProposalError:
        return
    assert rule.holds(PROPOSAL) in (True, False)
