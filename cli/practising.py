"""``macla practice``: play, learn after each episode, report the learning curve."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ..graph.budget import Budget
from . import options, output
from .learn_lesson import print_removed

if TYPE_CHECKING:
    from ..evals.arms import Setting
    from ..evals.practice import Played, Practised
    from ..evals.practice_baselines import Comparison
    from ..evals.suites import EvalTask, Suite
    from ..procedures.trajectories import Trajectory
    from .practice import PracticeOptions

__all__ = ["OnlineRequest", "check_taught", "learn_online"]


_REFUSED = 5
"""Most changes that could not be made that are told."""


@dataclass(frozen=True, slots=True)
class OnlineRequest:
    """What practice was asked for.

    Attributes:
        source: A suite, or ``module:Class``.
        library: Folder.
        episodes: How many to play in all.
        demonstrations: How many to learn from first; None for all there are.
        leave_out: Leave out demonstrations with an action that begins so.
        split: Where the games come from.
        seed: Seed of all choices.
        max_steps: Horizon; None for the suite's.
        scramble: Seed of invented words, or None.
        hidden: Play without being shown what is possible.
        experiments: Most actions an episode spends on experiments.
        compare: Also play the games without learning, and test the difference.
        without: Parts of the method to leave out.
        policy: How changes get into the library; None for its own way.
        preset: Of a new library; None for the default.
        domain: Name of the domain; None for the suite's.
        reasoner: Who is asked where symbols abstain, in play and about failures.
        budget: What one episode may ask of its model.
    """

    source: str
    library: Path
    episodes: int
    demonstrations: int | None
    leave_out: tuple[str, ...]
    split: str
    seed: int
    max_steps: int | None
    scramble: int | None
    hidden: bool
    experiments: int
    compare: bool
    without: tuple[str, ...] = ()
    policy: Literal["auto", "review"] | None = None
    preset: str | None = None
    domain: str | None = None
    reasoner: str = "symbolic"
    budget: Budget = field(default_factory=Budget)

    @classmethod
    def of(cls, wanted: PracticeOptions) -> OnlineRequest:
        """Read the command line.

        Raises:
            click.UsageError: ``--demonstrations`` is no number, or no model is asked that an
                option limits.
        """
        return cls(
            source=wanted.source,
            library=wanted.library,
            episodes=wanted.episodes,
            demonstrations=_count(wanted.demonstrations),
            leave_out=wanted.leave_out,
            split=wanted.split,
            seed=wanted.seed,
            max_steps=wanted.max_steps,
            scramble=wanted.scramble,
            hidden=wanted.admissible is False,
            experiments=wanted.experiments,
            compare=wanted.compare,
            without=wanted.without,
            policy=wanted.policy,
            preset=wanted.preset,
            domain=wanted.domain,
            reasoner=wanted.reasoner,
            budget=options.budget_of(
                wanted.reasoner,
                Budget(),
                calls=wanted.model_calls,
                tokens=wanted.model_tokens,
                timeout=wanted.model_timeout,
            ),
        )


def learn_online(request: OnlineRequest, suite: Suite, *, as_json: bool) -> None:
    """Practise, and write the curve; Ctrl-C ends it and keeps everything.

    Raises:
        click.UsageError: The options contradict each other.
        LibraryError: The folder cannot be used.
    """
    from ..evals.arms import Setting
    from ..evals.practice import PracticeSetting, in_order, practise
    from .evaluate import check_words

    place = request.library / ".macla" / "curve.json"
    _check_comparable(request, suite)
    options.check_reasoner(request.reasoner)
    with output.bar("reading", quiet=as_json) as bar:
        shown = _demonstrations(request, suite, bar)
        left_out = dict.fromkeys(each.id for each in shown)
        wanted = request.episodes + len(left_out)
        every = _tasks(request, suite, wanted, bar)
        tasks = in_order(every, request.seed, left_out)[: request.episodes]
        if not tasks:
            raise click.UsageError("no game is left to play; take fewer demonstrations")
        if len(tasks) < request.episodes:
            output.warn(
                f"--episodes {request.episodes}: there are only {len(tasks)} games to play; "
                "practice ends after them"
            )
        _prepare(request, suite, shown, bar)
        setting = Setting(
            suite,
            library=str(request.library),
            max_steps=request.max_steps or suite.max_steps,
            admissible=not request.hidden,
            scramble=request.scramble,
            seed=request.seed,
            record=True,
            without=request.without,
            reasoner=request.reasoner,
            budget=request.budget,
        )
        check_words(setting)
        won = 0

        def progress(each: Played, done: int, of: int) -> None:
            nonlocal won
            won += each.won
            bar.stage(f"{won} solved; {each.procedures} procedures, {each.metas} plans")
            bar(done, of)

        practised = practise(
            PracticeSetting(setting, experiments=request.experiments, policy=request.policy),
            tasks,
            episodes=request.episodes,
            demonstrations=_as_learned(shown, request.scramble),
            progress=progress,
            warn=output.warn,
        )
    if practised.before > request.episodes:
        output.warn(
            f"--episodes {request.episodes} counts the {practised.before} episodes that were "
            "played before, so nothing was played"
        )
    facts = _facts(request, suite, setting.max_steps, practised)
    comparisons: list[Comparison] = []
    _write_curve(place, practised, facts, comparisons)
    try:
        if request.compare and not practised.interrupted:
            comparisons = _compare(request, setting, tasks, practised, quiet=as_json)
    finally:
        # Whatever becomes of the players that it is compared with, practice is reported.
        document = _write_curve(place, practised, facts, comparisons)
        if as_json:
            output.emit_json(document)
        else:
            _print(request, practised, comparisons, place)
    if practised.interrupted:
        raise click.exceptions.Exit(130)


def _check_comparable(request: OnlineRequest, suite: Suite) -> None:
    """Refuse to compare where possible actions are not shown and cannot be.

    Raises:
        click.UsageError: They cannot be, so that nothing can be compared with.
    """
    from ..procedures.errors import DataError

    if not (request.compare and request.hidden):
        return
    try:
        suite.environment(show_admissible=True)
    except DataError as error:
        raise click.UsageError(
            "--compare: those that do not learn choose among possible actions, which "
            f"{request.source} cannot show; leave it out"
        ) from error


def _compare(
    request: OnlineRequest,
    setting: Setting,
    tasks: list[EvalTask],
    practised: Practised,
    *,
    quiet: bool,
) -> list[Comparison]:
    """Play the games without learning."""
    from ..evals.practice_baselines import compare_practice

    with output.bar("playing without learning", quiet=quiet) as bar:
        return compare_practice(setting, tasks, practised.played, request.experiments, bar)


def _write_curve(
    place: Path, practised: Practised, facts: dict[str, Any], comparisons: list[Comparison]
) -> dict[str, Any]:
    """Write the learning curve, and return it."""
    from ..evals.curve import curve_document

    compared = {"comparisons": [each.to_document() for each in comparisons]}
    document = curve_document(practised.played, {**facts, **compared})
    place.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return document


def _facts(
    request: OnlineRequest, suite: Suite, max_steps: int, practised: Practised
) -> dict[str, Any]:
    """Return what a curve came about by."""
    return {
        "suite": suite.name,
        **suite.facts(),
        "library": str(request.library),
        "demonstrations": practised.demonstrations,
        "leave_out": list(request.leave_out),
        "without": list(request.without),
        "seed": request.seed,
        "max_steps": max_steps,
        "admissible": not request.hidden,
        "scramble": request.scramble,
        "interrupted": practised.interrupted,
        "episodes_before": practised.before,
        "footprint": practised.footprint.to_document(),
        "removed": list(practised.removed),
    }


def _count(demonstrations: str | None) -> int | None:
    """Read ``--demonstrations``: a number, or all, which is None."""
    if demonstrations == "all":
        return None
    if demonstrations is None:
        return 0
    if not demonstrations.isdecimal():
        raise click.UsageError(f"--demonstrations takes a number or all, not {demonstrations!r}")
    return int(demonstrations)


def _demonstrations(request: OnlineRequest, suite: Suite, bar: output.Bar) -> list[Trajectory]:
    if request.demonstrations == 0:
        return []
    count = None if request.leave_out else request.demonstrations
    found, _ = suite.demonstrations(count, request.seed, bar)
    if request.leave_out:
        found = [t for t in found if not any(a.startswith(request.leave_out) for a in t.acts)]
        found = found[: request.demonstrations]
    return found


def _tasks(request: OnlineRequest, suite: Suite, wanted: int, bar: output.Bar) -> list[EvalTask]:
    """Return so many games of the split, or all where there are fewer."""
    from ..procedures.errors import DataError

    try:
        return suite.tasks(request.split, limit=wanted, seed=request.seed, progress=bar)
    except DataError:
        return suite.tasks(request.split, seed=request.seed, progress=bar)


def _as_learned(shown: list[Trajectory], scramble: int | None) -> list[Trajectory]:
    from ..evals.lesson import scramble_words

    return list(scramble_words(shown, scramble, lambda _: None))


def _prepare(
    request: OnlineRequest, suite: Suite, shown: list[Trajectory], bar: output.Bar
) -> None:
    """Make the library if it is not there: from the demonstrations, or empty."""
    from ..evals.starting import is_new, start_empty
    from ..procedures.ablation import parse_parts

    domain = request.domain or suite.domain
    new = is_new(request.library, domain)
    if not new:
        check_taught(request.library, shown)
        check_preset(request.library, request.preset)
    chosen = {} if request.preset is None else {"preset": request.preset}
    if shown and (new or _untaught(request, shown)):
        _teach(request, suite, shown, bar, new=new)
    elif new:
        learned: dict[str, Any] = {"from": suite.name, "seed": request.seed, "episodes": 0}
        if request.scramble is not None:
            learned["scramble"] = request.scramble
        if request.without:
            learned["without"] = sorted(parse_parts(request.without))
        start_empty(request.library.resolve(), domain, {"learned": learned, **chosen})
    if request.policy is not None and (new or _just_made(request.library)):
        from ..adapters.git.stores import commit_library

        told = f"from {len(shown)} demonstrations" if shown else "empty"
        commit_library(request.library, f"Start the library {request.library.name}, {told}\n")


def _untaught(request: OnlineRequest, shown: list[Trajectory]) -> bool:
    """Say whether some demonstrations were not taught to a library yet."""
    from ..procedures.learning.taught import joined, read_taught
    from ..procedures.library import Library

    kept = read_taught(Library.open(request.library)) or []
    return len(joined(kept, _as_learned(shown, request.scramble))) > len(kept)


def _teach(
    request: OnlineRequest, suite: Suite, shown: list[Trajectory], bar: output.Bar, *, new: bool
) -> None:
    """Teach demonstrations, as ``macla learn`` does."""
    from ..evals.reviewing import by_proposals, teach_by_review
    from ..evals.teaching import teach

    common: dict[str, Any] = {
        "domain": request.domain or suite.domain,
        "source": {"from": suite.name, "seed": request.seed},
        "scramble": request.scramble,
        "stage": bar.stage,
    }
    # A new library is committed as a whole; what learns without a part is never proposed.
    way = None if new or request.without else by_proposals(request.library, request.policy)
    if way is not None:
        for name, why in teach_by_review(
            request.library, shown, policy=way, **common
        ).refused.items():
            output.warn(f"{name}: {why}")
        return
    common |= {"without": request.without, "preset": request.preset}
    for each in teach(request.library, shown, **common).warnings:
        output.warn(f"{request.library}: {each}")


def _just_made(library: Path) -> bool:
    """Say whether a library was made by learning, and a kill came before its first commit."""
    from ..adapters.git.stores import in_work_tree, is_tracked
    from ..procedures.library import Library
    from ..procedures.local.state import local_path

    practised = local_path(library, "practice.jsonl")
    if (practised.exists() and practised.stat().st_size) or not in_work_tree(library):
        return False
    return "learned" in Library.open(library).settings.settings and not is_tracked(library)


def check_preset(path: Path, preset: str | None) -> None:
    """Refuse to learn under another preset than the library was learned with before.

    Raises:
        LibraryError: It names another preset.
    """
    from ..procedures.errors import LibraryError
    from ..procedures.library import Library
    from ..procedures.method import Method

    known = Method.from_settings(Library.open(path).settings.settings).preset.name
    if preset not in (None, known):
        raise LibraryError(
            f"has the preset {known}, not {preset}",
            file=path / "library.yaml",
            path=("settings", "preset"),
            hint="change it there, leave out the preset, or name a new folder",
        )


def check_taught(path: Path, shown: list[Trajectory]) -> None:
    """Refuse to replace what a library holds by demonstrations.

    Raises:
        LibraryError: Some are given, and those that it was taught from are not all at hand.
    """
    from ..procedures.errors import LibraryError
    from ..procedures.learning.taught import lacking_taught
    from ..procedures.library import Library

    known = Library.open(path)
    if not shown or not (known.procedures or known.metas or known.programs):
        return
    if lacking := lacking_taught(known):
        raise LibraryError(
            f"{lacking}; learning from demonstrations would replace what they showed",
            file=path,
            hint="leave out --demonstrations to refine what it holds, or name a new folder",
        )


def _print(
    request: OnlineRequest,
    practised: Practised,
    comparisons: list[Comparison],
    place: Path,
) -> None:
    from ..evals.curve import curve_text

    played = practised.played
    state = "interrupted after" if practised.interrupted else "practised"
    now = f" in all, {len(played) - practised.before} of them now" if practised.before else ""
    shown = f"{practised.demonstrations} demonstrations"
    output.say(
        f"{output.strong(str(request.library))} {state} {len(played)} episodes{now} "
        f"({'nothing learned afresh' if practised.lacking else shown})"
    )
    if played:
        output.say(curve_text(played))
    print_removed(practised.removed)
    shown_them = " (possible actions shown)" if request.hidden else ""
    for each in comparisons:
        output.say(
            f"against {each.player}{shown_them}: {each.practice} of {each.games} games solved, "
            f"{each.other} without learning; p = {each.p_value:.2g} (McNemar, exact)"
        )
    for why in practised.refused[:_REFUSED]:
        output.warn(f"not changed: {why}")
    if practised.refusals > _REFUSED:
        output.warn(f"not changed: {practised.refusals - _REFUSED} more")
    memory = practised.footprint
    output.say(
        f"memory: {memory.files} files of {memory.file_bytes / 1e6:.2f} MB, {memory.rows} rows of "
        f"evidence ({memory.ledger_bytes / 1e6:.2f} MB), index {memory.index_bytes / 1e6:.2f} MB, "
        f"episodes {memory.buffer_bytes / 1e6:.2f} MB"
    )
    output.say(f"curve: {place}")
    if practised.interrupted:
        output.say("Give the same command to go on.")
