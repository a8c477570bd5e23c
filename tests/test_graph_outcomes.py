"""How episodes end for a procedure, kept apart, each counted once."""

from __future__ import annotations

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import LoopSettings
from macla.graph.outcomes import plan_outcomes
from macla.graph.phases import new_item, new_plan
from macla.graph.state import new_state
from macla.procedures.common.errors import EnvironmentFailure, LedgerError, MaclaError
from macla.procedures.evidence.ledger import Ledger, Outcome
from scripted_world import FIRST, TASK, Scripted, context, knowledge, meta, procedure

PRIED = {"pry lid 1": ["You pry the lid 1."]}


def play(known, environment, ledger, horizon=4, run="run-1", task=TASK):
    text, observation = environment.reset(task)
    state = {"task": text, "observation": observation, "run": run}
    settings = LoopSettings(horizon=horizon)
    return (
        create_macla_graph()
        .compile()
        .invoke(
            state,
            context=context(known, environment, ledger=ledger, settings=settings),
            config={"recursion_limit": recursion_limit(horizon)},
        )
    )


def rows(ledger: Ledger) -> list[tuple[Any, ...]]:
    return [
        (
            row.subject_kind,
            row.subject,
            row.context["after_actions"],
            row.outcome.value,
            row.successes,
            row.failures,
        )
        for row in ledger.rows()
    ]


@pytest.fixture
def ledger():
    with Ledger.memory() as opened:
        yield opened


def test_success(ledger):
    known = knowledge([procedure()], [meta()])
    state = play(known, Scripted(PRIED, wins="pry lid 1"), ledger)
    assert state["won"]
    assert state["history"] == [["pry lid 1", "You pry the lid 1.", True]]
    assert rows(ledger) == [
        ("procedure", "pry", 1, "success", 1.0, 0.0),
        ("meta", "pry-some", 1, "success", 1.0, 0.0),
    ]


def test_a_refused_precondition_charges_no_procedure(ledger):
    cursed = procedure(preconditions=['not observed("*cursed*")'])
    environment = Scripted(PRIED, first="A cursed lid 1.")
    play(knowledge([cursed], [meta()]), environment, ledger, horizon=1)
    found = [row for row in rows(ledger) if row[0] == "procedure"]
    assert found == [("procedure", "pry", 0, "precondition_refused", 0.0, 0.0)]


def test_a_refused_plan_charges_nobody(ledger):
    careful = meta(preconditions=['not observed("*cursed*")'])
    environment = Scripted(PRIED, first="A cursed lid 1.")
    play(knowledge([procedure()], [careful]), environment, ledger, horizon=1)
    assert ("meta", "pry-some", 0, "precondition_refused", 0.0, 0.0) in rows(ledger)


def test_an_execution_that_fails(ledger):
    impatient = meta(abort="attempts >= 1")
    play(knowledge([procedure()], [impatient]), Scripted(), ledger, horizon=1)
    assert rows(ledger)[:2] == [
        ("procedure", "pry", 1, "execution_failed", 0.0, 1.0),
        ("meta", "pry-some", 1, "aborted", 0.0, 1.0),
    ]


def test_a_search_that_runs_out_is_aborted(ledger):
    play(knowledge([procedure()], [meta()]), Scripted(), ledger, horizon=2)
    assert rows(ledger)[:2] == [
        ("procedure", "pry", 1, "aborted", 0.0, 1.0),
        ("meta", "pry-some", 1, "aborted", 0.0, 1.0),
    ]


def test_a_plan_that_went_through_without_solving_the_task(ledger):
    """The procedure did what it says; it is the plan's reading of the task that failed."""
    state = play(knowledge([procedure()], [meta()]), Scripted(PRIED), ledger, horizon=1)
    assert not state["won"]
    assert rows(ledger) == [
        ("procedure", "pry", 1, "success", 1.0, 0.0),
        ("meta", "pry-some", 1, "postcondition_failed", 0.0, 1.0),
    ]


class Shown(Scripted):
    """A world that shows what is possible: nothing but to wait."""

    def admissible(self) -> list[str]:
        return ["wait"]


@pytest.mark.parametrize("said", [TASK, "Would you pry some lid?"])
def test_what_did_nothing_is_charged_nothing(ledger, said):
    """It is taken up again after one action, two, four: and nothing is learned from that."""
    state = play(knowledge([procedure()], [meta()]), Shown(), ledger, horizon=8, task=said)
    assert [action for action, _, _ in state["history"]] == ["wait"] * 8
    assert {row[5] for row in rows(ledger)} == {0.0}
    ended = [row[2] for row in rows(ledger) if row[0] == "meta"]
    assert ended == [0, 1, 3, 7]


