"""TextWorld's own games (cooking, treasure, hunt) as a suite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...graph.protocols import Environment
from ...procedures.episodes.trajectories import Trajectory
from ..suites.suite_files import FiledSuite
from ..suites.suites import EvalTask, Progress, sampled
from . import SPLIT_SIZES, SPLITS, TextWorldEnvironment, game_id, list_games
from .demonstrations import load_demonstrations

__all__ = ["TextworldSuite"]


@dataclass(frozen=True, slots=True)
class TextworldSuite(FiledSuite):
    """TextWorld's games, made by ``tw-make`` where they are not there yet.

    Attributes:
        data: The data root; None for the default.
        game: ``cooking``, ``treasure`` or ``hunt``.
        jobs: How many games to make at the same time.
    """

    data: str | None = None
    game: str = "cooking"
    jobs: int = 1

    @property
    def name(self) -> str:
        """``textworld-<game>``."""
        return f"textworld-{self.game}"

    @property
    def domain(self) -> str:
        """``textworld-<game>``."""
        return self.name

    def tasks(
        self,
        split: str,
        *,
        limit: int | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> list[EvalTask]:
        """Return the games of a split; a named split is made as far as it is needed.

        With ``limit``, the first games of a named split (they are numbered so that each kind
        comes up in turn), and a random sample of a folder or list.
        """
        if split in SPLITS:
            files = list_games(
                self.game, split, limit, self.data, jobs=self.jobs, progress=progress
            )
        else:
            files = list_games(self.game, split, None, self.data)
            if limit is not None and limit < len(files):
                chosen = sampled(range(len(files)), limit, seed, "games")
                files = [files[index] for index in sorted(chosen)]
        return [EvalTask(game_id(file), str(file), self.game) for file in files]

    def environment(self, *, show_admissible: bool) -> Environment:
        """Make an environment.

        Raises:
            MissingExtraError: TextWorld is not installed.
        """
        return TextWorldEnvironment(self.game)

    def demonstrations(
        self, episodes: int | None, seed: int | None, progress: Progress | None = None
    ) -> tuple[list[Trajectory], list[str]]:
        """Return walkthroughs of train games, and the games left out.

        Without a seed the first games are taken, so that no more are made than needed; with one,
        a random sample of the whole train split.
        """
        size = SPLIT_SIZES[self.game]["train"]
        if seed is None or episodes is None:
            wanted = size if episodes is None else episodes
            found = load_demonstrations(
                self.game, "train", wanted, self.data, jobs=self.jobs, progress=progress
            )
            return found, []
        found = load_demonstrations(
            self.game, "train", size, self.data, jobs=self.jobs, progress=progress
        )
        chosen = sampled(found, episodes, seed, "demonstrations")
        taken = {trajectory.id for trajectory in chosen}
        files = list_games(self.game, "train", size, self.data)
        return chosen, [str(file) for file in files if game_id(file) not in taken]

    def facts(self) -> Mapping[str, str]:
        """Return the engine."""
        return {"engine": "textworld"}
