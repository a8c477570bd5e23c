"""Old and new version over stored episodes: what would each have done?

For each place of an episode at which a procedure did what it is for (its last action was carried
out), a version is *right* about a demonstration that worked if its preconditions do not refuse,
its guards let exactly the actions run that were demonstrated, in that order, and its
postconditions hold afterwards. It is right about an action that failed if its preconditions refuse
or if it would have done something else before. An episode favours a version that is right about
all of its places.

A plan is right about an episode that succeeded at a task of its goal if its procedures' last
actions stand in the episode in its order, with the same things in the same roles.

Demonstrations and what was played since may show two worlds: where one of them favours the new
version credibly more often than the other (the anytime Bayes factor of refinement), only what was
played counts, and the demonstrations are told apart.

Nothing is played: what a version would have met after an action nobody did is unknown. That is
what playing both (:func:`compare`) is for.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..common.text import sentences
from ..conditions.text_patterns import Pattern, frame_of, instantiate, normalise
from ..documents.plain_data import thaw
from ..episodes.trajectories import Trajectory
from ..evidence.intervals import paired_interval
from ..learning.provenance import OWN_PLAY
from ..library.library import Library
from ..model.ontology_words import lexicon_from, outcomes_from
from ..model.procedure import MetaProcedure, Ontology, Procedure, Step
from ..planning.episode_memory import EpisodeMemory
from ..planning.world_model import World
from ..refinement.bayes_factors import Table, Trigger, credible
from ..tasks.goal_matching import GoalVocabulary, fit_goal
from .proposal import Contrast, Document, Proposal, Replay
from .word_documents import ontology_after

_CLOSE = 1e-9
"""Cost below which a goal fits a task exactly, up to rounding."""
_MOST_ACTIONS = 400
"""Actions of an episode that are replayed; longer episodes are cut, which bounds the time."""


def compare(pairs: Iterable[tuple[bool, bool]]) -> Replay:
    """Sum up episodes as (old is right, new is right); also for episodes that were played."""
    cells = Counter((bool(old), bool(new)) for old, new in pairs)
    wins, losses = cells[False, True], cells[True, False]
    interval = paired_interval(cells[True, True], wins, losses, cells[False, False])
    ties = cells[True, True] + cells[False, False]
    return Replay(wins, losses, ties, (interval.low, interval.high))


def episode_name(episode: Trajectory) -> str:
    """Return a digest of what happened in an episode, whatever was noted of it since."""
    happened = [episode.task, episode.obs, episode.acts, episode.success, episode.source]
    text = json.dumps(happened, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:10]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a procedure's last action stands in an episode.

    Attributes:
        start: Index of the first action that belongs to it.
        end: Index of the last.
        binding: Parameter → entity.
        worked: Whether the last action did.
    """

    start: int
    end: int
    binding: Mapping[str, str]
    worked: bool


