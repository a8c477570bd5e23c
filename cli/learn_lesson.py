"""``macla learn`` from episodes: teach them to a library and print the result."""

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
from .proofs import document_of, print_proof, proof_of_lesson

if TYPE_CHECKING:
    from ..adapters.proving.proving_report import LibraryProof
    from ..adapters.reasoners.gaps import Filled
    from ..adapters.teaching.segmenting import Segmented
    from ..adapters.teaching.teaching import Teaching
    from ..procedures.episodes.trajectories import Trajectory
    from .learn_options import LearnOptions

_NAMED = 20
"""Most names of removed or skipped documents that are printed."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """Episodes to learn from.

    Attributes:
        trajectories: The episodes.
        domain: Name of the domain; empty if the library or the file tells it.
        facts: Facts about the origin that the library records.
        left: Games that are not learned from.
        skipped: Messages about episodes that cannot be read.
    """

    trajectories: Sequence[Trajectory]
    domain: str
    facts: Mapping[str, Any]
    left: Sequence[str] = ()
    skipped: Sequence[str] = ()


def learn_lesson(
    ctx: click.Context, arguments: LearnOptions, read: Callable[[LearnOptions, output.Bar], Lesson]
) -> int:
    """Read a lesson and teach it: at once, or by proposals where the library is under review.

    Returns:
        1 where something was skipped, which is printed; else 0.

    Raises:
        click.UsageError: Options for experiments are given although differences are proposed.
        LibraryError: The folder cannot be used.
    """
    from ..adapters.reasoners.gaps import LEARNING
    from ..adapters.reasoners.models import ReasonerName
    from .practising import check_preset
    from .reviewing import domain_of_library, print_reviewed, way_of

    reasoner = arguments.reasoner
    budget = options.budget_of(
        reasoner,
        LEARNING,
        arguments.segmenter,
        calls=arguments.model_calls,
        tokens=arguments.model_tokens,
        timeout=arguments.model_timeout,
    )
    options.check_reasoner(reasoner)
    segmenter = options.check_segmenter(arguments.segmenter)
    policy = way_of(arguments.library, arguments.policy)
    if policy is not None:
        purpose = "is for experiments; it does not go with proposals"
        options.refuse_given(ctx, purpose, "without", "preset", "executor")
    elif (arguments.library / "library.yaml").exists():
        check_preset(arguments.library, arguments.preset)
    with output.bar("reading", quiet=arguments.as_json) as bar, _uncollected():
        lesson = read(arguments, bar)
        present_domain = domain_of_library(arguments.library)
        seed = {} if arguments.seed is None else {"seed": arguments.seed}
        common: dict[str, Any] = {
            "domain": lesson.domain or present_domain or _domain_of(arguments.source),
            "source": {**lesson.facts, **seed},
            "scramble": arguments.scramble,
            "replace_all": arguments.replace,
            "reasoner": ReasonerName.parse(reasoner),
            "segmenter": segmenter,
            "budget": budget,
            "stage": bar.stage,
        }
        if policy is None:
            from ..adapters.teaching.teaching import teach
            from ..evals.running.executors import each_of

            common |= {"without": arguments.without, "preset": arguments.preset}
            with each_of(arguments.executor, arguments.jobs or os.cpu_count() or 1) as each:
                taught = teach(arguments.library, lesson.trajectories, each=each, **common)
            for warning in taught.warnings:
                output.warn(f"{arguments.library}: {warning}")
            bar.stage("proving")
            proof = proof_of_lesson(arguments.library)
        else:
            from ..adapters.teaching.reviewed_learning import teach_by_review

            reviewed = teach_by_review(
                arguments.library, lesson.trajectories, policy=policy, progress=bar, **common
            )
    if arguments.unused is not None:
        _write_list(arguments.unused, lesson.left, arguments.source)
    skipped = [*lesson.skipped, *(taught.skipped if policy is None else ())]
    if policy is not None:
        print_reviewed(reviewed, policy, arguments)
    elif arguments.as_json:
        output.emit_json(_document(taught, arguments, len(lesson.left), proof, skipped))
    else:
        _print(taught, arguments, len(lesson.left), proof)
    return tell_skipped(skipped)


def tell_skipped(skipped: Sequence[str]) -> int:
    """Print what was skipped; return the exit code, 1 if there is any."""
    for each in skipped[:_NAMED]:
        output.warn(f"skipped: {each}")
    if len(skipped) > _NAMED:
        output.warn(f"{len(skipped) - _NAMED} more were skipped")
    return int(bool(skipped))


@contextmanager
def _uncollected() -> Iterator[None]:
    """Switch garbage collection off: a short run keeps its objects, and it would cost a tenth."""
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
    arguments: LearnOptions,
    unused_count: int,
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
        "seed": arguments.seed,
        "scramble": arguments.scramble,
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
    if arguments.unused is not None:
        document |= {"unused": str(arguments.unused), "unused_games": unused_count}
    return document


def print_filled(filled: Filled) -> None:
    """Print what a model added to the learned documents."""
    output.say(
        f"  without a plan {filled.gaps:>3} tasks; the model was asked about {filled.asked} "
        f"and added {filled.plans} plans, {filled.procedures} procedures "
        f"({filled.calls} calls, {filled.tokens} tokens)"
    )
    for why in filled.refused[:5]:
        output.say(output.dim(f"    not taken: {why}"))


def print_segmented(segmented: Segmented) -> None:
    """Print the result of a model's segmentation."""
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
    """Print the names of documents that were removed for want of room."""
    if names:
        rest_text = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        names_text = ", ".join(names[:_NAMED]) + rest_text
        output.say(f"removed for want of room (capacity in library.yaml): {names_text}")


