"""A program for pages: ask with words of the task, open a row, take parts, hand in.

A page is a text whose parts a separator divides; some parts form rows of one template. The
demonstrations alone tell the separator, the template, the words of queries, and the signs between
which a task says the parts to take.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ...common.sampling import sample
from ...episodes.history import Done
from ...episodes.templates import ANY_TEXT, Template, literal_text
from ...episodes.tokens import figure, plain_words, tokens
from ...episodes.trajectories import Trajectory
from ...learning.abstraction import slug
from ..box import Box
from ..documents import ProgramFile
from ..program import Act, Guard, Program, ProgramStep, decide
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
from .program_kinds import ProgramProposal, TaskKind

_LEAST = 6
"""Least demonstrations for a program for pages."""
_FOLDS = 5
"""Folds of the proof: four fifths of the demonstrations learn, one fifth tests."""
_MOST = 400
"""Most demonstrations that shape a program."""
_MOSTLY = 0.5
"""Share of a demonstration's pages that a sign has to divide for it to be one of pages."""
_NEARLY = 0.9
"""Share of the demonstrations that a form, or a rule, has to hold for."""
_TRIAL = 40
"""Demonstrations that the template of rows is learned from; more take time."""
_SEVERAL = 3
"""Least rows of one template on a page with rows."""
_COLUMNS = range(2, 7)
"""Numbers of columns that a row may have."""
_LOOKS = 3
"""Most rows that are opened until one has all that the task says."""
_LONGEST_SIGNS = 8
"""Most letters of the signs around a part in a task; more are words of the task."""
_LONGEST_VERB = 80
"""Most letters of an action's fixed beginning or end."""
_TO_LAST_SIGN, _FROM_FIRST_SIGN = re.compile(r"\w+$"), re.compile(r"^.*\w")
"""Letters at the edge of a shared text: they belong to the argument, not to the operator."""
_OPEN, _TAKE, _ASK, _HAND_IN = "open", "take", "ask", "hand-in"


@dataclass(frozen=True, slots=True)
class _Form:
    """How pages are read and used.

    Attributes:
        sign: Separator of the parts of a line.
        row: Template of rows.
        column: The slot of a row by which it is opened.
        opening: Operator that opens a row, or takes a part.
        asking: Operator of a query, whose argument is words of the task.
        last: Part whose opening hands in.
    """

    sign: str
    row: str
    column: str
    opening: str
    asking: str
    last: str


def propose_paging(
    demonstrations: Sequence[Trajectory], other_ids: Collection[str] = ()
) -> TaskKind | None:
    """Return demonstrations that use pages, with a program; None where few of all do.

    Args:
        demonstrations: Episodes that succeeded.
        other_ids: Ids of other documents.
    """
    if len(demonstrations) < _LEAST:
        return None
    signs = [_sign([each], _MOSTLY) for each in demonstrations]
    usual_sign = Counter(filter(None, signs)).most_common(1)
    similar = [
        d
        for d, each in zip(demonstrations, signs, strict=True)
        if usual_sign and each == usual_sign[0][0]
    ]
    form = _form(sample(similar, _MOST)) if len(similar) >= _LEAST else None
    if form is None:
        return None
    members = [
        each for each in similar if _is_label(form.last)(_argument(form.opening, each.acts[-1]))
    ]
    examples = sample(members, _MOST)
    file = _learn_file(examples)
    if file is None:
        return None
    proof = _proof(examples)
    proof_text = f"{proof.reproduced} of {proof.of} demonstrations held possible, held out by folds"
    words = [w for step in file.program.steps[:2] for w in tokens(step.operator) if w.isalpha()]
    file = replace(file, id=slug(" ".join(words), other_ids), provenance={"proof": proof_text})
    return TaskKind(tuple(members), ProgramProposal(file, proof))


