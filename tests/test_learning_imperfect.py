"""Episodes that fail, err and look around: what is learned is what mattered. All words invented."""

from __future__ import annotations

from random import Random

import pytest
from macla.graph.knowledge import Knowledge
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.failed_steps import failure_signatures, without_failed_steps
from macla.procedures.learning.learner import learn
from macla.procedures.model.procedure import Ontology
from macla.procedures.planning.world_model import World

REFUSED = "Zubb!"
TREATED = {"glim": "glimmed", "drosk": "drosked"}


def episode(rng, verb, task, *, noise=0.0, success=True, treat=True):
    """Fetch a thing from a place, treat it at the well, set it down elsewhere."""
    thing = f"{rng.choice(['fep', 'mul', 'kroy'])} {rng.randint(1, 3)}"
    place, target = (f"{rng.choice(['wex', 'tarn', 'sib'])} {i}" for i in (1, 2))
    steps = [
        (f"zot {place}", f"By the {place} lies a {thing}."),
        (f"grab {thing} off {place}", f"The {thing} is off the {place} now."),
        ("zot well 1", "By the well 1 lies nothing."),
        (f"{verb} {thing} in well 1", f"You {TREATED[verb]} the {thing} in the well 1."),
        (f"zot {target}", f"By the {target} lies nothing."),
        (f"set {thing} on {target}", f"The {thing} is on the {target} now."),
    ]
    if not treat:
        del steps[2:4]
    noisy = []
    for step in steps:
        if rng.random() < noise:
            wrong = rng.choice(["zot", "grab", "set", verb, "hum"])
            noisy.append(
                rng.choice(
                    [
                        (f"{wrong} {rng.choice(['gock', 'nim'])} {rng.randint(1, 9)}", REFUSED),
                        ("peer", "You peer about."),
                        ("ponder", "You own little."),
                    ]
                )
            )
        noisy.append(step)
    seen = f"There are a {place}, a {target} and a well 1."
    kind, goal = thing.split()[0], target.split()[0]
    return Trajectory(
        task.format(thing=kind, place=goal),
        (seen, *(answer for _, answer in noisy)),
        tuple(action for action, _ in noisy),
        success=success,
    )


TASKS = {"glim": "glim a {thing}, so set it on {place}", "drosk": "set a drosk {thing} on {place}"}


def demonstrations(count, *, noise=0.0, seed=0):
    rng = Random(seed)
    verbs = list(TASKS)
    return [episode(rng, verbs[i % 2], TASKS[verbs[i % 2]], noise=noise) for i in range(count)]


def test_one_answer_to_many_kinds_of_action_is_a_failure():
    noisy = demonstrations(60, noise=0.6)
    assert failure_signatures(noisy) == (REFUSED,)
    for told in noisy:
        clean = without_failed_steps(told, (REFUSED,))
        assert REFUSED not in clean.obs
        assert len(clean.obs) == len(clean.acts) + 1


def test_clean_episodes_have_no_failures():
    assert failure_signatures(demonstrations(60)) == ()


def test_an_answer_that_usually_follows_is_no_failure():
    terse = [
        Trajectory(t.task, (t.obs[0], *["Done."] * (len(t.acts) - 1), "Well done!"), t.acts, True)
        for t in demonstrations(60)
    ]
    assert failure_signatures(terse) == ()


def test_an_answer_with_which_successes_end_is_no_failure():
    noisy = demonstrations(60, noise=0.6)
    ended = [Trajectory(t.task, (*t.obs[:-1], REFUSED), t.acts, True) for t in noisy]
    assert failure_signatures(ended) == ()


def test_noise_changes_nothing_of_what_is_learned():
    noisy, clean = learn(demonstrations(80, noise=0.6)), learn(demonstrations(80))
    assert noisy.procedures.keys() == clean.procedures.keys()
    assert noisy.metas.keys() == clean.metas.keys()
    for name, document in clean.procedures.items():
        assert noisy.procedures[name]["steps"] == document["steps"]
        assert noisy.procedures[name]["postconditions"] == document["postconditions"]
    for name, document in clean.metas.items():
        assert noisy.metas[name]["plan"] == document["plan"]
    assert noisy.ontology["failures"] == [REFUSED]
    assert "failures" not in clean.ontology


def test_without_contrast_failures_are_learned_as_outcomes():
    learned = learn(demonstrations(80, noise=0.6), without={"guards", "idle"})
    assert "failures" not in learned.ontology
    assert not any("when" in s for d in learned.procedures.values() for s in d["steps"])


def test_without_plans():
    learned = learn(demonstrations(40), without={"meta"})
    assert learned.procedures
    assert not learned.metas
    assert not learned.meta_counts


@pytest.mark.parametrize("success", [True, False])
def test_what_was_found_where_counts_in_failures_too(success):
    rng = Random(3)
    more = [episode(rng, "glim", TASKS["glim"], success=success) for _ in range(9)]

    def visits(told):
        return sum(row.successes for row in learn(told).search if row.subject == "@visits")

    assert visits([*demonstrations(40), *more]) > visits(demonstrations(40))


def test_the_loop_judges_by_the_signature():
    learned = learn(demonstrations(80, noise=0.6))
    ontology = Ontology.from_document(learned.ontology)
    assert ontology.to_document()["failures"] == [REFUSED]
    world = World.from_ontology(ontology, learned.lexicon)
    assert world.failed(f" {REFUSED}\n")
    assert not world.failed("You peer about.")
    knowledge = Knowledge(
        procedures={},
        metas={},
        lexicon=learned.lexicon,
        counts={},
        retriever=None,
        similarity=None,
        outcomes={},
        world=world,
    )
    assert not knowledge.worked("never heard of", REFUSED)
    assert knowledge.worked("never heard of", "Something.")
