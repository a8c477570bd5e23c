"""The ladder for agents: does memory ever do a wrong thing with tools, and what does it save?

Sixteen kinds of task in an office with real tools; a quarter of the tasks are look-alikes, in
which doing the same as usual is wrong. A twin without memory does the same tasks and is the judge.
:mod:`.development` may be looked at while memory is worked on, :mod:`.sealed` may not.
:mod:`.third` and :mod:`.third_held` are twenty more kinds, of other businesses: the former may be
looked at, the latter may not. :mod:`.fifth` and :mod:`.fifth_held` are 24 more that may be
looked at: half of their traps come late. So may :mod:`.sixth_held`, twelve of another hand. Both
held halves of these were first played, then looked at. :mod:`.seventh_held`, twelve of one more
hand, may not be looked at.
Of the ninth hand, :mod:`.ninth` may be looked at, :mod:`.ninth_held` may not.
``python -m macla.evals.ladder.agents`` prints the figures.
"""

from __future__ import annotations

from .playing import kinds_of, play_agents
from .results import AgentsResult, Arm, Half, PassResult, TaskOutcome

__all__ = [
    "AgentsResult",
    "Arm",
    "Half",
    "PassResult",
    "TaskOutcome",
    "kinds_of",
    "play_agents",
]
