"""docs/method.md names nothing that does not exist, and no default that is another."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml
from macla.cli.main import cli
from macla.procedures.method.settings import Method, unread_settings
from macla.schemas import first_misfit, load_schema

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "method.md").read_text(encoding="utf-8")
SPANS = sorted(set(re.findall(r"`([^`\n]+)`", PAGE)))
NAMED = [span for span in SPANS if re.match(r"[\w/]+\.py(:|$)", span)]
CODE = [span for span in NAMED if not span.startswith("tests/")]
TESTS = [span for span in NAMED if span.startswith("tests/")]
COMMANDS = [span for span in SPANS if re.match(r"macla \w+ --", span)]
SETTINGS = [span for span in SPANS if span.startswith("settings.")]
ROWS = re.findall(r"^- (.+?): (`.+); (`tests/.+)$", PAGE, re.M)


def names_in(file: Path) -> set[str]:
    """Names of the functions and classes at the top of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return {node.name for node in tree.body if isinstance(node, kinds)}


def found(module: Any, dotted: str) -> Any:
    """Return what a dotted name stands for; of a field of a dataclass, its default."""
    value = module
    for name in dotted.split("."):
        fields = getattr(value, "__dataclass_fields__", {})
        value = fields[name].default if name in fields else getattr(value, name)
    return value


def test_the_page_names_much() -> None:
    assert len(CODE) > 80
    assert len(TESTS) > 80
    assert len(SETTINGS) > 20
    assert len(COMMANDS) > 10


@pytest.mark.parametrize("span", CODE)
def test_code_exists(span: str) -> None:
    name, _, value = span.partition(" = ")
    path, _, dotted = name.partition(":")
    assert (ROOT / path).is_file()
    module = importlib.import_module("macla." + path.removesuffix(".py").replace("/", "."))
    here = found(module, dotted) if dotted else module
    if value:
        assert here == ast.literal_eval(value)


@pytest.mark.parametrize("span", TESTS)
def test_tests_exist(span: str) -> None:
    path, _, name = span.partition(":")
    assert (ROOT / path).is_file()
    assert not name or name in names_in(ROOT / path)


@pytest.mark.parametrize("span", COMMANDS)
def test_options_exist(span: str) -> None:
    verb, option = span.removeprefix("macla ").split()[:2]
    assert isinstance(cli, click.Group)
    command = cli.get_command(click.Context(cli), verb)
    assert command is not None
    assert option in {
        name for each in command.params for name in (*each.opts, *each.secondary_opts)
    }


def defaults() -> dict[str, Any]:
    """The settings of the page's YAML block."""
    section = PAGE.partition("## Settings\n")[2]
    text = re.search(r"```yaml\n(.*?)```", section, re.S)
    assert text is not None
    document: dict[str, Any] = yaml.safe_load(text[1])
    return document


def leaves(document: dict[str, Any], *path: str) -> Iterator[tuple[str, ...]]:
    for key, value in document.items():
        if isinstance(value, dict):
            yield from leaves(value, *path, key)
        else:
            yield (*path, key)


def changed(document: dict[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    head, *rest = path
    inner = changed(document[head], tuple(rest), value) if rest else value
    return {**document, head: inner}


def test_defaults_are_those_of_the_page() -> None:
    assert Method.from_settings(defaults()) == Method.from_settings({}) == Method()
    assert unread_settings(defaults()) == []


OTHER = {
    "preset": "paper",
    "rule": "ucb",
    "prior": "empirical",
    "retention": "paper",
    "information": "gain",
    "confidence": "mean",
}


_ONES = ("reward_max", "exploration")
"""Settings that are 1 by default."""


@pytest.mark.parametrize("path", list(leaves(defaults())), ids=".".join)
def test_each_setting_is_read(path: tuple[str, ...]) -> None:
    other = changed(defaults(), path, OTHER.get(path[0], 2 if path[-1] in _ONES else 1))
    fits_schema(other)
    assert Method.from_settings(other) != Method()


def fits_schema(settings: dict[str, Any]) -> None:
    document = {"kind": "library", "format": 1, "domain": "d", "embedding": "static"}
    assert first_misfit("library", {**document, "settings": settings}) is None


def test_the_schema_has_each_setting_with_its_range() -> None:
    """What is not in the schema would be checked by nothing."""
    below = load_schema("library")["properties"]["settings"]["properties"]
    assert unread_settings(dict.fromkeys(below)) == []
    for path in leaves(defaults()):
        schema = below
        for key in path[:-1]:
            schema = schema[key]["properties"]
        here = schema[path[-1]]
        assert {"enum", "oneOf"} & here.keys() or {"type", "maximum"} <= here.keys(), path


@pytest.mark.parametrize("span", SETTINGS)
def test_settings_exist(span: str) -> None:
    key, _, value = span.removeprefix("settings.").partition(": ")
    path = tuple(key.split("."))
    if path in {each[: len(path)] for each in leaves(defaults())}:
        if value:
            Method.from_settings(changed(defaults(), path, value))
        return
    # Read elsewhere: each key stands as a text in the code.
    sources = [*(ROOT / "procedures").rglob("*.py"), *(ROOT / "adapters").rglob("*.py")]
    for name in path:
        assert any(f'"{name}"' in source.read_text(encoding="utf-8") for source in sources)


def test_each_row_has_code_and_a_test() -> None:
    rows = re.findall(r"^- .+", PAGE, re.M)
    assert len(rows) > 50
    assert len(ROWS) == len(rows)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (ROOT / "docs" / target).exists(), target
    headings = {
        re.sub(r"[^\w\- ]", "", text).strip().lower().replace(" ", "-")
        for text in re.findall(r"^#+ (.+)$", PAGE, re.M)
    }
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= headings
