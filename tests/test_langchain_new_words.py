"""What a task says anew, and rows that demonstrations left: the model decides."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import tool
from macla.adapters.langchain.middleware import MaclaMiddleware

from .test_langchain_caution import differing


@pytest.fixture
def macla(tmp_path: Path) -> Iterator[MaclaMiddleware]:
    middleware = MaclaMiddleware(tmp_path / "library", trust="demonstrations", audit=0)
    yield middleware
    middleware.memory.close()


@pytest.mark.parametrize(
    "wishes",
    [
        [
            *[("support", True)] * 2,
            ("reports", False),
            ("support", True),
            ("billing", False),
            ("billing", True),
        ],
        [(role, True) for role in ("billing", "billing", "reports", "support", "reports", "admin")],
    ],
    ids=["one word so far", "a few words again and again"],
)
def test_a_word_that_a_record_repeats_is_new_all_the_same(
    macla: MaclaMiddleware, wishes: list[tuple[str, bool]]
) -> None:
    log: list[Any] = []
    staff = {f"u{n}": wish for n, wish in enumerate(wishes, 71)}

    @tool
    def request(user: str) -> str:
        """Look up a request."""
        role, active = staff[user]
        return json.dumps({"user": user, "role": role, "active": active})

    @tool
    def decide(user: str, role: str, granted: bool) -> str:
        """Grant or deny a role."""
        log.append((user, role, granted))
        return '{"ok": true}'

    def plan(user: str, told: list[str]) -> Any:
        if not told:
            return "request", {"user": user}
        known = json.loads(told[0])
        granted = known["active"] and known["role"] != "admin"
        if len(told) == 1:
            return "decide", {"user": user, "role": known["role"], "granted": granted}
        return f"{'Granted' if granted else 'Denied'} {known['role']} to {user}."

    request.metadata = {"readOnlyHint": True}
    tasks = [f"Grant the role {role} to {user}." for user, (role, _) in staff.items()]
    lost, _ = differing(macla, [request, decide], log, plan, *tasks)
    assert lost == []


def test_whether_all_rows_are_done_where_demonstrations_left_one(macla: MaclaMiddleware) -> None:
    log: list[Any] = []
    states = {
        "Mona Keller": "waiting solved",
        "Ada Hauser": "others solved open solved",
        "Vera Costa": "solved waiting",
        "Zoe Duval": "open solved open solved",
        "Finn Meyer": "waiting waiting solved solved solved",
        "Xenia Novak": "solved solved open solved",
    }

    @tool
    def tickets(customer: str) -> str:
        """List the tickets of a customer."""
        rows = [
            {
                "ticket": f"T{100 * sum(map(ord, customer)) + n * n}",
                "customer": "Finn Abel" if state == "others" else customer,
                "state": "solved" if state == "others" else state,
                "locked": False,
            }
            for n, state in enumerate(states[customer].split(), 7)
        ]
        return json.dumps({"tickets": rows})

    @tool
    def close_ticket(ticket: str) -> str:
        """Close a ticket."""
        log.append(ticket)
        return json.dumps({"ok": True, "ref": f"CL{ticket[1:]}"})

    def plan(surname: str, told: list[str]) -> Any:
        name = next(each for each in states if each.endswith(surname))
        if not told:
            return "tickets", {"customer": name}
        rows = json.loads(told[0])["tickets"]
        mine = [r for r in rows if r["state"] == "solved" and r["customer"] == name]
        if len(told) <= len(mine):
            return "close_ticket", {"ticket": mine[len(told) - 1]["ticket"]}
        return f"Closed {len(mine)}."

    tickets.metadata = {"readOnlyHint": True}
    wordings = dict.fromkeys(states, "Please close what is solved for")
    wordings |= {
        "Ada Hauser": "Close all solved tickets of",
        "Finn Meyer": "Solved tickets can be closed for",
        "Xenia Novak": "Close all solved tickets of",
    }
    tasks = [f"{said} {name}." for name, said in wordings.items()]
    lost, _ = differing(macla, [tickets, close_ticket], log, plan, *tasks)
    assert lost == []


@pytest.mark.parametrize("form", ["{} kg", "{}kg", "€{}", "EUR {}.50"])
def test_an_amount_with_a_unit_past_those_shown_is_for_the_model(
    macla: MaclaMiddleware, form: str
) -> None:
    log: list[Any] = []
    sizes = [31, 12, 57, 20, 44, 39, 1503]
    parcels = {f"P{n}": form.format(size) for n, size in enumerate(sizes, 301)}

    @tool
    def look(parcel: str) -> str:
        """Look at a parcel."""
        return json.dumps({"parcel": parcel, "size": parcels[parcel]})

    @tool
    def ship(parcel: str) -> str:
        """Ship a parcel."""
        log.append(parcel)
        return '{"ok": true}'

    def plan(parcel: str, told: list[str]) -> Any:
        if not told:
            return "look", {"parcel": parcel}
        if "1503" in told[0]:
            return "That is too much."
        return ("ship", {"parcel": parcel}) if len(told) == 1 else "Shipped."

    look.metadata = {"readOnlyHint": True}
    tasks = [f"Ship the parcel {parcel}." for parcel in parcels]
    lost, calls = differing(macla, [look, ship], log, plan, *tasks)
    assert (lost, calls) == ([], 10)
