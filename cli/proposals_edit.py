"""``macla proposals edit``, ``rebase`` and ``reopen``: change what waits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from . import options, output
from .proposals import all_option, chosen, names_argument, opened, waiting_in


@click.command(
    "edit",
    epilog=options.examples(
        "macla proposals edit lib refine-take-from",
        "macla proposals edit lib refine-take-from --file better.yaml",
    ),
)
@options.library_argument
@click.argument("name", metavar="ID")
@click.option(
    "--file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Take the new version from FILE instead of opening $EDITOR.",
)
@click.option("--by", default="", metavar="NAME", help="Who edits (default: git's user).")
@options.as_json
def edit(library: Path, name: str, file: Path | None, by: str, as_json: bool) -> None:
    """Change what a proposal of the library DIR proposes, in $EDITOR or from a file.

    FILE takes the place of the document of its kind and id. The proposal says from then on that it
    was edited and by whom, and has no replay until it is replayed.
    """
    from ..procedures.documents.plain_data import thaw
    from ..procedures.documents.yaml_dump import dump_yaml
    from ..procedures.documents.yaml_io import read_bytes
    from ..procedures.files.parsing import parse
    from ..procedures.proposals.proposal import document_key
    from ..procedures.proposals.proposal_documents import canonical, name_of
    from ..procedures.proposals.proposal_store import find

    with opened(library) as (opened_library, _, store):
        proposal = find(store.pending(), name)
        replacement = None if file is None else parse(read_bytes(file), None, file).to_document()
        documents = []
        for document in proposal.new:
            changed: Mapping[str, Any] = document
            if replacement is None:
                text = click.edit(dump_yaml(thaw(document)), extension=".yaml")
                if text is not None:
                    edited = Path(f"{name_of(document)}.yaml")
                    changed = parse(text.encode(), None, edited).to_document()
                if document_key(changed) != document_key(document):
                    raise click.UsageError(f"kind and id must stay those of {name_of(document)!r}")
            elif document_key(replacement) == document_key(document):
                changed = replacement
            documents.append(canonical(changed))
        if replacement is not None and document_key(replacement) not in map(
            document_key, proposal.new
        ):
            names = ", ".join(repr(name_of(document)) for document in proposal.new)
            raise click.UsageError(f"kind and id must be those of a document of it: {names}")
        is_unchanged = tuple(documents) == tuple(thaw(d) for d in proposal.new)
        if not is_unchanged:
            store.replace(opened_library, proposal, proposal.edited_by(by or store.who, documents))
    if as_json:
        output.emit_json({"id": proposal.id, "changed": not is_unchanged})
        return
    output.say(f"{proposal.id} {'is as it was' if is_unchanged else 'now proposes what you wrote'}")


@click.command("rebase", epilog=options.examples("macla proposals rebase lib --all"))
@options.library_argument
@names_argument
@all_option
@options.as_json
@click.pass_context
def rebase(
    ctx: click.Context, library: Path, names: tuple[str, ...], everything: bool, as_json: bool
) -> None:
    """Make proposals of the library DIR changes of what stands there now.

    Exit code 1: some collide with what people changed; these stay as they were.
    """
    from ..procedures.common.errors import MaclaError
    from ..procedures.proposals.proposal_store import rebase_in

    with opened(library) as (opened_library, _, store):
        picked = chosen(waiting_in(store), names, everything)
        reason_by_id: dict[str, str] = {}
        for proposal in picked:
            try:
                rebase_in(store, opened_library, proposal)
            except MaclaError as error:  # noqa: PERF203 - the others can be rebased
                reason_by_id[proposal.id] = str(error)
        rebased_ids = [proposal.id for proposal in picked if proposal.id not in reason_by_id]
    if as_json:
        output.emit_json({"rebased": rebased_ids, "left": reason_by_id})
    else:
        for each in rebased_ids:
            output.say(f"rebased {each}")
        for each, why in reason_by_id.items():
            output.note(f"{each}: {why}")
    ctx.exit(1 if reason_by_id else 0)


@click.command("reopen", epilog=options.examples("macla proposals reopen lib refine-use-v2-87df71"))
@options.library_argument
@click.argument("name", metavar="ID")
@options.as_json
def reopen(library: Path, name: str, as_json: bool) -> None:
    """Let a rejected proposal of the library DIR wait again (see list --decided)."""
    from ..procedures.proposals.proposal_store import find, named

    with opened(library) as (opened_library, ledger, store):
        rejected = [each for each in store.decided() if each.status == "rejected"]
        known = rejected if named(rejected, name) else waiting_in(store)
        placed = store.reopen(opened_library, ledger, find(known, name))
    if as_json:
        output.emit_json({"id": placed.proposal.id, "where": placed.where, "note": placed.note})
        return
    again = "waits already" if placed.note == "waiting" else "waits again"
    output.say(f"{placed.proposal.title}: {again} ({placed.where})")
