"""The forms in which a text world is offered, to its player and in its demonstrations.

In the form ``shuffled`` demonstrations show what is wanted first. Position is no attribute of a row
unless demonstrations vary it, so a learner that holds "the first row" possible there learns a
shortcut, and one that abstains because of it abstains for no reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..adapters.environments import HiddenAdmissible
from ..adapters.scramble import Scrambler, scramble_environment
from ..adapters.verb_last import verb_last_environment, with_verbs_last
from ..graph.protocols import Environment
from ..procedures.common.errors import DataError
from ..procedures.episodes.trajectories import Trajectory

__all__ = ["FORMS", "Form", "form_named"]

_SCRAMBLER = Scrambler(11)
"""Invents the words; it keeps those that it invented."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way to offer a world as text.

    Attributes:
        name: Of the form.
        shown: Whether the possible actions are shown.
        invented: Whether every word is an invented one.
        shuffled: Whether demonstrations show what is wanted first, and tests in any order.
        verb_last: Whether the first word of each action stands at its end.
    """

    name: str
    shown: bool = False
    invented: bool = False
    shuffled: bool = False
    verb_last: bool = False

    def offered(self, environment: Environment) -> Environment:
        """Return an environment, which lists its actions, as a player meets it."""
        if self.verb_last:
            environment = verb_last_environment(environment)
        if not self.shown:
            environment = HiddenAdmissible(environment)
        if self.invented:
            environment = scramble_environment(environment, _SCRAMBLER)
        return environment

    def told(self, demonstrations: Iterable[Trajectory]) -> list[Trajectory]:
        """Return demonstrations in this form."""
        lesson = list(demonstrations)
        if self.verb_last:
            lesson = [with_verbs_last(each) for each in lesson]
        if self.invented:
            lesson = [_SCRAMBLER.trajectory(each) for each in lesson]
        return lesson


FORMS = (
    Form("shown", shown=True),
    Form("hidden"),
    Form("invented", invented=True),
    Form("shuffled", shuffled=True),
    Form("verb-last", verb_last=True),
)


def form_named(name: str) -> Form:
    """Return a form by its name.

    Raises:
        DataError: There is none of this name.
    """
    for form in FORMS:
        if form.name == name:
            return form
    names = ", ".join(form.name for form in FORMS)
    raise DataError(f"no world is offered in the form {name!r}; choose one of {names}")
