"""Folders shared, enlarged and restored, as far as who asks may do it."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace

from ..trade import Policy, Record, Result
from .desk import Desk

__all__ = ["Folders"]


class Folders(Desk):
    """Folders shared, enlarged and restored, as far as who asks may do it."""

    name = "folders"
    prompt = "You administer shared folders. Only owners and admins of a folder decide."
    reading = ("get_folder", "get_user", "list_versions", "get_usage", "get_project")
    traps = (
        "editor",
        "legalhold",
        "terabytes",
        "exactquota",
        "external",
        "hasmore",
        "nofile",
        "deletedfolder",
        "twousers",
        "untilfriday",
        "inherited",
    )
    tools = (
        "get_folder",
        "get_user",
        "list_versions",
        "get_usage",
        "get_project",
        "share",
        "set_quota",
        "restore",
        "request_consent",
        "open_ticket",
    )

    def get_folder(self, path: str) -> Result:
        """Look up a folder."""
        return self.row("folder", path)

    def get_user(self, login: str) -> Result:
        """Users of a login."""
        return self.row("user", login)

    def list_versions(self, path: str, file: str) -> Result:
        """Versions of a file, in no order."""
        return {"file": file, "versions": self.row("versions", path).get(file, [])}

    def get_usage(self, path: str) -> Result:
        """How full a folder is."""
        return self.row("usage", path)

    def get_project(self, project: str) -> Result:
        """Look up a project."""
        return self.row("project", project)

    def share(self, path: str, login: str, level: str, notify: bool) -> Result:
        """Share a folder with a user."""
        return {"members": 4}

    def set_quota(self, path: str, gigabytes: int) -> Result:
        """Set the quota of a folder."""
        return {"quota": f"{gigabytes} GB"}

    def restore(self, path: str, file: str, version: int) -> Result:
        """Restore a version of a file."""
        return {"restored": version}

    def request_consent(self, owner: str, path: str, what: str) -> Result:
        """Ask an owner for consent."""
        return "requested"

    def open_ticket(self, queue: str, subject: str) -> Result:
        """Open a ticket."""
        return {"ticket": 7}

    def task(self, rng: Random, trap: str | None) -> tuple[str, SimpleNamespace]:
        """Text of a task, and what it asks for."""
        kind = rng.choice(["share", "share", "quota", "restore"])
        if trap in ("external", "hasmore", "twousers", "untilfriday"):
            kind = "share"
        elif trap in ("terabytes", "exactquota"):
            kind = "quota"
        elif trap == "nofile":
            kind = "restore"
        path, project = f"/p/{self.fresh(rng, 'f', 5)}", self.fresh(rng, "pr", 4)
        asker, login = self.fresh(rng, "u", 5), self.fresh(rng, "u", 5)
        owner = asker if rng.random() < 0.6 else self.fresh(rng, "u", 5)
        role = "owner" if owner == asker else rng.choice(["admin", "admin", "viewer"])
        level = rng.choice(["read", "write"])
        quota = rng.choice([50, 100, 200])
        row: Record = {
            "path": path,
            "project": project,
            "members": {owner: "owner", asker: role},
            "quota_gb": str(quota),
            "deleted": False,
        }
        user: Record = {"login": login, "name": self.person(rng), "external": False}
        users = [user] if rng.random() < 0.88 or trap else []
        new = quota + rng.choice([20, 50, 100, 400])
        budget: Record = {"project": project, "free_gb": rng.choice([60, 120, 300]), "cost": "C1"}
        file = f"{self.fresh(rng, 'doc', 4)}.txt"
        versions: list[Record] = [
            {"version": number, "by": rng.choice([asker, login]), "intact": number != 2}
            for number in range(1, rng.randrange(3, 6))
        ]
        if rng.random() < 0.25:
            versions[-2]["intact"] = False
        extra, said = "", f"{new} GB"
        if trap:
            row["members"] = {owner: "owner", asker: "owner" if owner == asker else "admin"}
            new, budget["free_gb"] = quota + 20, 300
            said = f"{new} GB"
        match trap:
            case "editor":
                row["members"] = {self.fresh(rng, "u", 5): "owner", asker: "editor"}
            case "legalhold":
                row["legal_hold"] = self.fresh(rng, "case", 3)
            case "terabytes":
                new, said = 1000, "1 TB"
            case "exactquota":
                budget["free_gb"] = 20
            case "external":
                user["external"] = True
            case "hasmore":
                level = "read"
                row["members"][login] = "write"
            case "nofile":
                versions = []
            case "deletedfolder":
                row["deleted"] = True
            case "twousers":
                users = [user, {**user, "name": self.person(rng), "external": True}]
            case "untilfriday":
                extra = " Only until Friday."
            case "inherited":
                row["members"] = {owner: "owner", "everyone": "admin"}
        rng.shuffle(versions)
        self.put("folder", path, row)
        self.put("user", login, users)
        self.put("versions", path, {file: versions})
        self.put("usage", path, {"path": path, "used": f"{quota - rng.randrange(1, 9)} GB"})
        self.put("project", project, budget)
        wording = {
            "share": [
                "{a} asks: share {p} with {l} ({v}).",
                "{a} wants {l} to {v} {p}.",
                "Give {l} the right to {v} in {p}, says {a}.",
                "For {a}: {l} needs to {v} {p}.",
            ],
            "quota": [
                "{a} asks for {q} in {p}.",
                "{a} needs {p} to have {q}.",
                "Raise {p} to {q} for {a}.",
            ],
            "restore": [
                "{a} wants {f} in {p} as it was before.",
                "For {a}: bring back the previous {f} in {p}.",
                "Restore {f} in {p}, asks {a}.",
            ],
        }[kind]
        text = rng.choice(wording).format(a=asker, p=path, l=login, v=level, q=said, f=file)
        return text + extra, SimpleNamespace(
            kind=kind,
            asker=asker,
            path=path,
            login=login,
            level=level,
            new=new,
            file=file,
            until=bool(extra),
        )

    def policy(self, asked: SimpleNamespace) -> Policy:
        """Calls of somebody who knows the trade, then the answer."""
        path = asked.path
        row = yield ("get_folder", {"path": path})
        if row["deleted"]:
            return f"{path} is deleted."
        if row.get("legal_hold"):
            yield (
                "open_ticket",
                {"queue": "legal", "subject": f"{path}, {row['legal_hold']}"},
            )
            return f"{path} is on legal hold ({row['legal_hold']})."
        members = row["members"]
        owner = next(login for login, level in members.items() if level == "owner")
        if members.get(asked.asker) not in ("owner", "admin"):
            yield ("request_consent", {"owner": owner, "path": path, "what": asked.kind})
            return f"{owner} is asked, as {asked.asker} may not decide on {path}."
        if asked.kind == "restore":
            told = yield ("list_versions", {"path": path, "file": asked.file})
            versions = sorted(told["versions"], key=lambda each: -each["version"])
            intact = [each for each in versions[1:] if each["intact"]]
            if not intact:
                return f"There is no previous {asked.file}."
            version = intact[0]["version"]
            yield ("restore", {"path": path, "file": asked.file, "version": version})
            return f"{asked.file} is version {version} again, by {intact[0]['by']}."
        if asked.kind == "quota":
            usage, project = yield [
                ("get_usage", {"path": path}),
                ("get_project", {"project": row["project"]}),
            ]
            more = asked.new - int(row["quota_gb"])
            if more > project["free_gb"]:
                yield (
                    "open_ticket",
                    {"queue": "storage", "subject": f"{more} GB for {row['project']}"},
                )
                return f"{row['project']} has only {project['free_gb']} GB left."
            yield ("set_quota", {"path": path, "gigabytes": asked.new})
            return f"{path} has {asked.new} GB now, {usage['used']} are used."
        if asked.until:
            return f"Shares of {path} cannot end by themselves."
        users = yield ("get_user", {"login": asked.login})
        if len(users) != 1:
            return f"{asked.login} fits {len(users)} users."
        if members.get(asked.login) in ("write", "admin", "owner"):
            return f"{users[0]['name']} may {members[asked.login]} {path} already."
        if users[0]["external"] and asked.asker != owner:
            yield ("request_consent", {"owner": owner, "path": path, "what": "external"})
            return f"{owner} is asked about {users[0]['name']} from outside."
        yield (
            "share",
            {
                "path": path,
                "login": asked.login,
                "level": asked.level,
                "notify": not users[0]["external"],
            },
        )
        return f"{users[0]['name']} may {asked.level} {path}."
