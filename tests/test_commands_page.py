"""The docs name every command, and no command has many options or takes a thing twice."""

from __future__ import annotations

import runpy
from pathlib import Path

from macla.cli.main import VERBS

ROOT = Path(__file__).parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "commands_page.py"))


def test_the_page_is_what_the_program_has() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert page == SCRIPT["surface"](), "python scripts/commands_page.py --write"


def test_the_page_has_every_verb() -> None:
    names = [name for names in SCRIPT["AIMS"].values() for name in names]
    assert sorted(names) == sorted(VERBS)


def test_commands_are_small() -> None:
    commands = dict(SCRIPT["all_commands"]())
    assert len(VERBS) < 20
    assert len(commands) > 30
    for name, command in commands.items():
        assert len(set(SCRIPT["options_of"](command)) - {"--json"}) <= 11, name