class Replayer:
    """Replays versions over the episodes of their worlds.

    Args:
        episodes: The stored episodes.
        ontology: What is known of the world's words.
        procedures: Procedures that plans run, by id.
        among: Numbers of the episodes that are replayed, from 1; by default all.
    """

    def __init__(
        self,
        episodes: Sequence[Trajectory],
        ontology: Ontology,
        procedures: Mapping[str, Procedure],
        among: Collection[int] | None = None,
    ) -> None:
        self._episodes = episodes
        self._numbered = [
            (number, episode)
            for number, episode in enumerate(episodes, 1)
            if among is None or number in among
        ]
        self._ontology = ontology
        self._apart: dict[str, Replayer] = {}
        self._lexicon = lexicon_from(ontology)
        self._world = World.from_ontology(ontology, self._lexicon)
        self._outcomes = outcomes_from(ontology)
        self._procedures = procedures

    @classmethod
    def of(
        cls, episodes: Sequence[Trajectory], library: Library, waiting: Sequence[Proposal]
    ) -> Replayer:
        """Return a replayer that also knows the words and procedures that are proposed."""
        documents = [document for proposal in waiting for document in proposal.new]
        procedures = dict(library.procedures)
        for document in documents:
            if document["kind"] == "procedure":
                procedures[document["id"]] = Procedure.from_document(thaw(document))
        return cls(episodes, ontology_after(library.contents, documents), procedures)

    def _in(self, world: str) -> Replayer:
        """Return the replayer of one world's episodes, in its words."""
        if not self._ontology.worlds:
            return self
        if world not in self._apart:
            ontology, words = self._ontology, self._ontology.of_world(world)
            numbers = {n for n, e in self._numbered if ontology.world_of(e.task, e.obs[0]) == world}
            self._apart[world] = Replayer(self._episodes, words, self._procedures, numbers)
        return self._apart[world]

    def replay(self, proposal: Proposal) -> Replay | None:
        """Replay what a proposal changes; None where it says nothing about what is done.

        What is new is compared with doing nothing, which is right about no place. Of several
        procedures and plans an episode favours the version of all that is right about all.
        """
        if proposal.change in ("ontology", "status", "retire"):
            return None
        fresh = {
            d["id"]: Procedure.from_document(thaw(d))
            for d in proposal.new
            if d["kind"] == "procedure"
        }
        procedure_by_id = {**self._procedures, **fresh}
        verdicts: dict[int, tuple[bool, bool]] = {}
        comparable = False
        for name in proposal.changed:
            new = _document_named(proposal.new, name)
            if new is None:
                continue
            comparable = True
            for number, (old_right, new_right) in self._judged(
                _document_named(proposal.old, name), new, procedure_by_id
            ):
                before = verdicts.get(number, (True, True))
                verdicts[number] = before[0] and old_right, before[1] and new_right
        return self._summed(verdicts) if comparable else None

    def _judged(
        self, old: Document | None, new: Document, procedure_by_id: Mapping[str, Procedure]
    ) -> Iterator[tuple[int, tuple[bool, bool]]]:
        """Yield the number of each episode that tells of a document, and who is right about it."""
        if new["kind"] == "meta":
            before = MetaProcedure.from_document(thaw(old)) if old is not None else None
            after = MetaProcedure.from_document(thaw(new))
            return self._in(after.world)._plans(before, after, procedure_by_id)
        earlier = Procedure.from_document(thaw(old)) if old is not None else None
        later = Procedure.from_document(thaw(new))
        return self._in(later.world)._pairs(earlier, later)

    def _summed(self, verdicts: Mapping[int, tuple[bool, bool]]) -> Replay:
        """Sum up episodes; where what was played says credibly otherwise, only these."""
        names = tuple(episode_name(self._episodes[n - 1]) for n in sorted(verdicts))
        own_numbers = {n for n in verdicts if self._episodes[n - 1].source == OWN_PLAY}
        own_play = compare(verdicts[n] for n in verdicts if n in own_numbers)
        demonstrated = compare(verdicts[n] for n in verdicts if n not in own_numbers)
        if _differ(own_play, demonstrated) or _differ(demonstrated, own_play):
            outdated = (demonstrated.wins, demonstrated.losses, demonstrated.ties)
            return replace(own_play, outdated=outdated, episodes=names)
        return replace(compare(verdicts.values()), episodes=names)

    def shown(self, document: Document) -> Contrast:
        """Return the episodes in which a procedure or plan was carried out, by their ids.

        An episode without an id is named by its place, from 1. What worked anywhere in an episode
        worked in it.
        """
        replayer = self._in(document.get("world", ""))
        if replayer is not self:
            return replayer.shown(document)
        ids_by_success: dict[bool, list[str]] = {True: [], False: []}
        if document["kind"] == "procedure":
            version = Procedure.from_document(thaw(document))
            if all(step.do is not None for step in version.steps):
                for number, episode in self._numbered:
                    if places := list(self._places(episode, [version])):
                        name = episode.id or str(number)
                        ids_by_success[any(place.worked for place in places)].append(name)
        elif document["kind"] == "meta":
            meta = MetaProcedure.from_document(thaw(document))
            for number, episode, parsed in self._told(None, meta):
                if _is_carried_out(meta, self._procedures, parsed):
                    ids_by_success[True].append(episode.id or str(number))
        return Contrast(tuple(ids_by_success[True]), tuple(ids_by_success[False]))

    # ------------------------------------------------------------------ procedures
    def _pairs(
        self, old: Procedure | None, new: Procedure
    ) -> Iterator[tuple[int, tuple[bool, bool]]]:
        versions = [new] if old is None else [old, new]
        if any(step.do is None for version in versions for step in version.steps):
            return  # a tool's answer is not in an episode of text
        for number, episode in self._numbered:
            places = list(self._places(episode, versions))
            if places:
                right = [
                    all(self._right(version, episode, place) for place in places)
                    for version in versions
                ]
                yield number, ((right[0] if old is not None else False), right[-1])

    def _places(self, episode: Trajectory, versions: Sequence[Procedure]) -> Iterator[_Place]:
        """Yield the places at which any version's last action was carried out."""
        parsed = [self._lexicon.parse(action) for action in episode.acts[:_MOST_ACTIONS]]
        finals = [frame_of(version.steps[-1].do or "") for version in versions]
        ends = [version.steps[-1] for version in versions]
        again = any(step.until is not None for step in ends)
        steps = [frame_of(step.do or "") for version in versions for step in version.steps[:-1]]
        steps += [frame_of(step.do or "") for step in ends if step.until is not None]
        for end, (frame, arguments) in enumerate(parsed):
            final = next((f for f in finals if f[0] == normalise(frame)), None)
            binding = None if final is None else _unify(final[1], arguments, {})
            if binding is None or (again and parsed[end + 1 : end + 2] == [parsed[end]]):
                continue  # no end yet: it is repeated
            start = end
            while start > 0:
                before = _extend(steps, parsed[start - 1], binding)
                if before is None:
                    break
                binding, start = before, start - 1
            worked = self._worked(frame, arguments, episode.obs[end + 1])
            yield _Place(start, end, binding, worked)

    def _worked(self, frame: str, arguments: Sequence[str], observation: str) -> bool:
        patterns = self._outcomes.get(frame)
        if not patterns:
            return True
        values = {f"a{i}": argument for i, argument in enumerate(arguments)}
        return _any_matches(patterns, values, observation)

    def _memory(self, episode: Trajectory, until: int) -> EpisodeMemory:
        memory = EpisodeMemory(self._lexicon, episode.task, episode.obs[0], self._world)
        for index in range(until):
            self._observe(memory, episode, index)
        return memory

    def _observe(self, memory: EpisodeMemory, episode: Trajectory, index: int) -> None:
        action, observation = episode.acts[index], episode.obs[index + 1]
        worked = self._worked(*self._lexicon.parse(action), observation)
        memory.add(action, observation, worked=worked)

    def _right(self, version: Procedure, episode: Trajectory, place: _Place) -> bool:
        memory = self._memory(episode, place.start)
        binding = place.binding
        refused = any(
            item.evaluate(memory, binding).value is False for item in version.preconditions
        )
        if refused:
            return not place.worked
        at = place.start
        last = len(version.steps) - 1
        for number, step in enumerate(version.steps):
            if number < last and _is_skipped(step, memory, binding):
                continue
            expected = instantiate(step.do or "", binding)
            for _ in range(step.at_most or 1):
                actual = normalise(episode.acts[at]) if at <= place.end else ""
                if expected is None or normalise(expected) != actual:
                    return not place.worked
                self._observe(memory, episode, at)
                at += 1
                if step.until is None or step.until.evaluate(memory, binding, step=step.do).value:
                    break
            else:
                return not place.worked  # it would have given the attempt up
        if at <= place.end:
            return not place.worked  # it would have left something out
        if not place.worked:
            return False
        return all(
            item.evaluate(memory, binding).value is not False for item in version.postconditions
        )

    # ------------------------------------------------------------------ plans
    def _plans(
        self,
        old: MetaProcedure | None,
        new: MetaProcedure,
        procedures: Mapping[str, Procedure],
    ) -> Iterator[tuple[int, tuple[bool, bool]]]:
        for number, _, parsed in self._told(old, new):
            right = [
                meta is not None and _is_carried_out(meta, procedures, parsed)
                for meta in (old, new)
            ]
            yield number, (right[0], right[1])

    def _told(
        self, old: MetaProcedure | None, new: MetaProcedure
    ) -> Iterator[tuple[int, Trajectory, list[tuple[str, tuple[str, ...]]]]]:
        """Yield number, episode and parsed actions of the successes at tasks of a plan's goal."""
        goals = [new.goal, *([old.goal] if old is not None else [])]
        vocabulary = GoalVocabulary(goals)
        for number, episode in self._numbered:
            words = self._lexicon.chunk(episode.task, vocabulary.words)
            if episode.success and any(
                fit_goal(goal, words, vocabulary).cost < _CLOSE for goal in goals
            ):
                parsed = [self._lexicon.parse(action) for action in episode.acts[:_MOST_ACTIONS]]
                yield number, episode, parsed