# ---------------------------------------------------------------------------- learning
def _learn_file(demonstrations: Sequence[Trajectory]) -> ProgramFile | None:
    """Learn a program; None where few demonstrations are of its form."""
    form = _form(demonstrations)
    if form is None:
        return None
    values = _parts_taken(demonstrations, form)
    wording, where = _limit(demonstrations, form)
    signs = _signs(values)
    row, part = (Template(text, within=form.sign) for text in (form.row, "{1}"))
    words, last = Kept(_dropped(demonstrations, form)), Constant(form.last)
    item = Choice(form.row, form.column, "newest", (Case((), Rule(where)),))
    names: dict[Source, str] = {words: "words", item: "row", last: "last"}
    opened = DoneStep(_OPEN)
    steps = [
        ProgramStep(_ASK, form.asking, (words,), _when(DoneStep(_ASK, negated=True))),
        ProgramStep(_OPEN, form.opening, (item,), _when(Shown(form.row))),
    ]
    ends = [ProgramStep(_HAND_IN, form.opening, (last,), commit=True, box=Box(needs=(_OPEN,)))]
    if signs is not None:
        quoted_part = Choice(
            part.text, "1", "newest", (Case((), Rule((Said(Field("1"), *signs),))),)
        )
        names[quoted_part] = "part"
        ends.insert(0, ProgramStep(_TAKE, form.opening, (quoted_part,)))
        all_said = EverySaid(part.text, "1", *signs)
        if _share(values, all_said) >= _NEARLY:
            steps += [replace(each, guards=_when(opened, all_said)) for each in ends]
            fewer_looks = DoneStep(_OPEN, negated=True, times=_LOOKS)
            back = _when(opened, Shown(form.row, negated=True), fewer_looks)
            steps.append(ProgramStep(f"{_ASK}-again", form.asking, (words,), back, again=True))
            graded = any(each.reward is not None for each in demonstrations)
            # With graded rewards an incomplete row is better than none.
            ends = [replace(each, id=f"{each.id}-anyway") for each in ends] if graded else []
    steps += [replace(each, guards=_when(opened)) for each in ends]
    wordings = (wording, ANY_TEXT) if wording else (ANY_TEXT,)
    return ProgramFile("", Program(tuple(steps)), (row, part), wordings, names=names)


def _when(*conditions: Condition) -> tuple[Guard, ...]:
    return (Guard(conditions),)


def _form(demonstrations: Sequence[Trajectory]) -> _Form | None:
    """Return how pages are read and used; None where few demonstrations are of that form."""
    sign = _sign(demonstrations, _NEARLY)
    if sign is None:
        return None
    clicks = Counter(
        each
        for d in demonstrations
        for at, a in enumerate(d.acts)
        for each in _frames(a, d.obs[at], sign)
    )
    if not clicks:
        return None
    opening = max(sorted(clicks), key=clicks.__getitem__)
    lasts = Counter(_argument(opening, d.acts[-1]) for d in demonstrations)
    last = lasts.most_common(1)[0][0]
    if last is None or sum(map(_is_label(last), lasts.elements())) < _NEARLY * len(demonstrations):
        return None
    queries = [a for d in demonstrations for a in d.acts if _argument(opening, a) is None]
    asking = _common_operator(queries)
    row = _row(demonstrations, sign, opening, last)
    if row is None or asking is None:
        return None
    return _Form(sign, *row, opening, asking, last)


def _is_label(label: str | None) -> Callable[[str | None], bool]:
    """Return a test for a label that ignores case."""
    return lambda other: (other or "").casefold() == (label or "").casefold()


def _sign(demonstrations: Sequence[Trajectory], share: float) -> str | None:
    """Return the sign that divides at least a share of the observations; else None."""
    counts: Counter[str] = Counter()
    pages = [text for each in demonstrations for text in each.obs[1:-1]]
    for text in pages:
        words = Counter(text.split())
        counts.update(w for w, n in words.items() if n >= _SEVERAL and _is_sign(w))
    usual_sign = max(sorted(counts), key=counts.__getitem__, default=None)
    return (
        f" {usual_sign} "
        if usual_sign is not None and counts[usual_sign] >= share * len(pages)
        else None
    )


def _is_sign(word: str) -> bool:
    return not word[0].isalnum() and not word[-1].isalnum()


def _parts(text: str, sign: str) -> list[str]:
    return [part.strip() for line in text.split("\n") for part in line.split(sign)]


def _frames(action: str, page: str, sign: str) -> Iterator[str]:
    """Yield the operator of an action whose argument is the longest part of the page in it."""
    small = action.casefold()
    candidates = [p for p in _parts(page, sign) if p and p.casefold() in small]
    if candidates:
        part = max(candidates, key=len)
        at = small.index(part.casefold())
        before, behind = action[:at], action[at + len(part) :]
        yield f"{literal_text(before)}{{}}{literal_text(behind)}"


def _argument(operator: str, action: str) -> str | None:
    template = Template(operator.replace("{}", "{1}"))
    values = template.read(action)
    return values[0] if values else None


def _common_operator(actions: Sequence[str]) -> str | None:
    """Return the operator of actions that nearly all begin, or end, alike; else None."""
    before = _TO_LAST_SIGN.sub("", _common_beginning(actions, _LONGEST_VERB))
    ends = _common_beginning([each[::-1] for each in actions], _LONGEST_VERB)
    behind = _FROM_FIRST_SIGN.sub("", ends[::-1])
    operator = f"{literal_text(before)}{{}}{literal_text(behind)}"
    arguments = [_argument(operator, each) for each in actions] if before or behind else []
    return operator if sum(map(bool, arguments)) >= _NEARLY * len(actions) > 0 else None


