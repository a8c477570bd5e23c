"""Learn from the library's own episodes: experiments at once, the rest when due, within capacity.

The experiments of an episode become evidence; credible evidence changes procedures. A success
teaches if its goal was seldom solved before, or if no plan solved it. Other successes would only
make learning slower. A task that a trusted program solves needs no plan; its episodes teach none.
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

_ENOUGH = 5
"""Episodes of a goal after which another solved as planned teaches nothing."""
_OBSTACLES = 10_000
"""Most obstacles remembered between lessons; it bounds memory in worlds that repeat no text."""
_LEARNED = "learned.json"
"""File that names the last episode of the buffer that was learned from."""


@dataclass(frozen=True, slots=True)
class OnlineSettings:
    """The schedule of learning; the defaults are the paper's values.

    Attributes:
        buffer: Most episodes learned from (N_buffer); the file is cut to them when it holds twice
            as many.
        every: Learn again after this many new episodes that teach.
        growth: Least share of new episodes in all that is learned from. It keeps the time spent
            on learning from growing faster than the episodes do.
    """

    buffer: int = 1000
    every: int = 10
    growth: float = 0.02


class OnlineLearner:
    """Takes finished episodes; learns again and prunes when that is due.

    Args:
        library: Where knowledge goes.
        ledger: Where evidence goes.
        demonstrations: Trajectories that are learned from each time, besides those that the
            library was taught from.
        similarity: Similarity of texts, for merging duplicates.
        settings: When and how much.
        place: Sends a proposal on its way; by default it is applied at once.
        adopt: Puts the learned documents into the library, given their trajectories too, and
            returns whether anything changed; by default it writes them at once.
        forget: Removes what exceeds the capacity and returns its ids; by default at once.
        without: Parts of the method to leave out; see :mod:`macla.procedures.method.ablation`.
        played: How many episodes were taken in before.
        redact: Takes secrets out of an episode before it is stored.

    Attributes:
        lacking: Why nothing is learned afresh, or "". A library whose episodes are not all at
            hand is only refined: learning again would forget what the missing ones taught.
        forgotten: Ids removed for want of room; some may have been learned again.
        behind: Whether there are demonstrations that the library was not taught from yet;
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
        taught_from = read_taught(library)
        self._demonstrations = joined(taught_from or (), demonstrations)
        self._kept = taught_from is not None
        self._without_plans = read_without_plans(library.path)
        self.behind = taught_from is not None and len(self._demonstrations) > len(taught_from)
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
        """Number of demonstrations that are learned from, earlier ones included."""
        return len(self._demonstrations)

    @property
    def episodes(self) -> Sequence[Trajectory]:
        """The buffered episodes, oldest first."""
        return tuple(self._buffer)

    def add(self, episode: Trajectory) -> bool:
        """Take in one episode, unless its id is in the buffer already.

        Learning from it that was interrupted is completed.

        Returns:
            Whether the library changed, so that knowledge should be loaded afresh.

        Raises:
            TrajectoryError: The episode cannot be written; the buffer is as before.
        """
        for buffered in self._buffer:
            if episode.id and episode.id == buffered.id:
                rows = list(self._ledger.rows("binding", RECOVERY, run=buffered.id))
                changed = self._repair(rows, self._world(buffered))
                return self._relearn_when_due() or changed
        try:
            require_learnable(episode)
        except TrajectoryError as error:
            log_skipped(error)
            return False
        episode = self._redact(episode)
        program_refuted = self._contradicted(episode)
        teaches = episode.success and self._teaches(episode)
        if episode.source == OWN_PLAY:
            library_hash = self._library.content_hash
            episode = replace(episode, info={**episode.info, TEACHES: teaches, HELD: library_hash})
        line = line_of(episode)
        rows = self._record_experiments(episode)  # first: evidence of every stored episode
        limit = self._settings.buffer
        with locked(self._library.path, LOCK_TIMEOUT):
            append(self._file, line)
            self._lines += 1
            if self._lines > 2 * limit:
                # Others may have appended meanwhile.
                remaining = kept(read_buffer(self._file), limit)
                write_trajectories(self._file, remaining)
                self._lines = len(remaining)
        self._buffer = kept([*self._buffer, episode], limit)
        if teaches:
            self._telling = None
        changed = self._repair(rows, self._world(episode))
        self._new += teaches
        if teaches and self._goals:
            self._goals[self._goal(episode)] += 1
        return (self.relearn() if program_refuted else self._relearn_when_due()) or changed

    def _relearn_when_due(self) -> bool:
        if self._new < max(self._settings.every, self._settings.growth * len(self._told())):
            return False
        return self.relearn()

    def relearn(self) -> bool:
        """Learn from demonstrations and buffer, and prune; return whether the library changed."""
        self._reload()
        if self.lacking:
            self._new = 0
            return self.prune()
        if self.behind or not self._kept:
            keep_taught(self._library.path, self._demonstrations, self._without_plans)
            self.behind, self._kept = False, True
        self._telling = self._programs = None
        trajectories = self._told()
        changed = False
        if any(episode.success and episode.acts for episode in trajectories):
            method = Method.from_settings(self._library.settings.settings)
            thetas = method.theta_dup, method.theta_sim, method.k_vocab
            similarity = None if "ontology" in self._without else self._similarity
            cuts = kept_cuts(self._library.procedures, self._library.metas)
            learned = learn_worlds(
                trajectories,
                lambda world: learn(world, similarity, *thetas, without=self._without, cuts=cuts),
            )
            if not _is_constant(learned, trajectories):
                changed = self._adopt(self._with_recoveries(learned), trajectories)
            changed = self.prune() or changed
        self._new = 0
        self._words, self._goals, self._telling, self._programs = {}, Counter(), None, None
        if self._buffer:
            mark = json.dumps({"up_to": digest(self._buffer[-1])})
            atomic_write(self._file.with_name(_LEARNED), mark.encode())
        return changed

    def prune(self) -> bool:
        """Remove what exceeds the capacity; return whether anything went."""
        removed_ids = self._forget()
        self.forgotten |= dict.fromkeys(removed_ids)
        return bool(removed_ids)

    def _store(self, learned: Learned, _: Sequence[Trajectory]) -> bool:
        return bool(store_relearned(self._library, self._ledger, learned))

    def _reload(self) -> None:
        """Read the episodes that all processes buffered."""
        if not self._file.exists():
            return
        with locked(self._library.path, LOCK_TIMEOUT):
            episodes = read_buffer(self._file)
        self._lines = len(episodes)
        first = {episode.id or str(i): episode for i, episode in reversed([*enumerate(episodes)])}
        self._buffer = kept(list(reversed(first.values())), self._settings.buffer)

    def _lacking_played(self, played: int) -> str:
        """Return which episodes the file lacks, as a message; "" if none."""
        limit = self._settings.buffer
        minimum = played if played <= 2 * limit else limit
        if self._lines >= minimum:
            return ""
        file = self._file.relative_to(self._library.path)
        return f"of the {minimum} played episodes that were kept {file} holds only {self._lines}"

    def _told(self) -> list[Trajectory]:
        """Return what plans are learned from: demonstrations, and buffered episodes that teach.

        Tasks of trusted programs are left out, and so are demonstrations whose plans are known to
        end wrongly.
        """
        if self._telling is None:
            demonstrations = self._unprogrammed(self._demonstrations)
            if self._without_plans:
                demonstrations = [e for e in demonstrations if digest(e) not in self._without_plans]
            self._telling = [*demonstrations, *self._lessons(len(demonstrations))]
        return self._telling

    def lessons(self) -> list[Trajectory]:
        """Return of each buffered episode the part that is learned from."""
        return self._lessons(len(self._demonstrations))

    def _lessons(self, demonstration_count: int) -> list[Trajectory]:
        """Return these lessons, given how many demonstrations are learned from as well."""
        episodes = [e for e in self._unprogrammed(self._buffer) if e.info.get(TEACHES, True)]
        if any(BEGAN in e.info for e in episodes):
            # Trials teach nothing about a goal that is mostly solved straight away.
            straight_goals = self._solved_straight()
            remaining = [
                e for e in episodes if BEGAN not in e.info or self._goal(e) not in straight_goals
            ]
            if len(remaining) + demonstration_count > 1:
                episodes = remaining  # one episode alone does not separate entities from words
        return [since_began(e) for e in episodes]

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
        programs = [each for each in self._trusted() if each.reads(episode.task, episode.obs[0])]
        refuted_ids = [each.id for each in programs if not self._holds(each)]
        self._programs = [each for each in self._trusted() if each.id not in refuted_ids]
        return bool(refuted_ids)

    def _holds(self, file: ProgramFile) -> bool:
        """Tell whether a program is active and play does not contradict its proof."""
        if file.status != "active":
            return False
        counts = self._ledger.counts("program", file.id)
        good, bad = counts.get(("program", file.id, file.version, ""), (0.0, 0.0))
        return not contradicted(good, bad)

    def _solved_straight(self) -> set[str]:
        """Return goals that were demonstrated, or solved straight as often as by trials or more."""
        solved = [e for e in self._buffer if e.success]
        straight_count = Counter(self._goal(e) for e in solved if BEGAN not in e.info)
        trial_count = Counter(self._goal(e) for e in solved if BEGAN in e.info)
        demonstrated_goals = {self._goal(e) for e in self._demonstrations if e.success}
        return demonstrated_goals | {
            goal for goal, times in straight_count.items() if times >= trial_count[goal]
        }

    def taught(self, episode: Trajectory) -> bool:
        """Tell whether the library changed since an episode was taken in."""
        return bool(episode.info.get(HELD) != self._library.content_hash)

    def doubtful(self, name: str) -> bool:
        """Tell whether an episode teaches a solution by trials, parts of which may be idle."""
        episode = next((e for e in self._buffer if e.id == name), None)
        return episode is not None and bool(episode.info.get(TEACHES)) and BEGAN in episode.info

    def doubt(self, name: str) -> bool:
        """Learn from all of an episode whose last part did not suffice, or not from it at all.

        Returns:
            As :meth:`relearn`.
        """

        def without_start_mark(episode: Trajectory) -> Trajectory:
            if episode.id != name:
                return episode
            info = dict(episode.info)
            if not info.pop(MARKS, None) and not info.get(BEGAN):
                info[TEACHES] = self._knows_little()
            return replace(episode, info={**info, BEGAN: 0})

        with locked(self._library.path, LOCK_TIMEOUT):
            write_trajectories(
                self._file, [without_start_mark(each) for each in read_buffer(self._file)]
            )
        return self.relearn()

    def _teaches(self, episode: Trajectory) -> bool:
        """Tell whether a success shows something that the library does not know well."""
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
        """Return the template of an episode's task; the kinds it met are slots."""
        lexicon = self._lexicon(self._world(episode))
        kinds = {lexicon.kind(entity) for text in episode.obs for entity in lexicon.entities(text)}
        return goal_template(lexicon.chunk(episode.task), kinds)[0]

    def _goals_told(self) -> Counter[str]:
        """Count the learned successes by goal; the counter is cached until the next learning."""
        if not self._goals:
            self._goals = Counter(self._goal(e) for e in self._told() if e.success)
        return self._goals

    def _knows_little(self) -> bool:
        """Tell whether few goals were solved straight away: then a doubtful lesson is welcome."""
        straight = (e for e in self._told() if e.success and e.info.get(BEGAN) is None)
        trial_ids = {e.id for e in self._buffer if BEGAN in e.info}
        return sum(e.id not in trial_ids for e in straight) < _ENOUGH

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
        """Record and return the outcomes of an episode's experiments."""
        if self._obstacles is None or len(self._obstacles) > 2 * _OBSTACLES:
            self._obstacles = self._evidence().obstacles(_OBSTACLES)
        rows = recovery_rows(episode, self._lexicon(self._world(episode)), self._obstacles)
        self._ledger.record(rows)
        return rows

    def _repair(self, rows: Sequence[Outcome], world: str) -> bool:
        """Propose changes where experiments made a rule credible; return whether any was accepted.

        Args:
            rows: Outcomes of an episode's experiments.
            world: Its world, whose procedures change.
        """
        lexicon = self._lexicon(world)
        if "contrast" in self._without:
            return False
        if not any(row.successes and json.loads(row.binding)[3] for row in rows):
            return False
        procedures = (each for each in self._library.procedures.values() if each.world == world)
        documents = [procedure.to_document() for procedure in procedures]
        changed = False
        past = self._past(lexicon, world)
        proposals = propose_repairs(
            documents,
            self._evidence(),
            lexicon,
            past,
            method=self._method(),
            trials=self._trials,
            replay=lambda candidate: Replayer.of(tuple(past), self._library, [candidate]).replay(
                candidate
            ),
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
        """Return the library's method settings, with the prior fitted where they ask for that."""
        method = Method.from_settings(self._library.settings.settings)
        return replace(method, prior=method.prior_from(own_rates(self._library, self._ledger)))

    def _with_recoveries(self, learned: Learned) -> Learned:
        """Add the credible recovery steps to freshly learned procedures."""
        evidence = self._evidence()
        if learned.lexicon is None or "contrast" in self._without or not evidence.rules():
            return learned
        words, method = Ontology.from_document(learned.ontology), self._method()
        pasts: dict[str, Past] = {}
        for world, ontology in words.by_world.items():
            lexicon = lexicon_from(ontology) if world else learned.lexicon
            trajectories = [*self._demonstrations, *self._buffer]
            world_episodes = [e for e in trajectories if words.world_of(e.task, e.obs[0]) == world]
            pasts[world] = Past(lexicon, world_episodes)
        for name, document in learned.procedures.items():
            past = pasts[document.get("world", "")]
            repairs = repairs_of(document, evidence, past.lexicon, past, method)
            if repairs:
                learned.procedures[name] = repaired(document, repairs)
        return learned

    def _count_new(self) -> int:
        """Count the buffered successes after the last episode that was learned from."""
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


def _is_constant(learned: Learned, trajectories: Sequence[Trajectory]) -> bool:
    """Tell whether one success is too little to separate entities from verbs; a second will do.

    Its procedures repeat one run with the same entities: they have no parameters, although the
    task names some of their words.
    """
    if learned.episodes > 1 or any(p["parameters"] for p in learned.procedures.values()):
        return False
    task_words = {
        word for each in trajectories if each.success for word in tokens(each.task.lower())
    }
    content_words = {word for word in task_words - FUNCTION_WORDS if word.isalpha()}
    return any(
        not content_words.isdisjoint(tokens(p["goal"])[1:]) for p in learned.procedures.values()
    )
