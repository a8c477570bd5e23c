"""Bookings of a theatre moved or given back; looked up at once with the show."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Seats"]


class Seats(Desk):
    """Bookings of a theatre moved or given back; looked up at once with the show."""

    name = "seats"
    prompt = "You change bookings of a theatre. Now it is 2026-05-10, noon."
    reading = ("get_booking", "get_show", "list_free")
    traps = (
        "voucher",
        "wheelchair",
        "blocked",
        "agency",
        "oneseat",
        "francs",
        "calledoff",
        "nofree",
        "noresale",
        "sameshow",
        "past",
    )
    tools = (
        "get_booking",
        "get_show",
        "list_free",
        "move_booking",
        "refund",
        "resell",
        "send_tickets",
        "join_waitlist",
        "hand_to_office",
    )

    def get_booking(self, booking: str) -> Result:
        """Look up a booking."""
        return self.row("booking", booking)

    def get_show(self, show: str) -> Result:
        """Look up a show."""
        return self.row("show", show)

    def list_free(self, show: str, zone: str) -> Result:
        """Free seats of a zone."""
        return self.row("free", show)[zone]

    def move_booking(self, booking: str, show: str, seats: list[str]) -> Result:
        """Move a booking to seats of a show."""
        return {"booking": booking, "show": show, "seats": seats}

    def refund(self, booking: str, cents: int, to: str) -> Result:
        """Pay back."""
        return {"refunded": cents}

    def resell(self, show: str, seats: list[str]) -> Result:
        """Put seats on sale again."""
        return {"on_sale": seats}

    def send_tickets(self, booking: str, by: str) -> Result:
        """Send the tickets again."""
        return {"sent": True}

    def join_waitlist(self, show: str, booking: str, count: int) -> Result:
        """Put a booking on the waiting list."""
        return {"place": 4}

    def hand_to_office(self, booking: str, why: str) -> Result:
        """Leave a booking to the office."""
        return {"ok": True}

    def _show(self, rng: Random) -> tuple[str, Record]:
        show = self.fresh(rng, "S", 4)
        row: Record = {
            "show": show,
            "title": rng.choice(["Hamlet", "Faust", "Tosca", "Medea"]),
            "day": f"2026-{rng.choice(['05', '06'])}-{rng.randrange(14, 29)}",
            "prices": {"A": rng.choice([6000, 7000]), "B": 4000},
            "state": "on sale",
        }
        self.put("show", show, row)
        free = {
            zone: [f"{zone}{n}" for n in sorted(rng.sample(range(1, 90), rng.choice([1, 3, 5, 6])))]
            for zone in "AB"
        }
        self.put("free", show, free)
        return show, row

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["move", "move", "back", "send"])
        if trap in ("nofree", "sameshow", "wheelchair"):
            kind = "move"
        elif trap in ("oneseat", "noresale", "francs", "calledoff"):
            kind = "back"
        elif trap:
            kind = rng.choice(["move", "back"])
        booking = self.fresh(rng, "B", 6)
        old, old_row = self._show(rng)
        new, new_row = self._show(rng)
        zone, count = rng.choice("AB"), rng.choice([1, 2, 2, 3])
        start = rng.randrange(1, 80)
        row: Record = {
            "booking": booking,
            "show": old,
            "zone": zone,
            "seats": [f"{zone}{start + n}" for n in range(count)],
            "paid": {"cents": old_row["prices"][zone] * count, "currency": "EUR", "by": "card"},
            "state": rng.choice(["valid"] * 6 + ["used"]),
            "needs": [],
        }
        if rng.random() < 0.2:
            old_row["day"] = "2026-05-11"
        extra = ""
        if trap:
            row["state"], old_row["day"] = "valid", "2026-05-28"
            new_row["prices"] = dict(old_row["prices"])
            self.row("free", new)[zone] = [f"{zone}{n}" for n in range(81, 86)]
        match trap:
            case "voucher":
                row["paid"]["by"] = "voucher"
            case "wheelchair":
                row["needs"] = ["wheelchair"]
            case "blocked":
                row["blocked"] = "chargeback"
            case "agency":
                row["sold_by"] = "Tickets & Co"
            case "oneseat":
                row["seats"] = [f"{zone}{start}", f"{zone}{start + 1}"]
                row["paid"]["cents"] = old_row["prices"][zone] * 2
                extra = f" Only seat {zone}{start}."
            case "francs":
                row["paid"]["currency"] = "CHF"
            case "calledoff":
                old_row["state"] = "called off"
                old_row["day"] = "2026-05-11"
            case "nofree":
                self.row("free", new)[zone] = []
            case "noresale":
                extra = " Do not sell the seats again."
            case "sameshow":
                new = old
            case "past":
                old_row["day"] = "2026-05-02"
        self.put("booking", booking, row)
        by = rng.choice(["mail", "text message"])
        wording = {
            "move": [
                "Move booking {b} to show {s}.",
                "{b} would rather come to {s}.",
                "Exchange {b} for {s}, please.",
            ],
            "back": [
                "Give {b} back.",
                "{b} cannot come; refund it.",
                "Refund booking {b} and sell the seats again.",
            ][: 2 if trap == "noresale" else 3],
            "send": [
                "Send the tickets of {b} again by {y}.",
                "{b} lost the tickets, send them by {y}.",
                "Tickets {b} once more, by {y}.",
            ],
        }[kind]
        text = rng.choice(wording).format(b=booking, s=new, y=by) + extra
        return text, SimpleNamespace(
            kind=kind, booking=booking, show=new, by=by, trap=trap, only=extra.split()[-1:]
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        name = asked.booking
        if asked.kind == "move":
            row, new = yield [
                ("get_booking", {"booking": name}),
                ("get_show", {"show": asked.show}),
            ]
        else:
            row = yield ("get_booking", {"booking": name})
        if row["state"] != "valid":
            return f"{name} is {row['state']}."
        if asked.kind == "send":
            yield ("send_tickets", {"booking": name, "by": asked.by})
            return f"The tickets of {name} are sent by {asked.by}."
        if row.get("blocked"):
            yield ("hand_to_office", {"booking": name, "why": row["blocked"]})
            return f"{name} is blocked: {row['blocked']}."
        if row.get("sold_by"):
            return f"{name} was sold by {row['sold_by']}; ask there."
        old = yield ("get_show", {"show": row["show"]})
        if old["day"] < "2026-05-10":
            return f"{old['title']} was on {old['day']}."
        seats = row["seats"]
        if asked.kind == "back":
            if row["paid"]["currency"] != "EUR":
                yield ("hand_to_office", {"booking": name, "why": "currency"})
                return f"{name} was paid in {row['paid']['currency']}; the office refunds it."
            cents = row["paid"]["cents"]
            if asked.trap == "oneseat":
                cents, seats = cents // len(seats), seats[:1]
            if old["state"] == "called off":
                yield ("refund", {"booking": name, "cents": cents, "to": row["paid"]["by"]})
                return f"{old['title']} is called off; {cents} cents refunded."
            if old["day"] < "2026-05-13":
                cents //= 2
            yield ("refund", {"booking": name, "cents": cents, "to": row["paid"]["by"]})
            if asked.trap != "noresale":
                yield ("resell", {"show": row["show"], "seats": seats})
            return f"{cents} cents for {name} go back by {row['paid']['by']}."
        if asked.show == row["show"]:
            return f"{name} is for {asked.show} already."
        if row["needs"]:
            yield ("hand_to_office", {"booking": name, "why": row["needs"][0]})
            return f"The office finds places for {name} ({row['needs'][0]})."
        more = (new["prices"][row["zone"]] - old["prices"][row["zone"]]) * len(seats)
        if more > 0:
            return f"{name} has to pay {more} cents more for {new['title']}."
        free = yield ("list_free", {"show": asked.show, "zone": row["zone"]})
        if len(free) < len(seats):
            yield (
                "join_waitlist",
                {"show": asked.show, "booking": name, "count": len(seats)},
            )
            return f"{name} waits for {len(seats)} seats on {new['day']}."
        taken = free[: len(seats)]
        yield ("move_booking", {"booking": name, "show": asked.show, "seats": taken})
        return f"{name} moves to {new['title']} on {new['day']}: {', '.join(taken)}."
