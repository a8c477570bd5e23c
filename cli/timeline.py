"""An episode as a timeline: decisions with their reasons, actions, observations and outcome."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..procedures.evidence.posterior import differential_entropy
from . import output

if TYPE_CHECKING:
    from ..evals.traces.episode_trace import Event, EvidenceChange, Traced

_WIDTH = 100
"""Columns of a line."""
_MOST_OBSERVED = 1_500
"""Most characters of the first observation that are shown."""
_INDENT = 6
"""Columns before a line, which the number of an action takes."""
_TOLD = 0.001
"""Probability from which a reading of the task is shown."""
_VERDICT = {True: "yes", False: "no", None: "unknown"}


class Timeline:
    """Turns events, as they come, into lines.

    Args:
        width: Columns to wrap at.
    """

    def __init__(self, width: int = _WIDTH) -> None:
        self._width = width
        self._chosen: Mapping[str, Any] = {}

    def lines(self, event: Event) -> Iterator[str]:
        """Yield the lines of one event; most of the loop's bookkeeping has none."""
        write = getattr(self, f"_{event.get('node')}", None)
        if write is not None:
            yield from write(event)

    def _score(self, event: Event) -> Iterator[str]:
        candidates = event.get("candidates") or []
        chosen_ref = event.get("chosen")
        self._chosen = candidates[0] if candidates else {}
        if chosen_ref is None:
            best = f"; the best is {_valued(candidates[0])}" if candidates else ""
            yield self._line(f"no candidate reaches {event['threshold']:.2f}{best}: fallback")
        elif self._chosen.get("kind") != "place":
            others = [c for c in candidates[1:] if c["ref"] != chosen_ref][:2]
            others_text = "; then " + ", ".join(_valued(c) for c in others) if others else ""
            yield output.strong(f"plan  {_valued(self._chosen)}") + output.dim(others_text)
            fillers = self._chosen.get("fillers") or {}
            if fillers:
                pairs = ", ".join(f"{name} = {value}" for name, value in sorted(fillers.items()))
                yield self._line(f"reads the task as: {pairs}")
            for reading in list(event.get("readings") or ())[:3]:
                if reading["candidates"] and reading["probability"] >= _TOLD:
                    fillers_text = ", ".join(
                        f"{k} = {v}" for k, v in sorted(reading["fillers"].items())
                    )
                    share = f"{reading['rank']}. P = {reading['probability']:.4f}"
                    yield self._line(
                        output.dim(f"{share}  {reading['candidates'][0]}  {fillers_text}"), 2
                    )

    def _check_pre(self, event: Event) -> Iterator[str]:
        if "plan" in event:
            names = [
                item.get("ref") or f"instructions of {item.get('follow')}" for item in event["plan"]
            ]
            yield self._line("runs " + ", then ".join(names))
        elif "skip" in event:
            yield self._line(f"{event['ref']} is left out: {event['skip']}")
        elif "refused" in event:
            why = f"it would be broken off at {event['ref']} again: {event['refused']}"
            yield self._line(f"the plan is left, {why}")
        elif "need" in event:
            need = event["need"]
            yield self._line(f"{event['ref']} first needs {need['frame']}: {need['entity']}")
        elif "ref" in event:
            yield self._attempt(event)
        for check in event.get("preconditions") or ():
            verdict = _VERDICT.get(check["value"], str(check["value"]))
            yield self._line(f"before: {check['condition']}: {verdict} ({check['because']})", 2)

    def _attempt(self, event: Event) -> str:
        binding = event.get("binding") or {}
        look = event.get("look")
        with_ = f"looks at {look}" if look else ", ".join(f"{k} = {v}" for k, v in binding.items())
        value = f"  EU {self._chosen['utility']:.3f}" if "utility" in self._chosen else ""
        route = f", by way of {len(event['route'])} moves" if event.get("route") else ""
        head = output.strong(f"      {event['ref']}")
        return f"{head}  {with_}{route}{output.dim(value)}"

    def _execute(self, event: Event) -> Iterator[str]:
        for skipped in event.get("skipped") or ():
            yield self._line(output.dim(f"leaves out {skipped['do']}: {skipped['because']}"), 2)
        if planned := event.get("planned"):
            yield from self._planned(planned)
        if event.get("action"):
            yield from self._action(event)

    def _planned(self, planned: Mapping[str, Any]) -> Iterator[str]:
        """Yield the planner's reading of the task, its things, and the rest of the plan."""
        slots_text = ", ".join(f"{{{slot}}} = {value}" for slot, value in planned["said"].items())
        things = ", ".join(f"{name} = {value}" for name, value in planned["things"].items())
        goal_text = f"goal {planned['goal']}" + (f"  {slots_text}" if slots_text else "")
        yield self._line(output.dim(goal_text + (f"; {things}" if things else "")), 2)
        yield self._line(output.dim(f"plan: {'; then '.join(planned['plan'])}"), 2)

    def _fallback(self, event: Event) -> Iterator[str]:
        if event.get("action"):
            yield self._line("fallback, chosen by the reasoner")
            yield from self._action(event)
        else:
            yield self._line("fallback: nothing is left to try")

    def _action(self, event: Event) -> Iterator[str]:
        number = output.styled(f"{event['step'] + 1:>4}", fg="cyan")
        yield f"{number}  {output.strong('> ' + event['action'])}"
        for line in self._wrapped(event.get("observation", ""), _INDENT + 2):
            yield output.dim(line)
        if event.get("unchanged"):  # whether it did anything cannot be seen
            yield self._line(output.dim("nothing else is told than before"), 2)
        elif event.get("worked") is False:
            yield self._line("did not work", 2)

    def _check_post(self, event: Event) -> Iterator[str]:
        if event.get("theta"):
            verdict = _VERDICT.get(event.get("post"), "unknown")
            text = f"after: {verdict} ({event.get('because', '')}): {event['theta']}"
            yield self._line(text, 2)

    def _line(self, text: str, more: int = 0) -> str:
        return " " * (_INDENT + more) + text

    def _wrapped(self, text: str, indent: int) -> Iterable[str]:
        room = max(40, self._width - indent)
        for paragraph in text.splitlines():
            for line in textwrap.wrap(paragraph, room) or ([""] if paragraph else []):
                yield " " * indent + line


