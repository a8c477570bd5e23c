"""The next action of a composition: looking up names, trying texts, ending with the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..episodes.facts import UNREAD, Fact
from ..episodes.history import History
from .composition import Composition
from .filling import Scene
from .listed_names import BLANK, Names, names_told
from .listings import is_cut, rows_of
from .text_templates import Slot
from .text_tokens import key_of

_LEAST_TRIES = 2
"""Texts that can be tried after the look-ups."""
_RELEVANT = 0.02
"""Chance that a text is about a name, below which it is not asked about where it costs tries."""
_REMEMBERED = 64
"""Rankings that are kept: an episode asks for the same one at each step."""
_LINE = "{1}"
"""Kind of any line."""
_EMPTY = 0.5
"""Factor of the chance of a text whose answer lists nothing, in [0, 1]."""

Call = tuple[str, str]
"""An action, and what it told."""


def next_text(composition: Composition, history: History) -> str:
    """Return the next action; empty where the episode can be ended, or nothing is known."""
    calls = _calls(history)
    names = names_told(composition.look_ups, calls)
    first = composition.look_ups[0]
    if not names.tops:
        looked_up = any(first.about(action) is not None for action, _ in calls)
        return "" if looked_up else first.do
    world = composition.world_of(names)
    if world is not None:
        names = names.merged(world)
    tries = [(action, result) for action, result in calls if not composition.about(action)]
    if not tries:
        look = _next_look(composition, history.task, names, calls)
        if look:
            return look
    ranked = ranked_texts(composition, history.task, names)
    return _next_try(composition, ranked, tries, len(calls))


def first_chance(composition: Composition, history: History, text: str) -> float | None:
    """Return the chance of the first text that is tried, if this is it; None of any other action.

    Args:
        composition: What was learned.
        history: The episode, to which the action is not added yet.
        text: The next action.
    """
    calls = _calls(history)
    if composition.about(text) or any(not composition.about(action) for action, _ in calls):
        return None
    names = names_told(composition.look_ups, calls)
    world = composition.world_of(names)
    ranked = ranked_texts(composition, history.task, names.merged(world) if world else names)
    return next((chance for each, chance in ranked if each == text), None)


def ranked_texts(composition: Composition, task: str, names: Names) -> list[tuple[str, float]]:
    """Return the likeliest texts for a task with their chances; what was ranked last is kept."""
    key = (task, names.keys)
    memo = composition.memo
    if key not in memo:
        _make_room(memo)
        candidates = composition.ranker.rank(_scene(composition, task, names))
        most = candidates[0].score if candidates else 0.0
        total = math.fsum(math.exp(each.score - most) for each in candidates)
        memo[key] = [(c.text, math.exp(c.score - most) / total) for c in candidates]
    return memo[key]


def _scene(composition: Composition, task: str, names: Names) -> Scene:
    """Return a task beside names; what was asked for last is kept."""
    key, memo = (task, names.keys), composition.scenes
    if key not in memo:
        _make_room(memo)
        memo[key] = composition.ranker.scene(task, names)
    return memo[key]


def _make_room(memo: dict[Any, Any]) -> None:
    while len(memo) >= _REMEMBERED:
        memo.pop(next(iter(memo)))


def _next_look(composition: Composition, task: str, names: Names, calls: Sequence[Call]) -> str:
    """Return the next look-up, of the likeliest name first; empty where enough is told."""
    inner = [each for each in composition.look_ups if each.level]
    room = composition.actions - len(calls) - 1 - min(composition.most_tries, _LEAST_TRIES)
    if not inner or room <= 0:
        return ""
    scene = _scene(composition, task, names)
    ranked = scene.odds(Slot(0), "", names.tops, None)
    result_by_enquiry = {
        (name.casefold(), each.do): results
        for action, results in calls
        for each in inner
        if (name := each.about(action))
    }
    new = composition.world_of(names) is None
    for odd, filler in ranked:
        key = filler.text.casefold()
        results = [result for (name, _), result in result_by_enquiry.items() if name == key]
        if not results and key not in names.inner and (new or math.exp(odd) > _RELEVANT):
            return inner[0].do.replace(BLANK, filler.text)
        cut = bool(results) and all(map(is_cut, results)) and math.exp(odd) > _RELEVANT
        if cut and composition.short and (key, composition.short) not in result_by_enquiry:
            return composition.short.replace(BLANK, filler.text)
    return ""


def _next_try(
    composition: Composition,
    ranked: Sequence[tuple[str, float]],
    tries: Sequence[Call],
    action_count: int,
) -> str:
    """Return the next text to try; where there is no room, the best once more, then nothing."""
    worth: dict[str, float] = {}
    keys = {key_of(action) for action, _ in tries}
    chances: dict[str, float] = {}
    new = ""
    for text, chance in ranked:  # those that were tried mostly come first
        if new and len(chances) == len(keys):
            break
        key = key_of(text)
        if key in keys:
            chances[key] = chance
        elif not new:
            new = text
    for action, result in tries:
        key = key_of(action)
        if not composition.refuses(result):
            empty = not rows_of(result)
            worth[key] = chances.get(key, 0.0) * (_EMPTY if empty else 1.0)
    room = composition.actions - action_count - 1
    if composition.tries is None:  # the world says when one is right
        return new if room >= 0 else ""
    best = max(worth, key=worth.__getitem__, default="")
    last = key_of(tries[-1][0]) if tries else ""
    if new and len(worth) < composition.tries and room > bool(worth):
        return new
    if best and best != last:
        return next(action for action, _ in tries if key_of(action) == best)
    return ""


def _calls(history: History) -> list[Call]:
    results = ["\n".join(_text(fact) for fact in result) for result in history.results[1:]]
    return [
        (call.operator.format(*call.arguments), text)
        for call, text in zip(history.calls, results, strict=True)
    ]


def _text(fact: Fact) -> str:
    """Return a fact as it was told: a line, or the values of a record."""
    if fact.kind in (UNREAD, _LINE):
        return fact.fields["1"]
    return f"({', '.join(map(repr, fact.fields.values()))})"
