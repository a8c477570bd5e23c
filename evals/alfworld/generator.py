"""Makes household games of ALFWorld's domain, as official ``game.tw-pddl`` files.

Every game is a room with receptacles and objects, one of the six task types and a plan
that was played through before the game is handed out. It is never won at the start. The
same seed and number give the same game, on every machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from ...procedures.common.errors import DataError
from .engine import NativeEngine
from .games import GAME_FILE, Game
from .household import OPENABLE, ROOMS, TOGGLEABLE, Room
from .planner import plan
from .problem import Problem, parse_problem
from .problem_text import Household, Item, problem_text
from .tasks import TASK_TYPES, possible_tasks
from .wording import domain_text, grammar_text

__all__ = ["TASK_TYPES", "GeneratedGame", "generate_game", "generate_games", "write_games"]

_ATTEMPTS = 50


@dataclass(frozen=True, slots=True)
class GeneratedGame:
    """A game that is not on disk yet.

    Attributes:
        name: ``<task folder>/<trial folder>``, as official games are filed.
        task_type: One of :data:`TASK_TYPES`.
        task: The task sentence.
        problem: The PDDL problem.
        walkthrough: Commands that win it; no agent may see them.

    """

    name: str
    task_type: str
    task: str
    problem: str = field(repr=False)
    walkthrough: tuple[str, ...] = field(repr=False)

    def game(self, folder: str | Path = "generated") -> Game:
        """Return it as a game to play, without writing a file."""
        path = Path(folder) / self.name / GAME_FILE
        return Game(f"generated/{self.name}", path, self.task, self.problem, self.walkthrough)

    def document(self) -> dict[str, object]:
        """Return the content of its ``game.tw-pddl``."""
        return {
            "pddl_domain": domain_text(),
            "grammar": grammar_text(self.task),
            "pddl_problem": self.problem,
            "solvable": True,
            "walkthrough": list(self.walkthrough),
        }


def generate_game(index: int, *, seed: int = 0, task_type: str | None = None) -> GeneratedGame:
    """Make game number ``index`` of a seed.

    Args:
        index: Number of the game, from 0; numbers that follow each other go round the six
            task types.
        seed: Any integer.
        task_type: One of :data:`TASK_TYPES` instead of the one whose turn it is.

    Raises:
        DataError: There is no such task type.

    """
    chosen = TASK_TYPES[index % len(TASK_TYPES)] if task_type is None else task_type
    if chosen not in TASK_TYPES:
        raise DataError(f"no ALFWorld task type {chosen!r}; choose one of {', '.join(TASK_TYPES)}")
    random = Random(f"macla {seed} {index} {chosen}")  # noqa: S311 (games, not secrets)
    for _ in range(_ATTEMPTS):
        game = _try_to_make(chosen, f"trial_{seed}_{index:05d}", random)
        if game is not None:
            return game
    raise DataError(f"no {chosen} game came out for seed {seed}, number {index}; take another seed")


def generate_games(count: int, *, seed: int = 0, start: int = 0) -> Iterator[GeneratedGame]:
    """Make ``count`` games, numbered from ``start``."""
    return (generate_game(index, seed=seed) for index in range(start, start + count))


def write_games(folder: str | Path, count: int, *, seed: int = 0, start: int = 0) -> list[Path]:
    """Write ``count`` games below a folder, which is then a split; return their files."""
    files = []
    for game in generate_games(count, seed=seed, start=start):
        file = Path(folder) / game.name / GAME_FILE
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(game.document()), encoding="utf-8")
        files.append(file)
    return files


# -- one game --------------------------------------------------------------------------


def _try_to_make(task_type: str, trial: str, random: Random) -> GeneratedGame | None:
    home = _furnish(_room_for(task_type, random), random)
    tasks = list(possible_tasks(task_type, home))
    if not tasks:
        return None
    task = random.choice(tasks)
    sentence = random.choice(task.sentences())
    text = problem_text(trial, home, task.goal())
    problem = parse_problem(text, sentence, where=trial)
    walkthrough = plan(task, home, problem)
    if not _wins(problem, walkthrough):
        return None
    folder = f"{task_type}-{task.thing}-None-{task.place}-{len(home.receptacles)}"
    return GeneratedGame(f"{folder}/{trial}", task_type, sentence, text, tuple(walkthrough))


def _room_for(task_type: str, random: Random) -> Room:
    rooms = {
        "look_at_obj_in_light": ("bedroom", "living room"),
        "pick_clean_then_place_in_recep": ("kitchen", "kitchen", "bathroom"),
        "pick_heat_then_place_in_recep": ("kitchen",),
        "pick_cool_then_place_in_recep": ("kitchen",),
    }
    return ROOMS[random.choice(rooms.get(task_type, tuple(ROOMS)))]


def _furnish(room: Room, random: Random) -> Household:
    """Draw the receptacles of a room, and one to three of most of its kinds of things."""
    receptacles = []
    for kind, (chance, fewest, most) in room.receptacles.items():
        if random.random() < chance:
            receptacles += _items(kind, random.randint(fewest, most), random)
    places: dict[Item, Item] = {}
    for kind, usual in room.things.items():
        if random.random() > 0.85 and kind not in TOGGLEABLE:
            continue
        fitting = [each for each in receptacles if each.kind in usual]
        if not fitting:
            continue
        weights = [1 / (1 + usual.index(each.kind)) for each in fitting]
        number = 1 if kind in TOGGLEABLE else random.choice((1, 2, 2, 3))
        for thing in _items(kind, number, random):
            places[thing] = random.choices(fitting, weights)[0]
    ajar = frozenset(
        each for each in receptacles if each.kind in OPENABLE and random.random() < 0.03
    )
    return Household(tuple(receptacles), places, ajar)


def _items(kind: str, number: int, random: Random) -> list[Item]:
    """Return ``number`` items of a kind at different coordinates."""
    spots = random.sample(range(1000), number)
    height = random.randrange(30, 180)
    return [Item(kind, (spot - 500, height, random.randrange(-500, 500))) for spot in spots]


def _wins(problem: Problem, commands: Sequence[str]) -> bool:
    """Whether the commands win a game that is not won already, with the last of them."""
    engine = NativeEngine(problem)
    states = [engine.won, *(engine.step(command)[1] for command in commands)]
    return states[-1] and not any(states[:-1])
