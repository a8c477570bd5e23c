"""The joint regression: every suite against the results that were last accepted.

Edits of the learner that look general trade one domain against another, so all are measured
together. ``accepted.json`` says what is learned, what is played, and what came out when somebody
last accepted the results.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..procedures.errors import DataError, MaclaError, MissingDataError, MissingExtraError
from .arms import Setting
from .report import EvalReport
from .runner import evaluate
from .statistics import fisher_worse, wilson_interval
from .suites import Progress, Suite, make_suite
from .teaching import teach

__all__ = ["ACCEPTED", "SIGNIFICANT", "Case", "CaseResult", "accept", "read_cases", "run_case"]

ACCEPTED = Path(__file__).with_name("accepted.json")
"""The accepted results that come with macla."""

SIGNIFICANT = 0.05
"""A result is worse if one so low has less than this probability when nothing changed."""


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the table.

    Attributes:
        name: For people.
        library: Name of the folder of its library.
        teaching: What that library is learned from: ``suite``, options of the suite,
            ``episodes``, ``seed``, ``scramble``.
        playing: ``split``, and ``admissible``, ``limit``, ``max_steps`` where they differ from
            what is usual.
        accepted: ``successes``, ``n``, ``success_rate``, ``ci95`` and ``mean_steps`` of the
            accepted result; empty where there is none yet.
    """

    name: str
    library: str
    teaching: Mapping[str, Any]
    playing: Mapping[str, Any]
    accepted: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What came of a case.

    Attributes:
        case: The case.
        report: The result; None where it was left out.
        p_value: How probable a result at least this much worse is if nothing changed; None
            without an accepted result.
        skipped: Why it was left out; empty if it was not.
        failed: The error that ended it; empty if none did.
    """

    case: Case
    report: EvalReport | None = None
    p_value: float | None = None
    skipped: str = ""
    failed: str = ""

    @property
    def worse(self) -> bool:
        """Whether it failed or is significantly worse than the accepted result."""
        return bool(self.failed) or (self.p_value is not None and self.p_value < SIGNIFICANT)


def read_cases(file: Path) -> list[Case]:
    """Read the cases of a file of accepted results.

    Raises:
        DataError: The file is missing or is none.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        libraries = document["libraries"]
        return [
            Case(
                name=str(case["name"]),
                library=_plain_name(str(case["library"])),
                teaching=_teaching(dict(libraries[case["library"]])),
                playing=_playing(dict(case["playing"])),
                accepted=_accepted(dict(case.get("accepted") or {})),
            )
            for case in document["cases"]
        ]
    except OSError as error:
        raise DataError(f"{file}: cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DataError(
            f"{file}: not a file of accepted results ({type(error).__name__}: {error}); compare "
            f"with {ACCEPTED}"
        ) from None


def run_case(
    case: Case,
    root: Path,
    *,
    data: str | None = None,
    seed: int = 0,
    jobs: int = 1,
    stage: Callable[[str], None] = lambda _: None,
    progress: Progress | None = None,
) -> CaseResult:
    """Play a case; its library is learned first if it is not below ``root``.

    A case whose data or extra is not installed is left out and says so; any other error fails
    this case and not those beside it.
    """
    try:
        suite = _suite(case, data, jobs)
        _learn_if_missing(case, suite, root, stage)
        setting = Setting(
            suite=suite,
            library=str(root / case.library),
            max_steps=case.playing.get("max_steps", suite.max_steps),
            admissible=case.playing.get("admissible", False),
            scramble=case.teaching.get("scramble"),
            seed=seed,
        )
        stage(case.name)
        split, limit = case.playing["split"], case.playing.get("limit")
        report = evaluate(setting, split, limit=limit, jobs=jobs, progress=progress)
    except (MissingDataError, MissingExtraError) as error:
        return CaseResult(case, skipped=str(error))
    except MaclaError as error:
        return CaseResult(case, failed=str(error))
    if not case.accepted:
        return CaseResult(case, report)
    accepted = int(case.accepted["successes"]), int(case.accepted["n"])
    return CaseResult(case, report, fisher_worse(report.successes, len(report.outcomes), *accepted))


def accept(file: Path, results: Sequence[CaseResult]) -> int:
    """Write results into a file of accepted results; return how many cases changed.

    Cases that were left out keep what was accepted before.
    """
    document = json.loads(file.read_text(encoding="utf-8"))
    found = {result.case.name: result.report for result in results if result.report is not None}
    changed = 0
    for entry in document["cases"]:
        report = found.get(entry["name"])
        if report is None:
            continue
        n = len(report.outcomes)
        interval = wilson_interval(report.successes, n)
        accepted = {
            "successes": report.successes,
            "n": n,
            "success_rate": round(report.success_rate, 6),
            "ci95": [round(interval.low, 6), round(interval.high, 6)],
            "mean_steps": round(report.mean_steps, 4),
        }
        changed += entry.get("accepted") != accepted
        entry["accepted"] = accepted
    temporary = file.with_name(f".{file.name}.{secrets.token_hex(6)}.tmp")
    try:
        temporary.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        os.replace(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)
    return changed


def _suite(case: Case, data: str | None, jobs: int) -> Suite:
    options = {
        key: value
        for key, value in {**case.teaching, **case.playing}.items()
        if key in ("engine", "dialect", "goals", "game")
    }
    name = str(case.teaching["suite"])
    if name == "textworld":
        options["jobs"] = jobs
    return make_suite(name, data=data, **options)


def _learn_if_missing(case: Case, suite: Suite, root: Path, stage: Callable[[str], None]) -> None:
    folder = root / case.library
    if (folder / "library.yaml").exists():
        return
    stage(f"learning {case.library}")
    episodes, seed = case.teaching.get("episodes"), case.teaching.get("seed")
    found, _ = suite.demonstrations(episodes, seed)
    source = {"from": case.teaching["suite"]} | ({"seed": seed} if seed is not None else {})
    scramble = case.teaching.get("scramble")
    teach(folder, found, domain=suite.domain, source=source, scramble=scramble)


def _teaching(given: dict[str, Any]) -> dict[str, Any]:
    _check(given, "suite", str)
    for key, least in (("episodes", 1), ("seed", None), ("scramble", None)):
        _whole(given, key, least)
    return given


def _playing(given: dict[str, Any]) -> dict[str, Any]:
    _check(given, "split", str)
    _whole(given, "limit", 1)
    _whole(given, "max_steps", 1)
    if "admissible" in given:
        _check(given, "admissible", bool)
    return given


def _accepted(given: dict[str, Any]) -> dict[str, Any]:
    if not given:
        return given
    for key in ("successes", "n"):
        _check(given, key, int)
    _check(given, "success_rate", (int, float))
    if not 0 <= given["successes"] <= given["n"] or given["n"] < 1:
        raise ValueError(f"{given['successes']} successes of {given['n']}")
    return given


def _check(given: Mapping[str, Any], key: str, kind: type | tuple[type, ...]) -> None:
    if not isinstance(given[key], kind):
        raise ValueError(f"{key} cannot be {given[key]!r}")


def _whole(given: Mapping[str, Any], key: str, least: int | None) -> None:
    value = given.get(key)
    if value is None:
        return
    _check(given, key, int)
    if least is not None and value < least:
        raise ValueError(f"{key} must be at least {least}, not {value}")


def _plain_name(name: str) -> str:
    if Path(name).name != name or name in ("", ".", ".."):
        raise ValueError(f"the library {name!r} is not the name of a folder")
    return name
