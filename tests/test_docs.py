"""Every Python snippet of README and docs runs; every shell snippet names verbs that exist."""

import functools
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import forking
import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SNIPPETS = [
    pytest.param(page, text, id=f"{page.name}-{number}")
    for page in PAGES
    for number, text in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.S))
]
COMMANDS = sorted(
    {
        verb
        for page in PAGES
        for verb in re.findall(r"^(?:\$ )?macla ([a-z]+)", page.read_text(), re.M)
    }
)


@functools.cache
def ran(text: str) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "snippet.py"
        script.write_text(text)
        return forking.run(
            [sys.executable, script], capture_output=True, text=True, cwd=folder, timeout=120
        )


@pytest.mark.parametrize(("page", "text"), SNIPPETS)
def test_snippet_runs(page: Path, text: str) -> None:
    done = ran(text)
    assert done.returncode == 0, f"{page.name}: {done.stderr}"


def test_the_first_snippet_wins() -> None:
    assert ran(SNIPPETS[0].values[1]).stdout.split()[0] == "True"


@pytest.mark.parametrize("verb", COMMANDS)
def test_command_exists(verb: str) -> None:
    run = "import sys; from macla.cli.main import main; sys.exit(main())"
    done = forking.run([sys.executable, "-c", run, verb, "--help"], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


def test_the_architecture_names_every_folder_and_only_files_that_exist() -> None:
    tomllib = pytest.importorskip("tomllib")
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    with (ROOT / "pyproject.toml").open("rb") as file:
        packages = tomllib.load(file)["tool"]["setuptools"]["packages"]
    for package in packages[1:]:
        assert f"`{package.partition('.')[2].replace('.', '/')}/`" in page
    rows = re.findall(r"^- (`[^(:]+?)(?: \((.*?)\))?: ", page, re.M)
    assert len(rows) > 15
    for folders, files in rows:
        names = re.findall(r"`([\w/]+)/`", folders)
        assert all((ROOT / name).is_dir() for name in names)
        for file in re.findall(r"`([\w./]+)`", files):
            assert any((ROOT / name / file).is_file() for name in names), (names, file)
    for path in re.findall(r"`([\w/]+/\w+\.py)`", page):
        assert (ROOT / path).is_file(), path


def test_the_threat_model_names_tests_that_exist() -> None:
    page = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")
    tests = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "tests").glob("test_*.py"))
    lines = page.partition("## What holds")[2].partition("## What does not")[0].split("\n- ")[1:]
    for line in lines:
        names = re.findall(r"`(test_\w+|tests/\w+\.py)`", line)
        assert names, f"{line!r} names no test"
        for name in names:
            there = (ROOT / name).is_file() if "/" in name else f"def {name}(" in tests
            assert there, name


@pytest.mark.parametrize("script", ["results_page.py", "review_walkthrough.py"])
def test_what_scripts_write_into_the_docs_is_up_to_date(script: str) -> None:
    code = [sys.executable, str(ROOT / "scripts" / script), "--check"]
    done = forking.run(code, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
