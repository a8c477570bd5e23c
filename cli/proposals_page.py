"""``macla proposals html`` and ``serve``: a page to review on."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import click

from . import options, output


@click.command("html", epilog=options.examples("macla proposals html lib -o review.html"))
@options.library_argument
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    metavar="FILE",
    help="Where to write the page.",
)
@options.as_json
def html(library: Path, target: Path, as_json: bool) -> None:
    """Write one self-contained page with the waiting proposals of the library DIR.

    The page needs no network: open it in a browser, attach it to a mail, keep it with a build.
    """
    from ..procedures.documents.yaml_io import atomic_write

    page, proposal_count, faults = _page(library, served=False)
    atomic_write(target, page.encode("utf-8", "replace"))
    for fault in faults:
        output.warn(fault)
    if as_json:
        output.emit_json({"file": str(target), "proposals": proposal_count, "faults": faults})
    else:
        output.say(
            f"{target}: {proposal_count} {'proposal' if proposal_count == 1 else 'proposals'}"
        )


@click.command(
    "serve",
    epilog=options.examples("macla proposals serve lib", "macla proposals serve lib --port 8420"),
)
@options.library_argument
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port on 127.0.0.1 (default: any that is free).",
)
@click.option("--open", "opened", is_flag=True, help="Open the page in a browser.")
@options.as_json
def serve(library: Path, port: int, opened: bool, as_json: bool) -> None:
    """Serve the page on this machine, with buttons to accept and reject.

    Only 127.0.0.1 is listened on, and only the address that is printed, which holds a random
    token, opens the page. Ctrl-C ends it.
    """
    from ..adapters.review_page import Decisions, ReviewServer

    accept, reject = _deciders(library)
    _page(library, served=True)  # what cannot be shown is told before, not in the browser
    decisions = Decisions(lambda: _page(library, served=True)[0], accept, reject)
    try:
        server = ReviewServer(decisions, port)
    except OSError as error:
        raise click.ClickException(f"port {port} cannot be used: {error.strerror}") from error
    with server:
        if as_json:
            output.emit_json({"url": server.url})
        else:
            output.say(f"review at {server.url}")
        output.note("Ctrl-C ends it")
        if opened:
            click.launch(server.url)
        try:
            server.serve_forever(poll_interval=0.1)
        except KeyboardInterrupt:
            output.note("\nstopped; what was decided is kept")


def _page(library: Path, *, served: bool) -> tuple[str, int, list[str]]:
    """Return the page, the number of its proposals, and the faults in reading them."""
    from ..adapters.git.stores import open_store
    from ..adapters.review_page import make_card, render_page
    from ..procedures.library.library import Library
    from ..procedures.proposals.proposal_words import words_with
    from ..procedures.proposals.support import unfit_proposals
    from .evidence import counts_of

    opened_library = Library.open(library)
    current = {name: item.version for name, item in opened_library.procedures.items()}
    current |= {name: item.version for name, item in opened_library.metas.items()}
    counts = counts_of(opened_library)
    store = open_store(opened_library.path)
    waiting = store.pending()
    words = words_with(opened_library.ontology, waiting)
    unfit = unfit_proposals(opened_library.procedures, waiting)
    cards = [
        make_card(each, current, counts, words, lacks=unfit.get(each.id, "")) for each in waiting
    ]
    now = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
    name = opened_library.settings.domain
    page = render_page(cards, library=name, made=now, faults=store.faults, served=served)
    return page, len(cards), store.faults


def _deciders(library: Path) -> tuple[Callable[[str], str], Callable[[str, str], str]]:
    """Return the functions that accept a proposal, and reject one for a reason."""
    from ..procedures.proposals.proposal_store import find, refuse_before_needed
    from .proposals import opened

    def accept(name: str) -> str:
        with opened(library) as (opened_library, ledger, store):
            store.settle(opened_library, ledger)
            waiting = store.pending()
            proposal = find(waiting, name)
            refuse_before_needed(opened_library, proposal, waiting)
            return f"accepted: {store.accept(opened_library, ledger, proposal, '').title}"

    def reject(name: str, why: str) -> str:
        with opened(library) as (opened_library, ledger, store):
            proposal = find(store.pending(), name)
            return f"rejected: {store.reject(opened_library, ledger, proposal, why, '').title}"

    return accept, reject
