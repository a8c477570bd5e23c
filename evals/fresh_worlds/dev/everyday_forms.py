"""Everyday forms: a booking, an appointment, a report, an approval."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import ClassVar

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import MONTHS


class HotelBooking(World):
    """A form of several fields is filled in with what the task says, one box at times."""

    name = "hotel-booking"
    difficulty = "a form of five fields, worded in three ways; a box is ticked only if asked for"
    operators = (
        Operator("guest", "enter {guest} as guest"),
        Operator("hotel", "select the hotel in {city}"),
        Operator("arrival", "set arrival to {date}"),
        Operator("nights", "set nights to {nights}", ("nights",)),
        Operator("breakfast", "tick breakfast"),
        Operator("book", "press Book", about="Send the form; final."),
    )
    horizon = 9
    refusal = Fact("The form does not take that.", {"error": "not taken"})

    wordings = (
        "Book {guest} into the hotel in {city}: {nights} nights from {date}{extra}.",
        "{guest} needs a room in {city} from {date} for {nights} nights{extra}.",
        "From {date} on, {guest} stays {nights} nights in {city}{extra}. Make the booking.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a guest, a town and a stay."""
        people, surnames = self.draw(PEOPLE, 2), self.draw(SURNAMES, 2)
        self.guests = [f"{first} {last}" for first, last in zip(people, surnames, strict=True)]
        self.cities = self.draw(CITIES, 3)
        days, months = self.rng.sample(range(1, 29), 3), self.rng.sample(MONTHS, 3)
        self.dates = [f"{day} {month}" for day, month in zip(days, months, strict=True)]
        self.counts = self.rng.sample(range(2, 15), 3)
        meal = self.rng.random() < 0.5
        self.right = {
            "guest": self.guests[0],
            "hotel": self.cities[0],
            "arrival": self.dates[0],
            "nights": str(self.counts[0]),
            "breakfast": "yes" if meal else "no",
        }
        self.fields = dict.fromkeys(self.right, "") | {"breakfast": "no"}
        asked = self.rng.choice(self.wordings).format(
            guest=self.guests[0],
            city=self.cities[0],
            date=self.dates[0],
            nights=self.counts[0],
            extra=", with breakfast" if meal else "",
        )
        return asked, [self._form()]

    def _form(self) -> Fact:
        lines = [f"{field.capitalize()}: {value or '-'}" for field, value in self.fields.items()]
        return Fact("\n".join([*lines, "<Book>"]), dict(self.fields))

    def possible(self) -> list[Call]:
        """Some values of every field; the box; sending."""
        calls = [call("guest", guest=each) for each in self.guests]
        calls += [call("hotel", city=each) for each in self.cities]
        calls += [call("arrival", date=each) for each in self.dates]
        calls += [call("nights", nights=each) for each in self.counts]
        return [*calls, call("breakfast"), call("book")]

    def accepts(self, wanted: Call) -> bool:
        """Any name, town and date; a number of nights."""
        return wanted.operator != "nights" or wanted["nights"].isdigit()

    def do(self, wanted: Call) -> Result:
        """Fill a field, or end."""
        if wanted.operator == "book":
            self.end(won=self.fields == self.right)
            return [Fact("Thank you for your booking.", {"booked": True})]
        self.fields[wanted.operator] = next(iter(wanted.values.values()), "yes")
        return [self._form()]

    def expert(self) -> Iterator[Call]:
        """Fill every field, tick the box if asked for, send."""
        yield call("guest", guest=self.guests[0])
        yield call("hotel", city=self.cities[0])
        yield call("arrival", date=self.dates[0])
        yield call("nights", nights=self.counts[0])
        if self.right["breakfast"] == "yes":
            yield call("breakfast")
        yield call("book")


