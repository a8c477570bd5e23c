"""Goals of PDDL problems: conjunctive queries with negated equality over a set of facts.

An ALFWorld goal is a conjunction of ``exists`` over conjunctions of atoms, and, for two
of a kind, ``(not (= ?o1 ?o2))``. It is flattened and ordered once, when the problem is
read, and then answered by a small backtracking join.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ...procedures.common.errors import DataError
from .pddl import Expression

__all__ = ["Fact", "Facts", "Goal", "compile_goal"]

_MAX_ATOMS = 64  # official goals have up to 8

Fact = tuple[str, ...]
Facts = Mapping[str, Collection[Fact]]


@dataclass(frozen=True, slots=True)
class _Atom:
    """One condition; variables start with ``?``.

    ``rows`` holds the matching facts if they cannot change, else ``None``. An atom with
    the predicate ``!=`` says that its two arguments differ.
    """

    predicate: str
    arguments: Fact
    rows: frozenset[Fact] | None = None


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal as independent conjunctions, each in the order in which it is joined."""

    conjunctions: tuple[tuple[_Atom, ...], ...]

    def holds(self, facts: Facts) -> bool:
        """Whether ``facts`` (those that can change, by predicate) satisfy the goal."""
        return all(_satisfiable(atoms, 0, {}, facts) for atoms in self.conjunctions)

    def predicates(self) -> frozenset[str]:
        """Predicates whose facts can change and on which the goal depends."""
        return frozenset(
            atom.predicate
            for atoms in self.conjunctions
            for atom in atoms
            if atom.rows is None and atom.predicate != "!="
        )


def compile_goal(goal: Expression, fixed: Facts, start: Facts, *, where: str) -> Goal:
    """Flatten and order a goal.

    Args:
        goal: The expression after ``:goal``.
        fixed: Facts that never change, by predicate.
        start: Facts that can change, by predicate, as they are at the start.
        where: Name of the source, for error messages.

    Raises:
        DataError: The goal is empty, uses an operator or predicate that the engine does
            not know, or leaves a variable unbound.

    """
    atoms = _Flattener(where).flatten(goal, {})
    if not atoms:
        raise DataError(f"{where}: the goal is empty; nothing could ever be won")
    if len(atoms) > _MAX_ATOMS:
        raise DataError(
            f"{where}: the goal has {len(atoms)} conditions, more than the {_MAX_ATOMS} that are "
            "checked; play this game with the textworld engine"
        )
    for atom in atoms:
        if atom.predicate != "!=" and atom.predicate not in fixed and atom.predicate not in start:
            raise DataError(
                f"{where}: the goal uses the predicate {atom.predicate!r}, which the native "
                "engine does not keep; play this game with the textworld engine"
            )
    grounded = [_with_rows(atom, fixed) for atom in atoms]
    parts = _independent_parts(grounded)
    return Goal(tuple(tuple(_ordered(part, start, where)) for part in parts))


def _is_variable(term: str) -> bool:
    return term.startswith("?")


