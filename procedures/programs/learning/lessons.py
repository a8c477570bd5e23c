"""Demonstrations as lessons: texts read as calls and facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...episodes.action_operators import Grammar, calls_of, learn_grammar
from ...episodes.facts import Fact, Reader, learn_reader
from ...episodes.history import History, beginning
from ...episodes.inner_signs import parted_as_told
from ...episodes.list_signs import mined_with_sign
from ...episodes.mentions import learn_mention, sentences_of
from ...episodes.mining import mine_templates
from ...episodes.named_items import with_named_items
from ...episodes.nesting import nested_lines
from ...episodes.optional_clauses import with_clauses
from ...episodes.paraphrases import learn_paraphrases
from ...episodes.task_sentences import mined_by_sentences, with_optional
from ...episodes.templates import Line, Template, readings_of
from ...episodes.tokens import quoted, tokens
from ...episodes.trajectories import Trajectory
from .wordings import aligned_wordings, values_by_part


@dataclass(frozen=True, slots=True)
class Reading:
    """Readers of texts: operators of actions, templates of results and of tasks.

    Attributes:
        grammar: Grammar that tells operators from arguments.
        results: Reader of results.
        tasks: Reader of tasks.
        values: Arguments of calls, and values of the tasks' open slots.
    """

    grammar: Grammar
    results: Reader
    tasks: Reader
    values: frozenset[str] = frozenset()

    def begin(self, task: str, observation: str) -> History:
        """Start a history."""
        return beginning(self.results, self.tasks, task, observation)

    def lessons(self, demonstrations: Sequence[Trajectory]) -> list[Lesson]:
        """Read demonstrations."""
        return [
            Lesson(
                d.task,
                self.begin(d.task, d.obs[0]),
                tuple(
                    (operator, arguments, self.results.read(observation))
                    for (operator, arguments), observation in zip(
                        calls_of(self.grammar, d.task, d.obs, d.acts), d.obs[1:], strict=True
                    )
                ),
            )
            for d in demonstrations
        ]

    def with_paraphrases(self, demonstrations: Sequence[Trajectory]) -> Reading:
        """Return a reading in which lines that paraphrase each other are of one kind."""
        reader = Reader(mine_templates(_lines(demonstrations), self.values, apart=True))
        results = (reader.read(text) for each in demonstrations for text in each.obs)
        return replace(self, results=Reader(learn_paraphrases(reader.templates, results)))

    def with_names(self, demonstrations: Sequence[Trajectory]) -> Reading:
        """Return a reading that also finds the names of later arguments in running text."""
        uses: dict[tuple[str, int], list[tuple[str, Sequence[str]]]] = defaultdict(list)
        for d in demonstrations:
            for at, (operator, values) in enumerate(calls_of(self.grammar, d.task, d.obs, d.acts)):
                for index, value in enumerate(values):
                    uses[operator, index].append((value, d.obs[: at + 1]))
        mentions = (learn_mention(*argument, each) for argument, each in sorted(uses.items()))
        names = [mention for mention in mentions if mention is not None]
        lines = [
            Line(sentence, number, at)
            for number, d in enumerate(demonstrations)
            for at, observation in enumerate(d.obs)
            for sentence in sentences_of(observation)
            if all(len(mention.read(sentence)) <= 1 for mention in names)
        ]
        phrases = frozenset(value for each in uses.values() for value, _ in each if value)
        return replace(self, results=Reader(mine_templates(lines, phrases), names))


@dataclass(frozen=True, slots=True)
class Lesson:
    """A demonstration as calls: (operator, arguments, facts of the result)."""

    task: str
    first: History
    calls: tuple[tuple[str, tuple[str, ...], tuple[Fact, ...]], ...]


def read_lesson(
    demonstrations: Sequence[Trajectory], *, whole: bool = False, sentences: bool = False
) -> tuple[Reading, list[Lesson]]:
    """Learn to read texts, and read the demonstrations.

    Args:
        demonstrations: Episodes.
        whole: Whether typed words are whole, and words that only tell operators apart are typed.
        sentences: Whether tasks are read sentence by sentence.
    """
    episodes = [(d.task, d.obs, d.acts) for d in demonstrations]
    grammar = learn_grammar(episodes, whole=whole)
    calls = [calls_of(grammar, *episode) for episode in episodes]
    values = frozenset(
        value
        for episode_calls in calls
        for _, arguments in episode_calls
        for value in arguments
        if value
    )
    numbered_tasks = [(n, d.task.replace("\n", " ")) for n, d in enumerate(demonstrations)]
    tasks = [Line(task, n, 0) for n, task in numbered_tasks if task.strip()]
    values |= frozenset(phrase for task in tasks for phrase in quoted(task.text))

    def mined(lines: Sequence[Line]) -> tuple[Template, ...]:
        templates = mine_templates(lines, values, special=False, apart=sentences)
        return with_named_items(templates, lines, values)

    wordings = (
        mined_by_sentences(tasks, mined) if sentences else mined_with_sign(tasks, values, mined)
    )
    open_values = values | _open_values(wordings, tasks)
    results = learn_reader(_lines(demonstrations), open_values)
    facts_by_episode = [[results.read(o) for o in d.obs] for d in demonstrations]
    parts = [
        (d.task, values_by_part(episode_calls, facts))
        for d, episode_calls, facts in zip(demonstrations, calls, facts_by_episode, strict=True)
    ]
    values_by_episode = [
        {v for facts in results_read for f in facts for v in f.fields.values()}
        for results_read in facts_by_episode
    ]
    wordings = tuple(
        parted_as_told(
            template, [(values, values_by_episode[line.episode]) for line, values in readings]
        )
        for template, readings in readings_of(wordings, tasks).items()
    )
    wordings = aligned_wordings(wordings, parts)
    if sentences:
        wordings = with_optional(wordings)
    reading = Reading(grammar, results, Reader(with_clauses(wordings, tasks, values)), open_values)
    return reading, reading.lessons(demonstrations)


def _lines(demonstrations: Sequence[Trajectory]) -> list[Line]:
    return [
        Line(line, number, at, tuple(lines[n][0] for n in above))
        for number, demonstration in enumerate(demonstrations)
        for at, observation in enumerate(demonstration.obs)
        for lines in (nested_lines(observation),)
        for line, above in lines
    ]


def _open_values(wordings: Sequence[Template], tasks: Sequence[Line]) -> frozenset[str]:
    """Return the values of the tasks' open slots, which are values in lines, too.

    A clause with signs is none: lines that have its stop or its colon say something else.
    """
    return frozenset(
        value
        for template, readings in readings_of(wordings, tasks).items()
        for _, values in readings
        for slot, value in zip(template.slots, values, strict=True)
        if slot not in template.few and not _has_signs(value)
    )


def _has_signs(value: str) -> bool:
    """Tell whether signs stand between the words of a value, as in a clause, or behind them."""
    return not all(token[0].isalnum() for token in tokens(value))
