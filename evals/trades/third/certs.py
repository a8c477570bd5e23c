"""Certificates told as lines of text; renewals that are busy are tried once more."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from langchain_core.tools import ToolException

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Certs"]


class Certs(Desk):
    """Certificates told as lines of text; renewals that are busy are tried once more."""

    name = "certs"
    prompt = "You look after certificates of hosts. Today is 2026-09-01."
    reading = ("get_cert", "get_team", "list_names", "get_freeze")
    traps = (
        "frozen",
        "wildcard",
        "otherteam",
        "busytwice",
        "rehearse",
        "listed",
        "public",
        "superseded",
        "noowner",
        "tooearly",
        "smallteam",
    )
    tools = (
        "get_cert",
        "get_team",
        "list_names",
        "get_freeze",
        "renew",
        "revoke",
        "add_names",
        "hand_over",
        "open_change",
        "page",
    )

    def get_cert(self, host: str) -> Result:
        """Look up the certificate of a host."""
        return "\n".join(f"{key}: {value}" for key, value in self.row("cert", host).items())

    def get_team(self, team: str) -> Result:
        """Look up a team."""
        return {"team": self.row("team", team)}

    def list_names(self, cert: str) -> Result:
        """Names in a certificate."""
        return self.row("sans", cert)

    def get_freeze(self, zone: str) -> Result:
        """Whether changes in a zone are frozen."""
        return zone in self.db.get("frozen", [])

    def renew(self, cert: str, days: int, dry_run: bool) -> Result:
        """Renew a certificate, or only rehearse it."""
        if self.db["busy"].get(cert, 0):
            self.db["busy"][cert] -= 1
            raise ToolException("429 busy, try again")
        return {"cert": cert, "days": days}

    def revoke(self, cert: str, reason: str) -> Result:
        """Revoke a certificate."""
        return {"cert": cert, "state": "revoked"}

    def add_names(self, cert: str, names: list[str]) -> Result:
        """Add names to a certificate."""
        return {"cert": cert, "added": len(names)}

    def hand_over(self, cert: str, team: str) -> Result:
        """Hand a certificate over to another team."""
        return "done"

    def open_change(self, cert: str, approver: str, what: str) -> Result:
        """Ask for a change to be approved."""
        return {"change": "open"}

    def page(self, team: str, text: str) -> Result:
        """Page a team."""
        return {"paged": True}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["renew", "renew", "both", "names", "revoke"])
        if trap in ("wildcard", "listed"):
            kind = "names"
        elif trap == "otherteam":
            kind = "revoke"
        elif trap in ("busytwice", "rehearse", "tooearly"):
            kind = "renew"
        elif trap == "smallteam":
            kind = "both"
        elif trap:
            kind = rng.choice(["renew", "both"])
        host, cert = f"{self.fresh(rng, 'h', 4)}.corp.example", self.fresh(rng, "CRT-", 6)
        team, other = self.fresh(rng, "team-", 3), self.fresh(rng, "team-", 3)
        zone = self.fresh(rng, "zone", 3)
        info: Record = {
            "host": host,
            "cert": cert,
            "zone": zone,
            "issuer": "internal",
            "state": rng.choice(["valid"] * 6 + ["revoked"]),
            "expires": f"2026-{rng.choice(['09', '09', '09', '11'])}-{rng.randrange(10, 30)}",
            "owner": team,
        }
        group: Record = {
            "name": team,
            "lead": self.person(rng),
            "tier": rng.choice(["1", "2", "3"]),
            "size": rng.randrange(3, 9),
        }
        second: Record = {**group, "name": other, "lead": self.person(rng), "size": 5}
        names = [f"{self.fresh(rng, 'n', 4)}.example" for _ in range(rng.randrange(1, 4))]
        busy = 1 if rng.random() < 0.2 else 0
        added = [f"{self.fresh(rng, 'n', 4)}.example" for _ in range(rng.choice([1, 2, 2, 3]))]
        asker = team
        extra = ""
        if rng.random() < 0.1 and not trap:
            self.db.setdefault("frozen", []).append(zone)
        if trap:
            info.update(state="valid", expires="2026-09-20")
            group["tier"], busy = "2", 0
        match trap:
            case "frozen":
                info["hold"] = "audit"
            case "wildcard":
                added[-1] = f"*.{added[-1]}"
            case "otherteam":
                asker = other
            case "busytwice":
                busy = 3
            case "rehearse":
                extra = " Rehearse it only."
            case "listed":
                added = [names[0]]
            case "public":
                info["issuer"] = "public"
            case "superseded":
                info["superseded_by"] = self.fresh(rng, "CRT-", 6)
            case "noowner":
                info["owner"] = "-"
            case "tooearly":
                info["expires"] = "2026-10-02"
            case "smallteam":
                second["size"] = 0
        self.put("cert", host, info)
        self.put("sans", cert, names)
        self.put("team", team, group)
        self.put("team", other, second)
        self.put("busy", cert, busy)
        reason = rng.choice(["key lost", "host gone", "wrong name"])
        wording = {
            "renew": [
                "Renew the certificate of {h}.",
                "{h} needs a new certificate.",
                "The certificate of {h} runs out, see to it.",
                "Please renew {h}.",
            ],
            "both": [
                "Renew {h} and hand it over to {o}.",
                "{o} takes over {h}; renew it as well.",
                "Hand {h} over to {o}, renewed.",
            ],
            "names": [
                "Add {n} to the certificate of {h}.",
                "{h} shall also answer to {n}.",
                "The certificate of {h} lacks {n}.",
            ],
            "revoke": [
                "Revoke {h} ({r}), says {a}.",
                "{a} wants {h} revoked: {r}.",
                "On behalf of {a}: revoke the certificate of {h}, {r}.",
            ],
        }[kind]
        text = rng.choice(wording).format(h=host, o=other, n=" and ".join(added), r=reason, a=asker)
        asked = SimpleNamespace(
            kind=kind,
            host=host,
            other=other,
            added=added,
            reason=reason,
            asker=asker,
            dry=bool(extra),
        )
        return text + extra, asked

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        host = asked.host
        told = yield ("get_cert", {"host": host})
        info = dict(line.split(": ") for line in told.split("\n"))
        cert = info["cert"]
        if info["state"] != "valid":
            return f"{cert} of {host} is {info['state']}."
        if info.get("hold"):
            return f"{cert} is kept as it is: {info['hold']}."
        if info.get("superseded_by"):
            return f"{host} uses {info['superseded_by']} by now."
        if info["owner"] == "-":
            yield ("page", {"team": "platform", "text": f"Who owns {host}?"})
            return f"Nobody owns {host}; platform is paged."
        if asked.kind == "revoke" and asked.asker != info["owner"]:
            return f"{host} belongs to {info['owner']}, not to {asked.asker}."
        team = (yield ("get_team", {"team": info["owner"]}))["team"]
        if asked.kind == "revoke":
            if team["tier"] == "1":
                yield (
                    "open_change",
                    {"cert": cert, "approver": team["lead"], "what": f"revoke: {asked.reason}"},
                )
                return f"{team['lead']} has to approve that {cert} is revoked."
            yield ("revoke", {"cert": cert, "reason": asked.reason})
            yield ("page", {"team": info["owner"], "text": f"{cert} of {host} is revoked."})
            return f"{cert} of {host} is revoked: {asked.reason}."
        if (yield ("get_freeze", {"zone": info["zone"]})):
            return f"{info['zone']} is frozen."
        if asked.kind == "names":
            if any(each.startswith("*") for each in asked.added):
                yield (
                    "open_change",
                    {"cert": cert, "approver": team["lead"], "what": "wildcard"},
                )
                return f"{team['lead']} has to approve the wildcard in {cert}."
            names = yield ("list_names", {"cert": cert})
            new = [each for each in asked.added if each not in names]
            if not new:
                return f"{cert} has {', '.join(asked.added)} already."
            yield ("add_names", {"cert": cert, "names": new})
            return f"{cert} also has {', '.join(new)}."
        if asked.kind == "both":
            second = (yield ("get_team", {"team": asked.other}))["team"]
            if second["size"] == 0:
                return f"{asked.other} has no members."
        if info["expires"] > "2026-10-01":
            if asked.kind == "both":
                yield ("hand_over", {"cert": cert, "team": asked.other})
                return f"{cert} goes to {second['lead']} as it is, valid until {info['expires']}."
            return f"{cert} is valid until {info['expires']}; that is long enough."
        if info["issuer"] != "internal":
            yield (
                "open_change",
                {"cert": cert, "approver": team["lead"], "what": "buy a renewal"},
            )
            return f"{team['lead']} has to buy a renewal of {cert}."
        call = ("renew", {"cert": cert, "days": 90, "dry_run": asked.dry})
        done = yield call
        if isinstance(done, str):
            done = yield call
        if isinstance(done, str):
            yield ("page", {"team": "platform", "text": f"{cert} cannot be renewed."})
            return f"{cert} cannot be renewed now; platform is paged."
        if asked.kind == "both":
            yield ("hand_over", {"cert": cert, "team": asked.other})
            return f"{cert} is renewed for 90 days and goes to {second['lead']}."
        return f"{cert} {'could be' if asked.dry else 'is'} renewed for 90 days."
