"""Which world an episode is of: what its task and its first observation tell."""

from __future__ import annotations

from macla.procedures.episodes.recognising import beginning_of, telling_words, world_of
from macla.procedures.model.procedure import Ontology

OFFICE, STORE = ("invoice", "menu", "open"), ("menu", "parcel", "send")


def test_what_several_tell_tells_a_world() -> None:
    beginnings = ["The red hall.", "A blue hall.", "The red hall of Ada."]
    assert telling_words(beginnings) == ("hall", "red")


def test_each_kind_of_task_of_a_world_is_known_by_words_of_its_own() -> None:
    halls = [f"Walk {way} to find the {thing}." for way in ("north", "west") for thing in "abcd"]
    stoves = ["Cook a tasty meal, then eat.", "Cook a tasty meal, then sleep."]
    words = telling_words([*halls, *stoves])
    assert {"walk", "find", "north", "west", "cook", "tasty", "meal"} <= {*words}
    worlds = {"": words, "queue": ("close", "queue", "tickets")}
    assert world_of(worlds, "Cook a tasty meal, close the oven, then eat.") == ""
    assert world_of(worlds, "Walk west to find the e and close it.") == ""
    assert world_of(worlds, "Close the tickets of this queue and walk north.") == "queue"


def test_a_task_tells_worlds_apart_that_look_alike() -> None:
    worlds = {"": OFFICE, "store": STORE}
    assert world_of(worlds, beginning_of("Send the parcel.", "Menu:")) == "store"
    assert world_of(worlds, beginning_of("Open the invoice.", "Menu:")) == ""


def test_of_worlds_that_fit_alike_the_first_is_taken() -> None:
    assert world_of({"": OFFICE, "store": STORE}, "Menu:") == ""
    assert world_of({"": (), "store": ()}, "Menu:") == ""


def test_an_ontology_of_one_world_looks_at_nothing() -> None:
    document = {"kind": "ontology", "version": 1, "told": list(OFFICE)}
    assert Ontology.from_document(document).world_of("Send the parcel.", "") == ""
    several = Ontology.from_document({**document, "worlds": {"store": {"told": list(STORE)}}})
    assert several.world_of("Send the parcel.", "") == "store"
    assert several.of_world("store").told == STORE
    assert several.of_world("elsewhere") == several.of_world("")
    assert several.of_world("").told == OFFICE
    assert Ontology.from_document(several.to_document()) == several
    assert several.to_document()["worlds"] == {"store": {"told": list(STORE)}}
