"""A week of a team that reviews what its agent learns: prints every command and what it answers.

The text between the marks of docs/review.md is made by this script:

    python scripts/review_walkthrough.py            # print it
    python scripts/review_walkthrough.py --write    # put it into docs/review.md
    python scripts/review_walkthrough.py --check    # end with code 1 if the page says otherwise

Everything happens in a temporary folder; dates and hashes of commits are fixed or cut.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

from click.testing import CliRunner
from macla.cli.main import cli
from macla.evals.alfworld.expert import demonstrate
from macla.evals.alfworld.generator import generate_games
from macla.procedures.episodes.trajectories import write_trajectories
from macla.procedures.evidence.ledger import Ledger, Outcome, OutcomeKind

PAGE = Path(__file__).resolve().parent.parent / "docs" / "review.md"
BEGIN, END = "<!-- walkthrough: begin -->", "<!-- walkthrough: end -->"
MOST = 28
"""Lines shown of one answer; 0 shows the command alone."""


class Week:
    """Runs commands as people of a team and keeps what they answer."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def say(self, text: str) -> None:
        self.parts.append(text)

    def run(self, command: str, *, who: str = "Ada", show: bool = True, most: int = MOST) -> str:
        mail = f"{who.lower()}@example.org"
        environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("GIT_")},
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_NAME": who,
            "GIT_AUTHOR_EMAIL": mail,
            "GIT_COMMITTER_NAME": who,
            "GIT_COMMITTER_EMAIL": mail,
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "100",
        }
        text, code = "", 0
        with mock.patch.dict(os.environ, environment, clear=True):
            for each in command.split(" && "):
                more, code = answered(each)
                text += more
                if code:
                    break
        if show:
            self.parts.append(f"```console\n$ {command}\n{shortened(text, most)}```\n")
        if code > 1:
            raise SystemExit(f"{command}: {text}")
        return text


def answered(command: str) -> tuple[str, int]:
    """Run a command; return what it says and how it ends.

    A command of macla's own runs in this process, as starting it takes longer than most work.
    """
    lexer = shlex.shlex(command, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = list(lexer)
    if words[0] == "macla" and not {"|", ">"} & set(words):
        done = CliRunner().invoke(cli, words[1:])
        return done.output, done.exit_code
    shell = subprocess.run(
        command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return shell.stdout, shell.returncode


def shortened(text: str, most: int) -> str:
    text = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d", "2026-11-20T09:00:00+00:00", text)
    text = re.sub(r"\b\d{4}-\d\d-\d\d\b(?!T)", "2026-11-20", text)
    text = re.sub(r"\b[0-9a-f]{10}\b", "…", re.sub(r"\b[0-9a-f]{40}\b", "…", text))
    lines = [line.rstrip() for line in text.splitlines()]
    if most and len(lines) > most:
        lines = [*lines[:most], f"… ({len(lines) - most} more lines)"]
    return "".join(f"{line}\n" for line in lines) if most else ""


def week(folder: Path) -> str:
    games = [demonstrate(game.game()) for game in generate_games(24, seed=3)]
    write_trajectories(folder / "house.jsonl", games[:6])
    days = Week()
    run, say = days.run, days.say
    run("git init -q -b main", show=False)
    run("printf '*.jsonl\\n' > .gitignore && git add . && git commit -q -m Start", show=False)

    say("Six recorded episodes and an empty repository. Each learned change waits on a branch.\n")
    run("macla learn house.jsonl --library lib --policy review", most=0)
    run("macla proposals show lib new-take-from")
    run("macla proposals accept lib --all", most=0)
    write_trajectories(folder / "house.jsonl", games)

    say(
        "Eighteen more episodes arrive, some with closed doors. Two procedures change "
        "for one cause, in one proposal.\n"
    )
    run("macla learn house.jsonl --library lib", show=False)
    run(
        "git diff -U0 main...macla/refine/take-from-v2 -- lib/procedures/take-from.yaml "
        "| grep '^[-+][ v]'"
    )
    run(
        "macla proposals accept lib refine-take-from && macla proposals accept lib ontology",
        most=0,
    )

    say("A rule accepts plain cases; a person rejects another.\n")
    run('macla proposals accept lib --all --where "replay.gain > 0 and lower_bound > 0.4"', most=0)
    run("macla proposals reject lib meta-look-at-under-the --why 'Too few'", show=False)

    say("In use, the new version fails more often: 6 of 9 times, the old one 1 of 18.\n")
    with Ledger.open(folder / "lib" / ".macla" / "evidence.db") as ledger:
        ledger.record(
            Outcome(run, 0, "procedure", "take-from", version, kind, good, bad, "2026-11-20")
            for run, version, kind, good, bad in (
                ("mon", 1, OutcomeKind.SUCCESS, 17.0, 1.0),
                ("thu", 2, OutcomeKind.SUCCESS, 3.0, 6.0),
            )
        )
    run("macla proposals suggest lib && macla proposals accept lib rollback-take-from")
    return "\n".join(days.parts)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        before = Path.cwd()
        os.chdir(folder)
        text = week(Path(folder)).replace(folder, ".")
        os.chdir(before)
    page = PAGE.read_text(encoding="utf-8")
    head, rest = page.split(BEGIN)
    written = f"{head}{BEGIN}\n\n{text}\n{END}{rest.split(END)[1]}"
    if "--write" in sys.argv:
        PAGE.write_text(written, encoding="utf-8")
    elif "--check" not in sys.argv:
        print(text)
    elif written != page:
        raise SystemExit(
            f"{PAGE}: not up to date; run python scripts/review_walkthrough.py --write"
        )


if __name__ == "__main__":
    main()
