"""The ladder for agents: same tasks every time, a judge that misses nothing, traps that work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import astuple
from pathlib import Path
from typing import get_args

import pytest
from macla.evals.ladder.agents.desks import Desk, Fault, desk_tools, planted
from macla.evals.ladder.agents.exchanges import AgentPlayer, Exchange
from macla.evals.ladder.agents.judge import differences
from macla.evals.ladder.agents.kinds import Kind
from macla.evals.ladder.agents.office import Office, Planted
from macla.evals.ladder.agents.playing import kinds_of, play_agents
from macla.evals.ladder.agents.rebinding import replayed
from macla.evals.ladder.agents.report import document, lines
from macla.evals.ladder.agents.results import Half
from macla.evals.ladder.agents.tasks import tasks_of
from macla.evals.ladder.agents.tools import CHANGING, tools_of

SECOND = (*kinds_of("second"), *kinds_of("second-unseen"))
THIRD = (*kinds_of("third"), *kinds_of("third-held"))
FOURTH = kinds_of("fourth")
FIFTH = (*kinds_of("fifth"), *kinds_of("fifth-held"))
SIXTH = kinds_of("sixth-held")
SEVENTH = kinds_of("seventh-held")
EIGHTH = (*kinds_of("eighth"), *kinds_of("eighth-held"))
NINTH = (*kinds_of("ninth"), *kinds_of("ninth-held"))
LATER = (*SECOND, *THIRD, *FOURTH, *FIFTH, *SIXTH, *SEVENTH, *EIGHTH, *NINTH)
KINDS = (*kinds_of("development"), *kinds_of("sealed"), *LATER)
PASSES = 6
WORKED_OUT = (
    *(11, 14, 72, 74, 80, 84, 87, 92, 112, 118, 120, 121, 123, 146, 148, 160),
    *(166, 168, 174, 175, 177, 178),
)
"""Kinds in which an amount is worked out or a row is picked: nothing can be re-bound."""
REFUSED = (35, 57, 60)
"""Kinds of which the tool itself refuses: what is said is wrong then, what is done is not."""
PLANTED = Planted(
    rows=(("orders", "O1", {"order": "O1", "status": "open"}), ("accounts", "K1", {"balance": 9})),
    files={"mails/M1.txt": "hello"},
    pages={"/tickets/Q1": {"team": "sales"}},
)


def by_number(kind: Kind) -> str:
    return f"kind{kind.number}"


@pytest.fixture
def offices(tmp_path: Path, socket_enabled: None) -> Iterator[tuple[Office, Office]]:
    with Office(tmp_path / "one") as one, Office(tmp_path / "two") as two:
        one.plant(PLANTED)
        two.plant(PLANTED)
        yield one, two


# ---------------------------------------------------------------------------- the tasks
def test_the_halves_share_no_kind() -> None:
    assert [kind.number for kind in kinds_of("development")] == list(range(1, 16, 2))
    assert [kind.number for kind in kinds_of("sealed")] == list(range(2, 17, 2))
    assert len({kind.number for kind in KINDS}) == len(KINDS)
    assert len({kind.trap for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=by_number)
def test_wordings_are_distinct_and_read_back(kind: Kind) -> None:
    assert 3 <= len(kind.wordings) <= 4
    assert len(set(kind.wordings)) == len(kind.wordings)
    for number in range(PASSES):
        for task in tasks_of([kind], number):
            for turn in task.turns:
                read = [each.number for each in KINDS if each.read(turn)]
                assert read in ([kind.number], [])
            values = kind.read(task.turns[0])
            assert values is not None
            assert sum(kind.said(each, values) == task.turns[0] for each in kind.wordings) == 1


@pytest.mark.parametrize("half", get_args(Half))
def test_a_quarter_are_look_alikes(half: Half) -> None:
    kinds = kinds_of(half)
    tasks = [task for number in range(PASSES) for task in tasks_of(kinds, number)]
    assert len({task.id for task in tasks}) == len(tasks) == PASSES * 4 * len(kinds)
    assert 4 * sum(task.look_alike for task in tasks) == len(tasks)
    assert len({task.turns for task in tasks}) == len(tasks)
    ordinary = [task for number in range(2) for task in tasks_of(kinds, number, look_alikes=False)]
    assert not any(task.look_alike for task in ordinary)
    alike = {task.id: task for task in tasks if not task.look_alike}
    assert all(task == alike.get(task.id, task) for task in ordinary)


def test_one_wording_means_one() -> None:
    for kind in KINDS:
        for task in tasks_of([kind], 1, reworded=False):
            values = kind.read(task.turns[0])
            assert values is not None
            assert kind.said(kind.wordings[0], values) == task.turns[0]


def drawn(*halves: Half) -> str:
    return repr([tasks_of(kinds_of(half), n, seed=3) for half in halves for n in range(PASSES)])


def test_tasks_do_not_depend_on_the_hash_seed() -> None:
    halves: tuple[Half, ...] = (
        "development",
        "sealed",
        "third",
        "third-held",
        "sixth-held",
        "seventh-held",
        "ninth-held",
    )
    code = (
        "from macla.evals.ladder.agents.playing import kinds_of\n"
        "from macla.evals.ladder.agents.tasks import tasks_of\n"
        f"halves = {halves}\n"
        f"every = [(kinds_of(half), n) for half in halves for n in range({PASSES})]\n"
        "print([tasks_of(kinds, n, seed=3) for kinds, n in every])\n"
    )
    here = os.environ.get("PYTHONHASHSEED", "random")
    environment = {**os.environ, "PYTHONHASHSEED": "2" if here == "1" else "1"}
    printed = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, check=True, text=True
    ).stdout
    assert printed.strip() == drawn(*halves)


# ---------------------------------------------------------------------------- the judge
def judged(one: Office, two: Office, answer: str = "done") -> tuple[str, ...]:
    exchanges = [(Exchange("do it", (), each, 1),) for each in (answer, "done")]
    return differences(one.snapshot(), two.snapshot(), *exchanges)


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize(
    ("tool", "args", "words"),
    [
        ("cancel_order", {"order_id": "O1"}, ("record orders O1", "call: 'cancel_order")),
        ("close_account", {"account_id": "K1"}, ("record accounts K1", "call: 'close_account")),
        ("refund", {"order_id": "O1", "amount": 3}, ("record orders O1", "call: 'refund")),
        ("pay", {"account": "X", "amount": 3, "reference": "B1"}, ("call: 'pay",)),
        (
            "transfer",
            {"source": "K1", "target": "K9", "amount": 2},
            ("record accounts K1", "call: 'transfer"),
        ),
        ("reserve", {"lot": "L1", "pieces": 2}, ("call: 'reserve",)),
        ("write_file", {"path": "post/a.txt", "text": "hi"}, ("file post/a.txt",)),
        ("send_mail", {"to": "a", "subject": "b", "text": "c"}, ("request: '/mail",)),
        ("http_post", {"path": "/visits", "body": {"day": "x"}}, ("request: '/visits",)),
    ],
)
def test_the_judge_sees_each_change(
    offices: tuple[Office, Office], tool: str, args: dict[str, object], words: tuple[str, ...]
) -> None:
    one, two = offices
    assert judged(one, two) == ()
    tools = {each.name: each for each in tools_of(one)}
    tools[tool].invoke(args)
    texts = judged(one, two)
    assert len(texts) == len(words)
    assert all(text.startswith(start) for text, start in zip(texts, words, strict=True))
    one.restore(two.snapshot())
    assert judged(one, two) == ()


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_the_judge_sees_the_answer_and_what_is_left_out(offices: tuple[Office, Office]) -> None:
    one, two = offices
    assert judged(one, two, "not done") == ("answer: 'not done', not 'done'",)
    tools = {each.name: each for each in tools_of(two)}
    tools["reserve"].invoke({"lot": "L1", "pieces": 2})
    assert judged(one, two) == ("""call: '', not 'reserve {"lot": "L1", "pieces": 2}'""",)


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_reading_is_no_fault(offices: tuple[Office, Office]) -> None:
    one, two = offices
    tools = {each.name: each for each in tools_of(one)}
    assert len(tools) == 17
    assert set(tools) > CHANGING
    for name in sorted(set(tools) - CHANGING):
        (arg,) = tools[name].args
        for value in ("O1", "mails/M1.txt", "/tickets/Q1"):
            assert tools[name].invoke({arg: value})
        assert tools[name].metadata == {"readOnlyHint": True}
    assert judged(one, two) == ()


# ---------------------------------------------------------------------------- the traps
@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("kind", KINDS, ids=by_number)
def test_doing_the_same_as_usual_is_wrong(kind: Kind, tmp_path: Path, socket_enabled: None) -> None:
    """What the model did for an ordinary task, re-bound: right often enough, never here."""
    usual: tuple[Exchange, ...] = ()
    with (
        AgentPlayer(tmp_path / "twin", [kind], memory=None) as twin,
        Office(tmp_path / "careless") as office,
    ):
        tools = {each.name: each for each in tools_of(office, [kind])}
        right = 0
        for number in range(PASSES):
            tasks = tasks_of([kind], number, each=2, reworded=False)
            for task in sorted(tasks, key=lambda each: each.look_alike):
                exchanges = twin.play(task)
                assert not any(each.answer.startswith("raised") for each in exchanges)
                assert not any("do not know" in each.answer for each in exchanges)
                texts: tuple[str, ...] = ()
                if usual:
                    office.plant(task.planted)
                    careless = [replayed(usual[0], each.text, tools) for each in exchanges]
                    texts = differences(
                        office.snapshot(), twin.office.snapshot(), careless, exchanges
                    )
                    right += not texts
                    assert not task.look_alike or any(
                        kind.number in REFUSED or not text.startswith("answer") for text in texts
                    ), f"a look-alike that does no harm: {task}"
                office.restore(twin.office.snapshot())
                if not task.look_alike:
                    usual = exchanges
        assert right >= (0 if kind.number in WORKED_OUT else 1)


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("kind", [*THIRD, *FIFTH, *SIXTH, *EIGHTH, *NINTH], ids=by_number)
def test_the_model_is_right_by_its_own_judge(
    kind: Kind, tmp_path: Path, socket_enabled: None
) -> None:
    with (
        AgentPlayer(tmp_path / "one", [kind], memory=None) as one,
        AgentPlayer(tmp_path / "two", [kind], memory=None) as two,
    ):
        for number in range(1, PASSES, 2):  # half of the traps come late
            for task, again in zip(
                tasks_of([kind], number, seed=1), tasks_of([kind], number, seed=1), strict=True
            ):
                assert task == again
                exchanges, others = one.play(task), two.play(again)
                state, other = one.office.snapshot(), two.office.snapshot()
                assert differences(state, other, exchanges, others) == ()
                assert all(each.steps or each.answer.startswith("You") for each in exchanges)
                assert not any("raised" in each.answer for each in exchanges)


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.parametrize("kind", NINTH, ids=by_number)
def test_ordinary_tasks_share_a_deed_and_look_alikes_differ_in_theirs(
    kind: Kind, tmp_path: Path, socket_enabled: None
) -> None:
    changing = {desk.name for desk in kind.desks if desk.changes}
    usual: list[set[str]] = []
    others: set[tuple[str, ...]] = set()
    with AgentPlayer(tmp_path / "twin", [kind], memory=None) as twin:
        for number in range(PASSES):
            for task in tasks_of([kind], number, seed=2):
                (exchange,) = twin.play(task)
                assert not any('"error"' in step.result for step in exchange.steps)
                deeds = tuple(step.tool for step in exchange.steps if step.tool in changing)
                if task.look_alike:
                    others.add(deeds)
                else:
                    usual.append(set(deeds))
    assert set.intersection(*usual)
    assert len(others) > 1
    assert any(set(each) not in usual for each in others)


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_desks_fail_turn_pages_and_leave_out(offices: tuple[Office, Office]) -> None:
    office, _ = offices
    pages = {("rows", "X"): "first", ("rows", "X", "2"): "second"}
    office.plant(planted({**pages, ("mend", "X"): Fault("locked")}))
    rows = Desk("rows", "List rows.", {"about": str}, optional={"page": int})
    mend, drop = (Desk(n, "Change.", {"about": str}, True, {"why": str}) for n in ("mend", "drop"))
    tools = {
        each.name: each for each in desk_tools(office, {d.name: d for d in (rows, mend, drop)})
    }
    assert tools["rows"].invoke({"about": "X"}) == "first"
    assert tools["rows"].invoke({"about": "X", "page": 2}) == "second"
    assert tools["mend"].invoke({"about": "X"}) == "locked"
    assert office.snapshot().journal == ()
    tools["drop"].invoke({"about": "X"})
    assert office.snapshot().journal == ('drop {"about": "X"}',)


# ---------------------------------------------------------------------------- playing
@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_short_pass(socket_enabled: None) -> None:
    done: list[tuple[int, int]] = []
    half: Half = "development"
    result, again = (
        play_agents(half, seed=5, passes=1, each=2, progress=lambda *counts: done.append(counts))
        for _ in range(2)
    )
    assert astuple(result) == astuple(again)
    assert done[15:17] == [(16, 16), (1, 16)]
    assert result.without.wrong == 0
    assert result.without.model_calls == sum(each.model_calls_without for each in result.passes)
    arms = (result.memory, result.without, result.rebound)
    assert len({tuple(outcome.id for outcome in arm) for arm in arms}) == 1
    assert not any("raised" in text for each in result.passes for text in each.wrong)
    assert set(result.memory.wrong_by_kind) == {kind.number for kind in kinds_of(result.half)}
    table = lines(result, kinds_of(result.half))
    assert table[0] == "trust: demonstrations"
    assert table[2].split()[:2] == ["pass", "tasks"]
    assert [arm["name"] for arm in document(result)["arms"]] == [arm.name for arm in arms]
