"""``macla learn`` from episodes that are there: teach them to a library and say what came of it."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output
from .lesson_proof import document_of, print_proof, proof_of_lesson

if TYPE_CHECKING:
    from ..adapters.reasoners.gaps import Filled
    from ..evals.proving_report import LibraryProof
    from ..evals.segmenting import Segmented
    from ..evals.teaching import Teaching
    from ..procedures.episodes.trajectories import Trajectory
    from .learn_options import LearnOptions

__all__ = [
    "Lesson",
    "learn_lesson",
    "print_filled",
    "print_removed",
    "print_segmented",
    "tell_skipped",
]


_NAMED = 20
"""Most names of what was removed or skipped that are told."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is learned from.

    Attributes:
        trajectories: The episodes.
        domain: Name of the domain; empty if it goes by the library or the file.
        facts: What the library records about where it was learned from.
        left: Games that were not learned from.
        skipped: Episodes that cannot be read, and why.
    """

    trajectories: Sequence[Trajectory]
    domain: str
    facts: Mapping[str, Any]
    left: Sequence[str] = ()
    skipped: Sequence[str] = ()


def learn_lesson(
    ctx: click.Context, wanted: LearnOptions, read: Callable[[LearnOptions, output.Bar], Lesson]
) -> int:
    """Read a lesson and teach it: at once, or by proposals where the library is under review.

    Returns:
        1 where something was left out, which is named; else 0.

    Raises:
        click.UsageError: A part is left out although differences would be proposed.
        LibraryError: The folder cannot be used.
    """
    from ..adapters.reasoners.gaps import LEARNING
    from ..adapters.reasoners.models import ReasonerName
    from .practising import check_preset
    from .reviewing import domain_of_library, print_reviewed, way_of

    reasoner = wanted.reasoner
    budget = options.budget_of(
        reasoner,
        LEARNING,
        wanted.segmenter,
        calls=wanted.model_calls,
        tokens=wanted.model_tokens,
        timeout=wanted.model_timeout,
    )
    options.check_reasoner(reasoner)
    segmenter = options.check_segmenter(wanted.segmenter)
    way = way_of(wanted.library, wanted.policy)
    if way is not None:
        what = "is for experiments; it does not go with proposals"
        options.refuse_given(ctx, what, "without", "preset", "executor")
    elif (wanted.library / "library.yaml").exists():
        check_preset(wanted.library, wanted.preset)
    with output.bar("reading", quiet=wanted.as_json) as bar, _uncollected():
        lesson = read(wanted, bar)
        there = domain_of_library(wanted.library)
        seed = {} if wanted.seed is None else {"seed": wanted.seed}
        common: dict[str, Any] = {
            "domain": lesson.domain or there or _domain_of(wanted.source),
            "source": {**lesson.facts, **seed},
            "scramble": wanted.scramble,
            "replace_all": wanted.replace,
            "reasoner": ReasonerName.parse(reasoner),
            "segmenter": segmenter,
            "budget": budget,
            "stage": bar.stage,
        }
        if way is None:
            from ..evals.executors import each_of
            from ..evals.teaching import teach

            common |= {"without": wanted.without, "preset": wanted.preset}
            with each_of(wanted.executor, wanted.jobs or os.cpu_count() or 1) as each:
                taught = teach(wanted.library, lesson.trajectories, each=each, **common)
            for warning in taught.warnings:
                output.warn(f"{wanted.library}: {warning}")
            bar.stage("proving")
            proof = proof_of_lesson(wanted.library)
        else:
            from ..evals.reviewed_learning import teach_by_review

            reviewed = teach_by_review(
                wanted.library, lesson.trajectories, policy=way, progress=bar, **common
            )
    if wanted.unused is not None:
        _write_list(wanted.unused, lesson.left, wanted.source)
    skipped = [*lesson.skipped, *(taught.skipped if way is None else ())]
    if way is not None:
        print_reviewed(reviewed, way, wanted)
    elif wanted.as_json:
        output.emit_json(_document(taught, wanted, len(lesson.left), proof, skipped))
    else:
        _print(taught, wanted, len(lesson.left), proof)
    return tell_skipped(skipped)


def tell_skipped(skipped: Sequence[str]) -> int:
    """Name what was left out; return the exit code, 1 if there is any."""
    for each in skipped[:_NAMED]:
        output.warn(f"skipped: {each}")
    if len(skipped) > _NAMED:
        output.warn(f"{len(skipped) - _NAMED} more were skipped")
    return int(bool(skipped))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Leave garbage: a short run keeps what it makes, and collecting costs it a tenth more."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _domain_of(source: str) -> str:
    stem = Path(source).stem
    return "".join(letter if letter.isprintable() else "_" for letter in stem)[:200] or "file"


def _write_list(unused: Path, games: Sequence[str], source: str) -> None:
    import os
    import secrets

    text = f"# games of {source} that were not learned from\n" + "".join(f"{g}\n" for g in games)
    temporary = unused.with_name(f".{unused.name}.{secrets.token_hex(6)}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, unused)
    finally:
        temporary.unlink(missing_ok=True)


def _document(
    taught: Teaching,
    wanted: LearnOptions,
    left: int,
    proof: LibraryProof | None,
    skipped: Sequence[str],
) -> dict[str, Any]:
    document: dict[str, Any] = {
        "library": str(taught.library),
        "domain": taught.domain,
        "created": taught.created,
        "episodes": taught.episodes,
        "before": taught.before,
        "successes": taught.successes,
        "procedures": taught.procedures,
        "metas": taught.metas,
        "programs": dict(taught.programs),
        "seconds": round(taught.seconds, 3),
        "seed": wanted.seed,
        "scramble": wanted.scramble,
        "library_hash": taught.library_hash,
        "changed": list(taught.changed),
        "removed": list(taught.removed),
        "warnings": list(taught.warnings),
        "refused": list(taught.refused),
        "skipped": len(skipped),
        "skipped_because": list(skipped),
        "proof": document_of(proof),
    }
    if taught.filled is not None:
        document["model"] = asdict(taught.filled)
    if taught.segmented is not None:
        document["segmenter"] = asdict(taught.segmented)
    if wanted.unused is not None:
        document |= {"unused": str(wanted.unused), "unused_games": left}
    return document


def print_filled(filled: Filled) -> None:
    """Say what a model added to what was learned."""
    output.say(
        f"  without a plan {filled.gaps:>3} tasks; the model was asked about {filled.asked} "
        f"and added {filled.plans} plans, {filled.procedures} procedures "
        f"({filled.calls} calls, {filled.tokens} tokens)"
    )
    for why in filled.refused[:5]:
        output.say(output.dim(f"    not taken: {why}"))


def print_segmented(segmented: Segmented) -> None:
    """Say what became of a model's segmentation."""
    if not segmented.goals:
        output.say(
            f"  segmented by {segmented.model}: nothing, programs explain all that was shown"
        )
        return
    output.say(
        f"  segmented by {segmented.model}: {segmented.kept} of {segmented.goals} goals, "
        f"{segmented.procedures} procedures; {segmented.symbolic} as symbols do "
        f"({segmented.calls} calls, {segmented.tokens} tokens)"
    )
    for why in segmented.refused[:5]:
        output.say(output.dim(f"    not taken: {why}"))


