"""Nothing that macla prints steers a terminal, or has signs in it that nobody sees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from command_line import run
from macla.cli import output
from macla.cli.main import cli
from macla.procedures.common.invisible_characters import json_visible, visible

UNSEEN = "\u202e\u200b\u2066\xad\U000e0041\U000e0100\ufe01"
HIDDEN = f"{UNSEEN}\x9b31m\x1b[8m"


def hidden_in(text: str) -> set[str]:
    return set(text) & (set(HIDDEN) - set("[31m8"))


def test_what_steers_or_hides_is_shown() -> None:
    assert visible("a\x1b[31mb\u202e\u200b\U000e0041\r") == (
        "a\\u{1b}[31mb\\u{202e}\\u{200b}\\u{e0041}\\u{d}"
    )
    assert visible("plain, ü 漢 ❤\ufe0f\n\t") == "plain, ü 漢 ❤\ufe0f\n\t"
    assert not hidden_in(visible(HIDDEN))


def test_json_says_the_same() -> None:
    document = {"task": HIDDEN, "ü": "漢\n\t\ud800"}
    text = json_visible(json.dumps(document, ensure_ascii=False, indent=1))
    assert json.loads(text) == document
    assert not hidden_in(text)
    assert "ü" in text


def test_no_text_dresses_itself(capsys: pytest.CaptureFixture[str]) -> None:
    text = "\x1b[32mall is well\x1b[0m"
    output.say(output.strong(text) + text, color=True)
    assert capsys.readouterr().out == click.style(visible(text), bold=True) + visible(text) + "\n"


def test_tables_are_as_wide_as_what_is_seen(capsys: pytest.CaptureFixture[str]) -> None:
    output.table(("name", "n"), [("a\u200b", "1"), ("bc", "2")])
    ends = [line[-1] for line in capsys.readouterr().out.splitlines()]
    assert ends == ["n", "1", "2"]


def episode(number: int) -> dict[str, Any]:
    return {
        "id": f"run{UNSEEN}{number}",
        "task": f"fetch{UNSEEN} the mug {number}",
        "obs": [f"You see a desk {number}.", f"It is {UNSEEN} on it.", f"You take it {UNSEEN}."],
        "acts": [f"open desk {number}", f"take{UNSEEN} mug {number}"],
        "success": True,
    }


COMMANDS = (
    ("list", "LIB"),
    ("check", "LIB", "--files"),
    ("check", "LIB"),
    ("show", "LIB", "fetch"),
    ("show", "LIB", "fetch", "--versions"),
    ("trace", "--task", f"fetch {HIDDEN} the mug", "--library", "LIB"),
    ("ask", "LIB"),
    ("check", "LIB", "--proof"),
    ("diff", "LIB", "OTHER"),
    ("proposals", "list", "LIB"),
    ("undo", "LIB", "--look"),
    (f"no{HIDDEN}such",),
    ("list", f"LIB{HIDDEN}"),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two libraries in whose texts such signs stand, as a clone may bring them."""
    place = tmp_path_factory.mktemp("seen")
    words = json.dumps(UNSEEN)[1:-1].replace("\\udb40\\udc41", "\\U000e0041")
    for name in ("LIB", "OTHER"):
        run("learn", shown(place / f"{name}.jsonl"), "--library", place / name)
        kept = place / name / "procedures" / "fetch.yaml"
        kept.write_text(
            "kind: procedure\nid: fetch\nversion: 1\n"
            f'goal: "fetch {words} it for {name}"\nsteps:\n  - do: "open {words} {name}"\n'
            f'    expect: ["You see {words}."]\n'.replace("\\udb40\\udd00", "\\U000e0100")
        )
    return place


def shown(file: Path) -> Path:
    file.write_text("\n".join(json.dumps(episode(number)) for number in range(6)))
    return file


@pytest.mark.parametrize("machine", [False, True])
def test_what_is_learned(machine: bool, tmp_path: Path) -> None:
    file = shown(tmp_path / "shown.jsonl")
    result = run("learn", file, "--library", tmp_path / "lib", *["--json"] * machine)
    assert result.exit_code in (0, 1), result.stderr
    assert not hidden_in(result.output)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: ascii(" ".join(words)))
@pytest.mark.parametrize("colour", [False, True])
def test_what_is_told(command: tuple[str, ...], colour: bool, place: Path) -> None:
    words = [
        each.replace("LIB", f"{place}/LIB").replace("OTHER", f"{place}/OTHER") for each in command
    ]
    result = CliRunner().invoke(cli, words, color=colour)
    assert not isinstance(result.exception, Exception), result.exception
    text = click.unstyle(result.output) if colour else result.output
    assert text
    assert not hidden_in(text), repr(text)
    if command[0] in ("list", "diff") or "--proof" in command:
        assert "u{202e}" in text
