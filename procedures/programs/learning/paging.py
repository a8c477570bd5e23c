"""A program for pages: ask with words of the task, open a row, take what the task says, hand in.

A page is a line whose parts a sign keeps apart, some of them rows that look alike. Nothing but the
demonstrations says what the sign is, how a row looks, which words are asked with, and between which
signs the task says what is taken.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ...episodes.history import Done
from ...episodes.templates import Template, literal_text
from ...episodes.tokens import figure, plain_words, tokens
from ...episodes.trajectories import Trajectory
from ...learning.abstraction import slug
from ..box import Box
from ..documents import ProgramFile
from ..program import Act, Guard, Program, Step, decide
from ..program_conditions import (
    Comparison,
    Condition,
    DoneStep,
    EverySaid,
    Field,
    Said,
    Shown,
    TaskSlot,
    said_between,
)
from ..program_proof import ProgramProof
from ..replaying import Divergence
from ..sources import Case, Choice, Constant, Kept, Rule, Source
from ..text_calls import action_of
from .program_kinds import Kind, Proposal
from .reading_manners import sample

__all__ = ["propose_paging"]

_LEAST = 6
"""Demonstrations from which on a program for pages is proposed."""
_FOLDS = 5
_MOST = 400
"""Most demonstrations that shape a program."""
_MOSTLY = 0.5
"""Share of the pages of a demonstration that a sign has to part for it to be one of pages."""
_NEARLY = 0.9
"""Share of what was shown that a form, or a rule, has to hold of."""
_TRIAL = 40
"""Demonstrations from which it is seen how rows look."""
_SEVERAL = 3
"""Rows that look alike from which on a page has rows."""
_COLUMNS = range(2, 7)
_LOOKS = 3
"""Rows that are opened until one has all that the task says."""
_LONGEST_SIGNS = 8
"""Letters of the signs around what a task says: more are words of the task."""
_LONGEST_VERB = 80
"""Letters that an action begins, or ends, with whatever it is done with."""
_TO_LAST_SIGN, _FROM_FIRST_SIGN = re.compile(r"\w+$"), re.compile(r"^.*\w")
"""Letters at an edge are of what is said, not of the signs around it."""
_EVERYWHERE = Template("{1}")
_OPEN, _TAKE, _ASK, _HAND_IN = "open", "take", "ask", "hand-in"


@dataclass(frozen=True, slots=True)
class _Form:
    """How pages are read and used.

    Attributes:
        sign: What parts a line.
        row: Template of rows.
        column: The slot of a row by which it is opened.
        opening: Operator that opens a row, or takes a part.
        asking: Operator that is done with words of the task.
        last: What hands in.
    """

    sign: str
    row: str
    column: str
    opening: str
    asking: str
    last: str


def propose_paging(
    demonstrations: Sequence[Trajectory], taken: Collection[str] = ()
) -> Kind | None:
    """Return demonstrations that use pages, with a program; None where few of all do.

    Args:
        demonstrations: Episodes that succeeded.
        taken: Ids that other documents have.
    """
    if len(demonstrations) < _LEAST:
        return None
    signs = [_sign([each], _MOSTLY) for each in demonstrations]
    usual = Counter(filter(None, signs)).most_common(1)
    alike = [
        d for d, each in zip(demonstrations, signs, strict=True) if usual and each == usual[0][0]
    ]
    form = _form(sample(alike, _MOST)) if len(alike) >= _LEAST else None
    if form is None:
        return None
    members = [each for each in alike if _is(form.last)(_argument(form.opening, each.acts[-1]))]
    shown = sample(members, _MOST)
    file = _learned(shown)
    if file is None:
        return None
    proof = _proof(shown)
    said = f"{proof.reproduced} of {proof.of} demonstrations held possible, held out by folds"
    words = [w for step in file.program.steps[:2] for w in tokens(step.operator) if w.isalpha()]
    file = replace(file, id=slug(" ".join(words), taken), provenance={"proof": said})
    return Kind(tuple(members), Proposal(file, proof))


# ---------------------------------------------------------------------------- learning
def _learned(shown: Sequence[Trajectory]) -> ProgramFile | None:
    """Learn a program; None where few demonstrations are of its form."""
    form = _form(shown)
    if form is None:
        return None
    values = _taken(shown, form)
    wording, where = _limit(shown, form)
    signs = _signs(values)
    row, part = (Template(text, within=form.sign) for text in (form.row, "{1}"))
    words, last = Kept(_dropped(shown, form)), Constant(form.last)
    item = Choice(form.row, form.column, "newest", (Case((), Rule(where)),))
    names: dict[Source, str] = {words: "words", item: "row", last: "last"}
    opened = DoneStep(_OPEN)
    steps = [
        Step(_ASK, form.asking, (words,), _when(DoneStep(_ASK, negated=True))),
        Step(_OPEN, form.opening, (item,), _when(Shown(form.row))),
    ]
    ends = [Step(_HAND_IN, form.opening, (last,), commit=True, box=Box(needs=(_OPEN,)))]
    if signs is not None:
        said = Choice(part.text, "1", "newest", (Case((), Rule((Said(Field("1"), *signs),))),))
        names[said] = "part"
        ends.insert(0, Step(_TAKE, form.opening, (said,)))
        every = EverySaid(part.text, "1", *signs)
        if _share(values, every) >= _NEARLY:
            steps += [replace(each, guards=_when(opened, every)) for each in ends]
            left = DoneStep(_OPEN, negated=True, times=_LOOKS)
            back = _when(opened, Shown(form.row, negated=True), left)
            steps.append(Step(f"{_ASK}-again", form.asking, (words,), back, again=True))
            graded = any(each.reward is not None for each in shown)
            # Where a wrong end costs nothing beside, what is open is better than nothing.
            ends = [replace(each, id=f"{each.id}-anyway") for each in ends] if graded else []
    steps += [replace(each, guards=_when(opened)) for each in ends]
    wordings = (wording, _EVERYWHERE) if wording else (_EVERYWHERE,)
    return ProgramFile("", Program(tuple(steps)), (row, part), wordings, names=names)


def _when(*conditions: Condition) -> tuple[Guard, ...]:
    return (Guard(conditions),)


def _form(shown: Sequence[Trajectory]) -> _Form | None:
    """Return how pages are read and used; None where few demonstrations are of that form."""
    sign = _sign(shown, _NEARLY)
    if sign is None:
        return None
    clicks = Counter(
        each for d in shown for at, a in enumerate(d.acts) for each in _frames(a, d.obs[at], sign)
    )
    if not clicks:
        return None
    opening = max(sorted(clicks), key=clicks.__getitem__)
    lasts = Counter(_argument(opening, d.acts[-1]) for d in shown)
    last = lasts.most_common(1)[0][0]
    if last is None or sum(map(_is(last), lasts.elements())) < _NEARLY * len(shown):
        return None
    asked = [a for d in shown for a in d.acts if _argument(opening, a) is None]
    asking = _around(asked)
    row = _row(shown, sign, opening, last)
    if row is None or asking is None:
        return None
    return _Form(sign, *row, opening, asking, last)


def _is(label: str | None) -> Callable[[str | None], bool]:
    """Return what tells a label in whichever capitals."""
    return lambda other: (other or "").casefold() == (label or "").casefold()


def _sign(shown: Sequence[Trajectory], share: float) -> str | None:
    """Return the sign that parts the lines of so many of the observations."""
    counts: Counter[str] = Counter()
    pages = [text for each in shown for text in each.obs[1:-1]]
    for text in pages:
        words = Counter(text.split())
        counts.update(w for w, n in words.items() if n >= _SEVERAL and _is_sign(w))
    best = max(sorted(counts), key=counts.__getitem__, default=None)
    return f" {best} " if best is not None and counts[best] >= share * len(pages) else None


def _is_sign(word: str) -> bool:
    return not word[0].isalnum() and not word[-1].isalnum()


def _parts(text: str, sign: str) -> list[str]:
    return [part.strip() for line in text.split("\n") for part in line.split(sign)]


def _frames(action: str, page: str, sign: str) -> Iterator[str]:
    """Yield the operator of an action whose argument is a part of the page, the longest one."""
    small = action.casefold()
    found = [p for p in _parts(page, sign) if p and p.casefold() in small]
    if found:
        part = max(found, key=len)
        at = small.index(part.casefold())
        before, behind = action[:at], action[at + len(part) :]
        yield f"{literal_text(before)}{{}}{literal_text(behind)}"


def _argument(operator: str, action: str) -> str | None:
    template = Template(operator.replace("{}", "{1}"))
    values = template.read(action)
    return values[0] if values else None


def _around(actions: Sequence[str]) -> str | None:
    """Return the operator of actions of which nearly all begin, or end, alike; else None."""
    before = _TO_LAST_SIGN.sub("", _shared(actions, _LONGEST_VERB))
    ends = _shared([each[::-1] for each in actions], _LONGEST_VERB)
    behind = _FROM_FIRST_SIGN.sub("", ends[::-1])
    operator = f"{literal_text(before)}{{}}{literal_text(behind)}"
    read = [_argument(operator, each) for each in actions] if before or behind else []
    return operator if sum(map(bool, read)) >= _NEARLY * len(actions) > 0 else None


def _row(shown: Sequence[Trajectory], sign: str, opening: str, last: str) -> tuple[str, str] | None:
    """Return the template of rows, and the slot by which they are opened.

    One of its columns begins with a sign that is no letter: by that rows are told from the rest.
    """
    shown = shown[:: max(1, -(-len(shown) // _TRIAL))]
    calls = [
        (argument, _parts(d.obs[at], sign))
        for d in shown
        for at, action in enumerate(d.acts)
        if (argument := _argument(opening, action)) is not None and not _is(last)(argument)
    ]
    best: tuple[int, str, str] = (0, "", "")
    for width in _COLUMNS:
        for marked in range(width):
            for mark in _marks(calls, marked):
                columns = [f"{{{n + 1}}}" for n in range(width)]
                columns[marked] = literal_text(mark) + columns[marked]
                template = Template(sign.join(columns), within=sign)
                places = (_column(template, parts, a) for a, parts in calls)
                found = Counter(place for place in places if place is not None)
                for column, count in found.most_common(1):
                    if count > best[0]:
                        best = count, template.text, str(column + 1)
    return best[1:] if best[0] >= _NEARLY * len(shown) else None


def _marks(calls: Sequence[tuple[str | None, Sequence[str]]], behind: int) -> list[str]:
    """Return the sign that begins most parts so far behind what was opened, if there is one."""
    signs: Counter[str] = Counter()
    for argument, parts in calls:
        at = _place(parts, argument)
        if at is not None and at + behind < len(parts):
            first = parts[at + behind][:1]
            if first and not first.isalnum():
                signs[first] += 1
    return [sign for sign, n in signs.most_common(1) if n >= len(calls) // (2 * _SEVERAL)]


def _place(parts: Sequence[str], value: str | None) -> int | None:
    small = (value or "").casefold()
    return next((at for at, part in enumerate(parts) if part.casefold() == small), None)


def _column(template: Template, parts: Sequence[str], argument: str | None) -> int | None:
    """Return in which column of rows that look alike a value stands; None where it does not."""
    found = template.parts(template.within.join(parts))
    values = (_place(row, argument) for row in found) if len(found) >= _SEVERAL else ()
    return next((column for column in values if column is not None), None)


def _rows_of(page: str, form: _Form) -> list[tuple[str, ...]]:
    template = Template(form.row, within=form.sign)
    return [row for line in page.split("\n") for row in template.parts(line)]


def _opened(
    shown: Sequence[Trajectory], form: _Form
) -> list[tuple[Trajectory, tuple[str, ...], list[tuple[str, ...]]]]:
    """Return the demonstrations with the rows that they opened, and those that they might have."""
    column = int(form.column) - 1
    out = []
    for each in shown:
        for at, action in enumerate(each.acts):
            small = (_argument(form.opening, action) or "").casefold()
            rows = _rows_of(each.obs[at], form)
            chosen = next((row for row in rows if row[column].casefold() == small), None)
            if chosen is not None:
                out.append((each, chosen, rows))
    return out


def _taken(shown: Sequence[Trajectory], form: _Form) -> list[tuple[str, str, list[str]]]:
    """Return what was taken of pages without rows: task, part, and all parts."""
    out = []
    for each in shown:
        for at, action in enumerate(each.acts):
            value = _argument(form.opening, action)
            page = each.obs[at]
            if value is None or _is(form.last)(value) or _rows_of(page, form):
                continue
            out.append((each.task, value, _parts(page, form.sign)))
    return out


def _signs(values: Sequence[tuple[str, str, Sequence[str]]]) -> tuple[str, str] | None:
    """Return the signs between which tasks say what is taken; None where most do not say it."""
    around = []
    for task, value, _ in values:
        small = task.casefold()
        found = [m.span() for m in re.finditer(re.escape(value.casefold()), small)]
        around += [(task[:start], task[end:]) for start, end in found[-1:]]
    if not values or len(around) < _NEARLY * len(values):
        return None
    before = _shared([text[::-1] for text, _ in around])[::-1]
    behind = _shared([text for _, text in around if text])
    return (before, behind) if before else None


def _shared(texts: Sequence[str], longest: int = _LONGEST_SIGNS) -> str:
    """Return how nearly all texts begin."""
    out = ""
    while texts and len(out) < longest:
        letter, often = Counter(text[len(out) : len(out) + 1] for text in texts).most_common(1)[0]
        if not letter or often < _NEARLY * len(texts):
            break
        out += letter
        texts = [text for text in texts if text.startswith(out)]
    return out


def _share(values: Sequence[tuple[str, str, Sequence[str]]], every: EverySaid) -> float:
    """Return the share of pages from which something was taken that have all that is said."""
    held = [
        {part.casefold() for part in parts}.issuperset(
            said_between(task, every.before, every.behind)
        )
        for task, _, parts in values
    ]
    return sum(held) / len(held) if held else 0.0


def _dropped(shown: Sequence[Trajectory], form: _Form) -> tuple[str, ...]:
    """Return the words of tasks that were asked with less often than not, the most frequent first.

    A word that was met once or twice says nothing.
    """
    seen: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for each in shown:
        asked = next((q for a in each.acts if (q := _argument(form.asking, a))), None)
        if asked is not None:
            query = {word.casefold() for word in plain_words(asked)}
            words = {word.casefold() for word in plain_words(each.task)}
            seen.update(words)
            kept.update(words & query)
    out = [w for w, n in seen.items() if n >= _SEVERAL and kept[w] < _MOSTLY * n]
    return tuple(sorted(out, key=lambda word: (-seen[word], word)))


def _limit(
    shown: Sequence[Trajectory], form: _Form
) -> tuple[Template | None, tuple[Comparison, ...]]:
    """Return a wording with a number, and how that limits a column of rows; else nothing."""
    wording = _wording([each.task for each in shown])
    if wording is None:
        return None, ()
    opened = _opened(shown, form)
    for number in range(len(form.row.split(form.sign))):
        for relation in ("!>", "!<"):
            beyond = passed = 0
            for each, chosen, rows in opened:
                values = wording.read(each.task)
                limit = figure(values[-1]) if values else None
                if limit is not None:
                    beyond += _beyond(chosen[number], relation, limit)
                    passed += any(_beyond(row[number], relation, limit) for row in rows)
            if passed >= _SEVERAL and beyond <= (1 - _NEARLY) * passed:
                field = Field(str(number + 1))
                return wording, (Comparison(field, relation, TaskSlot("2")),)
    return None, ()


def _beyond(value: str, relation: str, limit: Decimal) -> bool:
    size = figure(value)
    return size is not None and (size > limit if relation == "!>" else size < limit)


def _wording(tasks: Sequence[str]) -> Template | None:
    """Return how tasks say their last number, if nearly all say it alike."""
    forms: Counter[str] = Counter()
    for task in tasks:
        words = task.split(" ")
        at = next((n for n in range(len(words) - 1, 1, -1) if figure(words[n]) is not None), None)
        if at is not None:
            before, behind = words[max(1, at - 2) : at], words[at + 1 :]
            parts = ["{1}", *map(literal_text, before), "{2}", *map(literal_text, behind)]
            forms[" ".join(parts)] += 1
    form, often = forms.most_common(1)[0] if forms else ("", 0)
    return Template(form) if often >= _NEARLY * len(tasks) else None


# ---------------------------------------------------------------------------- proving
def _proof(shown: Sequence[Trajectory]) -> ProgramProof:
    """Prove demonstrations by programs that were learned from the other folds."""
    divergences: list[Divergence] = []
    for fold in range(_FOLDS):
        file = _learned([each for n, each in enumerate(shown) if n % _FOLDS != fold])
        for each in shown[fold::_FOLDS]:
            parted = _parting(file, each) if file else Divergence(each.task, 1, ("", ()), "", True)
            divergences += [parted] if parted else []
    return ProgramProof(len(shown), tuple(divergences))


def _parting(file: ProgramFile, shown: Trajectory) -> Divergence | None:
    """Return where a program would do something else than was shown; None where it does the same.

    A text of words of the task is the same if most of its words are: what it brought is what the
    next steps are proved by. A row that is opened later counts as well; so do parts in any order.
    """
    history = file.begin(shown.task, shown.obs[0])
    reader = file.readers()[0]
    for number, (action, told) in enumerate(zip(shown.acts, shown.obs[1:], strict=True), 1):
        decision = decide(file.program, history)
        if not isinstance(decision, Act):
            return Divergence(shown.task, number, (action, ()), decision.because, True)
        step = decision.step
        value = _argument(step.operator, action)
        if value is None or not _alike(decision, value):
            would = action_of(step.operator, decision.arguments)
            return Divergence(shown.task, number, (action, ()), would, False)
        history.add(Done(step.id, step.operator, (value,)), reader.read(told))
    return None


def _alike(decision: Act, value: str) -> bool:
    if isinstance(decision.step.sources[0], Kept):
        return Kept.alike(decision.arguments[0], value)
    ways = [decision.arguments, *decision.others]
    ways = ways[:_LOOKS] if decision.step.id == _OPEN else ways
    return value.casefold() in (way[0].casefold() for way in ways)
