"""The studies: which cells each has, and what is told of their answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ...procedures.method.ablation import PARTS
from ..reports.figures import Line, Lines, Section, Table
from ..reports.run_sections import section_of
from ..reports.statistics import wilson_interval
from ..suites.suite_files import suite_of
from .cells import FOLDER, Cell

__all__ = ["CAPACITIES", "STUDIES", "Options", "Study"]

Answers = Mapping[str, list[Any]]
_HELPING = ("python", "-m", "macla.evals.studies.helping")
_PLANS = ("programs", "floor")
"""Left out of studies of plans, whose games these win alone."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a study is made of.

    Attributes:
        suite: Name or file of the suite.
        split: What is played.
        library: A library that is there, of studies that play one; empty where they learn it.
        episodes: How many are learned from, or practised; None for the study's own number.
        limit: How many tasks are played; None for all.
        seed: Of what is random.
        extra: Further options of both ``macla learn`` and ``macla eval``, ``--world …``.
        learning: Further options of ``macla learn`` alone, such as --world noise=0.6.
    """

    suite: str
    split: str
    library: str = ""
    episodes: int | None = None
    limit: int | None = None
    seed: int = 0
    extra: tuple[str, ...] = ()
    learning: tuple[str, ...] = ()

    def learn(
        self,
        episodes: int | None,
        *more: str,
        library: str = f"{FOLDER}/lib",
        verb: str = "learn",
    ) -> Words:
        """Return the command that learns, or practises."""
        many = () if episodes is None else ("--episodes", str(episodes))
        words = (verb, self.suite, "--library", library, "--seed", str(self.seed))
        # What is given by hand comes last, and so counts.
        return (*words, *many, *more, *self.extra, *self.learning, "--json")

    def play(self, *more: str, library: str = f"{FOLDER}/lib") -> Words:
        """Return the command that plays."""
        few = () if self.limit is None else ("--limit", str(self.limit))
        words = ("eval", self.suite, "--library", library, "--split", self.split)
        return (*words, "--seed", str(self.seed), *few, *self.extra, *more, "--json")


Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Study:
    """A study.

    Attributes:
        about: What it asks, in words.
        cells: What is to be done.
        sections: What is told of the answers.
        library: Whether it plays one library, which may be there.
    """

    about: str
    cells: Callable[[Options], list[Cell]]
    sections: Callable[[Options, Answers], list[Section]]
    library: bool = False


# -- arms and ablations -----------------------------------------------------------------


def _ablation_cells(options: Options) -> list[Cell]:
    episodes = options.episodes or 10
    cells = []
    for part in ("", *(part for part in PARTS if part not in _PLANS)):
        off = ("--method", f"without={','.join((*_PLANS, *((part,) if part else ())))}")
        learn, play = options.learn(episodes, *off), options.play(*off)
        cells.append(Cell(f"without-{part}" if part else "whole", (learn, play)))
    return cells


def _runs(answers: Answers) -> list[tuple[str, Any]]:
    """Return name → result of the last command; the name is told as the arm."""
    return [
        (name, {**each[-1], "extra": {**each[-1]["extra"], "arm": name, "preset": None}})
        for name, each in answers.items()
    ]


def _ablation_sections(options: Options, answers: Answers) -> list[Section]:
    episodes = options.episodes or 10
    about = (
        f"Learned from {episodes} demonstrations and played without one part at a time. Programs "
        "and demonstrations done again are left out everywhere."
    )
    return [section_of("Ablations", about, _runs(answers), options.suite)]


def _library(options: Options) -> tuple[str, tuple[Cell, ...]]:
    """Return the library that a study plays, and the cell that learns it where none is there."""
    if options.library:
        return options.library, ()
    return "{lib}", (Cell("lib", (options.learn(options.episodes, library=FOLDER),)),)


def _arm_cells(options: Options) -> list[Cell]:
    """Return a cell for each arm of the suite's file that needs nothing else."""
    library, needs = _library(options)
    cells = []
    for arm in suite_of(options.suite).arms:
        shown = ("--world", "admissible") if arm == "random" else ()
        play = options.play("--arm", arm, *shown, library=library)
        cells.append(Cell(arm, (play,), needs))
    return cells


