"""The command line as tests call it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from subprocess import CompletedProcess
from typing import Any

from click.testing import CliRunner, Result
from macla.cli.main import cli


def run(*arguments: object) -> Result:
    """Call ``macla`` with arguments."""
    return CliRunner().invoke(cli, [str(a) for a in arguments])


def as_json(*arguments: object) -> Any:
    """Call ``macla`` with ``--json``, which must succeed; return what it prints."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def run_module(main: Callable[[Sequence[str]], int], *arguments: object) -> CompletedProcess[str]:
    """Call what ``python -m`` calls with arguments."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = main([str(a) for a in arguments])
        except SystemExit as end:  # what cannot be parsed
            code = int(end.code or 0)
    return CompletedProcess(list(arguments), code, out.getvalue(), err.getvalue())


def json_of_module(main: Callable[[Sequence[str]], int], *arguments: object) -> Any:
    """Call it with ``--json``, which must succeed; return what it prints."""
    done = run_module(main, *arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
