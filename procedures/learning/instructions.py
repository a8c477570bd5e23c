"""Learn to read instructions: which clause of the task or of an observation calls for which action.

A *cue* is a clause pattern with one entity. It becomes a rule for an action frame if that action on
that entity nearly always follows the clause. The action must come strictly after the clause, or
feedback ("you take the …") would count as an instruction. A weak cue keeps its rule only where no
stronger one explains the action.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..words.clauses import Cue, clauses
from ..words.lexicon import Lexicon, fill_frame, slots
from .actions import STILL_DONE, Action, achieved_words, descriptions, readings
from .analysis import Episode

TASK = "task"
_LEAST_SUPPORT = 5
"""Occurrences of a cue; a share of fewer says little."""
_LEAST_HITS = 4
"""Occurrences that the action followed; fewer may be chance."""
_CONFIDENCE = 0.8
"""Least share of a cue's occurrences that the action follows."""
_LOWER_BOUND = 0.6
"""Least Wilson bound of that share; it asks for more occurrences where the share is lower."""
_COVERAGE = 0.5
"""Least share of a source's (episode, entity) pairs that a rule explains."""
_FIXED = 0.05
"""Share of a source's texts from which a clause counts as fixed."""
_LONGEST_CLAUSE = 12
"""Words; a clause of as many or more is not taken whole as a cue."""
_NEAR = 2
"""Most words before an entity that a cue asks for when it does not ask for the whole clause."""
_LATEST = 3
"""Steps within which an instruction is followed where demonstrations keep the clauses' order."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One learned instruction.

    Attributes:
        source: ``task``, or the frame whose observation holds the clause.
        cue: Pattern of the clause.
        action: Action that the clause calls for.
        unless_word: Word; an entity described by it is an exception.
        between: Words that stood between that word and the entity.
        confidence: Share of the cue's occurrences that were followed.
        support: Occurrences.
    """

    source: str
    cue: Cue
    action: Action
    unless_word: str | None
    confidence: float
    support: int
    between: tuple[str, ...] = ()


@dataclass(slots=True)
class Instructions:
    """All that was learned about reading.

    Attributes:
        rules: Rules, ordered by source and cue.
        in_order: Sources whose clauses demonstrations follow in order.
        fixed: Source → clauses that stand in many of its texts and name no entity.
    """

    rules: list[Rule] = field(default_factory=list)
    in_order: set[str] = field(default_factory=set)
    fixed: dict[str, list[str]] = field(default_factory=dict)

    @property
    def frames(self) -> set[str]:
        """Frames that some rule calls for."""
        return {rule.action.frame for rule in self.rules}


@dataclass(frozen=True, slots=True)
class _Occurrence:
    followed: frozenset[Action]
    described: frozenset[str]
    between: frozenset[tuple[str, str]]
    key: tuple[int, str]


def canonical_frames(episodes: Iterable[Episode]) -> dict[str, str]:
    """Map each frame to the most common frame of its operator: the same words, some omitted.

    ``take {0}`` and ``take {0} from {1}`` are one operator; ``send {0} to sales`` and
    ``send {0} to support`` are two.
    """
    uses = Counter(frame for e in episodes for frame, arguments in e.actions if arguments)
    words = {frame: fill_frame(frame, [""] * slots(frame)).split() for frame in uses}
    canonical: dict[str, str] = {}
    longer: dict[tuple[str, ...], str] = {}  # first words → the operator that goes on so
    shorter: dict[tuple[str, ...], str] = {}  # all words → the operator
    for frame in sorted(uses, key=lambda each: (-uses[each], each)):
        beginnings = [tuple(words[frame][:n]) for n in range(1, len(words[frame]) + 1)]
        variants = [longer[b] for b in beginnings[-1:] if b in longer]
        variants += [shorter[b] for b in beginnings if b in shorter]
        canonical[frame] = min(variants, key=lambda each: (-uses[each], each), default=frame)
        if not variants:
            for beginning in beginnings:
                longer.setdefault(beginning, frame)
            if beginnings:
                shorter[beginnings[-1]] = frame
    return canonical


