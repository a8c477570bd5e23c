"""What contributors rely on: nox, pre-commit, workflows, the site, versions, and their pages."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shlex
import subprocess
import sys
from functools import cache
from importlib.metadata import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import macla
import pytest
import yaml
from macla.procedures.library.library import Library
from macla.schemas import load_schema

if sys.version_info >= (3, 11):
    import tomllib
else:
    tomllib = pytest.importorskip("tomli")

ROOT = Path(macla.__file__).parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
CI = (ROOT / ".ci" / "run").read_text("utf-8")
NOXFILE = (ROOT / "noxfile.py").read_text("utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
CHANGELOG = (ROOT / "CHANGELOG.md").read_text("utf-8")

PROGRAMS = {"lint-imports": "import-linter", "python": "build"}
"""Program → its package, where the names differ; python runs the module build."""


def read(file: Path) -> Any:
    return yaml.safe_load(file.read_text("utf-8"))


def packages(extra: str) -> set[str]:
    named = (re.match(r"[A-Za-z0-9-]+", each) for each in PROJECT["optional-dependencies"][extra])
    return {name[0].lower() for name in named if name}


@cache
def sessions() -> dict[str, ast.FunctionDef]:
    return {
        each.name: each
        for each in ast.parse(NOXFILE).body
        if isinstance(each, ast.FunctionDef)
        and any(ast.unparse(mark) == "nox.session" for mark in each.decorator_list)
    }


def calls(session: ast.FunctionDef, name: str) -> list[ast.Call]:
    found = (each for each in ast.walk(session) if isinstance(each, ast.Call))
    return [each for each in found if ast.unparse(each.func) == name]


def words(call: ast.Call) -> list[str]:
    return [each.value for each in call.args if isinstance(each, ast.Constant)]


# -- nox and .ci/run


def test_nox_has_a_session_for_each_habit() -> None:
    assert set(sessions()) == {"tests", "lint", "types", "contracts", "docs", "measure", "build"}


@pytest.mark.parametrize("name", sessions())
def test_what_a_session_uses_is_in_the_extra_dev(name: str) -> None:
    session = sessions()[name]
    wanted = {tool for call in calls(session, "install") for tool in words(call)}
    ran = {words(call)[0] for call in calls(session, "session.run")}
    wanted |= {PROGRAMS.get(program, program) for program in ran} - {"macla"}
    assert wanted - {"macla"} <= packages("dev"), name
    assert ran, f"{name} runs nothing"


def test_the_extra_docs_is_what_ci_builds_the_site_with() -> None:
    extras = PROJECT["optional-dependencies"]
    in_dev = {each for each in extras["dev"] if each.startswith("mkdocs")}
    assert in_dev == set(extras["docs"])


def test_nox_runs_what_readme_and_ci_run() -> None:
    (call,) = calls(sessions()["tests"], "session.run")
    tests = " ".join(words(call))
    assert f".venv/bin/{tests}" in (ROOT / "README.md").read_text("utf-8")
    assert f".venv/bin/{tests}" in CI
    for command in ("ruff check .", "ruff format --check .", "mkdocs build --strict"):
        assert f".venv/bin/{command}" in CI, command
        assert all(repr(word).replace("'", '"') in NOXFILE for word in command.split()), command
    for command in ("--config-file", "-p macla", "lint-imports", "macla.evals.acceptance --quick"):
        assert command in CI, command


def test_ci_needs_no_nox_and_hides_no_broken_link() -> None:
    assert "nox" not in CI
    (line,) = (each for each in CI.split("\n") if "mkdocs build" in each)
    assert "-q" not in shlex.split(line), "with --quiet mkdocs counts no warning"


def test_tools_in_the_root_are_in_no_wheel() -> None:
    tools = {file.stem for file in ROOT.glob("*.py")} - {"__init__"}
    (kept_out,) = re.findall(r"^TOOLS = (.*)$", (ROOT / "setup.py").read_text("utf-8"), re.M)
    assert tools == ast.literal_eval(kept_out)


# -- pre-commit


def test_hooks_are_pinned_and_the_local_one_runs_a_session() -> None:
    config = read(ROOT / ".pre-commit-config.yaml")
    for repo in config["repos"]:
        assert repo["repo"] == "local" or re.fullmatch(r"v\d+(\.\d+)+", repo["rev"]), repo["repo"]
    hooks = {hook["id"]: hook for repo in config["repos"] for hook in repo["hooks"]}
    assert {"ruff-check", "ruff-format", "check-yaml", "end-of-file-fixer"} <= set(hooks)
    program, option, session = hooks["mypy"]["entry"].split()
    assert (program, option) == ("nox", "-s")
    assert session in sessions()
    assert "pre-commit" in packages("dev")


# -- workflows


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda file: file.name)
def test_a_workflow_is_careful(file: Path) -> None:
    document = read(file)
    assert document["permissions"] == {"contents": "read"}
    used = re.findall(r"^\s*(?:- )?uses: (.*)$", file.read_text("utf-8"), re.M)
    assert used
    for action in used:
        pinned = r"[\w.-]+/[\w.-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+"
        assert action.startswith("./.github/workflows/") or re.fullmatch(pinned, action), action
    for job in document["jobs"].values():
        for step in job.get("steps", ()):
            assert "${{" not in step.get("run", ""), "an expression in a script is shell injection"
            if step.get("uses", "").startswith("actions/checkout"):
                assert step["with"]["persist-credentials"] is False


def test_ci_on_github_is_the_script_on_each_python_that_is_named() -> None:
    (job,) = read(ROOT / ".github" / "workflows" / "ci.yml")["jobs"].values()
    assert "bash .ci/run" in [step.get("run") for step in job["steps"]]
    named = [each.rpartition(" :: ")[2] for each in PROJECT["classifiers"]]
    assert job["strategy"]["matrix"]["python"] == [each for each in named if each.startswith("3.")]


def test_only_publishing_may_sign_and_only_the_release_may_write() -> None:
    jobs = read(ROOT / ".github" / "workflows" / "release.yml")["jobs"]
    assert {name: job["permissions"] for name, job in jobs.items() if "permissions" in job} == {
        "publish": {"attestations": "write", "id-token": "write"},
        "release": {"contents": "write"},
    }
    order = [(name, job.get("needs")) for name, job in jobs.items()]
    assert order == [("ci", None), ("build", "ci"), ("publish", "build"), ("release", "publish")]
    for job in jobs.values():
        for name in re.findall(r"\.ci/\w+\.py", json.dumps(job)):
            assert (ROOT / name).is_file(), name


# -- versions


def test_one_version_everywhere() -> None:
    version = PROJECT["version"]
    assert macla.__version__ == version
    assert metadata("macla")["Version"] == version
    heads = re.findall(r"^## \[([^]]+)\](.*)$", CHANGELOG, re.M)
    released = [head for head in heads if head[0] != "Unreleased"]
    assert released[0][0] == version
    assert all(re.fullmatch(r" - \d{4}-\d\d-\d\d", date) for _, date in released)
    assert heads == [("Unreleased", ""), *released]


def test_parts_of_the_changelog_are_those_of_keep_a_changelog() -> None:
    known = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    for section in CHANGELOG.split("\n## ")[1:]:
        parts = re.findall(r"^### (.*)$", section, re.M)
        assert parts == [each for each in known if each in parts]


@pytest.mark.parametrize(("tag", "code"), [(f"v{PROJECT['version']}", 0), ("v0.0.0", 1)])
def test_notes_of_a_release_are_its_section(tag: str, code: int) -> None:
    command = [sys.executable, str(ROOT / ".ci" / "release_notes.py"), tag]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == code, done.stderr
    if code == 0:
        notes = done.stdout.strip()
        assert notes
        assert notes in CHANGELOG
        assert "\n## " not in notes


# -- the site


def leaves(nav: Any) -> list[str]:
    if isinstance(nav, str):
        return [nav]
    parts = nav.values() if isinstance(nav, dict) else nav
    return [leaf for part in parts for leaf in leaves(part)]


def test_the_site_has_every_page() -> None:
    nav = leaves(read(ROOT / "mkdocs.yml")["nav"])
    assert len(nav) == len(set(nav))
    there = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    more = {"index.md", "repository/CONTRIBUTING.md", "repository/CHANGELOG.md"}
    missing = sorted(there - set(nav))
    assert not missing, f"add to nav in mkdocs.yml: {', '.join(missing)}"
    assert sorted(set(nav) - there) == sorted(more), "nav in mkdocs.yml names what is not there"


def test_the_site_is_strict_and_fetches_nothing() -> None:
    config = read(ROOT / "mkdocs.yml")
    assert config["strict"] is True
    assert set(config["validation"].values()) == {"warn"}
    assert {"anchors", "omitted_files", "unrecognized_links"} <= set(config["validation"])
    assert config["theme"]["font"] is False
    schemes = {each.get("scheme") for each in config["theme"]["palette"]}
    assert {"default", "slate"} <= schemes
    assert all((ROOT / hook).is_file() for hook in config["hooks"])


def site() -> ModuleType:
    pytest.importorskip("mkdocs")
    spec = importlib.util.spec_from_file_location("docs_site", ROOT / "scripts" / "docs_site.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("text", "uri", "source", "moved"),
    [
        ("[a](docs/library.md#types)", "index.md", "README.md", "[a](library.md#types)"),
        ("[a](CHANGELOG.md)", "index.md", "README.md", "[a](repository/CHANGELOG.md)"),
        ('<a href="docs/method.md">', "index.md", "README.md", '<a href="method.md">'),
        ("[a](../LICENSE)", "review.md", "docs/review.md", "[a](repository/LICENSE)"),
        ("[a](../examples/)", "x.md", "docs/x.md", "[a](repository/examples/index.md)"),
        ("[a](library.md)", "review.md", "docs/review.md", "[a](library.md)"),
        ("[a](#here) [b](https://x.y/)", "x.md", "docs/x.md", "[a](#here) [b](https://x.y/)"),
        ("`[a](../LICENSE)`", "review.md", "docs/review.md", "`[a](../LICENSE)`"),
        ("[a](../nothing)", "review.md", "docs/review.md", "[a](../nothing)"),
        (
            "[a](docs/library.md)",
            "repository/CHANGELOG.md",
            "CHANGELOG.md",
            "[a](../library.md)",
        ),
    ],
)
def test_links_of_the_site(text: str, uri: str, source: str, moved: str) -> None:
    assert site().moved(text, uri, source) == moved


# -- pages about it


def test_contributing_is_short_and_names_what_is_there() -> None:
    assert len(CONTRIBUTING.split()) <= 750
    code = " ".join(re.findall(r"`([^`]+)`", re.sub(r"```.*?```", "", CONTRIBUTING, flags=re.S)))
    tops = ("procedures", "graph", "adapters", "evals")
    sources = [file for top in tops for file in (ROOT / top).rglob("*.py")]
    names = {file.name for file in sources}
    for path in re.findall(r"(?<![\w.-])[\w./]+\.(?:py|md|toml|json|yml)\b", code):
        assert (ROOT / path).exists() or path.rpartition("/")[2] in names, path
    texts = "\n".join(file.read_text("utf-8") for file in sources)
    for name in re.findall(r"(?<![\w./:-])_?[A-Za-z]+_\w+(?![\w./-])", code):
        if "NAME" not in name:
            assert re.search(rf"\b{name}\b", texts), name
    for test in re.findall(r"::(\w+)", code):
        assert f"def {test}(" in (ROOT / "tests" / "test_conditions.py").read_text("utf-8")


def test_every_layer_of_the_contract_is_in_contributing_in_its_order() -> None:
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = contract["tool"]["importlinter"]["contracts"][0]["layers"]
    assert " → ".join(f"`{each.partition('.')[2]}`" for each in layers) in CONTRIBUTING


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a library, set up as docs/editors.md says."""
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    folder = tmp_path_factory.mktemp("repository")
    (command,) = re.findall(r"```bash\n(.*?)```", page, re.S)
    (settings,) = re.findall(r"```json\n(.*?)```", page, re.S)
    words = shlex.split(command)
    assert words[:2] == ["python", "-c"]
    subprocess.run([sys.executable, *words[1:]], cwd=folder, check=True)
    (folder / "settings.json").write_text(settings, "utf-8")
    Library.create(folder / "library", domain="lamps", embedding="static")
    return folder