def begin(task: str, observation: str, *, width: int = _WIDTH) -> Iterator[str]:
    """Yield the head of a timeline; of a long observation its beginning."""
    yield output.strong(f"task: {task}")
    hidden_count = len(observation) - _MOST_OBSERVED
    observation = observation[:_MOST_OBSERVED]
    for paragraph in observation.splitlines():
        for line in textwrap.wrap(paragraph, max(40, width - 2)):
            yield output.dim(f"  {line}")
    if hidden_count > 0:
        yield output.dim(f"  … and {hidden_count:,} more characters (--json has all)")


def end(traced: Traced) -> Iterator[str]:
    """Yield the end of a timeline: how it went, and the evidence before and after."""
    outcome_text = (
        output.styled("solved", fg="green") if traced.won else output.styled("not solved", fg="red")
    )
    yield (
        f"{outcome_text} in {traced.steps} steps"
        if traced.won
        else f"{outcome_text} after {traced.steps} steps"
    )
    if traced.evidence:
        yield "evidence, before and after (not recorded):"
        named_changes = [(_named(change), change) for change in traced.evidence]
        width = max(len(name) for name, _ in named_changes)
        for name, change in named_changes:
            yield f"  {name.ljust(width)}  {_beta(change.before)}  ->  {_beta(change.after)}"
    yield from _formation(traced.formation)


def _named(change: EvidenceChange) -> str:
    return f"{change.ref} {change.binding}" if change.binding else change.ref


def _formation(formation: Mapping[str, Any]) -> Iterator[str]:
    """Yield which plan the episode speaks for and what it is worth."""
    candidate = formation.get("candidate")
    if candidate is None:
        return
    yield f"plan that the episode speaks for: {formation['goal']}"
    yield "  " + ", then ".join(candidate["plan"])
    yield (
        f"  V = frequency * decisions saved - storage + gain = "
        f"{candidate['frequency']:.3f} * {candidate['length']} - "
        f"{candidate['storage']:g} + {candidate['gain']:.3f} = {candidate['value']:.3f}, in "
        f"{candidate['solved'] + candidate['lost']} of {candidate['episodes']} episodes"
    )
    if formation["known"]:
        yield f"  the library has it: {formation['known']}"
    elif formation["formed"]:
        yield "  it would be formed"
    else:
        yield f"  not formed: that takes {formation['rule']['support']} solved episodes or more"


def _beta(parameters: tuple[float, float]) -> str:
    alpha, beta = parameters
    entropy = differential_entropy(alpha, beta)
    return f"Beta({alpha:.6g}, {beta:.6g}) mean {alpha / (alpha + beta):.4f} H {entropy:.4f}"


def _valued(candidate: Mapping[str, Any]) -> str:
    return f"{candidate['ref']} EU {candidate['utility']:.3f}"
