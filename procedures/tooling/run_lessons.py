"""Tool runs as lessons: calls with arguments, results as facts, tasks by their wordings."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ..common.text import fold_space
from ..episodes.facts import (
    KEYS_OF,
    OF_LIST,
    Fact,
    Reader,
    facts_of_data,
    learn_reader,
    scalar_text,
)
from ..episodes.field_words import Place, words_of_class, words_told
from ..episodes.history import EARLIER, INSTRUCTIONS, Done, History, read_task
from ..episodes.inner_signs import parted_as_told
from ..episodes.list_signs import mined_with_sign
from ..episodes.mining import mine_templates
from ..episodes.named_items import with_named_items
from ..episodes.nesting import nested_lines
from ..episodes.special_forms import words_among_sizes
from ..episodes.templates import Line, Template, pieces, readings_of, template_text
from ..episodes.tokens import has_digit, tokens
from ..programs.call_forms import ANSWER, ANSWER_PATH, FlatCall, Form, ToolUse, argument_leaves
from ..programs.documents import ProgramFile
from ..programs.learning.lessons import Lesson
from ..programs.learning.wordings import aligned_wordings, values_by_part
from .keyed_rows import as_rows, keyed_paths
from .task_wording import clustered, given_words, names_in, parted, wording_of
from .tool_episodes import ToolCall, ToolEpisode
from .tool_operators import Calls, Said, known_values, learn_calls

LINES = "lines"
"""Field of what was said before the task that holds all of it."""
_LONGEST_LINE = 400
"""Most characters of a line, or an argument, that templates are mined from."""
_JSON = Reader()
_LONGEST_TEXT = 4_000
"""Characters of a text result in which names with digits are looked for; bounds the time."""
_LONGEST_EARLIER = 200
"""Most characters of earlier messages that a fact holds as they are; longer ones are hashed."""
_WORD = re.compile(r"[\w.-]*\d[\w-]*")
_MOST_CLASSES = 4
"""Values of a field up to which each of them is a class of rows."""
_MOST_LINES = 60
"""Line breaks below which a text is read line by line; bounds the time."""
_SENTENCE_WORDS = 6
"""Fewest words of a field's text that counts as a sentence somebody wrote."""
_STOPPED_WORDS = 2
"""Fewest words of a sentence that ends as sentences do."""
_FULL_STOPS = tuple(".?!。？！")  # noqa: RUF001 - as other scripts write them
_WORDS = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class RunReading:
    """How the runs of one kind of task are read.

    Attributes:
        calls: Forms of calls, and of answers.
        lines: Reads lines of texts.
        tasks: Reads tasks.
        tools: How the tools are used.
    """

    calls: Calls
    lines: Reader
    tasks: Reader
    tools: ToolUse

    def reads(self, task: str) -> bool:
        """Whether a task is in one of the wordings."""
        return bool(read_task(self.tasks, fold_space(task))[2])

    def begin(self, task: str, earlier: Sequence[str] = (), days: Sequence[str] = ()) -> History:
        """Start a history.

        Args:
            task: The task.
            earlier: What the user said before it that was no task.
            days: That the agent's instructions name.
        """
        return _start_history(self.tasks, task, earlier, days)

    @classmethod
    def of(cls, file: ProgramFile) -> RunReading:
        """Return how a program reads runs."""
        tools = file.tools or ToolUse()
        forms = (step.form for step in file.program.steps if step.form is not None)
        return cls(Calls(forms, tools.types), *file.readers(), tools)

    def told(self, form: Form, result: str) -> tuple[Fact, ...]:
        """Return the facts of a result."""
        return tuple(_facts(form.place, form.tool, result, self.lines, self.tools))

    def given(self, call: ToolCall) -> FlatCall:
        """Return a call's tool and arguments."""
        return FlatCall(call.tool, argument_leaves(call.arguments))


def _start_history(
    tasks: Reader, task: str, earlier: Sequence[str] = (), days: Sequence[str] = ()
) -> History:
    task_fact, item_facts, wording = read_task(tasks, fold_space(task))
    lines = " / ".join(map(fold_space, earlier))
    if len(lines) > _LONGEST_EARLIER:
        lines = hashlib.sha256(lines.encode("utf-8", "replace")).hexdigest()
    first = [Fact(EARLIER, {LINES: lines}), *item_facts]
    if days:
        names = ("day" if n == 1 else f"day {n}" for n in itertools.count(1))
        first.append(Fact(INSTRUCTIONS, dict(zip(names, days, strict=False))))
    return History(task, task_fact, first, wording)


