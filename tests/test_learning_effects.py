"""What actions do, told from demonstrations: moving, revealing, opening, acting."""

from __future__ import annotations

from dataclasses import replace

import pytest
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.learning.analysis import read
from macla.procedures.learning.effects import ACTS, MOVES, REVEALS, frame_effects
from macla.procedures.learning.enabling import closed_positions
from macla.procedures.learning.entities import learn_lexicon
from macla.procedures.learning.place_headings import Headings
from macla.procedures.words.lexicon import Lexicon

ROOMS = ("attic", "cellar", "larder", "porch", "stable", "turret")
GATES = ("brass gate", "oak gate", "wicker gate")


def walk(number, title, start=None):
    """Open a gate, go through, push on, fetch a gem from a chest that hides it."""
    rooms = [ROOMS[(number * 5 + i * (1 + number % 3)) % len(ROOMS)] for i in range(3)]
    if start is not None:
        rooms = [start, *(r for r in ROOMS if r != start)][:3]
    gate, gem = GATES[number % 3], ("opal", "ruby", "topaz")[number % 3]
    way = ("north", "south", "east", "west")[number % 4]
    scene = title(rooms[0]) + f"\nThere is a {gate} here."
    obs = [
        scene,
        f"You pull at the {gate}.",
        title(rooms[1]) + f"\nWays lead {way}, north, south, east and west. An urn stands here.",
        title(rooms[2]) + "\nA chest stands here. Ways lead north, south, east and west.",
        f"You unlatch the chest: a {gem}.",
        f"You take the {gem}.",
    ]
    acts = [f"pull {gate}", f"tread {way}", f"tread {way}", "unlatch chest", f"grab {gem}"]
    return Trajectory("fetch the gem", tuple(obs), tuple(acts), True, id=f"t{number}")


def effects_of(walks):
    # Frames are given, so that effects alone are under test.
    lexicon = Lexicon(
        numbered=False,
        kinds=[*GATES, "opal", "ruby", "topaz", "chest", "north", "south", "east", "west"],
        frames=["pull {0}", "tread {0}", "unlatch {0}", "grab {0}"],
    )
    return frame_effects([read(each, lexicon) for each in walks])


@pytest.mark.parametrize(
    "title",
    [
        lambda room: f"<< {room.title()} >>",
        lambda room: f"You stand in the {room}.",
        lambda room: room.title(),
    ],
    ids=["ornament", "sentence", "bare name"],
)
def test_moves_are_told_by_headings(title):
    effects = effects_of([walk(n, title) for n in range(24)])
    assert effects["tread {0}"] == MOVES
    assert effects["grab {0}"] == ACTS


def test_an_ornament_is_enough_where_all_episodes_start_in_one_place():
    walks = [walk(n, lambda room: f"<< {room.title()} >>", start="porch") for n in range(12)]
    assert effects_of(walks)["tread {0}"] == MOVES


def test_what_opens_the_way_explores_and_what_shows_things_does_too():
    effects = effects_of([walk(n, lambda room: f"<< {room} >>") for n in range(12)])
    assert effects["pull {0}"] == REVEALS
    assert effects["unlatch {0}"] == REVEALS


def test_what_is_used_later_does_not_open_the_way():
    def keep(number):
        each = walk(number, lambda room: f"<< {room} >>")
        gate = each.acts[0].removeprefix("pull ")
        return replace(
            each, obs=(*each.obs, f"The {gate} rusts."), acts=(*each.acts, f"grab {gate}")
        )

    assert effects_of([keep(n) for n in range(12)])["pull {0}"] == ACTS


def test_headings_with_nothing_in_common_are_known_by_name_alone():
    headings = Headings.of_starts(["Attic. Dust.", "Cellar. Damp.", "Porch. Wind."])
    assert headings.begins("Cellar. Anything else.")
    assert not headings.begins("Larder. Hams.")
    assert headings.joined(["Larder."]).begins("Larder. Hams.")


def test_titles_head_places_and_neither_answers_nor_lists_do():
    headings = Headings.of_starts(["Porch\nAn urn stands here."] * 5)
    assert headings.begins("Larder\nHams.")
    assert not headings.begins("You take the urn.")
    assert not headings.begins("You take the urn.\nIt is heavy.")
    assert not headings.begins("Larder")
    listing = Headings.of_starts(["drafts/\nmail/\nnotes/"] * 5)
    assert not listing.begins("mail/a.txt\nmail/b.txt")


def stroll(number, noise=()):
    """Leave the porch, look about if asked to, come back, take the urn there."""
    room = ROOMS[number % 3]
    way = ("north", "south")[number % 2]
    obs = ["Porch. An urn stands here.", f"{room.title()}. Dust."]
    acts = [f"tread {way}"]
    for action, answer in noise:
        obs.append(answer or obs[-1])
        acts.append(action)
    obs += ["Porch. An urn stands here.", "You take the urn."]
    acts += [f"tread {('south', 'north')[number % 2]}", "grab urn"]
    return Trajectory("fetch the urn", tuple(obs), tuple(acts), True, id=f"s{number}")


@pytest.mark.parametrize("noise", [(), (("peer", ""),), (("wait", "Time passes."),)])
def test_leaving_coming_back_and_showing_what_is_new_is_moving(noise):
    lexicon = Lexicon(
        numbered=False,
        kinds=["urn", "north", "south"],
        frames=["tread {0}", "grab {0}", "peer", "wait"],
    )
    effects = frame_effects([read(stroll(n, noise), lexicon) for n in range(12)])
    assert {frame for frame, effect in effects.items() if effect == MOVES} == {"tread {0}"}


@pytest.mark.parametrize(
    ("starts", "yes", "no"),
    [
        (["-= Attic =-", "-= Cellar =-", "-= Porch =-"], "-= Loft =-", "You wait."),
        (
            ["You are in Attic.", "You are in Loft.", "You are in Hall."],
            "You are in Den.",
            "You eat.",
        ),
        (["## Attic ##"], "## Loft ##", "# Loft #"),
        (
            ["The attic is cold.", "The cellar is damp.", "The porch is wide."],
            "The porch is wide.",
            "The urn is full.",
        ),
        (["You rest.", "You sleep.", "You wake."], "You rest.", "You take the urn."),
    ],
)
def test_only_an_ornament_or_several_words_make_a_pattern(starts, yes, no):
    headings = Headings.of_starts(starts)
    assert headings.begins(yes)
    assert not headings.begins(no)


def test_ways_to_go_are_a_closed_class_and_things_are_not():
    walks = [walk(n, lambda room: f"<< {room} >>") for n in range(40)]
    lexicon = learn_lexicon(walks)
    episodes = [read(each, lexicon) for each in walks]
    effects = frame_effects(episodes)
    closed = closed_positions(episodes, effects)
    assert closed == {(frame, 0) for frame, effect in effects.items() if effect == MOVES}
    assert closed
    few = episodes[:4]
    assert closed_positions(few, effects) == set()
