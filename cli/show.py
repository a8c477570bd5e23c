"""``macla show``: one file of a library, with its evidence, or its versions."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..procedures.common.invisible_characters import visible
from ..procedures.common.text import counted
from . import options, output

if TYPE_CHECKING:
    from ..procedures.episodes.action_operators import Grammar
    from ..procedures.library.document_kinds import Versioned
    from ..procedures.library.library import Library
    from ..procedures.model.procedure import Ontology
    from ..procedures.proof.predictions import Shown
    from ..procedures.refinement.suggestion import Wanting

_TOP = 8
"""Most kinds that are printed for a parameter."""


@click.command(
    "show",
    epilog=options.examples(
        "macla show lib take-from",
        "macla show lib take-from@1 --json",
        "macla show lib take-from --versions",
        "macla show lib --unexplained",
    ),
)
@options.library_argument
@click.argument("ref", metavar="[ID]", required=False)
@click.option(
    "--versions",
    is_flag=True,
    help="Instead tell every version, latest first: when, why, by whom, from what evidence.",
)
@click.option(
    "--unexplained",
    is_flag=True,
    help="Instead prove the library; list what is not reproduced, and actions left out.",
)
@options.as_json
def command(
    library: Path, ref: str | None, versions: bool, unexplained: bool, as_json: bool
) -> None:
    """Print the YAML file of the procedure, meta-procedure or program ID of the library DIR.

    The kinds of its types follow, and its evidence: how often it worked, why it is stopped if it
    is, on what kinds of things it was used, and what its failures may show, with about how many
    more executions it takes to believe it.
    """
    if unexplained != (ref is None) or (unexplained and versions):
        raise click.UsageError("name an ID, or ask for --unexplained")
    if ref is None:
        _print_unexplained(library, as_json=as_json)
        return
    if versions:
        from .show_versions import print_versions

        print_versions(library, ref, as_json=as_json)
        return
    from ..procedures.documents.yaml_io import read_bytes
    from ..procedures.files.parsing import file_of
    from ..procedures.library.document_kinds import kind_of
    from ..procedures.library.library import Library
    from ..procedures.programs.documents import ProgramFile
    from .evidence import clearing_of, counts_of, posterior_of, stopped_of

    opened_library = Library.open(library)
    item = opened_library.get(ref)
    kind = kind_of(item)
    counts, stopped = counts_of(opened_library), stopped_of(opened_library)
    demonstrations = item.runs if isinstance(item, ProgramFile) else 0
    posterior = posterior_of(kind, item.id, item.version, counts, demonstrations)
    file = file_of(opened_library.path, kind, item.id)
    successes_by_binding = {
        binding: successes
        for (subject_kind, subject, version, binding), (successes, _) in counts.items()
        if subject_kind == "binding" and subject == item.id and version == item.version
    }
    open_cases = _wanting(opened_library, item.ref) if posterior.failures else ()
    types = _types(item, opened_library.ontology)
    if as_json:
        output.emit_json(
            {
                "kind": kind,
                "file": str(file),
                "document": item.to_document(),
                "types": types,
                "stopped": stopped.get(item.id),
                "evidence": {
                    "successes": posterior.successes,
                    "failures": posterior.failures,
                    "mean": posterior.mean,
                    "ci95": [posterior.low, posterior.high],
                    "bindings": successes_by_binding,
                },
                "not_enough_evidence": [
                    {"kind": each.kind, "text": each.text, "more": each.more} for each in open_cases
                ],
            }
        )
        return
    output.say(output.dim(f"# {file}"))
    if isinstance(item, ProgramFile) and item.program.planner is not None:
        output.say(output.dim(f"# {item.purpose}"))
    print_yaml(read_bytes(file).decode("utf-8", errors="replace"))
    if types:
        output.say(output.dim("# types"))
    for name, kinds in types.items():
        output.say(visible(f"{name}: {', '.join(kinds) or 'nothing is listed, so anything fits'}"))
    output.say(output.dim("# evidence"))
    output.say(
        f"worked {counted(posterior.successes, 'time')}, "
        f"failed {counted(posterior.failures, 'time')}; rate "
        f"{posterior.mean:.3f}, 95 % between {posterior.low:.3f} and {posterior.high:.3f}"
    )
    if item.id in stopped:
        output.say(f"stopped: {stopped[item.id]}; {clearing_of(library, item.id)}")
    for line in _uses(successes_by_binding):
        output.say(line)
    for each in open_cases:
        amount = (
            "more executions than can be had" if each.more is None else f"about {each.more} more"
        )
        kind = each.kind.replace("_", " ")
        output.say(f"  not enough evidence yet: {kind} {each.text}; it would take {amount}")


def _types(item: Versioned, ontology: Ontology) -> dict[str, list[str]]:
    """Return the types that a document names, with their kinds."""
    from ..procedures.programs.documents import ProgramFile

    if isinstance(item, ProgramFile):
        return {}
    types = ontology.of_world(item.world).types
    type_names = (each.type for each in item.parameters.values() if each.type)
    return {name: list(types.get(name, ())) for name in sorted({*type_names})}


def _print_unexplained(path: Path, *, as_json: bool) -> None:
    """Prove the library, and list the kept demonstrations that it does not reproduce.

    The summary of the proof is kept, as that of ``macla check --proof`` is.
    """
    from ..adapters.proving.proving import prove_library
    from ..procedures.learning.proved import in_words

    with output.bar("reading", quiet=as_json) as bar:
        proof = prove_library(path, folds=0, progress=bar).here
    gaps = [
        (episode, divergence)
        for episode in proof.episodes
        if (divergence := episode.divergence) is not None
    ]
    left_out = proof.left_out(_kind_of_action(path))
    if as_json:
        rows = [
            {
                "number": episode.position + 1,
                "task": episode.task,
                "by": list(divergence.step.prediction.by),
                "step": divergence.number,
                "because": in_words(divergence),
            }
            for episode, divergence in gaps
        ]
        output.emit_json({"demonstrations": proof.of, "unexplained": rows, "left_out": left_out})
        return
    output.say(f"{len(gaps)} of {proof.of} demonstrations are not reproduced")
    for episode, divergence in gaps:
        task = " ".join(episode.task.split())
        output.say(visible(f"  {episode.position + 1}. {task}: {in_words(divergence)}"))
    if left_out:
        output.say("actions that nothing learned calls for, and in how many demonstrations:")
    for action, number in left_out.items():
        output.say(visible(f"  {number} of {proof.of}  {action}"))


def _kind_of_action(path: Path) -> Callable[[Shown], str]:
    """Return the kind of an action: its operator, as the library's demonstrations tell it."""
    from ..procedures.episodes.action_operators import learn_grammar
    from ..procedures.learning.taught import read_taught
    from ..procedures.library.library import Library

    taught = read_taught(Library.open(path))
    if not taught:
        return lambda shown: shown.shape

    @cache
    def grammar() -> Grammar:
        return learn_grammar([(each.task, each.obs, each.acts) for each in taught])

    return lambda shown: grammar().parse(shown.text, ())[0]


