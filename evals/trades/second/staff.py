"""Trades of a staff office: access to systems, and pay."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result, Trade

__all__ = ["Access", "Payroll"]


class Access(Trade):
    """Access to one or two systems, for employees and contractors, in two languages."""

    name = "access"
    prompt = "You grant access to systems."
    reading = ("find_user", "get_system")
    traps = (
        "suspended",
        "conflict",
        "ownself",
        "frozen",
        "twins",
        "maxrole",
        "newclass",
        "readonly",
        "nountil",
        "training",
    )
    tools = ("find_user", "get_system", "grant", "request_approval")
    systems = ("billing", "crm", "wiki", "vault", "ledger", "tickets", "warehouse", "atlas")

    def find_user(self, name: str) -> Result:
        """Find users by name."""
        return {"matches": self.db["us"].get(name, [])}

    def get_system(self, system: str) -> Result:
        """Look up a system."""
        return self.db["sy"][system]

    def grant(self, user_id: str, system: str, role: str, until: str | None) -> Result:
        """Grant a role in a system."""
        return {"granted": {"user": user_id, "system": system}}

    def request_approval(self, of: str, user_id: str, system: str) -> Result:
        """Ask somebody to approve."""
        return {"status": "requested"}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        name, user_id = self.person(rng), self.fresh(rng, "u")
        names = [f"{each}-{self.fresh(rng, '', 4)}" for each in rng.sample(self.systems, 2)]
        if rng.random() < 0.7:
            names = names[:1]
        contractor = rng.random() < 0.35
        user: Record = {
            "user_id": user_id,
            "name": name,
            "org": {"department": rng.choice(["sales", "ops", "finance"]), "site": "north"},
            "employment": {
                "kind": "contractor" if contractor else "employee",
                "until": f"2027-{rng.randrange(1, 13):02d}-28" if contractor else None,
            },
            "state": "active",
            "groups": [f"grp-{self.fresh(rng, '', 4)}" for _ in range(rng.randrange(1, 4))],
        }
        systems: list[Record] = [
            {
                "system": each,
                "class": rng.choice(["open", "internal", "internal", "restricted"]),
                "owner": f"{rng.choice(['Ann', 'Ben', 'Cyd'])} {self.fresh(rng, 'Own')}",
                "roles": ["reader", "editor"],
                "conflicts": [f"grp-{self.fresh(rng, '', 4)}"],
            }
            for each in names
        ]
        if rng.random() < 0.15:
            user["groups"].append(f"use-{names[0]}")
        role = rng.choice(["reader", "reader", "editor"])
        wish, users = None, [user]
        first = systems[0]
        if trap:
            user["groups"] = [each for each in user["groups"] if each.startswith("grp-")]
            first["class"] = "internal"
        match trap:
            case "suspended":
                user["state"] = "suspended"
            case "conflict":
                first["conflicts"].append(user["groups"][-1])
            case "ownself":
                first["owner"] = name
                first["class"] = "restricted"
                user["employment"] = {"kind": "contractor", "until": "2027-05-28"}
            case "frozen":
                first["freeze"] = "audit"
            case "twins":
                users.append({**user, "user_id": self.fresh(rng, "u")})
            case "maxrole":
                first["roles"] = ["reader"]
                role = "editor"
            case "newclass":
                first["class"] = "secret"
            case "readonly":
                wish, role = "readonly", "editor"
            case "nountil":
                user["employment"] = {"kind": "contractor", "until": None}
            case "training":
                first["requires"] = ["privacy training"]
        self.db.setdefault("us", {})[name] = users
        for system in systems:
            self.db.setdefault("sy", {})[system["system"]] = system
        if rng.random() < 0.6:
            text = rng.choice(
                [
                    "Give {n} access to {s} as {r}.",
                    "{n} needs the role {r} in {s}.",
                ]
            ).format(n=name, s=" and ".join(names), r=role)
            extra = " Only for reading, whatever the role."
        else:
            text = "Bitte {n} als {r} freischalten: {s}.".format(
                n=name, s=" und ".join(names), r=role
            )
            extra = " Nur lesend, egal welche Rolle."
        if wish:
            text += extra
        return text, SimpleNamespace(name=name, systems=names, role=role, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        users = (yield ("find_user", {"name": asked.name}))["matches"]
        if len(users) != 1:
            return f"Which {asked.name}? There are {len(users)}."
        user = users[0]
        if user["state"] != "active":
            return f"{asked.name} is {user['state']}."
        role = "reader" if asked.wish == "readonly" else asked.role
        contractor = user["employment"]["kind"] == "contractor"
        outcome = []
        for name in asked.systems:
            system = yield ("get_system", {"system": name})
            if f"use-{name}" in user["groups"]:
                outcome.append(f"{name}: has it")
                continue
            if system.get("freeze"):
                outcome.append(f"{name}: frozen ({system['freeze']})")
                continue
            if system.get("requires"):
                outcome.append(f"{name}: needs {', '.join(system['requires'])}")
                continue
            if role not in system["roles"]:
                outcome.append(f"{name}: no role {role}")
                continue
            if set(system["conflicts"]) & set(user["groups"]):
                approver = "risk office"
            elif system["class"] == "open":
                approver = None
            elif system["class"] == "internal":
                approver = None if role == "reader" or not contractor else system["owner"]
            elif system["class"] == "restricted":
                approver = None if role == "reader" and not contractor else system["owner"]
            else:
                approver = "risk office"
            if approver == asked.name:
                approver = "risk office"
            if approver is None and contractor and user["employment"]["until"] is None:
                approver = "risk office"
            if approver:
                yield (
                    "request_approval",
                    {"of": approver, "user_id": user["user_id"], "system": name},
                )
                outcome.append(f"{name}: {approver} decides")
                continue
            until = user["employment"]["until"]
            yield (
                "grant",
                {"user_id": user["user_id"], "system": name, "role": role, "until": until},
            )
            outcome.append(f"{name}: {role}")
        return f"{asked.name} - {'; '.join(outcome)}."


class Payroll(Trade):
    """Raises, with approvals of which the newest counts, bands, and months that are closed."""

    name = "payroll"
    prompt = "You change salaries."
    reading = ("get_person", "get_band", "list_approvals", "get_month")
    traps = (
        "decrease",
        "same",
        "revoked",
        "otheramount",
        "garnish",
        "parttime",
        "endsbefore",
        "selfapproved",
        "nobackpay",
        "reopened",
        "bandmax",
    )
    tools = (
        "get_person",
        "get_band",
        "list_approvals",
        "get_month",
        "change_salary",
        "back_pay",
        "ask",
    )

    def get_person(self, name: str) -> Result:
        """Look up a person's contract."""
        return {"person": self.db["pe"][name]}

    def get_band(self, grade: str, entity: str) -> Result:
        """Look up a pay band."""
        return self.db["ba"][grade, entity]

    def list_approvals(self, person_id: str) -> Result:
        """Approvals of a person's raises, in no order."""
        return self.db["ap"][person_id]

    def get_month(self, month: str, entity: str) -> Result:
        """Whether payroll of a month is closed."""
        return self.db["mo"][month, entity]

    def change_salary(self, person_id: str, amount: int, month: str) -> Result:
        """Change a salary from a month on."""
        return {"changed": person_id}

    def back_pay(self, person_id: str, amount: int, month: str) -> Result:
        """Pay the difference of a closed month."""
        return {"paid": amount}

    def ask(self, role: str, person_id: str) -> Result:
        """Ask a role for an approval."""
        return {"ticket": f"T-{person_id}-{role}"}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        name, person_id, entity = self.person(rng), self.fresh(rng, "P"), self.fresh(rng, "E", 4)
        salary = 100 * rng.randrange(25, 60)
        amount = salary + 10 * rng.choice([rng.randrange(5, 24), rng.randrange(5, 24), 70, 90])
        number = rng.randrange(1, 12)
        month, following = f"2026-{number:02d}", f"2026-{number + 1:02d}"
        grade = rng.choice(["G4", "G5", "G6"])
        manager = self.person(rng)
        person: Record = {
            "person_id": person_id,
            "name": name,
            "manager": manager,
            "grade": grade,
            "entity": entity,
            "salary": salary,
            "share": 1.0,
            "ends": None,
        }
        band = {"grade": grade, "min": 2000, "max": salary + rng.choice([100, 500, 1500, 1500])}
        approval: Record = {
            "by": manager,
            "role": "director" if amount > salary * 1.1 else "manager",
            "amount": amount,
            "state": "given",
            "at": "2026-01-20",
        }
        approvals = [approval]
        if rng.random() < 0.3:
            approvals.insert(
                rng.randrange(2),
                {**approval, "state": "refused", "at": "2026-01-03", "amount": amount - 10},
            )
        if rng.random() < 0.15:
            approvals = []
        closed = rng.random() < 0.3
        wish = None
        if trap:
            amount = salary + 120
            approvals, closed = [approval], False
            approval.update(amount=amount, role="manager")
            band["max"] = salary + 1500
        state: Record = {"month": month, "closed": closed}
        match trap:
            case "decrease":
                amount = approval["amount"] = salary - 120
            case "same":
                amount = approval["amount"] = salary
            case "revoked":
                approvals.append({**approval, "state": "revoked", "at": "2026-01-25"})
            case "otheramount":
                approval["amount"] = amount - 50
            case "garnish":
                person["garnishment"] = {"court": "Kiel"}
            case "parttime":
                person["share"] = 0.5
                band["max"] = amount + 30
            case "endsbefore":
                person["ends"] = f"2026-{max(1, number - 1):02d}-28" if number > 1 else "2025-12-31"
            case "selfapproved":
                approval["by"] = name
            case "nobackpay":
                state["closed"], wish = True, "nobackpay"
            case "reopened":
                state["closed"] = True
                state["reopened"] = True
            case "bandmax":
                band["max"] = amount
        self.db.setdefault("pe", {})[name] = person
        self.db.setdefault("ba", {})[grade, entity] = band
        self.db.setdefault("ap", {})[person_id] = approvals
        self.db.setdefault("mo", {})[month, entity] = state
        text = rng.choice(
            [
                "Raise {n} to {a} a month from {m} on.",
                "From {m}, {n} earns {a}.",
                "New salary of {n}: {a}, starting {m}.",
            ]
        ).format(n=name, a=amount, m=month)
        if wish:
            text += " No back pay."
        return text, SimpleNamespace(
            name=name, amount=amount, month=month, following=following, wish=wish
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        person = (yield ("get_person", {"name": asked.name}))["person"]
        person_id, salary = person["person_id"], person["salary"]
        if person.get("garnishment"):
            return f"The pay of {asked.name} is garnished; the lawyers decide."
        if person["ends"] and person["ends"][:7] < asked.month:
            return f"{asked.name} has left by then."
        if asked.amount <= salary:
            return f"{asked.amount} is no raise for {asked.name}."
        band = yield ("get_band", {"grade": person["grade"], "entity": person["entity"]})
        if asked.amount / person["share"] > band["max"]:
            ticket = yield ("ask", {"role": "hr", "person_id": person_id})
            return f"{asked.amount} is above the band of {asked.name}: {ticket['ticket']}."
        role = "director" if asked.amount > salary * 1.1 else "manager"
        approvals = yield ("list_approvals", {"person_id": person_id})
        newest = max(approvals, key=lambda each: each["at"], default=None)
        if (
            newest is None
            or newest["state"] != "given"
            or newest["role"] != role
            or newest["amount"] != asked.amount
            or newest["by"] == asked.name
        ):
            ticket = yield ("ask", {"role": role, "person_id": person_id})
            return f"The {role} of {asked.name} must approve first: {ticket['ticket']}."
        state = yield ("get_month", {"month": asked.month, "entity": person["entity"]})
        if not state["closed"] or state.get("reopened"):
            yield (
                "change_salary",
                {"person_id": person_id, "amount": asked.amount, "month": asked.month},
            )
            return f"{asked.name} earns {asked.amount} from {asked.month}."
        yield (
            "change_salary",
            {"person_id": person_id, "amount": asked.amount, "month": asked.following},
        )
        if asked.wish:
            return f"{asked.name} earns {asked.amount} from {asked.following}, without back pay."
        yield (
            "back_pay",
            {"person_id": person_id, "amount": asked.amount - salary, "month": asked.following},
        )
        return f"{asked.name} earns {asked.amount} from {asked.following}, with back pay."
