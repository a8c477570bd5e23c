"""The semantic diff of two documents, and of two whole libraries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..common.errors import LibraryError
from ..files.contents import Contents
from ..library.document_kinds import Document, kind_of
from ..model.ontology import Operator
from ..model.parameter_types import resolved
from ..model.procedure import (
    DEFAULT_STATUS,
    Entities,
    Instruction,
    LibrarySettings,
    MetaProcedure,
    Ontology,
    Procedure,
)
from ..model.types_files import TypesFile, united
from ..programs.documents import ProgramFile
from .changes import Change, DocumentDiff, LibraryDiff, Side
from .part_diff import (
    condition_changes,
    parameter_changes,
    place_changes,
    plain_changes,
    single_change,
    step_changes,
    word_changes,
)
from .part_words import compact, condition_words, operator_words
from .program_diff import program_changes

_T = TypeVar("_T")


def diff_documents(old: Document | None, new: Document | None) -> DocumentDiff:
    """Compare two versions of a document; None stands for one that is not there.

    Raises:
        LibraryError: They are of different kinds, or both are None.
    """
    either = new if new is not None else old
    if either is None:
        raise LibraryError("there is nothing to compare")
    kind = kind_of(either)
    if old is not None and kind_of(old) != kind:
        raise LibraryError(
            f"a document of kind {kind_of(old)!r} cannot be compared with a {kind!r}"
        )
    if isinstance(either, Ontology):
        changes = tuple(_ontology(old, new))  # type: ignore[arg-type]
    elif isinstance(either, TypesFile):
        sides = (united(Ontology(), [each] if each else []) for each in (old, new))  # type: ignore[list-item]
        changes = tuple(_ontology(*sides))
    elif isinstance(either, LibrarySettings):
        changes = tuple(_settings(old, new))  # type: ignore[arg-type]
    elif isinstance(either, ProgramFile):
        changes = tuple(program_changes(old, new))  # type: ignore[arg-type]
    else:
        changes = tuple(_procedure(old, new))  # type: ignore[arg-type]
    return DocumentDiff(
        kind=kind,
        id=getattr(either, "id", ""),
        action="added" if old is None else "removed" if new is None else "changed",
        changes=changes,
        old_version=getattr(old, "version", None),
        new_version=getattr(new, "version", None),
    )


def diff_libraries(old: Contents, new: Contents) -> LibraryDiff:
    """Compare everything that two libraries hold."""
    documents: list[DocumentDiff] = []
    same_count = 0
    pairs: list[tuple[Document | None, Document | None]] = [
        (old.settings, new.settings),
        (old.ontology, new.ontology),
    ]
    pairs += _by_id(old.procedures, new.procedures)
    pairs += _by_id(old.metas, new.metas)
    pairs += _by_id(old.programs, new.programs)
    for first, second in pairs:
        # A file that did not change is read once, so the two are often one object.
        if first is second or first == second:
            same_count += 1
        elif difference := diff_documents(
            in_words(first, old.ontology), in_words(second, new.ontology)
        ):
            documents.append(difference)
        else:
            same_count += 1
    return LibraryDiff(tuple(documents), same_count)


def in_words(item: _T, ontology: Ontology) -> _T:
    """Return a document as it is told: the parameters of a procedure or plan with their kinds."""
    if isinstance(item, Procedure | MetaProcedure):
        return resolved(item, ontology.of_world(item.world).types)
    return item


def _by_id(old: Mapping[str, _T], new: Mapping[str, _T]) -> list[tuple[_T | None, _T | None]]:
    return [(old.get(name), new.get(name)) for name in sorted({*old, *new})]


def _procedure(
    old: Procedure | MetaProcedure | None, new: Procedure | MetaProcedure | None
) -> Iterator[Change]:
    def of(name: str, default: Any = None) -> tuple[Any, Any]:
        return getattr(old, name, default), getattr(new, name, default)

    if old is not None and new is not None:
        yield from single_change("id", old.id, new.id, Side)
        yield from single_change("version", old.version, new.version, lambda v: Side(str(v)))
    status = of("status", DEFAULT_STATUS)
    yield from single_change("status", *status, Side)
    old_world, new_world = of("world", "")
    yield from single_change("world", old_world or None, new_world or None, Side)
    yield from single_change("goal", *of("goal"), Side)
    yield from word_changes("wordings", "", *of("wordings", ()))
    yield from parameter_changes(*of("parameters", {}))
    yield from condition_changes("preconditions", *of("preconditions", ()))
    yield from step_changes(*of("steps", ()))
    yield from place_changes(*of("plan", ()))
    yield from word_changes("distinct", "", *of("distinct", ()))
    yield from condition_changes("postconditions", *of("postconditions", ()))
    before, after = (value or None for value in of("locked"))
    yield from single_change("locked", before, after, lambda v: Side(compact(v)))


def _settings(old: LibrarySettings | None, new: LibrarySettings | None) -> Iterator[Change]:
    before = {} if old is None else old.to_document()
    after = {} if new is None else new.to_document()
    for key in ("format", "domain", "embedding", "settings"):
        yield from plain_changes(key, before.get(key), after.get(key))


def _ontology(old: Ontology | None, new: Ontology | None) -> Iterator[Change]:
    first, second = old or Ontology(), new or Ontology()
    if old is not None and new is not None:
        yield from single_change("version", old.version, new.version, lambda v: Side(str(v)))
    yield from _entities(first.entities, second.entities)
    for name in sorted({*first.types, *second.types}):
        yield from word_changes(
            "types", name, first.types.get(name, ()), second.types.get(name, ())
        )
    for name in dict.fromkeys((*first.operators, *second.operators)):
        before, after = first.operators.get(name), second.operators.get(name)
        if before is None or after is None:
            yield from single_change("operators", before, after, _operator_side, name)
        elif before != after:
            details = (
                *word_changes("frames", "", before.frames, after.frames),
                *single_change("effect", before.effect or None, after.effect or None, Side),
                *plain_changes("extra", before.extra, after.extra),
            )
            yield Change("operators", "changed", name, details=details)
    yield from _instructions(first.instructions, second.instructions)
    yield from word_changes("failures", "", first.failures, second.failures)
    old_words, new_words = ({c.name: c.words for c in each.clusters} for each in (first, second))
    yield from plain_changes("clusters", old_words, new_words)
    old_locks, new_locks = ({c.name: c.locked for c in each.clusters} for each in (first, second))
    for name, lock in new_locks.items():
        yield from plain_changes("clusters", old_locks.get(name, False), lock, f"{name}.locked")
    yield from plain_changes("goals", first.goals.to_document(), second.goals.to_document())
    yield from word_changes("told", "", first.told, second.told)
    for name in sorted({*first.worlds, *second.worlds}):
        for change in _ontology(first.worlds.get(name), second.worlds.get(name)):
            yield replace(change, subject=f"worlds.{name}.{change.subject}".rstrip("."))


def _operator_side(operator: Operator) -> Side:
    return Side(compact(operator.to_document()), operator_words(operator))


def _entities(old: Entities, new: Entities) -> Iterator[Change]:
    yield from single_change("entities", old.shape, new.shape, Side, "shape")
    yield from word_changes("entities", "kinds", old.kinds, new.kinds)
    yield from word_changes("entities", "examples", old.examples, new.examples)
    yield from plain_changes("entities", old.extra, new.extra)


def _instructions(old: Sequence[Instruction], new: Sequence[Instruction]) -> Iterator[Change]:
    """Compare learned readings: the same source and cue make the same one."""
    before: defaultdict[tuple[str, str], list[Instruction]] = defaultdict(list)
    for entry in old:
        before[entry.source, entry.cue].append(entry)
    for entry in new:
        rest = before[entry.source, entry.cue]
        other = next((each for each in rest if each.do == entry.do), rest[0] if rest else None)
        if other is None:
            yield Change("instructions", "added", entry.cue, None, _instruction_side(entry))
            continue
        rest.remove(other)
        if other != entry:
            details = tuple(plain_changes("", other.to_document(), entry.to_document()))
            details = tuple(
                Change(d.subject.partition(".")[0], d.action, "", d.before, d.after)
                for d in details
            )
            sides = _instruction_side(other), _instruction_side(entry)
            yield Change("instructions", "changed", entry.cue, *sides, details=details)
    for rest in before.values():
        for entry in rest:
            yield Change("instructions", "removed", entry.cue, _instruction_side(entry), None)


def _instruction_side(entry: Instruction) -> Side:
    source = "the task" if entry.source == "task" else f"what {entry.source} shows"
    words = f"where {source} says “{entry.cue}”: {entry.do}"
    if entry.unless is not None:
        words += f", unless {condition_words(entry.unless)}"
    return Side(compact(entry.to_document()), words)