def print_removed(names: Sequence[str]) -> None:
    """Say what went for want of room."""
    if names:
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        told = ", ".join(names[:_NAMED]) + more
        output.say(f"removed for want of room (capacity in library.yaml): {told}")


def _print(taught: Teaching, wanted: LearnOptions, left: int, proof: LibraryProof | None) -> None:
    verb = "made" if taught.created else "updated"
    output.say(f"{output.strong(str(wanted.library))} {verb} ({taught.domain})")
    before = f", {taught.before} of them from before" if taught.before else ""
    output.say(f"  episodes    {taught.episodes:>6} ({taught.successes} successes{before})")
    output.say(f"  procedures  {taught.procedures:>6}")
    output.say(f"  metas       {taught.metas:>6}")
    if taught.programs:
        output.say(f"  programs    {len(taught.programs):>6}")
        for name, said in taught.programs.items():
            output.say(f"    {name}: {said}")
    for why in taught.refused:
        output.say(f"  a program that plans was tried and is not used: {why}")
    output.say(f"  seconds     {taught.seconds:>6.2f}")
    print_proof(proof)
    print_removed(taught.removed)
    if taught.filled is not None:
        print_filled(taught.filled)
    if taught.segmented is not None:
        print_segmented(taught.segmented)
    if wanted.unused is not None:
        output.say(f"  {left} games were not learned from: {wanted.unused}")
    output.say(f"\nTry next:\n  macla list {wanted.library}\n  {_evaluation(wanted)}")


def _evaluation(wanted: LearnOptions) -> str:
    """Return the command that plays what was learned."""
    words = f" --world scramble={wanted.scramble}" if wanted.scramble is not None else ""
    if wanted.source == "alfworld":
        split = wanted.unused or "valid_seen"
        older = " --world dialect=2.1.1" if wanted.agent_logs else ""
        return f"macla eval alfworld --library {wanted.library} --split {split}{older}{words}"
    if wanted.source == "textworld":
        game = f" --world game={wanted.game}" if wanted.game else ""
        library = f"--library {wanted.library}"
        return f"macla eval textworld{game} {library} --split dev --world admissible{words}"
    if wanted.source == "intercode-sql":
        split = wanted.hold_out or ("db" if wanted.exclude_db else "own")
        return f"macla eval intercode-sql --library {wanted.library} --split {split}{words}"
    if wanted.source == "webshop":
        split = wanted.unused or "dev"
        return f"macla eval webshop --library {wanted.library} --split {split}{words}"
    if wanted.source == "travelplanner":
        return f"macla eval travelplanner --library {wanted.library} --split dev{words}"
    if wanted.source.endswith((".yaml", ".yml")):
        from ..evals.suite_files import suite_of

        splits = suite_of(wanted.source).splits
        split = next((name for name, each in splits.items() if each.role != "train"), "SPLIT")
        return f"macla eval {wanted.source} --library {wanted.library} --split {split}{words}"
    return f"macla eval module:Class --library {wanted.library} --split TASKS.txt{words}"
