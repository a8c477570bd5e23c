"""Kinds of task: which runs are demonstrations of one program.

Runs are of one kind if their tasks have similar wordings and they begin with the same call, or if
they make the same calls and give similar answers. The program of its kind plays a run before it
learns from it. That is the program's proof; a program that reproduces the run is not learned anew.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ..episodes.facts import scalar_text
from ..episodes.tokens import Tokens, occurs
from ..programs.call_forms import argument_leaves
from ..programs.documents import DEFAULT_STATUS, REASON, ProgramFile
from ..programs.fingerprints import Fingerprint
from ..programs.program import ProgramStep
from ..programs.program_proof import FOLDS, ProgramProof
from ..programs.replaying import Divergence
from ..programs.sources import Constant
from .alike_calls import AlikeCalls, CallTexts, Deeds
from .likeness import AlikeWordings
from .program_of_kind import LEAST_RUNS, learn_tool_program
from .program_run import ToolProgram
from .register import Register
from .run_lessons import told_by
from .task_wording import given_words, names_in, wording_of, words_apart
from .tool_episodes import ToolEpisode, worth_learning
from .tool_operators import Said

_MOST_KEPT = 100
"""Runs of one kind that are kept."""
_RUNS_PER_NEWS = 24
"""One run of so many that a program does not reproduce is news enough to learn it anew."""
_GROWTH = 1.25
"""So many times as many runs are there when a program is learned anew that is not proved yet."""
_PROOF_RUNS = 20
"""Newest runs that make up the proof: a program is not judged by what it did long ago."""


@dataclass(frozen=True, slots=True)
class _Demonstration:
    """A run, with what decides of which kind it is.

    Attributes:
        number: How many runs were seen before it.
        run: The run.
        deeds: Words of its task, and what it did.
    """

    number: int
    run: ToolEpisode
    deeds: Deeds

    @property
    def wording(self) -> Tokens:
        """Words of the task."""
        return self.deeds.wording

    @property
    def first_call(self) -> CallTexts:
        """The call that it begins with."""
        return self.deeds.calls[:1]


@dataclass(frozen=True, slots=True)
class News:
    """The changes of a library's programs.

    Attributes:
        files: Programs that were learned anew, in the order of their ids.
        gone: Ids of programs for which there is no room, or whose kind became part of another.
        replaced: Id of a program → id of the draft, named after one run, in whose place it comes.
    """

    files: tuple[ProgramFile, ...] = ()
    gone: frozenset[str] = frozenset()
    replaced: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _KindOfRuns:
    """One kind of task.

    Attributes:
        runs: Wording → the runs that are kept, the oldest first.
        shown: How many runs there were.
        program: What was learned of them.
        learned: How many there were when it was learned.
        plays: Where the program parted from each of the newest runs, before it learned from it.
        right: Tool → how many of its calls the program of each time made as they were shown.
        missed: Tool → how many calls it did not make so.
        unlike: Runs that the program does not reproduce.
        unmended: How many of these it did not reproduce when it had just been learned from them.
        widened: Whether other kinds were joined to it since.
        since: Number of the first run after a tool took other arguments; below 0 where none did.
    """

    runs: dict[Tokens, deque[_Demonstration]] = field(default_factory=dict)
    shown: int = 0
    program: ToolProgram | None = None
    learned: int = 0
    plays: deque[Divergence | None] = field(default_factory=lambda: deque(maxlen=_PROOF_RUNS))
    right: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    unlike: list[tuple[ToolEpisode, Divergence]] = field(default_factory=list)
    unmended: int = 0
    widened: bool = False
    since: int = -1

    @property
    def kept(self) -> list[_Demonstration]:
        """The runs that are kept, the oldest first."""
        demonstrations = (demonstration for runs in self.runs.values() for demonstration in runs)
        return sorted(demonstrations, key=lambda demonstration: demonstration.number)

    @property
    def id(self) -> str:
        """The id of its program; empty where it has none."""
        return "" if self.program is None else self.program.file.id

    @property
    def newest(self) -> _Demonstration:
        """The newest run."""
        return max(
            (runs[-1] for runs in self.runs.values()),
            key=lambda demonstration: demonstration.number,
        )

    @property
    def due(self) -> bool:
        """Whether the program is to be learned anew.

        A program is due if it did something else than a run, or if there are many runs that it does
        not reproduce.
        Runs that learning did not mend count half: for every two of them there has to be a new one.
        A program that has not reproduced the 20 newest runs is also due when there are a quarter
        more runs than it was learned from. It is never due while fewer runs are kept than that.
        """
        if self.elsewhere:
            return True
        if self.widened or self.learned < LEAST_RUNS:
            return self.widened or self.shown > self.learned
        if self.program is not None and len(self.kept) < self.program.file.runs:
            return False
        if self.proof.reproduced < _PROOF_RUNS and self.shown >= _GROWTH * self.learned:
            return True
        news = self.unlike[self.unmended :]
        if 2 * len(news) < max(1, self.unmended):
            return False
        wrong = any(not divergence.abstains for _, divergence in news)
        return wrong or len(news) * _RUNS_PER_NEWS >= self.learned

    @property
    def elsewhere(self) -> bool:
        """Whether the newest runs were all done under what the program was not shown under."""
        fingerprints = [demonstration.run.under for demonstration in self.kept[-LEAST_RUNS:]]
        return (
            self.program is not None
            and len(fingerprints) == LEAST_RUNS
            and all(self.program.under.differs(each) for each in fingerprints)
            and _share_fingerprint(fingerprints)
        )

    @property
    def proof(self) -> ProgramProof:
        """The proof: how many of the newest runs were reproduced before they were learned from."""
        parted = tuple(each for each in self.plays if each is not None)
        return ProgramProof(len(self.plays), parted)

    @property
    def moved(self) -> bool:
        """Whether the proof allows now what it did not allow before, or the other way round."""
        file = self.program.file if self.program is not None else None
        return file is not None and _proved(file, self.proof).status != file.status

    def take(self, program: ToolProgram) -> None:
        """Have a program that others wrote for its own: as if learned from what was shown."""
        previous, self.program = self.program, program
        if previous is None or not previous.file.does_the_same(program.file):
            self._forget()
            self.unmended = 0
            self.learned = self.shown = max(self.shown, program.file.runs)

    def play(self, run: ToolEpisode) -> None:
        """Let the program play a run that it was not learned from."""
        if self.program is None or not any(s.box.runs for s in self.program.program.steps):
            return
        if self.program.under.differs(run.under):
            return  # in shadow: what the model does there is no proof, and none against it
        divergence = self._prove(self.program, run)
        if divergence is not None:
            self.unlike = [*self.unlike[-_MOST_KEPT:], (run, divergence)]

    def _prove(self, program: ToolProgram, run: ToolEpisode) -> Divergence | None:
        """Let a program play a run that it was not learned from, and keep count of its calls."""
        divergence = program.divergence(run)
        self.plays.append(divergence)
        at = len(run.calls) if divergence is None else divergence.number - 1
        self.right.update(call.tool for call in run.calls[:at])
        self.missed.update(call.tool for call in run.calls[at : at + 1])
        return divergence

    def _prove_by_folds(self, runs: Sequence[ToolEpisode], folds: int, tried: int) -> None:
        """Let programs that are learned without a fold of the runs play the newest of that fold.

        Args:
            runs: The runs.
            folds: Number of folds.
            tried: Number of folds that are played.
        """
        oldest = len(runs) - folds * _PROOF_RUNS // tried
        for fold in range(folds)[-tried:]:
            others = [run for number, run in enumerate(runs) if number % folds != fold]
            program = ToolProgram(learn_tool_program(others))
            for number in range(fold, len(runs), folds):
                if number >= oldest:
                    self._prove(program, runs[number])

    def _forget(self) -> None:
        """Let what was played prove nothing any more."""
        self.unlike = []
        for each in (self.plays, self.right, self.missed):
            each.clear()

    def learn(self, taken: Container[str]) -> ProgramFile:
        """Learn the program from the runs that are kept.

        Where it could play none before, one that is learned of every second run plays the others.
        Where that one is often wrong, each fold is held out in turn.
        """
        demonstrations = _under_one_fingerprint(
            self.kept, None if self.program is None else self.program.under
        )
        runs = _since_changed([demonstration.run for demonstration in demonstrations])
        since = demonstrations[-len(runs)].number
        if self.elsewhere:
            self._forget()
        if len(runs) < len(demonstrations) and since > self.since:
            self.since = since
            self._forget()  # what was made of runs of the old way proves nothing
        if not self.plays and len(runs) >= 2 * LEAST_RUNS:
            self._prove_by_folds(runs, 2, 1)
            if _shows_too_little(self.proof):
                self._forget()
                self._prove_by_folds(runs, FOLDS, FOLDS)
        file = _with_doubts(learn_tool_program(runs, taken), self.right, self.missed)
        self.program, self.learned, self.widened = ToolProgram(file), self.shown, False
        parted = ((run, self.program.divergence(run)) for run, _ in self.unlike)
        self.unlike = [(run, each) for run, each in parted if each is not None]
        self.unmended = len(self.unlike)
        return file


@dataclass(frozen=True, slots=True)
class _Names:
    """The ids that a new program must not have: all but its own."""

    taken: Container[str]
    new: Container[str]
    own: str

    def __contains__(self, name: object) -> bool:
        return name != self.own and (name in self.new or name in self.taken)


class Kinds:
    """The kinds of task that runs show, and which program of a library each has.

    Not thread-safe.
    """

    def __init__(self, runs: Iterable[ToolEpisode] = ()) -> None:
        self._kinds: dict[_KindOfRuns, None] = {}
        self._of: dict[Tokens, _KindOfRuns] = {}
        self._begun: dict[CallTexts, AlikeWordings] = defaultdict(AlikeWordings)
        self._done = AlikeCalls()
        self._numbers = itertools.count()
        self._touched: dict[_KindOfRuns, None] = {}
        self._gone: set[str] = set()
        for run in runs:
            self.add(run)

    def add(self, run: ToolEpisode) -> None:
        """Take in a run, which the program of its kind plays; :meth:`news` learns from it."""
        worked = worth_learning(run)
        if worked is None:
            return
        demonstration = _demonstration(next(self._numbers), worked)
        kind = self._of.get(demonstration.wording)
        for other in dict.fromkeys(self._alike(demonstration)):
            if kind is not None and other is not kind:
                self._join(other, kind)
            kind = other
        if kind is None:
            kind = _KindOfRuns()
            self._kinds[kind] = None
        self._keep(kind, demonstration)
        kind.shown += 1
        kind.play(worked)
        self._touched[kind] = None

    def _alike(self, demonstration: _Demonstration) -> Iterator[_KindOfRuns]:
        """Yield the kinds of runs that are like one.

        Where runs of several kinds went on, those of any kind may end.
        """
        for wording in self._begun[demonstration.first_call].like(demonstration.wording):
            yield self._of[wording]
        going_on = {id(self._of[wording]) for wording in self._done.gone_on(demonstration.deeds)}
        if len(going_on) < 2:
            for wording in self._done.like(demonstration.deeds):
                yield self._of[wording]

    def _read_by(self, kind: _KindOfRuns) -> Iterator[_KindOfRuns]:
        """Yield the other kinds that begin with the same call and whose tasks a program reads.

        What a run was not given, such as the doctor of a patient who cannot be booked, seems to be
        words of its task.
        """
        first_calls = dict.fromkeys(each.first_call for each in kind.kept)
        wordings = (wording for call in first_calls for wording in self._begun[call])
        for other in dict.fromkeys(self._of[wording] for wording in wordings):
            task = other.newest.run.task
            if other is not kind and kind.program is not None and kind.program.reads_alike(task):
                yield other

    def _join(self, kind: _KindOfRuns, other: _KindOfRuns) -> None:
        """Make one kind of two; it keeps its program, or has the other one's."""
        self._of.update(dict.fromkeys(other.runs, kind))
        kind.runs |= other.runs
        kind.shown += other.shown
        if kind.program is None:
            kind.program, kind.plays, kind.learned = other.program, other.plays, other.learned
            kind.right, kind.missed = other.right, other.missed
        elif other.program is not None:
            self._gone.add(other.program.file.id)
        kind.widened = True
        del self._kinds[other]
        self._touched.pop(other, None)
        self._trim(kind)

    def _keep(self, kind: _KindOfRuns, demonstration: _Demonstration) -> None:
        kind.runs.setdefault(demonstration.wording, deque()).append(demonstration)
        self._of[demonstration.wording] = kind
        self._begun[demonstration.first_call].add(demonstration.wording)
        self._done.add(demonstration.deeds)
        self._trim(kind)

    def _trim(self, kind: _KindOfRuns) -> None:
        """Let go of the oldest run of the wording that has most, until the others have room."""
        while sum(map(len, kind.runs.values())) > _MOST_KEPT:
            runs = max(kind.runs.values(), key=lambda each: (len(each), -each[0].number))
            demonstration = runs.popleft()
            if not runs:
                del kind.runs[demonstration.wording], self._of[demonstration.wording]
            self._begun[demonstration.first_call].drop(demonstration.wording)
            self._done.drop(demonstration.deeds)

    def doubt(self, runs: Iterable[ToolEpisode], programs: Register) -> None:
        """Learn anew, at the next :meth:`news`, the kinds of runs that are no demonstrations.

        Args:
            runs: These runs, which are not among those that were taken in.
            programs: The library's; a draft that nothing else shows goes.
        """
        readers = (program for run in runs for program in programs.reading(run.task))
        doubted = {program.file.id: program for program in readers}.values()
        kind_by_program_id = {
            kind.program.file.id: kind for kind in self._kinds if kind.program is not None
        }
        for program in doubted:
            kind = kind_by_program_id.get(program.file.id)
            if kind is not None:
                kind.widened = True
                self._touched[kind] = None
            elif program.file.status != DEFAULT_STATUS:
                self._gone.add(program.file.id)

    def stirred(self) -> bool:
        """Say whether there is anything that :meth:`news` would say."""
        # A kind of which there is nothing to say is looked at again when it is touched again.
        self._touched = {kind: None for kind in self._touched if kind.due or kind.moved}
        return bool(self._gone or self._touched)

    def adopt(self, programs: Register, changed: Container[str] = frozenset()) -> None:
        """Take programs of a library for those of the kinds whose tasks they read.

        Args:
            programs: The library's.
            changed: Ids of those that others wrote or removed: their kinds look for theirs anew.
        """
        lacking = [kind for kind in self._kinds if kind.program is None or kind.id in changed]
        if not lacking:
            return
        owned = {kind.id for kind in self._kinds.keys() - lacking}
        for kind in lacking:
            current = programs.programs.get(kind.id)
            # A draft is named after one run, which need not be the newest.
            tasks = (
                []
                if current is not None
                else [demonstration.run.task for demonstration in reversed(kind.kept)]
            )
            readers = programs.reading_any(tasks)
            program = next((each for each in readers if each.file.id not in owned), current)
            if program is not None:
                owned.add(program.file.id)
                self._touched[kind] = None
                kind.take(program)

    def news(self, taken: Container[str], room: int) -> News:
        """Learn the programs of kinds with runs that their programs were not learned from.

        Args:
            taken: Ids that other documents have.
            room: Most programs; the kinds that were shown most often have one.
        """
        excluded = self._left_out(room)
        for kind in excluded:
            if kind.program is not None:
                self._gone.add(kind.program.file.id)
                kind.program, kind.learned = None, 0
        files: dict[str, ProgramFile] = {}
        replaced: dict[str, str] = {}
        for kind in sorted(self._touched.keys() - excluded, key=_rank):
            if kind not in self._kinds:
                continue  # it became part of another
            current = kind.program.file if kind.program is not None else None
            if not kind.due and not kind.moved:
                continue
            others = _Names(taken, files, "" if current is None else current.id)
            file = kind.learn(others) if current is None or kind.due else current
            if current is not None and any(step.sources for step in current.program.steps):
                file = replace(file, id=current.id)
            elif current is not None and current.id != file.id:
                replaced[file.id] = current.id
            kind.program = ToolProgram(file)
            if parts := list(self._read_by(kind)):
                for part in parts:
                    self._join(kind, part)
                    files.pop(part.id, None)
                    if (draft := replaced.pop(part.id, None)) is not None:
                        self._gone.add(draft)
                file = replace(kind.learn(others), id=file.id)
            file = _proved(file, kind.proof)
            kind.program = ToolProgram(file)
            files[file.id] = file
        self._touched = {}
        removed, self._gone = frozenset(self._gone - files.keys()), set()
        return News(tuple(files[name] for name in sorted(files)), removed, replaced)

    def _left_out(self, room: int) -> frozenset[_KindOfRuns]:
        if len(self._kinds) <= room:
            return frozenset()
        return frozenset(sorted(self._kinds, key=_rank)[room:])


