"""What is tried where nothing is known (wandering) or where a plan lacks something (exploring)."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest
from macla.adapters.session import LibrarySession
from macla.adapters.teaching.teaching import teach
from macla.graph import exploring
from macla.graph.context import LoopSettings, MaclaContext
from macla.graph.derived import EXPLORED
from macla.graph.nodes.check_pre import _actions_of
from macla.graph.phases import new_item, new_plan
from macla.graph.plan_progress import Done
from macla.graph.state import new_state
from macla.graph.undirected_exploration import wander
from macla.procedures.model.procedure import Procedure
from mill_world import Mill, mill_demonstration

pytestmark = pytest.mark.usefixtures("plans_only")


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mill") / "lib"
    teach(folder, [mill_demonstration(seed) for seed in range(30)], domain="mill")
    with LibrarySession.open(folder) as opened:
        yield opened


@pytest.fixture
def context(session):
    knowledge = session.knowledge()
    reasoner = session.reasoner(knowledge)
    return MaclaContext(knowledge, Mill(), reasoner, settings=LoopSettings(experiments=15))


def state(task, admissible, history=(), **more):
    start = new_state(task, "You see a bin 1, a roller 1, a vorn 1.", "r", 50)
    return {
        **start,
        "world": {**start["world"], "admissible": admissible},
        "history": [[action, "So it is.", True] for action in history],
        **more,
    }


def read(task, admissible, **readings):
    """Return a state with what came of readings of the task."""
    start = state(task, admissible)
    return {**start, "readings": {**start["readings"], **readings}}


# ---------------------------------------------------------------------------- wandering
def test_nothing_possible_is_nothing_tried(context):
    assert wander(state("polish it", []), context) is None
    assert wander(state("polish it", None), context) is None


def test_rare_words_of_the_task_come_first(context):
    possible = [*(f"walk to bin {i}" for i in range(1, 6)), "polish roller 1"]
    assert wander(state("walk there and polish it", possible), context) == "polish roller 1"


def test_what_was_in_vain_is_tried_again_only_elsewhere(context):
    possible = ["polish roller 1", "crank roller 1"]
    here = state("polish it", possible, ["polish roller 1"] * 2, marks=["a", "a"])
    assert wander(here, context) == "crank roller 1"
    # Two tries anywhere weigh less than the rare word that it shares.
    changed = state("polish it", possible, ["polish roller 1"] * 2, marks=["a", "b"])
    assert wander(changed, context) == "polish roller 1"


def test_wandering_depends_on_seed_and_step_alone(context):
    tried = state("go", [f"walk to bin {i}" for i in range(1, 9)])
    assert wander(tried, context) == wander({**tried, "world": tried["world"]}, context)


# ---------------------------------------------------------------------------- exploring
def plan_of(context, template="polish and make some ground {}"):
    (meta,) = (m for m in context.knowledge.metas.values() if m.id == "now-make-some-ground")
    items = [new_item(f"{place.run}@1", i, place.with_) for i, place in enumerate(meta.plan)]
    plan = new_plan(meta.ref, "r1", {"a": "vorn"}, items, 0)
    return {**plan, "bound": {"x1": "vorn 1"}, "template": template, "gap": 0}


def test_the_gap_stands_before_the_last_place(context):
    plan = plan_of(context)
    changed = exploring.exploring_plan(plan, state("t", []), context.knowledge)
    assert [item["explore"] for item in changed["items"]] == [False, True, False]
    assert changed["items"][-1] == plan["items"][-1]
    assert len(plan["items"]) == 2


def tried(context, template, frame, good, bad):
    """Return knowledge of how often something helped with tasks of these words."""
    key = "binding", EXPLORED, 0, json.dumps([template, frame], ensure_ascii=False)
    known = context.knowledge
    return replace(known, counts={**known.counts, key: (float(good), float(bad))})


def test_where_no_gap_helped_it_is_done_to_another_thing_too(context):
    plan = plan_of(context)
    ended = read("t", [], failed_plan={**plan, "taken": ["vorn 1"], "began": 3})
    knowledge = tried(context, plan["template"], "polish {0}", 0, 3)
    again = exploring.exploring_plan(plan, ended, knowledge)
    assert again["items"] == plan["items"]
    assert (again["taken"], again["began"]) == (["vorn 1"], 3)
    row = exploring.explored_row(state("t", []), again, won=True)
    assert json.loads(row["binding"]) == [plan["template"], exploring.AGAIN]


@pytest.mark.parametrize(("good", "bad", "again"), [(0, 0, False), (3, 1, False), (0, 1, True)])
def test_another_thing_is_for_where_a_gap_is_less_likely_to_help(context, good, bad, again):
    plan = plan_of(context)
    ended = read("t", [], failed_plan=plan)
    knowledge = tried(context, plan["template"], "polish {0}", good, bad)
    changed = exploring.exploring_plan(plan, ended, knowledge)
    assert (len(changed["items"]) == len(plan["items"])) is again


def test_another_thing_is_no_hope_where_it_failed_again_and_again(context):
    plan = plan_of(context)
    ended = read("t", [], failed_plan=plan)
    context.knowledge = tried(context, plan["template"], "polish {0}", 0, 99)
    knowledge = tried(context, plan["template"], exploring.AGAIN, 0, 20)
    assert len(exploring.exploring_plan(plan, ended, knowledge)["items"]) > len(plan["items"])


def test_that_another_thing_was_no_help_with_other_tasks_says_nothing(context):
    plan = plan_of(context)
    ended = read("t", [], failed_plan=plan)
    context.knowledge = tried(context, plan["template"], "polish {0}", 0, 3)
    knowledge = tried(context, "polish two {}", exploring.AGAIN, 0, 99)
    assert exploring.exploring_plan(plan, ended, knowledge)["filled"] == exploring.AGAIN


def test_only_right_after_the_same_was_done_in_vain(context):
    plan = plan_of(context)
    knowledge = tried(context, plan["template"], "polish {0}", 0, 3)
    other = {**plan, "fillers": {"a": "pesk"}}
    for ended in (state("t", []), read("t", [], failed_plan=other)):
        assert len(exploring.exploring_plan(plan, ended, knowledge)["items"]) > len(plan["items"])


def test_what_shares_words_with_the_rest_of_the_task_fills_the_gap(context):
    possible = ["crank vorn 1", "polish vorn 1", "walk to bin 1", "grind vorn 1 in roller 1"]
    found = exploring.next_exploration(state("t", possible), plan_of(context), context)
    assert found == ("polish vorn 1", True)


def test_what_was_done_or_is_done_anyway_is_not_tried(context):
    possible = ["grind vorn 1 in roller 1", "polish vorn 1", "lift vorn 1 from bin 1"]
    done = state("t", possible, ["polish vorn 1"])
    assert exploring.next_exploration(done, plan_of(context), context) is None


def test_a_place_of_a_kind_not_visited_yet_is_looked_at_else(context):
    possible = ["walk to bin 1", "walk to roller 1"]
    visited = state("t", possible, ["walk to bin 2"])
    found = exploring.next_exploration(visited, plan_of(context), context)
    assert found == ("walk to roller 1", False)


def test_a_place_is_worth_another_visit_with_the_thing(context):
    possible = ["walk to bin 1", "walk to roller 1"]
    before = ["walk to roller 1", "walk to bin 1", "lift vorn 1 from bin 1"]
    for visited, expected in (
        (before[:2], None),
        (before, ("walk to roller 1", False)),
        ([*before, "walk to roller 1"], ("walk to bin 1", False)),
        ([*before, "walk to roller 1", "walk to bin 1"], None),
    ):
        seen = state("t", possible, visited)
        assert exploring.next_exploration(seen, plan_of(context), context) == expected


def test_a_procedure_that_only_leads_somewhere_is_a_way_like_any_other(context):
    document = {
        "kind": "procedure",
        "id": "walk-to",
        "version": 1,
        "goal": "walk to {x}",
        "parameters": {"x": {"source": "given"}},
        "steps": [{"do": "walk to {x}"}],
    }
    known = context.knowledge
    procedures = {**known.procedures, "walk-to": Procedure.from_document(document)}
    context.knowledge = replace(known, procedures=procedures)
    visited = state("t", ["walk to bin 1", "walk to roller 1"], ["walk to bin 2"])
    found = exploring.next_exploration(visited, plan_of(context), context)
    assert found == ("walk to roller 1", False)


def test_what_never_helped_is_given_up_unless_the_task_says_it(context):
    plan = plan_of(context, "make some ground {} now")
    key = json.dumps([plan["template"], "crank {0}"])
    known = context.knowledge
    counts = {**known.counts, ("binding", EXPLORED, 0, key): (0.0, 40.0)}
    context.knowledge = replace(known, counts=counts)
    tried = state("t", ["crank vorn 1"])
    assert exploring.next_exploration(tried, plan, context) is None
    said = {**plan, "template": "crank and make some ground {}"}
    assert exploring.next_exploration(tried, said, context) == ("crank vorn 1", True)


def candidate(kind, ref, fillers):
    reading = {"key": "r1", "goal": "g", "fillers": fillers, "cost": 0.0, "nothing": 1.0}
    reading |= {"said": None, "template": "", "refuted": 0.0}
    return {"kind": kind, "ref": ref, "similarity": 1.0, "reading": reading}


def test_exploring_needs_permission_sight_and_a_plan_that_failed(context):
    chosen = candidate("meta", "now-make-some-ground@1", {})
    seen = read("t", ["x"], refuted={"r1": 1})
    assert exploring.due(chosen, seen, context)
    assert not exploring.due(chosen, state("t", ["x"]), context)
    assert not exploring.due(chosen, read("t", None, refuted={"r1": 1}), context)
    assert not exploring.due({**chosen, "kind": "procedure"}, seen, context)
    often = {**seen["counters"], "explorations": 5}
    assert not exploring.due(chosen, {**seen, "counters": often}, context)
    context.settings = LoopSettings(experiments=0)
    assert not exploring.due(chosen, seen, context)


def test_an_exploration_ends(context):
    plan = plan_of(context)
    assert not exploring.bounded(plan, state("t", [], ["walk to bin 1"] * 14))
    assert exploring.bounded(plan, state("t", [], ["walk to bin 1"] * 15))


def test_what_filled_the_gap_is_evidence(context):
    plan = plan_of(context)
    assert exploring.explored_row(state("t", []), plan, won=True) is None
    row = exploring.explored_row(state("t", []), {**plan, "filled": "polish {0}"}, won=True)
    assert (row["subject"], row["successes"], row["failures"]) == (EXPLORED, 1.0, 0.0)
    assert json.loads(row["binding"]) == [plan["template"], "polish {0}"]


def test_of_plans_for_the_same_things_the_shortest_is_explored(context):
    known = context.knowledge
    short = known.metas["now-make-some-ground"]
    long = known.metas["now-crank-the-and-make-some-ground"]
    longer = replace(long, plan=(*long.plan, long.plan[0]))
    context.knowledge = replace(known, metas={**known.metas, long.id: longer})
    few = candidate("meta", short.ref, {"a": "vorn"})
    many = candidate("meta", long.ref, {"b": "vorn"})
    other = candidate("meta", short.ref, {"a": "pesk"})
    assert exploring.simplest([many, few], many, context.knowledge) is few
    assert exploring.simplest([many, other], many, context.knowledge) is many


def test_what_is_kept_rests_on_all_that_was_done_to_the_thing(context):
    acts = [
        "go to bin 1",
        "take vorn 1 from bin 1",
        "go to bin 2",
        "go to roller 1",
        "polish vorn 1 with roller 1",
        "go to bin 3",
    ]
    done = state("polish it", [], acts)
    memory = SimpleNamespace(lexicon=context.knowledge.lexicon)
    assert _actions_of(Done({"x1": "vorn 1"}, ""), done, memory) == [0, 1, 3, 4]