def learn_instructions(episodes: Sequence[Episode], lexicon: Lexicon) -> Instructions:
    """Learn cue → action rules from all texts of the episodes."""
    canonical = canonical_frames(episodes)
    occurrences: dict[tuple[str, Cue], list[_Occurrence]] = defaultdict(list)
    order_counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    result = Instructions()
    clause_count: Counter[tuple[str, str]] = Counter()
    text_count_by_source: Counter[str] = Counter()
    for number, episode in enumerate(episodes):
        described = descriptions(episode, lexicon)
        for at, source, text in _sources(episode):
            text_count_by_source[source] += 1
            mentioned: list[str] = []
            for clause in clauses(text):
                clause_count[source, clause] += 1
                for _, _, entity in lexicon.mentions(clause):
                    followed = _later_actions(episode, at, entity, canonical)
                    words = described.get(entity, set())
                    occurrence = _Occurrence(
                        followed,
                        frozenset(word for word, _ in words),
                        frozenset(pair for pair in words if pair[1]),
                        (number, entity),
                    )
                    for cue in _cues(source, clause, entity, lexicon):
                        occurrences[source, cue].append(occurrence)
                    mentioned.append(entity)
            _note_order(order_counts[source], episode, at, mentioned)
    achieved = achieved_words(episodes, canonical, lexicon)
    result.rules = _independent_rules(_candidates(occurrences, achieved), occurrences)
    result.in_order = {
        source for source, (ok, total) in order_counts.items() if total >= 10 and ok >= 0.85 * total
    }
    for source in sorted({rule.source for rule in result.rules}):
        least_count = max(_LEAST_HITS, _FIXED * text_count_by_source[source])
        result.fixed[source] = sorted(
            clause
            for (where, clause), count in clause_count.items()
            if where == source and count >= least_count and not lexicon.mentions(clause)
        )
    return result


def _sources(episode: Episode) -> Iterable[tuple[int, str, str]]:
    yield -1, TASK, episode.trajectory.task
    observations: set[str] = set()
    for t, (frame, _) in enumerate(episode.actions):
        observation = episode.trajectory.obs[t + 1]
        if observation not in observations:
            observations.add(observation)
            yield t, frame, observation


def _later_actions(
    episode: Episode, at: int, entity: str, canonical: dict[str, str]
) -> frozenset[Action]:
    actions: set[Action] = set()
    for frame, arguments in episode.actions[at + 1 :]:
        if entity not in arguments:
            continue
        actions.update(readings(frame, arguments, arguments.index(entity), canonical))
    return frozenset(actions)


def _cues(source: str, clause: str, entity: str, lexicon: Lexicon) -> Iterable[Cue]:
    start = clause.find(entity)
    before, after = clause[:start].split(), clause[start + len(entity) :].split()
    if len(before) + len(after) + 1 < _LONGEST_CLAUSE:
        yield Cue(
            " ".join([*_with_wildcards(before, lexicon), "{0}", *_with_wildcards(after, lexicon)])
        )
    right = [after[0], "*"] if after else []
    for words in range(1, min(_NEAR, len(before)) + 1):
        yield Cue(" ".join(["*", *_with_wildcards(before[-words:], lexicon), "{0}", *right]))
    if not before:
        yield Cue(" ".join(["{0}", *right]))
    if source == TASK:
        for word in sorted({*before, *after}):
            if word.isalpha() and word not in lexicon.kinds:
                yield Cue("* {0} *", word)


def _with_wildcards(parts: Sequence[str], lexicon: Lexicon) -> list[str]:
    text = " ".join(parts)
    for start, end, _ in reversed(lexicon.mentions(text)):
        text = text[:start] + "*" + text[end:]
    return text.split()


def _note_order(count: list[int], episode: Episode, at: int, mentioned: Sequence[str]) -> None:
    """Count in place (followed in order, all) of the mentioned entities that are acted on."""
    last = at
    for entity in mentioned:
        steps = [t for t, (_, args) in enumerate(episode.actions) if entity in args and t > at]
        if not steps:
            continue
        count[1] += 1
        following = [t for t in steps if t > last]
        if following:
            count[0] += following[0] - last <= _LATEST
            last = following[0]


def _lower_bound(share: float, total: int, z: float = 1.3) -> float:
    """Return Wilson's lower bound of a share."""
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return (share + z * z / (2 * total) - spread) / (1 + z * z / total)


