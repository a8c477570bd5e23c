"""The conditions, each with its evaluation on an episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .base import Bindings, Condition, EpisodeView, Run, Verdict
from .text_patterns import Matcher, Pattern, instantiate, normalise, quoted

_LONGEST_QUOTE = 160
"""Longest deciding text (characters) that a verdict quotes."""


def _excerpt(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:_LONGEST_QUOTE]}..."


def _match_verdict(matcher: Matcher, text: str) -> Verdict:
    """Return the verdict of a match: unknown while a parameter is unbound."""
    if matcher.open:
        return Verdict(None, f"{_excerpt(text)} (but {matcher.shown} is not fully bound)")
    return Verdict(True, _excerpt(text))


_NO_OBSERVATION = Verdict(None, "nothing was observed yet")


@dataclass(frozen=True, slots=True)
class Constant(Condition):
    """``true``, ``false`` or ``unknown`` (None)."""

    value: bool | None

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        return Verdict(self.value, self.to_text())

    def to_text(self) -> str:
        """Return the word."""
        return "unknown" if self.value is None else "true" if self.value else "false"

    def to_yaml(self) -> str | bool:
        """Return a boolean if known, else the word."""
        return "unknown" if self.value is None else self.value


@dataclass(frozen=True, slots=True)
class _OnePattern(Condition):
    """A word and a pattern."""

    pattern: Pattern
    word: ClassVar[str]

    def to_text(self) -> str:
        """Return ``word("...")``."""
        return f"{self.word}({quoted(self.pattern.text)})"

    def patterns(self) -> tuple[Pattern, ...]:
        """Return the one pattern."""
        return (self.pattern,)


@dataclass(frozen=True, slots=True)
class Observed(_OnePattern):
    """A sentence of the latest observation matches; unknown before the first observation."""

    word = "observed"

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        if not view.has_observation():
            return _NO_OBSERVATION
        matcher = self.pattern.bind(bindings)
        matches = matcher.matches
        for sentence in view.latest_sentences():
            if matches(normalise(sentence)):
                return _match_verdict(matcher, sentence)
        return Verdict(False, f"not observed: {matcher.shown}")


@dataclass(frozen=True, slots=True)
class Ever(_OnePattern):
    """A sentence of any observation of this episode matches; unknown, not false, without one."""

    word = "ever"

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        matcher = self.pattern.bind(bindings)
        matches = matcher.matches
        for sentence in view.all_sentences():
            if matches(normalise(sentence)):
                return _match_verdict(matcher, sentence)
        return Verdict(None, f"never observed: {matcher.shown}")


@dataclass(frozen=True, slots=True)
class Done(Condition):
    """Bare: the last action of the step's template is the step's own. Else: ever done."""

    pattern: Pattern | None = None

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        if self.pattern is None:
            return _step_done(view, bindings, step)
        matcher = self.pattern.bind(bindings)
        for action in reversed(view.successful_actions()):
            if matcher.matches(normalise(action)):
                return _match_verdict(matcher, action)
        return Verdict(False, f"not done: {matcher.shown}")

    def to_text(self) -> str:
        """Return ``done`` or ``done("...")``."""
        return "done" if self.pattern is None else f"done({quoted(self.pattern.text)})"

    def patterns(self) -> tuple[Pattern, ...]:
        """Return the pattern, if there is one."""
        return () if self.pattern is None else (self.pattern,)


def _step_done(view: EpisodeView, bindings: Bindings, step: str | None) -> Verdict:
    if step is None:
        return Verdict(None, "no step is being checked")
    action = instantiate(step, bindings)
    if action is None:
        return Verdict(None, f"{step} is not fully bound")
    template = Pattern.from_template(step).bind({})
    bound_action = normalise(action)
    for earlier in reversed(view.successful_actions()):
        earlier_action = normalise(earlier)
        if template.matches(earlier_action):
            return Verdict(earlier_action == bound_action, _excerpt(earlier))
    return Verdict(False, f"not done: {step}")


def _membership_verdict(
    text: str, patterns: tuple[Pattern, ...], bindings: Bindings, label: str
) -> Verdict:
    """Return whether one of the patterns matches a text, as a verdict."""
    normalised = normalise(text)
    open_matcher: Matcher | None = None
    for pattern in patterns:
        matcher = pattern.bind(bindings)
        if matcher.matches(normalised):
            if not matcher.open:
                return Verdict(True, f"{label}: {_excerpt(text)}")
            open_matcher = matcher
    if open_matcher is not None:
        return _match_verdict(open_matcher, text)
    return Verdict(False, f"{label}: {_excerpt(text)}")


@dataclass(frozen=True, slots=True)
class _Membership(Condition):
    """A word, a parameter, and the patterns of which one must match."""

    name: str
    choices: tuple[Pattern, ...]
    word: ClassVar[str]

    def to_text(self) -> str:
        """Return ``word({x}) in [...]``."""
        choices = ", ".join(quoted(pattern.text) for pattern in self.choices)
        return f"{self.word}({{{self.name}}}) in [{choices}]"

    def patterns(self) -> tuple[Pattern, ...]:
        """Return the alternatives."""
        return self.choices

    def own_parameters(self) -> tuple[str, ...]:
        """Return the term's parameter and those of the alternatives."""
        return (self.name, *(name for pattern in self.choices for name in pattern.names))


