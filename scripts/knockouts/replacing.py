"""Switch a rule off: put something inert in the place of a function or a constant."""

from __future__ import annotations

import ast
import inspect
import runpy
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from types import ModuleType
from typing import Any

__all__ = ["NOTHING", "KnockOut", "Wrapped", "gives", "knock_out", "makes", "run_words"]

NOTHING = "nothing"
"""Name of the knock-out that switches nothing off: what the others are compared with."""
_PACKAGE = "macla"


@dataclass(frozen=True, slots=True)
class KnockOut:
    """One rule that can be switched off.

    Attributes:
        name: Of the rule.
        targets: Where it stands: ``module:name`` or ``module:Class.name``.
        replacement: What stands there instead: a function of the same signature, a constant, or
            a :class:`Wrapped`.
        about: What the rule is for.
    """

    name: str
    targets: tuple[str, ...]
    replacement: Any
    about: str


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A replacement that is made of what it replaces.

    Attributes:
        make: Takes the original and returns the replacement.
    """

    make: Callable[[Any], Any]


def gives(value: Any) -> Callable[..., Any]:
    """Return a function that takes anything and gives a value that does not change."""
    return lambda *_, **__: value


def makes(kind: Callable[[], Any]) -> Callable[..., Any]:
    """Return a function that takes anything and gives a new value each time."""
    return lambda *_, **__: kind()


def knock_out(each: KnockOut) -> dict[str, list[str]]:
    """Replace the targets of a rule wherever they are used.

    A module that is imported later takes the name from where it is replaced already, so only
    what is imported by now has to be gone through.

    Returns:
        Target → the places where it was replaced.

    Raises:
        LookupError: A target does not exist, or was not replaced.
        TypeError: A function would become a constant, or the other way round.
    """
    return {target: _replace(target, each.replacement) for target in each.targets}


def _replace(target: str, replacement: Any) -> list[str]:
    module, owner, name = _place(target)
    original = vars(owner)[name]
    new = replacement.make(original) if isinstance(replacement, Wrapped) else replacement
    if isinstance(original, property):
        new = property(new)
    elif isinstance(original, classmethod):
        new = classmethod(new)
    if _is_code(original) != _is_code(new):
        raise TypeError(f"{target}: a function and a constant do not replace each other")
    setattr(owner, name, new)
    places = [target]
    if owner is module:
        for other, attribute in _uses(module, name, original):
            setattr(other, attribute, new)
            places.append(f"{other.__name__}:{attribute}")
    if vars(owner)[name] is not new or new is original:
        raise LookupError(f"{target}: was not replaced")
    return places


def _place(target: str) -> tuple[ModuleType, Any, str]:
    """Return the module of a target, what holds it (a module or a class), and its name there."""
    path, _, names = target.partition(":")
    try:
        module = import_module(path)
    except ModuleNotFoundError:
        raise LookupError(f"{target}: there is no module {path}") from None
    *classes, name = names.split(".")
    owner: Any = module
    for each in classes:
        owner = getattr(owner, each, None)
    if owner is None or name not in vars(owner):
        raise LookupError(f"{target}: there is no {names} in {path}")
    return module, owner, name


def _is_code(value: Any) -> bool:
    return callable(value) or isinstance(value, property | classmethod)


def _uses(home: ModuleType, name: str, original: Any) -> Iterator[tuple[ModuleType, str]]:
    """Yield modules, and names in them, that took a value from its home."""
    for path, module in list(sys.modules.items()):
        if module is None or module is home or path.partition(".")[0] != _PACKAGE:
            continue
        if id(original) not in map(id, list(vars(module).values())):
            continue  # as nearly everywhere; all rules are looked up in all modules
        for attribute, value in list(vars(module).items()):
            if value is not original:
                continue
            # Equal constants are often one object; a function is nowhere else by chance.
            if _is_code(original) or ((home.__name__, name, attribute) in _imports(module)):
                yield module, attribute


@cache
def _imports(module: ModuleType) -> frozenset[tuple[str, str, str]]:
    """Return what a module imports: from where, which name, and as what."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError):
        return frozenset()
    return frozenset(
        (
            resolve_name("." * node.level + (node.module or ""), module.__package__),
            alias.name,
            alias.asname or alias.name,
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    )


def run_words(words: Sequence[str]) -> None:
    """Run words as the interpreter would: ``-m MODULE ARGUMENT…`` or ``-c CODE ARGUMENT…``.

    Raises:
        ValueError: They are neither.
    """
    if len(words) < 2 or words[0] not in ("-m", "-c"):
        raise ValueError("what is run begins with -m MODULE or -c CODE")
    option, what, *rest = words
    if option == "-m":
        sys.argv = [what, *rest]
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        sys.argv = ["-c", *rest]
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})