def _rank(kind: _KindOfRuns) -> tuple[int, int]:
    """Order kinds: the one that was shown most often first, of two the one shown last."""
    return -kind.shown, -kind.newest.number


def _shows_too_little(proof: ProgramProof) -> bool:
    """Whether a program that half of the runs prove would be a draft: all of them may show more."""
    return not proof.ended.seldom_wrong


def _proved(file: ProgramFile, proof: ProgramProof) -> ProgramFile:
    """Return a program as far as it is trusted: as a draft where it often did something else."""
    if REASON in file.provenance and 2 * proof.of < _PROOF_RUNS:
        return file  # of what others found wrong, few runs say nothing yet
    provenance = {
        key: text for key, text in file.provenance.items() if key not in ("proof", REASON)
    }
    if proof.of:
        provenance["proof"] = (
            f"{proof.reproduced} of {proof.of} runs reproduced before they were learned"
        )
    status = file.status
    if status == DEFAULT_STATUS or REASON in file.provenance:
        status = DEFAULT_STATUS
        if not proof.ended.seldom_wrong:
            status = "draft"
            provenance[REASON] = (
                f"of {proof.of} runs it would have done {proof.wrong} otherwise than shown"
            )
    return replace(file, status=status, provenance=provenance)


def _with_doubts(
    file: ProgramFile, right: Mapping[str, int], missed: Mapping[str, int]
) -> ProgramFile:
    """Return a program with doubts about committing steps that differ in unexplained values.

    The guards of such steps may be chance. The doubts go once one of their calls comes out right in
    a run that was held out; until then the model decides.
    """
    values: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for step in file.program.steps:
        values[step.operator].add(_unsaid_constants(step))

    def settled(step: ProgramStep) -> ProgramStep:
        tool = step.form.tool if step.form is not None else ""
        several = step.commit and any(_unsaid_constants(step)) and len(values[step.operator]) > 1
        if not several or right.get(tool) or missed.get(tool, 0) < LEAST_RUNS:
            return step
        return replace(step, box=replace(step.box, doubted=step.box.doubted + missed[tool]))

    steps = tuple(map(settled, file.program.steps))
    return replace(file, program=replace(file.program, steps=steps))


