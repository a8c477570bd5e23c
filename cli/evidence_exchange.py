"""``macla evidence``: outcomes carried from machine to machine, verified, and fitted to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..procedures.common.errors import LibraryError, MaclaError, ProposalError
from ..procedures.common.text import counted
from . import options, output
from .evidence_fit import command as fit

if TYPE_CHECKING:
    from ..procedures.evidence.ledger import Ledger
    from ..procedures.library.library import Library
    from ..procedures.proposals.again import Again
    from ..procedures.proposals.proposal import Proposal

_NAMED = 20
"""Most episodes that one line names."""
_NAMED_OF_WORDS = 3
"""Most episodes that are named of each word: there may be many words."""
_LIBRARY = "Folder of the library whose evidence it is (default: this folder)."


@click.group(
    "evidence",
    epilog=options.examples(
        "macla evidence export mine.jsonl --library lib",
        "macla evidence import theirs.jsonl --library lib",
        "macla evidence merge lib ../other/lib",
        "macla evidence verify lib",
        "macla evidence fit lib",
        "macla evidence --for refine-take-from --library lib",
    ),
    invoke_without_command=True,
)
@click.option(
    "--for", "proposal", metavar="PROPOSAL", help="Print the evidence that this proposal cites."
)
@options.folder(default=".", help=_LIBRARY)
@options.as_json
@click.pass_context
def command(ctx: click.Context, proposal: str | None, library: Path, as_json: bool) -> None:
    """Carry evidence from machine to machine, verify it, fit settings to it; --for: print it.

    One row is one outcome under a unique key, so rows may be added in any order and any
    number of times: the sums are the same. A row that says something else than one with the
    same key is refused, with its line.
    """
    if proposal is None:
        if ctx.invoked_subcommand is None:
            raise click.UsageError(
                "name --for PROPOSAL, or one of export, import, merge, verify and fit"
            )
        return
    if ctx.invoked_subcommand is not None:
        raise click.UsageError("--for stands alone")
    _print_cited(library, proposal, as_json=as_json)


command.add_command(fit)


def _print_cited(library: Path, name: str, *, as_json: bool) -> None:
    """Print the rows of the ledger for a proposal, whether it waits or is decided."""
    from ..adapters.git.stores import open_store
    from ..procedures.library.library import Library
    from ..procedures.proposals.again import stored_episodes
    from ..procedures.proposals.cited import cited, cited_kinds
    from ..procedures.proposals.proposal_store import find, named
    from ..procedures.proposals.proposal_words import reasons, times
    from ..procedures.proposals.word_support import episodes_by_word

    opened_library = Library.open(library)
    store = open_store(opened_library.path)
    waiting = store.pending()
    decided = store.decided()
    recorded = [*waiting, *(each for each in decided if each.id == name)]
    if not named(recorded, name):
        _refuse_accepted_elsewhere(opened_library, name)
    proposal = find(recorded, name)
    with _of_library(library, read_only=True) as ledger:
        sums = list(cited(opened_library, ledger, proposal))
        kinds_by_type = cited_kinds(ledger, proposal)
    words = episodes_by_word(proposal, lambda: list(stored_episodes(opened_library)))
    try:
        again = _again(opened_library, proposal, waiting)
    except MaclaError as error:  # the evidence is there all the same
        again = None
        output.warn(f"not replayed again: {error}")
    contrast = proposal.contrast
    episodes = {
        "worked": list(contrast.successes) if contrast else [],
        "failed": list(contrast.failures) if contrast else [],
    }
    if as_json:
        output.emit_json(
            {
                "proposal": proposal.id,
                "says": list(reasons(proposal)),
                "ledger": [asdict(row) for row in sums],
                "kinds": kinds_by_type,
                "words": words,
                "episodes": episodes,
                "replayed_again": None
                if again is None
                else {
                    "equal": again.is_equal,
                    "now": again.now.to_document() if again.now else None,
                    "dropped": list(again.dropped),
                },
            }
        )
        return
    output.say(f"{proposal.id} says")
    for line in reasons(proposal):
        output.say(f"  {line}")
    has_rows = sums or any(any(each.values()) for each in kinds_by_type.values())
    output.say("the ledger has" if has_rows else "the ledger here has nothing of it")
    for row in sums:
        whose = row.id if not row.version else f"{row.id}@{row.version}"
        runs = f"{len(row.runs)} runs" if len(row.runs) > 1 else row.runs[0]
        ways = row.kind == "meta" and row.what in ("proposed", "demonstrations")
        told = times(row.successes, row.failures, ways=ways)
        output.say(f"  {whose} {row.what}: {told} ({runs})")
    for name, uses in kinds_by_type.items():
        uses_text = ", ".join(f"{kind} {counted(n, 'time')}" for kind, n in uses.items())
        output.say(f"  {name} done with: {uses_text} ({proposal.run})")
    for which, ids in episodes.items():
        if ids:
            output.say(f"episodes in which it {which}: {_first(ids)}")
    for word, mentioning in words.items():
        named_text = _first(mentioning, _NAMED_OF_WORDS) or "none"
        output.say(f"stored episodes that mention {word}: {named_text}")
    for line in _compared(again):
        output.say(line)


def _first(ids: Sequence[str], most: int = _NAMED) -> str:
    """Return the first names of a list, and how many more there are."""
    rest_text = f" and {len(ids) - most} more" if len(ids) > most else ""
    return f"{', '.join(ids[:most])}{rest_text}"


def _refuse_accepted_elsewhere(library: Library, name: str) -> None:
    """Refuse a proposal that this clone knows by its commit alone.

    Raises:
        ProposalError: A commit says that it was accepted.
    """
    from ..adapters.git.revisions import RevisionReader

    reader = RevisionReader.around(library.path)
    commit = reader.accepting(name) if reader is not None else None
    if commit is not None:
        raise ProposalError(
            f"{name} was accepted in the commit {commit[:12]}, and its record is not here; "
            f"git show {commit[:12]} tells the sums"
        )


def _again(library: Library, proposal: Proposal, waiting: Sequence[Proposal]) -> Again | None:
    """Replay a proposal's own episodes, as the library was when it was accepted, if it was."""
    from ..adapters.git.revisions import RevisionReader
    from ..procedures.proposals.again import replayed_again, stored_episodes
    from ..procedures.proposals.proposal import document_key
    from ..procedures.proposals.replay import Replayer

    if proposal.replay is None or not proposal.replay.episodes:
        return None
    stored = list(stored_episodes(library))
    reader = RevisionReader.around(library.path) if proposal.status == "accepted" else None
    commit = reader.accepting(proposal.id) if reader is not None else None
    if reader is None or commit is None:
        return replayed_again(
            proposal, stored, lambda episodes: Replayer.of(episodes, library, [*waiting, proposal])
        )
    folder = reader.below(library.path)
    former, latter = reader.resolve(f"{commit}^"), reader.resolve(commit)
    if former is None or latter is None:
        raise LibraryError(
            f"no commit before {commit[:12]} is here",
            file=library.path,
            hint="of a shallow clone, git fetch --unshallow brings it",
        )
    before, after = reader.library(former, folder), reader.library(latter, folder)
    old = [before.get(document_key(each)) for each in proposal.new]
    new = [after.get(document_key(each)) for each in proposal.new]
    whole = replace(
        proposal,
        old=tuple(each.to_document() for each in old if each is not None),
        new=tuple(each.to_document() for each in new if each is not None),
    )
    return replayed_again(
        whole, stored, lambda episodes: Replayer(episodes, after.ontology, after.procedures)
    )


