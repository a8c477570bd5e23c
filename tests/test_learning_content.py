"""What is learned of the burrow, held against counts made by hand from its trajectories."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from invented_worlds import Burrow, burrow_task
from macla.procedures.conditions.language import parse_condition
from macla.procedures.conditions.text_patterns import template_parameters
from macla.procedures.episodes.trajectories import read_trajectories
from macla.procedures.learning import plans
from macla.procedures.learning.analysis import analyse, read, support_statistics
from macla.procedures.learning.drafts import draft_procedure
from macla.procedures.learning.entities import learn_lexicon
from macla.procedures.learning.learner import learn
from macla.procedures.learning.segments import closing_frames, group_by_key, segment
from macla.procedures.model.procedure import MetaProcedure, Ontology, Procedure
from macla.procedures.model.semantics import check_library
from macla.procedures.planning.search_statistics import OBSTRUCTED, SEARCH, VISITS

THING = re.compile(r"\b([a-z]+) \d+")


def kind(entity: str) -> str:
    return entity.split()[0]


def first_looks(trajectories):
    """(place, kinds found there) of each first look that nothing was in the way of."""
    for trajectory in trajectories:
        looked = set()
        for action, observation in zip(trajectory.acts, trajectory.obs[1:], strict=True):
            verb, place = action.split()[0], " ".join(action.split()[-2:])
            if verb in ("hop", "unlatch") and "latched" not in observation and place not in looked:
                looked.add(place)
                yield place, set(THING.findall(observation)) - {kind(place)}


def test_search_statistics_are_what_one_counts_by_hand(burrow):
    found, visits = Counter(), Counter()
    for place, kinds in first_looks(burrow.trajectories):
        visits[kind(place)] += 1
        found.update((thing, kind(place)) for thing in kinds)
    rows = {(row.subject, row.binding): row for row in burrow.learned.search}
    assert len(rows) == len(burrow.learned.search)
    for (thing, place), count in found.items():
        row = rows.pop((SEARCH, f"{thing}|{place}"))
        assert (row.successes, row.failures) == (count, visits[place] - count)
    for place, count in visits.items():
        assert rows.pop((VISITS, place)).successes == count
        every = rows.pop((SEARCH, f"*|{place}"))
        assert every.successes == sum(n for (_, p), n in found.items() if p == place)
    assert {subject for subject, _ in rows} == {OBSTRUCTED}


def test_obstructions_are_what_one_counts_by_hand(burrow):
    """A latched place costs one action more to look at, an open one does not."""
    shut = Counter(
        kind(action.removeprefix("hop to "))
        for trajectory in burrow.trajectories
        for action, observation in zip(trajectory.acts, trajectory.obs[1:], strict=True)
        if observation.endswith("is latched.")
    )
    rows = {r.binding: r.successes for r in burrow.learned.search if r.subject == OBSTRUCTED}
    assert {place: n for place, n in rows.items() if n} == shut
    evidence = burrow.knowledge.evidence
    assert evidence.cost("vand") == 2.0
    assert evidence.cost("glurp") == evidence.cost("never seen") == 1.0


def test_things_are_expected_where_they_usually_lay(burrow):
    evidence = burrow.knowledge.evidence
    for thing, usual in (("mokka", "glurp"), ("quorn", "hesk"), ("trell", "yarrick")):
        chances = {p: evidence.probability(thing, p) for p in ("glurp", "hesk", "dorn", "yarrick")}
        assert max(chances, key=chances.__getitem__) == usual
        assert all(0 < chance < 1 for chance in chances.values())


def test_procedures_and_plans_of_the_burrow(burrow):
    assert {d["goal"] for d in burrow.learned.procedures.values()} == {
        "grab {x} out of {y}",
        "rinse {x} by {y}",
        "lodge {x} into {y}",
    }
    assert {
        d["goal"]: [place["run"] for place in d["plan"]] for d in burrow.learned.metas.values()
    } == {
        "lodge a {a} into some {b}": ["grab-out-of", "lodge-into"],
        "lodge a rinsed {a} into some {b}": ["grab-out-of", "rinse-by", "lodge-into"],
    }
    steps = burrow.learned.procedures["grab-out-of"]["steps"]
    assert [step["do"] for step in steps] == ["hop to {y}", "unlatch {y}", "grab {x} out of {y}"]
    assert steps[0]["unless"] == "done"
    assert steps[1]["when"] == 'observed("The {y} is latched.")'
    demonstrated = Counter(t.task.split()[2] == "rinsed" for t in burrow.trajectories)
    counts = burrow.learned.meta_counts
    assert counts["lodge-a-rinsed-into-some"] == (demonstrated[True], 0)
    assert counts["lodge-a-into-some"] == (demonstrated[False], 0)


def guards(documents):
    for document in documents.values():
        for step in document["steps"]:
            for key in ("when", "unless"):
                if key in step:
                    yield step["do"], step[key]


def check_guards(documents):
    for action, text in guards(documents):
        condition = parse_condition(text)
        about = set(condition.parameters()) & set(template_parameters(action))
        assert about or text == "done", (action, text)


def test_guards_speak_of_what_their_step_acts_on(burrow, ruin):
    check_guards(burrow.learned.procedures)
    check_guards(ruin.learned.procedures)
    assert list(guards(burrow.learned.procedures))


@pytest.mark.live
def test_guards_learned_from_real_episodes_do_too(alfworld_data):
    every = list(read_trajectories(alfworld_data / "expert.jsonl"))
    episodes = Random(2).sample(every, 200)
    learned = learn(episodes)
    check_guards(learned.procedures)
    assert len(list(guards(learned.procedures))) >= 3


@pytest.mark.parametrize("name", ["burrow", "ruin"])
def test_documents_fit_their_schemas_and_each_other(request, name):
    learned = request.getfixturevalue(name).learned
    procedures = {n: Procedure.from_document(d) for n, d in learned.procedures.items()}
    metas = {n: MetaProcedure.from_document(d) for n, d in learned.metas.items()}
    ontology = Ontology.from_document(learned.ontology)
    issues = check_library(procedures, metas, ontology)
    assert [issue for issue in issues if issue.severity == "error"] == []


def test_every_demonstrated_task_is_won_when_played(burrow):
    for seed in range(len(burrow.trajectories)):
        assert burrow.play(Burrow(), burrow_task(seed))["won"], seed


@pytest.fixture(scope="module")
def aligned(burrow):
    """The burrow's plans, the segmented episodes of each, and the lexicon."""
    lexicon = learn_lexicon(burrow.trajectories)
    episodes = [read(trajectory, lexicon) for trajectory in burrow.trajectories]
    support = support_statistics(episodes)
    for episode in episodes:
        analyse(episode, support, lexicon)
    closing = closing_frames(episodes)
    segmented = [(episode, segment(episode, closing)) for episode in episodes]
    groups = group_by_key(s for _, segments in segmented for s in segments)
    drafts = {final: draft_procedure(final, group, lexicon) for final, group in groups.items()}
    learned = plans.learn_plans(segmented, drafts, lexicon)
    own = {p.goal: [item for item in segmented if item[0].goal == p.goal] for p in learned}
    return learned, own, lexicon