def learn_reading(runs: Sequence[ToolEpisode]) -> tuple[RunReading, list[Lesson]]:
    """Learn to read the runs of one kind of task, and read them."""
    plain = Reader(())
    tools = _tools(runs)
    texts = list(_texts(runs, tools))
    lines = learn_reader(texts, _phrases(runs))
    nothing = Reader(())
    calls_in_context: list[tuple[FlatCall, Said]] = []
    for run in runs:
        history = _start_history(plain, run.task)
        for call in run.calls:
            flat_call = FlatCall(call.tool, argument_leaves(call.arguments))
            calls_in_context.append((flat_call, Said(run.task, known_values(history))))
            history.add(
                Done(None, call.tool, tuple(str(v) for _, v in flat_call.values)),
                tuple(_facts(call.tool, call.tool, call.result, lines, tools)),
            )
        if run.answer is not None:
            calls_in_context.append((_answer(run.answer), Said(run.task, known_values(history))))
    calls = learn_calls(calls_in_context)
    reading = RunReading(calls, lines, nothing, tools)
    plain_lessons = [_lesson(reading, run) for run in runs]
    tasks = _wordings(runs, plain_lessons)
    reading = RunReading(calls, lines, tasks, tools)
    return reading, [
        Lesson(run.task, reading.begin(run.task, run.earlier, run.under.days), lesson.calls)
        for run, lesson in zip(runs, plain_lessons, strict=True)
    ]


def _answer(text: str) -> FlatCall:
    return FlatCall(ANSWER, ((ANSWER_PATH, text),))


def _lesson(reading: RunReading, run: ToolEpisode) -> Lesson:
    history = reading.begin(run.task)
    start = history.copy()
    calls: list[tuple[str, tuple[str, ...], tuple[Fact, ...]]] = []
    for call in run.calls:
        quotable = Said(run.task, known_values(history))
        form, arguments = reading.calls.parse(reading.given(call), quotable)
        facts = reading.told(form, call.result)
        calls.append((form.operator, arguments, facts))
        history.add(Done(None, form.operator, arguments), facts)
    if run.answer is not None:
        quotable = Said(run.task, known_values(history))
        form, arguments = reading.calls.parse(_answer(run.answer), quotable)
        calls.append((form.operator, arguments, ()))
    return Lesson(run.task, start, tuple(calls))


def _wordings(runs: Sequence[ToolEpisode], lessons: Sequence[Lesson]) -> Reader:
    words = frozenset(
        word
        for lesson in lessons
        for _, arguments, _ in lesson.calls
        for value in arguments
        if len(value) <= _LONGEST_LINE
        for word in tokens(value)
    )
    tasks = [Line(fold_space(run.task), number, 0) for number, run in enumerate(runs)]
    parts = [
        values_by_part(
            [(operator, arguments) for operator, arguments, _ in lesson.calls],
            [*lesson.first.results[:1], *(facts for _, _, facts in lesson.calls)],
        )
        for lesson in lessons
    ]
    used = {value for run in runs for value in _argument_texts(run)}
    listing = mined_with_sign(tasks, used, lambda lines: _listing(lines, runs, parts, words))
    values_by_run = [frozenset(itertools.chain(*each.values())) for each in parts]
    wordings_as_told = tuple(
        parted_as_told(template, [(values, values_by_run[line.episode]) for line, values in each])
        for template, each in readings_of(listing, tasks).items()
    )
    parts_of_tasks = zip((task.text for task in tasks), parts, strict=True)
    return Reader(aligned_wordings(wordings_as_told, parts_of_tasks))