def _compared(again: Again | None) -> Iterator[str]:
    """Say whether a replay says the same again, or else what differs."""
    if again is None:
        return
    if again.is_equal:
        yield f"replayed again, {counted(again.told.trials, 'episode')}: equal"
        return
    number = len(again.told.episodes)
    if again.dropped:
        are = "is" if len(again.dropped) == 1 else "are"
        yield (
            f"of {counted(number, 'episode')} {len(again.dropped)} {are} not stored here any more"
        )
    if again.now is not None:
        yield f"replayed again: {again.now.tally}; it says {again.told.tally}"


@command.command(
    "export", epilog=options.examples("macla evidence export mine.jsonl --library lib")
)
@click.argument("file", metavar="FILE.jsonl", type=click.Path(path_type=Path, dir_okay=False))
@options.folder(default=".", help=_LIBRARY)
@options.as_json
def export(file: Path, library: Path, as_json: bool) -> None:
    """Write all evidence of a library to FILE.jsonl, one outcome a line.

    The file appears complete or not at all.
    """
    with _of_library(library, read_only=True) as ledger:
        rows = ledger.export_jsonl(file)
    if as_json:
        output.emit_json({"library": str(library), "file": str(file), "rows": rows})
    else:
        output.say(f"{file}: {_rows(rows)}")