def _wanting(library: Library, ref: str) -> tuple[Wanting, ...]:
    """Return what the failures of a version suggest without enough evidence for a change."""
    from ..procedures.evidence.ledger import Ledger
    from ..procedures.learning.episode_buffer import read_buffer
    from ..procedures.proposals.policy import submit
    from ..procedures.refinement.refinery import Refinery

    local = library.path / ".macla"
    if not (local / "evidence.db").exists():
        return ()
    with Ledger.open(local / "evidence.db", read_only=True) as ledger:
        refinery = Refinery.of(
            library,
            ledger,
            lambda proposal: submit(library, ledger, proposal, "review"),
            episodes=lambda: read_buffer(local / "episodes.jsonl"),
        )
        refinery.propose([ref])
        abstained = refinery.abstained.get(ref)
        return abstained.wanting if abstained is not None else ()


def print_yaml(text: str) -> None:
    """Print YAML, coloured on a terminal."""
    text = visible(text.rstrip("\n"))
    if not sys.stdout.isatty():
        output.say(text)
        return
    from rich.console import Console
    from rich.syntax import Syntax

    Console().print(Syntax(text, "yaml", background_color="default", word_wrap=True))


def _uses(count_by_binding: Mapping[str, float]) -> list[str]:
    """Return the lines that tell the kinds of each parameter, the most frequent first."""
    by_parameter: dict[str, list[tuple[float, str]]] = {}
    for binding, times in count_by_binding.items():
        name, _, entity = binding.partition("|")
        by_parameter.setdefault(name, []).append((-times, entity))
    lines = []
    for name, pairs in sorted(by_parameter.items()):
        pairs.sort()
        kinds_text = ", ".join(f"{entity} {-times:g}" for times, entity in pairs[:_TOP])
        rest_text = f" and {len(pairs) - _TOP} more kinds" if len(pairs) > _TOP else ""
        lines.append(f"  {name}: {kinds_text}{rest_text}")
    return lines
