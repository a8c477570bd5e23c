"""The command line as tests call it."""

from __future__ import annotations

import json
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