def _unsaid_constants(step: ProgramStep) -> tuple[str, ...]:
    """Return the values of a step that nothing says before, in the places of its arguments."""
    return tuple(
        source.value if isinstance(source, Constant) and not source.said else ""
        for source in step.sources
    )


def _under_one_fingerprint(
    demonstrations: Sequence[_Demonstration], preferred: Fingerprint | None
) -> Sequence[_Demonstration]:
    """Return the runs done under one fingerprint: those under others prove nothing.

    It is that of the newest runs, if there are enough that share one; else the preferred one, or
    the one under which most were done.
    """
    unders = [demonstration.run.under for demonstration in demonstrations]
    newest = unders[-LEAST_RUNS:]
    groups = {
        id(u): [
            demonstration
            for demonstration in demonstrations
            if not u.differs(demonstration.run.under)
        ]
        for u in unders
    }
    if len(newest) == LEAST_RUNS and _share_fingerprint(newest):
        return groups[id(newest[-1])]
    if preferred is not None:
        matching = [
            demonstration
            for demonstration in demonstrations
            if not preferred.differs(demonstration.run.under)
        ]
        if len(matching) >= LEAST_RUNS:
            return matching
    return max(groups.values(), key=len)


def _share_fingerprint(unders: Sequence[Fingerprint]) -> bool:
    return not any(one.differs(other) for one, other in itertools.combinations(unders, 2))


