"""Read episodes as sequences of procedure runs, with their bindings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..common.text import mentions, sentences
from ..conditions.text_patterns import Pattern, normalise, template_parameters
from ..episodes.trajectories import Trajectory
from ..model.ontology_words import outcomes_from
from ..model.procedure import Ontology, Procedure
from ..words.lexicon import Lexicon, ParsedAction, frame_of


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a procedure that reached its goal.

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
    """The runs of an episode.

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
    """Find the procedures whose last step was done in an episode.

    A last step counts where it worked, by ``outcomes`` (frame → patterns of which one follows when
    it works). An immediate repetition with the same entities counts once. Among procedures with
    the same last step, the one whose earlier steps were done is chosen; then the one with these
    kinds; then the first.
    """
    finals_by_frame: dict[str, list[_Final]] = {}
    for procedure in procedures:
        template = procedure.steps[-1].do
        if template is None or procedure.status == "retired":
            continue
        if procedure.provenance.get("parent", procedure.id).partition("@")[0] != procedure.id:
            continue  # a variant has the last step of its parent
        entry = _Final(procedure, template_parameters(template))
        finals_by_frame.setdefault(frame_of(template), []).append(entry)
    runs: list[Run] = []
    parsed = [lexicon.parse(action) for action in episode.acts]
    end_by_frame: dict[str, int] = {}
    last_index = -1
    for index, (frame, arguments) in enumerate(parsed):
        candidates = [
            each for each in finals_by_frame.get(frame, ()) if len(each.names) == len(arguments)
        ]
        if not candidates or not worked(frame, arguments, episode.obs[index + 1], outcomes):
            continue
        if runs and parsed[last_index] == (frame, arguments):
            repeated_id = runs.pop().procedure
            candidates = [each for each in candidates if each.procedure.id == repeated_id]
        best = candidates[0]
        if len(candidates) > 1:
            earlier = parsed[end_by_frame.get(frame, 0) : index]
            best = max(candidates, key=lambda each: _fit(each, arguments, earlier, lexicon))
        began = runs[-1].index + 1 if runs else 0
        binding = dict(zip(best.names, arguments, strict=True))
        runs.append(Run(best.procedure.id, binding, began, index))
        last_index, end_by_frame[frame] = index, index + 1
    return Trace(episode, tuple(runs))


@dataclass(frozen=True, slots=True)
class _Final:
    """A procedure and the parameters of its last step."""

    procedure: Procedure
    names: tuple[str, ...]


def _fit(
    final: _Final, arguments: Sequence[str], earlier: Sequence[ParsedAction], lexicon: Lexicon
) -> tuple[int, int]:
    """Rate how well a procedure fits the earlier actions and their entities.

    Returns:
        Number of earlier steps that were done with these entities, less the unguarded ones that
        were not; then the number of fitting kinds, less the others.
    """
    binding = dict(zip(final.names, arguments, strict=True))
    step_score, end = 0, len(earlier)
    for step in reversed(final.procedure.steps[:-1]):
        if step.do is None:
            continue
        frame, names = frame_of(step.do), template_parameters(step.do)
        for at in range(end - 1, -1, -1):
            earlier_frame, entities = earlier[at]
            pairs = list(zip(names, entities, strict=False))
            if earlier_frame == frame and all(
                binding.get(name, entity) == entity for name, entity in pairs
            ):
                binding.update(pairs)
                step_score, end = step_score + 1, at
                break
        else:
            step_score -= step.when is None
    kind_score = 0
    for name, entity in binding.items():
        parameter = final.procedure.parameters.get(name)
        if parameter is not None and parameter.kinds:
            kind_score += 1 if lexicon.kind(entity) in parameter.kinds else -1
    return step_score, kind_score


class TraceMemory:
    """A cache of the episodes' traces, dropped when procedures or ontology change."""

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
        traces: list[Trace] = []
        for episode in episodes:
            known_trace = self._known.get(episode.id)
            if known_trace is None or known_trace.episode is not episode:
                known_trace = trace_of(episode, procedures, lexicon, self._outcomes)
            traces.append(known_trace)
        self._known = {trace.episode.id: trace for trace in traces if trace.episode.id}
        return traces


def relevant(trace: Trace, lexicon: Lexicon) -> Trace:
    """Return a trace with the runs that share entities with its end, or with the task.

    Of runs with the same procedure and binding, the last counts.
    """
    if not trace.runs:
        return trace
    task = trace.episode.task
    needed_entities = set(trace.runs[-1].binding.values())
    runs: list[Run] = []
    for run in reversed(trace.runs):
        entities = set(run.binding.values())
        is_named = any(mentions(task, lexicon.kind(entity)) for entity in entities)
        is_repeated = any(r.procedure == run.procedure and r.binding == run.binding for r in runs)
        if not is_repeated and (is_named or needed_entities & entities or not entities):
            runs.append(run)
            needed_entities |= entities
    return Trace(trace.episode, tuple(reversed(runs)))


def worked(
    frame: str,
    arguments: Sequence[str],
    observation: str,
    outcomes: Mapping[str, Sequence[Pattern]],
) -> bool:
    """Tell whether an action worked, by what usually follows it; if unknown, any answer counts."""
    patterns = outcomes.get(frame)
    if not patterns:
        return bool(observation.strip())
    names = {f"a{i}": argument for i, argument in enumerate(arguments)}
    matchers = [pattern.bind(names) for pattern in patterns]
    return any(m.matches(normalise(s)) for s in sentences(observation) for m in matchers)
