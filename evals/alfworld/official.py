"""The official ALFWorld engine: TextWorld's PDDL engine, through the extra ``[alfworld]``.

TextWorld *executes* what stands in braces in a game's grammar. A game file is data, so
only grammars that are known are given to it: that of the official data, that of the
installed alfworld package, and that of generated games. The task sentence, the only part
that differs from game to game, may hold nothing but words and plain punctuation.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import warnings
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from ...procedures.common.errors import DataError, EnvironmentFailure, MissingExtraError
from .dialects import Dialect, dialect_named
from .games import Game, read_game_file, task_literal, task_sentence
from .wording import grammar_text

__all__ = ["OfficialEngine", "official_engine_installed"]

_DATA_2_1_3 = "063d42f07581dbed3b4f655bae25e0af94fd0e062f9eae0f6f63037ecd5177e6"
"""SHA-256 of the grammar of every game in data release 2.1.3, without its task sentence."""

_PLAIN_TASK = re.compile(r"[\w ,.;:'!?()/-]+")

# What release 2.1.1 said where 2.1.3 says something else.
_OLDER_WORDING = (
    ('"You arrive at {r.name}. #', '"You arrive at {lend.name}. #'),
    ('"You move the {o.name} to the {r.name}."', '"You put the {o.name} in/on the {r.name}."'),
)
_PUT_TEMPLATE = re.compile(r'(action PutObject \{\s*template :: )"move \{o\} to \{r\}"')
_HELP_ACTION = re.compile(r"\naction help \{.*\Z", re.DOTALL)

_idle: list[Any] = []
# Every TextWorld environment loads a copy of Fast Downward that cannot be unloaded safely,
# so environments are used again as soon as their engine is gone.


class OfficialEngine:
    """One game in the official engine.

    Args:
        game: The game; its file is read again, since the engine needs all of it.
        dialect: ``2.1.3``, as in the file, or ``2.1.1``: the same game with the older
            release's wording and without its command ``help``.

    Raises:
        MissingExtraError: TextWorld or alfworld is not installed.
        DataError: The file is not a game, or its grammar is not one that is known.
        EnvironmentFailure: The engine cannot load it.

    """

    def __init__(self, game: Game, dialect: str = "2.1.3") -> None:
        _import_parts()
        content = read_game_file(game.path)
        # Not game.task, which may be the goal in somebody else's words.
        self._task = task_sentence(content["grammar"], game.path)
        _refuse_unknown_grammar(content["grammar"], self._task, game.path)
        wording = dialect_named(dialect)
        data = {
            "pddl_domain": _domain(content["pddl_domain"], wording),
            "pddl_problem": content["pddl_problem"],
            "grammar": _grammar(content["grammar"], wording),
            "walkthrough": list(game.walkthrough),
        }
        self._where = str(game.path)
        with self._guard("load"):
            self._environment = _idle.pop() if _idle else _new_environment()
            weakref.finalize(self, _idle.append, self._environment)
            self._environment.load(data)
        self._state: Any = None

    def reset(self) -> str:
        """Start again and return the first observation, without the task sentence."""
        with self._guard("reset"):
            self._state = self._environment.reset()
        text = str(self._state.feedback)
        return text.removesuffix(f"\n\nYour task is to: {self._task}")

    def step(self, command: str) -> tuple[str, bool]:
        """Do a command; return what the game answers and whether the goal holds."""
        self._started()
        with self._guard("step"):
            self._state, _, _ = self._environment.step(command)
        return str(self._state.feedback), bool(self._state["won"])

    def admissible(self) -> list[str]:
        """Return the commands that are possible now, in alphabetical order."""
        return sorted(self._started()["admissible_commands"])

    def _started(self) -> Any:
        if self._state is None:
            raise EnvironmentFailure(f"{self._where}: not started; call reset first")
        return self._state

    @contextmanager
    def _guard(self, action: str) -> Iterator[None]:
        """Name the game in every error, and undo what Fast Downward does to ``sys.argv``."""
        arguments = sys.argv
        try:
            yield
        except MissingExtraError:
            raise
        except (Exception, SystemExit) as error:
            raise EnvironmentFailure(
                f"{self._where}: the official engine failed to {action} "
                f"({type(error).__name__}: {str(error)[:200]}); try the native engine"
            ) from error
        finally:
            sys.argv = arguments


def official_engine_installed() -> bool:
    """Whether the extra ``[alfworld]`` can be imported. The import takes about a second."""
    try:
        _import_parts()
    except MissingExtraError:
        return False
    return True


def _import_parts() -> tuple[Any, Any, Any]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # theirs, not ours to mend
            import textworld
            from alfworld.agents.environment.alfred_tw_env import AlfredDemangler
            from textworld.envs.pddl import PddlEnv
    except ImportError as error:
        raise MissingExtraError(
            f"the official ALFWorld engine is not installed ({error}); install it with "
            "pip install 'macla[alfworld]', which compiles Fast Downward (gcc, 2 to 3 minutes), "
            "or use the native engine"
        ) from error
    return textworld, AlfredDemangler, PddlEnv


def _new_environment() -> Any:
    """Make the engine as alfworld's own environment does."""
    textworld, demangler, pddl_environment = _import_parts()
    wanted = textworld.EnvInfos(won=True, admissible_commands=True)
    return demangler(pddl_environment(wanted))


def _refuse_unknown_grammar(grammar: str, task: str, file: Path) -> None:
    if _PLAIN_TASK.fullmatch(task) and _fingerprint(grammar) in _known_fingerprints():
        return
    raise DataError(
        f"{file}: its grammar is not that of the official data. TextWorld would execute "
        "code that stands in it, so macla does not pass it on; use the native engine"
    )


def _known_fingerprints() -> set[str]:
    installed = resources.files("alfworld").joinpath("data").joinpath("alfred.twl2")
    known = {_DATA_2_1_3, _fingerprint(grammar_text("x"))}
    if Path(str(installed)).is_file():
        known.add(_fingerprint(installed.read_text(encoding="utf-8")))
    return known


def _fingerprint(grammar: str) -> str:
    literal = task_literal(grammar)
    skeleton = grammar if literal is None else grammar.replace(literal, json.dumps(""), 1)
    return hashlib.sha256(skeleton.encode()).hexdigest()


def _grammar(grammar: str, dialect: Dialect) -> str:
    if dialect.help:
        return grammar
    for new, old in _OLDER_WORDING:
        grammar = grammar.replace(new, old)
    grammar = _PUT_TEMPLATE.sub(r'\1"put {o} in/on {r}"', grammar)
    return _HELP_ACTION.sub("\n", grammar)


def _domain(domain: str, dialect: Dialect) -> str:
    """Take the action ``help`` out of the domain where the dialect lacks it."""
    start = domain.find("(:action help")
    if dialect.help or start < 0:
        return domain
    depth = 0
    for position in range(start, len(domain)):
        depth += {"(": 1, ")": -1}.get(domain[position], 0)
        if depth == 0:
            return domain[:start] + domain[position + 1 :]
    return domain
