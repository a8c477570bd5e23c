"""Documents out of a model's drafts: completed symbolically, and held against all rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...graph.reasoning import Segment
from ...procedures.common.errors import ConditionError, LibraryError
from ...procedures.common.text import sentences
from ...procedures.conditions.text_patterns import (
    Pattern,
    escape,
    instantiate,
    normalise,
    renamed,
)
from ...procedures.episodes.trajectories import Trajectory
from ...procedures.learning.abstraction import any_observed, slug
from ...procedures.learning.meta_documents import place_document
from ...procedures.model.procedure import MetaProcedure, Procedure
from ...procedures.model.semantics import Issue, check_meta, check_procedure
from ...procedures.words.lexicon import Lexicon
from ...schemas import first_misfit

_SLOT_NAMES = "abcdefgh"


@dataclass(frozen=True, slots=True)
class Use:
    """A procedure in a plan: its id, and what its parameters stood for in the episode."""

    identifier: str
    values: Mapping[str, str]


class DocumentMaker:
    """Writes procedures and plans.

    Args:
        lexicon: Kinds and frames.
        outcomes: Frame → patterns over ``{0}``, … of which one follows when an action works.
        maker: Stands in the provenance.
    """

    def __init__(self, lexicon: Lexicon, outcomes: Mapping[str, Sequence[str]], maker: str) -> None:
        self._lexicon = lexicon
        self._outcomes = outcomes
        self._maker = maker

    def procedure(
        self, draft: Mapping[str, Any], segment: Segment, identifier: str
    ) -> dict[str, Any]:
        """Complete a draft of a segment: expectations, postcondition, sources of parameters."""
        values = {name: normalise(str(value)) for name, value in draft["parameters"].items()}
        steps = [self._step(str(step), values) for step in draft["steps"]]
        for step in steps[:-1]:
            step["unless"] = "done"
        effects = self._effect(draft, segment, values) or steps[-1].get("expect", [])
        document: dict[str, Any] = {
            "kind": "procedure",
            "id": identifier,
            "version": 1,
            "status": "provisional",
            "goal": str(draft["goal"]),
            "parameters": self._parameters(segment, values),
            "steps": steps,
            "postconditions": [any_observed(effects)] if effects else [],
            "provenance": {"learned_from": "1 demonstration", "abstracted_by": self._maker},
        }
        return document

    def _step(self, template: str, values: Mapping[str, str]) -> dict[str, Any]:
        frame, arguments = self._lexicon.parse(instantiate(template, values) or "")
        by_value = {value: "{" + name + "}" for name, value in values.items()}
        text_by_place = {str(i): by_value.get(a, escape(a)) for i, a in enumerate(arguments)}
        expect = [renamed(pattern, text_by_place) for pattern in self._outcomes.get(frame, ())]
        return {"do": template, "expect": expect} if expect else {"do": template}

    def _effect(
        self, draft: Mapping[str, Any], segment: Segment, values: Mapping[str, str]
    ) -> list[str]:
        """Return the draft's effect, if it was in fact seen after the last action; else nothing."""
        text = str(draft.get("effect") or "").strip()
        try:
            pattern = Pattern.parse(text)
        except ConditionError:
            return []
        if not text.replace("*", "").strip(" .") or not set(pattern.names) <= values.keys():
            return []
        matcher = pattern.bind(dict(values))
        observed = sentences(segment.observations[-1])
        return [text] if any(matcher.matches(normalise(sentence)) for sentence in observed) else []

    def _parameters(self, segment: Segment, values: Mapping[str, str]) -> dict[str, dict[str, Any]]:
        """Return where each value came from: known before, or found by a search in the segment."""
        episode = segment.trajectory
        before = [*episode.obs[: segment.start + 1], *episode.acts[: segment.start]]
        text_before = " ".join(normalise(text) for text in before)
        kinds_by_parameter = {name: [self._lexicon.kind(value)] for name, value in values.items()}
        source_by_parameter = {
            name: {"source": "choice", "kinds": kinds_by_parameter[name]} for name in values
        }
        for name, value in values.items():
            if _occurs(value, text_before):
                continue
            for action, observation in zip(segment.actions, segment.observations, strict=True):
                carriers = [
                    other
                    for other, text in values.items()
                    if other != name and _occurs(text, normalise(action))
                ]
                if _occurs(value, normalise(observation)) and carriers:
                    via = carriers[0]
                    source_by_parameter[name] = {
                        "source": "search",
                        "via": via,
                        "kinds": kinds_by_parameter[name],
                    }
                    source_by_parameter[via] = {"source": "place", "kinds": kinds_by_parameter[via]}
                    break
        return source_by_parameter

    def meta(
        self, trajectory: Trajectory, uses: Sequence[Use], taken: Container[str]
    ) -> dict[str, Any]:
        """Write the plan of an episode: its procedures in order, what the task names as slots."""
        variables: dict[str, str] = {}
        for use in uses:
            for value in use.values.values():
                variables.setdefault(normalise(value), f"x{len(variables) + 1}")
        task = normalise(trajectory.task)
        kinds = {value: self._lexicon.kind(value) for value in variables}
        task_kinds = sorted(
            {kind for kind in kinds.values() if _occurs(kind, task)}, key=lambda k: (-len(k), k)
        )[: len(_SLOT_NAMES)]
        slots = {kind: _SLOT_NAMES[i] for i, kind in enumerate(task_kinds)}
        goal = _with_slots(task, slots)
        slots = {kind: slot for kind, slot in slots.items() if "{" + slot + "}" in goal}
        parameters: dict[str, dict[str, Any]] = {
            slot: {"source": "task"} for slot in slots.values()
        }
        for value, name in variables.items():
            slot = slots.get(kinds[value])
            parameters[name] = (
                {"source": "entity", "of": slot} if slot is not None else {"source": "search"}
            )
        places = [
            place_document(
                use.identifier, {name: variables[normalise(v)] for name, v in use.values.items()}
            )
            for use in uses
        ]
        document: dict[str, Any] = {
            "kind": "meta",
            "id": slug(goal, taken),
            "version": 1,
            "status": "provisional",
            "goal": goal,
            "parameters": parameters,
            "plan": places,
            "provenance": {"learned_from": "1 demonstration", "abstracted_by": self._maker},
        }
        shared = [name for value, name in variables.items() if kinds[value] in slots]
        if len(shared) > 1:
            document["distinct"] = shared
        return document


