"""What speaks for a change of words: how alike words of a cluster are, and where they were met."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ..common.text import counted, mentions
from ..diff.part_words import listed
from ..documents.plain_data import is_reference
from ..episodes.trajectories import Trajectory
from ..learning.learner import Learned
from ..model.procedure import Ontology
from .proposal import Proposal
from .word_documents import ontology_of


def word_reasons(
    proposal: Proposal, learned: Learned, episodes: Sequence[Trajectory]
) -> Iterator[str]:
    """Yield a line for new kinds, and for each cluster and type to which words are added.

    Args:
        proposal: Of words.
        learned: From which learning.
        episodes: What was learned from, as far as it is at hand.
    """
    if kinds := _new_kinds(proposal):
        yield f"New kinds. {_occurrences(kinds, episodes)}."
    for name, words, added in _grown_clusters(proposal):
        likeness = next((x for each, x in learned.likeness.items() if {*added} <= {*each}), None)
        alike = "" if likeness is None else f" (likeness of word vectors: {likeness:.2f} at least)"
        yield f"Cluster {name}: {listed(added)} added{alike}. {_occurrences(words, episodes)}."
    for name, kinds in grown_types(proposal).items():
        owner, _, parameter = name.rpartition(".")
        times = [learned.kind_counts.get((owner, parameter, kind), 0.0) for kind in kinds]
        uses = (
            f"{kind} {counted(number, 'time')}" for kind, number in zip(kinds, times, strict=True)
        )
        yield f"Type {name} has kinds that it was done with: {listed(uses)}."


def episodes_by_word(
    proposal: Proposal, stored: Callable[[], Sequence[Trajectory]]
) -> dict[str, tuple[str, ...]]:
    """Return word → ids of the episodes that mention it: new kinds, words of clusters that grow.

    Args:
        proposal: Of any kind.
        stored: Reads the episodes; not called where there are no such words.
    """
    words = [*_new_kinds(proposal), *(w for _, each, _ in _grown_clusters(proposal) for w in each)]
    return _mentions(words, stored()) if words else {}


def _occurrences(words: Sequence[str], episodes: Sequence[Trajectory]) -> str:
    places = (f"{word} in {len(ids)}" for word, ids in _mentions(words, episodes).items())
    return f"Of {counted(len(episodes), 'episode')}, {listed(places)}"


def _mentions(words: Sequence[str], episodes: Sequence[Trajectory]) -> dict[str, tuple[str, ...]]:
    """Return word → ids of the episodes that mention it; one without an id has its place."""
    ids: dict[str, list[str]] = {word: [] for word in words}
    for number, episode in enumerate(episodes, 1):
        texts = [(text, text.casefold()) for text in (episode.task, *episode.obs, *episode.acts)]
        for word, ids_of_word in ids.items():
            key = word.casefold()  # a plain search is quick
            if any(key in folded and mentions(text, word) for text, folded in texts):
                ids_of_word.append(episode.id or str(number))
    return {word: tuple(each) for word, each in ids.items()}


def _words_by_world(proposal: Proposal) -> tuple[dict[str, Ontology], dict[str, Ontology]]:
    """Return the words before and after, as far as the documents are at hand."""
    sides = ((d for d in side if not is_reference(d)) for side in (proposal.old, proposal.new))
    before, after = (ontology_of(side).by_world for side in sides)
    return before, after


def _new_kinds(proposal: Proposal) -> list[str]:
    """Return the kinds of entities that are new."""
    before, after = _words_by_world(proposal)
    known = {kind for words in before.values() for kind in words.entities.kinds}
    kinds = (kind for words in after.values() for kind in words.entities.kinds)
    return [kind for kind in dict.fromkeys(kinds) if kind not in known]


def _grown_clusters(proposal: Proposal) -> Iterator[tuple[str, tuple[str, ...], list[str]]]:
    """Yield name, words and new words of each cluster that gets some."""
    before, after = _words_by_world(proposal)
    for world, words in after.items():
        known = {each.name: {*each.words} for each in before.get(world, Ontology()).clusters}
        for cluster in words.clusters:
            if added := [w for w in cluster.words if w not in known.get(cluster.name, ())]:
                yield cluster.name, cluster.words, added


def grown_types(proposal: Proposal) -> Mapping[str, list[str]]:
    """Return the types that get kinds, with these kinds."""
    before, after = _words_by_world(proposal)
    return {
        name: added
        for world, words in after.items()
        for name, kinds in words.types.items()
        if (
            added := [
                kind
                for kind in kinds
                if kind not in before.get(world, Ontology()).types.get(name, ())
            ]
        )
    }