class _Flattener:
    """Drops ``and`` and ``exists``, giving every bound variable a name of its own."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._bound = 0

    def flatten(self, node: Expression, names: Mapping[str, str]) -> list[_Atom]:
        if isinstance(node, str) or not node or not isinstance(node[0], str):
            raise self._unknown(node)
        operator = node[0]
        if operator == "and":
            return [atom for part in node[1:] for atom in self.flatten(part, names)]
        if operator == "exists":
            return self._exists(node, names)
        if operator == "not":
            return [self._distinct(node, names)]
        if operator in {"or", "forall", "imply", "when", "="}:
            raise self._unknown(node)
        return [_Atom(operator, self._terms(node[1:], names))]

    def _exists(self, node: list[Expression], names: Mapping[str, str]) -> list[_Atom]:
        if len(node) != 3 or isinstance(node[1], str):
            raise self._unknown(node)
        inner = dict(names)
        for term in node[1]:
            if isinstance(term, str) and _is_variable(term):
                self._bound += 1
                inner[term] = f"{term}{self._bound}"
        return self.flatten(node[2], inner)

    def _distinct(self, node: list[Expression], names: Mapping[str, str]) -> _Atom:
        inner = node[1] if len(node) == 2 else None
        if not isinstance(inner, list) or len(inner) != 3 or inner[0] != "=":
            raise self._unknown(node)
        return _Atom("!=", self._terms(inner[1:], names))

    def _terms(self, terms: Iterable[Expression], names: Mapping[str, str]) -> Fact:
        result = []
        for term in terms:
            if not isinstance(term, str) or (_is_variable(term) and term not in names):
                raise self._unknown(list(terms))
            result.append(names.get(term, term))
        return tuple(result)

    def _unknown(self, node: Expression) -> DataError:
        text = str(node)
        return DataError(
            f"{self._where}: the goal has a part that the native engine cannot read: "
            f"{text[:80]}{'…' if len(text) > 80 else ''}; play this game with the textworld engine"
        )


def _with_rows(atom: _Atom, fixed: Facts) -> _Atom:
    """Look up once the facts that match an atom and never change."""
    if atom.predicate not in fixed:
        return atom
    rows = frozenset(
        fact for fact in fixed[atom.predicate] if _match(atom.arguments, fact, {}) is not None
    )
    return _Atom(atom.predicate, atom.arguments, rows)


def _match(pattern: Fact, fact: Fact, binding: Mapping[str, str]) -> dict[str, str] | None:
    """Extend ``binding`` so that ``pattern`` becomes ``fact``, or return ``None``.

    The extension may be empty, so callers test with ``is None``.
    """
    if len(pattern) != len(fact):
        return None
    extended = dict(binding)
    for term, value in zip(pattern, fact, strict=True):
        if extended.setdefault(term, value) != value if _is_variable(term) else term != value:
            return None
    return extended


def _independent_parts(atoms: list[_Atom]) -> list[list[_Atom]]:
    """Group atoms that share variables, directly or through others."""
    parts: list[tuple[set[str], list[_Atom]]] = []
    for atom in atoms:
        variables = {term for term in atom.arguments if _is_variable(term)}
        touching = [part for part in parts if part[0] & variables]
        apart = [part for part in parts if not part[0] & variables]
        merged = [each for part in touching for each in part[1]]
        parts = [*apart, (variables.union(*(part[0] for part in touching)), [*merged, atom])]
    return [part for _, part in parts]


def _ordered(atoms: list[_Atom], start: Facts, where: str) -> list[_Atom]:
    """Choose the join order: conditions that only check first, then the fewest rows."""
    remaining, bound, result = list(atoms), set[str](), list[_Atom]()

    def cost(atom: _Atom) -> tuple[int, int]:
        free = sum(_is_variable(term) and term not in bound for term in atom.arguments)
        if atom.predicate == "!=":
            return (0, 0) if free == 0 else (9, 0)
        return free, len(start[atom.predicate] if atom.rows is None else atom.rows)

    while remaining:
        best = min(remaining, key=cost)
        if best.predicate == "!=" and cost(best)[0]:
            raise DataError(
                f"{where}: the goal compares {' and '.join(best.arguments)}, which nothing binds"
            )
        remaining.remove(best)
        bound.update(term for term in best.arguments if _is_variable(term))
        result.append(best)
    return result


def _satisfiable(
    atoms: tuple[_Atom, ...], position: int, binding: Mapping[str, str], facts: Facts
) -> bool:
    if position == len(atoms):
        return True
    atom = atoms[position]
    wanted = tuple([binding.get(term, term) for term in atom.arguments])
    if atom.predicate == "!=":
        return wanted[0] != wanted[1] and _satisfiable(atoms, position + 1, binding, facts)
    rows = facts[atom.predicate] if atom.rows is None else atom.rows
    if not any(_is_variable(term) for term in wanted):
        return wanted in rows and _satisfiable(atoms, position + 1, binding, facts)
    for row in rows:
        extended = _match(wanted, row, binding)
        if extended is not None and _satisfiable(atoms, position + 1, extended, facts):
            return True
    return False
