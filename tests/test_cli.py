"""The command itself: start-up, help, exit codes, errors, pipes, interruption."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import click
import macla
import pytest
from bounds import children_within
from click.testing import CliRunner, Result
from macla.cli.keyed import KeyedOption
from macla.cli.main import VERBS, cli
from macla.evals.suites.suites import SUITES
from macla.procedures.library.library import Library

HEAVY = ("langgraph", "chromadb", "numpy", "sqlalchemy", "rich", "yaml", "scipy", "jsonschema")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in arguments])


def process(*arguments: str, **options: object) -> subprocess.Popen[bytes]:
    code = "from macla.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **options,  # type: ignore[call-overload]
    )


def test_help_is_quick_and_imports_nothing_heavy() -> None:
    code = (
        "import sys\nfrom macla.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    print(end.code, sorted(sys.modules))"
    )
    with children_within(2.0):  # it takes 0.15 s
        done = subprocess.run(
            [sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True
        )
    for verb in VERBS:
        assert f"  {verb} " in done.stdout
    loaded = done.stdout.rpartition("0 [")[2]
    assert not [name for name in HEAVY if f"'{name}'" in loaded]


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_stream_is_no_fault(tmp_path: Path, closed: str) -> None:
    Library.create(tmp_path / "lib", domain="d", embedding="static")
    code = "from macla.cli.main import main; main()"
    for verb in (["list", str(tmp_path / "lib")], ["--version"]):
        command = shlex.join([sys.executable, "-c", code, *verb])
        done = subprocess.run(["sh", "-c", f"{command} {closed}"], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_with_an_example(verb: str) -> None:
    result = run(verb, "--help")
    assert result.exit_code == 0
    assert "Examples:\n    macla " + verb in result.stdout
    group = cli.get_command(click.Context(cli), verb)
    if not isinstance(group, click.Group):
        assert "--json" in result.stdout or verb == "serve"  # its output is a protocol
        return
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        if not command.hidden:
            text = run(verb, name, "--help").stdout
            assert f"Examples:\n    macla {verb} {name}" in text
            assert "--json" in text


def test_version() -> None:
    assert macla.__version__ in run("--version").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("nonsense",),
        ("learn",),
        ("learn", "alfworld"),
        ("learn", "alfworld", "--library", "x", "--episodes", "0"),
        ("learn", "alfworld", "--library", "x", "--world", "game=cooking"),
        ("learn", "f.jsonl", "--library", "x", "--unused", "y"),
        ("eval", "alfworld", "--library", "x"),
        ("eval", "alfworld", "--split", "valid_seen"),
        ("eval", "alfworld", "--library", "x", "--split", "s", "--world", "max-steps=0"),
        ("eval", "alfworld", "--library", "x", "--split", "s", "--world", "game=cooking"),
        ("eval", "textworld", "--library", "x", "--split", "s", "--world", "dialect=2.1.1"),
        (
            "eval",
            "alfworld",
            "--split",
            "s",
            "--arm",
            "random",
            "--record",
            "--world",
            "admissible",
        ),
        ("eval", "alfworld", "--split", "s", "--arm", "random"),
        ("eval", "all", "--split", "s"),
        ("eval", "chess", "--library", "x", "--split", "s"),
        ("trace", "alfworld", "--library", "x"),
        ("trace", "alfworld", "--library", "x", "--split", "s", "--game-path", "p"),
        ("trace", "--task", " ", "--library", "x"),
        ("trace", "--task", "a task", "--library", "not-there"),
        ("trace", "alfworld", "--task", "a task", "--library", "x"),
        ("trace", "--task", "a task", "--library", "x", "--split", "s"),
        ("trace", "--task", "a task", "--library", "x", "--max-steps", "3"),
        ("trace", "--library", "x"),
        ("trace", "alfworld", "--library", "x", "--split", "s", "--top", "3"),
        ("check", "not-there"),
        ("check", "not-there", "--files"),
        ("check", "not-there", "--proof"),
        ("check", "x", "file.jsonl"),
        ("check", "x", "--limit", "3"),
        ("check", "x", "--files", "--proof"),
        ("check", "x", "--files", "--tools", "pyproject.toml"),
        ("check", "x", "--proof", "--strict"),
        ("show", "x", "--versions"),
        ("undo", "x", "--to", "1"),
        ("undo", "x", "--why", "too slow"),
        ("list", "not-there"),
        ("show", "not-there", "x"),
    ],
)
def test_bad_usage_ends_with_2_and_one_message(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.strip()
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("verb", "present"),
    [("prove", "macla check DIR --proof"), ("measure", "python -m macla.evals.acceptance")],
)
def test_a_verb_of_an_earlier_version_names_what_does_the_same(verb: str, present: str) -> None:
    result = run(verb, "lib")
    assert result.exit_code == 2
    assert f"No such command {verb!r}" in result.stderr
    assert f"Instead: {present}" in result.stderr
    assert "Instead" not in run("improve", "lib").stderr


@pytest.mark.parametrize(
    ("words", "what"),
    [(("lern",), "learn"), (("proposals", "raply"), "replay"), (("proposals", "lst"), "list")],
)
def test_a_misspelt_command_says_what_was_meant(words: tuple[str, ...], what: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert f"No such command {words[-1]!r}; did you mean {what!r}?" in result.stderr


def test_a_fault_of_ours_is_not_mistaken_for_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    import macla.procedures.library.library

    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(macla.procedures.library.library.Library, "open", broken)
    result = run("list", "x")
    assert result.exit_code == 2
    assert "ZeroDivisionError" in result.stderr
    assert "fault in macla" in result.stderr


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    running = subprocess.Popen(
        [sys.executable, "-c", "from macla.cli.main import main; main()", "--help"],
        stdout=write,
        stderr=subprocess.PIPE,
    )
    os.close(write)
    _, errors = running.communicate(timeout=60)
    assert errors == b""
    assert running.returncode == 141


def episodes(path: Path, count: int) -> Path:
    line = {
        "task": "put a mug on the desk",
        "obs": ["You see a desk 1.", "You pick up the mug 1.", "You put it on the desk 1."],
        "acts": ["take mug 1 from shelf 1", "put mug 1 on desk 1"],
        "success": True,
    }
    path.write_text("".join(json.dumps(line) + "\n" for _ in range(count)))
    return path


@pytest.mark.fault
def test_ctrl_c_while_learning_leaves_no_library(tmp_path: Path) -> None:
    file = episodes(tmp_path / "e.jsonl", 60_000)
    running = process("learn", str(file), "--library", str(tmp_path / "lib"))
    time.sleep(1.5)
    running.send_signal(signal.SIGINT)
    out, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert out == b""
    assert b"stopped" in errors
    assert b"Traceback" not in errors
    assert [path.name for path in tmp_path.iterdir()] == ["e.jsonl"]


def test_a_damaged_compiled_file_is_no_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    def damaged(name: str, package: str | None = None) -> None:
        raise EOFError("marshal data too short")

    monkeypatch.setattr("importlib.import_module", damaged)
    done = run("ask", "lib")
    assert done.exit_code == 2
    assert "remove the __pycache__ folders" in done.stderr
    assert "stopped" not in done.stderr


@pytest.mark.fault
def test_ctrl_c_counts_where_python_ignores_what_it_raises() -> None:
    code = """
