"""What a rule is worth: the results without it against those with everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from macla.evals.acceptance.comparing import Comparison, compared
from macla.evals.acceptance.table import Accepted

from .part import GROUPS, group_of
from .replacing import KnockOut

__all__ = ["HEADER", "Worth", "row", "worth_of"]

Verdict: TypeAlias = Literal["earns its place", "harms", "idle", "breaks"]

HEADER = "| rule | what it is for | without it | cases changed | verdict |\n|---|---|---|---|---|"


@dataclass(frozen=True, slots=True)
class Worth:
    """What came of a knock-out.

    Attributes:
        verdict: ``earns its place`` where something fell beyond its margin without the rule,
            ``harms`` where something improved beyond its margin and nothing fell, ``idle`` where
            neither is so, ``breaks`` where something broke off with an error.
        changes: Group → the change in words.
        changed: How many cases have another result in some episode or figure.
        comparisons: Case → how it compares.
        failures: Unit → the error that ended it.
    """

    verdict: Verdict
    changes: Mapping[str, str]
    changed: int
    comparisons: Mapping[str, Comparison] = field(default_factory=dict)
    failures: Mapping[str, str] = field(default_factory=dict)

    def document(self, each: KnockOut) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "name": each.name,
            "about": each.about,
            "targets": list(each.targets),
            "verdict": self.verdict,
            "changes": dict(self.changes),
            "changed": self.changed,
            "failures": dict(self.failures),
            "cases": {
                name: {
                    "verdict": one.verdict,
                    "gained": one.gained,
                    "lost": one.lost,
                    "p_value": one.p_value,
                }
                for name, one in self.comparisons.items()
            },
        }


def worth_of(
    whole: Mapping[str, Accepted],
    without: Mapping[str, Accepted],
    margins: Mapping[str, float],
    failures: Mapping[str, str] | None = None,
) -> Worth:
    """Compare the results without a rule with those with everything.

    Args:
        whole: Case → its result with everything.
        without: Case → its result without the rule.
        margins: Case → share of its episodes that it may lose and still be as good.
        failures: Unit → the error that ended it without the rule.
    """
    comparisons = {
        name: compared(result, whole.get(name), margins[name]) for name, result in without.items()
    }
    verdicts = {each.verdict for each in comparisons.values()}
    errors = any(
        result.outcomes.count("e") > whole[name].outcomes.count("e")
        for name, result in without.items()
        if name in whole
    )
    verdict: Verdict = "idle"
    if failures or errors or verdicts & {"new", "other episodes"}:
        verdict = "breaks"
    elif "fell" in verdicts:
        verdict = "earns its place"
    elif "improved" in verdicts:
        verdict = "harms"
    changed = sum(result != whole.get(name) for name, result in without.items())
    return Worth(verdict, _changes(whole, without), changed, comparisons, failures or {})


def _changes(whole: Mapping[str, Accepted], without: Mapping[str, Accepted]) -> dict[str, str]:
    """Return the change of each group that was played."""
    found: dict[str, str] = {}
    for group in GROUPS:
        names = [name for name in without if group_of(name) == group and name in whole]
        if not names:
            continue
        before, after = ([results[name] for name in names] for results in (whole, without))
        wrong = _marks(after, "x") - _marks(before, "x")
        errors = _marks(after, "e") - _marks(before, "e")
        if group == "agents":
            calls = _calls(after) - _calls(before)
            parts = [f"wrong {_signed(wrong)}", f"calls {_signed(calls)}"]
        else:
            parts = [_signed(_marks(after, "1") - _marks(before, "1"))]
            parts += [f"spoiled {_signed(wrong)}"] if wrong else []
        parts += [f"errors {_signed(errors)}"] if errors else []
        found[group] = ", ".join(parts)
    return found


def _marks(results: list[Accepted], mark: str) -> int:
    return sum(each.outcomes.count(mark) for each in results)


def _calls(results: list[Accepted]) -> int:
    return int(sum(each.figures.get("model_calls", 0.0) for each in results))


def _signed(number: int) -> str:
    return f"{number:+d}".replace("-", "\u2212") if number else "0"


def row(each: KnockOut, worth: Worth) -> str:
    """Return a line of the Markdown table."""
    changes = "; ".join(f"{group} {change}" for group, change in worth.changes.items())
    if worth.failures:
        changes = "; ".join([*filter(None, [changes]), f"{len(worth.failures)} units failed"])
    cells = (each.name, each.about, changes, str(worth.changed), worth.verdict)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
