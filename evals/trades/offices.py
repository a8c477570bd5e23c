"""Trades of an office: leave, card disputes and grades."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from .trade import FIRST, LAST, Policy, Record, Result, Trade, day

__all__ = ["Disputes", "Grades", "Leave"]


class Leave(Trade):
    """Leave approved, escalated or refused."""

    name = "leave"
    prompt = "You decide leave requests."
    reading = ("get_employee", "team_calendar")
    traps = (
        "hours",
        "null",
        "selfabsent",
        "otherunit",
        "newstatus",
        "negative",
        "samename",
        "nonote",
        "exact",
        "blackout",
    )
    tools = ("get_employee", "team_calendar", "approve_leave", "escalate", "note")

    def get_employee(self, name: str) -> Result:
        """Look up an employee."""
        return self.db["emp"][name]

    def team_calendar(self, team: str, start: str) -> Result:
        """Who is absent from a day on."""
        return self.db["cal"][team, start]

    def approve_leave(self, employee_id: str, start: str, days: int) -> Result:
        """Approve leave."""
        return {"approved": True, "employee_id": employee_id}

    def escalate(self, manager: str, employee_id: str, reason: str) -> Result:
        """Ask a manager."""
        return {"ticket": "T-" + employee_id}

    def note(self, employee_id: str, text: str) -> Result:
        """Write a note into the file."""
        return {"ok": True}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        name = self.person(rng)
        start = day(rng, rng.choice([7, 8, 9]))
        days = rng.randrange(1, 11)
        team = self.fresh(rng, "team-", 3)
        employee: Record = {
            "employee_id": self.fresh(rng, "E"),
            "name": name,
            "status": rng.choice(["permanent", "permanent", "fixed-term"]),
            "team": team,
            "manager": self.person(rng),
            "remaining": rng.randrange(2, 25),
            "unit": "days",
        }
        absent = [rng.choice(FIRST) + " " + rng.choice(LAST) for _ in range(rng.randrange(0, 4))]
        calendar: Record = {"team": team, "absent": absent}
        wish = None
        if trap:
            employee["remaining"] = days + rng.randrange(2, 10)
            calendar["absent"] = absent[:1]
        match trap:
            case "hours":
                employee["remaining"] = days * 8 - 4
                employee["unit"] = "hours"
            case "otherunit":
                employee["remaining"] = days * 8
                employee["unit"] = "hours"
            case "null":
                employee["remaining"] = None
            case "selfabsent":
                calendar["absent"] = [name]
            case "newstatus":
                employee["status"] = "probation"
            case "negative":
                employee["remaining"] = -3
            case "samename":
                employee["note"] = "2 employees have this name"
            case "nonote":
                wish = "nonote"
            case "exact":
                employee["remaining"] = days
            case "blackout":
                calendar["blackout"] = True
        self.db.setdefault("emp", {})[name] = employee
        self.db.setdefault("cal", {})[team, start] = calendar
        text = rng.choice(
            [
                "{n} asks for {d} days off from {s}.",
                "Decide: {n}, {d} days of leave starting {s}.",
                "Leave request of {n} from {s} for {d} days.",
            ]
        ).format(n=name, d=days, s=start)
        if wish:
            text += " Leave no note in the file."
        return text, SimpleNamespace(name=name, start=start, days=days, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        employee = yield ("get_employee", {"name": asked.name})
        employee_id = employee["employee_id"]
        if employee["status"] == "probation":
            return f"{asked.name} is on probation: no leave."
        if employee.get("note"):
            return f"Which {asked.name} is meant?"
        remaining = employee["remaining"]
        if remaining is not None and employee["unit"] == "hours":
            remaining = remaining / 8
        if remaining is None or remaining < asked.days:
            ticket = yield (
                "escalate",
                {"manager": employee["manager"], "employee_id": employee_id, "reason": "balance"},
            )
            said = f"{employee['manager']} decides ({ticket['ticket']})"
            return f"{asked.name} has too few days left; {said}."
        calendar = yield ("team_calendar", {"team": employee["team"], "start": asked.start})
        if calendar.get("blackout"):
            return f"No leave from {asked.start}: blackout."
        if asked.name in calendar["absent"]:
            return f"{asked.name} is absent then already."
        if len(calendar["absent"]) >= 2:
            ticket = yield (
                "escalate",
                {"manager": employee["manager"], "employee_id": employee_id, "reason": "team"},
            )
            return f"Too many are absent; {employee['manager']} decides ({ticket['ticket']})."
        yield (
            "approve_leave",
            {"employee_id": employee_id, "start": asked.start, "days": asked.days},
        )
        if asked.wish != "nonote":
            yield (
                "note",
                {"employee_id": employee_id, "text": f"{asked.days} days from {asked.start}"},
            )
        return f"{asked.name} may take {asked.days} days from {asked.start}."


class Disputes(Trade):
    """Card disputes: credited, closed or referred."""

    name = "disputes"
    prompt = "You settle card disputes."
    reading = ("get_dispute", "get_transaction", "get_merchant")
    traps = (
        "currency",
        "reversed",
        "negative",
        "othercard",
        "limit",
        "unequal",
        "blocklist",
        "newreason",
        "nocredit",
        "nullmerchant",
    )
    tools = ("get_dispute", "get_transaction", "get_merchant", "credit", "close_dispute", "refer")

    def get_dispute(self, dispute_id: str) -> Result:
        """Look up a dispute."""
        return self.db["dis"][dispute_id]

    def get_transaction(self, transaction: str) -> Result:
        """Look up a card transaction."""
        return self.db["txn"][transaction]

    def get_merchant(self, merchant: str) -> Result:
        """Look up a merchant."""
        return self.db["mer"][merchant]

    def credit(self, card: str, amount: int, currency: str) -> Result:
        """Credit a card."""
        return {"credited": amount}

    def close_dispute(self, dispute_id: str, code: str) -> Result:
        """Close a dispute."""
        return {"closed": dispute_id}

    def refer(self, dispute_id: str, team: str) -> Result:
        """Refer a dispute to a team."""
        return {"referred": team}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        dispute_id, transaction_id, merchant_id, card = (
            self.fresh(rng, "D"),
            self.fresh(rng, "TX", 6),
            self.fresh(rng, "M", 4),
            f"card-{rng.randrange(1000, 9999)}",
        )
        amount = rng.choice([rng.randrange(5, 100), rng.randrange(5, 100), rng.randrange(130, 400)])
        currency = rng.choice(["EUR", "EUR", "USD"])
        dispute: Record = {
            "dispute_id": dispute_id,
            "card": card,
            "transaction": transaction_id,
            "amount": amount,
            "reason": rng.choice(["not received", "not recognised", "duplicate"]),
        }
        transaction: Record = {
            "transaction": transaction_id,
            "card": card,
            "merchant": merchant_id,
            "amount": amount,
            "currency": currency,
            "status": "settled",
        }
        if rng.random() < 0.15:
            transaction["status"] = "pending"
        merchant: Record = {
            "merchant": merchant_id,
            "category": rng.choice(["shop", "travel", "food"]),
            "flags": rng.choice([[], [], ["slow"], ["new"]]),
        }
        if rng.random() < 0.15:
            merchant["flags"] = rng.choice([["fraud"], ["slow", "fraud"]])
        wish = None
        if trap:
            amount = rng.randrange(10, 90)
            dispute["amount"] = transaction["amount"] = amount
            transaction["status"] = "settled"
            transaction["currency"] = "EUR"
            merchant["flags"] = []
        match trap:
            case "currency":
                transaction["currency"] = "CHF"
            case "reversed":
                transaction["status"] = "reversed"
            case "negative":
                dispute["amount"] = transaction["amount"] = -amount
            case "othercard":
                transaction["card"] = f"card-{rng.randrange(1000, 9999)}"
            case "limit":
                dispute["amount"] = transaction["amount"] = rng.choice([100, 101, 120])
            case "unequal":
                transaction["amount"] = amount + 1
            case "blocklist":
                merchant["flags"] = ["new", "blocklisted"]
            case "newreason":
                dispute["reason"] = "changed my mind"
            case "nocredit":
                wish = 1
            case "nullmerchant":
                transaction["merchant"] = None
        for table, key, value in (
            ("dis", dispute_id, dispute),
            ("txn", transaction_id, transaction),
            ("mer", merchant_id, merchant),
        ):
            self.db.setdefault(table, {})[key] = value
        text = rng.choice(
            [
                "Settle dispute {d}.",
                "Dispute {d}: please decide.",
                "Look into dispute {d} and settle it.",
                "Can you resolve dispute {d}?",
            ]
        ).format(d=dispute_id)
        if wish:
            text += " Do not credit the card yet."
        return text, SimpleNamespace(dispute_id=dispute_id, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        dispute = yield ("get_dispute", {"dispute_id": asked.dispute_id})
        if dispute["reason"] == "changed my mind":
            yield ("close_dispute", {"dispute_id": asked.dispute_id, "code": "denied"})
            return f"Dispute {asked.dispute_id} is denied: {dispute['reason']}."
        transaction = yield ("get_transaction", {"transaction": dispute["transaction"]})
        if transaction["status"] == "pending":
            waiting = f"transaction {transaction['transaction']} is pending"
            return f"Dispute {asked.dispute_id} waits: {waiting}."
        if transaction["status"] == "reversed":
            yield ("close_dispute", {"dispute_id": asked.dispute_id, "code": "reversed"})
            return f"Dispute {asked.dispute_id} is closed: reversed already."
        if (
            transaction["card"] != dispute["card"]
            or transaction["amount"] != dispute["amount"]
            or transaction["amount"] <= 0
        ):
            yield ("refer", {"dispute_id": asked.dispute_id, "team": "data"})
            return f"Dispute {asked.dispute_id} goes to the team data."
        if transaction["merchant"] is None:
            yield ("refer", {"dispute_id": asked.dispute_id, "team": "data"})
            return f"Dispute {asked.dispute_id} has no merchant; the team data looks at it."
        merchant = yield ("get_merchant", {"merchant": transaction["merchant"]})
        if "fraud" in merchant["flags"] or "blocklisted" in merchant["flags"]:
            yield ("refer", {"dispute_id": asked.dispute_id, "team": "fraud"})
            return f"Dispute {asked.dispute_id} goes to the team fraud."
        if transaction["amount"] > 100 or transaction["currency"] not in ("EUR", "USD"):
            yield ("refer", {"dispute_id": asked.dispute_id, "team": "senior"})
            return f"Dispute {asked.dispute_id} goes to the team senior."
        if not asked.wish:
            yield (
                "credit",
                {
                    "card": dispute["card"],
                    "amount": transaction["amount"],
                    "currency": transaction["currency"],
                },
            )
        if asked.wish:
            return f"Dispute {asked.dispute_id} is justified; no credit yet."
        yield ("close_dispute", {"dispute_id": asked.dispute_id, "code": "credited"})
        amount = f"{transaction['amount']} {transaction['currency']}"
        return f"Dispute {asked.dispute_id}: {amount} credited to {dispute['card']}."


class Grades(Trade):
    """Grades recorded from points; parents hear of failures."""

    name = "grades"
    prompt = "You record grades."
    reading = ("find_student", "get_scores")
    traps = (
        "nullscore",
        "overmax",
        "twins",
        "left",
        "empty",
        "noparent",
        "kindnew",
        "negative",
        "adult",
        "appeal",
    )
    tools = ("find_student", "get_scores", "record_grade", "write_parent")

    def find_student(self, name: str) -> Result:
        """Find students."""
        return {"students": [each for each in self.db["st"] if each["name"] == name]}

    def get_scores(self, student_id: str, course: str) -> Result:
        """Points of a student in a course."""
        return {"course": course, "scores": self.db["sc"][student_id, course]}

    def record_grade(self, student_id: str, course: str, grade: str) -> Result:
        """Record a grade."""
        return {"recorded": grade}

    def write_parent(self, student_id: str, text: str) -> Result:
        """Write to the parents."""
        return {"written": True}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        student_name, course, student_id = (
            self.person(rng),
            rng.choice(["maths", "physics", "history", "music", "art"]),
            self.fresh(rng, "ST"),
        )
        student: Record = {
            "student_id": student_id,
            "name": student_name,
            "form": rng.choice(["7a", "7b", "8a", "8b"]),
            "status": rng.choice(["enrolled"] * 6 + ["on leave"]),
        }
        scores = [
            {"kind": kind, "points": rng.randrange(5, 31)} for kind in ["test", "essay", "oral"]
        ]
        wish = None
        if trap:
            student["status"] = "enrolled"
        self.db.setdefault("st", []).append(student)
        match trap:
            case "nullscore":
                scores[1]["points"] = None
            case "overmax":
                scores[0]["points"] = 55
            case "twins":
                self.db["st"].append({**student, "student_id": self.fresh(rng, "ST"), "form": "8b"})
            case "left":
                student["status"] = "left"
            case "empty":
                scores = []
            case "noparent":
                wish = 1
                scores = [{"kind": kind, "points": 8} for kind in ["test", "essay", "oral"]]
            case "kindnew":
                scores.append({"kind": "bonus", "points": 4})
            case "negative":
                scores[2]["points"] = -5
            case "adult":
                student["adult"] = True
                scores = [{"kind": kind, "points": 8} for kind in ["test", "essay", "oral"]]
            case "appeal":
                scores[0]["appealed"] = True
        self.db.setdefault("sc", {})[student_id, course] = scores
        text = rng.choice(
            [
                "Grade {n} in {c}.",
                "Please record the grade of {n} for {c}.",
                "{c}: enter the grade for {n}.",
            ]
        ).format(n=student_name, c=course)
        if wish:
            text += " Do not write to the parents."
        return text, SimpleNamespace(student_name=student_name, course=course, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        students = (yield ("find_student", {"name": asked.student_name}))["students"]
        if len(students) != 1:
            return f"There are {len(students)} students called {asked.student_name}."
        student = students[0]
        if student["status"] != "enrolled":
            return f"{asked.student_name} is {student['status']}; no grade."
        scores = (
            yield ("get_scores", {"student_id": student["student_id"], "course": asked.course})
        )["scores"]
        if len(scores) < 3:
            return f"{asked.student_name} has no complete scores in {asked.course}."
        if any(each.get("appealed") for each in scores):
            return f"{asked.student_name} has appealed in {asked.course}."
        if any(each["points"] is None or not 0 <= each["points"] <= 30 for each in scores):
            return f"A score of {asked.student_name} in {asked.course} is not valid."
        total = sum(each["points"] for each in scores if each["kind"] != "bonus")
        grade = "A" if total >= 70 else "B" if total >= 50 else "C" if total >= 35 else "F"
        yield (
            "record_grade",
            {"student_id": student["student_id"], "course": asked.course, "grade": grade},
        )
        if grade == "F" and not asked.wish and not student.get("adult"):
            yield (
                "write_parent",
                {
                    "student_id": student["student_id"],
                    "text": f"{asked.student_name} failed {asked.course}.",
                },
            )
        return f"{asked.student_name} has {total} points in {asked.course}: {grade}."
