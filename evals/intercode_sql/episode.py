"""One episode: a question, at most ten actions, and the score, by either protocol.

*ipr* (Xiong et al. 2024): the agent submits; what it then knows last is scored, and an episode
that is not submitted is worth 0. Observations are cut. *intercode* (Yang et al. 2023): every
answer is scored at once, the best counts, and a right one ends the episode.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...procedures.common.errors import DataError, EnvironmentFailure
from .engines import Answer, Engine
from .reward import graded
from .tasks import SqlTask

__all__ = ["CUT", "MAX_STEPS", "PROTOCOLS", "Episode", "Turn"]

PROTOCOLS = ("ipr", "intercode")
MAX_STEPS = 10
CUT = 350
"""Letters of an observation that an agent sees under *ipr*."""
_SUBMIT, _SKIP = "submit", "skip"


@dataclass(frozen=True, slots=True)
class Turn:
    """What one action brought.

    Attributes:
        answer: What the database answered; after ``submit`` once more what it answered last.
        observation: The text that the agent sees.
        reward: What the action adds to the episode's score; can be negative.
        done: Whether the episode is over.
        won: Whether the question is answered rightly.
    """

    answer: Answer
    observation: str
    reward: float
    done: bool
    won: bool


class Episode:
    """An episode that counts its steps. Looking at the schema is a step like any other.

    Args:
        engine: Where statements are executed; put into the task's database.
        task: The question. Its right query is executed here and shown to nobody.
        protocol: One of :data:`PROTOCOLS`.
        max_steps: At least 1.

    Raises:
        DataError: There is no such protocol or database, or no step is allowed.
    """

    def __init__(
        self, engine: Engine, task: SqlTask, protocol: str = "ipr", max_steps: int = MAX_STEPS
    ) -> None:
        if protocol not in PROTOCOLS:
            raise DataError(f"no protocol {protocol!r:.80}; choose {' or '.join(PROTOCOLS)}")
        if max_steps < 1:
            raise DataError(f"an episode needs at least one step, not {max_steps}")
        engine.use(task.database)
        self._engine = engine
        self._task = task
        self._protocol = protocol
        self._max_steps = max_steps
        self._last = Answer()
        self._best: float | None = None
        self._steps = 0
        self._done = False
        self._score = 0.0

    @property
    def question(self) -> str:
        """The question, all that is told of the task."""
        return self._task.query

    @property
    def cut(self) -> int | None:
        """Letters of an observation that the agent sees; None for all."""
        return CUT if self._protocol == "ipr" else None

    @property
    def steps(self) -> int:
        """Actions done so far."""
        return self._steps

    @property
    def done(self) -> bool:
        """Whether it is over."""
        return self._done

    @property
    def score(self) -> float:
        """The reward so far, in [-1, 1]."""
        return self._score

    def step(self, action: str) -> Turn:
        """Do one action: a statement of SQL, ``submit`` or ``skip``.

        Raises:
            EnvironmentFailure: The episode is over.
        """
        if self._done:
            raise EnvironmentFailure("the episode is over; reset the environment for the next one")
        self._steps += 1
        word = action.strip().rstrip(".;").lower()
        if word == _SKIP:
            return self._turn(0.0, over=True)
        if word == _SUBMIT:
            reward = self._scored() if self._protocol == "ipr" else 0.0
            return self._turn(reward, over=True)
        self._last = self._engine.execute(action)
        gained = self._gained(self._scored()) if self._protocol == "intercode" else 0.0
        return self._turn(gained, over=self._steps >= self._max_steps)

    def _scored(self) -> float:
        """Score the last answer."""
        if self._last.rows is None:
            return 0.0
        # In the database that is in use now, as the original does.
        return graded(self._last.rows, self._engine.execute(self._task.gold).rows or [])

    def _gained(self, reward: float) -> float:
        """Return by how much the best score of the episode grows."""
        gained = reward if self._best is None else max(0.0, reward - self._best)
        self._best = reward if self._best is None else max(reward, self._best)
        return gained

    def _turn(self, reward: float, *, over: bool) -> Turn:
        self._score += reward
        won = self._score == 1.0
        self._done = over or (won and self._protocol == "intercode")
        text = self._last.text
        if self.cut is not None and len(text) > self.cut:
            text = text[: self.cut] + "..."
        return Turn(self._last, text, reward, self._done, won and self._done)