import sys, time, types, click
from macla.cli.main import main

class Finalised:
    def __del__(self):
        raise KeyboardInterrupt

@click.command()
def command():
    Finalised()
    for _ in range(200):
        time.sleep(0.1)

sys.modules["macla.cli.demo"] = types.SimpleNamespace(command=command)
sys.argv = ["macla", "demo"]
main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60)
    assert done.returncode == 130, done.stderr
    assert b"stopped" in done.stderr
    assert b"Traceback" not in done.stderr


def test_text_that_the_terminal_cannot_show_is_replaced(tmp_path: Path) -> None:
    file = tmp_path / "e.jsonl"
    episodes(file, 3)
    file.write_text(file.read_text().replace("mug", "m\u00fcg"), encoding="utf-8")
    assert run("learn", str(file), "--library", str(tmp_path / "lib")).exit_code == 0
    running = process(
        "list", str(tmp_path / "lib"), env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    out, errors = running.communicate(timeout=60)
    assert running.returncode == 0, errors
    assert errors == b""
    assert b"put" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("learn", "alfworld", "--method", "without=meta", "--policy", "review"), "with proposals"),
        (("learn", "alfworld", "--world", "game=hunt"), "--world game is for textworld"),
        (("learn", "alfworld", "--world", "nois=0.1"), "did you mean 'noise'?"),
        (("learn", "alfworld", "--world", "noise"), "write noise="),
        (("learn", "alfworld", "--world", "noise=2"), "noise: 2.0 is not in the range"),
        (("learn", "alfworld", "--world", "paper"), "it takes game, goals"),
        (("learn", "alfworld", "--method", "plain"), "preset: 'plain' is not one of"),
        (("learn", "alfworld", "--keep-secrets"), "is for files"),
        (("learn", "alfworld", "--jobs", "0"), "is no number from 1"),
        (("practice", "alfworld"), "--episodes"),
        (("practice", "alfworld", "--episodes", 3, "--model", "calls=1"), "needs a model"),
        (("practice", "alfworld", "--episodes", 3, "--world", "goals=human"), "no key 'goals'"),
        (("practice", "alfworld", "--episodes", 3, "--world", "game=hunt"), "is for textworld"),
        (
            ("practice", "alfworld", "--episodes", 3, "--world", "leave-out=open"),
            "--demonstrations",
        ),
        (("practice", "webshop", "--episodes", 3, "--rewards", "--compare"), "go with --rewards"),
    ],
)
def test_options_that_contradict_each_other(
    arguments: tuple[object, ...], says: str, tmp_path: Path
) -> None:
    result = run(*map(str, arguments), "--library", str(tmp_path / "lib"))
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())
    assert "Usage: " in result.stderr
    assert not (tmp_path / "lib").exists()


@pytest.mark.parametrize("name", ["learn", "practice", "eval", "trace"])
def test_help_tells_each_option_and_each_key(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    text = run(name, "--help").stdout.partition("\nOptions:\n")[2].partition("Examples:")[0]
    lines = [line for line in text.splitlines() if line.startswith("  -")]
    wanted = [r"-h,"]
    for each in command.params:
        if isinstance(each, click.Option):
            own = each.opts[0]
            wanted.append(own)
            keys = each.keys if isinstance(each, KeyedOption) else ()
            wanted += [rf"(--{key}|{own} {key}=\S+)" for key in keys]
    assert [
        word for word in wanted if not any(re.match(rf"  {word}(\s|$)", x) for x in lines)
    ] == []
    assert len(lines) == len(wanted)


def test_an_unknown_source_names_all_sources(tmp_path: Path) -> None:
    result = run("learn", "websop", "--library", tmp_path / "lib")
    assert result.exit_code == 2
    for each in (*SUITES, "file of episodes", "macla practice"):
        assert each in " ".join(result.stderr.split())