def test_an_editor_finds_the_schema_of_every_file(repository: Path) -> None:
    chosen = json.loads((repository / "settings.json").read_text("utf-8"))["yaml.schemas"]
    of_kind = {}
    for path, files in chosen.items():
        schema = json.loads((repository / path).read_text("utf-8"))
        assert schema == load_schema(Path(path).name.removesuffix(".schema.json"))
        of_kind[schema["properties"]["kind"].get("const", path)] = files
    for file in (repository / "library").rglob("*.yaml"):
        fits = [files for files in chosen.values() if file in repository.glob(files)]
        assert len(fits) == 1, file
        assert of_kind[read(file)["kind"]] == fits[0]


def test_an_editor_marks_a_mistake_by_the_line_at_the_top_of_a_file(repository: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    page = (ROOT / "docs" / "editors.md").read_text("utf-8")
    (line,) = re.findall(r"^# yaml-language-server: \$schema=(.*)$", page, re.M)
    file = repository / "library" / "procedures" / "light.yaml"
    schema = json.loads((file.parent / line).read_text("utf-8"))
    document = {"kind": "procedure", "id": "light", "version": 1, "goal": "light the lamp"}
    document["steps"] = [{"do": "press switch"}]
    jsonschema.validate(document, schema)
    with pytest.raises(jsonschema.ValidationError, match="gaol"):
        jsonschema.validate({**document, "gaol": "x"}, schema)
