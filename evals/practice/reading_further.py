"""Reading further in practice: what lies behind the parts that all pages of candidates share.

Demonstrators go straight on, so nobody shows what a page's other parts lead to. In practice some
episodes are tours: they take nothing, but open candidates of which little is known, and try a part
of each. What is told then belongs to the candidate; the list comes back by the action that showed
it. A part from which it does not is not tried again in this run, and one that tells the same of
each candidate is left out after some trials. The best part is
read first: the one that tells most of what tasks say, and the page does not, of the candidates that
demonstrators took for them. Where nothing of a list is new, a candidate of it is asked for by its
own line: that lists what is like it, so that tours get to know candidates that no task of practice
lists.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...graph.protocols import Environment
from ...procedures.episodes.fact import Fact
from ...procedures.episodes.templates import Template
from ...procedures.episodes.trajectories import Trajectory, cleaned
from ...procedures.programs.documents import ProgramFile
from ...procedures.programs.learning.valuing import OpenChoice
from ...procedures.programs.program import Act, decide
from ...procedures.programs.sources import Constant
from ...procedures.programs.text_calls import action_of
from ...procedures.worth.candidate_choice import line_text
from ...procedures.worth.experience import FactMemory, TakenBefore
from ...procedures.worth.traits import words_in

__all__ = ["Tours", "shared_parts"]

_ACTIONS = 3
"""Of a look: the list, the candidate, the part."""
_NEARLY = 0.9
"""Share of the pages of candidates that have a part from which on all are taken to have it."""
_TRIALS = 5
"""Candidates of which a part has to be tried until it may be left out."""
_PAGES = 200
"""Pages from which it is seen what they share."""


def shared_parts(file: ProgramFile, of: OpenChoice, shown: Iterable[Trajectory]) -> list[str]:
    """Return the texts that nearly all pages of opened candidates have, in order of frequency.

    What steps of the program do by themselves is none of them.

    Args:
        file: The program.
        of: Its choice; what takes a candidate opens it.
        shown: Demonstrations.
    """
    reader, opens = file.readers()[0], _opens(of)
    own = {s.value for step in file.program.steps for s in step.sources if isinstance(s, Constant)}
    parts: Counter[str] = Counter()
    pages = 0
    for each in shown:
        names: set[str] = set()
        for action, before, told in zip(each.acts, each.obs, each.obs[1:], strict=False):
            names |= {f.fields.get(of.choice.field, "").casefold() for f in reader.read(before)
                      if f.kind == of.choice.kind}  # fmt: skip
            values = opens.read(action)
            facts = reader.read(told)
            if values and values[0].casefold() in names and facts:
                # In the order of the page, which is the same in every process.
                texts = (t for fact in facts for t in fact.fields.values() if t != each.task)
                parts.update(list(dict.fromkeys(texts)))
                pages += 1
        if pages >= _PAGES:
            break
    return [part for part, n in parts.most_common() if n >= _NEARLY * pages and part not in own]


class Tours:
    """Episodes that only look.

    Args:
        file: The program that is practised; its first action shows a list.
        of: Its choice.
        parts: Texts of pages that may lead further.
        memory: Where it is noted what they tell.
        clean: What texts go through before they are noted.
        before: For which tasks candidates were taken.
    """

    def __init__(
        self,
        file: ProgramFile,
        of: OpenChoice,
        parts: Sequence[str],
        memory: FactMemory,
        clean: Callable[[str], str],
        before: TakenBefore,
    ) -> None:
        self._file, self._of, self._memory, self._clean = file, of, memory, clean
        self._tasks: dict[str, list[str]] = defaultdict(list)
        for case in before.cases:
            self._tasks[case.name].append(case.task)
        self._before = before
        self._reader = file.readers()[0]
        self._parts = list(parts)
        self._asked: set[str] = set()
        self._told: dict[str, list[frozenset[str]]] = defaultdict(list)
        self._shares: dict[str, list[float]] = defaultdict(list)
        for part in parts:
            self._told[part] = [frozenset(told) for told in memory.parts(of.choice.kind, part)]
            for name in self._tasks:
                page, told = (memory.told_of(of.choice.kind, name, each) for each in ("", part))
                if page is not None and told is not None:
                    self._note_use(part, name, page, told)

    @property
    def parts(self) -> list[str]:
        """The parts that are worth reading, as far as is known, the best first."""
        told = [part for part in self._parts if self._tells(part)]
        return sorted(told, key=lambda part: -self._use(part))

    def play(self, environment: Environment, task: Any, most: int) -> None:
        """Make a tour of at most so many actions."""
        text, observation = environment.reset(task)
        decision = decide(self._file.program, self._file.begin(text, cleaned(observation)))
        if not isinstance(decision, Act) or decision.step.commit:
            return
        asks, lists = decision.step.operator, action_of(decision.step.operator, decision.arguments)
        left = most
        while left >= _ACTIONS:
            listed, _, done, _ = environment.step(lists)
            left -= 1
            facts = self._listed(listed)
            like = None if self._new(facts) else self._unasked(facts)
            if like is not None and not done:
                self._asked.add(like)
                lists = action_of(asks, (like,))
                continue
            fact = self._unread(facts)
            if done or fact is None or not self._look(environment, text, fact):
                return
            left -= _ACTIONS - 1

    def _look(self, environment: Environment, task: str, fact: Fact) -> bool:
        """Open a candidate and try a part of its page; say whether the episode goes on."""
        kind, operator = self._of.choice.kind, self._of.step.operator
        name = fact.fields[self._of.choice.field]
        observation, _, done, _ = environment.step(action_of(operator, (name,)))
        page = self._texts(observation, task)
        if done or self._listed(observation):
            return not done
        line = {key: self._clean(text) for key, text in fact.fields.items()}
        self._memory.note(kind, name, page, line=line)
        part = self._next_part(name)
        if part is None:
            return True
        told, _, done, _ = environment.step(action_of(operator, (part,)))
        if done or self._listed(told):  # it leads away from the candidate
            self._parts.remove(part)
            return not done
        new = [each for each in self._texts(told, task) if each not in set(page)]
        self._told[part].append(frozenset(new))
        self._memory.note(kind, name, new, part)
        self._note_use(part, name, page, new)
        return True

    def _unread(self, facts: Sequence[Fact]) -> Fact | None:
        """Return the candidate of a list of which least is known; None where all is."""
        key = self._of.choice.field
        parts = (each for each in facts if self._next_part(each.fields[key]) is not None)
        return next(iter(self._new(facts)), None) or next(parts, None)

    def _new(self, facts: Sequence[Fact]) -> list[Fact]:
        """Return the candidates of a list of which nothing is known."""
        kind, key = self._of.choice.kind, self._of.choice.field
        return [each for each in facts if self._memory.told(kind, each.fields[key]) is None]

    def _unasked(self, facts: Sequence[Fact]) -> str | None:
        """Return what a candidate of a list is asked for by, the last first; None where all were.

        The last are least like what was asked for, so that they lead furthest.
        """
        texts = (line_text(each, self._of.choice.field) for each in reversed(facts))
        return next((text for text in texts if text and text not in self._asked), None)

    def _next_part(self, name: str) -> str | None:
        kind = self._of.choice.kind
        unread = (p for p in self.parts if self._memory.told_of(kind, name, p) is None)
        return next(unread, None)

    def _listed(self, observation: str) -> list[Fact]:
        choice = self._of.choice
        facts = self._reader.read(cleaned(observation))
        return [f for f in facts if f.kind == choice.kind and f.fields.get(choice.field)]

    def _texts(self, observation: str, task: str) -> list[str]:
        facts = self._reader.read(cleaned(observation))
        texts = (text for fact in facts for text in fact.fields.values() if text != task)
        return [self._clean(text) for text in dict.fromkeys(texts)]

    def _use(self, part: str) -> float:
        """Return how much of what tasks say a part tells of what was taken, beyond its page.

        One that was hardly tried comes first.
        """
        shares = self._shares[part]
        return sum(shares) / len(shares) if len(shares) >= _TRIALS else 1.0

    def _note_use(self, part: str, name: str, page: Iterable[str], told: Iterable[str]) -> None:
        """Note which share of the words of its tasks a part tells of a candidate."""
        here = frozenset[str]().union(*map(words_in, page))
        new = frozenset[str]().union(*map(words_in, told)) - here
        for task in self._tasks.get(name, ()):
            asked = words_in(task)
            whole = self._weight(asked)
            self._shares[part].append(self._weight(asked & new) / whole if whole else 0.0)

    def _weight(self, words: Iterable[str]) -> float:
        return math.fsum(map(self._before.weight, words))

    def _tells(self, part: str) -> bool:
        """Whether a part tells different things of candidates, or was hardly tried."""
        told = self._told[part]
        return len(told) < _TRIALS or 2 * len(set(told)) > len(told)


def _opens(of: OpenChoice) -> Template:
    return Template(of.step.operator.replace("{}", "{1}"))
