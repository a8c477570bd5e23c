"""Invoices that are due, under headings of their customers; snapshots that are too many."""

from __future__ import annotations

from datetime import date, timedelta

from ...ladder.names import PARTS, SURNAMES, TEAMS
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk
from ..shared import MONTHS


class DunningLetters(Desk):
    """Each open invoice of a customer gets the letter that its days overdue ask for."""

    name = "dunning-letters"
    difficulty = "records stand under a customer's heading; days since a date choose the letter"
    operators = (
        Operator("ledger", "open ledger {letter}", about="Invoices of customers by letter."),
        Operator("send", "send {template} for {invoice}", about="Cannot be undone."),
        Operator("finish", "finish the run", about="Final."),
    )
    changing, irrevocable, finals = ("send",), ("send",), ("finish",)
    horizon = 9

    wordings = (
        "Dunning run of {today}: {customer}.",
        "Today is {today}. Please remind {customer} of what they owe us.",
        "{customer} has open invoices. Send the letters that are due as of {today}.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw two customers and their invoices."""
        first, other = (
            f"{each} {self.rng.choice(('AG', 'Ltd', 'SpA'))}" for each in self.draw(SURNAMES, 2)
        )
        today = date(2024, 1, 1) + timedelta(self.rng.randint(60, 330))
        plan, every = [call("ledger", letter=first[0])], []
        self.lines: list[str] = []
        rows: list[dict[str, Value]] = []
        for customer in self.arranged([first, other], first):
            self.lines += ["", f"== {customer} =="]
            for _ in range(self.rng.randint(2, 3)):
                late = self.rng.choice((-9, 5, 20, 40, 70)) + self.rng.randint(-4, 4)
                invoice, due = f"R-{self.rng.randint(1000, 9999)}", today - timedelta(late)
                paid = self.rng.random() < 0.3
                self.lines.append(
                    f"{invoice}  due {due:%Y-%m-%d}  EUR {self.rng.randint(20, 900):>4}.00"
                    f"  {'paid' if paid else 'open'}"
                )
                rows.append(
                    {
                        "customer": customer,
                        "invoice": invoice,
                        "due": f"{due:%Y-%m-%d}",
                        "status": "paid" if paid else "open",
                    }
                )
                letters = {"reminder": 1, "first notice": 15, "final notice": 30}
                every += [call("send", template=each, invoice=invoice) for each in letters]
                template = [each for each, least in letters.items() if late >= least][-1:]
                if customer == first and not paid and template:
                    plan.append(call("send", template=template[0], invoice=invoice))
        self.rows = rows
        self.lay_out([*plan, call("finish")], every)
        day = f"{today.day} {MONTHS[today.month - 1]} {today.year}"
        asked = self.rng.choice(self.wordings).format(today=day, customer=first)
        rule = "Rules: 1-14 days reminder, 15-29 days first notice, 30+ days final notice"
        return asked, [Fact(rule, {"rules": rule})]

    def answer(self, wanted: Call) -> Result:
        """Show the ledger, send, or end."""
        if wanted.operator == "ledger":
            return [Fact("\n".join(self.lines[1:])), *self._json()]
        return [Fact("Done.", {"done": True})]

    def _json(self) -> list[Rows | Fact]:
        return [
            Fact(
                "",
                {
                    f"{row['invoice']}": f"{row['customer']}, due {row['due']}, {row['status']}"
                    for row in self.rows
                },
            )
        ]


class SnapshotClean(Desk):
    """All snapshots of a volume but the two newest are deleted."""

    name = "snapshot-clean"
    difficulty = "a JSON print; of one volume's entries all but the newest two are deleted"
    operators = (
        Operator("list", "aws ec2 describe-snapshots --filters Name=tag:team,Values={team}"),
        Operator("delete", "aws ec2 delete-snapshot --snapshot-id {snapshot}"),
        Operator("exit", "exit", about="Final."),
    )
    changing, irrevocable, finals = ("delete",), ("delete",), ("exit",)
    horizon = 9

    wordings = (
        "Keep the two newest snapshots of {volume} (team {team}), delete the others.",
        "{team} has too many snapshots of {volume}. All but the latest two can go, please.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw snapshots of two volumes."""
        (team,), (thing,) = self.draw(TEAMS), self.draw(PARTS)
        volumes = [self.identifier("vol-0##a#a##") for _ in range(2)]
        owners = [volumes[0]] * self.rng.randint(3, 5) + [volumes[1]] * 2
        self.rng.shuffle(owners)
        days = self.rng.sample(range(1, 360), len(owners))
        self.rows: list[dict[str, Value]] = [
            {
                "SnapshotId": self.identifier("snap-0a##a#a#"),
                "VolumeId": volume,
                "StartTime": f"{date(2024, 1, 1) + timedelta(day):%Y-%m-%d}T02:00:00Z",
                "State": "completed",
                "Description": f"{thing} nightly",
            }
            for volume, day in zip(owners, days, strict=True)
        ]
        mine = [row for row in self.rows if row["VolumeId"] == volumes[0]]
        newest = sorted(mine, key=lambda row: str(row["StartTime"]))[-2:]
        plan = [call("list", team=team)]
        plan += [call("delete", snapshot=row["SnapshotId"]) for row in mine if row not in newest]
        every = [call("delete", snapshot=row["SnapshotId"]) for row in self.rows]
        self.lay_out([*plan, call("exit")], every)
        asked = self.rng.choice(self.wordings).format(volume=volumes[0], team=team)
        return asked, [Fact("$", {"shell": "zsh"})]

    def answer(self, wanted: Call) -> Result:
        """Print as the command line does, delete, or end."""
        if wanted.operator == "list":
            line = (
                "        {{\n"
                + ",\n".join(f'            "{key}": "{{{key}}}"' for key in self.rows[0])
                + "\n        }},"
            )
            return [
                Fact('{\n    "Snapshots": ['),
                Rows("Snapshots", line, self.rows),
                Fact("    ]\n}"),
            ]
        return [Fact("(no output)", {"exit_code": 0})]