def _row(
    demonstrations: Sequence[Trajectory], sign: str, opening: str, last: str
) -> tuple[str, str] | None:
    """Return the template of rows, and the slot by which they are opened.

    One of its columns begins with a sign that is no letter, which marks rows among other parts.
    """
    examples = sample(demonstrations, _TRIAL)
    calls = [
        (argument, _parts(d.obs[at], sign))
        for d in examples
        for at, action in enumerate(d.acts)
        if (argument := _argument(opening, action)) is not None and not _is_label(last)(argument)
    ]
    best: tuple[int, str, str] = (0, "", "")
    for width in _COLUMNS:
        for marked in range(width):
            for mark in _marks(calls, marked):
                columns = [f"{{{n + 1}}}" for n in range(width)]
                columns[marked] = literal_text(mark) + columns[marked]
                template = Template(sign.join(columns), within=sign)
                places = (_column(template, parts, a) for a, parts in calls)
                count_by_column = Counter(place for place in places if place is not None)
                for column, count in count_by_column.most_common(1):
                    if count > best[0]:
                        best = count, template.text, str(column + 1)
    return best[1:] if best[0] >= _NEARLY * len(examples) else None


def _marks(calls: Sequence[tuple[str | None, Sequence[str]]], behind: int) -> list[str]:
    """Return the first sign of most parts at a distance behind the opened one, if there is one."""
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
    """Return the column of a template's rows that holds a value; None where none does."""
    template_rows = template.parts(template.within.join(parts))
    values = (
        (_place(row, argument) for row in template_rows) if len(template_rows) >= _SEVERAL else ()
    )
    return next((column for column in values if column is not None), None)


def _rows_of(page: str, form: _Form) -> list[tuple[str, ...]]:
    template = Template(form.row, within=form.sign)
    return [row for line in page.split("\n") for row in template.parts(line)]


def _rows_opened(
    demonstrations: Sequence[Trajectory], form: _Form
) -> list[tuple[Trajectory, tuple[str, ...], list[tuple[str, ...]]]]:
    """Return each opening: the demonstration, the row it opened, and all rows of the page."""
    column = int(form.column) - 1
    openings = []
    for demonstration in demonstrations:
        for at, action in enumerate(demonstration.acts):
            small = (_argument(form.opening, action) or "").casefold()
            rows = _rows_of(demonstration.obs[at], form)
            row_opened = next((row for row in rows if row[column].casefold() == small), None)
            if row_opened is not None:
                openings.append((demonstration, row_opened, rows))
    return openings


def _parts_taken(
    demonstrations: Sequence[Trajectory], form: _Form
) -> list[tuple[str, str, list[str]]]:
    """Return each part that was taken from a page without rows: task, part, and all parts."""
    parts_taken = []
    for demonstration in demonstrations:
        for at, action in enumerate(demonstration.acts):
            value = _argument(form.opening, action)
            page = demonstration.obs[at]
            if value is None or _is_label(form.last)(value) or _rows_of(page, form):
                continue
            parts_taken.append((demonstration.task, value, _parts(page, form.sign)))
    return parts_taken


def _signs(values: Sequence[tuple[str, str, Sequence[str]]]) -> tuple[str, str] | None:
    """Return the signs around the taken part in tasks; None where most tasks do not say it."""
    around = []
    for task, value, _ in values:
        small = task.casefold()
        spans = [m.span() for m in re.finditer(re.escape(value.casefold()), small)]
        around += [(task[:start], task[end:]) for start, end in spans[-1:]]
    if not values or len(around) < _NEARLY * len(values):
        return None
    before = _common_beginning([text[::-1] for text, _ in around])[::-1]
    behind = _common_beginning([text for _, text in around if text])
    return (before, behind) if before else None


def _common_beginning(texts: Sequence[str], longest: int = _LONGEST_SIGNS) -> str:
    """Return the longest beginning of nearly all texts."""
    out = ""
    while texts and len(out) < longest:
        letter, count = Counter(text[len(out) : len(out) + 1] for text in texts).most_common(1)[0]
        if not letter or count < _NEARLY * len(texts):
            break
        out += letter
        texts = [text for text in texts if text.startswith(out)]
    return out


def _share(values: Sequence[tuple[str, str, Sequence[str]]], all_said: EverySaid) -> float:
    """Return the share of taken pages that have all parts that the task says."""
    complete = [
        {part.casefold() for part in parts}.issuperset(
            said_between(task, all_said.before, all_said.behind)
        )
        for task, _, parts in values
    ]
    return sum(complete) / len(complete) if complete else 0.0


