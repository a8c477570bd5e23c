"""Rules over proposals, such as ``replay.gain > 0 and lower_bound > 0.6``.

A small language, read by Python's own parser and evaluated here, so that nothing else is executed:
comparisons of names, numbers and texts, ``and``, ``or``, ``not``, parentheses. What a
proposal does not say is unknown: a comparison with it is neither true nor false, and a rule holds
only where it is true.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
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
            self._tree = ast.parse(text.strip(), mode="eval").body
            _truth(self._tree, {})  # what is no rule is told at once
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else str(error)
            raise ProposalError(
                f"not a rule: {text[:200]!r} ({reason}); write comparisons of "
                f"{', '.join(NAMES)} with numbers or texts, joined by and, or, not"
            ) from None

    def holds(self, proposal: Proposal) -> bool:
        """Say whether the rule is true of a proposal."""
        return _truth(self._tree, _facts(proposal)) is True


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


def _truth(node: ast.expr, facts: _Facts, depth: int = 0) -> _Truth:
    """Return whether a rule is true, false or unknown; all of it is looked at.

    Raises:
        ValueError: It is no rule.
    """
    if depth > _MOST_LEVELS:
        raise ValueError("it nests too deeply")
    if isinstance(node, ast.BoolOp):
        parts = [_truth(part, facts, depth + 1) for part in node.values]
        return _joint_truth(parts, isinstance(node.op, ast.Or))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _truth(node.operand, facts, depth + 1)
        return None if inner is None else not inner
    if not isinstance(node, ast.Compare):
        raise ValueError("it is no comparison")
    kinds = [type(each) for each in node.ops]
    if not _COMPARISONS.keys() >= {*kinds}:
        raise ValueError("only <, <=, >, >=, == and != compare")
    values = [_value(part, facts) for part in (node.left, *node.comparators)]
    return _joint_truth([*map(_compare, kinds, values, values[1:])], False)


def _joint_truth(truths: Sequence[_Truth], deciding: bool) -> _Truth:
    """Join truths of which one that is ``deciding`` decides: True by or, False by and."""
    if deciding in truths:
        return deciding
    return None if None in truths else not deciding


def _value(node: ast.expr, facts: _Facts) -> Any:
    """Return the value of a constant or a name; None where nothing is said of it."""
    try:
        constant = ast.literal_eval(node)
    except ValueError:
        constant = None
    if type(constant) in (int, float, str):
        return constant
    name = ast.unparse(node)
    if name not in NAMES and not re.fullmatch(r"counts\.\w+", name):
        raise ValueError(f"{name[:50]!r} is not known")
    return facts.get(name)


def _compare(kind: type[ast.cmpop], left: Any, right: Any) -> _Truth:
    if left is None or right is None or isinstance(left, str) is not isinstance(right, str):
        return None
    return bool(_COMPARISONS[kind](left, right))