def _differ(one: Replay, other: Replay) -> bool:
    """Say whether one set of episodes favours the new version credibly more often."""
    return credible(Table(one.wins, one.losses, other.wins, other.losses), 1.0, Trigger())


def _document_named(documents: Sequence[Document], name: str) -> Document | None:
    return next((d for d in documents if d.get("id") == name), None)


def _unify(
    names: Sequence[str], arguments: Sequence[str], binding: Mapping[str, str]
) -> dict[str, str] | None:
    if len(names) != len(arguments):
        return None
    result = dict(binding)
    for name, value in zip(names, arguments, strict=True):
        if result.setdefault(name, value) != value:
            return None
    return result


def _extend(
    steps: Sequence[tuple[str, tuple[str, ...]]],
    action: tuple[str, tuple[str, ...]],
    binding: Mapping[str, str],
) -> dict[str, str] | None:
    """Return the binding with an earlier action taken in, if it is one of the steps."""
    for frame, names in steps:
        if frame == normalise(action[0]):
            extended_binding = _unify(names, action[1], binding)
            if extended_binding is not None:
                return extended_binding
    return None


def _is_skipped(step: Step, memory: EpisodeMemory, binding: Mapping[str, str]) -> bool:
    unless, when = step.unless, step.when
    if unless is not None and unless.evaluate(memory, binding, step=step.do).value:
        return True
    return when is not None and not when.evaluate(memory, binding, step=step.do).value


