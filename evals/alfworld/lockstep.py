"""Plays the native and the official engine in lockstep and notes every difference."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from .environment import Engine, make_native_engine
from .games import Game, load_game
from .official import OfficialEngine

__all__ = ["Difference", "GameReport", "Report", "compare_engines", "compare_game"]

_ODD_COMMANDS = (
    "",
    "dance",
    "LOOK",
    "look around",
    "  inventory  ",
    "go to",
    "go to atlantis 1",
    "take everything",
    "open 1",
    "move nothing to nowhere",
    "examine {r.name}",
    "help me",
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One disagreement.

    Attributes:
        game: Id of the game.
        step: Number of the command over the whole game; 0 is the first reset.
        command: What was typed; ``(reset)`` at a start.
        what: ``text``, ``won`` or ``admissible``.
        native: What the native engine said.
        official: What the official engine said.

    """

    game: str
    step: int
    command: str
    what: str
    native: str
    official: str


@dataclass(frozen=True, slots=True)
class GameReport:
    """What came of one game: commands compared, wins seen, and all differences."""

    game: str
    steps: int
    wins: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What came of a run.

    Attributes:
        dialect: The wording that was compared.
        seed: Seed of the commands and of the sample of games.
        games: How many games were compared.
        steps: How many commands were compared.
        wins: How often a game was won; every game should be, by its walkthrough.
        differences: All disagreements.
        seconds: Wall time.

    """

    dialect: str
    seed: int
    games: int
    steps: int
    wins: int
    differences: tuple[Difference, ...]
    seconds: float

    def document(self) -> dict[str, object]:
        """Return the report as plain values for JSON."""
        return asdict(self)


def compare_game(
    path: str | Path, *, seed: int = 0, steps: int = 60, dialect: str = "2.1.3"
) -> GameReport:
    """Play a game file on both engines.

    Args:
        path: The game.
        seed: Seed of the commands; they also depend on the game's id.
        steps: About how many commands to try, in two episodes.
        dialect: ``2.1.3`` or ``2.1.1``.

    Raises:
        DataError: The file is not a game.
        MissingExtraError: The official engine is not installed.

    """
    game = load_game(path)
    native, official = make_native_engine(game, dialect), OfficialEngine(game, dialect)
    return compare_engines(game, native, official, seed=seed, steps=steps, dialect=dialect)


def compare_engines(
    game: Game,
    native: Engine,
    official: Engine,
    *,
    seed: int = 0,
    steps: int = 60,
    dialect: str = "2.1.3",
) -> GameReport:
    """Compare two engines that hold the same game.

    The first episode plays the walkthrough and goes on at random; the second mixes the
    walkthrough with possible and impossible commands from the start.
    """
    random = Random(f"conformance {seed} {game.id}")  # noqa: S311 (test inputs, not secrets)
    plan = [_in_dialect(command, dialect) for command in game.walkthrough]
    run = _Lockstep(game.id, native, official)
    half = max(steps // 2, len(plan))
    for urge in (1.0, 0.3):  # how often the next command is the walkthrough's
        run.start()
        left = list(plan)
        for _ in range(half):
            if left and random.random() < urge:
                run.do(left.pop(0))
            else:
                run.do(_random_command(run.possible, run.seen, random))
    return GameReport(game.id, run.steps, run.wins, tuple(run.differences))


def _in_dialect(command: str, dialect: str) -> str:
    """Say a command of the stored walkthrough as the dialect does."""
    words = command.split()
    if dialect == "2.1.1" and words[:1] == ["move"] and "to" in words:
        middle = words.index("to")
        return " ".join(["put", *words[1:middle], "in/on", *words[middle + 1 :]])
    return command


def _random_command(possible: list[str], seen: list[str], random: Random) -> str:
    """Return a possible command, any verb as likely as any other, or an impossible one."""
    chance = random.random()
    if chance < 0.05:
        return random.choice(_ODD_COMMANDS)
    if chance < 0.2 and seen:
        return random.choice(seen)
    verb = random.choice(sorted({command.split()[0] for command in possible}))
    return random.choice([command for command in possible if command.split()[0] == verb])


class _Lockstep:
    """Two engines that get the same commands."""

    def __init__(self, game: str, native: Engine, official: Engine) -> None:
        self._game = game
        self._native = native
        self._official = official
        self.steps = 0
        self.wins = 0
        self.differences: list[Difference] = []
        self.possible: list[str] = []
        self.seen: list[str] = []  # commands that were possible at some time
        self._known: set[str] = set()
        self._won = False

    def start(self) -> None:
        self._won = False
        self._compare("(reset)", "text", self._native.reset(), self._official.reset())
        self._compare_admissible("(reset)")

    def do(self, command: str) -> None:
        self.steps += 1
        text, won = self._native.step(command)
        official_text, official_won = self._official.step(command)
        self._compare(command, "text", text, official_text)
        self._compare(command, "won", str(won), str(official_won))
        self._compare_admissible(command)
        self.wins += official_won and not self._won
        self._won = official_won

    def _compare_admissible(self, command: str) -> None:
        native, official = self._native.admissible(), self._official.admissible()
        self._compare(command, "admissible", *_apart(native, official))
        self.possible = official
        new = [each for each in official if each not in self._known]
        self._known.update(new)
        self.seen += new

    def _compare(self, command: str, what: str, native: str, official: str) -> None:
        if native != official:
            self.differences.append(
                Difference(self._game, self.steps, command, what, native, official)
            )


def _apart(native: list[str], official: list[str]) -> tuple[str, str]:
    """Say what only the one and only the other list has; two empty texts if they agree."""
    if native == official:
        return "", ""
    mine, theirs = set(native), set(official)
    if mine == theirs:  # the same commands in another order, or some of them twice
        return ", ".join(native), ", ".join(official)
    return f"only: {sorted(mine - theirs)}", f"only: {sorted(theirs - mine)}"
