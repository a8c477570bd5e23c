"""Reviews of many: who may still log in, which tickets can be closed."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import PEOPLE, PRODUCTS, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call
from ..shared import enumerated


class AccessReview(World):
    """Every account of a system is kept, cut down, moved or revoked; then the review is signed."""

    name = "access-review"
    difficulty = "for every row another page and a limit decide between four things"
    operators = (
        Operator("export", "export accounts of {system}", about="List the accounts."),
        Operator("person", "hr {user}", about="What personnel knows of somebody."),
        Operator("keep", "keep {user}", about="Access stays as it is."),
        Operator("lower", "downgrade {user} to reader", about="Take admin rights away."),
        Operator("move", "move {user} to {team}", about="Hand the account to another team."),
        Operator("revoke", "revoke {user}", about="Cannot be undone."),
        Operator("sign", "sign off {system}", about="Final."),
    )
    horizon = 13

    systems = ("wiki", "billing", "build-farm", "warehouse", "mailing", "crm", "vault", "archive")
    wordings = (
        "Do the access review of {system}.",
        "{system} is due for its access review.",
        "Auditors ask for {system}: review the accounts and sign off.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw accounts, what personnel knows, and how long rights may rest."""
        owners, kinds = self.draw(TEAMS, 3), self.rng.sample(self.systems, 3)
        systems = [f"{owner}-{kind}" for owner, kind in zip(owners, kinds, strict=True)]
        self.system, self.systems_here = systems[0], self.arranged(systems, systems[0])
        self.limit = 15 * self.rng.randint(2, 8)
        users = [each.lower() for each in self.draw(PEOPLE, self.rng.randint(2, 4))]
        teams = self.draw(TEAMS, len(users) + 1)
        self.rows: list[dict[str, Value]] = []
        self.people: dict[str, dict[str, Value]] = {}
        self.right: dict[str, Call] = {}
        for user, team in zip(users, teams[1:], strict=True):
            state = self.rng.choice(("employed", "employed", "employed", "left", "moved"))
            role = self.rng.choice(("admin", "admin", "editor", "reader"))
            long = self.rng.random() < 0.5
            days = self.limit + self.rng.randint(1, 90) if long else self.rng.randint(0, self.limit)
            self.rows.append({"user": user, "role": role, "idle": days})
            at = team if state == "moved" else teams[0]
            self.people[user] = {"user": user, "status": state, "team": at}
            self.right[user] = call("keep", user=user)
            if state == "left":
                self.right[user] = call("revoke", user=user)
            elif state == "moved":
                self.right[user] = call("move", user=user, team=at)
            elif role == "admin" and long:
                self.right[user] = call("lower", user=user)
        self.rows = self.arranged(self.rows)
        self.teams = list(dict.fromkeys(str(each["team"]) for each in self.people.values()))
        self.open = False
        self.made: dict[str, Call] = {}
        text = f"Policy: admin rights lapse after {self.limit} days without a login."
        names = ", ".join(self.systems_here)
        data: dict[str, Value] = {"admin_limit": self.limit, "systems": names}
        asked = self.rng.choice(self.wordings).format(system=self.system)
        return asked, [Fact(f"{text}\nSystems: {names}", data)]

    def possible(self) -> list[Call]:
        """Every system; then every account."""
        calls = [call("export", system=each) for each in self.systems_here]
        if self.open:
            for user in self.people:
                calls += [call(n, user=user) for n in ("person", "keep", "lower", "revoke")]
                calls += [call("move", user=user, team=each) for each in self.teams]
        return [*calls, call("sign", system=self.system)]

    def do(self, wanted: Call) -> Result:
        """Show, decide, or end."""
        if wanted.operator == "export":
            self.open = wanted["system"] == self.system
            head = Fact("user,role,days_since_login")
            return [head, Rows("accounts", "{user},{role},{idle}", self.rows if self.open else [])]
        if wanted.operator == "sign":
            self.end(won=self.made == self.right)
            return [Fact("Signed.", {"signed": True})]
        user = wanted["user"]
        if wanted.operator == "person":
            fields = self.people[user]
            return [Fact("\n".join(f"{key} = {value}" for key, value in fields.items()), fields)]
        self.made[user] = wanted
        if wanted.operator == "revoke" and self.right[user] != wanted:
            self.end(won=False)
        return [Fact(f"{user}: ok", {"user": user, "ok": True})]

    def expert(self) -> Iterator[Call]:
        """Go through the accounts from top to bottom."""
        yield call("export", system=self.system)
        for row in self.rows:
            user = str(row["user"])
            yield call("person", user=user)
            yield self.right[user]
        yield call("sign", system=self.system)


