"""``macla practice``: play, learn after each episode, report the learning curve."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output
from .learn_lesson import print_removed

if TYPE_CHECKING:
    from ..evals.arms import Setting
    from ..evals.practice_baselines import Comparison
    from ..evals.practice_loop import Played, Practised
    from ..evals.suites import EvalTask, Suite
    from ..procedures.episodes.trajectories import Trajectory
    from .practice import PracticeOptions

__all__ = ["check_taught", "learn_online"]


_REFUSED = 5
"""Most changes that could not be made that are told."""


def learn_online(wanted: PracticeOptions, suite: Suite, *, as_json: bool) -> None:
    """Practise, and write the curve; Ctrl-C ends it and keeps everything.

    Raises:
        click.UsageError: The options contradict each other.
        LibraryError: The folder cannot be used.
    """
    from ..evals.arms import Setting
    from ..evals.practice_loop import PracticeSetting, in_order, practise
    from .evaluate import check_words

    place = wanted.library / ".macla" / "curve.json"
    _check_comparable(wanted, suite)
    options.check_reasoner(wanted.reasoner)
    budget = wanted.budget  # what contradicts itself is refused before anything is made
    with output.bar("reading", quiet=as_json) as bar:
        shown = _demonstrations(wanted, suite, bar)
        left_out = dict.fromkeys(each.id for each in shown)
        number = wanted.episodes + len(left_out)
        every = _tasks(wanted, suite, number, bar)
        tasks = in_order(every, wanted.seed, left_out)[: wanted.episodes]
        if not tasks:
            raise click.UsageError("no game is left to play; take fewer demonstrations")
        if len(tasks) < wanted.episodes:
            output.warn(
                f"--episodes {wanted.episodes}: there are only {len(tasks)} games to play; "
                "practice ends after them"
            )
        _prepare(wanted, suite, shown, bar)
        setting = Setting(
            suite,
            library=str(wanted.library),
            max_steps=wanted.max_steps or suite.max_steps,
            admissible=not wanted.hidden,
            scramble=wanted.scramble,
            seed=wanted.seed,
            record=True,
            without=wanted.without,
            reasoner=wanted.reasoner,
            budget=budget,
        )
        check_words(setting)
        won = 0

        def progress(each: Played, done: int, of: int) -> None:
            nonlocal won
            won += each.won
            bar.stage(f"{won} solved; {each.procedures} procedures, {each.metas} plans")
            bar(done, of)

        practised = practise(
            PracticeSetting(setting, experiments=wanted.experiments, policy=wanted.policy),
            tasks,
            episodes=wanted.episodes,
            demonstrations=_as_learned(shown, wanted.scramble),
            progress=progress,
            warn=output.warn,
        )
    if practised.before > wanted.episodes:
        output.warn(
            f"--episodes {wanted.episodes} counts the {practised.before} episodes that were "
            "played before, so nothing was played"
        )
    facts = _facts(wanted, suite, setting.max_steps, practised)
    comparisons: list[Comparison] = []
    _write_curve(place, practised, facts, comparisons)
    try:
        if wanted.compare and not practised.interrupted:
            comparisons = _compare(wanted, setting, tasks, practised, quiet=as_json)
    finally:
        # Whatever becomes of the players that it is compared with, practice is reported.
        document = _write_curve(place, practised, facts, comparisons)
        if as_json:
            output.emit_json(document)
        else:
            _print(wanted, practised, comparisons, place)
    if practised.interrupted:
        raise click.exceptions.Exit(130)


def _check_comparable(wanted: PracticeOptions, suite: Suite) -> None:
    """Refuse to compare where possible actions are not shown and cannot be.

    Raises:
        click.UsageError: They cannot be, so that nothing can be compared with.
    """
    from ..procedures.common.errors import DataError

    if not (wanted.compare and wanted.hidden):
        return
    try:
        suite.environment(show_admissible=True)
    except DataError as error:
        raise click.UsageError(
            "--compare: those that do not learn choose among possible actions, which "
            f"{wanted.source} cannot show; leave it out"
        ) from error


def _compare(
    wanted: PracticeOptions,
    setting: Setting,
    tasks: list[EvalTask],
    practised: Practised,
    *,
    quiet: bool,
) -> list[Comparison]:
    """Play the games without learning."""
    from ..evals.practice_baselines import compare_practice

    with output.bar("playing without learning", quiet=quiet) as bar:
        return compare_practice(setting, tasks, practised.played, wanted.experiments, bar)


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
    wanted: PracticeOptions, suite: Suite, max_steps: int, practised: Practised
) -> dict[str, Any]:
    """Return what a curve came about by."""
    return {
        "suite": suite.name,
        **suite.facts(),
        "library": str(wanted.library),
        "demonstrations": practised.demonstrations,
        "leave_out": list(wanted.leave_out),
        "without": list(wanted.without),
        "seed": wanted.seed,
        "max_steps": max_steps,
        "admissible": not wanted.hidden,
        "scramble": wanted.scramble,
        "interrupted": practised.interrupted,
        "episodes_before": practised.before,
        "footprint": practised.footprint.to_document(),
        "removed": list(practised.removed),
    }


def _demonstrations(wanted: PracticeOptions, suite: Suite, bar: output.Bar) -> list[Trajectory]:
    if wanted.taught == 0:
        return []
    count = None if wanted.leave_out else wanted.taught
    found, _ = suite.demonstrations(count, wanted.seed, bar)
    if wanted.leave_out:
        found = [t for t in found if not any(a.startswith(wanted.leave_out) for a in t.acts)]
        found = found[: wanted.taught]
    return found


def _tasks(wanted: PracticeOptions, suite: Suite, number: int, bar: output.Bar) -> list[EvalTask]:
    """Return so many games of the split, or all where there are fewer."""
    from ..procedures.common.errors import DataError

    try:
        return suite.tasks(wanted.split, limit=number, seed=wanted.seed, progress=bar)
    except DataError:
        return suite.tasks(wanted.split, seed=wanted.seed, progress=bar)


def _as_learned(shown: list[Trajectory], scramble: int | None) -> list[Trajectory]:
    from ..evals.lesson import scramble_words

    return list(scramble_words(shown, scramble, lambda _: None))


def _prepare(
    wanted: PracticeOptions, suite: Suite, shown: list[Trajectory], bar: output.Bar
) -> None:
    """Make the library if it is not there: from the demonstrations, or empty."""
    from ..evals.starting import is_new, start_empty
    from ..procedures.method.ablation import parse_parts

    domain = wanted.domain or suite.domain
    new = is_new(wanted.library, domain)
    if not new:
        check_taught(wanted.library, shown)
        check_preset(wanted.library, wanted.preset)
    chosen = {} if wanted.preset is None else {"preset": wanted.preset}
    if shown and (new or _untaught(wanted, shown)):
        _teach(wanted, suite, shown, bar, new=new)
    elif new:
        learned: dict[str, Any] = {"from": suite.name, "seed": wanted.seed, "episodes": 0}
        if wanted.scramble is not None:
            learned["scramble"] = wanted.scramble
        if wanted.without:
            learned["without"] = sorted(parse_parts(wanted.without))
        start_empty(wanted.library.resolve(), domain, {"learned": learned, **chosen})
    if wanted.policy is not None and (new or _just_made(wanted.library)):
        from ..adapters.git.stores import commit_library

        told = f"from {len(shown)} demonstrations" if shown else "empty"
        commit_library(wanted.library, f"Start the library {wanted.library.name}, {told}\n")


def _untaught(wanted: PracticeOptions, shown: list[Trajectory]) -> bool:
    """Say whether some demonstrations were not taught to a library yet."""
    from ..procedures.learning.taught import joined, read_taught
    from ..procedures.library.library import Library

    kept = read_taught(Library.open(wanted.library)) or []
    return len(joined(kept, _as_learned(shown, wanted.scramble))) > len(kept)


def _teach(
    wanted: PracticeOptions, suite: Suite, shown: list[Trajectory], bar: output.Bar, *, new: bool
) -> None:
    """Teach demonstrations, as ``macla learn`` does."""
    from ..evals.reviewed_learning import by_proposals, teach_by_review
    from ..evals.teaching import teach

    common: dict[str, Any] = {
        "domain": wanted.domain or suite.domain,
        "source": {"from": suite.name, "seed": wanted.seed},
        "scramble": wanted.scramble,
        "stage": bar.stage,
    }
    # A new library is committed as a whole; what learns without a part is never proposed.
    way = None if new or wanted.without else by_proposals(wanted.library, wanted.policy)
    if way is not None:
        for name, why in teach_by_review(
            wanted.library, shown, policy=way, **common
        ).refused.items():
            output.warn(f"{name}: {why}")
        return
    common |= {"without": wanted.without, "preset": wanted.preset}
    for each in teach(wanted.library, shown, **common).warnings:
        output.warn(f"{wanted.library}: {each}")


def _just_made(library: Path) -> bool:
    """Say whether a library was made by learning, and a kill came before its first commit."""
    from ..adapters.git.stores import in_work_tree, is_tracked
    from ..procedures.library.library import Library
    from ..procedures.local.machine_folder import local_path

    practised = local_path(library, "practice.jsonl")
    if (practised.exists() and practised.stat().st_size) or not in_work_tree(library):
        return False
    return "learned" in Library.open(library).settings.settings and not is_tracked(library)


def check_preset(path: Path, preset: str | None) -> None:
    """Refuse to learn under another preset than the library was learned with before.

    Raises:
        LibraryError: It names another preset.
    """
    from ..procedures.common.errors import LibraryError
    from ..procedures.library.library import Library
    from ..procedures.method.settings import Method

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
    from ..procedures.common.errors import LibraryError
    from ..procedures.learning.taught import lacking_taught
    from ..procedures.library.library import Library

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
    wanted: PracticeOptions,
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
        f"{output.strong(str(wanted.library))} {state} {len(played)} episodes{now} "
        f"({'nothing learned afresh' if practised.lacking else shown})"
    )
    if played:
        output.say(curve_text(played))
    print_removed(practised.removed)
    shown_them = " (possible actions shown)" if wanted.hidden else ""
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
