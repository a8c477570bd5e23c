"""WebShop's purchases as a suite."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...adapters.missing_split import no_file
from ...procedures.common.errors import DataError, MissingDataError
from ...procedures.episodes.trajectories import Trajectory
from ..suites.suite_files import FiledSuite
from ..suites.suites import EvalTask, Progress, sampled
from .catalogue import webshop_folder
from .copying import ProductCopy
from .demonstrations import play_again, read_dialogues, task_name, task_number
from .environment import WebshopEnvironment
from .goals import Goal
from .shop import Shop, open_shop

__all__ = ["WebshopSuite"]

_NAMED = ("train", "dev")


@dataclass(frozen=True, slots=True)
class WebshopSuite(FiledSuite):
    """WebShop.

    Attributes:
        data: The data root; None for the default.
        price_seed: Of what is drawn: a price from a range, and the limits of tasks.
    """

    data: str | None = None
    price_seed: int = 0

    def tasks(
        self,
        split: str,
        *,
        limit: int | None = None,
        seed: int = 0,
        progress: Progress | None = None,
    ) -> list[EvalTask]:
        """Return the tasks of a split; with ``limit``, a random sample in the split's order.

        ``train`` and ``dev`` are those of ``splits.json``. ``unseen`` asks for products that no
        training task asks for: of each such product, the first task that is neither in train nor
        in dev. Any other split is a file: a JSON list of numbers, or a name or number a line.

        Raises:
            DataError: There is no such split, or it names a task that the shop has not.
        """
        numbers = self._numbers(split)
        goals = self._shop().goals
        if wrong := [number for number in numbers if not 0 <= number < len(goals)]:
            raise DataError(
                f"{split}: names the task {wrong[0]}; the shop has {len(goals)}, numbered from 0"
            )
        if limit is not None and limit < len(numbers):
            chosen = sampled(range(len(numbers)), limit, seed, "tasks")
            numbers = [numbers[index] for index in sorted(chosen)]
        return [
            EvalTask(task_name(number), number, goals[number].product.categories[0])
            for number in numbers
        ]

    def environment(self, *, show_admissible: bool) -> WebshopEnvironment:
        """Make an environment."""
        return WebshopEnvironment(self._shop())

    def demonstrations(
        self, episodes: int | None, seed: int | None, progress: Progress | None = None
    ) -> tuple[list[Trajectory], list[str]]:
        """Return purchases to learn from (a random sample), and the train tasks left out."""
        dialogues = read_dialogues(self._folder)
        chosen = sampled(dialogues, episodes, seed or 0, "dialogues")
        shown = []
        for done, dialogue in enumerate(chosen, 1):
            shown.append(play_again(self._shop(), dialogue))
            if progress is not None:
                progress(done, len(chosen))
        taken = {trajectory.id for trajectory in shown}
        names = [task_name(dialogue.number) for dialogue in dialogues]
        return shown, [name for name in names if name not in taken]

    def copier(self, shown: Sequence[Trajectory]) -> ProductCopy:
        """Return the player that buys what the nearest purchase bought."""
        return ProductCopy(shown)

    def facts(self) -> Mapping[str, str]:
        """Return the engine: how large the catalogue is, and the seed of prices."""
        products = len(self._shop().products)
        return {"engine": f"native, {products:,} products, price seed {self.price_seed}"}

    @property
    def goals(self) -> Sequence[Goal]:
        """The shop's tasks with all that only the reward reads, by number."""
        return self._shop().goals

    @property
    def _folder(self) -> Path:
        return webshop_folder(self.data)

    def _shop(self) -> Shop:
        return open_shop(self._folder, self.price_seed)

    def _numbers(self, split: str) -> list[int]:
        if split in _NAMED:
            return self._named()[split]
        if split == "unseen":
            return self._unseen()
        file = Path(os.path.expanduser(split))
        if not os.path.isfile(file):  # unlike pathlib's, false also for what cannot be a path
            raise DataError(
                f"no WebShop split {split[:200]!r}; choose train, dev or unseen, or give a file "
                f"with a JSON list of task numbers{no_file(split)}"
            )
        return _listed(file)

    def _named(self) -> dict[str, list[int]]:
        file = self._folder / "splits.json"
        if not file.is_file():
            raise MissingDataError(
                f"{file}: not there; set MACLA_DATA to the folder that holds 'webshop', "
                "or give a file with a JSON list of task numbers as the split"
            )
        try:
            document = json.loads(file.read_text(encoding="utf-8"))
            return {name: [int(number) for number in document[name]] for name in _NAMED}
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise DataError(
                f"{file}: no object with the lists train and dev ({str(error)[:100]})"
            ) from None

    def _unseen(self) -> list[int]:
        named, goals = self._named(), self._shop().goals
        shown = {goals[number].product.id for number in named["train"]}
        used = {*named["train"], *named["dev"]}
        first: dict[str, int] = {}
        for number, goal in enumerate(goals):
            if number not in used and goal.product.id not in shown:
                first.setdefault(goal.product.id, number)
        return sorted(first.values())


def _listed(file: Path) -> list[int]:
    """Return the numbers that a file lists.

    Raises:
        DataError: It is no list of tasks, or an empty one.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
        entries: Sequence[object]
        if text.lstrip().startswith("["):
            entries = json.loads(text)
        else:
            lines = (line.strip() for line in text.split("\n"))
            entries = [line for line in lines if line and not line.startswith("#")]
        numbers = [task_number(str(entry)) for entry in entries]
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"{file}: not a JSON list of task numbers ({str(error)[:100]})") from None
    if not numbers:
        raise DataError(f"{file}: names no task; write a JSON list of task numbers")
    return numbers
