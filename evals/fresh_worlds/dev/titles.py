"""Titles in quotation marks: a song for a playlist, a document that is shared."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import PARTS, PEOPLE, PRODUCTS, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class PlaylistAdd(World):
    """A song is found by its title and put on a playlist."""

    name = "playlist-add"
    difficulty = "the title in quotation marks is one value, though titles share their words"
    operators = (
        Operator("search", "show the songs of {artist}", about="List songs."),
        Operator("add", "add track {track} to {playlist}", about="Add a song."),
        Operator("save", "save {playlist}", about="Final."),
    )
    horizon = 6

    lists = ("Quiet Evening", "Sunday in the Kitchen", "On the Road", "Gym", "Work and Rain")
    forms = ("Waiting for the {part}", "The {part}", "Song of the {part}", "{part}, my {part}")
    wordings = (
        "Put '{title}' by {artist} on the playlist '{playlist}'.",
        "'{playlist}' lacks '{title}' by {artist}. Add it.",
        "I want to hear '{title}' ({artist}) in '{playlist}'",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw artists and their songs."""
        self.artists = self.draw(PEOPLE, 3)
        parts = [each.capitalize() for each in self.draw(PARTS, 6)]
        self.songs: dict[str, list[dict[str, Value]]] = {each: [] for each in self.artists}
        for number, part in enumerate(parts):
            title = self.rng.choice(self.forms).format(part=part)
            row: dict[str, Value] = {"track": self.identifier("T####"), "title": title}
            row["length"] = f"{self.rng.randint(2, 6)}:{self.rng.randint(10, 59)}"
            self.songs[self.artists[0] if number < 4 else self.artists[1]].append(row)
        self.artist = self.artists[0]
        self.row = self.songs[self.artist][0]
        self.songs[self.artist] = self.arranged(self.songs[self.artist], self.row)
        self.playlist = self.rng.choice(self.lists)
        self.seen: list[Value] = []
        self.added: list[Call] = []
        wording = self.rng.choice(self.wordings)
        names = {"title": self.row["title"], "artist": self.artist, "playlist": self.playlist}
        return wording.format(**names), [Fact("Playlists: " + " / ".join(self.lists), {"lists": 5})]

    def possible(self) -> list[Call]:
        """Every artist; the songs that were listed, on each playlist."""
        calls = [call("search", artist=each) for each in self.artists]
        calls += [call("add", track=t, playlist=p) for t in self.seen for p in self.lists]
        return [*calls, *(call("save", playlist=each) for each in self.lists)]

    def do(self, wanted: Call) -> Result:
        """List, add, or end."""
        if wanted.operator == "search":
            rows = self.songs[wanted["artist"]]
            self.seen += [row["track"] for row in rows if row["track"] not in self.seen]
            return [Rows("songs", "{track} {title} {length}", rows)]
        if wanted.operator == "add":
            self.added.append(wanted)
            return [Fact("Added.", {"added": True})]
        right = call("add", track=self.row["track"], playlist=self.playlist)
        self.end(won=self.added == [right] and wanted["playlist"] == self.playlist)
        return [Fact("Saved.", {"saved": True})]

    def expert(self) -> Iterator[Call]:
        """Look for the song, add it, save."""
        yield call("search", artist=self.artist)
        yield call("add", track=self.row["track"], playlist=self.playlist)
        yield call("save", playlist=self.playlist)


class DocumentShare(World):
    """A document is shared with somebody, unless a note on it says that it is confidential."""

    name = "document-share"
    difficulty = "a title in quotation marks is looked up; what its page says decides"
    operators = (
        Operator("list", "list my documents", about="List documents."),
        Operator("open", "open document {id}", about="Show a document."),
        Operator("share", "share {id} with {person}", about="Final."),
        Operator("ask", "ask {owner} about {id}", about="Final."),
    )
    horizon = 6

    forms = ("Minutes of the {team} meeting", "Plan for the {item}", "{team}: who does what")
    wordings = (
        'Share "{title}" with {person}.',
        '{person} needs "{title}".',
        'Could you let {person} read "{title}"? Thanks',
    )

    def begin(self) -> tuple[str, Result]:
        """Draw documents with owners."""
        people = self.draw(PEOPLE, 5)
        pairs = zip(self.draw(TEAMS, 3), self.draw(PRODUCTS, 3), strict=True)
        self.pages: dict[str, dict[str, Value]] = {}
        for (team, item), owner in zip(pairs, people, strict=False):
            head = self.rng.choice(self.forms).format(team=team, item=item)
            kind = self.rng.choice(("internal", "internal", "public", "confidential"))
            page: dict[str, Value] = {"title": head, "owner": owner, "class": kind}
            self.pages[self.identifier("D-###")] = page
        self.id = next(iter(self.pages))
        self.person = people[4]
        self.listed = self.arranged(list(self.pages), self.id)
        self.seen = False
        title = self.pages[self.id]["title"]
        asked = self.rng.choice(self.wordings).format(title=title, person=self.person)
        return asked, [Fact("Signed in.", {"signed_in": True})]

    def possible(self) -> list[Call]:
        """Every document."""
        calls = [call("list")]
        if self.seen:
            calls += [call("open", id=each) for each in self.listed]
            calls += [call("share", id=each, person=self.person) for each in self.listed]
            calls += [call("ask", owner=self.pages[i]["owner"], id=i) for i in self.listed]
        return calls

    def do(self, wanted: Call) -> Result:
        """List, show, or end."""
        if wanted.operator == "list":
            self.seen = True
            rows = [{"id": each, "title": self.pages[each]["title"]} for each in self.listed]
            return [Rows("documents", "{id} {title}", rows)]
        if wanted.operator == "open":
            page = self.pages[wanted["id"]]
            return [Fact("\n".join(f"{key}: {value}" for key, value in page.items()), page)]
        self.end(won=wanted == self._last())
        return [Fact("Done.", {"done": True})]

    def _last(self) -> Call:
        page = self.pages[self.id]
        if page["class"] == "confidential":
            return call("ask", owner=page["owner"], id=self.id)
        return call("share", id=self.id, person=self.person)

    def expert(self) -> Iterator[Call]:
        """List, open, share or ask."""
        yield call("list")
        yield call("open", id=self.id)
        yield self._last()
