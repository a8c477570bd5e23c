"""What a study found, as JSON, as Markdown and as a page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...procedures.yaml_io import atomic_write
from ..figures import Section, markdown
from ..report_page import render_report

__all__ = ["write_study"]


def write_study(
    folder: Path, name: str, sections: Sequence[Section], facts: Mapping[str, str]
) -> None:
    """Write ``NAME.json``, which ``macla report`` reads, ``NAME.md`` and ``NAME.html``.

    Args:
        folder: Where to.
        name: Of the study.
        sections: What it found.
        facts: What else belongs into the JSON: what was played.
    """
    document = {"kind": "study", "study": name, **facts}
    document["sections"] = [section.to_document() for section in sections]
    for ending, text in (
        ("json", json.dumps(document, indent=1, ensure_ascii=False)),
        ("md", "\n".join(map(markdown, sections))),
        ("html", render_report(f"Study: {name}", sections)),
    ):
        atomic_write(folder / f"{name}.{ending}", text.encode())