def _print(
    taught: Teaching, arguments: LearnOptions, unused_count: int, proof: LibraryProof | None
) -> None:
    verb = "made" if taught.created else "updated"
    output.say(f"{output.strong(str(arguments.library))} {verb} ({taught.domain})")
    before = f", {taught.before} of them from before" if taught.before else ""
    output.say(f"  episodes    {taught.episodes:>6} ({taught.successes} successes{before})")
    output.say(f"  procedures  {taught.procedures:>6}")
    output.say(f"  metas       {taught.metas:>6}")
    if taught.programs:
        output.say(f"  programs    {len(taught.programs):>6}")
        for name, proof_text in taught.programs.items():
            output.say(f"    {name}: {proof_text}")
    for why in taught.refused:
        output.say(f"  a program that plans was tried and is not used: {why}")
    output.say(f"  seconds     {taught.seconds:>6.2f}")
    print_proof(proof)
    print_removed(taught.removed)
    if taught.filled is not None:
        print_filled(taught.filled)
    if taught.segmented is not None:
        print_segmented(taught.segmented)
    if arguments.unused is not None:
        output.say(f"  {unused_count} games were not learned from: {arguments.unused}")
    output.say(f"\nTry next:\n  macla list {arguments.library}\n  {_evaluation(arguments)}")


def _evaluation(arguments: LearnOptions) -> str:
    """Return the command that plays with the learned library."""
    words = f" --world scramble={arguments.scramble}" if arguments.scramble is not None else ""
    if arguments.source == "alfworld":
        split = arguments.unused or "valid_seen"
        older = " --world dialect=2.1.1" if arguments.agent_logs else ""
        return f"macla eval alfworld --library {arguments.library} --split {split}{older}{words}"
    if arguments.source == "textworld":
        game = f" --world game={arguments.game}" if arguments.game else ""
        library = f"--library {arguments.library}"
        return f"macla eval textworld{game} {library} --split dev --world admissible{words}"
    if arguments.source == "intercode-sql":
        split = arguments.hold_out or ("db" if arguments.exclude_db else "own")
        return f"macla eval intercode-sql --library {arguments.library} --split {split}{words}"
    if arguments.source == "webshop":
        split = arguments.unused or "dev"
        return f"macla eval webshop --library {arguments.library} --split {split}{words}"
    if arguments.source == "travelplanner":
        return f"macla eval travelplanner --library {arguments.library} --split dev{words}"
    if arguments.source.endswith((".yaml", ".yml")):
        from ..evals.suites.suite_files import suite_of

        splits = suite_of(arguments.source).splits
        split = next((name for name, each in splits.items() if each.role != "train"), "SPLIT")
        return f"macla eval {arguments.source} --library {arguments.library} --split {split}{words}"
    return f"macla eval module:Class --library {arguments.library} --split TASKS.txt{words}"
