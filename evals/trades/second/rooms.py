"""Trades of rooms: tables of a restaurant, and devices of a home."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result, Trade, day

__all__ = ["Bookings", "Home"]


class Bookings(Trade):
    """Tables booked; hours are told in sentences, tables as a table."""

    name = "bookings"
    prompt = "You take bookings of a restaurant."
    reading = ("get_hours", "free_tables", "find_guest")
    traps = (
        "event",
        "kitchen",
        "outside",
        "banned",
        "twins",
        "nodeposit",
        "nine",
        "wheelchair",
        "again",
        "holiday",
    )
    tools = (
        "get_hours",
        "free_tables",
        "find_guest",
        "add_guest",
        "book",
        "waitlist",
        "take_deposit",
    )

    def get_hours(self, date: str) -> Result:
        """When the restaurant is open."""
        return self.db["ho"].get(date, "Open from 12:00 to 22:00.")

    def free_tables(self, date: str, time: str) -> Result:
        """Tables that are free, as a table."""
        return self.db["fr"][date, time]

    def find_guest(self, name: str) -> Result:
        """Look for a guest."""
        return {"guests": self.db["gu"].get(name, [])}

    def add_guest(self, name: str) -> Result:
        """Add a guest."""
        return {"guest_id": "N" + "".join(f"{ord(each) % 10}" for each in name)}

    def book(self, table: str, guest_id: str, date: str, time: str, people: int) -> Result:
        """Book a table."""
        return {"booked": table}

    def waitlist(self, guest_id: str, date: str, people: int) -> Result:
        """Put a guest on the waiting list."""
        return {"waiting": True}

    def take_deposit(self, guest_id: str, euros: int) -> Result:
        """Ask for a deposit."""
        return {"asked": euros}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        name, date = self.person(rng), day(rng)
        time = f"{rng.randrange(12, 21)}:{rng.choice(['00', '15', '30', '45'])}"
        while (date, time) in self.db.setdefault("fr", {}) or date in self.db.setdefault("ho", {}):
            date = day(rng)
        people = rng.choice([2, 2, 3, 4, 5, 6])
        rows = [
            (f"T{number}", rng.choice([2, 4, 4, 6, 8]), "inside")
            for number in rng.sample(range(1, 40), rng.randrange(1, 5))
        ]
        guests: list[Record] = []
        if rng.random() < 0.7:
            guests.append(
                {
                    "guest_id": self.fresh(rng, "G"),
                    "name": name,
                    "visits": rng.randrange(1, 30),
                    "no_shows": rng.choice([0, 0, 0, 1, 2, 3]),
                }
            )
        hours, wish = "Open from 12:00 to 22:00.", None
        if rng.random() < 0.12:
            hours = "Closed."
        if rng.random() < 0.12:
            hours = "Open from 17:00 to 23:00."
        if trap:
            hours = "Open from 12:00 to 22:00."
            rows.append(("T77", 8, "inside"))
            guests = [{"guest_id": self.fresh(rng, "G"), "name": name, "visits": 4, "no_shows": 0}]
        match trap:
            case "event":
                hours = "Open from 12:00 to 22:00. Private event from 12:00 to 17:00."
                time = "13:30"
            case "kitchen":
                hours = "Open from 12:00 to 22:00. The kitchen closes at 19:00."
                time = "20:15"
            case "outside":
                wish = "outside"
            case "banned":
                guests[0]["banned"] = True
            case "twins":
                guests.append({**guests[0], "guest_id": self.fresh(rng, "G")})
            case "nodeposit":
                guests[0]["no_shows"] = 3
                wish = "nodeposit"
            case "nine":
                people = 9
                rows.append(("T90", 12, "inside"))
            case "wheelchair":
                guests[0]["needs"] = ["wheelchair"]
                rows = [("T3", people, "upstairs"), *rows]
            case "again":
                guests[0]["upcoming"] = [date]
            case "holiday":
                hours = "Open from 12:00 to 22:00. Public holiday: menu of the day only."
        if wish == "outside":
            rows.append(("T55", people, "outside"))
        self.db["ho"][date] = hours
        self.db["fr"][date, time] = "\n".join(
            ["table | seats | where", *(f"{t} | {seats} | {where}" for t, seats, where in rows)]
        )
        self.db.setdefault("gu", {})[name] = guests
        if rng.random() < 0.6:
            text = rng.choice(
                [
                    "Book a table for {p} on {d} at {t}, name {n}.",
                    "{n} would like to come on {d} at {t} with {p} people in all.",
                ]
            ).format(p=people, d=date, t=time, n=name)
        else:
            text = f"Einen Tisch am {date} um {time} für {people} auf den Namen {name}, bitte."
        if wish:
            text += " Outside, please." if wish == "outside" else " No deposit: I vouch for them."
        return text, SimpleNamespace(name=name, date=date, time=time, people=people, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        if asked.people > 8:
            return f"{asked.people} people: please call us."
        hours = yield ("get_hours", {"date": asked.date})
        if hours == "Closed.":
            return f"We are closed on {asked.date}."
        words = hours.replace(".", "").split()
        if not words[2] <= asked.time <= words[4]:
            return f"On {asked.date} we are open from {words[2]} to {words[4]}."
        if "event" in hours and words[8] <= asked.time <= words[10]:
            return f"There is a private event on {asked.date}."
        if "kitchen" in words and asked.time > words[-1]:
            return f"The kitchen closes at {words[-1]} on {asked.date}."
        guests = (yield ("find_guest", {"name": asked.name}))["guests"]
        if len(guests) > 1:
            return f"We know {len(guests)} guests called {asked.name}."
        if guests and guests[0].get("banned"):
            return f"Sorry, no table for {asked.name}."
        if guests and asked.date in guests[0].get("upcoming", []):
            return f"{asked.name} has a table on {asked.date} already."
        told = yield ("free_tables", {"date": asked.date, "time": asked.time})
        rows = [row.split(" | ") for row in told.split("\n")[1:]]
        area = "outside" if asked.wish == "outside" else "inside"
        fitting = [row for row in rows if int(row[1]) >= asked.people and row[2] == area]
        if guests:
            guest_id = guests[0]["guest_id"]
        else:
            guest_id = (yield ("add_guest", {"name": asked.name}))["guest_id"]
        if not fitting:
            yield (
                "waitlist",
                {"guest_id": guest_id, "date": asked.date, "people": asked.people},
            )
            return f"{asked.name} is on the waiting list of {asked.date}."
        table = min(fitting, key=lambda row: int(row[1]))[0]
        if guests and guests[0]["no_shows"] >= 2 and asked.wish != "nodeposit":
            yield ("take_deposit", {"guest_id": guest_id, "euros": 20 * asked.people})
        yield (
            "book",
            {
                "table": table,
                "guest_id": guest_id,
                "date": asked.date,
                "time": asked.time,
                "people": asked.people,
            },
        )
        note = " Menu of the day only." if "holiday" in hours else ""
        return f"Table {table} on {asked.date} at {asked.time} for {asked.name}.{note}"


class Home(Trade):
    """Devices of rooms, switched one by one; heating minds windows and who is at home."""

    name = "home"
    prompt = "You run a smart home."
    reading = ("list_devices", "get_mode")
    traps = (
        "locked",
        "offline",
        "leavelamp",
        "window",
        "celsius",
        "guest",
        "already",
        "empty",
        "medical",
        "toohot",
    )
    tools = ("list_devices", "get_mode", "switch", "set_heat", "tell")

    def list_devices(self, room: str) -> Result:
        """Devices of a room."""
        return {"room": room, "devices": self.db["de"][room]}

    def get_mode(self, house: str) -> Result:
        """Mode of a house."""
        return self.db["mo"][house]

    def switch(self, device_id: str, on: bool) -> Result:
        """Switch a device."""
        return {"device_id": device_id, "on": on}

    def set_heat(self, device_id: str, degrees: float) -> Result:
        """Set a heater."""
        return {"device_id": device_id, "degrees": degrees}

    def tell(self, who: str, text: str) -> Result:
        """Tell somebody something."""
        return {"told": who}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        house = self.fresh(rng, "house-", 4)
        room = f"{rng.choice(['kitchen', 'hall', 'study', 'attic'])} of {house}"
        devices: list[Record] = [
            {"id": self.fresh(rng, "dv"), "kind": "lamp", "on": rng.random() < 0.7, "online": True}
            for _ in range(rng.randrange(1, 4))
        ]
        heater: Record = {
            "id": self.fresh(rng, "dv"),
            "kind": "heater",
            "degrees": rng.randrange(15, 20),
            "online": True,
        }
        window: Record = {"id": self.fresh(rng, "dv"), "kind": "window", "open": False}
        devices += [heater, window]
        rng.shuffle(devices)
        mode: Record = {
            "house": house,
            "mode": rng.choice(["home", "home", "home", "away", "night"]),
            "owner": self.person(rng),
            "windows_checked": True,
        }
        heat = rng.random() < 0.5
        degrees = rng.choice([19, 20, 21, 22])
        wish = None
        if trap in ("window", "celsius", "guest", "toohot"):
            heat = True
            mode["mode"] = "home"
        elif trap:
            heat = False
        lamps = [each for each in devices if each["kind"] == "lamp"]
        match trap:
            case "locked":
                lamps[0].update(on=True, lock="child")
            case "offline":
                lamps[0].update(on=True, online=False)
            case "leavelamp":
                lamps[0]["on"] = True
                wish = lamps[0]["id"]
            case "window":
                window["open"] = True
            case "celsius":
                heater["unit"] = "F"
            case "guest":
                mode["mode"] = "guest"
            case "already":
                for each in lamps:
                    each["on"] = False
            case "empty":
                devices = []
            case "medical":
                lamps[-1].update(on=True, kind="lamp", tags=["medical"])
            case "toohot":
                degrees = 27
        self.db.setdefault("de", {})[room] = devices
        self.db.setdefault("mo", {})[house] = mode
        if heat:
            text = rng.choice(
                ["Heat the {r} to {d} degrees.", "{d} degrees in the {r}, please."]
            ).format(r=room, d=degrees)
        else:
            text = rng.choice(
                ["Turn off the lamps in the {r}.", "Lights out in the {r}, please."]
            ).format(r=room)
        if wish:
            text += f" But leave {wish} on."
        return text, SimpleNamespace(room=room, house=house, heat=heat, degrees=degrees, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        devices = (yield ("list_devices", {"room": asked.room}))["devices"]
        if not devices:
            return f"There is nothing in the {asked.room}."
        if not asked.heat:
            kept, out = [], []
            for each in devices:
                if each["kind"] != "lamp" or not each["on"]:
                    continue
                if each.get("lock") or each.get("tags") or each["id"] == asked.wish:
                    kept.append(each["id"])
                elif not each["online"]:
                    mode = yield ("get_mode", {"house": asked.house})
                    yield ("tell", {"who": mode["owner"], "text": f"{each['id']} is offline."})
                    kept.append(each["id"])
                else:
                    yield ("switch", {"device_id": each["id"], "on": False})
                    out.append(each["id"])
            left = f" Left on: {', '.join(kept)}." if kept else ""
            return f"{len(out)} lamps are out in the {asked.room}.{left}"
        if asked.degrees > 24:
            return f"{asked.degrees} degrees is too much."
        mode = yield ("get_mode", {"house": asked.house})
        if mode["mode"] not in ("home", "night", "away"):
            yield ("tell", {"who": mode["owner"], "text": f"{asked.degrees} degrees?"})
            return f"{mode['owner']} is asked: the house is in the mode {mode['mode']}."
        open_windows = [each for each in devices if each["kind"] == "window" and each["open"]]
        if open_windows:
            yield (
                "tell",
                {"who": mode["owner"], "text": f"Close the window {open_windows[0]['id']}."},
            )
            return f"A window is open in the {asked.room}."
        degrees = {"home": asked.degrees, "night": asked.degrees - 2, "away": 16}[mode["mode"]]
        heater = next(each for each in devices if each["kind"] == "heater")
        if heater.get("unit") == "F":
            yield (
                "set_heat",
                {"device_id": heater["id"], "degrees": round(degrees * 9 / 5 + 32, 1)},
            )
            return f"The {asked.room} gets {degrees} degrees Celsius."
        if heater["degrees"] >= degrees:
            return f"The {asked.room} has {heater['degrees']} degrees."
        yield ("set_heat", {"device_id": heater["id"], "degrees": degrees})
        return f"The {asked.room} gets {degrees} degrees."
