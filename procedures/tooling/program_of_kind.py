"""Learning the program of one kind of task from its runs, proved by playing them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Container, Sequence
from dataclasses import replace

from ..checks.instructing import instructing_document
from ..common.text import fold_space
from ..episodes.facts import scalar_text
from ..episodes.templates import Template, literal_text
from ..programs.call_forms import ANSWER, Form, ToolUse, argument_leaves
from ..programs.documents import ProgramFile
from ..programs.exact_numbers import decimals_in
from ..programs.fingerprints import Fingerprint
from ..programs.learning.boxing import with_boxes
from ..programs.learning.lessons import Lesson
from ..programs.learning.program_learner import learn_program
from ..programs.parameter_names import program_id
from ..programs.program import Act, Program, ProgramStep, decide
from ..programs.replaying import left_out, replay
from ..redaction.injected_instructions import without_instructions
from .program_run import BREAKS_OUT, ToolProgram, harmless
from .run_lessons import RunReading, form_of, learn_reading
from .tool_episodes import ToolEpisode

LEAST_RUNS = 3
"""Runs without which a program is a draft."""
_LEFT_OUT = 0.1
"""Share of the runs that may call a tool beside the steps by chance: more is for a reason."""
_PLACES = 3
"""Least steps behind which, and before which, idle calls come."""


def learn_tool_program(runs: Sequence[ToolEpisode], taken: Container[str] = ()) -> ProgramFile:
    """Learn the program of one kind of task.

    Few runs, or runs that nothing explains, give a draft: the newest run as it was. A model may be
    shown it, but memory does not act by it. A text of a result that tries to instruct a model is
    learned as a mark, since no file may hold it.

    Args:
        runs: Its runs, the oldest first; those in which a model refused or asked back as well.
        taken: Ids that it must not have.
    """
    file = _learn(runs, taken)
    if any(instructing_document(file.to_document())):
        file = _learn(list(map(without_instructions, runs)), taken)
    return file


def _learn(runs: Sequence[ToolEpisode], taken: Container[str]) -> ProgramFile:
    if len(runs) < LEAST_RUNS:
        return _newest_as_draft(runs, taken)
    reading, lessons = learn_reading(runs)
    forms = reading.calls.forms
    saying = frozenset(form.operator for form in forms if form.tool == ANSWER)
    formless = learn_program(lessons, saying)
    if not any(reading.calls.form(step.operator).tool for step in formless.steps):
        return _newest_as_draft(runs, taken)
    steps = tuple(replace(s, form=reading.calls.form(s.operator)) for s in formless.steps)
    program = with_boxes(
        replace(formless, steps=steps), [(each.first, each.calls) for each in lessons]
    )
    program = _with_shown_values(program, runs, lessons)
    count_by_wording = Counter(lesson.first.wording for lesson in lessons)
    wordings = sorted(
        reading.tasks.templates, key=lambda each: (-count_by_wording[each.text], each.text)
    )
    goal = wordings[0].text if wordings else literal_text(runs[-1].task)
    tools = _tool_use(reading, program, runs)
    idle = _idle(formless, reading, lessons)
    tools = replace(tools, idle=idle, beside=_beside(formless, reading, lessons) - idle)
    ahead_of = _ahead_of(formless, tools.beside, reading, lessons)
    program = replace(
        program,
        steps=tuple(
            replace(step, box=replace(step.box, ahead_of=ahead_of[step.id]))
            for step in program.steps
        ),
    )
    file = ProgramFile(
        program_id(goal, taken),
        program,
        reading.lines.templates,
        tuple(wordings),
        provenance=_origin(runs),
        tools=tools,
    )
    return replace(
        file, tools=replace(tools, unfinished=_unfinished_calls(ToolProgram(file), runs))
    )


def _newest_as_draft(runs: Sequence[ToolEpisode], taken: Container[str]) -> ProgramFile:
    """Return the newest run as a draft without a parameter."""
    run = runs[-1]
    steps: list[ProgramStep] = []
    types: dict[tuple[str, str], frozenset[str]] = {}
    for number, call in enumerate(run.calls, 1):
        values = argument_leaves(call.arguments)
        form = Form(call.tool, tuple((path, (scalar_text(value),)) for path, value in values))
        steps.append(ProgramStep(f"{number}-{call.tool}", form.operator, (), form=form))
        for path, value in values:
            if not isinstance(value, str):
                types[call.tool, path] = frozenset({type(value).__name__})
    goal = literal_text(fold_space(run.task))
    return ProgramFile(
        program_id(goal, taken),
        Program(tuple(steps)),
        (),
        (Template(goal),),
        status="draft",
        provenance=_origin(runs),
        tools=ToolUse(types),
    )


def _origin(runs: Sequence[ToolEpisode]) -> dict[str, str]:
    return {"learned_from": f"{len(runs)} runs" if len(runs) > 1 else "one run"}


def _with_shown_values(
    program: Program, runs: Sequence[ToolEpisode], lessons: Sequence[Lesson]
) -> Program:
    """Add to the boxes the signs and decimals that arguments had, and the forms of the results."""
    signs: dict[tuple[str, int], set[str]] = defaultdict(set)
    decimals: dict[tuple[str, int], set[int]] = defaultdict(set)
    results: dict[str, set[str]] = defaultdict(set)
    for run, lesson in zip(runs, lessons, strict=True):
        for operator, arguments, _ in lesson.calls:
            for index, value in enumerate(arguments):
                signs[operator, index].update(BREAKS_OUT.findall(value))
                decimals[operator, index].update(decimals_in(value))
        for call, (operator, _, _) in zip(run.calls, lesson.calls, strict=False):
            results[operator].add(form_of(call.result))

    def with_box(step: ProgramStep) -> ProgramStep:
        places = [(step.operator, n) for n in range(len(step.sources))]
        signs_by_argument = [" ".join(sorted(signs[place])) for place in places]
        counts_by_argument = [frozenset(decimals[place]) for place in places]
        box = replace(
            step.box,
            signs=tuple(signs_by_argument) if any(signs_by_argument) and not step.says else (),
            decimals=tuple(counts_by_argument) if any(map(any, counts_by_argument)) else (),
            results=frozenset(results[step.operator]),
        )
        return replace(step, box=box)

    return replace(program, steps=tuple(map(with_box, program.steps)))


def _tool_use(reading: RunReading, program: Program, runs: Sequence[ToolEpisode]) -> ToolUse:
    """Return how the program uses its tools."""
    places = {
        (step.form.tool, path)
        for step in program.steps
        if step.form is not None
        for path, _ in step.form.texts
    }
    return ToolUse(
        under=_fingerprint(runs),
        types={place: types for place, types in reading.calls.types.items() if place in places},
        lists=reading.tools.lists,
        shared=reading.tools.shared,
        prose=reading.tools.prose,
        classes=reading.tools.classes,
        words=reading.tools.words,
        keyed=reading.tools.keyed,
    )


def _beside(program: Program, reading: RunReading, lessons: Sequence[Lesson]) -> frozenset[str]:
    """Return the tools that more than one run called for their effect where no step does.

    A call whose answers differ is a look-up, which may have been made in vain: it does not count.
    """
    count_by_operator = Counter(
        operator
        for lesson in lessons
        for operator in {o for o, _ in left_out(program, lesson, bare=True)}
    )
    answers: dict[str, set[frozenset[str]]] = defaultdict(set)
    for operator, arguments, result in (call for lesson in lessons for call in lesson.calls):
        values = {value for fact in result for value in fact.fields.values()}
        answers[operator].add(frozenset(values - set(arguments)))
    return frozenset(
        reading.calls.form(operator).tool
        for operator, runs in count_by_operator.items()
        if runs > max(1, _LEFT_OUT * len(lessons)) and len(answers[operator]) == 1
    )


def _ahead_of(
    program: Program, tools: Collection[str], reading: RunReading, lessons: Sequence[Lesson]
) -> dict[str, frozenset[str]]:
    """Return step → tools that each run with such a call called behind the step only.

    Whether they are due need not be known before it is done.
    """
    before: dict[str, list[set[str]]] = defaultdict(list)
    for lesson in lessons:
        done: list[str] = []
        count_before: dict[str, int] = {}
        for outcome in replay(program, lesson):
            if outcome.step is not None:
                done.append(outcome.step.id)
            elif (tool := reading.calls.form(outcome.operator).tool) in tools:
                count_before.setdefault(tool, len(done))
        for tool, count in count_before.items():
            before[tool].append(set(done[:count]).difference(done[count:]))
    always = {tool: frozenset.intersection(*map(frozenset, each)) for tool, each in before.items()}
    return {
        step.id: frozenset(tool for tool, ids in always.items() if step.id in ids)
        for step in program.steps
    }


def _idle(program: Program, reading: RunReading, lessons: Sequence[Lesson]) -> frozenset[str]:
    """Return the tools that runs called anywhere between the steps, and that no step calls.

    What is due is due behind one step or before one. An idle call comes behind several and before
    several, and mostly at none of them.
    """
    steps = {step.operator for step in program.steps}
    due = {reading.calls.form(operator).tool for operator in steps}
    neighbours: dict[str, tuple[Counter[str], Counter[str]]] = defaultdict(
        lambda: (Counter(), Counter())
    )
    for lesson in lessons:
        operators = [operator for operator, _, _ in lesson.calls]
        for behind, run in enumerate((operators, operators[::-1])):
            last = ""
            for operator in run:
                neighbours[reading.calls.form(operator).tool][behind][last] += 1
                last = operator if operator in steps else last
    return frozenset(
        tool
        for tool, sides in neighbours.items()
        if tool not in due and all(map(_is_scattered, sides))
    )


def _is_scattered(counts: Counter[str]) -> bool:
    """Whether calls have several neighbours, and mostly none of them."""
    return len(counts) >= _PLACES and 2 * max(counts.values()) <= counts.total()


def _unfinished_calls(
    program: ToolProgram, runs: Sequence[ToolEpisode]
) -> frozenset[tuple[str, ...]]:
    """Return the sequences of calls after which the program would answer but a run went on."""
    unfinished: set[tuple[str, ...]] = set()
    steps = {step.operator for step in program.program.steps}
    for run in runs:
        history = program.reading.begin(run.task, run.earlier, run.under.days)
        for call in run.calls:
            planned = decide(program.program, history, grave=harmless)
            if isinstance(planned, Act) and planned.step.says:
                calls = tuple(each.operator for each in history.calls)
                if steps.issuperset(calls):  # the program comes there by itself
                    unfinished.add(calls)
            program.take(history, call)
    return frozenset(unfinished)


def _fingerprint(runs: Sequence[ToolEpisode]) -> Fingerprint:
    """Return under what runs were done: marks of the newest that has some.

    A value that calls were given under several instructions does not come from what they do not
    share: then there is no exact mark.
    """
    exact = {run.under.exact for run in runs if run.under.exact}
    instructions = [run.under.instructions for run in runs if run.under.instructions]
    tools = {tool: mark for run in runs for tool, mark in run.under.tools.items()}
    return Fingerprint(
        instructions[-1] if instructions else "", exact.pop() if len(exact) == 1 else "", tools
    )
