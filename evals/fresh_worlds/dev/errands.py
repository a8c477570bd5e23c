"""Errands for several things that a task names: each is worked off with values looked up for it."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import distinct, enumerated


class RoomBookings(World):
    """Each guest that is named gets the one free room that fits the guest's card."""

    name = "room-bookings"
    difficulty = "for each of one to four guests a room is found by two values of the guest's card"
    operators = (
        Operator("card", "read the card of {guest}", about="What a guest wishes."),
        Operator("rooms", "list the free rooms", about="Rooms that are free."),
        Operator("book", "book room {room} for {guest}", ("room",), "Cannot be undone."),
        Operator("close", "close the book", about="Final."),
    )
    horizon = 14

    wordings = ("Book rooms for {guests}.", "{guests} need rooms tonight.")
    kinds = ("single", "double", "suite")

    def begin(self) -> tuple[str, Result]:
        """Draw guests, their wishes, and rooms of which one fits each."""
        guests = self.draw(PEOPLE, 6)
        self.named = guests[: self.rng.randint(1, 4)]
        pairs = [(kind, floor) for kind in self.kinds for floor in range(1, 4)]
        wishes = self.rng.sample(pairs, len(guests))
        self.wishes = dict(zip(guests, wishes, strict=True))
        numbers = self.rng.sample(range(11, 99), len(pairs))
        self.rooms = {
            pair: str(100 * pair[1] + number) for pair, number in zip(pairs, numbers, strict=True)
        }
        spare = [pair for pair in pairs if pair not in wishes]
        self.free = self.arranged([*wishes, *spare[:2]])
        self.booked: set[str] = set()
        asked = self.rng.choice(self.wordings).format(guests=enumerated(self.named))
        return asked, [Fact("The book is open.", {"book": "open"})]

    def _right(self, guest: str) -> Call:
        return call("book", room=self.rooms[self.wishes[guest]], guest=guest)

    def possible(self) -> list[Call]:
        """Every card, the list, every room for every guest, the end."""
        calls = [call("card", guest=each) for each in self.wishes]
        rooms = [self.rooms[pair] for pair in self.free]
        calls += [call("book", room=room, guest=each) for room in rooms for each in self.wishes]
        return [call("rooms"), *calls, call("close")]

    def do(self, wanted: Call) -> Result:
        """Show, book, or end."""
        if wanted.operator == "card":
            kind, floor = self.wishes[wanted["guest"]]
            text = f"{wanted['guest']} wishes a {kind} on floor {floor}."
            return [Fact(text, {"guest": wanted["guest"], "kind": kind, "floor": floor})]
        if wanted.operator == "rooms":
            rows: list[dict[str, Value]] = [
                {"room": int(self.rooms[pair]), "kind": pair[0], "floor": pair[1]}
                for pair in self.free
            ]
            return [Rows("rooms", "Room {room} is a {kind}, floor {floor}", rows)]
        if wanted.operator == "close":
            self.end(won=self.booked == set(self.named))
            return [Fact("Closed.", {"closed": True})]
        guest = wanted["guest"]
        if guest not in self.named or guest in self.booked or wanted != self._right(guest):
            self.end(won=False)
        self.booked.add(guest)
        return [Fact(f"Booked for {guest}.", {"booked": guest})]

    def expert(self) -> Iterator[Call]:
        """List the rooms; read each card and book; close."""
        yield call("rooms")
        for guest in self.named:
            yield call("card", guest=guest)
            yield self._right(guest)
        yield call("close")


class HostRestarts(World):
    """Of the hosts that are named those that are not drained are restarted, each its service."""

    name = "host-restarts"
    difficulty = "for each of one to four hosts a service is looked up; one that is drained is left"
    operators = (
        Operator("show", "{host} show", about="Show a host."),
        Operator("restart", "{host} {service} restart", about="Cannot be undone."),
        Operator("resolve", "ticket resolve", about="Final."),
    )
    horizon = 12

    wordings = ("Restart {hosts}", "hung: {hosts}", "{hosts} to be restarted")
    services = ("nginx", "redis", "kafka", "mysql", "varnish", "haproxy", "etcd", "consul")

    def begin(self) -> tuple[str, Result]:
        """Draw hosts with a service and a mode."""
        hosts = distinct(
            lambda: f"{self.rng.choice(('web', 'db', 'app'))}-{self.rng.randint(1, 60)}", 6
        )
        self.service = {each: self.rng.choice(self.services) for each in hosts}
        self.mode = {each: self.rng.choice(("serving", "serving", "drained")) for each in hosts}
        self.named = hosts[: self.rng.randint(1, 4)]
        self.due = {each for each in self.named if self.mode[each] == "serving"}
        self.seen: set[str] = set()
        asked = self.rng.choice(self.wordings).format(hosts=" / ".join(self.named))
        return asked, [Fact("ticket: open", {"ticket": "open"})]

    def possible(self) -> list[Call]:
        """Every host, every service on it, the end."""
        calls = [call("show", host=each) for each in self.service]
        calls += [
            call("restart", host=host, service=each)
            for host in self.service
            for each in dict.fromkeys(self.service.values())
        ]
        return [*calls, call("resolve")]

    def do(self, wanted: Call) -> Result:
        """Show, restart, or end."""
        if wanted.operator == "resolve":
            self.end(won=not self.due and self.seen.issuperset(self.named))
            return [Fact("ticket: resolved", {"ticket": "resolved"})]
        host = wanted["host"]
        if wanted.operator == "show":
            self.seen.add(host)
            row: dict[str, Value] = {"service": self.service[host], "mode": self.mode[host]}
            text = f"host: {host}\nservice: {row['service']}\nmode: {row['mode']}"
            return [Fact(text, {"host": host, **row})]
        if host not in self.due or wanted["service"] != self.service[host]:
            self.end(won=False)
        self.due.discard(host)
        return [Fact("up: yes", {"up": True})]

    def expert(self) -> Iterator[Call]:
        """Show each; restart it unless it is drained; resolve."""
        for host in self.named:
            yield call("show", host=host)
            if host in self.due:
                yield call("restart", host=host, service=self.service[host])
        yield call("resolve")


