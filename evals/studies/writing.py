"""What a study found, as JSON, as Markdown and as a page."""

from __future__ import annotations

import json
import os
import platform
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...procedures.documents.yaml_io import atomic_write
from ..reports.figures import Section, markdown
from ..reports.report_page import render_report

__all__ = ["write_study"]


def write_study(
    folder: Path,
    name: str,
    sections: Sequence[Section],
    command: Sequence[str],
    facts: Mapping[str, str],
) -> None:
    """Write ``NAME.json``, which :mod:`macla.evals.reports` reads, ``NAME.md`` and ``NAME.html``.

    Args:
        folder: Where to.
        name: Of the study.
        sections: What it found.
        command: The command that was given, word by word; where it writes to and how many cells
            are done at a time is left out.
        facts: What else belongs into the JSON: what was played.
    """
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    document: dict[str, Any] = {"kind": "study", "study": name, **facts}
    document |= {"command": _said(command), "machine": machine}
    document["sections"] = [section.to_document() for section in sections]
    for ending, text in (
        ("json", json.dumps(document, indent=1, ensure_ascii=False)),
        ("md", "\n".join(map(markdown, sections))),
        ("html", render_report(f"Study: {name}", sections)),
    ):
        atomic_write(folder / f"{name}.{ending}", text.encode())


def _said(command: Sequence[str]) -> str:
    """Return a command as it is typed, without what says nothing of what was done."""
    words = list(command)
    for option in ("--out", "--jobs"):
        if option in words:
            at = words.index(option)
            del words[at : at + 2]
    return shlex.join(words)
