"""The house: no file stands in the hall, each room says what it is for, one name is one thing."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import macla
import pytest

ROOT = Path(macla.__file__).parent
ROOMS = sorted(
    file.parent
    for top in ("procedures", "adapters/teaching", "adapters/proving")
    for file in (ROOT / top).rglob("__init__.py")
)


def test_no_file_lies_flat() -> None:
    flat = {file.name for file in (ROOT / "procedures").glob("*.py")}
    assert flat == {"__init__.py"}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.relative_to(ROOT).as_posix())
def test_each_room_says_what_it_is_for_and_where_to_begin(room: Path) -> None:
    about = ast.get_docstring(ast.parse((room / "__init__.py").read_text("utf-8")))
    assert about, f"{room} has no docstring"
    assert "Begin with :mod:`" in about, f"{room} names no file to begin with"


def test_no_two_files_have_one_name() -> None:
    named = defaultdict(list)
    for top in ("procedures", "graph", "adapters", "cli", "evals"):
        for file in sorted((ROOT / top).rglob("*.py")):
            path = file.relative_to(ROOT)
            if path.name.startswith("__") or (top == "evals" and len(path.parts) > 2):
                continue  # each benchmark and each study has an environment, a suite, a report
            named[path.name].append(path.as_posix())
    assert {name: paths for name, paths in named.items() if len(paths) > 1} == {}


WORDS = re.findall(
    r"\*\*([\w -]+)\*\*",
    "".join(re.findall(r"^- (.*?): ", (ROOT / "docs" / "glossary.md").read_text("utf-8"), re.M)),
)


def test_a_word_of_the_glossary_names_one_class() -> None:
    files = defaultdict(list)
    for top in ("procedures", "graph", "adapters", "cli"):
        for file in sorted((ROOT / top).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef):
                    files[node.name.strip("_")].append(file.relative_to(ROOT).as_posix())
    assert len(WORDS) > 30
    names = {"".join(part.capitalize() for part in re.split("[ -]", word)) for word in WORDS}
    assert {name: files[name] for name in sorted(names) if len(files[name]) > 1} == {}
