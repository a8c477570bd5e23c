"""Trades of software: reviewed changes merged, and deployments rolled back."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from langchain_core.tools import ToolException

from ..trade import Policy, Record, Result, Trade

__all__ = ["Merges", "Rollbacks"]


class Merges(Trade):
    """Changes merged; each reviewer's newest word counts, and only for the newest commit."""

    name = "merges"
    prompt = "You merge reviewed changes."
    reading = ("get_change", "list_reviews", "get_checks")
    traps = (
        "stale",
        "selfreview",
        "tookback",
        "frozenbase",
        "hold",
        "optional",
        "nochecks",
        "rebase",
        "fork",
        "skipped",
        "dependson",
    )
    tools = ("get_change", "list_reviews", "get_checks", "merge", "comment", "set_label")

    def get_change(self, number: str) -> Result:
        """Look up a change."""
        return self.db["ch"][number]

    def list_reviews(self, number: str) -> Result:
        """Reviews of a change, in no order."""
        return self.db["re"][number]

    def get_checks(self, commit: str) -> Result:
        """Checks of a commit, one a line."""
        return self.db["ck"][commit]

    def merge(self, number: str, how: str) -> Result:
        """Merge a change."""
        return {"merged": True}

    def comment(self, number: str, text: str) -> Result:
        """Comment on a change."""
        return {"commented": True}

    def set_label(self, number: str, label: str) -> Result:
        """Label a change."""
        return {"labels": [label]}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        number, commit = self.fresh(rng, "!", 4), self.fresh(rng, "c", 7)
        author = rng.choice(["ada", "bo", "cy", "di"])
        base = rng.choice(["main", "develop", "develop"])
        change: Record = {
            "number": number,
            "author": author,
            "base": base,
            "head": {"commit": commit, "repo": "core"},
            "draft": rng.random() < 0.1,
            "files": rng.choice(
                [rng.randrange(1, 30), rng.randrange(1, 30), rng.randrange(60, 90)]
            ),
            "labels": rng.choice([[], [], ["bug"], ["feature", "ui"]]),
        }
        others = ["ed", "flo", "gil", "hu"]
        rng.shuffle(others)
        reviews: list[Record] = [
            {"by": each, "state": "approved", "commit": commit, "at": f"2026-05-{10 + i}"}
            for i, each in enumerate(others[: rng.choice([1, 2, 2, 3])])
        ]
        if rng.random() < 0.3:
            reviews.append({**reviews[0], "state": "changes requested", "at": "2026-05-02"})
        if rng.random() < 0.12:
            reviews = []
        checks = dict.fromkeys(["build", "tests", "lint"], "passed")
        if rng.random() < 0.2:
            checks[rng.choice(["build", "tests", "lint"])] = rng.choice(["failed", "running"])
        wish = None
        rng.shuffle(reviews)
        if trap:
            change["draft"] = False
            checks = dict.fromkeys(["build", "tests", "lint"], "passed")
            reviews = [
                {"by": each, "state": "approved", "commit": commit, "at": f"2026-05-{10 + i}"}
                for i, each in enumerate(others[:2])
            ]
            change["base"] = "main"
        match trap:
            case "stale":
                reviews[0]["commit"] = self.fresh(rng, "c", 7)
            case "selfreview":
                reviews[0]["by"] = author
            case "tookback":
                reviews.append({**reviews[0], "state": "changes requested", "at": "2026-05-20"})
            case "frozenbase":
                change["base"] = "release"
            case "hold":
                change["labels"] = ["bug", "hold"]
            case "optional":
                checks["coverage (optional)"] = "failed"
            case "nochecks":
                checks = {}
            case "rebase":
                wish = "rebase"
            case "fork":
                change["head"]["repo"] = "fork"
            case "skipped":
                checks["tests"] = "skipped"
            case "dependson":
                change["depends_on"] = [self.fresh(rng, "!", 4)]
        self.db.setdefault("ch", {})[number] = change
        self.db.setdefault("re", {})[number] = reviews
        self.db.setdefault("ck", {})[commit] = (
            "\n".join(f"{name}: {state}" for name, state in checks.items()) or "no checks"
        )
        text = rng.choice(
            ["Merge {n}.", "Can {n} go in? If so, merge it.", "Please merge {n} if it is ready."]
        ).format(n=number)
        if wish:
            text += " Rebase it, do not squash."
        return text, SimpleNamespace(number=number, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        number = asked.number
        change = yield ("get_change", {"number": number})
        if change["draft"]:
            return f"{number} is a draft."
        if "hold" in change["labels"] or change["base"] == "release":
            return f"{number} is on hold."
        if change.get("depends_on"):
            return f"{number} waits for {', '.join(change['depends_on'])}."
        if change["head"]["repo"] != "core":
            yield ("set_label", {"number": number, "label": "from outside"})
            return f"{number} comes from outside; a maintainer looks at it."
        commit = change["head"]["commit"]
        told = yield ("get_checks", {"commit": commit})
        if told == "no checks":
            return f"{number} has no checks."
        checks = dict(line.split(": ") for line in told.split("\n"))
        failed = [
            name for name, state in checks.items() if state == "failed" and "optional" not in name
        ]
        if failed:
            yield ("comment", {"number": number, "text": f"Failed: {', '.join(failed)}."})
            return f"{number} fails: {', '.join(failed)}."
        if any(state in ("running", "skipped") for state in checks.values()):
            return f"The checks of {number} are not complete."
        reviews = yield ("list_reviews", {"number": number})
        newest = {each["by"]: each for each in sorted(reviews, key=lambda each: each["at"])}
        if any(each["state"] == "changes requested" for each in newest.values()):
            return f"Changes to {number} are requested."
        good = [
            name
            for name, each in newest.items()
            if each["commit"] == commit and name != change["author"]
        ]
        needed = 2 if change["base"] == "main" else 1
        if len(good) < needed:
            yield ("set_label", {"number": number, "label": "needs review"})
            return f"{number} has {len(good)} of {needed} approvals."
        how = asked.wish or ("merge" if change["files"] > 50 else "squash")
        yield ("merge", {"number": number, "how": how})
        return f"{number} is merged into {change['base']} ({how})."


class Rollbacks(Trade):
    """Deployments rolled back to the newest good one; tools fail at times."""

    name = "rollbacks"
    prompt = "You roll back bad deployments."
    reading = ("get_service", "list_deployments", "is_frozen")
    traps = (
        "pinned",
        "rolling",
        "unlisted",
        "canary",
        "lookalike",
        "onlytell",
        "paused",
        "equalrate",
        "frozen",
        "down",
    )
    tools = ("get_service", "list_deployments", "is_frozen", "roll_back", "page", "note")

    def get_service(self, service: str) -> Result:
        """Look up a service and its error rates."""
        if self.db["fail"].get(service, 0):
            self.db["fail"][service] -= 1
            raise ToolException("timeout: try again")
        return self.db["sv"][service]

    def list_deployments(self, service: str) -> Result:
        """Deployments of a service, in no order."""
        return {"deployments": self.db["dp"][service]}

    def is_frozen(self, service: str) -> Result:
        """Whether deployments are frozen."""
        return self.db["fz"][service]

    def roll_back(self, service: str, version: str) -> Result:
        """Roll back to a version."""
        return {"service": service, "running": version}

    def page(self, team: str, text: str) -> Result:
        """Page a team."""
        return {"paged": team}

    def note(self, service: str, text: str) -> Result:
        """Leave a note."""
        return "noted"

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        service, team = (
            f"{rng.choice(['api', 'web', 'job'])}-{self.fresh(rng, '', 4)}",
            "team-" + (self.fresh(rng, "", 4)),
        )
        number, normal = rng.randrange(3, 40), rng.randrange(1, 9)
        deployments: list[Record] = [
            {
                "version": f"v{number - back}",
                "day": number - back,
                "good": back > 0 and rng.random() < 0.75,
                "migration": rng.random() < 0.15,
            }
            for back in range(min(number, rng.randrange(2, 5)))
        ]
        rate = normal * rng.choice([1, 3, 4, 5]) + 1
        info: Record = {
            "service": service,
            "team": team,
            "tier": rng.choice([1, 2, 2, 3]),
            "running": f"v{number}",
            "errors": {"now": rate, "normal": normal},
        }
        frozen: Record = {"frozen": False, "until": None}
        if rng.random() < 0.1:
            frozen = {"frozen": True, "until": "Monday"}
        fails = 1 if rng.random() < 0.2 else 0
        wish = None
        if trap:
            info["errors"] = {"now": normal * 4, "normal": normal}
            deployments[0]["migration"] = False
            deployments[1]["good"] = True
            frozen, fails = {"frozen": False, "until": None}, 0
        newest = deployments[0]
        match trap:
            case "pinned":
                deployments[1]["pinned_by"] = "legal"
            case "rolling":
                info["rolling_out"] = f"v{number + 1}"
            case "unlisted":
                info["running"] = f"v{number + 1}"
            case "canary":
                info["errors"]["canary"] = normal
                info["kind"] = "canary"
            case "lookalike":
                info["running"] = newest["version"] = f"v{number}.10"
                deployments[1]["version"] = f"v{number}.1"
            case "onlytell":
                wish = 1
            case "paused":
                info["state"] = "paused"
            case "equalrate":
                info["errors"] = {"now": normal * 2, "normal": normal}
            case "frozen":
                frozen = {"frozen": True, "until": None}
            case "down":
                fails = 5
        rng.shuffle(deployments)
        self.db.setdefault("sv", {})[service] = info
        self.db.setdefault("dp", {})[service] = deployments
        self.db.setdefault("fz", {})[service] = frozen
        self.db.setdefault("fail", {})[service] = fails
        text = rng.choice(
            ["{s} is acting up.", "Roll back {s} if needed.", "Errors in {s}: do something."]
        ).format(s=service)
        if wish:
            text += " Only tell me to which version."
        return text, SimpleNamespace(service=service, wish=wish)

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        name = asked.service
        info = yield ("get_service", {"service": name})
        if isinstance(info, str):
            info = yield ("get_service", {"service": name})
        if isinstance(info, str):
            yield ("page", {"team": "platform", "text": f"{name} cannot be looked up."})
            return f"{name} cannot be looked up; the platform team is paged."
        if info.get("state") == "paused" or info.get("kind") == "canary":
            return f"{name} serves nobody; let it be."
        if info["errors"]["now"] <= 2 * info["errors"]["normal"]:
            return f"{name} is fine."
        if info.get("rolling_out"):
            return f"{info['rolling_out']} of {name} is being rolled out."
        told = (yield ("list_deployments", {"service": name}))["deployments"]
        running = [each for each in told if each["version"] == info["running"]]
        if not running:
            yield ("page", {"team": info["team"], "text": f"Who deployed {info['running']}?"})
            return f"Nobody deployed {info['running']} of {name}."
        if running[0]["migration"]:
            yield ("page", {"team": "databases", "text": f"{name} has a migration."})
            return f"{info['running']} of {name} has a migration; the databases team is paged."
        good = [
            each
            for each in told
            if each["good"] and each["day"] < running[0]["day"] and not each.get("pinned_by")
        ]
        if not good:
            yield ("page", {"team": info["team"], "text": f"No good version of {name}."})
            return f"There is no good version of {name}."
        version = max(good, key=lambda each: each["day"])["version"]
        if asked.wish:
            return f"{name} could go back to {version}."
        frozen = yield ("is_frozen", {"service": name})
        if frozen["frozen"] and info["tier"] > 1:
            until = f" until {frozen['until']}" if frozen["until"] else ""
            return f"{name} is frozen{until}."
        yield ("roll_back", {"service": name, "version": version})
        if info["tier"] == 1:
            yield ("page", {"team": info["team"], "text": f"{name} is back at {version}."})
        yield ("note", {"service": name, "text": f"{info['running']} to {version}"})
        return f"{name} is back at {version}."