@command.command(
    "import",
    epilog=options.examples("macla evidence import theirs.jsonl others.jsonl --library lib"),
)
@click.argument(
    "files",
    metavar="FILE.jsonl...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
)
@options.folder(default=".", help=_LIBRARY)
@options.as_json
def import_(files: tuple[Path, ...], library: Path, as_json: bool) -> None:
    """Add the evidence of exported files to a library.

    A file is added whole or not at all: a broken line is named and nothing of its file is
    kept. Rows that are there already change nothing.
    """
    rows_by_file: dict[str, int] = {}
    with _of_library(library) as ledger:
        for file in files:
            rows_by_file[str(file)] = ledger.import_jsonl(file)
            if not as_json:
                output.say(f"{file}: {_rows(rows_by_file[str(file)])} new")
        total = ledger.total()
    if as_json:
        output.emit_json({"library": str(library), "new": rows_by_file, "rows": total})


@command.command(
    "merge",
    epilog=options.examples(
        "macla evidence merge lib ../other/lib",
        "macla evidence merge postgresql://user@host/evidence lib",
    ),
)
@click.argument("into", metavar="A")
@click.argument("source", metavar="B")
@options.as_json
def merge(into: str, source: str, as_json: bool) -> None:
    """Add the evidence of B to A.

    A and B are library folders, ledgers (evidence.db) or PostgreSQL URLs; B may also be an
    exported file (.jsonl).
    """
    with _opened(into) as target:
        if source.endswith(".jsonl"):
            new = target.import_jsonl(source)
        else:
            with _opened(source, read_only=True) as other:
                new = target.merge((source, outcome) for outcome in other.rows())
        total = target.total()
    if as_json:
        output.emit_json({"into": into, "from": source, "new": new, "rows": total})
    else:
        output.say(f"{into}: {_rows(new)} new, {total} in all")


@command.command("verify", epilog=options.examples("macla evidence verify lib"))
@click.argument("where", metavar="A", default=".")
@click.option("--sum-anew", is_flag=True, help="First make the running totals from the rows.")
@options.as_json
def verify(where: str, sum_anew: bool, as_json: bool) -> None:
    """Check every row of A, and that the running totals are what the rows sum to.

    A is a library folder, a ledger (evidence.db) or a PostgreSQL URL. This reads everything.
    """
    with _opened(where, read_only=not sum_anew) as ledger:
        if sum_anew:
            ledger.sum_anew()
        rows = ledger.verify()
    if as_json:
        output.emit_json({"ledger": where, "rows": rows})
    else:
        output.say(f"{where}: {_rows(rows)}, whole")


def _rows(number: int) -> str:
    return f"{number} {'row' if number == 1 else 'rows'}"


@contextmanager
def _of_library(library: Path, *, read_only: bool = False) -> Iterator[Ledger]:
    from ..procedures.common.errors import LibraryError
    from ..procedures.sharing.exchange import open_evidence

    if not (library / "library.yaml").is_file():
        raise LibraryError(
            "is no library: it has no library.yaml", file=library, hint="name it with --library DIR"
        )
    with open_evidence(library, read_only=read_only) as ledger:
        yield ledger


@contextmanager
def _opened(name: str, *, read_only: bool = False) -> Iterator[Ledger]:
    from ..procedures.common.errors import LedgerError
    from ..procedures.evidence.ledger import Ledger

    path = Path(name)
    if path.is_dir():
        with _of_library(path, read_only=read_only) as ledger:
            yield ledger
        return
    if "://" not in name and not path.is_file():
        raise LedgerError(
            f"there is no {name[:200]!r}; name a library folder, an evidence.db or a URL"
        )
    with Ledger.open(name, read_only=read_only) as ledger:
        yield ledger
