"""``macla proposals comment``: one comment for a pull request, in Markdown."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..procedures.common.invisible_characters import visible
from . import options, output

if TYPE_CHECKING:
    from ..adapters.proving.proving_report import LibraryProof
    from ..procedures.episodes.trajectories import Trajectory

_ROWS = 40
"""Most commits that the table shows."""
_LINES = 400
"""Most lines of the diff that the comment shows."""
_BAR = 40
"""Widest bar of a replay, in letters."""
_COLUMNS = ("Proposal", "Evidence", "Replay", "Reviewed-by")
_FORMAT = "%x00".join(
    ["%s", *(f"%(trailers:key={each},valueonly,separator=%x20)" for each in _COLUMNS)]
)


@dataclass(frozen=True, slots=True)
class _Decision:
    """A commit of the pull request: subject and trailers of its message."""

    subject: str
    trailers: Sequence[str]


@click.command(
    "comment",
    epilog=options.examples(
        "macla proposals comment lib main",
        "macla proposals comment lib main --episodes held-out.jsonl > comment.md",
    ),
)
@options.library_argument
@click.argument("base", metavar="REVISION")
@click.option(
    "--episodes",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="FILE",
    help="Episodes that nothing was learned from: both versions are proved on them.",
)
@options.as_json
@click.pass_context
def comment(
    ctx: click.Context, library: Path, base: str, episodes: Path | None, as_json: bool
) -> None:
    """Write a comment about what changed in the library DIR since REVISION, in Markdown.

    It has a table of the commits with their evidence and replays, what changed in words, and with
    --episodes how many of them each version reproduces. All text of the library and of messages
    stands in code, so it mentions nobody and looks like nothing else.

    Exit code 1: fewer of the episodes are reproduced than before.
    """
    from .diffing import compared_lines

    options.require_library(library)
    decisions = list(_decisions(library, base))
    words = [visible(str(line)) for line in compared_lines(base, library)]
    proofs = None if episodes is None else _proofs(library, base, episodes)
    fell = proofs is not None and proofs[1].here.reproduced < proofs[0].here.reproduced
    text = "\n".join(_markdown(decisions, words, proofs)) + "\n"
    if as_json:
        output.emit_json({"library": str(library), "base": base, "fell": fell, "comment": text})
    else:
        output.say(text, nl=False)
    ctx.exit(1 if fell else 0)


def _decisions(library: Path, base: str) -> Iterator[_Decision]:
    """Yield the commits since a revision that changed a library, oldest first."""
    from ..procedures.common.errors import GitError
    from ..procedures.local.safe_git import Git

    git = Git(library.resolve())
    code, out, _ = git.attempt("merge-base", "--end-of-options", base, "HEAD")
    if code:
        raise GitError(f"{base[:100]!r} names no commit that HEAD in {library} has in common")
    since = out.decode("ascii").strip()
    log_output = git.run(
        "log", "-z", "--no-merges", "--reverse", f"--format={_FORMAT}", f"{since}..HEAD", "--", "."
    )
    fields = log_output.decode("utf-8", "replace").split("\0")
    width = len(_COLUMNS) + 1
    for start in range(0, len(fields) - width + 1, width):
        subject, *trailers = (each.strip() for each in fields[start : start + width])
        yield _Decision(subject, trailers)


def _proofs(library: Path, base: str, file: Path) -> tuple[LibraryProof, LibraryProof]:
    """Prove a library as it was at a revision, and as it is, on episodes."""
    from ..adapters.git.revisions import RevisionReader
    from ..adapters.proving.proving import prove_library
    from ..procedures.common.errors import GitError
    from ..procedures.episodes.trajectories import read_trajectories

    reader = RevisionReader.around(library)
    revision = reader.resolve(base) if reader is not None else None
    if reader is None or revision is None:
        raise GitError(f"{base[:100]!r} names no revision of the repository around {library}")
    inside = library.resolve().relative_to(reader.top).as_posix()
    episodes: list[Trajectory] = list(read_trajectories(file))
    with tempfile.TemporaryDirectory(prefix="macla-") as folder:
        for name, data in reader.files(revision, [inside]).items():
            target = Path(folder) / Path(name).relative_to("." if inside == "." else inside)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        before = prove_library(folder, episodes, folds=0)
    return before, prove_library(library, episodes, folds=0)


def _markdown(
    decisions: Sequence[_Decision],
    words: Sequence[str],
    proofs: tuple[LibraryProof, LibraryProof] | None,
) -> Iterator[str]:
    yield "### What changes in the library"
    yield ""
    if decisions:
        yield "| change | proposal | evidence | replay | reviewed by |"
        yield "|---|---|---|---|---|"
        for each in decisions[:_ROWS]:
            cells = [each.subject, *each.trailers]
            yield f"| {' | '.join(_code(cell) for cell in cells)} |"
        if len(decisions) > _ROWS:
            yield f"\n{len(decisions) - _ROWS} more commits"
        yield ""
    if bars := [bar for each in decisions if (bar := _bar(each))]:
        yield "Replays, `+` better, `-` worse, `.` alike:"
        yield ""
        yield from bars
        yield ""
    yield from (f"    {line}" for line in words[:_LINES])
    if len(words) > _LINES:
        yield f"    ({len(words) - _LINES} more lines, which macla diff shows)"
    if not words:
        yield "Nothing that is done changes."
    if proofs is not None:
        before, now = (proof.here for proof in proofs)
        yield ""
        yield "### Episodes that nothing was learned from"
        yield ""
        yield (
            f"{now.reproduced} of {now.of} are reproduced, {before.reproduced} of "
            f"{before.of} before."
        )


def _bar(decision: _Decision) -> str:
    """Return a replay as a line of letters; empty where the message has none."""
    match = re.fullmatch(r"(\d+) better, (\d+) worse, (\d+) alike", decision.trailers[2])
    counts = [int(number) for number in match.groups()] if match else []
    if not sum(counts):
        return ""
    scale = min(1.0, _BAR / sum(counts))
    letters = "".join(
        letter * max(bool(count), round(count * scale))
        for letter, count in zip("+-.", counts, strict=True)
    )
    return f"    {letters.ljust(_BAR + 2)} {decision.trailers[0][:80]}"


def _code(text: str) -> str:
    """Return a text as code, with all signs that Markdown or HTML could interpret as entities."""
    if not text:
        return ""
    plain = visible(" ".join(text.split())[:300])
    safe = "".join(each if each.isalnum() or each == " " else f"&#{ord(each)};" for each in plain)
    return f"<code>{safe}</code>"
