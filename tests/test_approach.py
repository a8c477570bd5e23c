"""How an action is made possible in a world of places: here, there, by need, by exploring."""

from __future__ import annotations

from typing import ClassVar

import pytest
from macla.procedures.model.procedure import Procedure
from macla.procedures.planning.action_grounding import imagined_exploring
from macla.procedures.planning.binding_search import Request
from macla.procedures.planning.episode_memory import EpisodeMemory
from macla.procedures.planning.place_planner import Need, approach, explorations
from macla.procedures.planning.world_model import World
from macla.procedures.words.lexicon import Lexicon

FRAMES = ["tread {0}", "pull {0}", "unbar {0} with {1}", "grab {0}", "shine {0} with {1}"]
KINDS = ["north", "south", "oak gate", "tin chest", "oak pin", "opal", "felt cloth", "urn"]


class _Setting:
    effects: ClassVar = {
        "tread {0}": "moves",
        "pull {0}": "reveals",
        "unbar {0} with {1}": "reveals",
        "grab {0}": "acts",
        "shine {0} with {1}": "acts",
    }
    needs: ClassVar = {
        "unbar {0} with {1}": {1: ["grab {0}"]},
        "shine {0} with {1}": {0: ["grab {0}"]},
    }
    things: ClassVar = {
        "tread {0}": {0: ["north", "south"]},
        "pull {0}": {0: ["oak gate", "tin chest"]},
        "unbar {0} with {1}": {0: ["oak gate"], 1: ["oak pin"]},
    }


def memory(*history, first="Porch\nNorth lies a loft. An oak pin and an urn lie here."):
    world = World(
        effects=_Setting.effects,
        operators={frame: frame.split()[0] for frame in FRAMES},
        needs=_Setting.needs,
        things=_Setting.things,
        reverse={"tread north": "tread south", "tread south": "tread north"},
    )
    lexicon = Lexicon(numbered=False, kinds=KINDS, frames=FRAMES)
    return EpisodeMemory.replay(lexicon, "fetch the opal", first, history, world)


def wanted(do, **parameters):
    return Procedure.from_document(
        {
            "kind": "procedure",
            "id": "wanted",
            "version": 1,
            "goal": do,
            "parameters": {name: {"source": "choice"} for name in parameters},
            "steps": [{"do": do}],
        }
    ), Request({n: e for n, e in parameters.items() if e}, {})


def shown(known, do, possible, *, told=False, needed=frozenset(), **parameters):
    procedure, request = wanted(do, **parameters)
    return approach(procedure, request, known, possible, needed, told=told)


def test_what_is_possible_here_is_done():
    found = shown(memory(), "grab {x}", {"Porch": ["grab opal", "grab urn"]}, x="opal")
    assert (found.purpose, found.action) == ("run", "grab opal")


def test_what_must_be_done_first_is_asked_for():
    need = shown(memory(), "shine {x} with {y}", {}, x="opal", y="felt cloth")
    assert need == Need("grab {0}", 0, "opal")


def test_exploring_tries_what_moves_or_reveals():
    possible = {"Porch": ["grab urn", "pull oak gate", "tread north"]}
    assert shown(memory(), "grab {x}", possible, x="opal").route == ("pull oak gate",)
    tried = memory(("pull oak gate", "You pull.", True))
    assert shown(tried, "grab {x}", possible, x="opal").route == ("tread north",)


def test_a_told_move_that_is_impossible_is_not_looked_for_elsewhere():
    possible = {"Porch": ["tread north"]}
    assert shown(memory(), "tread {x}", possible, told=True, x="south") is None
    behind = {"Porch": ["pull oak gate", "tread north"]}
    found = shown(memory(), "tread {x}", behind, told=True, x="south")
    assert found.route == ("pull oak gate",)


@pytest.mark.parametrize("gate", ["A barred oak gate stands here.", "A barred oaken wall."])
def test_gear_is_taken_up_last_and_only_while_it_can_serve(gate):
    known = memory(first=f"Porch\nAn oak pin and an urn lie here. {gate}")
    found = shown(known, "grab {x}", {"Porch": ["grab oak pin", "grab urn"]}, x="opal")
    if "gate" in gate:
        assert found.route == ("grab oak pin",)
    else:
        assert found is None


