"""Running git so that a repository cannot make it run anything else.

A repository of a stranger may name programs: hooks, external diffs, text conversions, a file
system monitor, a signing program, remote helpers. All of them are switched off here; nothing goes
through a shell, nothing asks at a terminal, and paths are never patterns.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

from ..common.errors import GitError

_SAFE = (
    "-c", f"core.hooksPath={os.devnull}",
    "-c", "core.fsmonitor=false",
    "-c", "core.quotePath=false",
    "-c", "diff.external=",
    "-c", "log.showSignature=false",
    "-c", "commit.gpgSign=false",
    "--no-pager",
)  # fmt: skip
_KEPT_VARIABLES = (
    "GIT_AUTHOR_",
    "GIT_COMMITTER_",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
    "GIT_EXEC_PATH",
)
_TIMEOUT = 60
"""Seconds that a run of git may take."""
_MOST_CHARACTERS = 500
"""Characters of git's messages that an error shows."""


class Git:
    """git in one folder.

    Args:
        folder: Where it runs.

    Raises:
        GitError: git is not installed.
    """

    def __init__(self, folder: Path) -> None:
        program = shutil.which("git")
        if program is None:
            raise GitError(
                f"git is not installed, and {folder} is in a git repository; install git, or "
                "move the library out of the repository"
            )
        self._program = program
        self.folder = folder
        self._unfiltered: dict[str, str] = {}

    def run(
        self,
        *arguments: str,
        data: bytes = b"",
        environment: Mapping[str, str] | None = None,
    ) -> bytes:
        """Run git and return what it printed.

        Raises:
            GitError: It failed; carries what git said.
        """
        code, out, err = self.attempt(*arguments, data=data, environment=environment)
        if code:
            message = err.decode("utf-8", "replace").strip() or f"exit code {code}"
            raise GitError(f"git {arguments[0]} in {self.folder}: {message[:_MOST_CHARACTERS]}")
        return out

    def attempt(
        self,
        *arguments: str,
        data: bytes = b"",
        environment: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes, bytes]:
        """Run git and return its exit code, output and messages.

        Raises:
            GitError: It cannot be started, or does not end.
        """
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("GIT_") or name.startswith(_KEPT_VARIABLES)
        }
        fixed = {
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_OPTIONAL_LOCKS": "0",
            "GIT_LITERAL_PATHSPECS": "1",
            "GIT_NO_REPLACE_OBJECTS": "1",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "",  # none, whatever the repository allows
            "LC_ALL": "C",
        }
        try:
            process = subprocess.run(  # noqa: S603 - a list of arguments, no shell
                [self._program, *_SAFE, *arguments],
                input=data,
                capture_output=True,
                cwd=self.folder,
                env={**inherited, **fixed, **self._unfiltered, **(environment or {})},
                timeout=_TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise GitError(f"git {arguments[0]} in {self.folder} did not end") from None
        except (OSError, ValueError) as error:
            raise GitError(f"git cannot be run in {self.folder}: {error}") from error
        return process.returncode, process.stdout, process.stderr

    def disable_filters(self) -> None:
        """Switch off the content filters that a repository names.

        git runs them even to write an index, where a file is as young as the index.
        """
        code, out, _ = self.attempt("config", "-z", "--get-regexp", r"^filter\..*\.")
        keys = [entry.partition("\n")[0] for entry in out.decode("utf-8", "replace").split("\0")]
        names = {key.rpartition(".")[0] for key in keys if key.count(".") >= 2}
        if code or not names:
            return
        settings = [
            (f"{name}.{what}", "false" if what == "required" else "")
            for name in sorted(names)
            for what in ("clean", "smudge", "process", "required")
        ]
        self._unfiltered = {"GIT_CONFIG_COUNT": str(len(settings))}
        for number, (key, value) in enumerate(settings):
            self._unfiltered[f"GIT_CONFIG_KEY_{number}"] = key
            self._unfiltered[f"GIT_CONFIG_VALUE_{number}"] = value

    def text(self, *arguments: str) -> str:
        """Run git and return what it printed as one text, without the last line break."""
        return self.run(*arguments).decode("utf-8", "surrogateescape").rstrip("\n")