def _arm_sections(options: Options, answers: Answers) -> list[Section]:
    about = "The arms that the suite's file names. The random one is shown the possible actions."
    return [section_of("Arms", about, _runs(answers), options.suite)]


# -- capacity, duplicates, size ---------------------------------------------------------

CAPACITIES: Final = ((25, 5), (50, 10), (100, 25), (150, 40), (200, 50), (250, 60), (300, 75))
"""Most procedures and plans, from the least."""
_THETAS = (0.70, 0.75, 0.80, 0.85, 0.90, 0.95)
_SIZES = (10, 30, 100, 300, 1000)


def _capacity_cells(options: Options) -> list[Cell]:
    library, needs = _library(options)
    return [
        Cell(
            f"capacity-{p}-{m}",
            (
                (*_HELPING, "prune", library, f"{FOLDER}/lib", str(p), str(m)),
                options.play(),
            ),
            needs,
        )
        for p, m in CAPACITIES
    ]


def _capacity_sections(options: Options, answers: Answers) -> list[Section]:
    line = tuple((float(p), *_share(answers[f"capacity-{p}-{m}"][-1])) for p, m in CAPACITIES)
    rows = tuple(
        (f"{p}/{m}", str(sum(told["had"].values()) - told["gone"]), str(told["gone"]), _text(run))
        for p, m in CAPACITIES
        for told, run in [answers[f"capacity-{p}-{m}"]]
    )
    smallest = answers[f"capacity-{CAPACITIES[0][0]}-{CAPACITIES[0][1]}"][0]["items"]
    figures = (
        Lines("Success by capacity", "procedures", "share won", (Line("won", line),)),
        Lines(
            "What goes with the smallest capacity",
            "share of all runs",
            "posterior mean",
            tuple(
                Line(name, tuple((s, rho) for _, rho, s, kept in smallest if kept == stays), False)
                for name, stays in (("kept", True), ("gone", False))
            ),
        ),
        Table("Capacity", ("procedures/plans", "kept", "gone", "won"), rows),
    )
    return [Section("Capacity", "A library pruned to each capacity, then played.", figures)]


def _theta_cells(options: Options) -> list[Cell]:
    cells = []
    without = ("--method", f"without={','.join(_PLANS)}")
    domain = suite_of(options.suite).name
    for theta in _THETAS:
        settings = json.dumps({"thresholds": {"theta_dup": theta}})
        commands = (
            (*_HELPING, "make", f"{FOLDER}/lib", domain, settings),
            options.learn(options.episodes or 100, *without),
            options.play(*without),
        )
        cells.append(Cell(f"theta-{theta:.2f}", commands))
    return cells


def _theta_sections(options: Options, answers: Answers) -> list[Section]:
    runs = {theta: answers[f"theta-{theta:.2f}"] for theta in _THETAS}
    line = tuple((theta, *_share(each[-1])) for theta, each in runs.items())
    rows = tuple(
        (f"{theta:.2f}", str(each[-1]["metrics"]["library_bytes"]), _text(each[-1]))
        for theta, each in runs.items()
    )
    figures = (
        Lines("Success by θ_dup", "θ_dup", "share won", (Line("won", line),)),
        Table("θ_dup", ("θ_dup", "bytes of the library", "won"), rows),
    )
    about = f"Learned from {options.episodes or 100} demonstrations, plans alone."
    return [Section("When procedures are merged", about, figures)]


def _efficiency_cells(options: Options) -> list[Cell]:
    sizes = [n for n in _SIZES if n <= (options.episodes or _SIZES[-1])]
    return [Cell(f"from-{n}", (options.learn(n), options.play())) for n in sizes]


def _efficiency_sections(options: Options, answers: Answers) -> list[Section]:
    rows = []
    for name, each in answers.items():
        run = each[-1]
        told = run["metrics"]
        rows.append(
            (
                name.removeprefix("from-"),
                _text(run),
                f"{run['mean_steps']:.2f}",
                f"{told['library_bytes'] / 1000:.1f}",
                "" if told["decision_ms"] is None else f"{told['decision_ms']:.2f}",
                f"{told['peak_memory_bytes'] / 1e6:.0f}" if told["peak_memory_bytes"] else "",
                f"{run['llm_calls_per_episode']:.2f}",
            )
        )
    columns = ("learned from", "won", "steps", "library, kB", "ms a decision", "memory, MB")
    line = tuple(
        (float(name.removeprefix("from-")), *_share(each[-1])) for name, each in answers.items()
    )
    figures = (
        Lines("Success by demonstrations", "demonstrations", "share won", (Line("won", line),)),
        Table("Efficiency", (*columns, "model calls"), tuple(rows)),
    )
    return [Section("Efficiency", "Times are of the processor.", figures)]