class CloseMany(World):
    """Some tickets are closed, each after the one that blocks it; others are closed already."""

    name = "close-many"
    difficulty = "each of the items in the task is opened; what it shows decides what comes before"
    operators = (
        Operator("queue", "list queue", about="List the tickets."),
        Operator("open", "open {ticket}", ("ticket",), "Show a ticket."),
        Operator("close", "close {ticket}", ("ticket",), "Cannot be undone."),
        Operator("leave", "log off", about="Final."),
    )
    horizon = 14

    wordings = (
        "Close tickets {tickets}.",
        "{tickets} can be closed, please do.",
        "I am finished with {tickets}. Could you close that for me?",
        "pls close {tickets}, thx",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw tickets, some of them blocked by another one."""
        numbers = [str(each) for each in self.rng.sample(range(1000, 9999), 8)]
        goods, people = self.draw(PRODUCTS, 8), self.draw(PEOPLE, 4)
        self.tickets: dict[str, dict[str, Value]] = {}
        for number, item in zip(numbers, goods, strict=True):
            fields: dict[str, Value] = {"ticket": int(number), "subject": f"{item} order"}
            fields |= {"from": self.rng.choice(people), "state": "open", "blocked by": "-"}
            self.tickets[number] = fields
        count = self.rng.randint(1, 3)
        self.named, spare = numbers[:count], numbers[3:]
        self.steps: list[Call] = []
        for number, blocker in zip(self.named, spare, strict=False):
            kind = self.rng.choice(("open", "open", "blocked", "closed"))
            self.steps.append(call("open", ticket=number))
            if kind == "closed":
                self.tickets[number]["state"] = "closed"
                continue
            if kind == "blocked":
                self.tickets[number]["blocked by"] = int(blocker)
                self.steps.append(call("close", ticket=blocker))
            self.steps.append(call("close", ticket=number))
        self.due = {each["ticket"] for each in self.steps if each.operator == "close"}
        # Some people glance at the queue first, or at a ticket that is no matter of theirs.
        if self.rng.random() < 0.3:
            self.steps.insert(0, call("queue"))
        if self.rng.random() < 0.2:
            at = self.rng.randint(0, len(self.steps))
            self.steps.insert(at, call("open", ticket=numbers[-1]))
        self.listed = self.arranged(numbers, *self.named)
        asked = self.rng.choice(self.wordings).format(tickets=enumerated(self.named))
        return asked, [Fact(f"{len(numbers)} tickets in the queue", {"count": len(numbers)})]

    def possible(self) -> list[Call]:
        """Every ticket."""
        calls = [call(name, ticket=each) for name in ("open", "close") for each in self.listed]
        return [call("queue"), *calls, call("leave")]

    def do(self, wanted: Call) -> Result:
        """Show, close, or end."""
        if wanted.operator == "queue":
            rows = [self.tickets[each] for each in self.listed]
            return [Rows("queue", "#{ticket} {subject} ({state})", rows)]
        if wanted.operator == "leave":
            self.end(won=not self.due)
            return [Fact("Bye.", {"bye": True})]
        ticket = wanted["ticket"]
        fields = self.tickets[ticket]
        if wanted.operator == "open":
            return [Fact("\n".join(f"{key}: {value}" for key, value in fields.items()), fields)]
        blocker = str(fields["blocked by"])
        if blocker in self.tickets and self.tickets[blocker]["state"] == "open":
            return [Fact(f"#{ticket} is blocked by #{blocker}.", {"error": "blocked"})]
        if fields["state"] == "closed":
            return [Fact(f"#{ticket} is closed.", {"error": "closed"})]
        fields["state"] = "closed"
        if ticket not in self.due:
            self.end(won=False)
        self.due.discard(ticket)
        return [Fact(f"#{ticket} closed.", {"closed": int(ticket)})]

    def expert(self) -> Iterator[Call]:
        """Open each ticket, close what blocks it, close it; log off."""
        yield from self.steps
        yield call("leave")
