"""``macla validate``: everything that is wrong with a library's files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output

if TYPE_CHECKING:
    from ..procedures.library.library import Finding


@click.command(
    "validate",
    epilog=options.examples("macla validate lib", "macla validate lib --json"),
)
@options.library_argument
@options.as_json
@click.pass_context
def command(ctx: click.Context, library: Path, as_json: bool) -> None:
    """Check all files of the library DIR: schemas, references, parameters, conditions, cycles.

    Waiting proposals are checked too. Findings are printed as file:line: severity: path:
    message. Exit code 0: no errors (there may be warnings), 1: errors, so that the library does
    not open or a proposal cannot be read, 2: there is no library to check.
    """
    from ..procedures.library.library import validate_library

    require_library(library)
    findings = validate_library(library)
    errors = report(library, findings, as_json=as_json)
    ctx.exit(1 if errors else 0)


def report(library: Path, findings: Sequence[Finding], *, as_json: bool) -> int:
    """Print findings and return the number of errors."""
    errors = sum(finding.severity == "error" for finding in findings)
    if as_json:
        output.emit_json(
            {
                "library": str(library),
                "errors": errors,
                "warnings": len(findings) - errors,
                "findings": [_document(finding) for finding in findings],
            }
        )
    else:
        for finding in findings:
            output.say(str(finding))
        warnings = len(findings) - errors
        output.say(f"{library}: {_count(errors, 'error')}, {_count(warnings, 'warning')}", err=True)
    return errors


def require_library(library: Path) -> None:
    """Refuse what is no folder of a library."""
    from ..procedures.common.errors import LibraryError

    if not library.is_dir():
        hint = "give the folder that holds library.yaml"
        raise LibraryError("is no folder", file=library, hint=hint)
    if not (library / "library.yaml").exists():
        raise LibraryError(
            "is no library: it has no library.yaml", file=library, hint="macla learn makes one"
        )


def _document(finding: Finding) -> dict[str, Any]:
    return {
        "severity": str(finding.severity),
        "rule": finding.rule,
        "file": None if finding.file is None else str(finding.file),
        "line": finding.line,
        "path": list(finding.path),
        "message": finding.message,
    }


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
