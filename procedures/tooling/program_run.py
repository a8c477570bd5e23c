"""A program of tool calls: what it does next in a run, or why it leaves that to the model."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any

from ..episodes.facts import scalar_text
from ..episodes.history import EARLIER, Done, History
from ..episodes.templates import pieces
from ..episodes.tokens import tokens
from ..programs.box import Box
from ..programs.call_forms import ANSWER, FlatCall, Form, argument_leaves, argument_tree
from ..programs.decision_tables import Tabled
from ..programs.documents import ProgramFile
from ..programs.exact_numbers import decimals_in
from ..programs.fingerprints import UNKNOWN, Fingerprint
from ..programs.program import (
    Act,
    Ask,
    Program,
    ProgramStep,
    decide,
    guard_holds,
    possible,
    ready,
    shown_for,
)
from ..programs.program_conditions import Argument, TaskSlot
from ..programs.replaying import Divergence
from ..programs.sources import Choice, Computed, Constant
from .dates_in_texts import dates_in
from .run_lessons import LINES, RunReading, form_of
from .tool_episodes import REDACTED, ToolCall, ToolEpisode
from .tool_operators import Said, known_values

BREAKS_OUT = re.compile(r"[\"'`;\\<>|$\n\r{}]|--")
"""Signs that may end the quotation or the statement around a value."""
_LEAST_DEMONSTRATIONS = 2
"""Demonstrations without which memory does not answer."""
_LEAST_DEMONSTRATIONS_OF_CHANGES = 3
"""The same for a call that may change something."""


_WHOLE = frozenset({0})
"""Decimals of whole numbers."""
_UNPADDED = frozenset({1})
"""Decimals of numbers that nobody filled up with zeros: those of money have two."""


@dataclass(frozen=True, slots=True)
class Call:
    """The next call."""

    tool: str
    args: Mapping[str, Any]
    step: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The final answer."""

    text: str
    step: str


@dataclass(frozen=True, slots=True)
class HandOver:
    """The model is to go on, and why."""

    because: str


Next = Call | Answer | HandOver
_MOST_ALIKE = 12
"""Calls with one result after which memory makes no further one: what is repeated until something
changes takes fewer, and what never ends has to be ended."""


