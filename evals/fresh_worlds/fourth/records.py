"""Records that are looked up and changed: a customer in pages, an item behind a REST console."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import CITIES, PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk

_SIZE = 5


class CustomerPages(Desk):
    """A customer is looked for page by page and gets another telephone number."""

    name = "customer-pages"
    difficulty = "pages are turned until the name is there, which stands the other way round"
    operators = (
        Operator("list", "list customers", about="First page."),
        Operator("next", "next page", about="Turn the page."),
        Operator("open", "open {id}", about="Open a record."),
        Operator("phone", "set phone to {phone}", about="Change the open record."),
        Operator("save", "save", about="Final."),
    )
    changing, finals, free = ("open", "phone"), ("save",), ("phone",)
    horizon = 12

    wordings = (
        "{first} {last} has a new phone number: {phone}.",
        "Change the phone of our customer {first} {last} to {phone}, please.",
        "Hi! {first} {last} called, can now be reached at {phone}. Could you update that?",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw customers, of whom several have the same surname."""
        people, surnames = self.draw(PEOPLE, 20), self.draw(SURNAMES, 9)
        right, here = 0, self.rng.randrange(4)
        names = [(people[0], surnames[0]), *((p, self.rng.choice(surnames)) for p in people[1:])]
        numbers = self.rng.sample(range(1000, 9999), 20)
        rows: list[dict[str, Value]] = [
            {
                "id": f"C{n}",
                "last": last,
                "first": first,
                "city": self.draw(CITIES)[0],
                "since": self.rng.randint(1998, 2024),
            }
            for n, (first, last) in zip(numbers, names, strict=True)
        ]
        others = rows[1:]
        self.rng.shuffle(others)
        self.pages = []
        for page in range(4):
            part = others[page * _SIZE : (page + 1) * _SIZE]
            if page == here:
                part = [rows[right], *part[: _SIZE - 1]]
            self.pages.append(self.arranged(part, rows[right]))
        self.page, self.opened = -1, ""
        phone = (
            f"0{self.rng.randint(20, 99)} {self.rng.randint(100, 999)} {self.identifier('####')}"
        )
        plan = [call("list"), *[call("next")] * here, call("open", id=rows[right]["id"])]
        plan += [call("phone", phone=phone), call("save")]
        self.lay_out(plan, [call("list"), call("next"), *(call("open", id=r["id"]) for r in rows)])
        first, last = names[right]
        asked = self.rng.choice(self.wordings).format(first=first, last=last, phone=phone)
        return asked, [Fact("Customer records. 20 records.", {"records": 20})]

    def answer(self, wanted: Call) -> Result:
        """Turn pages, open, change or save."""
        if wanted.operator in ("list", "next"):
            if wanted.operator == "next" and self.page in (-1, 3):
                return [Fact("There is no next page.", {"error": "no next page"})]
            self.page = 0 if wanted.operator == "list" else self.page + 1
            head = Fact(f"Page {self.page + 1} of 4", {"page": self.page + 1, "pages": 4})
            line = "{id}  {last}, {first} ({city}), customer since {since}"
            return [head, Rows("customers", line, self.pages[self.page])]
        if wanted.operator == "open":
            self.opened = wanted["id"]
            self.made = []
            return [Fact(f"{self.opened} is open.", {"open": self.opened})]
        if not self.opened:
            return [Fact("No record is open.", {"error": "no record is open"})]
        if wanted.operator == "phone":
            self.made = [each for each in self.made if each.operator != "phone"]
            return [Fact(f"Phone: {wanted['phone']} (not saved)", {"phone": wanted["phone"]})]
        return [Fact("Saved.", {"saved": self.opened})]


class EtagPatch(Desk):
    """A price is changed with the newest tag; where it has changed meanwhile, it is read again."""

    name = "etag-patch"
    difficulty = "after a refusal the newest tag is read, and the same is tried again with it"
    operators = (
        Operator("find", "GET /items?name={name}", about="Items whose name has this in it."),
        Operator("get", "GET /items/{id}", ("id",), "One item, with its tag."),
        Operator(
            "patch",
            "PATCH /items/{id} if-match={etag} price={price}",
            ("id",),
            "Change the price; needs the newest tag.",
        ),
        Operator("publish", "POST /items/{id}/publish", ("id",), "Final."),
    )
    changing, finals, free = ("patch",), ("publish",), ("find", "patch")
    horizon = 12

    wordings = (
        "The {product} costs {price} from now on. Change and publish it.",
        "Set the price of the {product} to {price}, then publish.",
        "{person} wants the {product} at {price}. Please update the catalogue.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an item and how often somebody else is faster."""
        (product,), (person,) = self.draw(PRODUCTS), self.draw(PEOPLE)
        self.product, price = product, f"{self.rng.randint(3, 250)}.{self.rng.randint(0, 99):02}"
        ids = self.rng.sample(range(100, 999), 3)
        kinds = ("", " (refurbished)", " cover")
        rows: list[dict[str, Value]] = [
            {"id": n, "name": f"{product}{kind}", "stock": self.rng.randint(0, 90)}
            for n, kind in zip(ids, kinds, strict=True)
        ]
        self.item = ids[0]
        self.rows = self.arranged(rows, rows[0])
        self.clashes = self.rng.choice((0, 0, 0, 1, 1, 2))
        tags = [self.identifier("aa#a##") for _ in range(self.clashes + 1)]
        self.tags, self.tag, self.price = tags, 0, f"{self.rng.randint(3, 250)}.00"
        plan = [call("find", name=product)]
        for tag in tags:
            plan += [call("get", id=self.item)]
            plan += [call("patch", id=self.item, etag=tag, price=price)]
        plan.append(call("publish", id=self.item))
        refused = [each for each in plan[:-2] if each.operator == "patch"]
        self.lay_out(
            [each for each in plan if each not in refused],
            [*(call(name, id=n) for name in ("get", "publish") for n in ids), *plan],
        )
        self.calls = plan
        names = {"product": product, "price": price, "person": person}
        return self.rng.choice(self.wordings).format(**names), [Fact("200 OK", {"status": 200})]

    def expert(self) -> Iterator[Call]:
        """Yield the calls, with those that are refused."""
        yield from self.calls

    def answer(self, wanted: Call) -> Result:
        """Find, read, change or publish."""
        if wanted.operator == "find":
            if wanted["name"] != self.product:
                return [Fact("200 OK\n[]", {"items": 0})]
            return [Fact("200 OK", {"status": 200}), Rows("items", "{id}  {name}", self.rows)]
        if wanted["id"] != str(self.item):
            if wanted.operator == "publish":
                return [Fact("202 Accepted", {"status": 202})]
            return [Fact("403 Forbidden", {"status": 403, "error": "forbidden"})]
        tag = self.tags[self.tag]
        if wanted.operator == "get":
            text = f"200 OK\nETag: {tag}\nname: {self.product}\nprice: {self.price}"
            return [Fact(text, {"status": 200, "etag": tag, "price": self.price})]
        if wanted.operator == "publish":
            return [Fact("202 Accepted", {"status": 202})]
        if wanted["etag"] != tag or self.tag < self.clashes:
            self.tag = min(self.tag + (wanted["etag"] == tag), self.clashes)
            text = "412 Precondition Failed\nthe item was changed meanwhile"
            return [Fact(text, {"status": 412, "error": "precondition failed"})]
        self.made = [each for each in self.made if each.operator != "patch"]
        return [Fact("200 OK\nupdated", {"status": 200, "updated": True})]