def _dropped(demonstrations: Sequence[Trajectory], form: _Form) -> tuple[str, ...]:
    """Return the words that most queries leave out of their task, the most frequent first.

    A word of fewer than ``_SEVERAL`` tasks is no evidence.
    """
    count_in_tasks: Counter[str] = Counter()
    count_in_queries: Counter[str] = Counter()
    for demonstration in demonstrations:
        query_text = next((q for a in demonstration.acts if (q := _argument(form.asking, a))), None)
        if query_text is not None:
            query = {word.casefold() for word in plain_words(query_text)}
            words = {word.casefold() for word in plain_words(demonstration.task)}
            count_in_tasks.update(words)
            count_in_queries.update(words & query)
    dropped_words = [
        w for w, n in count_in_tasks.items() if n >= _SEVERAL and count_in_queries[w] < _MOSTLY * n
    ]
    return tuple(sorted(dropped_words, key=lambda word: (-count_in_tasks[word], word)))


def _limit(
    demonstrations: Sequence[Trajectory], form: _Form
) -> tuple[Template | None, tuple[Comparison, ...]]:
    """Return a wording with a number, and the limit that it sets to a column of rows; else none."""
    wording = _wording([demonstration.task for demonstration in demonstrations])
    if wording is None:
        return None, ()
    opened = _rows_opened(demonstrations, form)
    for number in range(len(form.row.split(form.sign))):
        for relation in ("!>", "!<"):
            beyond = passed = 0
            for demonstration, row_opened, rows in opened:
                values = wording.read(demonstration.task)
                limit = figure(values[-1]) if values else None
                if limit is not None:
                    beyond += _exceeds(row_opened[number], relation, limit)
                    passed += any(_exceeds(row[number], relation, limit) for row in rows)
            if passed >= _SEVERAL and beyond <= (1 - _NEARLY) * passed:
                field = Field(str(number + 1))
                return wording, (Comparison(field, relation, TaskSlot("2")),)
    return None, ()


def _exceeds(value: str, relation: str, limit: Decimal) -> bool:
    size = figure(value)
    return size is not None and (size > limit if relation == "!>" else size < limit)


def _wording(tasks: Sequence[str]) -> Template | None:
    """Return the wording around the last number of tasks, if nearly all share it."""
    forms: Counter[str] = Counter()
    for task in tasks:
        words = task.split(" ")
        at = next((n for n in range(len(words) - 1, 1, -1) if figure(words[n]) is not None), None)
        if at is not None:
            before, behind = words[max(1, at - 2) : at], words[at + 1 :]
            parts = ["{1}", *map(literal_text, before), "{2}", *map(literal_text, behind)]
            forms[" ".join(parts)] += 1
    form, count = forms.most_common(1)[0] if forms else ("", 0)
    return Template(form) if count >= _NEARLY * len(tasks) else None


# ---------------------------------------------------------------------------- proving
def _proof(demonstrations: Sequence[Trajectory]) -> ProgramProof:
    """Prove each fold by a program that was learned from the other folds."""
    divergences: list[Divergence] = []
    for fold in range(_FOLDS):
        file = _learn_file(
            [demonstration for n, demonstration in enumerate(demonstrations) if n % _FOLDS != fold]
        )
        for demonstration in demonstrations[fold::_FOLDS]:
            divergence = (
                _divergence(file, demonstration)
                if file
                else Divergence(demonstration.task, 1, ("", ()), "", True)
            )
            divergences += [divergence] if divergence else []
    return ProgramProof(len(demonstrations), tuple(divergences))


def _divergence(file: ProgramFile, demonstration: Trajectory) -> Divergence | None:
    """Return the first step at which a program does otherwise than a demonstration; else None.

    A query counts as the same if most of its words are the same. Rows and parts count in any order.
    """
    history = file.begin(demonstration.task, demonstration.obs[0])
    reader = file.readers()[0]
    for number, (action, observation) in enumerate(
        zip(demonstration.acts, demonstration.obs[1:], strict=True), 1
    ):
        decision = decide(file.program, history)
        if not isinstance(decision, Act):
            return Divergence(demonstration.task, number, (action, ()), decision.because, True)
        step = decision.step
        value = _argument(step.operator, action)
        if value is None or not _does_the_same(decision, value):
            would = action_of(step.operator, decision.arguments)
            return Divergence(demonstration.task, number, (action, ()), would, False)
        history.add(Done(step.id, step.operator, (value,)), reader.read(observation))
    return None


def _does_the_same(decision: Act, value: str) -> bool:
    if isinstance(decision.step.sources[0], Kept):
        return Kept.alike(decision.arguments[0], value)
    ways = [decision.arguments, *decision.others]
    ways = ways[:_LOOKS] if decision.step.id == _OPEN else ways
    return value.casefold() in (way[0].casefold() for way in ways)