def _since_changed(runs: Sequence[ToolEpisode]) -> Sequence[ToolEpisode]:
    """Return the runs since a tool takes other arguments: all of them where none changed.

    It changed if no run of the last ones gave it the arguments that each of those before gave it.
    """
    newest = _arguments(runs[-LEAST_RUNS:])
    for at in range(len(runs) - LEAST_RUNS, 0, -1):
        before = _arguments(runs[max(0, at - LEAST_RUNS) : at])
        if any(not before[tool] & newest[tool] for tool in before.keys() & newest.keys()):
            return runs[at:]
    return runs


def _arguments(runs: Sequence[ToolEpisode]) -> dict[str, set[frozenset[str]]]:
    """Return the sets of arguments that tools were given."""
    names_by_tool: dict[str, set[frozenset[str]]] = defaultdict(set)
    for run in runs:
        for call in run.calls:
            names_by_tool[call.tool].add(frozenset(call.args))
    return names_by_tool


def _demonstration(number: int, run: ToolEpisode) -> _Demonstration:
    texts = (scalar_text(v) for call in run.calls for _, v in argument_leaves(call.arguments))
    names = frozenset(names_in(run.task))
    names |= {word for word in given_words(texts) if occurs(word, run.task)}
    argument_values: set[str] = set()
    result_values: set[str] = set()
    calls: list[tuple[str, tuple[tuple[str, Tokens], ...]]] = []
    for call in run.calls:
        quotable = Said("", frozenset(result_values) | names)
        values = [
            (path, scalar_text(quotable.spelling(v))) for path, v in argument_leaves(call.arguments)
        ]
        words_by_path = ((path, words_apart(value, quotable)) for path, value in values)
        calls.append((call.tool, tuple(words_by_path)))
        argument_values.update(value for _, value in values)
        result_values.update(told_by(call))
    quotable = Said("", frozenset(result_values | argument_values) | names)
    answer = words_apart(run.answer or "", quotable)
    # A name that only a result tells is a value of the task, as one that a call is given.
    argument_values |= {
        each for each in result_values if names.issuperset(each.split()) and occurs(each, run.task)
    }
    deeds = Deeds(wording_of(run.task, argument_values), tuple(calls), answer)
    return _Demonstration(number, run, deeds)