@dataclass(frozen=True)
class ToolProgram:
    """A program of a library as it runs.

    Attributes:
        file: The program.
    """

    file: ProgramFile

    @property
    def program(self) -> Program:
        """Its steps."""
        return self.file.program

    @cached_property
    def reading(self) -> RunReading:
        """How its runs are read."""
        return RunReading.of(self.file)

    @cached_property
    def tools(self) -> Collection[str]:
        """The tools that the program calls."""
        return {form.tool for form in self.forms_used}

    @cached_property
    def forms_used(self) -> Sequence[Form]:
        """The forms of the calls that the program makes."""
        return tuple(form for form in self.reading.calls.forms if form.tool != ANSWER)

    @property
    def under(self) -> Fingerprint:
        """Under what the agent worked when it was shown."""
        return self.file.tools.under if self.file.tools else UNKNOWN

    @cached_property
    def _lines_before(self) -> frozenset[str]:
        """Earlier messages of the user in demonstrations, as one text each; "" for none."""
        spans = (step.box.ranges.get((EARLIER, LINES)) for step in self.program.steps)
        return frozenset[str]({""}).union(*(span.values for span in spans if span is not None))

    @cached_property
    def unaccepted(self) -> frozenset[str]:
        """Steps with calls that no person accepted."""
        return frozenset(self.file.unaccepted())

    @cached_property
    def _by_chance(self) -> Sequence[ProgramStep]:
        """Steps that names may tell apart by chance; who accepted a call accepted its names."""
        steps = (step for step in self.program.steps if step.box.chance)
        return tuple(step for step in steps if step.says or step.id in self.unaccepted)

    @property
    def idle(self) -> frozenset[str]:
        """Tools that demonstrations called anywhere: no step calls them."""
        return self.file.tools.idle if self.file.tools else frozenset()

    @property
    def _unfinished(self) -> frozenset[tuple[str, ...]]:
        return self.file.tools.unfinished if self.file.tools else frozenset()

    @cached_property
    def signs(self) -> frozenset[str]:
        """Texts of which each task of this kind has one; capitals and spaces do not matter."""
        return frozenset(template.sign for template in self.reading.tasks.templates)

    def reads(self, task: str) -> bool:
        """Whether a task is of this kind."""
        return self.reading.reads(task)

    def reads_alike(self, task: str) -> bool:
        """Whether a task is of this kind, and says no more in its slots than shown ones.

        A wording of a word and two slots, such as ``{1} the {2}``, reads tasks of other kinds.
        """
        if not self.reads(task):
            return False
        history = self.reading.begin(task)
        texts, slots = pieces(history.wording)
        fixed_words = [word for text in texts for word in tokens(text) if word.isalpha()]
        return len(fixed_words) >= len(slots) and all(
            step.box.overlong(slots, history) is None for step in self.program.steps
        )

    def divergence(self, run: ToolEpisode) -> Divergence | None:
        """Return where the program departs from a run; None where it would have done the same.

        A program is wrong where it would have said, or changed for good, something else. Where it
        would have done something harmless, or left a call to the model, the comparison goes on
        behind that call; so it does where a run made a call that no step makes before the one that
        it would have made. An idle call is passed over, for memory would not see its answer. The
        model judges the answer at the end.
        """
        history = self.reading.begin(run.task, run.earlier, run.under.days)
        abstention: Divergence | None = None
        for number, call in enumerate(run.calls, 1):
            if call.tool in self.idle:
                continue
            flat_call = self.reading.given(call)
            action = call.tool, tuple(scalar_text(value) for _, value in flat_call.values)
            decision = self.next(history, {}, run.under)
            match = self._planned(history, flat_call)
            if isinstance(decision, HandOver) or match is None:
                abstains = (
                    isinstance(decision, HandOver)
                    or not self._commits(decision.step)
                    or (call.tool not in self.tools and _comes_later(decision, run.calls[number:]))
                )
                because = (
                    decision.because
                    if isinstance(decision, HandOver)
                    else f"it would do {decision.step}"
                )
                divergence = Divergence(run.task, number, action, because, abstains)
                abstention = abstention or divergence
                if not abstains:
                    return divergence
                if isinstance(decision, HandOver) and match is None:
                    return abstention
            operator = match[0].operator if match else self.take(history, call)
            if match:
                self._go_on(history, call, *match)
            if not self.as_shown(operator, call.result):
                because = f"{call.tool} answered in another form than in demonstrations"
                return abstention or Divergence(run.task, number, action, because, abstains=True)
        decision = self.next(history, {}, run.under)
        if isinstance(decision, HandOver) or (
            isinstance(decision, Answer) and decision.text == run.answer
        ):
            return abstention
        end = (ANSWER, (run.answer or "",))
        abstains = not self._commits(decision.step)
        divergence = Divergence(
            run.task, len(run.calls) + 1, end, f"it would do {decision.step}", abstains
        )
        return abstention if abstention and abstains else divergence

    def _commits(self, step: str) -> bool:
        """Whether a step says something, or changes something for good."""
        return any(each.id == step and self._grave(each, {}) for each in self.program.steps)

    def planned(self, history: History) -> FlatCall | None:
        """Return the call that the program would make, whether it may or not."""
        planned = decide(self.program, history, grave=harmless)
        if not isinstance(planned, Act):
            return None
        return self.reading.calls.call(planned.step.operator, planned.arguments)

    def makes(self, planned: FlatCall | None, call: ToolCall) -> bool:
        """Whether a call is the one that is planned."""
        return planned == FlatCall(call.tool, argument_leaves(call.arguments))

    def as_shown(self, operator: str, result: str) -> bool:
        """Whether a result is of a form in which an operator was answered: text, object or list.

        Other keys are no other form: what they mean is judged before something is changed.
        """
        results = (s.box.results for s in self.program.steps if s.operator == operator)
        return form_of(result) in frozenset[str]().union(*results)

    def take(self, history: History, call: ToolCall) -> str:
        """Go on with a call that was made, by whomever, and answered; return its operator."""
        flat_call = self.reading.given(call)
        form, arguments = self._planned(history, flat_call) or self.reading.calls.parse(
            flat_call, Said(history.task, known_values(history))
        )
        self._go_on(history, call, form, arguments)
        return form.operator

    def _go_on(
        self, history: History, call: ToolCall, form: Form, arguments: tuple[str, ...]
    ) -> None:
        step = self._step(history, form.operator, arguments)
        facts = self.reading.told(form, call.result)
        program_step = next((s for s in self.program.steps if s.id == step), None)
        repeated = facts == history.last and not (program_step is not None and program_step.again)
        history.add(Done(step, form.operator, arguments, call.ok and not repeated), facts)

    def _planned(
        self, history: History, flat_call: FlatCall
    ) -> tuple[Form, tuple[str, ...]] | None:
        """Return form and arguments, if the call is one that the program would do now.

        Of steps that demonstrations did in any order each is one.
        """
        planned = decide(self.program, history, grave=harmless)
        if not isinstance(planned, Act):
            return None
        ways = itertools.chain(
            [(planned.step, planned.arguments)], self._in_any_order(history, planned.step)
        )
        for step, arguments in ways:
            if self.reading.calls.call(step.operator, arguments) == flat_call:
                return self.reading.calls.form(step.operator), arguments
        return None

    def _in_any_order(
        self, history: History, planned: ProgramStep
    ) -> Iterator[tuple[ProgramStep, tuple[str, ...]]]:
        """Yield the possible steps, with arguments, that may come before the planned one."""
        together = {
            name for group in self.program.any_order if planned.id in group for name in group
        }
        if together:
            for step, ways in possible(self.program, history):
                if step.id in together:
                    yield from ((step, arguments) for arguments in ways)

    def _step(self, history: History, operator: str, arguments: tuple[str, ...]) -> str | None:
        """Return the step that a call is; None if the program has none such here."""
        able = [s for s in self.program.steps if s.operator == operator]
        fitting = [s for s in able if arguments in ready(s, history)]
        return next((s.id for s in fitting if guard_holds(s, history)), None) or next(
            (s.id for s in fitting), None
        )

    def next(
        self, history: History, changing: Mapping[str, bool], under: Fingerprint = UNKNOWN
    ) -> Next:
        """Return what is done next.

        Args:
            history: The run so far.
            changing: Tool → whether it changes anything, where that is known.
            under: Under what the agent works.
        """
        if (other := self.under.differs(under)) is not None:
            return HandOver(f"{other} than when it was shown")
        planned = decide(self.program, history, grave=lambda step: self._grave(step, changing))
        if isinstance(planned, Ask):
            return HandOver(planned.because)
        step = planned.step
        if _was_in_vain(history, step.operator, planned.arguments):
            return HandOver(f"{step.id}: {_MOST_ALIKE} calls gave the same result")
        flat_call = self.reading.calls.call(step.operator, planned.arguments)
        if flat_call is None:
            return HandOver(f"{step.id}: the values are not of the types that were shown")
        doubt = self._unfit(step, flat_call, planned.arguments, history, under)
        guess = step.some and len(planned.others) > 0
        doubt = doubt or self._doubt(step, planned.arguments, history, changing, guess=guess)
        if doubt is not None:
            return HandOver(f"{step.id}: {doubt}")
        if flat_call.tool == ANSWER:
            return Answer(str(flat_call.values[0][1]), step.id)
        return Call(flat_call.tool, argument_tree(flat_call.values), step.id)

    def _left_to_the_model(self, step: ProgramStep, changing: Mapping[str, bool]) -> str | None:
        """Say which call, that may change something, runs made for reasons that no step knows."""
        tools = self.file.tools.beside if self.file.tools else frozenset()
        for tool in sorted(tools - step.box.ahead_of):
            if changing.get(tool) is not False:
                return f"demonstrations also called {tool}: whether that is due is for the model"
        return None

    def _ignores(
        self, step: ProgramStep, box: Box, history: History, changing: Mapping[str, bool]
    ) -> bool:
        """Whether an answer ignores a last result that says something new each time.

        Such an answer is a judgement of what was told, unless the last call changed something.
        """
        last = self.reading.calls.form(history.before).tool if history.before else ""
        if changing.get(last) or any(
            isinstance(source, Choice | Argument | Computed | Tabled) for source in step.sources
        ):
            return False
        return any(box.tells(fact, history) for fact in history.last)

    def _unfit(
        self,
        step: ProgramStep,
        flat_call: FlatCall,
        arguments: Sequence[str],
        history: History,
        under: Fingerprint,
    ) -> str | None:
        """Say which value must not be passed on, even where demonstrations passed it."""
        quotable = Said(history.task, known_values(history))
        # What is made of what was said counts as said: only what is always the same goes stale.
        built_values = [
            v for v, s in zip(arguments, step.sources, strict=True) if not isinstance(s, Constant)
        ]
        for _, value in flat_call.values:
            text = scalar_text(value)
            if REDACTED.search(text):
                return "a value is secret"
            dates = (
                date for date in dates_in(text) if not any(date in each for each in built_values)
            )
            if any(date not in quotable for date in dates):
                return "it holds a date that nobody said"
            if text not in quotable and self.under.exact not in ("", under.exact):
                return f"{text!r} was given under other instructions"
        if step.says or step.form is None or not step.form.composed:
            return None
        for value, signs in zip(arguments, step.box.signs or repeat(""), strict=False):
            if not frozenset(BREAKS_OUT.findall(value)) <= frozenset(BREAKS_OUT.findall(signs)):
                return f"{value!r} holds signs that have a meaning where it would be put"
        return None

    def _doubt(
        self,
        step: ProgramStep,
        arguments: Sequence[str],
        history: History,
        changing: Mapping[str, bool],
        *,
        guess: bool,
    ) -> str | None:
        """Say why a call is not made; a guess among several is made as a grave call is."""
        if not self._grave(step, changing):
            slots = [source.slot for source in step.sources if isinstance(source, TaskSlot)]
            return step.box.overlong(slots, history)
        if history.newest(EARLIER)[0].fields[LINES] not in self._lines_before:
            return "what was said before is no part of what was shown"
        box = step.box
        if (unlike := _written_unlike(arguments, box)) is not None:
            return f"no number was written like {unlike!r}"
        least = _LEAST_DEMONSTRATIONS if step.says else _LEAST_DEMONSTRATIONS_OF_CHANGES
        if shown_for(step, history) < least:
            return "it was not shown often enough"
        if (rival := self._parted_by_chance(step, history)) is not None:
            return f"{rival}? Names that tell it apart may do so by chance"
        if guess and box.doubted:
            return "of several that fit demonstrations left some"
        if step.says and (left := self._rows_left(history)) is not None:
            return f"{left}? Of several that fit demonstrations left some"
        if (other := self._left_to_the_model(step, changing)) is not None:
            return other
        if step.says and self._ignores(step, box, history, changing):
            return "what to say of the result is for the model"
        if step.says and tuple(call.operator for call in history.calls) in self._unfinished:
            return "whether that is all is for the model to say"
        if box.doubted:
            return "demonstrations did something else here"
        return None

    def _rows_left(self, history: History) -> str | None:
        """Return the step for some rows that could be done for another one, where all may be done.

        Why demonstrations left rows it does not know, so that nothing tells whether that is all.
        """
        left = (each for each in self.program.steps if each.some and each.box.doubted)
        return next((each.id for each in left if ready(each, history)), None)

    def _parted_by_chance(self, step: ProgramStep, history: History) -> str | None:
        """Return the step that few names tell apart, where it could be done as well."""
        for other in self._by_chance:
            if other.id == step.id or (
                other.box.new_kind(history.apart()) is None and ready(other, history)
            ):
                return other.id
        return None

    def _grave(self, step: ProgramStep, changing: Mapping[str, bool]) -> bool:
        """Whether a step says something, or calls a tool that is not known to read only."""
        return step.says or changing.get(step.form.tool if step.form else "") is not False


