"""Print the section of CHANGELOG.md that a tag stands for; fail where tag and version differ.

Usage: release_notes.py vX.Y.Z
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_VERSION = re.compile(r'^version = "([^"]+)"$', re.M)
_HEAD = r"^## \[{}\] - \d{{4}}-\d\d-\d\d$"


def section(changelog: str, version: str) -> str:
    """Return what stands under the heading of a version; empty where there is none."""
    head = re.search(_HEAD.format(re.escape(version)), changelog, re.M)
    if head is None:
        return ""
    return changelog[head.end() :].partition("\n## ")[0].strip()


def main(tag: str) -> int:
    """Return 0 where the tag, the version and CHANGELOG.md agree."""
    version = _VERSION.findall((ROOT / "pyproject.toml").read_text("utf-8"))[0]
    if tag != f"v{version}":
        print(f"the tag {tag} is not v{version}, pyproject.toml's version", file=sys.stderr)
        return 1
    notes = section((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
    if not notes:
        print(f"CHANGELOG.md has no section for {version} with a date", file=sys.stderr)
        return 1
    print(notes)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