def _listing(
    lines: Sequence[Line],
    runs: Sequence[ToolEpisode],
    parts: Sequence[Mapping[Hashable, frozenset[str]]],
    words: frozenset[str],
) -> tuple[Template, ...]:
    """Return the wordings of tasks, with the lists of what they name.

    Args:
        lines: The task of each run.
        runs: The runs.
        parts: Each run's values; see :func:`aligned_wordings`.
        words: Words of arguments.
    """
    values_per_run = [[*_argument_texts(run), *_result_names(run)] for run in runs]
    wordings = [
        wording_of(line.text, each) for line, each in zip(lines, values_per_run, strict=True)
    ]
    words_per_run = [given_words(each) for each in values_per_run]
    always = frozenset.intersection(*words_per_run)
    plain = [
        parted(line.text, each - always) for line, each in zip(lines, words_per_run, strict=True)
    ]
    indices_by_template: dict[Template, list[int]] = {}
    unmatched: list[int] = []
    for cluster in sorted(clustered(wordings), key=len, reverse=True):
        first = plain[cluster[0]]
        uniform = all(plain[i] == first for i in cluster) and all(map(_WORDS.search, first[1:-1]))
        if uniform and len(cluster) > 1:
            indices_by_template[_with_slots(first)] = cluster
        else:
            unmatched += cluster
    # What is worded as no other may be so because of values that no call was given.
    of_line = {id(lines[i]): i for i in unmatched}
    mined = mine_templates([lines[i] for i in unmatched], words, special=False)
    for template, readings in readings_of(mined, [lines[i] for i in unmatched]).items():
        indices = [of_line[id(line)] for line, _ in readings]
        if len(indices) == 1 and all(map(_WORDS.search, plain[indices[0]][1:-1])):
            template = _with_slots(plain[indices[0]])
        if indices:
            indices_by_template.setdefault(template, indices)
    template_by_text: dict[str, Template] = {}
    for template, indices in indices_by_template.items():
        for each in _split_slots(template, [(lines[i].text, parts[i]) for i in indices]):
            template_by_text.setdefault(each.text, each)
    return with_named_items(tuple(template_by_text.values()), lines, words)


def _with_slots(plain: Sequence[str]) -> Template:
    """Return the template that says these texts, with a slot between any two."""
    return Template(template_text(plain, map(str, range(1, len(plain)))))


def _argument_texts(run: ToolEpisode) -> Iterator[str]:
    """Yield what calls were given."""
    for call in run.calls:
        yield from (scalar_text(value) for _, value in argument_leaves(call.args))


def _phrases(runs: Sequence[ToolEpisode]) -> frozenset[str]:
    """Return what calls were given: texts in results may hold it, each as one value."""
    return frozenset(value for run in runs for value in _argument_texts(run) if value)


def _result_names(run: ToolEpisode) -> Iterator[str]:
    """Yield names and figures of results: who is spoken of is no part of how one speaks."""
    for call in run.calls:
        for value in told_by(call):
            yield from names_in(value)


def _split_slots(
    template: Template, parts: Sequence[tuple[str, Mapping[Hashable, frozenset[str]]]]
) -> Iterator[Template]:
    """Yield a wording whose slots are parted where they end or begin with what a call was given."""
    readings = [
        (dict(zip(template.slots, values, strict=True)), played)
        for task, played in parts
        if (values := template.read(task)) is not None
    ]
    plain, slots = list(pieces(template.text)[0]), 0
    for slot in template.slots:
        pairs = [(values[slot], played) for values, played in readings]
        for part in sorted({part for _, played in pairs for part in played}, key=str):
            behind = all(any(_ends(v, each) for each in g.get(part, ())) for v, g in pairs)
            before = all(any(_begins(v, each) for each in g.get(part, ())) for v, g in pairs)
            if pairs and (behind or before):
                slots += 1
                plain.insert(slots, " ")
                break
        slots += 1
    if slots == len(template.slots):
        yield template
        return
    yield Template(template_text(plain, map(str, range(1, slots + 1))))


def _ends(value: str, part: str) -> bool:
    words = tokens(part)
    return value.endswith(" " + part) and tokens(value)[-len(words) :] == words


def _begins(value: str, part: str) -> bool:
    words = tokens(part)
    return value.startswith(part + " ") and tokens(value)[: len(words)] == words


# ---------------------------------------------------------------------------- results
def _facts(place: str, tool: str, result: str, lines: Reader, tools: ToolUse) -> Iterator[Fact]:
    raw_facts = _facts_of_json(place, tool, result, tools.keyed)
    if raw_facts is None:
        yield Fact(place, {"text": result})
        if result.count("\n") < _MOST_LINES:
            yield from lines.read(result)
        return
    for raw_fact in raw_facts:
        kind = _kind(raw_fact, place, tools.shared)
        prose = [name for name in raw_fact.fields if name in tools.prose]
        fields = {name: value for name, value in raw_fact.fields.items() if name not in prose}
        fields |= dict(words_told(fields, tools.words.get(kind, {})))
        fact = Fact(kind, fields, raw_fact.raw)
        yield fact
        yield Fact(f"{KEYS_OF}{fact.kind}", {"keys": ", ".join(sorted(raw_fact.fields))})
        for name in prose:
            yield from lines.read(raw_fact.fields[name])
        for name, value in fact.fields.items():
            if fact.kind == place and name in tools.shared:
                yield Fact(name, {name: value})
            if value in tools.classes.get((kind, name), ()):
                other_fields = {other: each for other, each in fact.fields.items() if other != name}
                yield Fact(f"{kind} with {name} {value}", other_fields)
            if name in tools.lists:
                for item in value.split(", "):
                    yield Fact(f"each {name} of {fact.kind}", {"item": item})


