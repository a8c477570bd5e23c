"""A service desk and an operator's runbook, as their consoles print them."""

from __future__ import annotations

from ...ladder.names import CITIES, PARTS, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Value, call
from ..desk import Desk

_IMPACTS = ("1 - Enterprise", "2 - Department", "3 - User")
_URGENCIES = ("1 - High", "2 - Medium", "3 - Low")
_GROUPS = {
    "Hardware / Printer": "Field Services",
    "Hardware / Laptop": "Field Services",
    "Network / VPN": "Network Operations",
    "Access / Password": "Identity Team",
    "Software / Mail": "Messaging",
}


class IncidentTriage(Desk):
    """An incident gets a priority of two of its fields and a group of a third."""

    name = "incident-triage"
    difficulty = "two numbered fields decide a priority together, a category names the group"
    operators = (
        Operator("view", "view {incident}", about="Show an incident."),
        Operator("priority", "set priority of {incident} to {priority}", about="P1 to P4."),
        Operator("assign", "assign {incident} to {group}", about="Hands it over. Final."),
    )
    changing, finals = ("priority",), ("assign",)
    horizon = 8

    wordings = (
        "Please triage {id} when you have a minute.",
        "{id} just came in from {person}. Triage it, thanks!",
        "Triage incident {id}.",
        "Could you have a look at {id}? It needs a priority and a group.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an incident."""
        self.id, other = self.identifier("INC00#####"), self.identifier("INC00#####")
        (first,), (last,), (thing,), (town,) = (
            self.draw(pool) for pool in (PEOPLE, SURNAMES, PARTS, CITIES)
        )
        impact, urgency = self.rng.randrange(3), self.rng.randrange(3)
        category = self.rng.choice([*_GROUPS])
        # The matrix of ITIL: the two numbers add up.
        priority = f"P{min(4, max(1, impact + urgency + 1))}"
        day, hour = self.rng.randint(1, 28), self.rng.randint(7, 18)
        self.text = (
            f"{self.id}   {thing} does not respond ({town} office)\n"
            f"State ........ New             Opened ....... 2024-05-{day:02} {hour:02}:14\n"
            f"Caller ....... {last}, {first}\n"
            f"Category ..... {category}\n"
            f"Impact ....... {_IMPACTS[impact]}\n"
            f"Urgency ...... {_URGENCIES[urgency]}\n"
            "Assigned to .. (empty)"
        )
        self.data = {
            "number": self.id,
            "short_description": f"{thing} does not respond ({town} office)",
            "state": "New",
            "caller": f"{last}, {first}",
            "category": category,
            "impact": _IMPACTS[impact],
            "urgency": _URGENCIES[urgency],
            "assigned_to": None,
        }
        ids = (self.id, other)
        offered = [call("view", incident=each) for each in ids]
        offered += [
            call("priority", incident=i, priority=f"P{n}") for i in ids for n in range(1, 5)
        ]
        groups = dict.fromkeys(_GROUPS.values())
        offered += [call("assign", incident=i, group=each) for i in ids for each in groups]
        self.lay_out(
            [
                call("view", incident=self.id),
                call("priority", incident=self.id, priority=priority),
                call("assign", incident=self.id, group=_GROUPS[category]),
            ],
            offered,
        )
        asked = self.rng.choice(self.wordings).format(id=self.id, person=f"{first} {last}")
        return asked, [Fact("My queue: 2 unassigned", {"unassigned": 2})]

    def answer(self, wanted: Call) -> Result:
        """Show, set or assign."""
        if wanted["incident"] != self.id:
            return [Fact(f"{wanted['incident']} is locked by another user.", {"error": "locked"})]
        if wanted.operator == "view":
            return [Fact(self.text, self.data)]
        if wanted.operator == "priority":
            return [Fact("Record updated.", {"updated": self.id})]
        return [Fact(f"Assigned to {wanted['group']}.", {"assigned": wanted["group"]})]


class UnitRestart(Desk):
    """A unit is restarted until it runs, twice at most; then the owner is paged."""

    name = "unit-restart"
    difficulty = (
        "status, restart, status again; after two restarts in vain the unit's owner is paged"
    )
    operators = (
        Operator("status", "systemctl status {unit}", about="Show a unit."),
        Operator("restart", "systemctl restart {unit}", about="Restart a unit."),
        Operator("owner", "cat /etc/owners/{unit}", about="Who owns a unit."),
        Operator("page", "page {person} about {unit}", about="Call somebody out. Final."),
        Operator("close", "close alert {alert}", about="The unit is well. Final."),
    )
    changing, finals, counted = ("restart",), ("page", "close"), True
    horizon = 12

    wordings = (
        "Alert {alert}: {unit} on {host} is flapping. Follow the runbook.",
        "Hi, alert {alert} fired for {unit}. Can you take it? Host is {host}.",
        "{host}: bring {unit} back up. The alert is {alert}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a unit and how often it has to be restarted."""
        (thing,), (host,), (owner, other) = (
            self.draw(PARTS),
            self.draw(CITIES),
            self.draw(PEOPLE, 2),
        )
        self.unit = (
            f"{thing.replace(' ', '-')}-{self.rng.choice(('api', 'sync', 'worker'))}.service"
        )
        self.alert, self.owner = self.identifier("A####"), owner.lower()
        self.needed = self.rng.choice((0, 1, 1, 2, 2, 3, 3))
        self.pid, self.minute = self.rng.randint(900, 30000), self.rng.randint(10, 40)
        status, restart = call("status", unit=self.unit), call("restart", unit=self.unit)
        page = call("page", person=self.owner, unit=self.unit)
        plan = [status, *[restart, status] * min(self.needed, 2)]
        plan += (
            [call("owner", unit=self.unit), page]
            if self.needed > 2
            else [call("close", alert=self.alert)]
        )
        offered = [status, restart, call("owner", unit=self.unit), page]
        offered += [call("page", person=other.lower(), unit=self.unit)]
        offered += [call("close", alert=self.alert)]
        self.lay_out(plan, offered)
        names = {"alert": self.alert, "unit": self.unit, "host": f"{host.lower()}-01"}
        asked = self.rng.choice(self.wordings).format(**names)
        return asked, [
            Fact(
                f"Last login: Tue Mar  5 09:58:11 from 10.0.0.7\n{host.lower()}-01:~$",
                {"host": f"{host.lower()}-01"},
            )
        ]

    def answer(self, wanted: Call) -> Result:
        """Show the unit as systemd does."""
        tries = sum(each.operator == "restart" for each in self.made)
        if wanted.operator == "status":
            runs = tries >= self.needed
            since = f"Tue 2024-03-05 10:{self.minute + tries:02}:44 UTC; {tries + 1}min ago"
            active = "active (running)" if runs else "failed (Result: exit-code)"
            tail = "" if runs else " (code=exited, status=1/FAILURE)"
            text = (
                f"* {self.unit} - {self.unit.split('.')[0]} daemon\n"
                f"     Loaded: loaded (/lib/systemd/system/{self.unit}; enabled; preset: enabled)\n"
                f"     Active: {active} since {since}\n"
                f"   Main PID: {self.pid + tries}{tail}"
            )
            data: dict[str, Value] = {
                "Id": self.unit,
                "LoadState": "loaded",
                "MainPID": self.pid + tries,
            }
            state = {"ActiveState": "active", "SubState": "running"}
            failed = {"ActiveState": "failed", "SubState": "failed", "Result": "exit-code"}
            return [Fact(text, data | (state if runs else failed))]
        if wanted.operator == "restart":
            return [Fact(f"{self.unit}: job done.", {"exit_code": 0})]
        if wanted.operator == "owner":
            return [Fact(f"owner={self.owner}\nescalation=none", {"owner": self.owner})]
        return [Fact("ok", {"ok": True})]
