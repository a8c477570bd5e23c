"""``macla proposals``: look at proposed changes of a library, and decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from ..procedures.common.text import counted
from . import options, output
from .diffing import emit_lines
from .lazy_group import LazyGroup

if TYPE_CHECKING:
    from ..adapters.git.proposal_branches import GitStore
    from ..procedures.evidence.ledger import Ledger
    from ..procedures.library.library import Library
    from ..procedures.model.procedure import MetaProcedure, Procedure
    from ..procedures.proposals.proposal import Proposal
    from ..procedures.proposals.proposal_store import FileStore

    Store = FileStore | GitStore

NOTES = {
    "made": "proposed",
    "replaced": "proposed, in the place of an older proposal",
    "waiting": "waits already",
    "kept": "a person edited the proposal that waits; it stays",
    "rejected": "was rejected; offered again when its evidence has doubled",
    "contradicted": "not proposed, replayed episodes speak against it",
    "accepted": "is so already",
}
"""Note of a proposal → its meaning for people."""

_by = click.option("--by", default="", metavar="NAME", help="Who decides (default: git's user).")
_where = click.option(
    "--where",
    metavar="EXPR",
    help='Only those of which this is true, e.g. "replay.gain > 0 and lower_bound > 0.6".',
)
names_argument = click.argument("names", metavar="[ID]...", nargs=-1)
all_option = click.option("--all", "everything", is_flag=True, help="All that wait.")


@contextmanager
def opened(path: Path, *, read_only: bool = False) -> Iterator[tuple[Library, Ledger, Store]]:
    """Open a library, its ledger and the store of its proposals."""
    from ..adapters.git.stores import open_store
    from ..procedures.library.library import Library
    from ..procedures.sharing.exchange import open_evidence

    library = Library.open(path)
    store = open_store(library.path)
    with open_evidence(library.path, read_only=read_only) as ledger:
        yield library, ledger, store


class _Group(LazyGroup):
    elsewhere: ClassVar = {
        name: (f"proposals_{module}", name)
        for module, names in {
            "comment": ("comment",),
            "edit": ("edit", "rebase", "reopen"),
            "more": ("suggest", "replay"),
            "page": ("html", "serve"),
        }.items()
        for name in names
    }


@click.group("proposals", cls=_Group, epilog=options.examples("macla proposals list lib"))
def command() -> None:
    """Look at proposed changes of a library, and accept or reject them.

    In a git work tree a proposal is a branch macla/<change>/<id>-v<n>; elsewhere a file in the
    library's folder proposals/. An ID may be shortened, or be the branch or the procedure's id.
    """


@command.command(
    "list", epilog=options.examples("macla proposals list lib --where 'lower_bound > 0.6'")
)
@options.library_argument
@_where
@click.option("--decided", is_flag=True, help="Those that were accepted or rejected instead.")
@options.as_json
def list_(library: Path, where: str | None, decided: bool, as_json: bool) -> None:
    """List the proposals that wait in the library DIR, in the order in which to accept them."""
    from ..procedures.proposals.rules import Rule
    from ..procedures.proposals.support import unfit_proposals

    rule = Rule(where) if where is not None else None
    with opened(library, read_only=True) as (here, _, store):
        proposals = store.decided() if decided else store.pending()
        unfit = {} if decided else unfit_proposals(here.procedures, proposals)
        if rule is not None:
            proposals = [proposal for proposal in proposals if rule.holds(proposal)]
        for fault in store.faults:
            output.warn(fault)
        if as_json:
            documents = [_short(proposal, store, unfit) for proposal in proposals]
            output.emit_json({"library": str(library), "proposals": documents})
            return
        if not proposals:
            output.say("nothing was decided yet" if decided else "no proposal waits")
            return
        locked = set() if decided else {item.id for item in locked_in(here)}
        _table(proposals, locked, unfit, store)
    for name in unfit:
        output.note(_unfit_text(name, unfit))


def _unfit_text(name: str, unfit: Mapping[str, str]) -> str:
    """Say why a proposal cannot be accepted, whatever else is."""
    return f"{name} does not fit: {unfit[name]}, and no proposal that waits changes that"


def locked_in(library: Library) -> list[Procedure | MetaProcedure]:
    """Return the procedures and plans that people locked, as a whole or in part."""
    items: list[Procedure | MetaProcedure] = [*library.procedures.values()]
    return [item for item in [*items, *library.metas.values()] if item.locked]


def _table(
    proposals: list[Proposal], locked: set[str], unfit: Container[str], store: Store
) -> None:
    from ..procedures.proposals.rules import lower_bound

    rows = []
    names = Counter(proposal.name for proposal in proposals if proposal.status == "pending")
    for proposal in proposals:
        lowest = lower_bound(proposal)
        rows.append(
            [
                proposal.id,
                proposal.status,
                f"{proposal.title}{' (edited)' if proposal.edited else ''}"
                f"{' (locked)' if locked.intersection(proposal.changed) else ''}"
                f"{' (does not fit)' if proposal.id in unfit else ''}"
                f"{f' ({store.where(proposal)})' if names[proposal.name] > 1 else ''}",
                "" if lowest is None else f"{lowest:.3f}",
                *(
                    "" if each is None else f"{each.wins}/{each.losses}/{each.ties}"
                    for each in (proposal.replay, proposal.live)
                ),
            ]
        )
    titles = ["id", "status", "change", "lower bound", "replay +/-/=", "played +/-/="]
    if all(not row[-1] for row in rows):
        titles, rows = titles[:-1], [row[:-1] for row in rows]
    output.table(titles, rows, numbers=(3,))


def _short(proposal: Proposal, store: Store, unfit: Mapping[str, str]) -> dict[str, Any]:
    from ..procedures.proposals.rules import lower_bound

    document = proposal.to_document()
    document["title"] = proposal.title
    document["where"] = store.where(proposal)
    document["lower_bound"] = lower_bound(proposal)
    if proposal.id in unfit:
        document["lacks"] = unfit[proposal.id]
    return document


@command.command("show", epilog=options.examples("macla proposals show lib refine-take-from"))
@options.library_argument
@click.argument("name", metavar="ID")
@options.as_json
def show(library: Path, name: str, as_json: bool) -> None:
    """Show one proposal of the library DIR: why, on what evidence, and what changes."""
    from ..procedures.checks.instructing import instructing_document
    from ..procedures.diff import document_lines
    from ..procedures.proposals.proposal_store import find, named
    from ..procedures.proposals.proposal_words import changes, reasons, words_with
    from ..procedures.proposals.support import unfit_proposals

    with opened(library, read_only=True) as (here, ledger, store):
        waiting = waiting_in(store)
        proposal = find(waiting if named(waiting, name) else store.decided(), name)
        is_waiting = proposal.status == "pending"
        unfit = unfit_proposals(here.procedures, waiting) if is_waiting else {}
        if as_json:
            output.emit_json(_short(proposal, store, unfit))
            return
        output.say(output.strong(proposal.title))
        place = store.where(proposal) if is_waiting else proposal.status
        output.say(output.dim(f"{proposal.id}  {proposal.created}  {place}"))
        if proposal.why:
            output.say(f"{proposal.status} by {proposal.by or 'nobody'}: {proposal.why}")
        output.say()
        for line in reasons(proposal):
            output.say(line)
        if is_waiting:
            if proposal.id in unfit:
                output.say(_unfit_text(proposal.id, unfit))
            for name in proposal.changed:
                if present_text := _present(here, ledger, name):
                    output.say(f"{name}: {present_text}" if proposal.parts else present_text)
        for where, passage in instructing_document(proposal.to_document()):
            output.warn(f"{'.'.join(map(str, where))}: {passage}")
        for each in changes(proposal, words_with(here.ontology, waiting)):
            output.say()
            emit_lines(document_lines(each))


def _present(library: Library, ledger: Ledger, name: str) -> str:
    """Return the evidence of a present version in words; empty where there is none."""
    from ..procedures.proposals.inheritance import counts_of, live_counts

    item = library.find(name)
    if item is None:
        return ""
    worked, failed = counts_of(live_counts(library, ledger, name), item)
    return (
        f"Version {item.version}, in the library: worked {counted(worked, 'time')}, "
        f"failed {counted(failed, 'time')}"
    )


def waiting_in(store: Store) -> list[Proposal]:
    """Return the proposals that wait; tell what could not be read."""
    waiting = store.pending()
    for fault in store.faults:
        output.warn(fault)
    return waiting


def chosen(
    waiting: list[Proposal], names: tuple[str, ...], everything: bool, where: str | None = None
) -> list[Proposal]:
    """Return the named proposals, or all for which a rule holds."""
    from ..procedures.proposals.proposal_store import find
    from ..procedures.proposals.rules import Rule

    if bool(names) == everything:
        raise click.UsageError("name proposals, or say --all")
    if where is not None and not everything:
        raise click.UsageError("--where goes with --all")
    rule = Rule(where) if where is not None else None
    if everything:
        return [p for p in waiting if rule is None or rule.holds(p)]
    ids = {find(waiting, name).id for name in names}
    return [p for p in waiting if p.id in ids]


@command.command(
    "accept",
    epilog=options.examples(
        "macla proposals accept lib refine-take-from",
        "macla proposals accept lib --all --where 'replay.gain > 0 and lower_bound > 0.6'",
    ),
)
@options.library_argument
@names_argument
@all_option
@_where
@_by
@options.as_json
@click.pass_context
def accept(
    ctx: click.Context,
    library: Path,
    names: tuple[str, ...],
    everything: bool,
    where: str | None,
    by: str,
    as_json: bool,
) -> None:
    """Accept proposals of the library DIR: write them, and in git commit them.

    What people changed meanwhile stays: the proposal is merged with it by keys and steps, or
    handed back. Exit code 1: some could not be accepted; they wait on.
    """
    from ..procedures.common.errors import LockError, MaclaError
    from ..procedures.library.undo import undoable
    from ..procedures.proposals.proposal_store import FileStore, refuse_before_needed
    from ..procedures.sharing.exchange import write_lock

    accepted: list[Proposal] = []
    reason_by_id: dict[str, str] = {}
    with (
        undoable(library, f"accepting {' '.join(names) or 'proposals'}"),
        opened(library) as (opened_library, ledger, store),
        output.bar("accepting", quiet=as_json) as bar,
    ):
        store.settle(opened_library, ledger)
        listed = waiting_in(store)
        picked = chosen(listed, names, everything, where)
        waiting = {proposal.id: proposal for proposal in listed}
        for number, proposal in enumerate(picked):
            bar(number, len(picked))
            try:
                opened_library.refresh()
                refuse_before_needed(opened_library, proposal, waiting.values())
                accepted.append(store.accept(opened_library, ledger, proposal, by))
                waiting.pop(proposal.id, None)
            except LockError as error:
                reason_by_id |= dict.fromkeys((p.id for p in picked[number:]), str(error))
                break  # it would be so for each of them
            except MaclaError as error:
                reason_by_id[proposal.id] = str(error)
        # In git each commit takes it along. An earlier run may have been killed just before it.
        if isinstance(store, FileStore) and (accepted or not picked):
            write_lock(opened_library, ledger)
    if as_json:
        output.emit_json({"accepted": [p.id for p in accepted], "left": reason_by_id})
    else:
        for proposal in accepted:
            output.say(f"accepted {proposal.id}: {proposal.title}")
        for name, why in reason_by_id.items():
            output.note(f"{name} waits on: {why}")
        if not picked:
            output.say("no proposal to accept")
    ctx.exit(1 if reason_by_id else 0)


@command.command(
    "reject", epilog=options.examples("macla proposals reject lib new-look --why 'too rare'")
)
@options.library_argument
@names_argument
@all_option
@_where
@click.option("--why", required=True, metavar="TEXT", help="Why; it is remembered.")
@_by
@options.as_json
def reject(
    library: Path,
    names: tuple[str, ...],
    everything: bool,
    where: str | None,
    why: str,
    by: str,
    as_json: bool,
) -> None:
    """Reject proposals of the library DIR: not offered again until their evidence has doubled."""
    from ..procedures.proposals.support import unfit_proposals

    if not why.strip():
        raise click.UsageError("--why wants a reason")
    with opened(library) as (opened_library, ledger, store):
        store.settle(opened_library, ledger)
        rejected = [
            store.reject(opened_library, ledger, proposal, why, by)
            for proposal in chosen(waiting_in(store), names, everything, where)
        ]
        unfit = unfit_proposals(opened_library.procedures, store.pending())
    if as_json:
        ids = [proposal.id for proposal in rejected]
        output.emit_json({"rejected": ids, "unfit": unfit})
        return
    for proposal in rejected:
        output.say(f"rejected {proposal.id}: {proposal.title}")
    for name in unfit:
        output.note(_unfit_text(name, unfit))
