"""Rules over proposals, such as ``replay.gain > 0 and lower_bound > 0.6``.

A small language, read by Python's own parser and walked by hand, so that nothing is executed:
comparisons of names, numbers and texts, ``and``, ``or``, ``not``, parentheses. What a proposal
does not say is unknown: a comparison with it is neither true nor false, and a rule holds only
where it is true.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from ..errors import ProposalError
from ..posterior import credible_interval
from .model import Part, Proposal

__all__ = ["NAMES", "Rule", "lower_bound"]

NAMES = (
    "replay.gain",
    "replay.wins",
    "replay.losses",
    "replay.ties",
    "replay.low",
    "replay.high",
    "live.gain",
    "live.wins",
    "live.losses",
    "live.ties",
    "live.low",
    "live.high",
    "lower_bound",
    "counts.<name>",
    "eu_before",
    "eu_after",
    "change",
    "target",
)
"""What a rule may name."""

_LONGEST = 2_000
_DEEPEST = 60

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
    bounds = [_bound(proposal.part(name)) for name in proposal.changed]
    told = [bound for bound in bounds if bound is not None]
    return min(told) if len(told) == len(bounds) else None


def _bound(of: Part) -> float | None:
    inherited = of.inherited_evidence
    successes, failures = of.counts.get("successes", 0.0), of.counts.get("failures", 0.0)
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
            if len(text) > _LONGEST:
                raise ValueError(f"it is longer than {_LONGEST} characters")
            self._root = ast.parse(text.strip(), mode="eval").body
            _check(self._root, 0)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else str(error)
            raise ProposalError(
                f"not a rule: {text[:200]!r} ({reason}); write comparisons of "
                f"{', '.join(NAMES)} with numbers or texts, joined by and, or, not"
            ) from None

    def holds(self, proposal: Proposal) -> bool:
        """Say whether the rule is true of a proposal."""
        return _truth(self._root, _facts(proposal)) is True


def _facts(proposal: Proposal) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "change": proposal.change,
        "target": proposal.target.id,
        "eu_before": proposal.eu_before,
        "eu_after": proposal.eu_after,
        "lower_bound": lower_bound(proposal),
        **{f"counts.{name}": value for name, value in proposal.counts.items()},
    }
    for name, replay in (("replay", proposal.replay), ("live", proposal.live)):
        if replay is not None:
            facts |= {
                f"{name}.gain": replay.gain,
                f"{name}.wins": replay.wins,
                f"{name}.losses": replay.losses,
                f"{name}.ties": replay.ties,
                f"{name}.low": replay.ci[0],
                f"{name}.high": replay.ci[1],
            }
    return facts


def _check(node: ast.expr, depth: int) -> None:
    if depth > _DEEPEST:
        raise ValueError("it nests too deeply")
    if isinstance(node, ast.BoolOp):
        for part in node.values:
            _check(part, depth + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        _check(node.operand, depth + 1)
    elif isinstance(node, ast.Compare):
        for part in (node.left, *node.comparators):
            _term(part)
        if any(type(each) not in _COMPARISONS for each in node.ops):
            raise ValueError("only <, <=, >, >=, == and != compare")
    else:
        raise ValueError("it is no comparison")


def _term(node: ast.expr) -> str | float | tuple[str]:
    """Return a constant, or a name in a tuple."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _term(node.operand)
        if isinstance(value, int | float):
            return -value
    if isinstance(node, ast.Constant) and type(node.value) in (int, float, str):
        return node.value  # type: ignore[return-value]
    if isinstance(node, ast.Name):
        name = node.id
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        name = f"{node.value.id}.{node.attr}"
    else:
        raise ValueError("a comparison has names, numbers and texts")
    if name not in NAMES and not name.startswith("counts."):
        raise ValueError(f"{name!r} is not known")
    return (name,)


def _truth(node: ast.expr, facts: Mapping[str, Any]) -> bool | None:
    if isinstance(node, ast.BoolOp):
        deciding = isinstance(node.op, ast.Or)
        values = [_truth(part, facts) for part in node.values]
        if deciding in values:
            return deciding
        return None if None in values else not deciding
    if isinstance(node, ast.UnaryOp):
        inner = _truth(node.operand, facts)
        return None if inner is None else not inner
    assert isinstance(node, ast.Compare), "checked when it was read"  # noqa: S101
    results: list[bool | None] = []
    left = _fact(node.left, facts)
    for compare, part in zip(node.ops, node.comparators, strict=True):
        right = _fact(part, facts)
        results.append(_compared(type(compare), left, right))
        left = right
    if False in results:
        return False
    return None if None in results else True


def _fact(node: ast.expr, facts: Mapping[str, Any]) -> Any:
    value = _term(node)
    return facts.get(value[0]) if isinstance(value, tuple) else value


def _compared(kind: type[ast.cmpop], left: Any, right: Any) -> bool | None:
    if left is None or right is None or isinstance(left, str) is not isinstance(right, str):
        return None
    return bool(_COMPARISONS[kind](left, right))
