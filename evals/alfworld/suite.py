"""ALFWorld's household games as a suite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...procedures.common.errors import DataError
from ...procedures.episodes.trajectories import Trajectory
from ..suites.suite_files import FiledSuite
from ..suites.suites import EvalTask, Progress, sampled
from .dataset import agent_logs, expert_episodes, human_goals
from .environment import AlfworldEnvironment, make_environment
from .games import Game, find_games, load_game
from .noise import noisy_episodes

__all__ = ["AlfworldSuite"]

_WORDINGS = 3
"""Sentences of a game that are used; most games have three."""


@dataclass(frozen=True, slots=True)
class AlfworldSuite(FiledSuite):
    """ALFWorld.

    Attributes:
        data: The data root; None for the default.
        engine: ``native`` or ``textworld``.
        dialect: ``2.1.3`` or ``2.1.1``.
        goals: ``templated``, the game's own sentence, or ``human``, what people wrote.
        agent_logs: Learn from a language model's logs instead of the expert's episodes.
        noise: Probability of a useless action before each of the expert's, in [0, 1].
    """

    data: str | None = None
    engine: str = "native"
    dialect: str = "2.1.3"
    goals: str = "templated"
    agent_logs: bool = False
    noise: float = 0.0

    def __post_init__(self) -> None:
        """Check the options."""
        if self.agent_logs and self.noise:
            raise DataError("noise is for the expert's episodes; the agent's logs have their own")
        if not 0.0 <= self.noise <= 1.0:
            raise DataError(f"the probability of noise must be from 0 to 1, not {self.noise}")

    def tasks(
        self,
        split: str,
        *,
        limit: int | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> list[EvalTask]:
        """Return the games of a split; with ``limit``, a random sample in the split's order.

        Raises:
            DataError: There is no such split, a file is not a game, or a game has no goal in
                people's words.
        """
        files = find_games(split, self.data)
        if limit is not None and limit < len(files):
            chosen = sampled(range(len(files)), limit, seed, "games")
            files = [files[index] for index in sorted(chosen)]
        games: list[Game] = []
        for done, file in enumerate(files, 1):
            games.append(load_game(file))
            if progress is not None:
                progress(done, len(files))
        if self.goals == "human":
            return self._in_peoples_words(games)
        return [EvalTask(game.id, game, _task_type(game)) for game in games]

    def _in_peoples_words(self, games: list[Game]) -> list[EvalTask]:
        """Return each game once for each of its first wordings: ``id#1``, ``id#2``, ``id#3``."""
        table = human_goals(self.data)
        tasks = []
        for game in games:
            goals = table.get(game.id)
            if not goals:
                raise DataError(
                    f"nobody phrased the goal of {game.id}; goals in people's words are there for "
                    "train and valid_seen, so use one of those or --world goals=templated"
                )
            for number, goal in enumerate(goals[:_WORDINGS], 1):
                reworded = replace(game, task=goal)
                tasks.append(EvalTask(f"{game.id}#{number}", reworded, _task_type(game)))
        return tasks

    def solution(self, task: EvalTask) -> Sequence[str]:
        """Return the game's walkthrough."""
        game: Game = task.reference
        return game.walkthrough

    def environment(self, *, show_admissible: bool) -> AlfworldEnvironment:
        """Make an environment."""
        return make_environment(self.engine, self.dialect, show_admissible=show_admissible)

    def demonstrations(
        self, episodes: int | None, seed: int | None, progress: Progress | None = None
    ) -> tuple[list[Trajectory], list[str]]:
        """Return episodes to learn from (a random sample), and the train games of no such episode.

        They are the expert's, with noise if that is asked for, or the agent's logs.
        """
        everything = list(expert_episodes(self.data))
        if self.agent_logs:
            logs = list(agent_logs(self.data))
            chosen = sampled(logs, episodes, seed or 0, "episodes of agent_logs.jsonl")
            games = {f"train/{log.id.rpartition('#')[0]}" for log in chosen}
            return chosen, [t.id for t in everything if t.id not in games]
        chosen = sampled(everything, episodes, seed or 0, "episodes of expert.jsonl")
        taken = {id(trajectory) for trajectory in chosen}
        left = [t.id for t in everything if id(t) not in taken and t.id]
        if self.noise:
            chosen = list(noisy_episodes(chosen, self.noise, seed or 0, self.data))
        if self.goals == "human":
            table = human_goals(self.data)
            chosen = [replace(t, also=table.get(t.id, ())[:_WORDINGS]) for t in chosen]
        return chosen, left

    def facts(self) -> Mapping[str, str]:
        """Return engine, dialect and goals."""
        return {"engine": self.engine, "dialect": self.dialect, "goals": self.goals}


def _task_type(game: Game) -> str:
    """Return the task type, with which the name of an official game's folder begins."""
    return game.id.split("/")[-2].partition("-")[0] if "/" in game.id else ""
