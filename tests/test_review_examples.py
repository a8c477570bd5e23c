"""The hook and the workflow that teams copy: they work, and no stranger's text reaches a shell."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import macla
import pytest
from click.testing import CliRunner
from macla.cli.main import cli
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import Procedure
from review_samples import fetch
from ruamel.yaml import YAML

ROOT = Path(macla.__file__).parent
WORKFLOW = ROOT / "examples" / "github" / "macla-review.yml"


def read(file: Path) -> Any:
    return YAML(typ="safe").load(file.read_text())


def steps() -> list[dict[str, Any]]:
    (job,) = read(WORKFLOW)["jobs"].values()
    return list(job["steps"])


def test_hooks_call_commands_that_exist() -> None:
    hooks = read(ROOT / ".pre-commit-hooks.yaml")
    assert {hook["id"] for hook in hooks} == {"macla-check-files", "macla-check"}
    for hook in hooks:
        program, *words = hook["entry"].split()
        assert program == "macla"
        assert CliRunner().invoke(cli, [*words, "--help"]).exit_code == 0
        assert hook["pass_filenames"] is False
        pattern = re.compile(hook["files"])
        for folder in ("procedures", "meta", "programs", "types", "proposals"):
            assert pattern.search(f"{folder}/a.yaml"), folder
        for name in ("lib/procedures/a.yaml", "lib/library.yaml", "ontology.yaml", "library.lock"):
            assert pattern.search(name), name
        for name in ("README.md", "src/procedures/a.py", "docker-compose.yaml"):
            assert not pattern.search(name), name


def test_the_workflow_is_careful() -> None:
    document = read(WORKFLOW)
    assert document["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in document["on"]
    (job,) = document["jobs"].values()
    assert job["permissions"] == {"contents": "read", "pull-requests": "write"}
    for step in steps():
        assert "${{" not in step.get("run", ""), "an expression in a script is shell injection"
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"]), "a tag can be moved"
        if step.get("uses", "").startswith("actions/checkout"):
            assert step["with"]["persist-credentials"] is False
    assert "pip install macla" not in WORKFLOW.read_text(), "it is on no index"
    with_token = [step["name"] for step in steps() if "GH_TOKEN" in step.get("env", {})]
    assert with_token == ["Comment"]


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=$(touch sprung)", "-c", "user.email=e@x", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
    )
    return done.stdout.strip()


@pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in ("git", "bash", "sed")), reason="needs git and bash"
)
def test_the_workflow_writes_the_review(tmp_path: Path) -> None:
    """Its scripts are run here as the runner would, on a hostile pull request."""
    top = tmp_path / "repo"
    library = Library.create(top / "library", domain="d", embedding="static")
    library.write_procedure(Procedure.from_document(fetch()))
    git(top, "init", "-q", "-b", "main")
    git(top, "add", "-A")
    git(top, "commit", "-q", "-m", "one")
    base = git(top, "rev-parse", "HEAD")
    hostile = "get {x} from {y} ``` $(touch sprung) `touch sprung` </details> @everyone"
    library.write_procedure(Procedure.from_document(fetch(version=2, goal=hostile)))
    git(top, "checkout", "-q", "-b", "x;touch${IFS}sprung")
    trailers = "Proposal: |`touch sprung`\nReplay: 7 better, 1 worse, 0 alike"
    subject = "Refine fetch | <img src=x> @everyone [x](y) `touch sprung`"
    git(top, "commit", "-q", "-a", "-m", f"{subject}\n\n# not a heading\n\n{trailers}")
    head = git(top, "rev-parse", "HEAD")
    tools = tmp_path / "bin"
    tools.mkdir()
    command = tools / "macla"
    command.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" -c '
        '"import sys; from macla.cli.main import main; sys.exit(main())" "$@"\n'
    )
    command.chmod(command.stat().st_mode | stat.S_IXUSR)
    output, summary = tmp_path / "output", tmp_path / "summary"
    environment = {
        **os.environ,
        "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
        "LIBRARY": "library",
        "EPISODES": "",
        "BASE": base,
        "HEAD": head,
        "CODE": "0",
        "GITHUB_OUTPUT": str(output),
        "GITHUB_STEP_SUMMARY": str(summary),
    }
    for name in ("Check", "Write the review"):
        (script,) = [step["run"] for step in steps() if step.get("name") == name]
        subprocess.run(
            ["bash", "-eo", "pipefail", "-c", script], cwd=top, env=environment, check=True
        )
    assert output.read_text() == "code=0\nfell=0\n"
    review = (top / "review.md").read_text()
    assert summary.read_text() == review
    assert "procedure fetch: version 1 → 2" in review
    assert "    +++++++-" in review
    rows = [line for line in review.splitlines() if line.startswith("| <code>")]
    assert len(rows) == 1
    assert rows[0].count("|") == 6, "a text of theirs ends no cell"
    assert not set("`@[<") & set(re.sub(r"</?code>", "", rows[0]))
    for line in review.splitlines():
        ours = ("    ", "### ", "| change |", "|---", "| <code>", "Replays, ")
        assert not line or line.startswith(ours), "only our text leaves the block"
    headings = [line for line in review.splitlines() if line.startswith("#")]
    assert len(headings) == 2
    assert not list(tmp_path.rglob("sprung"))
