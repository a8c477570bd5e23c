"""Sessions of development: ``nox -l`` lists them, ``nox -s tests`` runs one.

Each session has an environment of its own, with the tools that the extras in pyproject.toml name.
``nox --no-venv`` runs in the environment that is active instead: ``.venv`` after README's install.
What stands behind ``--`` goes to the tool: ``nox -s tests -- tests/test_conditions.py``.
CI runs ``.ci/run``, which does not need nox.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import nox

ROOT = Path(__file__).resolve().parent
PROJECT = nox.project.load_toml(ROOT / "pyproject.toml")["project"]

nox.needs_version = ">=2024.4"
nox.options.sessions = ["lint", "types", "contracts", "docs", "tests"]
nox.options.reuse_venv = "yes"


def install(session: nox.Session, *tools: str, macla: str = "") -> None:
    """Install tools, in the versions that the extras allow, and macla where it is asked for.

    Args:
        session: The session.
        tools: Names of packages of the extra ``dev``.
        macla: What to install of macla: ``.`` or ``.[EXTRA]``; empty for nothing.
    """
    if session.venv_backend == "none":
        return  # what is active has all of them
    allowed = PROJECT["optional-dependencies"]["dev"]
    for tool in tools:
        (wanted,) = (each for each in allowed if name_of(each) == tool)
        session.install(wanted)
    if macla:
        session.install("-e", macla)


def name_of(requirement: str) -> str:
    """Return the package that a requirement is for."""
    return requirement.partition(">")[0].partition("=")[0].partition("[")[0].strip()


@contextmanager
def linked(session: nox.Session) -> Iterator[None]:
    """Go where the root, which is the package itself, is a folder named ``macla``."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "macla").symlink_to(ROOT, target_is_directory=True)
        with session.chdir(folder):
            yield


@nox.session
def tests(session: nox.Session) -> None:
    """Run the tests as README does; arguments take the place of the whole suite."""
    install(session, macla=".[dev]")
    session.run("pytest", "-n", "auto", "--dist", "loadfile", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and format."""
    install(session, "ruff")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check types, strictly."""
    install(session, macla=".[dev]")
    with linked(session):
        options = ("--config-file", f"{ROOT}/pyproject.toml", "--cache-dir", f"{ROOT}/.mypy_cache")
        session.run("mypy", *options, "-p", "macla")


@nox.session
def contracts(session: nox.Session) -> None:
    """Check which package may import which."""
    install(session, "import-linter")
    with linked(session):
        session.run("lint-imports", "--config", f"{ROOT}/pyproject.toml", "--no-cache")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site into ``site/``; a broken link is an error. ``-- serve`` shows it instead."""
    install(session, "mkdocs", "mkdocs-material")
    what = session.posargs or ["build", "--strict"]
    session.run("mkdocs", *what)


@nox.session
def measure(session: nox.Session) -> None:
    """Play the quick part of the table of results against what was last accepted."""
    install(session, macla=".[dev]")
    session.run("python", "-m", "macla.evals.acceptance", "--quick", *session.posargs)


@nox.session
def build(session: nox.Session) -> None:
    """Make sdist and wheel in ``dist/``, and compare the wheel with the checkout."""
    install(session, "build")
    session.run("python", "-m", "build", "--outdir", "dist")
    wheel = f"dist/macla-{PROJECT['version']}-py3-none-any.whl"
    with TemporaryDirectory() as folder:
        session.run("python", ".ci/check_wheel.py", wheel, folder)
