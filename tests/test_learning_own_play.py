"""Plans from an agent's own play: what they say of their source, and what is no plan of its own."""

from __future__ import annotations

from types import SimpleNamespace

from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning import plans
from macla.procedures.learning.learner import learn
from macla.procedures.learning.provenance import OWN_PLAY


def chilled(number, source="expert"):
    """Fetch a thing, chill it and put it away."""
    thing, shelf, tub = (
        f"plim {number % 3 + 1}",
        f"nook {number % 4 + 1}",
        f"crate {number % 2 + 1}",
    )
    acts = [f"fetch {thing} from {shelf}", f"chill {thing} in frost 1", f"stow {thing} in {tub}"]
    first = f"You see a {shelf}, a {tub}, a frost 1. In the {shelf} is a {thing}."
    obs = [first, f"You fetch the {thing}.", f"You chill the {thing}.", f"You stow the {thing}."]
    task = "stow a chilled plim in crate"
    return Trajectory(task, tuple(obs), tuple(acts), True, str(number), source)


def shapes(*each, source=OWN_PLAY):
    """Return which ways of reaching a goal are kept, of so many episodes each."""
    episode = SimpleNamespace(trajectory=chilled(0, source))
    members = [
        (episode, [SimpleNamespace(key=frame) for frame in way.split()])
        for way, count in each
        for _ in range(count)
    ]
    return [" ".join(shape) for shape in plans._common_shapes(members)]


def test_what_sufficed_too_early_is_no_way_of_its_own():
    assert shapes(("fetch chill stow", 8), ("fetch chill", 2)) == ["fetch chill stow"]
    assert shapes(("fetch chill stow", 1), ("fetch chill", 1)) == ["fetch chill stow"]


def test_what_sufficed_more_often_stays_and_so_does_another_way():
    assert shapes(("fetch stow", 6), ("fetch stow fetch stow", 2))[0] == "fetch stow"
    assert len(shapes(("fetch chill stow", 8), ("chill fetch", 2))) == 2


def test_one_episode_of_own_play_shows_no_way_beside_another():
    ways = ("fetch stow", 4), ("fetch poke stow", 1)
    assert shapes(*ways) == ["fetch stow"]
    assert shapes(*ways, source="expert") == ["fetch stow", "fetch poke stow"]
    assert shapes(("fetch poke stow", 1), ("fetch stow", 1)) == ["fetch stow"]
    assert shapes(("fetch stow", 2), ("poke stow", 2)) == ["fetch stow", "poke stow"]


def put(number, source="expert", *, poked=False):
    """Walk to a thing, fetch it, perhaps poke it in vain, and put it away elsewhere."""
    thing, shelf, tub = (
        f"plim {number % 3 + 1}",
        f"nook {number % 4 + 1}",
        f"crate {number % 2 + 1}",
    )
    steps = [
        (f"go to {shelf}", f"You arrive at {shelf}. On the {shelf} is a {thing}."),
        (f"fetch {thing} from {shelf}", f"You fetch the {thing}."),
        *([(f"poke {thing}", f"You poke the {thing}.")] * poked),
        (f"go to {tub}", f"You arrive at {tub}. It is empty."),
        (f"stow {thing} in {tub}", f"You stow the {thing}."),
    ]
    first = "You see a nook 1, a nook 2, a nook 3, a nook 4, a crate 1, a crate 2."
    obs = (first, *(answer for _, answer in steps))
    task = "stow a plim in crate"
    return Trajectory(task, obs, tuple(act for act, _ in steps), True, f"{number}", source)


def test_what_own_play_did_in_vain_is_no_procedure_and_no_need():
    shown = [put(number) for number in range(6)]
    demonstrated = learn([*shown, put(6, poked=True)])
    assert "poke" in demonstrated.procedures
    played = learn([*shown, put(6, OWN_PLAY, poked=True)])
    assert "poke" not in str((played.procedures, played.metas))


def test_what_was_learned_from_own_play_says_so():
    shown = [chilled(i, OWN_PLAY if i > 1 else "expert") for i in range(6)]
    found = learn(shown)
    (plan,) = found.metas.values()
    assert plan["provenance"]["learned_from"] == "2 demonstrations and 4 episodes of own play"
    told = {each["provenance"]["learned_from"] for each in found.procedures.values()}
    assert told == {"2 segments of demonstrations and 4 segments of own play"}
    (plan,) = learn([chilled(i, OWN_PLAY) for i in range(6)]).metas.values()
    assert plan["provenance"]["learned_from"] == "6 episodes of own play"
