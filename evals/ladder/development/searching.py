"""Worlds in which the wanted thing may not be on what is shown first."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import PEOPLE, PRODUCTS, TEAMS
from ..world import Call, Fact, Operator, Result, Rows, World, call
from .lists import Row

__all__ = ["IntranetShop", "PhoneBook"]


class PhoneBook(World):
    """A number stands on one of several pages, and is called from the page on which it stands."""

    name = "phone-book"
    difficulty = "the wanted row may be on a later page; it is used where it is shown"
    operators = (
        Operator(
            "turn", "turn to the {direction} page", about="Turn to the next or the previous page."
        ),
        Operator("connect", "connect extension {number}", ("number",), "Connect; final."),
    )
    horizon = 12

    def begin(self) -> tuple[str, Result]:
        """Draw three or four pages of six names; any of them may be the wanted one."""
        count, self.place = self.rng.choice((3, 4)), 0
        names = self.draw(PEOPLE, 6 * count)
        numbers = self.rng.sample(range(2000, 9000), 6 * count)
        rows: list[Row] = [{"name": a, "extension": b} for a, b in zip(names, numbers, strict=True)]
        self.goal = self.rng.choice(rows)
        self.pages = [self.arranged(rows[6 * i : 6 * i + 6], self.goal) for i in range(count)]
        return f"A caller would like to talk to {self.goal['name']}.", self._page()

    def possible(self) -> list[Call]:
        """Turn the page, or connect a number that stands on it."""
        calls = [call("connect", number=row["extension"]) for row in self.pages[self.place]]
        if self.place > 0:
            calls.append(call("turn", direction="previous"))
        if self.place < len(self.pages) - 1:
            calls.append(call("turn", direction="next"))
        return calls

    def do(self, wanted: Call) -> Result:
        """Show a page, or connect the caller, rightly or wrongly."""
        if wanted.operator == "turn":
            self.place += 1 if wanted["direction"] == "next" else -1
            return self._page()
        self.end(won=wanted["number"] == str(self.goal["extension"]))
        return [Fact("The caller is put through.", {"caller": "put through"})]

    def expert(self) -> Iterator[Call]:
        """Turn pages until the name is there."""
        while self.goal not in self.pages[self.place]:
            yield call("turn", direction="next")
        yield call("connect", number=self.goal["extension"])

    def _page(self) -> Result:
        number, count = self.place + 1, len(self.pages)
        head = Fact(f"Phone book, page {number} of {count}", {"page": number, "pages": count})
        return [head, Rows("entries", "{name} .... {extension}", self.pages[self.place])]


class IntranetShop(World):
    """A thing is offered by one of several departments; which one, only a visit tells."""

    name = "intranet-shop"
    difficulty = "the wanted thing is in one of several menus; dead ends are left by going back"
    operators = (
        Operator("visit", "visit {department}", about="Open the page of a department."),
        Operator("go", "go back to the start", about="Leave the page of a department."),
        Operator("request", "request one {thing} here", about="Request a thing; final."),
    )
    horizon = 20

    def begin(self) -> tuple[str, Result]:
        """Draw four or five departments with four things each; one offers nothing."""
        names = self.draw(TEAMS, self.rng.choice((4, 5)))
        things, self.page = self.draw(PRODUCTS, 4 * len(names)), ""
        self.thing, bare = things[0], self.rng.randrange(1, len(names))
        offers = [self.arranged(things[4 * i : 4 * i + 4], things[0]) for i in range(len(names))]
        offers[bare] = []
        pairs = [*zip(names, offers, strict=True)]
        # Not arranged: were the right one always first, no demonstration would show a dead end.
        self.rng.shuffle(pairs)
        self.offers = dict(pairs)
        return f"Our office needs a new {self.thing}.", self._start()

    def possible(self) -> list[Call]:
        """At the start visit a department; there request something or go back."""
        if not self.page:
            return [call("visit", department=name) for name in self.offers]
        things = self.offers[self.page]
        return [*(call("request", thing=thing) for thing in things), call("go")]

    def do(self, wanted: Call) -> Result:
        """Show a page, or request a thing, rightly or wrongly."""
        if wanted.operator == "request":
            self.end(won=wanted["thing"] == self.thing)
            return [Fact("The request is sent.", {"request": "sent"})]
        if wanted.operator == "go":
            self.page = ""
            return self._start()
        self.page = wanted["department"]
        if not self.offers[self.page]:
            return [Fact(f"{self.page}: there is nothing here.", {"page": self.page, "things": ""})]
        things = ", ".join(self.offers[self.page])
        return [Fact(f"{self.page}: you can get {things}.", {"page": self.page, "things": things})]

    def expert(self) -> Iterator[Call]:
        """Visit one department after the other until the thing is there."""
        for name, things in self.offers.items():
            yield call("visit", department=name)
            if self.thing in things:
                yield call("request", thing=self.thing)
                return
            yield call("go")

    def _start(self) -> Result:
        rows = [{"department": name} for name in self.offers]
        return [Fact("Departments", {"page": "start"}), Rows("departments", "> {department}", rows)]