@dataclass(frozen=True, slots=True)
class Last(_Membership):
    """The last successful action that mentioned the entity is one of these; unknown if none did."""

    word = "last"

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        entity = bindings.get(self.name)
        if entity is None:
            return Verdict(None, f"{{{self.name}}} is not bound")
        action = view.last_action_on(entity)
        if action is None:
            return Verdict(None, f"nothing was done with {_excerpt(entity)} yet")
        return _membership_verdict(
            action, self.choices, bindings, f"last done with {_excerpt(entity)}"
        )


@dataclass(frozen=True, slots=True)
class KindIn(_Membership):
    """The entity's kind is one of these.

    Unknown for an unbound parameter, and for a new kind of which only a cluster mate is listed.
    """

    word = "kind"

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        entity = bindings.get(self.name)
        if entity is None:
            return Verdict(None, f"{{{self.name}}} is not bound")
        kind, label = view.kind_of(entity), f"kind of {_excerpt(entity)}"
        verdict = _membership_verdict(kind, self.choices, bindings, label)
        if verdict.value is False:
            for mate in view.mates(kind):
                if _membership_verdict(mate, self.choices, bindings, label).value:
                    return Verdict(
                        None, f"{label} is {_excerpt(kind)}, which may be {_excerpt(mate)}"
                    )
        return verdict


@dataclass(frozen=True, slots=True)
class Asked(_OnePattern):
    """The task's text contains a match, from word edge to word edge."""

    word = "asked"

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        matcher = self.pattern.bind(bindings, contains=True)
        if matcher.matches(normalise(view.task)):
            return _match_verdict(matcher, view.task)
        return Verdict(False, f"not asked: {matcher.shown}")


@dataclass(frozen=True, slots=True)
class Fact(Condition):
    """``post``, ``pre`` or ``exhausted``: a fact about the run of a sub-procedure."""

    name: str

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        if run is None:
            return Verdict(None, "no sub-procedure is running")
        value = (
            run.post if self.name == "post" else run.pre if self.name == "pre" else run.exhausted
        )
        word = "unknown" if value is None else "true" if value else "false"
        return Verdict(value, f"{self.name} is {word}")

    def to_text(self) -> str:
        """Return the fact's name."""
        return self.name


@dataclass(frozen=True, slots=True)
class Attempts(Condition):
    """The sub-procedure was tried at least so often."""

    at_least: int

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        if run is None:
            return Verdict(None, "no sub-procedure is running")
        return Verdict(run.attempts >= self.at_least, f"{run.attempts} attempts")

    def to_text(self) -> str:
        """Return ``attempts >= n``."""
        return f"attempts >= {self.at_least}"


@dataclass(frozen=True, slots=True)
class Not(Condition):
    """Negation; unknown stays unknown."""

    part: Condition

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        value, because = self.part._check(view, bindings, step, run)
        return Verdict(None if value is None else not value, because)

    def to_text(self) -> str:
        """Return ``not C``."""
        text = self.part.to_text()
        return f"not ({text})" if isinstance(self.part, AllOf | AnyOf) else f"not {text}"

    def parts(self) -> tuple[Condition, ...]:
        """Return the negated condition."""
        return (self.part,)


def _decide(
    parts: tuple[Condition, ...],
    deciding: bool,
    view: EpisodeView,
    bindings: Bindings,
    step: str | None,
    run: Run,
) -> Verdict:
    """Return the first part with the deciding value, else the first unknown, else all."""
    unknown: Verdict | None = None
    reasons: list[str] = []
    for part in parts:
        verdict = part._check(view, bindings, step, run)
        if verdict.value is deciding:
            return verdict
        if verdict.value is None:
            unknown = unknown or verdict
        else:
            reasons.append(verdict.because)
    return unknown or Verdict(not deciding, "; ".join(reasons))


@dataclass(frozen=True, slots=True)
class _Joined(Condition):
    """Two or more conditions, joined by a word."""

    conditions: tuple[Condition, ...]
    word: ClassVar[str]
    deciding: ClassVar[bool]

    def __post_init__(self) -> None:
        if len(self.conditions) < 2:
            name = "disjunction" if self.deciding else "conjunction"
            raise ValueError(f"a {name} needs two or more conditions")

    def _check(self, view: EpisodeView, bindings: Bindings, step: str | None, run: Run) -> Verdict:
        return _decide(self.conditions, self.deciding, view, bindings, step, run)

    def to_text(self) -> str:
        """Return ``A and B`` or ``A or B``, with parentheses where they are needed."""
        loose = AnyOf if self.deciding else _Joined
        texts = ((part, part.to_text()) for part in self.conditions)
        return f" {self.word} ".join(
            f"({text})" if isinstance(part, loose) else text for part, text in texts
        )

    def parts(self) -> tuple[Condition, ...]:
        """Return what is joined."""
        return self.conditions


@dataclass(frozen=True, slots=True)
class AllOf(_Joined):
    """Conjunction of two or more conditions."""

    word = "and"
    deciding = False


@dataclass(frozen=True, slots=True)
class AnyOf(_Joined):
    """Disjunction of two or more conditions."""

    word = "or"
    deciding = True