def test_a_search_in_which_nothing_can_be_done_ends(ledger):
    """However many places there are: some action is done then."""
    parameters = {
        "x": {"source": "search", "via": "y", "kinds": ["gem"]},
        "y": {"source": "place", "kinds": ["lid"]},
    }
    steps = [{"do": "pry {y}"}, {"do": "grab {x} from {y}"}]
    grab = procedure(goal="grab {x} from {y}", parameters=parameters, steps=steps)
    known = knowledge([grab], [meta(**{"with": {"x": "x1"}})])
    world = Shown(first=f"Before you: {', '.join(f'a lid {n}' for n in range(1, 400))}.")
    state = play(known, world, ledger, horizon=2, task="Pry some gem.")
    assert [action for action, _, _ in state["history"]] == ["wait", "wait"]


def planned(ref, **more):
    """Return a plan of one procedure, begun before the first action."""
    items = [new_item("pry@1", 0)]
    return {**new_plan(ref, "r", {}, items, 0), **more}


@pytest.mark.parametrize(
    ("outcome", "failures"),
    [("postcondition_failed", 1.0), ("aborted", 1 / 3), ("precondition_refused", 0.0)],
)
@pytest.mark.parametrize("whole", [meta, procedure])
def test_a_guess_that_came_to_nothing_counts_against_the_guess(whole, outcome, failures):
    """Of a plan, and of a procedure that was taken for the whole task."""
    guess = "pry-some@1" if whole is meta else None
    plan = planned(guess, said=False, template="now {0}")
    state = new_state(TASK, FIRST, "r", 4)
    state["history"] = [["wait", "Nothing stirs.", True]]
    found = plan_outcomes(state, plan, outcome)
    charged = [row for row in found if row["failures"]]
    name = "pry-some" if whole is meta else "pry"
    assert [(row["subject_kind"], row["subject"], row["binding"]) for row in charged] == (
        [("reading", name, "now {0}")] if failures else []
    )
    assert sum(row["failures"] for row in charged) == pytest.approx(failures)


def test_a_procedure_in_the_task_s_own_words_is_no_guess():
    state = new_state(TASK, FIRST, "r", 4)
    assert plan_outcomes(state, planned(None), "postcondition_failed") == []


def test_a_false_postcondition_is_no_success(ledger):
    strict = procedure(postconditions=['observed("The {x} comes off.")'])
    play(knowledge([strict], [meta()]), Scripted(PRIED), ledger, horizon=2)
    outcomes = {row[3] for row in rows(ledger) if row[0] == "procedure"}
    assert outcomes == {"aborted", "postcondition_failed"}


def test_fallback_charges_nobody(ledger):
    state = play(knowledge(), Scripted(PRIED, wins="pry lid 1"), ledger)
    assert state["won"]
    assert state["counters"]["fallback_actions"] == len(state["history"])
    assert {row[0] for row in rows(ledger)} == {"reading"}
    assert {row[3:] for row in rows(ledger)} == {("fallback", 0.0, 0.0)}


def test_the_same_run_counts_once(ledger):
    known = knowledge([procedure()], [meta()])
    for _ in range(3):
        play(known, Scripted(PRIED, wins="pry lid 1"), ledger)
    assert ledger.total() == 2
    play(known, Scripted(PRIED, wins="pry lid 1"), ledger, run="run-2")
    assert ledger.total() == 4


