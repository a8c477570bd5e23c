"""Episodes as sequences of procedures: what was carried out, with which things, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..common.text import mentions, sentences
from ..conditions.text_patterns import Pattern, normalise, template_parameters
from ..episodes.trajectories import Trajectory
from ..model.ontology_words import outcomes_from
from ..model.procedure import Ontology, Procedure
from ..words.lexicon import Lexicon, ParsedAction, frame_of

__all__ = ["Run", "Trace", "TraceMemory", "relevant", "trace_of", "worked"]


@dataclass(frozen=True, slots=True)
class Run:
    """A procedure that did what it is for.

    Attributes:
        procedure: Its id.
        binding: Parameter of its last step → entity.
        began: Index of the first action that may belong to it.
        index: Index of its last action.
    """

    procedure: str
    binding: Mapping[str, str] = field(hash=False)
    began: int
    index: int


@dataclass(frozen=True, slots=True)
class Trace:
    """What was carried out in an episode.

    Attributes:
        episode: The episode.
        runs: In order.
    """

    episode: Trajectory
    runs: tuple[Run, ...]

    @property
    def won(self) -> bool:
        """Whether the task was solved."""
        return self.episode.success

    @property
    def shape(self) -> tuple[str, ...]:
        """Ids of the procedures, in order."""
        return tuple(run.procedure for run in self.runs)


def trace_of(
    episode: Trajectory,
    procedures: Iterable[Procedure],
    lexicon: Lexicon,
    outcomes: Mapping[str, Sequence[Pattern]],
) -> Trace:
    """Find the procedures that were carried out in an episode, by whatever did their last step.

    A last step counts where it worked, as far as ``outcomes`` (frame → patterns of which one
    follows when it works) can tell; done again at once with the same things it counts once. Of
    several procedures that end alike, it is the one whose earlier steps were done, or else the one
    that is for things of these kinds; the first of those that fit equally.
    """
    finals: dict[str, list[_Final]] = {}
    for procedure in procedures:
        template = procedure.steps[-1].do
        if template is None or procedure.status == "retired":
            continue
        if procedure.provenance.get("parent", procedure.id).partition("@")[0] != procedure.id:
            continue  # a variant does what it is a variant of does
        final = _Final(procedure, template_parameters(template))
        finals.setdefault(frame_of(template), []).append(final)
    runs: list[Run] = []
    parsed = [lexicon.parse(action) for action in episode.acts]
    ended: dict[str, int] = {}
    last = -1
    for index, (frame, arguments) in enumerate(parsed):
        known = [each for each in finals.get(frame, ()) if len(each.names) == len(arguments)]
        if not known or not worked(frame, arguments, episode.obs[index + 1], outcomes):
            continue
        if runs and parsed[last] == (frame, arguments):
            again = runs.pop().procedure
            known = [each for each in known if each.procedure.id == again]
        chosen = known[0]
        if len(known) > 1:
            done = parsed[ended.get(frame, 0) : index]
            chosen = max(known, key=lambda each: _fit(each, arguments, done, lexicon))
        began = runs[-1].index + 1 if runs else 0
        binding = dict(zip(chosen.names, arguments, strict=True))
        runs.append(Run(chosen.procedure.id, binding, began, index))
        last, ended[frame] = index, index + 1
    return Trace(episode, tuple(runs))


@dataclass(frozen=True, slots=True)
class _Final:
    """A procedure and the parameters of its last step."""

    procedure: Procedure
    names: tuple[str, ...]


def _fit(
    final: _Final, arguments: Sequence[str], done: Sequence[ParsedAction], lexicon: Lexicon
) -> tuple[int, int]:
    """Rate how well a procedure fits what was done before its last step, and to what.

    Returns:
        Earlier steps that were done with these things, less those that were not but always are;
        then kinds that are right, less those that are not.
    """
    binding = dict(zip(final.names, arguments, strict=True))
    steps, end = 0, len(done)
    for step in reversed(final.procedure.steps[:-1]):
        if step.do is None:
            continue
        frame, names = frame_of(step.do), template_parameters(step.do)
        for at in range(end - 1, -1, -1):
            there, things = done[at]
            pairs = list(zip(names, things, strict=False))
            if there == frame and all(binding.get(name, thing) == thing for name, thing in pairs):
                binding.update(pairs)
                steps, end = steps + 1, at
                break
        else:
            steps -= step.when is None
    kinds = 0
    for name, thing in binding.items():
        parameter = final.procedure.parameters.get(name)
        if parameter is not None and parameter.kinds:
            kinds += 1 if lexicon.kind(thing) in parameter.kinds else -1
    return steps, kinds


class TraceMemory:
    """Traces of the episodes at hand; each is made once as long as nothing it rests on changes."""

    def __init__(self) -> None:
        self._ontology: Ontology | None = None
        self._outcomes: Mapping[str, Sequence[Pattern]] = {}
        self._finals: tuple[object, ...] = ()
        self._known: dict[str, Trace] = {}

    def traces(
        self,
        episodes: Sequence[Trajectory],
        procedures: Sequence[Procedure],
        lexicon: Lexicon,
        ontology: Ontology,
    ) -> list[Trace]:
        """Return the trace of each episode, in order."""
        finals = tuple((p.ref, p.status == "retired") for p in procedures)
        if self._ontology is not ontology or finals != self._finals:
            self._ontology, self._finals, self._known = ontology, finals, {}
            self._outcomes = outcomes_from(ontology)
        found: list[Trace] = []
        for episode in episodes:
            known = self._known.get(episode.id)
            if known is None or known.episode is not episode:
                known = trace_of(episode, procedures, lexicon, self._outcomes)
            found.append(known)
        self._known = {trace.episode.id: trace for trace in found if trace.episode.id}
        return found


def relevant(trace: Trace, lexicon: Lexicon) -> Trace:
    """Return a trace with what its end rests on: runs that share things with it, or the task's.

    What was done twice with the same things counts the last time.
    """
    if not trace.runs:
        return trace
    task = trace.episode.task
    wanted = set(trace.runs[-1].binding.values())
    kept: list[Run] = []
    for run in reversed(trace.runs):
        things = set(run.binding.values())
        asked = any(mentions(task, lexicon.kind(entity)) for entity in things)
        again = any(r.procedure == run.procedure and r.binding == run.binding for r in kept)
        if not again and (asked or wanted & things or not things):
            kept.append(run)
            wanted |= things
    return Trace(trace.episode, tuple(reversed(kept)))


def worked(
    frame: str,
    arguments: Sequence[str],
    observation: str,
    outcomes: Mapping[str, Sequence[Pattern]],
) -> bool:
    """Tell whether an action worked, by what usually follows it; any answer will do if unknown."""
    patterns = outcomes.get(frame)
    if not patterns:
        return bool(observation.strip())
    names = {f"a{i}": argument for i, argument in enumerate(arguments)}
    matchers = [pattern.bind(names) for pattern in patterns]
    return any(m.matches(normalise(s)) for s in sentences(observation) for m in matchers)
