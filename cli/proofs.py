"""Proofs as commands make and print them: after learning, and by ``macla check --proof``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import output

if TYPE_CHECKING:
    from ..adapters.proving.proving_report import LibraryProof
    from ..procedures.episodes.trajectories import Trajectory
    from ..procedures.proof.proof import Proof
    from ..procedures.tooling.tool_episodes import ToolEpisode

_KINDS = 10
"""Most kinds of divergences that are printed."""
_TASK = 60
"""Most characters of a task in a line."""


def document_of(proof: LibraryProof | None) -> dict[str, Any] | None:
    """Return the document of a proof for ``macla learn --json``."""
    return None if proof is None else proof.summary.to_document()


def print_proof(proof: LibraryProof | None) -> None:
    """Print the share of reproduced demonstrations and the most frequent first divergence."""
    if proof is None:
        return
    from ..procedures.learning.proved import in_words

    summary = proof.summary
    total_text = f"of {summary.of} demonstrations"
    if summary.of < summary.demonstrations:
        total_text = f"of {summary.of} (a sample of {summary.demonstrations:,})"
    kinds = proof.here.kinds[:1]
    divergence_text = "".join(f"; {each.count} times {in_words(each.example)}" for each in kinds)
    output.say(f"  reproduced  {summary.reproduced:>6} {total_text}{divergence_text}")


def proof_of_lesson(library: Path) -> LibraryProof | None:
    """Return the proof of a library that was just taught; None, with a warning, if it fails."""
    from ..adapters.proving.proving import prove_lesson

    try:
        return prove_lesson(library)
    except Exception as error:  # a fault of the proof is no fault of learning
        output.warn(f"what was learned was not proved: {error}")
        return None


def prove(
    library: Path,
    files: Sequence[Path],
    *,
    folds: int,
    no_folds: bool,
    limit: int | None,
    form: str,
    seed: int,
    as_json: bool,
) -> None:
    """Prove a library and print what it reproduces.

    Args:
        library: Its folder.
        files: Demonstrations; none stands for those that it keeps.
        folds: Into how many parts demonstrations are held out.
        no_folds: Whether nothing is held out.
        limit: How many demonstrations to draw; None stands for all.
        form: What the files hold.
        seed: Seed of sample and folds.
        as_json: Whether to print one document.
    """
    from ..adapters.proving.proving import prove_library

    with output.bar("reading", quiet=as_json) as bar:
        episodes = _read(files, form) if files else None
        proof = prove_library(
            library,
            episodes,
            folds=0 if no_folds else folds,
            limit=limit,
            seed=seed,
            progress=bar,
        )
    if as_json:
        output.emit_json(proof.to_document())
    else:
        _print(proof)


def _read(files: Sequence[Path], form: str) -> Sequence[Trajectory] | Sequence[ToolEpisode]:
    """Read demonstrations as ``macla learn`` does."""
    from ..procedures.common.errors import DataError
    from ..procedures.episodes.trajectories import read_trajectories
    from .observing import format_of_files

    missing = next((file for file in files if not file.is_file()), None)
    if missing is not None:
        raise DataError(f"{missing}: there is no such file")
    form = format_of_files(files, form)
    if form == "episodes":
        return [each for file in files for each in read_trajectories(file)]
    from ..adapters.langchain.logs import episodes_from

    runs = [each for file in files for each in episodes_from(file, form)]
    if not runs:
        raise DataError(f"{', '.join(map(str, files))}: no run of an agent that calls tools")
    return runs


def _print(proof: LibraryProof) -> None:
    here = proof.here
    if here.of < proof.demonstrations:
        output.say(f"a sample of {here.of} of {proof.demonstrations:,} demonstrations")
    if proof.left_out:
        output.say(f"{proof.left_out} episodes that failed are no demonstrations")
    output.say(f"{_rate(here)}, {_bits(here)}  [the library as it is]")
    if proof.held_out is not None and proof.floor is not None:
        held_out, floor = proof.held_out, proof.floor
        folds_text = f" held out in {proof.folds} folds"
        output.say(f"{_rate(held_out, folds_text)}, {_bits(held_out)}")
        floor_text = "by the nearest demonstration re-bound, held out"
        output.say(f"{floor.reproduced} of {floor.of} {floor_text}  [the floor]")
    _print_kinds(here)


def _rate(proof: Proof, where: str = "") -> str:
    interval = proof.interval
    bounds = f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"
    count = output.strong(f"{proof.reproduced} of {proof.of}")
    searched = f", {proof.searched} of them only by searching" if proof.searched else ""
    return f"{count} reproduced{where} ({output.percent(proof.share)}, {bounds}){searched}"


def _bits(proof: Proof) -> str:
    return f"{proof.bits_an_action:.2f} bits an action"


def _print_kinds(proof: Proof) -> None:
    from ..procedures.learning.proved import in_words

    if not proof.kinds:
        return
    output.say("first divergences (library as it is):")
    for kind in proof.kinds[:_KINDS]:
        task = " ".join(kind.example.task.split())
        task = task if len(task) <= _TASK else task[: _TASK - 1] + "…"
        output.say(f'  {kind.count:>3}  {in_words(kind.example)}; e.g. task "{task}"')
    if (kinds_left := len(proof.kinds) - _KINDS) > 0:
        count_left = sum(kind.count for kind in proof.kinds[_KINDS:])
        output.say(f"       and {count_left} of {kinds_left} more kinds (--json has all)")