def _facts_of_json(
    place: str, tool: str, result: str, keyed: Collection[str]
) -> Sequence[Fact] | None:
    """Return the facts of a result of JSON; None of a text."""
    data = _parsed_json(result)
    if data is None:
        return None
    if any(path == tool or path.startswith((f"{tool}.", tool + OF_LIST)) for path in keyed):
        with suppress(RecursionError):  # what is nested too deep is read as it is
            return tuple(facts_of_data(as_rows(data, tool, keyed), place))
    return _JSON.read(result, place)


def _parsed_json(result: str) -> Any:
    """Return what a result of JSON holds; None of a text."""
    if result.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(result)
    except (ValueError, RecursionError):
        return None


def _texts(runs: Sequence[ToolEpisode], tools: ToolUse) -> Iterator[Line]:
    for number, run in enumerate(runs):
        for at, call in enumerate(run.calls):
            facts = _facts_of_json(call.tool, call.tool, call.result, tools.keyed)
            if facts is None:
                texts = [call.result]
            else:
                fields = (each for fact in facts for each in fact.fields.items())
                texts = [text for name, text in fields if name in tools.prose]
            for text in texts:
                if text.count("\n") < _MOST_LINES:
                    lines = nested_lines(text)
                    for line, above in lines:
                        if len(line) <= _LONGEST_LINE:
                            yield Line(line, number, at, tuple(lines[n][0] for n in above))


def form_of(result: str) -> str:
    """Return the form of a result: object, list, text or nothing."""
    data = _parsed_json(result)
    if data is None:
        return "text" if result.strip() else "nothing"
    return "object" if isinstance(data, dict) else "list"


def told_by(call: ToolCall) -> Iterator[str]:
    """Yield the values of a result, as far as they can be told without knowing its texts."""
    if _parsed_json(call.result) is None:
        yield call.result
        yield from _WORD.findall(call.result[:_LONGEST_TEXT])
        return
    for fact in _JSON.read(call.result, call.tool):
        yield from fact.fields.values()


def _kind(fact: Fact, place: str, shared: Collection[str]) -> str:
    """Return of what kind a fact of a result is: that of its path, where several tools tell it."""
    path = fact.kind[len(place) :]
    return path if path in shared else fact.kind


_Result = tuple[int, str, Sequence[Fact]]
"""Number of a run, a tool, and the facts of what it told as JSON."""


def _tools(runs: Sequence[ToolEpisode]) -> ToolUse:
    parsed = (
        (number, call.tool, _parsed_json(call.result))
        for number, run in enumerate(runs)
        for call in run.calls
    )
    keyed = keyed_paths(
        [each for each in parsed if each[2] is not None], [fold_space(run.task) for run in runs]
    )
    results = [
        (number, call.tool, facts)
        for number, run in enumerate(runs)
        for call in run.calls
        if (facts := _facts_of_json(call.tool, call.tool, call.result, keyed)) is not None
    ]
    prose = _prose(results)
    several: Counter[str] = Counter()
    for fact in itertools.chain.from_iterable(facts for _, _, facts in results):
        several.update(n for n, v in fact.fields.items() if ", " in v)
    shared = _shared(results)
    return ToolUse(
        lists=frozenset(name for name, count in several.items() if count > 1) - prose,
        shared=shared,
        prose=prose,
        classes=_classes(results, shared),
        words=_words(results, shared, prose),
        keyed=keyed,
    )


def _shared(results: Sequence[_Result]) -> frozenset[str]:
    """Return the fields, and the paths of rows with the same fields, that several tools tell.

    Rows of other fields are other things, of which the newer ones do not replace the older ones.
    """
    tellers: dict[str, set[str]] = defaultdict(set)
    fields_by_path: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for _, tool, facts in results:
        for fact in facts:
            if fact.kind == tool:
                for name in fact.fields:
                    tellers[name].add(tool)
            else:
                fields_by_path[fact.kind[len(tool) :]][tool].update(fact.fields)
    shared = {name for name, tools in tellers.items() if len(tools) > 1}
    shared |= {
        path
        for path, fields_by_tool in fields_by_path.items()
        if len(fields_by_tool) > 1 and _are_alike(fields_by_tool.values())
    }
    return frozenset(shared) - _own_names(results)


