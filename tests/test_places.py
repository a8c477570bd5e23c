"""The graph of places: shortest ways, and where something new may be found."""

from __future__ import annotations

from collections import deque

from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.planning.place_map import PlaceMap, heading


def test_heading():
    assert heading("~ Hall ~\nStones. Moss.") == "~ Hall ~"
    assert heading("A hall. Stones.") == "A hall."
    assert heading("") == heading(" \n ") == ""


def walked():
    """Hall – east → Attic – south → Cellar, standing in the cellar."""
    places = PlaceMap("Hall\nDust.")
    places.moved("go east", "Attic\nMoss.", back="go west")
    places.moved("go south", "Cellar\nSalt.")
    return places


def test_ways():
    places = walked()
    assert places.here == "Cellar"
    assert places.path(lambda place: place == "Cellar") == []
    assert places.path(lambda place: place == "Hall") is None  # no way back is known from here
    places.moved("go north", "Attic\nMoss.")
    assert places.path(lambda place: place == "Hall") == ["go west"]
    assert places.path(lambda place: place == "Cellar") == ["go south"]
    assert places.path(lambda place: place == "Nowhere") is None


def test_a_move_that_leads_nowhere_new():
    places = PlaceMap("Hall")
    places.moved("go east", "Hall", back="go west")
    assert places.here == "Hall"
    assert places.path(lambda place: place != "Hall") is None
    assert places.edges == {"Hall": {"go east": "Hall"}}
    places.moved("go up", "")
    assert places.here == "Hall"


def test_texts_gather_what_is_seen_at_a_place():
    places = walked()
    places.acted("look", "A barrel.")
    assert places.texts["Cellar"] == "Cellar\nSalt.\nA barrel."
    assert ("Cellar", "look") in places.tried
    places.failed("dance")
    assert places.failures("Cellar", "dance") == 1
    assert places.failures("Hall", "dance") == 0


def test_frontier_is_the_nearest_new_thing():
    places = walked()
    places.moved("go north", "Attic\nMoss.")
    possible = {
        "Hall": ["go east", "go north"],
        "Attic": ["go south", "go west"],
        "Cellar": ["dig"],
    }

    def explores(place, action):
        return (place, action) not in places.tried

    # The way back west is known without having been gone.
    assert places.frontier(possible, explores) == (["go west"], "go north")
    assert places.frontier({"Cellar": ["dig"]}, explores) == (["go south"], "dig")
    assert places.frontier({}, explores) is None


MOVES = st.lists(
    st.tuples(st.sampled_from(["n", "s", "e", "w"]), st.integers(0, 5).map("Room {}".format)),
    max_size=20,
)


@given(MOVES, st.integers(0, 5).map("Room {}".format))
def test_ways_are_shortest_and_lead_there(moves, target):
    places = PlaceMap("Room 0")
    for move, room in moves:
        places.moved(move, room)
    way = places.path(lambda place: place == target)
    distance = {places.here: 0}
    queue = deque([places.here])
    while queue:
        place = queue.popleft()
        for following in places.edges[place].values():
            if following not in distance:
                distance[following] = distance[place] + 1
                queue.append(following)
    if way is None:
        assert target not in distance
        return
    assert len(way) == distance[target]
    place = places.here
    for move in way:
        place = places.edges[place][move]
    assert place == target
