"""The trades: memory does nothing wrong in them, whether or not tools are declared."""

from __future__ import annotations

import copy
import random

import pytest
from macla.evals.trades import playing
from macla.evals.trades.__main__ import main
from macla.evals.trades.playing import (
    FIFTH_TRADES,
    FOURTH_TRADES,
    SECOND_TRADES,
    TRADES,
    play_trade,
)


@pytest.mark.parametrize("declared", [True, False], ids=["declared", "undeclared"])
def test_memory_saves_calls_and_does_nothing_wrong(declared: bool) -> None:
    first, second = play_trade(TRADES["library"], passes=2, size=10, declared=declared)
    assert (first.tasks, first.wrong, second.tasks, second.wrong) == (10, (), 10, ())
    assert second.model_calls < second.without


@pytest.mark.parametrize("name", [*TRADES, *SECOND_TRADES, *FOURTH_TRADES, *FIFTH_TRADES])
def test_a_reference_changes_nothing_whatever_the_trap(name: str) -> None:
    trades = {**TRADES, **SECOND_TRADES, **FOURTH_TRADES, **FIFTH_TRADES}
    trade, rng = trades[name](), random.Random(0)
    for trap in (None, *trade.traps):
        text = trade.posed(rng, trap)
        before = copy.deepcopy(trade.db)
        assert trade.reference(text).answer
        assert trade.db == before
        assert trade.changes() == []
    assert set(trade.reading) < set(trade.tools)


def test_another_answer_or_change_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "_answer", lambda agent, text: "done")
    (result,) = play_trade(TRADES["dns"], passes=1, size=10)
    assert len(result.wrong) == result.tasks == 10
    assert result.wrong[0].actual == "'done'"


def test_the_command_prints_each_pass_and_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["grades", "--passes", "1", "--trust", "acceptance"]) == 0
    one, total = capsys.readouterr().out.splitlines()
    assert one.startswith("grades    pass 1    20 tasks, ")
    assert total.startswith("all                 20 tasks, ")
    assert one.endswith(" 0 wrong")
    with pytest.raises(SystemExit):
        main(["bakery"])
