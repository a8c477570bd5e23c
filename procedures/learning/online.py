"""Learn from one's own episodes: experiments at once, the rest when due, within capacity.

What the experiments of an episode showed becomes evidence and, once credible, changed procedures.
A success is learned from if it teaches: its goal has hardly been solved before, or no plan solved
it. Repeating what is known well teaches nothing and would only make learning slower. What a program
is trusted with needs no plan, so no episode of such a task is learned from.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from ..common.errors import MaclaError, TrajectoryError
from ..common.text import tokens
from ..documents.yaml_io import atomic_write
from ..episodes.trajectories import (
    Trajectory,
    require_learnable,
    write_trajectories,
)
from ..evidence.ledger import Ledger, Outcome
from ..evidence.running_counts import RunningCounts
from ..library.library import LOCK_TIMEOUT, Library
from ..library.library_commit import locked
from ..method.ablation import Part
from ..method.settings import Method
from ..model.ontology_words import lexicon_from
from ..model.procedure import Ontology
from ..programs.documents import ProgramFile
from ..programs.play_evidence import contradicted
from ..proposals.inheritance import live_counts, own_rates
from ..proposals.policy import submit
from ..proposals.proposal import Proposal
from ..proposals.proposal_store import Placed
from ..proposals.relearned import store_relearned
from ..proposals.replay import Replayer
from ..refinement.occasions import BEGAN, MARKS, since_began
from ..refinement.past import Past
from ..refinement.recovery import RECOVERY, RecoveryEvidence, recovery_rows
from ..refinement.repairs import propose_repairs, repaired, repairs_of
from ..words.function_words import FUNCTION_WORDS
from ..words.lexicon import Lexicon
from .analysis import goal_template
from .draft_merging import Similarity
from .episode_buffer import HELD, TEACHES, append, digest, kept, line_of, read_buffer
from .kept_cuts import kept_cuts
from .learner import Learned, learn
from .provenance import OWN_PLAY
from .pruning import prune
from .quarantine import log_skipped
from .refused import Refused
from .several_worlds import learn_worlds
from .taught import joined, keep_taught, lacking_taught, read_taught, read_without_plans

__all__ = ["OnlineLearner", "OnlineSettings"]

_ENOUGH = 5
"""Episodes of a goal after which another solved as planned teaches nothing."""
_OBSTACLES = 10_000
"""Most obstacles remembered between lessons; worlds that never say a thing twice have more."""
_LEARNED = "learned.json"
"""Says up to which episode of the buffer was learned from."""


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    """When to learn and from how much; the paper's values. What is kept is the library's setting.

    Attributes:
        buffer: Most episodes learned from (N_buffer); the file is cut to them when it holds twice
            as many.
        every: Learn again after this many new episodes that teach.
        growth: And only when there are so many more, as a share of all that is learned from: the
            time spent on learning then grows no faster than the episodes do.
    """

    buffer: int = 1000
    every: int = 10
    growth: float = 0.02


class OnlineLearner:
    """Takes finished episodes; learns again and prunes when that is due.

    Args:
        library: Where knowledge goes.
        ledger: Where evidence goes.
        demonstrations: Trajectories that are always learned from as well, besides what the library
            was taught from.
        similarity: Similarity of texts, for merging duplicates.
        settings: When and how much.
        place: Sends a proposal on its way; by default it is applied at once.
        adopt: Puts what was learned into the library, given also what it was learned from, and
            says whether anything changed; by default it is written at once.
        forget: Removes what there is no room for, and says what went; by default that is done at
            once.
        without: Parts of the method to leave out; see :mod:`macla.procedures.method.ablation`.
        played: How many episodes are known to have been taken in.
        redact: Takes secrets out of an episode before anything is kept of it.

    Attributes:
        lacking: Why nothing is learned afresh, or "". Where a library holds something, and what it
            was learned from is not all at hand, what it holds is only refined: learning again
            would forget what only those episodes showed.
        forgotten: What went for want of room, by id; some of it may have been learned again.
        behind: Whether demonstrations were given that the library was not taught from yet;
            :meth:`relearn` takes them in.
        refused: Changes that could not be made, with reasons.
    """

    def __init__(
        self,
        library: Library,
        ledger: Ledger,
        *,
        demonstrations: Sequence[Trajectory] = (),
        similarity: Similarity | None = None,
        settings: OnlineSettings | None = None,
        place: Callable[[Proposal], Placed] | None = None,
        adopt: Callable[[Learned, Sequence[Trajectory]], bool] | None = None,
        forget: Callable[[], Sequence[str]] | None = None,
        without: Collection[Part] = (),
        played: int = 0,
        redact: Callable[[Trajectory], Trajectory] = lambda episode: episode,
    ) -> None:
        self._library = library
        self._ledger = ledger
        kept = read_taught(library)
        self._demonstrations = joined(kept or (), demonstrations)
        self._kept = kept is not None
        self._without_plans = read_without_plans(library.path)
        self.behind = kept is not None and len(self._demonstrations) > len(kept)
        self._similarity = similarity
        self._settings = settings or OnlineSettings()
        self._redact = redact
        self._place = place or (lambda proposal: submit(library, ledger, proposal, "auto"))
        self._adopt = adopt or self._store
        self._forget = forget or (lambda: prune(library, ledger))
        self.forgotten: dict[str, None] = {}
        self._without = frozenset(without)
        self._recoveries = RunningCounts(ledger, subject_kind="binding", subject=RECOVERY)
        self.refused = Refused()
        self._file = library.path / ".macla" / "episodes.jsonl"
        self._buffer: list[Trajectory] = []
        self._lines = 0
        self._reload()
        self.lacking = ""
        if library.procedures or library.metas:
            taught = "" if demonstrations else lacking_taught(library)
            self.lacking = taught or self._lacking_played(played)
        self._new = self._count_new()
        self._words: dict[str, Lexicon] = {}
        self._telling: list[Trajectory] | None = None
        self._shown: Past | None = None
        self._obstacles: set[tuple[str, str]] | None = None
        self._goals: Counter[str] = Counter()
        self._programs: list[ProgramFile] | None = None

    @property
    def demonstrations(self) -> int:
        """How many demonstrations are learned from, those of before included."""
        return len(self._demonstrations)

    @property
    def episodes(self) -> Sequence[Trajectory]:
        """The buffered episodes, oldest first."""
        return tuple(self._buffer)

    def add(self, episode: Trajectory) -> bool:
        """Take in one episode; one whose id is in the buffer already is not taken again.

        If its learning was cut off, that is done now.

        Returns:
            Whether the library changed, so that knowledge should be loaded afresh.

        Raises:
            TrajectoryError: The episode cannot be written; the buffer is as before.
        """
        for known in self._buffer:
            if episode.id and episode.id == known.id:
                shown = list(self._ledger.rows("binding", RECOVERY, run=known.id))
                changed = self._repair(shown, self._world(known))
                return self._relearn_when_due() or changed
        try:
            require_learnable(episode)
        except TrajectoryError as error:
            log_skipped(error)
            return False
        episode = self._redact(episode)
        fallen = self._contradicted(episode)
        teaches = episode.success and self._teaches(episode)
        if episode.source == OWN_PLAY:
            held = self._library.content_hash
            episode = replace(episode, info={**episode.info, TEACHES: teaches, HELD: held})
        line = line_of(episode)
        shown = self._record_experiments(episode)  # first: of what is kept, all is recorded
        limit = self._settings.buffer
        with locked(self._library.path, LOCK_TIMEOUT):
            append(self._file, line)
            self._lines += 1
            if self._lines > 2 * limit:
                # Others may have appended meanwhile.
                left = kept(read_buffer(self._file), limit)
                write_trajectories(self._file, left)
                self._lines = len(left)
        self._buffer = kept([*self._buffer, episode], limit)
        if teaches:
            self._telling = None
        changed = self._repair(shown, self._world(episode))
        self._new += teaches
        if teaches and self._goals:
            self._goals[self._goal(episode)] += 1
        return (self.relearn() if fallen else self._relearn_when_due()) or changed

    def _relearn_when_due(self) -> bool:
        if self._new < max(self._settings.every, self._settings.growth * len(self._told())):
            return False
        return self.relearn()

    def relearn(self) -> bool:
        """Learn from demonstrations and buffer together, and prune; say whether that changed it."""
        self._reload()
        if self.lacking:
            self._new = 0
            return self.prune()
        if self.behind or not self._kept:
            keep_taught(self._library.path, self._demonstrations, self._without_plans)
            self.behind, self._kept = False, True
        self._telling = self._programs = None
        told = self._told()
        changed = False
        if any(episode.success and episode.acts for episode in told):
            method = Method.from_settings(self._library.settings.settings)
            thetas = method.theta_dup, method.theta_sim, method.k_vocab
            similarity = None if "ontology" in self._without else self._similarity
            kept = kept_cuts(self._library.procedures, self._library.metas)
            learned = learn_worlds(
                told,
                lambda world: learn(world, similarity, *thetas, without=self._without, cuts=kept),
            )
            if not _is_constant(learned, told):
                changed = self._adopt(self._with_recoveries(learned), told)
            changed = self.prune() or changed
        self._new = 0
        self._words, self._goals, self._telling, self._programs = {}, Counter(), None, None
        if self._buffer:
            mark = json.dumps({"up_to": digest(self._buffer[-1])})
            atomic_write(self._file.with_name(_LEARNED), mark.encode())
        return changed

    def prune(self) -> bool:
        """Remove what there is no room for; say whether anything went."""
        gone = self._forget()
        self.forgotten |= dict.fromkeys(gone)
        return bool(gone)

    def _store(self, learned: Learned, _: Sequence[Trajectory]) -> bool:
        return bool(store_relearned(self._library, self._ledger, learned))

    def _reload(self) -> None:
        """Take in what all processes have buffered."""
        if not self._file.exists():
            return
        with locked(self._library.path, LOCK_TIMEOUT):
            found = read_buffer(self._file)
        self._lines = len(found)
        first = {episode.id or str(i): episode for i, episode in reversed([*enumerate(found)])}
        self._buffer = kept(list(reversed(first.values())), self._settings.buffer)

    def _lacking_played(self, played: int) -> str:
        """Say which episodes are gone that the file should hold; "" if none."""
        limit = self._settings.buffer
        wanted = played if played <= 2 * limit else limit
        if self._lines >= wanted:
            return ""
        file = self._file.relative_to(self._library.path)
        return f"of the {wanted} played episodes that were kept {file} holds only {self._lines}"

    def _told(self) -> list[Trajectory]:
        """What is learned from: demonstrations, and the buffered episodes that teach.

        No plan is learned of what a program is trusted with, nor of demonstrations that plans
        are known to end wrongly.
        """
        if self._telling is None:
            shown = self._unprogrammed(self._demonstrations)
            if self._without_plans:
                shown = [e for e in shown if digest(e) not in self._without_plans]
            self._telling = [*shown, *self._lessons(len(shown))]
        return self._telling

    def lessons(self) -> list[Trajectory]:
        """Return what the buffered episodes teach: of each the part that is learned from."""
        return self._lessons(len(self._demonstrations))

    def _lessons(self, shown: int) -> list[Trajectory]:
        """Return the same where so many demonstrations are learned from as well."""
        own = [e for e in self._unprogrammed(self._buffer) if e.info.get(TEACHES, True)]
        if any(BEGAN in e.info for e in own):
            # Where a goal is mostly solved straight away, trying adds nothing.
            known = self._solved_straight()
            left = [e for e in own if BEGAN not in e.info or self._goal(e) not in known]
            if len(left) + shown > 1:
                own = left  # one episode alone tells no thing from a word
        return [since_began(e) for e in own]

    def _unprogrammed(self, episodes: Sequence[Trajectory]) -> list[Trajectory]:
        return [episode for episode in episodes if not self._has_program(episode)]

    def _has_program(self, episode: Trajectory) -> bool:
        """Tell whether a program is trusted with an episode's task."""
        return any(file.reads(episode.task, episode.obs[0]) for file in self._trusted())

    def _trusted(self) -> list[ProgramFile]:
        if self._programs is None:
            files = self._library.programs.values()
            self._programs = [each for each in files if self._holds(each)]
        return self._programs

    def _contradicted(self, episode: Trajectory) -> bool:
        """Tell whether an episode contradicts a program, so that plans have to be learned."""
        own = [each for each in self._trusted() if each.reads(episode.task, episode.obs[0])]
        fallen = [each.id for each in own if not self._holds(each)]
        self._programs = [each for each in self._trusted() if each.id not in fallen]
        return bool(fallen)

    def _holds(self, file: ProgramFile) -> bool:
        """Tell whether a program is used, and play does not contradict its proof."""
        if file.status != "active":
            return False
        counts = self._ledger.counts("program", file.id)
        good, bad = counts.get(("program", file.id, file.version, ""), (0.0, 0.0))
        return not contradicted(good, bad)

    def _solved_straight(self) -> set[str]:
        """Return the goals that were demonstrated, or solved no less often straight than not."""
        solved = [e for e in self._buffer if e.success]
        straight = Counter(self._goal(e) for e in solved if BEGAN not in e.info)
        tried = Counter(self._goal(e) for e in solved if BEGAN in e.info)
        shown = {self._goal(e) for e in self._demonstrations if e.success}
        return shown | {goal for goal, times in straight.items() if times >= tried[goal]}

    def taught(self, episode: Trajectory) -> bool:
        """Tell whether the library holds anything else than before an episode was taken in."""
        return bool(episode.info.get(HELD) != self._library.content_hash)

    def doubtful(self, name: str) -> bool:
        """Tell whether an episode teaches what was found by trying: part may not matter."""
        episode = next((e for e in self._buffer if e.id == name), None)
        return episode is not None and bool(episode.info.get(TEACHES)) and BEGAN in episode.info

    def doubt(self, name: str) -> bool:
        """Learn from all of an episode where its last part did not suffice, or else not from it.

        Returns:
            As :meth:`relearn`.
        """

        def whole(episode: Trajectory) -> Trajectory:
            if episode.id != name:
                return episode
            info = dict(episode.info)
            if not info.pop(MARKS, None) and not info.get(BEGAN):
                info[TEACHES] = self._knows_little()
            return replace(episode, info={**info, BEGAN: 0})

        with locked(self._library.path, LOCK_TIMEOUT):
            write_trajectories(self._file, [whole(each) for each in read_buffer(self._file)])
        return self.relearn()

    def _teaches(self, episode: Trajectory) -> bool:
        """Tell whether a success shows something that is not known well."""
        if self._has_program(episode):
            return False
        if episode.source != OWN_PLAY or not episode.info.get("metas"):
            return True
        return self._goals_told()[self._goal(episode)] < _ENOUGH

    def _lexicon(self, world: str) -> Lexicon:
        if world not in self._words:
            self._words[world] = lexicon_from(self._library.ontology.of_world(world))
        return self._words[world]

    def _world(self, episode: Trajectory) -> str:
        return self._library.ontology.world_of(episode.task, episode.obs[0])

    def _goal(self, episode: Trajectory) -> str:
        """Return the template of an episode's task: the kinds that it met are slots."""
        lexicon = self._lexicon(self._world(episode))
        kinds = {lexicon.kind(entity) for text in episode.obs for entity in lexicon.entities(text)}
        return goal_template(lexicon.chunk(episode.task), kinds)[0]

    def _goals_told(self) -> Counter[str]:
        """Count what is learned from by goal; made once, and again after learning."""
        if not self._goals:
            self._goals = Counter(self._goal(e) for e in self._told() if e.success)
        return self._goals

    def _knows_little(self) -> bool:
        """While few goals were solved straight away, a doubtful lesson is better than none."""
        straight = (e for e in self._told() if e.success and e.info.get(BEGAN) is None)
        own = {e.id for e in self._buffer if BEGAN in e.info}
        return sum(e.id not in own for e in straight) < _ENOUGH

    def _past(self, lexicon: Lexicon, world: str) -> Past:
        """Return all episodes of a world; demonstrations stay, so they are read once."""
        if self._shown is None or self._shown.lexicon is not lexicon:
            self._shown = Past(lexicon, self._of_world(self._demonstrations, world))
        return Past(lexicon, self._of_world(self._buffer, world), self._shown)

    def _of_world(self, episodes: Sequence[Trajectory], world: str) -> Sequence[Trajectory]:
        if not self._library.ontology.worlds:
            return episodes
        return [each for each in episodes if self._world(each) == world]

    def _evidence(self) -> RecoveryEvidence:
        counts = self._recoveries.counts()
        return RecoveryEvidence({key[3]: value for key, value in counts.items()})

    def _record_experiments(self, episode: Trajectory) -> list[Outcome]:
        """Record and return what experiments showed."""
        if self._obstacles is None or len(self._obstacles) > 2 * _OBSTACLES:
            self._obstacles = self._evidence().obstacles(_OBSTACLES)
        rows = recovery_rows(episode, self._lexicon(self._world(episode)), self._obstacles)
        self._ledger.record(rows)
        return rows

    def _repair(self, rows: Sequence[Outcome], world: str) -> bool:
        """Propose changes where experiments made a rule credible; say whether any was made.

        Args:
            rows: What the experiments of an episode showed.
            world: Its world, whose procedures are changed.
        """
        lexicon = self._lexicon(world)
        if "contrast" in self._without:
            return False
        if not any(row.successes and json.loads(row.binding)[3] for row in rows):
            return False
        own = (each for each in self._library.procedures.values() if each.world == world)
        documents = [procedure.to_document() for procedure in own]
        changed = False
        past = self._past(lexicon, world)
        proposals = propose_repairs(
            documents,
            self._evidence(),
            lexicon,
            past,
            method=self._method(),
            trials=self._trials,
            replay=lambda made: Replayer.of(tuple(past), self._library, [made]).replay(made),
        )
        for proposal in proposals:
            try:
                changed |= self._place(proposal).note == "accepted"
            except MaclaError as error:  # noqa: PERF203 (locked, or changed meanwhile: the others still go)
                self.refused.append(f"{proposal.id}: {error}")
        if changed:
            self._library.refresh()
        return changed

    def _trials(self, name: str) -> tuple[float, float]:
        """Return successes and failures of a procedure as it stands."""
        key = ("procedure", name, self._library.procedures[name].version, "")
        return live_counts(self._library, self._ledger, name).get(key, (0.0, 0.0))

    def _method(self) -> Method:
        """Return how the library says that versions are valued, its prior fitted if it is."""
        method = Method.from_settings(self._library.settings.settings)
        return replace(method, prior=method.prior_from(own_rates(self._library, self._ledger)))

    def _with_recoveries(self, learned: Learned) -> Learned:
        """Add the recovery steps that are credible to procedures that were learned afresh."""
        evidence = self._evidence()
        if learned.lexicon is None or "contrast" in self._without or not evidence.rules():
            return learned
        words, method = Ontology.from_document(learned.ontology), self._method()
        pasts: dict[str, Past] = {}
        for world, own in words.by_world.items():
            lexicon = lexicon_from(own) if world else learned.lexicon
            told = [*self._demonstrations, *self._buffer]
            here = [e for e in told if words.world_of(e.task, e.obs[0]) == world]
            pasts[world] = Past(lexicon, here)
        for name, document in learned.procedures.items():
            past = pasts[document.get("world", "")]
            repairs = repairs_of(document, evidence, past.lexicon, past, method)
            if repairs:
                learned.procedures[name] = repaired(document, repairs)
        return learned

    def _count_new(self) -> int:
        """Count the buffered successes that came after what was learned from."""
        try:
            mark = json.loads(self._file.with_name(_LEARNED).read_bytes())["up_to"]
        except (OSError, ValueError, KeyError, TypeError):
            mark = None  # then all are new: at worst it is learned once more
        count = 0
        for episode in reversed(self._buffer):
            if mark is not None and digest(episode) == mark:
                break
            count += episode.success and bool(episode.info.get(TEACHES, True))
        return count


def _is_constant(learned: Learned, told: Sequence[Trajectory]) -> bool:
    """Say whether one success is too little to tell things from verbs; a second one will.

    Its procedures would do what was done once with these very things: they have no parameters,
    although the task names some of their words.
    """
    if learned.episodes > 1 or any(p["parameters"] for p in learned.procedures.values()):
        return False
    tasks = {word for each in told if each.success for word in tokens(each.task.lower())}
    named = {word for word in tasks - FUNCTION_WORDS if word.isalpha()}
    return any(not named.isdisjoint(tokens(p["goal"])[1:]) for p in learned.procedures.values())
