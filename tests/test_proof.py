"""The mathematics of a proof, its folds, and the loop driven by hand as the graph drives it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import get_type_hints

import pytest
from conftest import Small
from hypothesis import given
from hypothesis import strategies as st
from macla.graph.build import STEP_OF, STEPS, create_macla_graph
from macla.graph.context import LoopSettings
from macla.graph.predicting import LoopPredictor
from macla.graph.state import MaclaState, Update, merged
from macla.procedures.common.errors import DataError
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.intervals import wilson_interval
from macla.procedures.learning.proved import LEAST_REPRODUCED, Proved, in_words
from macla.procedures.proof.coding import doubt, step_bits
from macla.procedures.proof.folds import folds_of, sample_of, sample_within
from macla.procedures.proof.predictions import PredictedStep, Prediction, Shown
from macla.procedures.proof.proof import EpisodeProof, Proof, Share, prove
from macla.procedures.proof.tool_rebound import ToolRebound
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode


def shown(action: str) -> Shown:
    return Shown(action, action, action.split()[0] if action.split() else "")


def step(
    action: str, would: str | None, *others: str, by: tuple[str, ...] = ("p",)
) -> PredictedStep:
    said = Prediction(would, would or "", (would or "").split(" ")[0], others, "why", by)
    return PredictedStep(shown(action), said)


LEFT = PredictedStep(shown("a"), Prediction(None, abstains=True))


class Parrot:
    """Repeats what is shown."""

    def begin(self, episode: Sequence[str]) -> Sequence[Shown]:
        return [shown(action) for action in episode]

    def predict(self, shown: Shown) -> Prediction:
        return Prediction(shown.action, shown.text, shown.shape)

    def observe(self, step: PredictedStep) -> None:
        pass


class Guess(Parrot):
    """Holds fixed actions possible, in order."""

    def __init__(self, possible: Sequence[str]) -> None:
        self.possible = tuple(dict.fromkeys(possible))

    def predict(self, shown: Shown) -> Prediction:
        first, *others = self.possible or (None,)
        return Prediction(first, first or "", "", tuple(o for o in others if o is not None))


# --------------------------------------------------------------------------- what a step costs
def test_a_step_costs_what_its_closed_form_says() -> None:
    assert step_bits(step("a", "a"), 0.25, 9) == pytest.approx(-math.log2(0.75))
    assert step_bits(step("a", "a", "b"), 0.25, 9) == pytest.approx(-math.log2(0.75 / 2))
    assert step_bits(step("b", "a", "b"), 0.25, 9) == pytest.approx(-math.log2(0.75 / 6))
    assert step_bits(step("d", "a", "b", "c", "d"), 0.5, 9) == pytest.approx(-math.log2(0.5 / 20))
    assert step_bits(step("z", "a", "b"), 0.25, 9) == pytest.approx(-math.log2(0.25 / 9))
    assert step_bits(step("z", None), 0.25, 1) == pytest.approx(-math.log2(0.25 / 2))
    assert step_bits(LEFT, 0.25, 9) == 0.0


def test_ranks_share_one_probability() -> None:
    ranks = [2 ** -step_bits(step(str(r), "0", *map(str, range(1, 4000))), 0.1, 9) for r in (0, 1)]
    assert ranks == pytest.approx([0.9 / 2, 0.9 / 6])
    assert sum(1 / (r * (r + 1)) for r in range(1, 10_000)) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("epsilon", [0.0, 1.0, -1.0, math.nan])
def test_a_doubt_out_of_range_is_refused(epsilon: float) -> None:
    with pytest.raises(DataError, match="between 0 and 1"):
        step_bits(step("a", "a"), epsilon, 2)


def test_doubt_is_laplaces_rule_over_what_is_said() -> None:
    assert doubt([]) == 0.5
    assert doubt([step("a", "a"), step("b", "a"), LEFT]) == pytest.approx(2 / 4)


# --------------------------------------------------------------------------- what a proof says
def proof() -> Proof:
    return Proof(
        (
            EpisodeProof(0, "one", (step("go a", "go a"), step("take b", "take b"))),
            EpisodeProof(1, "two", (step("go a", "go a"), step("open c", "take d", by=("q",)))),
            EpisodeProof(
                2, "six", (step("go e", None, by=()), step("open x", "take y", by=("q",)))
            ),
            EpisodeProof(3, "ten", (step("open g", "take h", by=("q",)), step("go a", "go a"))),
        ),
        actions=9,
    )


def test_a_proof_counts_and_groups() -> None:
    proved = proof()
    assert (proved.reproduced, proved.of, proved.share) == (1, 4, 0.25)
    assert proved.interval == wilson_interval(1, 4)
    assert [(kind.count, kind.example.task, kind.example.number) for kind in proved.kinds] == [
        (2, "two", 2),
        (1, "six", 1),
    ]
    assert proved.shares == {"p": Share(3, 3), "q": Share(0, 3)}
    epsilon = 5 / 10
    bits = -4 * math.log2(1 - epsilon) - 4 * math.log2(epsilon / 9)
    assert proved.bits == pytest.approx(bits)
    assert proved.bits_an_action == pytest.approx(bits / 8)


def test_a_summary_names_the_most_frequent() -> None:
    proved = Proved.from_proof(proof(), "00", 40)
    assert proved.divergences == (
        '2 step 2: shown "open c", would do "take d": why',
        '1 step 1: shown "go e", would do nothing: why',
    )
    assert not proved.enough
    assert in_words(proof().kinds[0].example).startswith("step 2")
    assert 0 < LEAST_REPRODUCED < 1


def test_what_nothing_is_said_of_neither_counts_nor_costs() -> None:
    proved = Proof((EpisodeProof(0, "t", (LEFT,)),), 1)
    assert (proved.reproduced, proved.bits, proved.bits_an_action) == (1, 0.0, 0.0)


actions = st.sampled_from(["go a", "go b", "take c", "open d"])
episodes = st.lists(st.lists(actions, max_size=6), min_size=1, max_size=8)


@given(episodes, st.lists(actions, max_size=3))
def test_bits_are_finite_and_positive_whatever_is_predicted(
    acted: list[list[str]], possible: list[str]
) -> None:
    items = [(number, "t", each) for number, each in enumerate(acted)]
    proved = Proof(tuple(prove(items, Guess(possible))), len({a for each in acted for a in each}))
    assert math.isfinite(proved.bits)
    assert proved.bits >= 0
    assert sum(kind.count for kind in proved.kinds) == proved.of - proved.reproduced


@given(episodes)
def test_who_repeats_reproduces_all(acted: list[list[str]]) -> None:
    told: list[None] = []
    items = [(number, "t", each) for number, each in enumerate(acted)]
    proved = Proof(tuple(prove(items, Parrot(), lambda: told.append(None))), 4)
    assert proved.reproduced == proved.of == len(told)
    assert proved.kinds == ()
    steps = sum(map(len, acted))
    assert proved.bits == pytest.approx(-steps * math.log2(1 - 1 / (steps + 2)), abs=1e-9)


# ----------------------------------------------------------------------------------- folds
@given(st.integers(1, 200), st.integers(1, 12), st.integers(0, 3))
def test_folds_partition(n: int, k: int, seed: int) -> None:
    folds = folds_of(n, k, seed)
    assert sorted(position for fold in folds for position in fold) == list(range(n))
    assert len(folds) == min(k, n)
    assert max(map(len, folds)) - min(map(len, folds)) <= 1
    assert folds == folds_of(n, k, seed)


@given(st.integers(1, 100), st.integers(1, 120))
def test_samples_are_distinct_and_in_order(n: int, limit: int) -> None:
    chosen = sample_of(n, limit)
    assert chosen == sorted(set(chosen))
    assert len(chosen) == min(n, limit)
    assert sample_of(n, None) == list(range(n))


@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=60), st.integers(1, 30), st.integers(0, 99)
)
def test_samples_fit_into_a_size(sizes: list[int], limit: int, most: int) -> None:
    chosen = sample_within(sizes, limit, most)
    assert 1 <= len(chosen) <= limit
    assert chosen == sorted(set(chosen))
    assert len(chosen) == 1 or sum(sizes[each] for each in chosen) <= most
    assert sample_within(sizes, len(sizes), sum(sizes)) == list(range(len(sizes)))


def test_folds_need_something() -> None:
    with pytest.raises(DataError):
        folds_of(0, 5)


# ------------------------------------------------------------------------------- the loop by hand
def test_the_loop_by_hand_goes_the_ways_of_the_graph() -> None:
    graph = create_macla_graph()
    assert list(graph.nodes) == list(STEPS)
    assert STEP_OF.keys() == {part for parts in STEPS.values() for part in parts}


def test_an_update_has_the_keys_of_the_state() -> None:
    assert Update.__annotations__.keys() == get_type_hints(MaclaState).keys()


def test_updates_are_joined_as_the_graph_joins_them() -> None:
    state = merged({"history": [["a", "b", True]], "done": False}, {"history": [], "done": True})
    assert state == {"history": [["a", "b", True]], "done": True}
    assert merged(state, {"history": [["c", "d", False]]})["history"][-1] == ["c", "d", False]


def test_what_is_predicted_is_known_of_the_episodes_world(burrow: Small) -> None:
    """A library of several worlds has the procedures of each apart."""
    several = replace(
        burrow.knowledge,
        procedures={},
        metas={},
        worlds={"burrow": burrow.knowledge},
        told={"burrow": ("burrow",)},
    )
    predictor = LoopPredictor(several, burrow.reasoner, LoopSettings())
    shown = [(n, each.task, each) for n, each in enumerate(burrow.trajectories)]
    assert all(each.reproduced for each in prove(shown, predictor))


def hummed(episode: Trajectory) -> Trajectory:
    """Return an episode in which somebody hums after the first action."""
    return Trajectory(
        episode.task,
        (*episode.obs[:2], "Nothing happens.", *episode.obs[2:]),
        (episode.acts[0], "hum a tune", *episode.acts[1:]),
        success=True,
    )


def test_an_inserted_action_costs_one_divergence_and_not_all_the_rest(burrow: Small) -> None:
    predictor = LoopPredictor(burrow.knowledge, burrow.reasoner, LoopSettings())
    whole = [(n, each.task, each) for n, each in enumerate(burrow.trajectories)]
    assert all(each.reproduced for each in prove(whole, predictor))
    spoilt = prove([(n, task, hummed(each)) for n, task, each in whole], predictor)
    diverging = [[n for n, each in enumerate(e.steps) if each.diverges] for e in spoilt]
    # An attempt that seems to have failed may be left for another thing: then more diverges.
    assert all(each[0] == 1 for each in diverging)
    assert diverging.count([1]) > len(diverging) / 2
    first = spoilt[0].divergence
    assert first is not None
    assert first.step.shown.text == "hum a tune"


def test_a_step_that_nothing_learned_has_a_use_for_counts_neither_way(
    burrow: Small, learn_small: Callable[..., Small]
) -> None:
    episodes = [hummed(e) if n % 2 else e for n, e in enumerate(burrow.trajectories)]
    learned = learn_small(episodes)
    predictor = LoopPredictor(learned.knowledge, learned.reasoner, LoopSettings())
    proofs = prove([(n, each.task, each) for n, each in enumerate(episodes)], predictor)
    assert all(each.reproduced for each in proofs)
    humming = [s for each in proofs for s in each.steps if s.shown.text == "hum a tune"]
    assert humming
    assert not any(each.counts for each in humming)


def returned(episode: Trajectory) -> Trajectory:
    """Return an episode that goes back to its first place before its last."""
    first, seen = episode.acts[0], episode.obs[1]
    at = max(i for i, act in enumerate(episode.acts) if act.startswith("hop to "))
    return Trajectory(
        episode.task,
        (*episode.obs[: at + 1], seen, *episode.obs[at + 1 :]),
        (*episode.acts[:at], first, *episode.acts[at:]),
        success=True,
    )


def test_a_second_look_that_shows_nothing_new_counts_neither_way(burrow: Small) -> None:
    predictor = LoopPredictor(burrow.knowledge, burrow.reasoner, LoopSettings())
    episodes = [e for e in burrow.trajectories if sum(a.startswith("hop to ") for a in e.acts) > 1]
    assert episodes
    whole = [(n, each.task, returned(each)) for n, each in enumerate(episodes)]
    assert all(each.reproduced for each in prove(whole, predictor))


def strode(episode: Trajectory, verb: str) -> Trajectory:
    """Return an episode in which somebody need not hop to where an action is done."""
    at = next(i for i, act in enumerate(episode.acts) if act.startswith(verb)) - 1
    assert episode.acts[at].startswith("hop to ")
    obs = (*episode.obs[: at + 1], *episode.obs[at + 2 :])
    return Trajectory(
        episode.task, obs, (*episode.acts[:at], *episode.acts[at + 1 :]), success=True
    )


def test_a_plan_goes_on_behind_what_was_done_in_another_way(burrow: Small) -> None:
    predictor = LoopPredictor(burrow.knowledge, burrow.reasoner, LoopSettings())
    rinsed = [e for e in burrow.trajectories if any(a.startswith("rinse ") for a in e.acts)]
    episodes = [strode(each, "rinse ") for each in rinsed]
    for proof in prove([(n, each.task, each) for n, each in enumerate(episodes)], predictor):
        at = next(i for i, s in enumerate(proof.steps) if s.shown.text.startswith("rinse "))
        assert [n for n, each in enumerate(proof.steps) if each.diverges] == [at]


# ----------------------------------------------------------------------------- the floor of tools
def test_the_nearest_run_is_repeated_with_other_values() -> None:
    runs = [
        ToolEpisode("Pay 5 to Ada.", (ToolCall("pay", {"who": "Ada", "much": 5, "now": True}),)),
        ToolEpisode("Find the bill of Ada.", (ToolCall("find", {"of": ["Ada"]}),)),
    ]
    (call,) = ToolRebound(runs).calls("Pay 70 to Ben.")
    assert (call.tool, call.arguments) == ("pay", {"who": "Ben", "much": 70, "now": True})
    (call,) = ToolRebound(runs).calls("Find the bill of Cleo.")
    assert call.arguments == {"of": ["Cleo"]}