def test_replay_accepts_a_plan_that_regenerates_its_demonstrations(aligned):
    learned, own, lexicon = aligned
    assert len(learned) == 2
    assert all(plans._regenerates(plan, own[plan.goal], lexicon) for plan in learned)


def test_replay_rejects_a_plan_with_its_slots_exchanged(aligned):
    learned, own, lexicon = aligned
    for plan in learned:
        wrong = plans.Plan(plan.goal, plan.shape, plan.variables)
        wrong.slots = {name: 1 - slot for name, slot in plan.slots.items()}
        assert not plans._regenerates(wrong, own[plan.goal], lexicon)


def test_replay_rejects_a_plan_that_takes_two_things_for_one(aligned):
    learned, own, lexicon = aligned
    for plan in learned:
        wrong = plans.Plan(plan.goal, plan.shape, [dict.fromkeys(v, "v0") for v in plan.variables])
        assert not plans._regenerates(wrong, own[plan.goal], lexicon)


def test_a_plan_that_does_not_regenerate_is_not_learned(aligned, monkeypatch, burrow):
    monkeypatch.setattr(plans, "_regenerates", lambda plan, own, lexicon: "rinsed" not in plan.goal)
    assert set(learn(burrow.trajectories).metas) == {"lodge-a-into-some"}