class DiesAfterWriting:
    """A ledger whose process dies once, right after a commit."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.calls = 0

    def record(self, outcomes: list[Outcome]) -> int:
        written = self.ledger.record(outcomes)
        self.calls += 1
        if self.calls == 1:
            raise LedgerError("the process died")
        return written


def test_a_node_that_is_run_again_counts_once(ledger):
    environment = Scripted(PRIED, wins="pry lid 1")
    sink = DiesAfterWriting(ledger)
    graph = create_macla_graph().compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}, "recursion_limit": 300}
    text, observation = environment.reset(TASK)
    given = context(knowledge([procedure()], [meta()]), environment, ledger=sink)
    with pytest.raises(LedgerError):
        graph.invoke(
            {"task": text, "observation": observation}, config, context=given, durability="sync"
        )
    state = graph.invoke(None, config, context=given)
    assert state["won"]
    assert environment.done == ["pry lid 1"]
    assert sink.calls == 2
    assert ledger.total() == 2


def test_what_an_episode_charged_is_summed_by_version(ledger):
    counts = {("procedure", "pry", 1, ""): (3.0, 2.0), ("meta", "pry-some", 1, ""): (30.0, 0.0)}
    known = knowledge([procedure()], [meta()], counts)
    state = play(known, Scripted(), ledger, horizon=6)
    counted = state["evidence"]["counts"]
    assert counted.keys() == {"pry@1", "pry-some@1"}
    for ref, (good, bad) in counted.items():
        name = ref.partition("@")[0]
        rows = [
            row for row in ledger.rows() if row.subject == name and row.subject_kind != "reading"
        ]
        assert (good, bad) == (sum(r.successes for r in rows), sum(r.failures for r in rows))
        assert bad > 1.0


class Broken(Scripted):
    def step(self, action: str) -> tuple[str, float, bool, dict[str, Any]]:
        raise ZeroDivisionError("the world ended")


def test_an_environment_that_raises(ledger):
    with pytest.raises(EnvironmentFailure, match=r"'pry lid 1'.*ZeroDivisionError.*world ended"):
        play(knowledge([procedure()], [meta()]), Broken(), ledger)
    assert ledger.total() == 0


class Mute(Scripted):
    def step(self, action: str) -> tuple[Any, float, bool, dict[str, Any]]:
        return None, 0.0, False, {}


def test_an_environment_that_answers_no_text(ledger):
    with pytest.raises(EnvironmentFailure, match="text as the observation, but returned NoneType"):
        play(knowledge([procedure()], [meta()]), Mute(), ledger)


def test_text_of_the_world_is_data(ledger):
    """Braces, quotes and patterns in observations are neither templates nor conditions."""
    hostile = 'You pry the lid 1. {x} {0} %s ${HOME} "]) or true *{__import__}* \\{'
    environment = Scripted({"pry lid 1": [hostile]}, wins="pry lid 1", first=FIRST + hostile)
    state = play(knowledge([procedure()], [meta()]), environment, ledger, task=TASK)
    assert state["won"]
    assert state["observation"] == hostile


def test_nothing_to_do_ends_the_episode(ledger):
    class Silent(Scripted):
        def admissible(self) -> list[str]:
            return []

    state = play(knowledge(), Silent(), ledger)
    assert state["history"] == []
    assert state["done"]
    assert not state["won"]


def test_a_finished_episode_is_not_played_on():
    environment = Scripted(PRIED, wins="pry lid 1")
    graph = create_macla_graph().compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}, "recursion_limit": 300}
    state = {"task": TASK, "observation": FIRST}
    given = context(knowledge([procedure()], [meta()]), environment)
    assert graph.invoke(state, config, context=given)["won"]
    with pytest.raises(MaclaError, match=r"is over.*another thread_id"):
        graph.invoke(state, config, context=given)


def test_a_checkpoint_of_an_earlier_state_is_refused():
    """Before the loop had this state, the run of a procedure stood below ``frame``."""
    graph = create_macla_graph().compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}, "recursion_limit": 300}
    given = context(knowledge([procedure()], [meta()]), Scripted(PRIED, wins="pry lid 1"))
    earlier = {"task": TASK, "observation": FIRST, "run": "r", "horizon": 4, "route": "execute"}
    graph.update_state(config, earlier, as_node="check_pre")
    with pytest.raises(MaclaError, match=r"earlier macla.*another thread_id"):
        graph.invoke({"task": TASK, "observation": FIRST}, config, context=given)


def test_a_new_input_in_mid_episode_goes_on(ledger):
    """Not resumed but called again: the history stays, and the plan is carried on."""
    environment = Scripted({"pry lid 1": ["It is stuck.", "You pry the lid 1."]}, wins=None)
    graph = create_macla_graph().compile(checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "t"}, "recursion_limit": 300}
    given = context(
        knowledge([procedure()], [meta()]), environment, settings=LoopSettings(horizon=3)
    )
    for node in ("execute", "check_post", "refine"):
        graph.invoke(
            {"task": TASK, "observation": FIRST}, config, context=given, interrupt_after=[node]
        )
    state = graph.invoke({"task": TASK, "observation": FIRST}, config, context=given)
    assert len(state["history"]) == 3


def test_time_running_out_is_charged(ledger):
    """A search that is cut off by the horizon is a failure of the plan, not silence."""
    play(knowledge([procedure()], [meta()]), Scripted(), ledger, horizon=1)
    kinds = {(row[0], row[3]) for row in rows(ledger)}
    assert ("meta", "aborted") in kinds
    assert all(successes == 0.0 for *_, successes, _ in rows(ledger))


def test_two_runs_between_the_same_actions_are_two_outcomes(ledger):
    """Outcomes are numbered: a second run after the same action is not taken for a retry."""
    play(knowledge([procedure()], [meta()]), Scripted(PRIED), ledger, horizon=3)
    numbers = [row.step for row in ledger.rows()]
    assert numbers == sorted(set(numbers))
