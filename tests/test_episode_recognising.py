"""Which world an episode is of: what its task and its first observation tell."""

from __future__ import annotations

from macla.procedures.episodes.recognising import beginning_of, mostly_told, world_of
from macla.procedures.model import Ontology

OFFICE, STORE = ("invoice", "menu", "open"), ("menu", "parcel", "send")


def test_what_more_than_half_tell_is_mostly_told() -> None:
    beginnings = ["The red hall.", "A blue hall.", "The red hall of Ada."]
    assert mostly_told(beginnings) == ("hall", "red")


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