def _any_matches(patterns: Sequence[Pattern], values: Mapping[str, str], observation: str) -> bool:
    normalised = [normalise(sentence) for sentence in sentences(observation)]
    matchers = [pattern.bind(values) for pattern in patterns]
    return any(matcher.matches(sentence) for matcher in matchers for sentence in normalised)


def _is_carried_out(
    meta: MetaProcedure,
    procedures: Mapping[str, Procedure],
    parsed: Sequence[tuple[str, tuple[str, ...]]],
) -> bool:
    """Say whether a plan's last actions stand in an episode in its order, roles respected."""
    final_actions: list[tuple[str, tuple[str, ...]]] = []
    for index, place in enumerate(meta.plan):
        procedure = procedures.get(place.run or "")
        if procedure is None:
            return False
        frame, names = frame_of(procedure.steps[-1].do or "")
        final_actions.append((frame, tuple(place.with_.get(n, f"{index}.{n}") for n in names)))

    def search(number: int, at: int, binding: Mapping[str, str]) -> bool:
        if number == len(final_actions):
            return True
        frame, names = final_actions[number]
        for index in range(at, len(parsed)):
            if normalise(parsed[index][0]) == frame:
                extended_binding = _unify(names, parsed[index][1], binding)
                if extended_binding is not None and search(number + 1, index + 1, extended_binding):
                    return True
        return False

    return search(0, 0, {})
