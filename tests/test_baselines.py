from __future__ import annotations

import pytest
from macla.evals.players.baselines import NearestRebound, NearestReplay, RandomAdmissible, play
from macla.procedures.common.errors import DataError, EnvironmentFailure
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.proof.nearest import Nearest
from macla.procedures.proof.rebound import Rebound, exchanged, exchanges


class Corridor:
    """Won after ``task`` steps to the right; no list of actions."""

    def reset(self, task):
        self.left = task
        return f"Go right {task} times.", "A long corridor."

    def step(self, action):
        self.left -= action == "right"
        return f"{self.left} to go.", float(action == "right"), self.left == 0, {}


class ListedCorridor(Corridor):
    def admissible(self):
        return ["left", "right"]


def demo(name, task, acts, success=True):
    scenes = ("A room.",) * (len(acts) + 1)
    return Trajectory(id=name, task=task, obs=scenes, acts=tuple(acts), success=success)


DEMOS = [
    demo("a", "Put the mug on the shelf.", ["take mug", "put mug"]),
    demo("b", "Go right 2 times.", ["right", "right"]),
    demo("c", "Cool the egg.", ["take egg", "cool egg"]),
]


def test_random_is_deterministic_and_does_not_depend_on_earlier_episodes():
    player = RandomAdmissible(4)
    first = play(player, ListedCorridor(), 5, max_steps=30)
    play(player, ListedCorridor(), 3)
    assert play(player, ListedCorridor(), 5, max_steps=30) == first
    assert play(RandomAdmissible(4), ListedCorridor(), 5, max_steps=30) == first
    others = {play(RandomAdmissible(s), ListedCorridor(), 5).actions for s in range(10)}
    assert len(others) > 5


def test_random_takes_all_actions_and_needs_a_list():
    outcome = play(RandomAdmissible(0), ListedCorridor(), 1000, max_steps=400)
    assert 140 < outcome.actions.count("left") < 260
    with pytest.raises(EnvironmentFailure, match="admissible"):
        play(RandomAdmissible(0), Corridor(), 3)
    assert RandomAdmissible(0).choose("", []) is None


def test_replay_takes_the_most_similar_and_stops_at_its_end():
    nearest = Nearest(DEMOS)
    assert nearest.nearest("Please go right 5 times", "A corridor.").id == "b"
    assert nearest.nearest("Cool some egg", "").id == "c"
    player = NearestReplay(DEMOS)
    won = play(player, Corridor(), 2, name="game")
    assert (won.id, won.success, won.steps, won.reward) == ("game", True, 2, 2.0)
    assert won.actions == ("right", "right")
    lost = play(player, Corridor(), 3)
    assert (lost.id, lost.success, lost.steps) == ("3", False, 2)


def test_replay_breaks_ties_by_order_and_prefers_successes():
    same = [demo("x", "Go.", ["one"], success=False), demo("y", "Go.", ["two"])]
    same.append(demo("z", "Go.", ["three"]))
    assert Nearest(same).nearest("Go.", "A room.").id == "y"
    assert Nearest(same).nearest("", "").id == "y"
    assert Nearest(same[:1]).nearest("Go.", "A room.").id == "x"
    with pytest.raises(DataError, match="at least one"):
        NearestReplay([])


def test_rebound_puts_the_new_words_in_the_places_of_the_old():
    shown = [
        demo("f", "Add Ada Abbott from Oslo.", ["press new", "enter Ada as first", "enter Oslo"]),
        demo("g", "Send AX-17/b to Lima.", ["ship AX-17/b", "to lima"]),
    ]
    player = Rebound(shown)
    asked = "Add Ben Bauer from New York."
    assert player.actions(asked, "A room.") == ("press new", "enter Ben as first", "enter New York")
    assert player.actions("Send QQ-3.2 to Rome!", "") == ("ship QQ-3.2", "to Rome")
    same = player.actions(shown[0].task, "A room.")
    assert same == shown[0].acts


def test_words_are_exchanged_all_at_once_and_whole():
    assert exchanges("Move a to b.", "Move b to a.") == {"a": "b", "b": "a"}
    assert exchanged("a, b and ab", {"a": "b", "b": "a"}) == "b, a and ab"
    assert exchanged("anything", {}) == "anything"
    assert exchanges("", "x y") == {}


def test_rebound_plays_where_replay_fails():
    class Named:
        def reset(self, task):
            self.name = task
            return f"Call {task}.", "A telephone."

        def step(self, action):
            done = action == f"dial {self.name}"
            return "It rings." if done else "Nothing.", float(done), done, {"won": done}

    shown = [demo("t", "Call Ada.", ["dial Ada"])]
    assert not play(NearestReplay(shown), Named(), "Ben").success
    assert play(NearestRebound(shown), Named(), "Ben").success


def test_rare_words_weigh_more():
    demos = [
        demo("p", "You must please kindly put the mug on the shelf.", ["a"]),
        demo("q", "You must please kindly cool the egg.", ["b"]),
        demo("r", "You must please kindly cool the lettuce.", ["c"]),
    ]
    assert Nearest(demos).nearest("Cool lettuce", "").id == "r"


def test_play_uses_won_where_it_is_told_and_ends_at_the_horizon():
    class Told(Corridor):
        def step(self, action):
            observation, reward, done, _ = super().step(action)
            return observation, reward, done, {"won": False}

    assert not play(NearestReplay(DEMOS), Told(), 2).success
    outcome = play(RandomAdmissible(1), ListedCorridor(), 99, max_steps=7)
    assert (outcome.steps, outcome.success) == (7, False)
    with pytest.raises(DataError, match="at least one step"):
        play(RandomAdmissible(1), ListedCorridor(), 1, max_steps=0)
