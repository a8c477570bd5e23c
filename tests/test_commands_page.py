"""The docs show the whole surface of the command line, and no command takes a thing twice."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parent.parent
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "commands_page.py"))


def test_the_page_is_what_the_program_has() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert page == SCRIPT["surface"](), "python scripts/commands_page.py --write"


def test_commands_are_small() -> None:
    for section in SCRIPT["surface"]().split("\n## ")[1:]:
        head, *rest = section.splitlines()
        lines = [line for line in rest if line.startswith("`--") and "`: " not in line]
        assert sum(len(line.split(", ")) for line in lines) <= 11, head  # and --json
