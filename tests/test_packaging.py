"""What is shipped, and what may stand where."""

from __future__ import annotations

import re
import sys
from importlib.metadata import distribution, version
from pathlib import Path

import macla
import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

ROOT = Path(macla.__file__).parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
NOT_SHIPPED = {"tests", "scripts", "docs", "examples", "build", "dist", "evals/bench"}

WORDS = re.compile(
    r"lettuce|countertop|microwave|sinkbasin|desklamp|fridge|garbagecan|drawer|mug\b|webshop"
    r"|buy now|itinerar|accommodation|spider",
    re.IGNORECASE,
)
"""Words of benchmarks, which the core must not know."""


def package_folders() -> set[str]:
    """Every folder with Python files, as a package's name."""
    found = set()
    for file in ROOT.rglob("*.py"):
        folder = file.relative_to(ROOT).parent
        above = {part.as_posix() for part in (folder, *folder.parents)}
        if above.isdisjoint(NOT_SHIPPED) and not any(p.startswith(".") for p in folder.parts):
            found.add(".".join(("macla", *folder.parts)))
    return found


def test_every_package_folder_is_listed():
    assert set(PYPROJECT["tool"]["setuptools"]["packages"]) == package_folders()


def test_every_package_has_an_init_file():
    for name in package_folders():
        assert (ROOT.joinpath(*name.split(".")[1:]) / "__init__.py").is_file(), name


def test_every_data_file_is_declared():
    declared = PYPROJECT["tool"]["setuptools"]["package-data"]
    shipped = set()
    for package, patterns in declared.items():
        folder = ROOT.joinpath(*package.split(".")[1:])
        for pattern in patterns:
            files = set(folder.glob(pattern))
            assert files, f"{package}: nothing fits {pattern!r}"
            shipped |= files
    for name in package_folders() - {"macla"}:
        folder = ROOT.joinpath(*name.split(".")[1:])
        for file in folder.rglob("*"):
            hidden = any(part.startswith(".") for part in file.relative_to(ROOT).parts)
            if file.is_file() and not hidden and file.suffix not in (".py", ".pyc"):
                assert file in shipped, f"{file.relative_to(ROOT)} is in no wheel"


def test_it_is_typed():
    assert (ROOT / "py.typed").is_file()


def test_one_version():
    assert PYPROJECT["project"]["version"] == version("macla")
    assert getattr(macla, "__version__", version("macla")) == version("macla")


def test_the_command_is_there():
    commands = {
        e.name: e for e in distribution("macla").entry_points if e.group == "console_scripts"
    }
    assert callable(commands["macla"].load())


def test_every_layer_is_under_the_import_contract():
    (layers,) = (
        contract["layers"]
        for contract in PYPROJECT["tool"]["importlinter"]["contracts"]
        if contract["name"] == "Imports go one way"
    )
    top = {".".join(name.split(".")[:2]) for name in package_folders()} - {"macla"}
    assert set(layers) == top


@pytest.mark.parametrize("folder", ["procedures", "graph"])
def test_the_core_knows_no_benchmark(folder):
    """A word in a docstring's example does no harm; elsewhere it would be knowledge."""
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for number, line in enumerate(code_of(file.read_text("utf-8")), 1)
        if WORDS.search(line)
    ]
    assert found == []


def code_of(text: str) -> list[str]:
    """The lines of a file, docstrings blanked."""
    return re.sub(r'"""(?:.|\n)*?"""', lambda m: "\n" * m.group().count("\n"), text).split("\n")
