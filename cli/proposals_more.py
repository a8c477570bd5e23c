"""``macla proposals suggest`` and ``replay``: proposals from evidence, and evidence for them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output
from .keyed import Keyed, keyed
from .proposals import NOTES, all_option, chosen, names_argument, opened, waiting_in

if TYPE_CHECKING:
    from ..evals.running.live_replay import LiveReplay
    from ..procedures.evidence.ledger import Ledger
    from ..procedures.library.library import Library
    from ..procedures.proposals.proposal import Replay
    from ..procedures.proposals.proposal_store import ProposalStore
    from ..procedures.proposals.replay import Replayer


@click.command("suggest", epilog=options.examples("macla proposals suggest lib"))
@options.library_argument
@options.as_json
def suggest(library: Path, as_json: bool) -> None:
    """Propose what the evidence of the library DIR asks for.

    A version that is credibly worse than its parent is to be rolled back, and a status that the
    rules of trust in library.yaml contradict is to change.
    """
    from ..adapters.git.commit_history import revisions_of
    from ..procedures.proposals.policy import submit
    from ..procedures.proposals.rollback import propose_rollbacks
    from ..procedures.proposals.trust import propose_status

    with opened(library) as (opened_library, ledger, store):
        store.settle(opened_library, ledger)
        proposals = [
            *propose_rollbacks(
                opened_library, ledger, lambda name: revisions_of(opened_library, name)
            ),
            *propose_status(opened_library, ledger),
        ]
        placed = [
            submit(opened_library, ledger, proposal, "review", store) for proposal in proposals
        ]
    if as_json:
        documents = [
            {"id": each.proposal.id, "note": each.note, "where": each.where} for each in placed
        ]
        output.emit_json({"proposals": documents})
        return
    for each in placed:
        where = f" ({each.where})" if each.where else ""
        output.say(f"{each.proposal.title}: {NOTES[each.note]}{where}")
    if not placed:
        output.say("the evidence asks for no change")


@click.command(
    "replay",
    cls=Keyed,
    epilog=options.examples(
        "macla proposals replay lib --all --episodes episodes.jsonl",
        "macla proposals replay lib refine-use --live alfworld --split valid_seen --limit 20",
    ),
)
@options.library_argument
@names_argument
@all_option
@click.option(
    "--episodes",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="File of episodes (default: those that the library keeps).",
)
@click.option("--live", metavar="SUITE", help="Play tasks of a suite under both versions instead.")
@click.option("--split", metavar="SPLIT", help="With --live: which tasks.")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, metavar="N")
@options.seed
@keyed(
    "--world",
    "With --live: which world; see below.",
    {key: options.world_keys[key] for key in ("game", "goals", "data")},
)
@options.as_json
@click.pass_context
def replay(
    ctx: click.Context,
    /,
    library: Path,
    names: tuple[str, ...],
    everything: bool,
    episodes: Path | None,
    live: str | None,
    split: str | None,
    limit: int,
    seed: int,
    as_json: bool,
    **world: Any,
) -> None:
    """Replay proposals of the library DIR: what would old and new version have done?

    The result is written into the proposal. Stored episodes are replayed without playing; with
    --live SUITE, N tasks are played under both versions, which is kept beside the other result.
    Exit code 1: some cannot be replayed, since they cannot be accepted or a game broke off.
    """
    from ..procedures.common.errors import EnvironmentFailure, ProposalError

    if live is None:
        options.refuse_given(ctx, "goes with --live", "split", "limit", "seed", *world)
    elif split is None:
        raise click.UsageError("--live needs --split")
    results: dict[str, Replay] = {}
    reason_by_id: dict[str, str] = {}
    with (
        opened(library) as (opened_library, ledger, store),
        output.bar("replaying", quiet=as_json) as bar,
    ):
        proposals = chosen(waiting_in(store), names, everything)
        player: Any
        if live is None:
            player = _stored(opened_library, store, episodes)
        else:
            player = _live(
                live, split or "", opened_library, ledger, store, limit, seed, world, bar
            )
        field = "replay" if live is None else "live"
        for number, proposal in enumerate(proposals):
            bar.stage(f"replaying {proposal.id} ({number + 1} of {len(proposals)})")
            try:
                result = player.replay(proposal)
                if result is None:
                    continue
                updated = dataclasses.replace(proposal, **{field: result})
                store.replace(opened_library, proposal, updated)
            except (ProposalError, EnvironmentFailure) as error:
                reason_by_id[proposal.id] = str(error)
                continue
            results[proposal.id] = result
    if as_json:
        documents = {n: {**each.to_document(), "gain": each.gain} for n, each in results.items()}
        output.emit_json({"replayed": documents, "left": reason_by_id})
        ctx.exit(1 if reason_by_id else 0)
    for name, result in results.items():
        output.say(
            f"{name}: {result.tally} (gain {result.gain:+.3f}, 95 % {result.ci[0]:+.3f} to "
            f"{result.ci[1]:+.3f})"
        )
    for name, why in reason_by_id.items():
        output.note(f"{name}: {why}")
    if not results and not reason_by_id:
        output.say("nothing that could be replayed")
    ctx.exit(1 if reason_by_id else 0)


def _stored(library: Library, store: ProposalStore, episodes: Path | None) -> Replayer:
    from ..procedures.common.errors import ProposalError
    from ..procedures.episodes.trajectories import read_trajectories
    from ..procedures.proposals.again import whole_episodes
    from ..procedures.proposals.replay import Replayer

    stored = list(read_trajectories(episodes)) if episodes else whole_episodes(library)
    if not stored:
        raise ProposalError(f"{library.path}: keeps no episodes (name some with --episodes FILE)")
    return Replayer.of(stored, library, store.pending())


def _live(
    suite: str,
    split: str,
    library: Library,
    ledger: Ledger,
    store: ProposalStore,
    limit: int,
    seed: int,
    world: dict[str, Any],
    bar: output.Bar,
) -> LiveReplay:
    from ..evals.running.live_replay import LiveReplay
    from ..evals.suites.suites import make_suite

    return LiveReplay(
        make_suite(suite, **world),
        split,
        library=library,
        ledger=ledger,
        waiting=store.pending(),
        limit=limit,
        seed=seed,
        progress=bar,
    )
