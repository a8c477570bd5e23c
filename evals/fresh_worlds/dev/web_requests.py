"""Requests with query strings: pages of a catalogue by number, reports by a token."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PARTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class CataloguePages(World):
    """A part is looked for page by page; a page tells the number of the next one, or the end."""

    name = "catalogue-pages"
    difficulty = "each answer says which page is next, until a row is there or no page is left"
    operators = (
        Operator("page", "GET /parts?depot={depot}&page={page}", ("page",), "Show a page."),
        Operator("order", "POST /orders?part={id}", about="Final."),
        Operator("wish", "POST /wishes?depot={depot}", about="Final."),
    )
    horizon = 8
    refusal = Fact("400 Bad Request", {"error": 400})

    wordings = (
        "Order a {part} from the depot in {depot}.",
        "We are out of the {part}. Get one from {depot}",
        "{depot} should send us a {part}, please order it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw depots and some pages of parts; the one that is wanted may be missing."""
        self.depots = self.draw(CITIES, 3)
        self.depot = self.depots[0]
        parts = self.draw(PARTS, 8)
        self.part, self.missing = parts[0], self.rng.random() < 0.3
        listed = parts[1:] if self.missing else parts
        listed = self.arranged(listed, self.part)
        width = self.rng.randint(2, 3)
        self.pages = [listed[at : at + width] for at in range(0, len(listed), width)]
        self.ids = {each: self.identifier("p##a#") for each in parts}
        self.seen = 0
        asked = self.rng.choice(self.wordings).format(part=self.part, depot=self.depot)
        return asked, [Fact("GET /parts?depot=...&page=1 lists parts", {"first_page": 1})]

    def possible(self) -> list[Call]:
        """The pages so far and the next one; the parts that were shown."""
        pages = range(1, min(self.seen + 2, len(self.pages) + 1))
        calls = [call("page", depot=d, page=p) for d in self.depots for p in pages]
        shown = [each for page in self.pages[: self.seen] for each in page]
        calls += [call("order", id=self.ids[each]) for each in shown]
        return [*calls, *(call("wish", depot=each) for each in self.depots)]

    def do(self, wanted: Call) -> Result:
        """Show a page, or end."""
        if wanted.operator == "page":
            if wanted["depot"] != self.depot:
                return [Fact("page 1 of 1: nothing", {"rows": 0})]
            number = int(wanted["page"])
            self.seen = max(self.seen, number)
            rows: list[dict[str, Value]] = [
                {"id": self.ids[each], "part": each} for each in self.pages[number - 1]
            ]
            last = number == len(self.pages)
            end = Fact("end of list", {"next": None})
            more = Fact(f"next page: {number + 1}", {"next": number + 1})
            return [Rows("parts", "{id}: {part}", rows), end if last else more]
        whole = self.seen == len(self.pages)
        right = call("order", id=self.ids[self.part])
        if self.missing:
            right = call("wish", depot=self.depot)
        self.end(won=wanted == right and (whole or not self.missing))
        return [Fact("201 Created", {"created": True})]

    def _needed(self) -> int:
        if self.missing:
            return len(self.pages)
        return 1 + next(at for at, page in enumerate(self.pages) if self.part in page)

    def expert(self) -> Iterator[Call]:
        """Go through the pages, then order, or wish."""
        for page in range(1, self._needed() + 1):
            yield call("page", depot=self.depot, page=page)
        if self.missing:
            yield call("wish", depot=self.depot)
        else:
            yield call("order", id=self.ids[self.part])


class TokenReports(World):
    """Reports come in batches; a batch names the token of the next one, or none."""

    name = "token-reports"
    difficulty = "a token in quotation marks, or null, says whether to ask again, and with what"
    operators = (
        Operator("first", "GET /reports?customer={customer}", about="The first batch."),
        Operator(
            "more", "GET /reports?customer={customer}&token={token}", about="A further batch."
        ),
        Operator("close", "PUT /cases/{customer}?reports=complete", about="Final."),
        Operator("hold", "PUT /cases/{customer}?hold={report}", about="Final."),
    )
    horizon = 8
    refusal = Fact("404", {"error": 404})

    wordings = (
        "See whether a report on {customer} failed; else close the case.",
        "Close the case of {customer}, unless one of the reports failed: then hold it.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw batches of reports; one may have failed."""
        self.customers = [each.lower() for each in self.draw(SURNAMES, 3)]
        self.customer = self.customers[0]
        reports = [self.identifier("r-####") for _ in range(self.rng.randint(3, 8))]
        self.state = dict.fromkeys(reports, "ok")
        self.failed = self.rng.choice(reports) if self.rng.random() < 0.5 else ""
        if self.failed:
            self.state[self.failed] = "failed"
        self.batches = [reports[at : at + 2] for at in range(0, len(reports), 2)]
        self.tokens = ["", *(self.identifier("t#a##") for _ in self.batches[1:])]
        self.seen = 0
        asked = self.rng.choice(self.wordings).format(customer=self.customer)
        return asked, [Fact("reports, cases: ready", {"ready": True})]

    def possible(self) -> list[Call]:
        """The batches so far and the next one; the reports that were shown."""
        calls = [call("first", customer=each) for each in self.customers]
        tokens = self.tokens[1 : self.seen + 1] if self.seen else []
        calls += [call("more", customer=self.customer, token=each) for each in tokens]
        shown = [each for batch in self.batches[: self.seen] for each in batch]
        calls += [call("hold", customer=self.customer, report=each) for each in shown]
        return [*calls, call("close", customer=self.customer)]

    def do(self, wanted: Call) -> Result:
        """Show a batch, or end."""
        if wanted.operator in ("first", "more"):
            if wanted["customer"] != self.customer:
                return [Fact('"token": null', {"token": None})]
            at = self.tokens.index(wanted.values.get("token", ""))
            self.seen = max(self.seen, at + 1)
            rows: list[dict[str, Value]] = [
                {"report": each, "state": self.state[each]} for each in self.batches[at]
            ]
            token = self.tokens[at + 1] if at + 1 < len(self.batches) else None
            text = f'"token": "{token}"' if token else '"token": null'
            return [Rows("reports", "{report} {state}", rows), Fact(text, {"token": token})]
        whole = self.seen == len(self.batches)
        self.end(won=wanted == self._last() and (whole or bool(self.failed)))
        return [Fact("204", {"done": True})]

    def _last(self) -> Call:
        if self.failed:
            return call("hold", customer=self.customer, report=self.failed)
        return call("close", customer=self.customer)

    def expert(self) -> Iterator[Call]:
        """Follow the tokens, until a report failed or none is left."""
        yield call("first", customer=self.customer)
        for token, batch in zip(self.tokens[1:], self.batches, strict=False):
            if self.failed in batch:
                break
            yield call("more", customer=self.customer, token=token)
        yield self._last()