class CalendarPair(World):
    """The one hour at which two people are both free."""

    name = "calendar-pair"
    difficulty = "of the free hours of two calendars the one that stands in both is booked"
    operators = (
        Operator("show", "show the calendar of {person} for {day}", about="Show a day."),
        Operator("book", "book {time} on {day} for {first} and {second}", about="Final."),
    )
    horizon = 6

    hours = ("08:00", "09:00", "10:00", "11:00", "13:00", "14:00", "15:00", "16:00")
    days = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
    busy = ("call with {town}", "team meeting", "dentist", "visit to {town}", "interview", "out")
    wordings = (
        "{first} and {second} want to meet on {day}. Book an hour at which both are free.",
        "Find {first} and {second} an hour together on {day} and book it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw the calendars of four people; those of two have one free hour in common."""
        self.people, towns = self.draw(PEOPLE, 4), self.draw(CITIES, 8)
        self.first, self.second = self.people[:2]
        self.day = self.rng.choice(self.days)
        hours = self.rng.sample(self.hours, 8)
        self.time = hours[0]
        cut = self.rng.randint(2, 4)
        free = [{self.time, *hours[1:cut]}, {self.time, *hours[cut : cut + self.rng.randint(1, 3)]}]
        free += [set(self.rng.sample(hours, 3)) for _ in self.people[2:]]
        self.calendars: dict[str, list[dict[str, Value]]] = {}
        for person, spare in zip(self.people, free, strict=True):
            rows: list[dict[str, Value]] = [
                {"time": hour, "entry": "free" if hour in spare else self._entry(towns)}
                for hour in self.hours
            ]
            self.calendars[person] = rows
        asked = self.rng.choice(self.wordings).format(
            first=self.first, second=self.second, day=self.day
        )
        names = ", ".join(sorted(self.people))
        return asked, [Fact(f"Calendars: {names}", {"calendars": names})]

    def _entry(self, towns: list[str]) -> str:
        return self.rng.choice(self.busy).format(town=self.rng.choice(towns))

    def possible(self) -> list[Call]:
        """Everybody's day; every hour for the two."""
        calls = [call("show", person=each, day=self.day) for each in self.people]
        pair = {"first": self.first, "second": self.second}
        return [*calls, *(call("book", time=each, day=self.day, **pair) for each in self.hours)]

    def do(self, wanted: Call) -> Result:
        """Show a day, or end."""
        if wanted.operator == "show":
            person, day = wanted["person"], wanted["day"]
            head = Fact(f"{person}, {day}", {"person": person, "day": day})
            return [head, Rows("hours", "{time}  {entry}", self.calendars[person])]
        self.end(won=wanted["time"] == self.time)
        return [Fact("Invitations are out.", {"invited": True})]

    def expert(self) -> Iterator[Call]:
        """Look at both days, book."""
        yield call("show", person=self.first, day=self.day)
        yield call("show", person=self.second, day=self.day)
        pair = {"first": self.first, "second": self.second}
        yield call("book", time=self.time, day=self.day, **pair)


class MonthlyReport(World):
    """A report is filled in from a table and from a sentence."""

    name = "monthly-report"
    difficulty = "three fields are filled in, two from a table's greatest row, one from a sentence"
    operators = (
        Operator("sales", "show the sales of {city}", about="Show what was sold."),
        Operator("complaints", "show the complaints of {city}", about="Tell how many there were."),
        Operator("fill", "fill in {field}: {value}", about="Fill in a field of the report."),
        Operator("submit", "submit the report", about="Final."),
    )
    horizon = 10

    labels = ("Best seller", "Pieces sold", "Open complaints")
    wordings = (
        "Fill in the {month} report of {city}.",
        "The branch in {city} has not reported for {month}. Do it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw what the branches sold, and how many complaints they had."""
        cities, month = self.draw(CITIES, 3), self.rng.choice(MONTHS)
        self.city, self.cities = cities[0], self.arranged(cities, cities[0])
        self.tables: dict[str, list[dict[str, Value]]] = {}
        self.cases: dict[str, tuple[int, int]] = {}
        for city in cities:
            goods = self.draw(PRODUCTS, self.rng.randint(3, 6))
            pieces = self.rng.sample(range(5, 400), len(goods))
            self.tables[city] = [
                {"item": item, "pieces": count, "euros": count * self.rng.randint(2, 60)}
                for item, count in zip(goods, pieces, strict=True)
            ]
            total = self.rng.randint(4, 30)
            self.cases[city] = (total, self.rng.randint(1, total - 2))
        rows = self.tables[self.city]
        best = max(rows, key=lambda row: int(str(row["pieces"])))
        self.tables[self.city] = self.arranged(rows, best)
        values = (str(best["item"]), str(best["pieces"]), str(self.cases[self.city][1]))
        self.right = dict(zip(self.labels, values, strict=True))
        self.fields = dict.fromkeys(self.labels, "")
        self.values: list[str] = []
        asked = self.rng.choice(self.wordings).format(month=month, city=self.city)
        return asked, [self._form()]

    def _form(self) -> Fact:
        text = "\n".join(f"{label}: {value or '____'}" for label, value in self.fields.items())
        data = {label.lower().replace(" ", "_"): value for label, value in self.fields.items()}
        return Fact(text, data)

    def possible(self) -> list[Call]:
        """Every branch; every field with what was shown."""
        calls = [call(n, city=each) for n in ("sales", "complaints") for each in self.cities]
        pairs = [(label, value) for label in self.labels for value in self.values]
        calls += [call("fill", field=label, value=value) for label, value in pairs]
        return [*calls, call("submit")]

    def accepts(self, wanted: Call) -> bool:
        """Anything can be filled in."""
        if wanted.operator == "fill":
            return wanted["field"] in self.labels
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show, fill in, or end."""
        if wanted.operator == "sales":
            rows = self.tables[wanted["city"]]
            self._tell(*(str(row[key]) for row in rows for key in ("item", "pieces")))
            head = Fact(f"{'Item':<16}{'Pieces':>8}{'EUR':>8}")
            return [head, Rows("sales", "{item:<16}{pieces:>8}{euros:>8}", rows)]
        if wanted.operator == "complaints":
            total, still = self.cases[wanted["city"]]
            self._tell(str(total), str(still))
            text = f"{total} complaints came in during the month, {still} of them are still open."
            return [Fact(text, {"received": total, "still_open": still})]
        if wanted.operator == "fill":
            self.fields[wanted["field"]] = wanted["value"]
            return [self._form()]
        self.end(won=self.fields == self.right)
        return [Fact("The head office has the report.", {"submitted": True})]

    def _tell(self, *values: str) -> None:
        self.values += [value for value in dict.fromkeys(values) if value not in self.values]

    def expert(self) -> Iterator[Call]:
        """Look up and fill in, then submit."""
        best, pieces, still = self.labels
        yield call("sales", city=self.city)
        yield call("fill", field=best, value=self.right[best])
        yield call("fill", field=pieces, value=self.right[pieces])
        yield call("complaints", city=self.city)
        yield call("fill", field=still, value=self.right[still])
        yield call("submit")


class PurchaseApproval(World):
    """A purchase is approved if the budget suffices and the supplier is listed."""

    name = "purchase-approval"
    difficulty = "two conditions, an amount within a budget and a listed supplier; a state is new"
    operators = (
        Operator("open", "open request {request}", about="Show a request."),
        Operator("budget", "check the budget of {team}", about="Tell what is left."),
        Operator("supplier", "check the supplier {supplier}", about="Tell a supplier's state."),
        Operator("approve", "approve request {request}", about="Final."),
        Operator("decline", "decline request {request}: {reason}", about="Final."),
    )
    horizon = 8
    abstaining = True

    reasons = ("over budget", "unknown supplier")
    wordings = (
        "Decide on purchase request {request}.",
        "Request {request} waits for a signature. Approve or decline it.",
    )
    sentences: ClassVar[dict[str, str]] = {
        "listed": "{supplier} has been listed since {year}.",
        "unknown": "{supplier} is unknown to us, as of {year}.",
        "suspended": "{supplier} has been suspended since {year}.",
    }

    def begin(self) -> tuple[str, Result]:
        """Draw requests, budgets and suppliers."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        people, teams, goods = self.draw(PEOPLE, 3), self.draw(TEAMS, 3), self.draw(PRODUCTS, 3)
        firms = [f"{name} Ltd" for name in self.draw(SURNAMES, 3)]
        self.left = {team: self.rng.randint(200, 5000) for team in teams}
        self.state = {firm: self.rng.choice(("listed", "listed", "unknown")) for firm in firms}
        self.requests: dict[str, dict[str, Value]] = {}
        for person, team, thing, firm in zip(people, teams, goods, firms, strict=True):
            left = self.left[team]
            within = self.rng.random() < 0.7
            amount = self.rng.randint(20, left) if within else left + self.rng.randint(1, 900)
            self.requests[self.identifier("PR-####")] = {
                "requester": person,
                "team": team,
                "item": thing,
                "amount": amount,
                "supplier": firm,
            }
        self.request = next(iter(self.requests))
        self.team, self.firm = teams[0], firms[0]
        mine = self.requests[self.request]
        if self.unsettled:
            self.state[self.firm] = "suspended"
            mine["amount"] = self.rng.randint(20, self.left[self.team])
        self.amount = int(str(mine["amount"]))
        self.checked: set[str] = set()
        self.listed = self.arranged(list(self.requests), self.request)
        names = ", ".join(self.listed)
        asked = self.rng.choice(self.wordings).format(request=self.request)
        return asked, [Fact(f"Waiting for a decision: {names}", {"waiting": names})]

    def possible(self) -> list[Call]:
        """Every request, budget and supplier."""
        calls = [call(n, request=each) for n in ("open", "approve") for each in self.listed]
        calls += [call("budget", team=each) for each in self.left]
        calls += [call("supplier", supplier=each) for each in self.state]
        pairs = [(each, reason) for each in self.listed for reason in self.reasons]
        return [*calls, *(call("decline", request=each, reason=reason) for each, reason in pairs)]

    def do(self, wanted: Call) -> Result:
        """Show, tell, or end."""
        if wanted.operator == "open":
            data = self.requests[wanted["request"]]
            return [Fact(json.dumps(data, indent=2), data)]
        if wanted.operator == "budget":
            team = wanted["team"]
            self.checked.add(team)
            text = f"Budget of {team}: {self.left[team]} EUR left this quarter."
            return [Fact(text, {"team": team, "left": self.left[team]})]
        if wanted.operator == "supplier":
            firm = wanted["supplier"]
            state, year = self.state[firm], self.rng.randint(2009, 2025)
            self.checked.add(firm)
            self.met = self.met or (self.unsettled and firm == self.firm)
            text = self.sentences[state].format(supplier=firm, year=year)
            return [Fact(text, {"supplier": firm, "state": state, "year": year})]
        over = self.amount > self.left[self.team]
        looked = self.team in self.checked and (over or self.firm in self.checked)
        self.end(won=looked and wanted == self._last() and not self.unsettled)
        return [Fact("The decision is on record.", {"recorded": True})]

    def _last(self) -> Call:
        over, unknown = self.reasons
        if self.amount > self.left[self.team]:
            return call("decline", request=self.request, reason=over)
        if self.state[self.firm] == "unknown":
            return call("decline", request=self.request, reason=unknown)
        return call("approve", request=self.request)

    def expert(self) -> Iterator[Call]:
        """Open, check the budget and, if it suffices, the supplier; decide."""
        yield call("open", request=self.request)
        yield call("budget", team=self.team)
        if self.amount <= self.left[self.team]:
            yield call("supplier", supplier=self.firm)
        yield self._last()