class FreightQuote(World):
    """The price of a parcel stands in a table of zones and sizes; the city tells the zone."""

    name = "freight-quote"
    difficulty = "a price is looked up by a size and by the zone that another table tells of a city"
    operators = (
        Operator("cities", "open the table of cities", about="City and zone."),
        Operator("prices", "open the table of prices", about="Zone, size and price."),
        Operator("quote", "quote {price} for {city}", ("price",), "Final."),
    )
    horizon = 5

    wordings = ("What is a {size} parcel to {city}?", "Quote {city}, {size}.")
    sizes = ("small", "medium", "large")
    zones = ("A", "B", "C")

    def begin(self) -> tuple[str, Result]:
        """Draw cities with zones, and a price for each zone and size."""
        cities = self.draw(CITIES, 6)
        self.zone = {each: self.rng.choice(self.zones) for each in cities}
        pairs = [(zone, size) for zone in self.zones for size in self.sizes]
        prices = self.rng.sample(range(5, 90), len(pairs))
        self.price = dict(zip(pairs, prices, strict=True))
        self.city, self.size = self.rng.choice(cities), self.rng.choice(self.sizes)
        self.right = str(self.price[self.zone[self.city], self.size])
        asked = self.rng.choice(self.wordings).format(size=self.size, city=self.city)
        return asked, [Fact("A caller waits.", {"caller": True})]

    def possible(self) -> list[Call]:
        """The tables, every price."""
        prices = [call("quote", price=each, city=self.city) for each in self.price.values()]
        return [call("cities"), call("prices"), *prices]

    def do(self, wanted: Call) -> Result:
        """Show a table, or end."""
        if wanted.operator == "cities":
            rows: list[dict[str, Value]] = [
                {"city": city, "zone": zone} for city, zone in self.zone.items()
            ]
            return [Rows("cities", "| {city} | {zone} |", rows)]
        if wanted.operator == "prices":
            pairs = self.arranged(self.price)
            rows = [{"zone": z, "size": s, "price": self.price[z, s]} for z, s in pairs]
            return [Rows("prices", "| {zone} | {size} | {price} |", rows)]
        self.end(won=wanted == call("quote", price=self.right, city=self.city))
        return [Fact("Said.", {"said": True})]

    def expert(self) -> Iterator[Call]:
        """Open both tables, quote."""
        yield call("cities")
        yield call("prices")
        yield call("quote", price=self.right, city=self.city)


class BadgeRound(World):
    """Each person that is named gets a badge for the door of the person's team."""

    name = "badge-round"
    difficulty = "for each of one to four people a chain of two tables tells the door"
    operators = (
        Operator("staff", "look at the staff list", about="Who works for which team."),
        Operator("doors", "look at the door plan", about="Which team has which door."),
        Operator("badge", "badge {person} for {door}", about="Cannot be undone."),
        Operator("lock", "lock the cabinet", about="Final."),
    )
    horizon = 8

    wordings = ("Badges for {people}.", "{people} have no badge yet.")

    def begin(self) -> tuple[str, Result]:
        """Draw people of teams, and doors of teams."""
        people, teams = self.draw(SURNAMES, 6), self.draw(TEAMS, 4)
        self.team = {each: self.rng.choice(teams) for each in people}
        doors = distinct(lambda: self.identifier("A-##"), len(teams))
        self.door = dict(zip(teams, doors, strict=True))
        self.named = people[: self.rng.randint(1, 4)]
        self.due = set(self.named)
        self.staff = self.arranged(people)
        asked = self.rng.choice(self.wordings).format(people="; ".join(self.named))
        return asked, [Fact("The cabinet is open.", {"cabinet": "open"})]

    def _right(self, person: str) -> Call:
        return call("badge", person=person, door=self.door[self.team[person]])

    def possible(self) -> list[Call]:
        """Both lists, every badge, the end."""
        badges = [call("badge", person=p, door=d) for p in self.team for d in self.door.values()]
        return [call("staff"), call("doors"), *badges, call("lock")]

    def do(self, wanted: Call) -> Result:
        """Show a list, make a badge, or end."""
        if wanted.operator == "staff":
            rows: list[dict[str, Value]] = [{"person": p, "team": self.team[p]} for p in self.staff]
            return [Rows("staff", "{person} works for {team}.", rows)]
        if wanted.operator == "doors":
            rows = [{"team": team, "door": door} for team, door in self.door.items()]
            return [Rows("doors", "{team}: {door}", rows)]
        if wanted.operator == "lock":
            self.end(won=not self.due)
            return [Fact("Locked.", {"locked": True})]
        person = wanted["person"]
        if person not in self.due or wanted != self._right(person):
            self.end(won=False)
        self.due.discard(person)
        return [Fact(f"{person} is ready.", {"ready": person})]

    def expert(self) -> Iterator[Call]:
        """Look at both lists; a badge for each; lock."""
        yield call("staff")
        yield call("doors")
        for person in self.named:
            yield self._right(person)
        yield call("lock")
