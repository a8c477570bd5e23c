"""``macla check``: a library's files, what a team wants to know before a merge, its proof."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..procedures.common.text import counted
from . import options, output

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..procedures.checks.tool_calls_exist import Tools
    from ..procedures.files.contents import Contents
    from ..procedures.library.consistency import Finding
    from ..procedures.model.semantics import Issue


@click.command(
    "check",
    epilog=options.examples(
        "macla check lib",
        "macla check lib --tools tools.json --strict",
        "macla check lib --files --json",
        "macla check lib --proof",
        "macla check lib --proof --limit 200 --no-folds",
        "macla check lib --proof episodes.jsonl --folds 10 --seed 1",
        "macla check agent --proof chats.jsonl more.json --json",
    ),
)
@options.library_argument
@click.argument("demonstrations", metavar="[FILE]...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--files", is_flag=True, help="Instead check only the files.")
@click.option(
    "--tools",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE.json",
    help="The tools that there are: a JSON list of names, or of objects with a name and perhaps "
    "the JSON Schema of their arguments, as model APIs and MCP servers have it.",
)
@click.option("--strict", is_flag=True, help="Let warnings fail the check too.")
@click.option("--proof", is_flag=True, help="Instead prove the library, by FILE if given.")
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    default=5,
    show_default=True,
    metavar="K",
    help="Proof: hold demonstrations out in K folds.",
)
@click.option("--no-folds", is_flag=True, help="Proof: only as it is, nothing held out.")
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help="Proof: a random sample of N."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["auto", "episodes", "messages", "langsmith"]),
    default="auto",
    show_default=True,
    help="Proof: what FILE holds.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Proof: seed of sample and folds."
)
@options.as_json
@click.pass_context
def command(
    ctx: click.Context,
    /,
    library: Path,
    demonstrations: tuple[Path, ...],
    files: bool,
    tools: Path | None,
    strict: bool,
    proof: bool,
    as_json: bool,
    **proof_values: Any,
) -> None:
    """Check the library DIR before a merge, only its --files, or by a --proof.

    The files: schemas, references, parameters, conditions, cycles, waiting proposals. Besides, what
    a review should not have to find: procedures that duplicate others (by embedding, θ_dup 0.85),
    calls that the tools do not take (with --tools), files that do something else under the same
    version, evidence that contradicts a status, texts that try to instruct a model, outdated
    proposals, and demonstrations that are not reproduced, as the last proof or macla learn saw.
    Findings are printed as file:line: severity: path: message.

    The proof: at each step of a demonstration, would the library do what was shown? What was really
    observed is given, so one wrong step does not hide the next. Where the library searches, it is
    enough that what was shown is among what it holds possible. A demonstration is reproduced if no
    step diverges. Without FILE the demonstrations are those that the library keeps; else episodes
    (JSON Lines) or logs of agents, as macla learn takes them. Held out by folds, a library is
    learned from the other demonstrations, with the same options, in a temporary folder. The floor
    is the nearest of these with the new task's names. Bits an action say how well the steps are
    predicted: fewer are better. Nothing changes but a summary beside the library, which macla list
    and macla check show.

    Exit code 0: no errors (with --strict: no findings), or a proof was made, 1: findings, 2:
    nothing to check.
    """
    if proof:
        options.refuse_given(ctx, "does not go with --proof", "files", "tools", "strict")
        from .proofs import prove

        if proof_values["no_folds"]:
            options.refuse_given(ctx, "does not go with --no-folds", "folds")
        options.require_library(library)
        prove(library, demonstrations, as_json=as_json, **proof_values)
        return
    if demonstrations:
        raise click.UsageError("FILE goes with --proof", ctx)
    options.refuse_given(ctx, "goes with --proof", *proof_values)
    if files:
        options.refuse_given(ctx, "does not go with --files", "tools")
    from ..procedures.library.library import validate_library

    options.require_library(library)
    known_tools = None if tools is None else _tools(tools)
    findings = validate_library(library)
    if not files:
        findings += _review_findings(library.resolve(), known_tools)
        findings = list(dict.fromkeys(findings))
        findings.sort(key=lambda finding: finding.severity != "error")
    errors = _report(library, findings, as_json=as_json)
    ctx.exit(1 if errors or (strict and findings) else 0)


def _report(library: Path, findings: Sequence[Finding], *, as_json: bool) -> int:
    """Print findings and return the number of errors."""
    errors = sum(finding.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    if as_json:
        output.emit_json(
            {
                "library": str(library),
                "errors": errors,
                "warnings": warnings,
                "findings": [_document(finding) for finding in findings],
            }
        )
        return errors
    for finding in findings:
        output.say(str(finding))
    numbers = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
    output.say(f"{library}: {numbers}", err=True)
    return errors


def _document(finding: Finding) -> dict[str, Any]:
    return {
        "severity": str(finding.severity),
        "rule": finding.rule,
        "file": None if finding.file is None else str(finding.file),
        "line": finding.line,
        "path": list(finding.path),
        "message": finding.message,
        "following": finding.following,
    }


def _tools(file: Path) -> Tools:
    from ..procedures.checks.tool_calls_exist import read_tools
    from ..procedures.common.errors import DataError

    try:
        return read_tools(json.loads(file.read_bytes()))
    except (ValueError, RecursionError) as error:
        raise DataError(f"{file}: is no JSON ({error})") from error
    except DataError as error:
        raise DataError(f"{file}: {error}") from error


def _review_findings(root: Path, tools: Tools | None) -> list[Finding]:
    from ..procedures.checks.duplicates import duplicates
    from ..procedures.checks.instructing import instructing
    from ..procedures.checks.proposal_files import instructing_proposals
    from ..procedures.checks.statuses import contradictions
    from ..procedures.checks.versions import changed_versions
    from ..procedures.common.errors import LibraryError
    from ..procedures.files.scanning import load
    from ..procedures.library.consistency import fault_finding, located

    faults: list[LibraryError] = []  # validate_library has told them
    contents = load(root, faults.append)
    if contents is None:
        return []
    issues: list[tuple[str, Issue]] = []
    issues += (("instructing", issue) for issue in instructing(root, contents))
    issues += (("version", issue) for issue in changed_versions(root, contents))
    if tools is not None:
        issues += (("tool", issue) for issue in _tool_issues(contents, tools))
    findings = [located(issue, root, rule) for rule, issue in issues]
    for find in (
        partial(instructing_proposals, root),
        partial(_on_branches, root),
        partial(_evidence, root, contents, contradictions),
        partial(_embedded, root, contents, duplicates),
        partial(_unproved, root),
    ):
        try:
            findings += find()
        except LibraryError as fault:  # noqa: PERF203 - such as local files not believed
            findings.append(fault_finding(fault))
    return findings


def _unproved(root: Path) -> list[Finding]:
    """Return warnings where too few demonstrations are reproduced, or the proof is out of date."""
    from ..procedures.common.errors import LibraryError
    from ..procedures.learning.proved import LEAST_REPRODUCED, last_proved
    from ..procedures.library.consistency import Finding
    from ..procedures.library.library import Library

    proved = last_proved(root)
    if proved is None:
        return []
    share = f"{proved.reproduced} of {proved.of} demonstrations"
    try:
        current = Library.open(root).content_hash == proved.library_hash
    except LibraryError:  # the files have told it; of what cannot be read nothing is known
        return []
    if not current:
        message = (
            f"the proof is out of date: {share} were reproduced before the files were changed "
            f"(macla check {root} --proof proves them as they are)"
        )
        return [Finding("warning", message, root, rule="proof")]
    if proved.enough:
        return []
    message = (
        f"only {share} are reproduced, less than "
        f"{100 * LEAST_REPRODUCED:.0f} %; most often: {'; '.join(proved.divergences)} "
        f"(macla check {root} --proof tells all)"
    )
    return [Finding("warning", message, root, rule="proof")]


def _on_branches(root: Path) -> list[Finding]:
    """Return findings in the proposals that wait on branches."""
    from ..adapters.git.proposal_branches import GitStore
    from ..adapters.git.stores import is_tracked, open_store
    from ..procedures.checks.instructing import instructing_document
    from ..procedures.common.errors import GitError
    from ..procedures.library.consistency import Finding

    try:
        store = open_store(root) if is_tracked(root) else None
        if not isinstance(store, GitStore):
            return []
        waiting = store.pending()
    except GitError as error:
        return [Finding("warning", str(error), root, rule="proposal")]
    findings = []
    for proposal in waiting:
        file = root / "proposals" / f"{proposal.id}.yaml"
        where = store.where(proposal)
        for path, message in instructing_document(proposal.to_document()):
            text = f"on the branch {where}: {message}"
            findings.append(Finding("error", text, file, None, path, "instructing"))
    on_disk = str(root / "proposals")  # broken files of the work tree are told above
    faults = [fault for fault in store.faults if not fault.startswith(on_disk)]
    return findings + [Finding("error", fault, root, rule="proposal") for fault in faults]


def _tool_issues(contents: Contents, tools: Tools) -> list[Issue]:
    """Return calls that the tools do not take, with similar arguments if the embedding works."""
    from ..adapters.embeddings import load_embeddings
    from ..procedures.checks.tool_calls_exist import unknown_tools
    from ..procedures.words.similarity import TextSimilarity

    try:
        similarity = TextSimilarity(load_embeddings(contents.settings.embedding))
        return list(unknown_tools(contents, tools, similarity))
    except Exception:  # whatever a model server's client raises; _embedded tells of it
        return list(unknown_tools(contents, tools))


def _evidence(root: Path, contents: Contents, check: Callable[..., Any]) -> list[Finding]:
    """Return statuses that the ledger of this machine contradicts."""
    from ..procedures.common.errors import LedgerError
    from ..procedures.evidence.ledger_rows import DEMONSTRATIONS
    from ..procedures.library.consistency import Finding, located
    from ..procedures.sharing.exchange import open_evidence

    counts: Any = {}
    findings: list[Finding] = []
    run = str(contents.settings.settings.get("evidence_from", ""))
    try:
        with open_evidence(root, read_only=True) as ledger:
            counts = ledger.counts(superseded=(DEMONSTRATIONS, run))
    except LedgerError as error:
        findings.append(Finding("error", str(error), root / ".macla", rule="evidence"))
    return findings + [located(issue, root, "evidence") for issue in check(contents, counts)]


def _embedded(root: Path, contents: Contents, check: Callable[..., Any]) -> list[Finding]:
    """Return duplicates by the library's own embedding."""
    from ..adapters.embeddings import load_embeddings
    from ..procedures.library.consistency import Finding, located
    from ..procedures.words.similarity import TextSimilarity

    name = contents.settings.embedding

    def vector(text: str) -> NDArray[np.float32]:
        return similarity.vector(text)

    try:
        similarity = TextSimilarity(load_embeddings(name))
        return [located(issue, root, "duplicate") for issue in check(contents, vector)]
    except Exception as error:  # whatever a model server's client raises
        message = f"duplicates were not looked for: the embedding {name!r} failed ({error})"
        return [
            Finding("warning", message, root / "library.yaml", None, ("embedding",), "duplicate")
        ]
