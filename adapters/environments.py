"""Wrappers that hold any environment to its contract, and loading one by name."""

from __future__ import annotations

import importlib
import operator
import queue
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ..graph.answers import checked_actions, checked_reset, checked_step, short
from ..graph.protocols import AdmissibleEnvironment, Environment
from ..procedures.common.errors import EnvironmentFailure, MaclaError

_T = TypeVar("_T")


class HiddenAdmissible:
    """An environment that does not tell which actions are possible."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment

    def reset(self, task: Any) -> tuple[str, str]:
        """Start an episode; return ``(task text, first observation)``."""
        return self._environment.reset(task)

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do one action; return ``(observation, reward, done, info)``."""
        return self._environment.step(action)


class GuardedEnvironment:
    """Turns everything that an environment may do wrong into :class:`EnvironmentFailure`.

    That is: an exception, an answer of the wrong shape or that is not text, and a call that does
    not return. Errors that macla itself raises pass unchanged. Made by :func:`guard_environment`,
    which keeps the list of admissible actions.
    """

    def __init__(self, environment: Environment, timeout: float | None = 60.0) -> None:
        self._environment = environment
        self._name = type(environment).__name__
        self._caller = _InThread(self._name, timeout) if timeout is not None else _call_here

    def reset(self, task: Any) -> tuple[str, str]:
        """Start an episode; return ``(task text, first observation)``."""
        return checked_reset(self._name, self._call("reset", self._environment.reset, task))

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do one action; return ``(observation, reward, done, info)``."""
        return checked_step(self._name, self._call("step", self._environment.step, action))

    def close(self) -> None:
        """Let the guarding thread end; the environment itself is not closed."""
        if isinstance(self._caller, _InThread):
            self._caller.close()

    def _call(self, method: str, function: Callable[..., _T], *arguments: Any) -> _T:
        try:
            return self._caller(method, function, *arguments)
        except MaclaError:
            raise
        except (Exception, SystemExit) as error:
            raise EnvironmentFailure(
                f"{self._name}.{method} raised {type(error).__name__}: {short(str(error))}; "
                "mend the environment, or leave this task out"
            ) from error


class _GuardedAdmissible(GuardedEnvironment):
    def __init__(self, environment: AdmissibleEnvironment, timeout: float | None) -> None:
        super().__init__(environment, timeout)
        self._lists = environment

    def admissible(self) -> list[str]:
        """Return the actions that are possible now."""
        return checked_actions(self._name, self._call("admissible", self._lists.admissible))


def guard_environment(environment: Environment, timeout: float | None = 60.0) -> GuardedEnvironment:
    """Return ``environment`` under guard, with ``admissible`` if it has it.

    Args:
        environment: Any environment; it is called from one other thread, always the same.
        timeout: Seconds that a call may take. After a time-out the environment cannot be used
            again: make a new one. With ``None``, calls are made in the caller's thread, without
            limit.
    """
    if isinstance(environment, AdmissibleEnvironment):
        return _GuardedAdmissible(environment, timeout)
    return GuardedEnvironment(environment, timeout)


def load_environment(name: str, **arguments: Any) -> Environment:
    """Make the environment that ``module:Class`` names.

    Modules of the current folder are found, too. Whoever names a module runs its code.

    Args:
        name: A module, a colon, and a class (or function) that makes an environment; dots in the
            second part lead into nested names.
        arguments: What to call it with.

    Raises:
        EnvironmentFailure: If there is no such module or class, importing or calling it raises,
            or the result has no ``reset`` and ``step``.
    """
    module_name, colon, path = name.partition(":")
    if not colon or not all(
        part.isidentifier() for part in [*module_name.split("."), *path.split(".")]
    ):
        raise EnvironmentFailure(
            f"{name!r} does not name an environment; write module:Class, such as my_game:MyGame"
        )
    working_folder = str(Path.cwd())
    if working_folder not in sys.path:
        sys.path.insert(0, working_folder)
    try:
        target: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        raise EnvironmentFailure(
            f"{name}: cannot import {module_name}: {type(error).__name__}: {short(str(error))}; "
            "run macla in the folder of that module, or install it"
        ) from error
    try:
        target = operator.attrgetter(path)(target)
    except AttributeError:
        raise EnvironmentFailure(f"{name}: {module_name} has no {path}") from None
    if not callable(target):
        raise EnvironmentFailure(f"{name}: {path} is not a class but {type(target).__name__}")
    try:
        environment = target(**arguments)
    except MaclaError:
        raise
    except (Exception, SystemExit) as error:
        raise EnvironmentFailure(
            f"{name}: making {path} raised {type(error).__name__}: {short(str(error))}"
        ) from error
    if not isinstance(environment, Environment):
        raise EnvironmentFailure(
            f"{name}: {path} is not an environment: it needs reset(task) -> (task text, "
            "observation) and step(action) -> (observation, reward, done, info)"
        )
    return environment


def _call_here(method: str, function: Callable[..., _T], *arguments: Any) -> _T:
    return function(*arguments)


class _InThread:
    """Makes calls in one daemon thread and stops waiting after a time-out."""

    def __init__(self, name: str, timeout: float) -> None:
        self._name = name
        self._timeout = timeout
        self._calls: queue.SimpleQueue[tuple[Callable[..., Any], tuple[Any, ...]] | None]
        self._calls = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
        self._hung = ""
        self._thread: threading.Thread | None = None

    def __call__(self, method: str, function: Callable[..., _T], *arguments: Any) -> _T:
        if self._hung:
            raise EnvironmentFailure(f"{self._hung}; make a new environment for the next episode")
        if self._thread is None:
            # A daemon, so that a call that never returns does not keep the program alive.
            self._thread = threading.Thread(target=self._serve, name=self._name, daemon=True)
            self._thread.start()
        self._calls.put((function, arguments))
        try:
            worked, answer = self._answers.get(timeout=self._timeout)
        except queue.Empty:
            self._hung = f"{self._name}.{method} did not return within {self._timeout:g} s"
            self.close()
            raise EnvironmentFailure(
                f"{self._hung}; give it more time, or leave this task out"
            ) from None
        except BaseException:  # interrupted: the answer to come belongs to nobody
            self._hung = f"a call of {self._name}.{method} was interrupted"
            self.close()
            raise
        if not worked:
            raise answer
        result: _T = answer
        return result

    def close(self) -> None:
        self._calls.put(None)

    def _serve(self) -> None:
        while (call := self._calls.get()) is not None:
            function, arguments = call
            try:
                self._answers.put((True, function(*arguments)))
            except BaseException as error:  # handed over to the caller
                self._answers.put((False, error))