# -- practice ---------------------------------------------------------------------------


def _practice_cells(options: Options) -> list[Cell]:
    more = ("--demonstrations", "10", "--method", f"without={','.join(_PLANS)}")
    learn = options.learn(options.episodes or 100, *more, verb="practice")
    commands = (learn, (*_HELPING, "evidence", f"{FOLDER}/lib"), options.play())
    return [Cell("practice", commands)]


def _practice_sections(options: Options, answers: Answers) -> list[Section]:
    curve, told, run = answers["practice"]
    windows = curve["windows"]
    solved = tuple((w["last"], w["success"], w["low"], w["high"]) for w in windows)
    posterior = tuple((w["last"], w["mean"]) for w in windows)
    fallback = tuple((w["last"], w["fallback"]) for w in windows)
    courses = tuple(
        Line(name, tuple((float(at), rho) for at, rho in points))
        for name, points in told["courses"].items()
    )
    last = windows[-1]
    rows = (
        ("episodes", str(curve["episodes"])),
        ("solved while practising", str(curve["successes"])),
        ("procedures, plans after", f"{last['procedures']}, {last['metas']}"),
        *(
            (f"changes: {change}", ", ".join(f"{n} {what}" for what, n in counts.items()))
            for change, counts in told["changes"].items()
        ),
        (f"then on {run['split']}", _text(run)),
    )
    course = tuple(
        (
            f"{w['first']} to {w['last']}",
            f"{100 * w['success']:.0f} % ({100 * w['low']:.0f} to {100 * w['high']:.0f})",
            f"{w['steps']:.1f}",
            f"{100 * w['fallback']:.1f} %",
            f"{w['mean']:.3f} ± {w['sd']:.3f}",
            f"{w['procedures']}, {w['metas']}",
        )
        for w in windows
    )
    columns = (
        "episodes",
        "solved, 95 %",
        "steps",
        "fallback",
        "posterior mean",
        "procedures, plans",
    )
    figures = (
        Lines(
            "Course of practice",
            "episodes",
            "share",
            (
                Line("solved", solved),
                Line("fallback actions", fallback),
                Line("mean posterior", posterior),
            ),
        ),
        Lines("Posterior means of what is used most", "episode", "posterior mean", courses),
        Table("Course of practice", columns, course),
        Table("Practice", ("", ""), rows),
    )
    about = (
        "Demonstrations (10, unless --learning says otherwise), then own episodes, each learned "
        "from; plans alone."
    )
    return [Section("Practice", about, figures)]


def _share(run: Mapping[str, Any]) -> tuple[float, float, float]:
    return run["success_rate"], run["ci95"][0], run["ci95"][1]


def _text(run: Mapping[str, Any]) -> str:
    n = int(run["n"])
    won = sum(bool(each["success"]) for each in run["episodes"])
    interval = wilson_interval(won, n)
    return f"{won} of {n} ({100 * interval.low:.1f} to {100 * interval.high:.1f} %)"


STUDIES: Final[Mapping[str, Study]] = {
    "ablations": Study(
        "one part of the method left out at a time, in learning and in playing",
        _ablation_cells,
        _ablation_sections,
    ),
    "arms": Study(
        "the arms that the suite's file names, on one library; kinds of tasks",
        _arm_cells,
        _arm_sections,
        library=True,
    ),
    "capacity": Study(
        "a library pruned to 25/5 ... 300/75 procedures/plans, and what went",
        _capacity_cells,
        _capacity_sections,
        library=True,
    ),
    "theta-dup": Study("θ_dup from 0.70 to 0.95", _theta_cells, _theta_sections),
    "efficiency": Study(
        "10 ... 1000 demonstrations: success, size, time of a decision, memory",
        _efficiency_cells,
        _efficiency_sections,
    ),
    "practice": Study(
        "the course of practice: curve, posteriors of each procedure, refinements",
        _practice_cells,
        _practice_sections,
    ),
}
"""Studies by name."""