def _candidates(
    occurrences: dict[tuple[str, Cue], list[_Occurrence]], achieved: Mapping[Action, str]
) -> list[Rule]:
    rules: list[Rule] = []
    for (source, cue), matches in occurrences.items():
        if len(matches) < _LEAST_SUPPORT:
            continue
        hits = Counter(action for occurrence in matches for action in occurrence.followed)
        # Sets come in another order in every process.
        for action, count in sorted(hits.items(), key=lambda item: item[0].sort_key):
            if count < max(_LEAST_HITS, 0.3 * len(matches)):
                continue
            share, word = _with_exception(matches, action, count)
            if word is None and action in achieved:
                word = _unless_contradicted(achieved[action], action, matches)
            if share >= _CONFIDENCE and _lower_bound(share, len(matches)) >= _LOWER_BOUND:
                between = {b for o in matches for w, b in o.between if w == word}
                rules.append(
                    Rule(source, cue, action, word, share, len(matches), tuple(sorted(between)))
                )
    return rules


def _with_exception(
    occurrences: Sequence[_Occurrence], action: Action, count: int
) -> tuple[float, str | None]:
    """Return the best share of followed occurrences, and the word that excepts others, if any."""
    best, best_word = count / len(occurrences), None
    count_unfollowed = Counter(
        w for o in occurrences if action not in o.followed for w in o.described
    )
    count_followed = Counter(w for o in occurrences if action in o.followed for w in o.described)
    for word, misses in sorted(count_unfollowed.items(), key=lambda item: (-item[1], item[0]))[:8]:
        hits = count_followed[word]
        remaining_count = len(occurrences) - misses - hits
        if misses >= 3 and hits <= STILL_DONE * (misses + hits) and remaining_count >= 4:
            share = (count - hits) / remaining_count
            if share > best + 0.03:
                best, best_word = share, word
    return best, best_word


def _unless_contradicted(
    word: str, action: Action, occurrences: Sequence[_Occurrence]
) -> str | None:
    """Return the word if demonstrations did not act on the entities that it describes."""
    described = [o for o in occurrences if word in o.described]
    hits = sum(action in o.followed for o in described)
    return word if hits <= STILL_DONE * len(described) else None


def _independent_rules(
    rules: Sequence[Rule], occurrences: dict[tuple[str, Cue], list[_Occurrence]]
) -> list[Rule]:
    """Return the rules that still hold on the occurrences that no stronger rule covers."""
    strongest_first = sorted(
        rules,
        key=lambda r: (
            not r.action.specific,
            # A cue that gives the entity's place reads new names, too.
            r.cue.word is not None,
            # An exception hides what a fuller cue would separate.
            r.unless_word is not None,
            -_lower_bound(r.confidence, r.support),
            -r.support,
            r.source,
            r.cue.text,
            r.cue.word or "",
            r.action.sort_key,
            r.unless_word or "",
        ),
    )
    covered: dict[tuple[str, str, int], set[tuple[int, str]]] = defaultdict(set)
    independent: list[Rule] = []
    for rule in strongest_first:
        matches = occurrences[rule.source, rule.cue]
        key = (rule.source, rule.action.frame, rule.action.position)
        applies = [o for o in matches if rule.unless_word not in o.described]
        uncovered = [o for o in applies if o.key not in covered[key]]
        if len(uncovered) < len(applies):
            share = (
                sum(rule.action in o.followed for o in uncovered) / len(uncovered)
                if uncovered
                else 0.0
            )
            if len(uncovered) < _LEAST_HITS or share < _CONFIDENCE:
                continue
        independent.append(rule)
        covered[key].update(o.key for o in matches)
    return _from_instructing_sources(independent, occurrences)


def _from_instructing_sources(
    rules: Sequence[Rule], occurrences: dict[tuple[str, Cue], list[_Occurrence]]
) -> list[Rule]:
    """Return the rules of sources that mostly instruct, unlike a room's description."""
    by_cue: dict[tuple[str, Cue], list[Rule]] = defaultdict(list)
    for rule in rules:
        by_cue[rule.source, rule.cue].append(rule)
    fired: dict[tuple[str, tuple[int, str]], bool] = {}
    for (source, cue), matches in occurrences.items():
        for occurrence in matches:
            key = (source, occurrence.key)
            if fired.get(key):
                continue
            fired[key] = any(
                rule.action in occurrence.followed and rule.unless_word not in occurrence.described
                for rule in by_cue.get((source, cue), ())
            )
    counts_by_source: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (source, _), value in fired.items():
        counts_by_source[source][0] += value
        counts_by_source[source][1] += 1
    instructing_sources = {
        s for s, (ok, total) in counts_by_source.items() if total >= 10 and ok >= _COVERAGE * total
    }
    return sorted(
        (rule for rule in rules if rule.source in instructing_sources),
        key=lambda r: (
            r.source,
            r.cue.text,
            r.cue.word or "",
            r.action.sort_key,
            r.unless_word or "",
        ),
    )