def _are_alike(rows: Iterable[Collection[str]]) -> bool:
    """Whether rows have the same fields."""
    return len(set(map(frozenset, rows))) == 1


def _own_names(results: Sequence[_Result]) -> frozenset[str]:
    """Return the names of tools: each is the kind of what its tool tells."""
    return frozenset(tool for _, tool, _ in results)


def _prose(results: Sequence[_Result]) -> frozenset[str]:
    """Return the fields that mostly hold sentences, or several lines, in results of some kind."""
    count_by_field: Counter[tuple[str, str]] = Counter()
    sentence_count_by_field: Counter[tuple[str, str]] = Counter()
    for fact in itertools.chain.from_iterable(facts for _, _, facts in results):
        for name, value in fact.fields.items():
            count_by_field[fact.kind, name] += 1
            sentence_count_by_field[fact.kind, name] += _is_sentence(value)
    return frozenset(
        field[1]
        for field, count in sentence_count_by_field.items()
        if count * 2 > count_by_field[field]
    )


def _is_sentence(text: str) -> bool:
    """Whether somebody wrote a text as a sentence: by its length, its lines or its full stop."""
    words = [token for token in tokens(text) if token[0].isalpha()]
    # A name may stop, too: it has capitals, as ``Acme Foods Inc.`` does.
    stops = text.rstrip().endswith(_FULL_STOPS) and not all(word[0].isupper() for word in words)
    return "\n" in text or len(words) >= (_STOPPED_WORDS if stops else _SENTENCE_WORDS)


def _words(
    results: Sequence[_Result], shared: Collection[str], prose: Collection[str]
) -> dict[str, dict[str, tuple[Place, ...]]]:
    """Return kind → field → places of words that are classes; see :func:`words_of_class`."""
    texts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for _, tool, facts in results:
        for fact in facts:
            kind = _kind(fact, tool, shared)
            for name in fact.fields.keys() - fact.raw.keys() - set(prose):
                texts[kind, name][fact.fields[name]] += 1
    words: dict[str, dict[str, tuple[Place, ...]]] = defaultdict(dict)
    for (kind, name), each in sorted(texts.items()):
        if places := tuple(words_of_class(each)):
            words[kind][name] = places
    return dict(words)


def _classes(
    results: Sequence[_Result], shared: Collection[str]
) -> dict[tuple[str, str], frozenset[str]]:
    """Return (kind, field) → values that divide the rows of most results into classes.

    A class is in most results, and only some of their rows have it. A field with many values has no
    classes, except those that every result has in more than one row, and words in place of sizes.
    """
    telling: Counter[tuple[str, str]] = Counter()
    parts: Counter[tuple[str, str, str]] = Counter()
    rows_of: Counter[tuple[str, str, str]] = Counter()
    columns: dict[tuple[str, str], list[tuple[int, str]]] = defaultdict(list)
    for run, tool, facts in results:
        rows: dict[tuple[str, str], list[str]] = defaultdict(list)
        for fact in facts:
            for name, value in fact.fields.items():
                columns[_kind(fact, tool, shared), name].append((run, value))
            for name, value in fact.fields.items() if fact.kind.endswith(OF_LIST) else ():
                rows[_kind(fact, tool, shared), name].append(value)
        for place, values in rows.items():
            telling[place] += 1
            parts.update((*place, v) for v in set(values) if 0 < values.count(v) < len(values))
            rows_of.update((*place, v) for v in values)
    frequent_values: dict[tuple[str, str], set[str]] = defaultdict(set)
    constant_values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for (kind, name, value), count in parts.items():
        if count * 2 > telling[kind, name] > 1 and value and not has_digit(value):
            frequent_values[kind, name].add(value)
            if count == telling[kind, name] and rows_of[kind, name, value] >= 2 * count:
                constant_values[kind, name].add(value)
    classes_by_field = {
        p: each if len(each) <= _MOST_CLASSES else constant_values[p]
        for p, each in frequent_values.items()
    }
    for place, column in columns.items():
        classes_by_field.setdefault(place, set()).update(words_among_sizes(column))
    return {
        p: frozenset(each) for p, each in classes_by_field.items() if 0 < len(each) <= _MOST_CLASSES
    }
