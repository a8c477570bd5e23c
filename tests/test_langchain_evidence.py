"""Evidence comes from others, and counts under what it was given: instructions, tools, the talk."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import as_json
from command_line import run as command
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from macla.adapters.langchain.messages import latest_run, run_name
from macla.adapters.langchain.middleware import MaclaMiddleware
from macla.adapters.langchain.retriever import MaclaRetriever
from macla.adapters.langchain.tools import macla_tools
from macla.adapters.langchain.verdicts import denies, is_drawn
from macla.procedures.common.errors import LibraryError, MaclaError
from macla.procedures.library.library import Library
from macla.procedures.library.undo import undoing
from tool_planner import TAUGHT, Bank, Planner, ask


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[..., MaclaMiddleware]]:
    every: list[MaclaMiddleware] = []

    def make(**options: Any) -> MaclaMiddleware:
        every.append(MaclaMiddleware(tmp_path / "library", **{"audit": 0, **options}))
        return every[-1]

    yield make
    for each in every:
        each.memory.close()


@pytest.fixture
def bank() -> Bank:
    return Bank()


@pytest.fixture
def macla(made: Any, bank: Bank) -> MaclaMiddleware:
    """Taught, and accepted."""
    middleware: MaclaMiddleware = made()
    ask(middleware, bank.tools, *TAUGHT)
    middleware.accept()
    return middleware


def run(macla: MaclaMiddleware, bank: Bank, *messages: Any, plan: Any = Bank.plan) -> Any:
    agent = create_agent(Planner(plan=plan), bank.tools, middleware=[macla])
    return agent.invoke({"messages": list(messages)})


def closing(name: str) -> HumanMessage:
    return HumanMessage(f"Close the account of {name}.")


# ------------------------------------------------------------------------- verdicts
def test_its_own_runs_raise_nothing(macla: MaclaMiddleware, bank: Bank) -> None:
    recall = macla.memory.programs
    (file,) = recall.files.values()
    before = recall.posterior(file)
    assert ask(macla, bank.tools, "Dan", "Eva", "Finn") == [0, 0, 0]
    macla.memory.refresh()
    assert recall.posterior(file) == before


@pytest.mark.parametrize("by", ["end", "name"])
def test_a_verdict_stops_it_until_a_person_clears_it(
    made: Any, macla: MaclaMiddleware, bank: Bank, by: str
) -> None:
    end = run(macla, bank, closing("Dan"))
    name = end["messages"][-1].response_metadata["macla"]["run"]
    (ref,) = macla.feedback(end if by == "end" else name, ok=False, note="it was the wrong Dan")
    assert ask(macla, bank.tools, "Eva") == [3]
    another = made()  # it is known to others that use the library
    assert ask(another, bank.tools, "Finn") == [3]
    (why,) = another.memory.programs.stopped.values()
    assert "a verdict" in why
    assert another.accept(ref.partition("@")[0])
    assert ask(macla, bank.tools, "Gil") == [0]


def test_accepting_all_clears_nothing_and_says_so(
    macla: MaclaMiddleware, bank: Bank, caplog: pytest.LogCaptureFixture
) -> None:
    macla.feedback(run(macla, bank, closing("Dan")), ok=False)
    caplog.clear()
    assert macla.accept() == []
    (said,) = caplog.messages
    assert "close-the-account-of stays stopped: a verdict" in said
    assert "accept('close-the-account-of') lets it act again" in said
    assert ask(macla, bank.tools, "Eva") == [3]


def test_the_command_that_accepts_all_names_what_stays_stopped(
    macla: MaclaMiddleware, bank: Bank
) -> None:
    macla.feedback(run(macla, bank, closing("Dan")), ok=False)
    folder = macla.memory.session.library.path
    said = command("accept", folder, "--all").stdout
    assert "close-the-account-of - stopped: a verdict said that it did wrong" in said
    assert f"macla accept {folder} close-the-account-of" in said
    assert command("accept", folder, "close-the-account-of").exit_code == 0
    assert ask(macla, bank.tools, "Eva") == [0]


@pytest.mark.parametrize("anew", [False, True])
def test_undoing_an_acceptance_restores_the_stop_that_it_cleared(
    macla: MaclaMiddleware, bank: Bank, anew: bool
) -> None:
    """``anew``: what was accepted before is taken out of the file, so that it changes, too."""
    folder = macla.memory.session.library.path
    file = folder / "programs" / "close-the-account-of.yaml"
    macla.feedback(run(macla, bank, closing("Dan")), ok=False)
    if anew:
        head, _, rest = file.read_text().partition("accepted:")
        file.write_text(head + rest[rest.index("goal:") :])
    before = file.read_text()
    assert command("accept", folder, "close-the-account-of").exit_code == 0
    assert ask(macla, bank.tools, "Eva") == [0]
    said = command("undo", folder).stdout
    assert "close-the-account-of: stopped again: a verdict said that it did wrong" in said
    assert file.read_text() == before
    assert ask(macla, bank.tools, "Finn") == [3]
    assert command("undo", folder).exit_code == 2
    assert command("accept", folder, "close-the-account-of").exit_code == 0
    assert ask(macla, bank.tools, "Gil") == [0]


def test_undoing_the_acceptance_of_one_program_restores_its_stop(
    macla: MaclaMiddleware, bank: Bank
) -> None:
    folder = macla.memory.session.library.path
    macla.feedback(run(macla, bank, closing("Dan")), ok=False)
    assert command("accept", folder, "close-the-account-of").exit_code == 0
    assert ask(macla, bank.tools, "Eva") == [0]
    assert command("undo", folder, "close-the-account-of").exit_code == 0
    assert ask(macla, bank.tools, "Finn") == [3]
    assert "stopped: a verdict said that it did wrong" in command("accept", folder).stdout


def test_an_acceptance_that_fails_leaves_what_can_be_taken_back(
    macla: MaclaMiddleware, bank: Bank, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = macla.memory.session.library.path
    before = undoing(folder)
    macla.feedback(run(macla, bank, closing("Dan")), ok=False)

    def fails(*args: Any, **options: Any) -> None:
        raise LibraryError("cannot be written")

    monkeypatch.setattr(Library, "write_all", fails)
    assert command("accept", folder, "close-the-account-of").exit_code == 2
    assert undoing(folder) == before
    assert len(macla.memory.programs.stopped) == 1


def test_of_a_stopped_program_that_is_gone_nothing_is_said(
    macla: MaclaMiddleware, bank: Bank, caplog: pytest.LogCaptureFixture
) -> None:
    macla.feedback(run(macla, bank, closing("Dan")), ok=False)
    folder = macla.memory.session.library.path
    (folder / "programs" / "close-the-account-of.yaml").unlink()
    assert "no program waits" in command("accept", folder).stdout
    caplog.clear()
    assert macla.accept() == []
    assert caplog.messages == []


def test_commands_say_what_is_stopped_and_what_clears_it(
    macla: MaclaMiddleware, bank: Bank
) -> None:
    folder = macla.memory.session.library.path
    name, because = "close-the-account-of", "a verdict said that it did wrong"
    clears = f"macla accept {folder} {name}"
    (before,) = as_json("list", folder)["items"]
    assert (before["status"], as_json("show", folder, name)["stopped"]) == ("active", None)
    assert command("ask", folder).stdout.startswith("nothing:")
    macla.feedback(run(macla, bank, closing("Dan")), ok=False)
    (after,) = as_json("list", folder)["items"]
    assert after["status"] == "stopped"
    assert " stopped " in command("list", folder).stdout
    assert as_json("show", folder, name)["stopped"] == because
    assert as_json("ask", folder)["stopped"] == {name: because}
    for verb in (("show", folder, name), ("ask", folder)):
        said = command(*verb).stdout
        assert because in said
        assert clears in said
        assert "nothing:" not in said


def test_a_good_verdict_on_the_same_run_clears_it(macla: MaclaMiddleware, bank: Bank) -> None:
    end, other = run(macla, bank, closing("Dan")), run(macla, bank, closing("Eva"))
    macla.feedback(end, ok=False)
    macla.feedback(other, ok=True)
    assert ask(macla, bank.tools, "Finn") == [3]
    macla.feedback(end, ok=True)
    assert ask(macla, bank.tools, "Gil") == [0]


@pytest.mark.parametrize("by", ["end", "name", "next turn"])
def test_what_the_model_did_wrong_is_learned_no_more(made: Any, bank: Bank, by: str) -> None:
    macla = made()
    ask(macla, bank.tools, "Ada", "Ben")
    end = run(macla, bank, closing("Cleo"))
    (file,) = macla.memory.programs.files.values()
    assert file.provenance["learned_from"] == "3 runs"
    if by == "next turn":
        run(macla, bank, *end["messages"], HumanMessage("wrong!"), plan=lambda *_: "Sorry.")
    else:
        name = run_name(latest_run(end["messages"]))
        assert macla.feedback(end if by == "end" else name, ok=False) == [file.ref]
    (file,) = macla.memory.programs.files.values()
    assert (file.id, file.provenance["learned_from"]) == ("close-the-account-of", "2 runs")
    assert ask(macla, bank.tools, "Dan") == [3]
    if by != "next turn":
        macla.feedback(end, ok=True)
        assert file.id in macla.memory.programs.files
        macla.accept()
        assert ask(macla, bank.tools, "Eva") == [0]


def test_what_does_what_was_wrong_is_stopped(made: Any, bank: Bank) -> None:
    macla = made()
    ask(macla, bank.tools, *TAUGHT, "Dan")
    end = run(macla, bank, closing("Eva"))  # the model closed; memory would have, once accepted
    assert macla.feedback(end, ok=False, note="never close without a letter")
    assert len(macla.memory.programs.stopped) == 1
    assert ask(macla, bank.tools, "Finn") == [3]


@pytest.mark.parametrize("how", ["other instructions", "foreign wording", "other calls"])
def test_what_would_not_do_what_was_wrong_goes_on(
    macla: MaclaMiddleware, bank: Bank, how: str
) -> None:
    def wrong(word: str, told: list[str]) -> Any:
        return ("close", {"number": "K0"}) if len(told) == 1 else Bank.plan(word, told)

    asked = "End what Dan has" if how == "foreign wording" else "Close the account of Dan."
    model = Planner(plan=wrong)
    prompt = "Serve everybody." if how == "other instructions" else None
    agent = create_agent(model, bank.tools, middleware=[macla], system_prompt=prompt)
    if how == "other calls":
        macla.mode = "guide"  # the model acts where memory would have done right
    end = agent.invoke({"messages": [("user", asked)]})
    macla.mode = "act"
    assert model.calls == 3
    macla.feedback(end, ok=False, note="it was another account")
    assert macla.memory.programs.stopped == {}
    assert ask(macla, bank.tools, "Eva") == [0]


@pytest.mark.parametrize("unknown", ["run-unknown", "", {"messages": []}, {"messages": None}, 5])
def test_a_verdict_on_a_run_of_which_nothing_is_known(made: Any, bank: Bank, unknown: Any) -> None:
    macla = made()
    ask(macla, bank.tools, *TAUGHT)
    with pytest.raises(MaclaError, match="give what invoke returned, or the run's name"):
        macla.feedback(unknown, ok=False)
    assert macla.memory.programs.stopped == {}


def test_a_verdict_on_a_run_in_which_no_program_spoke(made: Any, bank: Bank) -> None:
    macla = made()
    kept = run(macla, bank, closing("Ada"))
    assert macla.feedback(run_name(latest_run(kept["messages"])), ok=True) == []
    talk = run(macla, bank, HumanMessage("Good morning."), plan=lambda *_: "Good morning.")
    assert macla.feedback(talk, ok=False) == []


def test_what_is_stopped_is_not_shown_either(macla: MaclaMiddleware, bank: Bank) -> None:
    recall, _ = macla_tools(macla.memory)
    retriever = MaclaRetriever.of(macla.memory)
    task = {"task": "Close the account of Eva."}
    (told,) = json.loads(recall.invoke(task))
    assert (told["fits"], told["accepted_by_a_person"]) == (True, True)
    assert macla.memory.near("close an account", 3)
    assert retriever.invoke("close an account")
    macla.feedback(run(macla, bank, closing("Dan")), ok=False)
    assert not macla.memory.near("close an account", 3)
    assert json.loads(recall.invoke(task)) == []
    assert not retriever.invoke("close an account")


# ------------------------------------------------------------------------- a policy that changes
def charging(fee: int) -> Any:
    """A plan that closes accounts for a fee."""

    def plan(word: str, told: list[str]) -> Any:
        wanted = Bank.plan(word, told)
        return ("charge", {**wanted[1], "fee": fee}) if len(told) == 1 else wanted

    return plan


def test_the_demonstrations_of_an_old_policy_are_named_and_withdrawn(made: Any, bank: Bank) -> None:
    @tool
    def charge(number: str, fee: int) -> str:
        """Close an account for a fee."""
        return json.dumps({"done": True})

    macla, tools = made(), [bank.tools[0], charge]
    folder = macla.memory.session.library.path
    name, old = "close-the-account-of", {"plan": charging(0)}
    ask(macla, tools, *TAUGHT, **old)
    macla.accept()
    assert ask(macla, tools, "Dan", **old) == [0]
    model = Planner(plan=charging(0))
    task = {"messages": [("user", "Close the account of Eva.")]}
    end = create_agent(model, tools, middleware=[macla]).invoke(task)
    macla.feedback(end, ok=False, note="a fee of 5 is due since today")
    new = {"plan": charging(5)}
    ask(macla, tools, "Finn", "Gil", "Hal", "Ida", "Jon", "Kim", "Lea", "Mia", "Ned", "Ola", **new)
    macla.accept(name)
    assert ask(macla, tools, "Pia", **new) != [0]  # which of the two is right is open
    named = as_json("ask", folder)["contradictions"]
    assert [each["task"] for each in named] == [f"Close the account of {n}." for n in TAUGHT]
    said = command("ask", folder).stdout
    assert "3 demonstrations did something else here" in said
    assert "macla.feedback(RUN, ok=False) withdraws" in said
    for each in named:
        assert each["run"] in said
        macla.feedback(each["run"], ok=False, note="of before the fee")
    assert as_json("ask", folder)["contradictions"] == []
    assert macla.memory.programs.stopped == {}
    macla.accept()
    assert ask(macla, tools, "Rob", **new) == [0]


def test_what_the_call_of_the_model_tells_is_no_missing_line(made: Any, bank: Bank) -> None:
    @tool
    def charge(number: str, fee: int) -> str:
        """Close an account for a fee."""
        return json.dumps({"account": number, "fee": fee})

    def charged(fee: int) -> Any:
        def plan(word: str, told: list[str]) -> Any:
            wanted = charging(fee)(word, told)
            return f"{word} paid {json.loads(told[1])['fee']}." if len(told) == 2 else wanted

        return plan

    macla, tools = made(), [bank.tools[0], charge]
    ask(macla, tools, *TAUGHT, "Dan", plan=charged(0))
    ask(macla, tools, "Eva", "Finn", "Gil", "Hal", "Ida", plan=charged(5))
    (file,) = macla.memory.programs.files.values()
    assert "charge" not in {step.form.tool for step in file.program.steps if step.form}
    assert ask(macla, tools, "Jon", plan=charged(5)) == [2]  # memory looks up, the model charges
    assert "no line reads" not in command("check", macla.memory.session.library.path).output


def test_what_was_just_learned_needs_no_warning(made: Any) -> None:
    @tool
    def find(name: str) -> str:
        """Find a customer."""
        told = {"name": name, "tags": "eu, vip, old" if len(name) % 2 else "eu, new"}
        return json.dumps({**told, **({"bill": f"B-{name}"} if name < "F" else {"moved": True})})

    @tool
    def archive(name: str) -> str:
        """Look into the archive."""
        return json.dumps({"bill": f"B-{name}", "year": 2020})

    @tool
    def settle(bill: str) -> str:
        """Settle a bill."""
        return json.dumps({"settled": True})

    @tool
    def thank(bill: str, tag: str) -> str:
        """Thank for a bill."""
        return json.dumps({"thanked": True})

    def plan(word: str, told: list[str]) -> Any:
        fields: dict[str, Any] = {}
        for each in told:
            fields |= json.loads(each)
        bill = {"bill": fields.get("bill")}
        if not told:
            return "find", {"name": word}
        if bill["bill"] is None:
            return "archive", {"name": word}
        if "settled" not in fields:
            return "settle", bill
        tags = fields["tags"].split(", ")
        if "vip" in tags and "thanked" not in fields:
            return "thank", bill | {"tag": tags[0]}
        return "Settled."

    macla, tools = made(), [find, archive, settle, thank]
    ask(macla, tools, *TAUGHT, "Dora", "Eve", "Finn", "Gina", "Hal", "Ivana", "Jo", plan=plan)
    library = macla.memory.session.library
    (file,) = library.programs.values()
    assert "among: bill" in (library.path / f"programs/{file.id}.yaml").read_text()
    assert "0 warnings" in command("check", library.path).output


# ------------------------------------------------------------------------- the next turn
@pytest.mark.parametrize(
    ("said", "stops"),
    [
        ("wrong!", True),
        ("That is not what I asked.", True),
        ("You shouldn\u2019t have done that", True),
        ("Undo this please", True),
        ("Stop! I wanted to keep it.", True),
        ("stop, please", True),
        ("Stop", True),
        ("Stop the standing order of Ben.", False),
        ("Thank you very much.", False),
        ("Please write a mail to all that have not paid so far", False),
        ("Close the account of Eva.", False),
    ],
)
def test_what_the_user_says_next(
    macla: MaclaMiddleware, bank: Bank, said: str, stops: bool
) -> None:
    end = run(macla, bank, closing("Dan"))
    talk = lambda word, told: "I see."  # noqa: E731
    run(macla, bank, *end["messages"], HumanMessage(said), plan=talk)
    assert ask(macla, bank.tools, "Finn") == ([3] if stops else [0])


def test_a_denial_of_what_the_model_did_stops_nothing(made: Any, bank: Bank) -> None:
    macla = made()
    end = run(macla, bank, closing("Ada"))
    run(macla, bank, *end["messages"], HumanMessage("wrong!"), plan=lambda *_: "Sorry.")
    assert macla.memory.programs.stopped == {}


def test_the_rule_can_be_replaced(made: Any, bank: Bank) -> None:
    macla = made(denied=lambda text: "falsch" in text)
    ask(macla, bank.tools, *TAUGHT)
    end = run(macla, bank, closing("Dan"))
    run(macla, bank, *end["messages"], HumanMessage("Das ist falsch."), plan=lambda *_: "Oh.")
    assert len(macla.memory.programs.stopped) == 1


def test_the_rule_is_simple() -> None:
    assert denies("No, I meant Ben")
    assert not denies("Nothing else, thanks")


# ------------------------------------------------------------------------- audits
def test_an_audit_asks_the_model_and_bears_it_out(made: Any, macla: Any, bank: Bank) -> None:
    audited = made(audit=1.0)
    assert ask(audited, bank.tools, "Dan") == [2]  # the call that changes something, the answer
    audited.memory.refresh()
    recall = audited.memory.programs
    (file,) = recall.files.values()
    assert recall.borne_out(file) == 2.0
    assert ask(macla, bank.tools, "Eva") == [0]


@pytest.mark.parametrize("asynchronous", [False, True])
def test_where_the_model_does_otherwise_it_counts_and_stops_it(
    made: Any, macla: MaclaMiddleware, bank: Bank, asynchronous: bool
) -> None:
    def refuses(word: str, told: list[str]) -> Any:
        return Bank.plan(word, told) if not told else f"{word} is frozen."

    audited = made(audit=1.0)
    agent = create_agent(Planner(plan=refuses), bank.tools, middleware=[audited])
    asked: Any = {"messages": [closing("Dan")]}
    end = asyncio.run(agent.ainvoke(asked)) if asynchronous else agent.invoke(asked)
    assert end["messages"][-1].text == "Dan is frozen."
    assert len(bank.closed) == 3
    assert ask(macla, bank.tools, "Eva") == [3]


def writing(*others: str) -> Any:
    """A plan that closes an account and calls other tools together with that."""

    def plan(word: str, told: list[str]) -> Any:
        wanted = Bank.plan(word, told)
        beside = [(each, {"name": word}) for each in others]
        return [*beside, wanted] if len(told) == 1 else wanted

    return plan


@pytest.mark.parametrize(
    ("others", "borne_out", "then"), [(["write"], 2.0, [0]), (["freeze", "write"], 0.0, [3])]
)
def test_an_audit_of_calls_that_the_model_makes_together(
    made: Any, bank: Bank, others: list[str], borne_out: float, then: list[int]
) -> None:
    @tool
    def write(name: str) -> str:
        """Write to a customer."""
        return json.dumps({"written": True})

    @tool
    def freeze(name: str) -> str:
        """Freeze a customer."""
        return json.dumps({"frozen": True})

    macla, tools = made(), [*bank.tools, write, freeze]
    ask(macla, tools, *TAUGHT, plan=writing("write"))
    macla.accept()
    audited = made(audit=1.0)
    ask(audited, tools, "Dan", plan=writing(*others))
    audited.memory.refresh()
    (file,) = audited.memory.programs.files.values()
    assert audited.memory.programs.borne_out(file) == borne_out
    assert ask(macla, tools, "Eva", plan=writing("write")) == then


def test_the_share_falls() -> None:
    def drawn(agreed: float) -> int:
        return sum(is_drawn(0.02, agreed, "x", n) for n in range(20_000))

    assert 300 < drawn(0) < 500
    assert 130 < drawn(10) < 270
    assert is_drawn(1.0, 0, "x")
    assert not is_drawn(0.0, 0, "x")


# ------------------------------------------------------------------------- fingerprints
def plan_under(limit: int) -> Any:
    def plan(word: str, told: list[str]) -> Any:
        amount = int(word)
        if amount > limit:
            return f"{amount} euros are for the manager."
        return f"{amount} euros are paid." if told else ("close", {"number": word})

    return plan


def test_a_limit_that_changes_in_the_instructions(made: Any, bank: Bank) -> None:
    macla = made(trust="demonstrations")
    first = {"plan": plan_under(90), "prompt": "Pay at most 90 euros."}
    assert ask(macla, bank.tools, "20", "60", "85", "70", "50", **first)[3:] == [0, 0]
    then = {"plan": plan_under(50), "prompt": "Pay at most 50 euros."}
    assert ask(macla, bank.tools, "20", "30", "40", **then) == [2, 2, 2]
    assert ask(macla, bank.tools, "35", "70", "60", **then) == [0, 1, 1]


@pytest.mark.parametrize("other", ["Refunds and closings are frozen.", "You serve ADA."])
def test_instructions_where_there_were_none(macla: MaclaMiddleware, bank: Bank, other: str) -> None:
    assert ask(macla, bank.tools, "Dan", "Eva", "Finn", "Gil", prompt=other) == [3, 3, 3, 0]


def test_a_tool_that_is_described_otherwise(macla: MaclaMiddleware) -> None:
    other = Bank(about=" Only if nobody has a loan on it.")
    assert ask(macla, other.tools, "Dan", "Eva", "Finn", "Gil") == [3, 3, 3, 0]


def test_what_happens_in_shadow_is_learned_from(made: Any, bank: Bank) -> None:
    macla = made()
    ask(macla, bank.tools, *TAUGHT)
    macla.accept()
    shy = lambda word, told: "I do not close accounts." if told else Bank.plan(word, told)  # noqa: E731
    assert ask(macla, bank.tools, *TAUGHT, "Dan", plan=shy, prompt="Close nothing.")[:3] == [2] * 3
    assert len(bank.closed) == 3
    assert ask(macla, bank.tools, "Eva", plan=shy, prompt="Close nothing.") != [3]
    assert len(bank.closed) == 3


# ------------------------------------------------------------------------- the talk before
def test_an_earlier_task_that_was_never_learned(macla: MaclaMiddleware, bank: Bank) -> None:
    call = {"name": "find", "args": {"name": "Dan"}, "id": "1", "type": "tool_call"}
    from langchain_core.messages import ToolMessage

    before = [
        HumanMessage("From now on only simulate, and begin by looking for Dan."),
        AIMessage("", tool_calls=[call]),
        ToolMessage(json.dumps({"number": "K1"}), tool_call_id="1"),
        AIMessage("Found."),
    ]
    closed = len(bank.closed)
    wary = lambda word, told: f"The account of {word} would be closed."  # noqa: E731
    end = run(macla, bank, *before, closing("Eva"), plan=wary)
    assert "would be closed" in end["messages"][-1].text
    assert len(bank.closed) == closed


def test_earlier_tasks_that_were_learned_restrict_nothing(
    macla: MaclaMiddleware, bank: Bank
) -> None:
    end = run(macla, bank, closing("Dan"))
    model = Planner(plan=Bank.plan)
    agent = create_agent(model, bank.tools, middleware=[macla])
    agent.invoke({"messages": [*end["messages"], closing("Eva")]})
    assert model.calls == 0


def test_a_remark_that_was_never_shown_is_for_the_model(macla: MaclaMiddleware, bank: Bank) -> None:
    model = Planner(plan=lambda *_: "It would be closed.")
    agent = create_agent(model, bank.tools, middleware=[macla])
    talk = [HumanMessage("Only simulate in this chat."), AIMessage("Understood."), closing("Eva")]
    agent.invoke({"messages": talk})
    assert model.calls == 1
    assert len(bank.closed) == 3