def _comes_later(decision: Call | Answer, calls: Sequence[ToolCall]) -> bool:
    """Whether a run makes a call later, so that it only made another one first."""
    return isinstance(decision, Call) and any(
        (call.tool, argument_leaves(call.arguments))
        == (decision.tool, argument_leaves(decision.args))
        for call in calls
    )


def _written_unlike(arguments: Sequence[str], box: Box) -> str | None:
    """Return a value whose numbers have other decimals than all shown ones; None if none has.

    ``12.34`` and ``60.25`` do not show whether 47.5 is to be written ``47.5`` or ``47.50``. Where
    ``60.5`` was shown, too, or nothing else, nobody fills up with zeros.
    """
    counts = itertools.chain(box.decimals, repeat(_WHOLE))
    for value, shown in zip(arguments, counts, strict=False):
        is_fixed = len(shown) < 2 and shown != _UNPADDED
        if is_fixed and not decimals_in(value) <= (shown or _WHOLE):
            return value
    return None


def _was_in_vain(history: History, operator: str, arguments: tuple[str, ...]) -> bool:
    """Whether the last calls with these values had one result, oftener than people would try."""
    results = [
        result
        for call, result in zip(history.calls, history.results[1:], strict=False)
        if (call.operator, call.arguments) == (operator, arguments)
    ]
    last = results[-_MOST_ALIKE:]
    return len(last) == _MOST_ALIKE and all(each == last[0] for each in last)


def harmless(step: ProgramStep) -> bool:
    """Call no step grave: for callers that ask what is planned and carry nothing out."""
    return False