def _occurs(phrase: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None


def _with_slots(task: str, slots: Mapping[str, str]) -> str:
    """Write slots in the places of kinds; the rest of the task stands for itself."""
    if not slots:
        return escape(task)
    cut = re.compile(rf"(?<!\w)({'|'.join(re.escape(kind) for kind in slots)})(?!\w)")
    parts = cut.split(task)
    return "".join("{" + slots[p] + "}" if i % 2 else escape(p) for i, p in enumerate(parts))


def procedure_problem(document: Mapping[str, Any]) -> str | None:
    """Return why a document is no procedure that a library may hold, or None."""
    return _problem(
        "procedure", document, lambda: check_procedure(Procedure.from_document(document))
    )


def meta_problem(
    document: Mapping[str, Any],
    procedures: Mapping[str, Mapping[str, Any]],
    metas: Mapping[str, Any],
) -> str | None:
    """Return why a document is no plan that may stand beside these procedures, or None."""

    def issues() -> list[Issue]:
        procedure_by_id = {name: Procedure.from_document(each) for name, each in procedures.items()}
        return check_meta(MetaProcedure.from_document(document), procedure_by_id, metas)

    return _problem("meta-procedure", document, issues)


def _problem(
    schema: str, document: Mapping[str, Any], issues: Callable[[], Iterable[Issue]]
) -> str | None:
    """Return the first reason why a document fits neither its schema nor the rules, or None."""
    misfit = first_misfit(schema, document)
    if misfit is not None:
        return f"it does not fit its schema: {misfit.problem}"
    try:
        wrong = (issue.message for issue in issues() if issue.severity == "error")
    except LibraryError as error:
        return str(error)
    return next(wrong, None)
