"""Rules over proposals, such as ``replay.gain > 0 and lower_bound > 0.6``.

A small language, read by Python's own parser and made into functions of ours, so that nothing else
is executed: comparisons of names, numbers and texts, ``and``, ``or``, ``not``, parentheses. What a
proposal does not say is unknown: a comparison with it is neither true nor false, and a rule holds
only where it is true.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from ..common.errors import ProposalError
from ..evidence.posterior import credible_interval
from .proposal import Part, Proposal, Replay

_OF_A_REPLAY: Mapping[str, Callable[[Replay], float]] = {
    "gain": lambda replay: replay.gain,
    "wins": lambda replay: replay.wins,
    "losses": lambda replay: replay.losses,
    "ties": lambda replay: replay.ties,
    "low": lambda replay: replay.ci[0],
    "high": lambda replay: replay.ci[1],
}
NAMES = (
    *(f"{which}.{name}" for which in ("replay", "live") for name in _OF_A_REPLAY),
    *("lower_bound", "counts.<name>", "eu_before", "eu_after", "change", "target"),
)
"""Names that a rule may use."""

_MOST_CHARACTERS = 2_000
"""Characters of a rule; bounds the parser's time and memory."""
_MOST_LEVELS = 60
"""Levels to which a rule nests; bounds the recursion."""

_Facts: TypeAlias = Mapping[str, Any]
_Truth: TypeAlias = "bool | None"
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def lower_bound(proposal: Proposal) -> float | None:
    """Return the lower end of the 95 % credible interval of the new version's success rate.

    The posterior is what it inherits and the trials that it was made from; None where there is
    neither, and where somebody edited it since, so that the trials are of something else. Of
    several files it is the lowest.
    """
    if proposal.edited:
        return None
    bounds = [_part_bound(proposal.part(name)) for name in proposal.changed]
    known_bounds = [bound for bound in bounds if bound is not None]
    return min(known_bounds) if len(known_bounds) == len(bounds) else None


def _part_bound(part: Part) -> float | None:
    inherited = part.inherited_evidence
    successes, failures = part.counts.get("successes", 0.0), part.counts.get("failures", 0.0)
    if inherited is None and not successes and not failures:
        return None
    alpha, beta = (inherited.alpha, inherited.beta) if inherited else (1.0, 1.0)
    return credible_interval(alpha + successes, beta + failures)[0]


class Rule:
    """A parsed rule.

    Raises:
        ProposalError: The text is not one; the message says what may stand there.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        try:
            if len(text) > _MOST_CHARACTERS:
                raise ValueError(f"it is longer than {_MOST_CHARACTERS} characters")
            self._truth = _rule(ast.parse(text.strip(), mode="eval").body)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else str(error)
            raise ProposalError(
                f"not a rule: {text[:200]!r} ({reason}); write comparisons of "
                f"{', '.join(NAMES)} with numbers or texts, joined by and, or, not"
            ) from None

    def holds(self, proposal: Proposal) -> bool:
        """Say whether the rule is true of a proposal."""
        return self._truth(_facts(proposal)) is True


def _facts(proposal: Proposal) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "change": proposal.change,
        "target": proposal.target.id,
        "eu_before": proposal.eu_before,
        "eu_after": proposal.eu_after,
        "lower_bound": lower_bound(proposal),
        **{f"counts.{name}": value for name, value in proposal.counts.items()},
    }
    for which, replay in (("replay", proposal.replay), ("live", proposal.live)):
        if replay is not None:
            facts |= {f"{which}.{name}": value(replay) for name, value in _OF_A_REPLAY.items()}
    return facts


def _rule(node: ast.expr, depth: int = 0) -> Callable[[_Facts], _Truth]:
    """Return what says if a rule is true, false or unknown; ValueError: it is none."""
    if depth > _MOST_LEVELS:
        raise ValueError("it nests too deeply")
    if isinstance(node, ast.BoolOp):
        parts = [_rule(part, depth + 1) for part in node.values]
        deciding = isinstance(node.op, ast.Or)
        return lambda facts: _joint_truth((part(facts) for part in parts), deciding)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _rule(node.operand, depth + 1)
        return lambda facts: None if (truth := inner(facts)) is None else not truth
    if not isinstance(node, ast.Compare):
        raise ValueError("it is no comparison")
    terms = [_term(part) for part in (node.left, *node.comparators)]
    kinds = [type(each) for each in node.ops]
    if not _COMPARISONS.keys() >= {*kinds}:
        raise ValueError("only <, <=, >, >=, == and != compare")

    def compared(facts: _Facts) -> _Truth:
        values = [term(facts) for term in terms]
        return _joint_truth(map(_compare, kinds, values, values[1:]), False)

    return compared


def _joint_truth(truths: Iterable[_Truth], deciding: bool) -> _Truth:
    """Join truths of which one that is ``deciding`` decides: True by or, False by and."""
    values = list(truths)
    if deciding in values:
        return deciding
    return None if None in values else not deciding


def _term(node: ast.expr) -> Callable[[_Facts], Any]:
    """Return what gives the value of a constant or a name; None where nothing is said of it."""
    constant = _constant(node)
    if constant is not None:
        return lambda facts: constant
    if isinstance(node, ast.Name):
        name = node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        name = f"{node.value.id}.{node.attr}"
    else:
        raise ValueError("a comparison has names, numbers and texts")
    if name not in NAMES and not name.startswith("counts."):
        raise ValueError(f"{name!r} is not known")
    return lambda facts: facts.get(name)


def _constant(node: ast.expr) -> str | float | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _constant(node.operand)
        return -value if isinstance(value, int | float) else None
    if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
        return node.value  # type: ignore[return-value]
    return None


def _compare(kind: type[ast.cmpop], left: Any, right: Any) -> _Truth:
    if left is None or right is None or isinstance(left, str) is not isinstance(right, str):
        return None
    return bool(_COMPARISONS[kind](left, right))