def test_where_possible_actions_are_hidden_gear_unbars():
    known = memory(
        ("grab oak pin", "You grab it.", True),
        ("pull oak gate", "It is barred.", False),
        first="Porch\nAn oak pin lies here. A barred oak gate stands here.",
    )
    assert shown(known, "grab {x}", None, x="opal").route == ("unbar oak gate with oak pin",)


def test_what_did_not_work_is_tried_again_once_something_was_done_to_it():
    before = [("grab oak pin", "You grab it.", True), ("pull oak gate", "It is barred.", False)]
    first = "Porch\nAn oak pin lies here. A barred oak gate stands here."
    known = memory(*before, ("unbar oak gate with oak pin", "Done.", True), first=first)
    assert shown(known, "grab {x}", None, x="opal").route == ("pull oak gate",)


def test_one_returns_to_where_a_thing_was_seen_only_after_a_change():
    seen = ("tread north", "Loft\nA felt cloth hangs here. South lies a porch.", True)
    back = ("tread south", "Porch\nNorth lies a loft. An opal lies here.", True)
    possible = {"Porch": ["tread north"], "Loft": ["tread south"]}
    arguments = {"x": "opal", "y": "felt cloth"}
    changed = memory(seen, back, ("grab opal", "You grab it.", True))
    assert shown(changed, "shine {x} with {y}", possible, **arguments).route == ("tread north",)
    tried = memory(("grab opal", "You grab it.", True), seen, back)
    assert shown(tried, "shine {x} with {y}", possible, **arguments) is None


def bare(*history, first, task="fetch the opal"):
    frames = ["fore", "aft", "clamber into the {0}", "grab {0}"]
    world = World(
        effects={**dict.fromkeys(frames[:3], "moves"), "grab {0}": "acts"},
        operators={frame: frame.split()[0] for frame in frames},
        things={"clamber into the {0}": {0: ["galley"]}},
    )
    lexicon = Lexicon(numbered=False, kinds=["opal", "galley"], frames=frames)
    return EpisodeMemory.replay(lexicon, task, first, history, world)


def test_bare_moves_are_imagined_first_where_the_text_speaks_of_them():
    found = shown(bare(first="Brig\nA hatch leads aft."), "grab {x}", None, x="opal")
    assert found.route == ("aft",)
    silent = bare(("aft", "Nope.", False), first="Brig\nDark.")
    assert shown(silent, "grab {x}", None, x="opal").route == ("fore",)
    shut = bare(("aft", "Nope.", False), ("fore", "Nope.", False), first="Brig\nDark.")
    assert shown(shut, "grab {x}", None, x="opal") is None


def test_a_text_offers_moves_with_names_known_or_new():
    known = bare(first="Brig\nOne can clamber into the orlop, the galley and the sail loft.")
    listed = imagined_exploring(known)["Brig"]
    assert listed == [f"clamber into the {name}" for name in ("galley", "orlop", "sail loft")]


def test_every_way_to_something_new_is_told_those_at_this_place_first():
    brig = bare(first="Brig\nA hatch leads aft. One can clamber into the galley.")
    assert explorations(brig) == ["aft", "clamber into the galley", "fore"]
    assert shown(brig, "grab {x}", None, x="opal").purpose == "explore"
    galley = ("clamber into the galley", "Galley\nPots. A hatch leads fore.", True)
    left = bare(galley, first="Brig\nA hatch leads aft. One can clamber into the galley.")
    assert explorations(left)[0] == "fore"
    assert explorations(EpisodeMemory.replay(left.lexicon, "fetch", "A hut.", (), World())) == []


def test_what_the_task_names_is_looked_for_where_things_have_no_number():
    procedure, _ = wanted("grab {x}", x="")
    request = Request({}, {"x": "opal"})
    known = bare(("fore", "Loft\nAn opal.", True), ("aft", "Brig\nAft.", True), first="Brig\nAft.")
    found = approach(procedure, request, known, None)
    assert (found.purpose, found.route) == ("travel", ("fore",))
