"""``macla practice``: play, learn after each episode, report the learning curve."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import options, output
from .learn_lesson import print_removed

if TYPE_CHECKING:
    from ..evals.players.arms import Setting
    from ..evals.practice.practice_baselines import Comparison
    from ..evals.practice.practice_loop import Played, Practised
    from ..evals.suites.suites import EvalTask, Suite
    from ..procedures.episodes.trajectories import Trajectory
    from .practice import PracticeOptions

_REFUSED = 5
"""Most refused changes that are printed."""


def learn_online(arguments: PracticeOptions, suite: Suite, *, as_json: bool) -> None:
    """Practise, and write the curve; Ctrl-C ends it and keeps everything.

    Raises:
        click.UsageError: The options contradict each other.
        LibraryError: The folder cannot be used.
    """
    from ..evals.players.arms import Setting
    from ..evals.practice.practice_loop import PracticeSetting, in_order, practise
    from .evaluate import check_words

    curve_file = arguments.library / ".macla" / "curve.json"
    _check_comparable(arguments, suite)
    options.check_reasoner(arguments.reasoner)
    budget = arguments.budget  # contradictory options are refused before anything is made
    with output.bar("reading", quiet=as_json) as bar:
        demonstrations = _demonstrations(arguments, suite, bar)
        demonstrated_ids = dict.fromkeys(each.id for each in demonstrations)
        number = arguments.episodes + len(demonstrated_ids)
        all_tasks = _tasks(arguments, suite, number, bar)
        tasks = in_order(all_tasks, arguments.seed, demonstrated_ids)[: arguments.episodes]
        if not tasks:
            raise click.UsageError("no game is left to play; take fewer demonstrations")
        if len(tasks) < arguments.episodes:
            output.warn(
                f"--episodes {arguments.episodes}: there are only {len(tasks)} games to play; "
                "practice ends after them"
            )
        _prepare(arguments, suite, demonstrations, bar)
        setting = Setting(
            suite,
            library=str(arguments.library),
            max_steps=arguments.max_steps or suite.max_steps,
            admissible=not arguments.hidden,
            scramble=arguments.scramble,
            seed=arguments.seed,
            record=True,
            without=arguments.without,
            reasoner=arguments.reasoner,
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
            PracticeSetting(setting, experiments=arguments.experiments, policy=arguments.policy),
            tasks,
            episodes=arguments.episodes,
            demonstrations=_as_learned(demonstrations, arguments.scramble),
            progress=progress,
            warn=output.warn,
        )
    if practised.before > arguments.episodes:
        output.warn(
            f"--episodes {arguments.episodes} counts the {practised.before} episodes that were "
            "played before, so nothing was played"
        )
    facts = _facts(arguments, suite, setting.max_steps, practised)
    comparisons: list[Comparison] = []
    _write_curve(curve_file, practised, facts, comparisons)
    try:
        if arguments.compare and not practised.interrupted:
            comparisons = _compare(arguments, setting, tasks, practised, quiet=as_json)
    finally:
        # Practice is reported even if the comparison fails.
        document = _write_curve(curve_file, practised, facts, comparisons)
        if as_json:
            output.emit_json(document)
        else:
            _print(arguments, practised, comparisons, curve_file)
    if practised.interrupted:
        raise click.exceptions.Exit(130)


def _check_comparable(arguments: PracticeOptions, suite: Suite) -> None:
    """Refuse to compare where possible actions are hidden and cannot be shown.

    Raises:
        click.UsageError: The world cannot show them.
    """
    from ..procedures.common.errors import DataError

    if not (arguments.compare and arguments.hidden):
        return
    try:
        suite.environment(show_admissible=True)
    except DataError as error:
        raise click.UsageError(
            "--compare: those that do not learn choose among possible actions, which "
            f"{arguments.source} cannot show; leave it out"
        ) from error


def _compare(
    arguments: PracticeOptions,
    setting: Setting,
    tasks: list[EvalTask],
    practised: Practised,
    *,
    quiet: bool,
) -> list[Comparison]:
    """Play the games without learning."""
    from ..evals.practice.practice_baselines import compare_practice

    with output.bar("playing without learning", quiet=quiet) as bar:
        return compare_practice(setting, tasks, practised.played, arguments.experiments, bar)


def _write_curve(
    place: Path, practised: Practised, facts: dict[str, Any], comparisons: list[Comparison]
) -> dict[str, Any]:
    """Write the learning curve, and return it."""
    from ..evals.practice.curve import curve_document

    compared = {"comparisons": [each.to_document() for each in comparisons]}
    document = curve_document(practised.played, {**facts, **compared})
    place.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return document


def _facts(
    arguments: PracticeOptions, suite: Suite, max_steps: int, practised: Practised
) -> dict[str, Any]:
    """Return the conditions of a learning curve."""
    return {
        "suite": suite.name,
        **suite.facts(),
        "library": str(arguments.library),
        "demonstrations": practised.demonstrations,
        "leave_out": list(arguments.leave_out),
        "without": list(arguments.without),
        "seed": arguments.seed,
        "max_steps": max_steps,
        "admissible": not arguments.hidden,
        "scramble": arguments.scramble,
        "interrupted": practised.interrupted,
        "episodes_before": practised.before,
        "footprint": practised.footprint.to_document(),
        "removed": list(practised.removed),
    }


def _demonstrations(arguments: PracticeOptions, suite: Suite, bar: output.Bar) -> list[Trajectory]:
    if arguments.taught == 0:
        return []
    count = None if arguments.leave_out else arguments.taught
    demonstrations, _ = suite.demonstrations(count, arguments.seed, bar)
    if arguments.leave_out:
        demonstrations = [
            t for t in demonstrations if not any(a.startswith(arguments.leave_out) for a in t.acts)
        ]
        demonstrations = demonstrations[: arguments.taught]
    return demonstrations


def _tasks(
    arguments: PracticeOptions, suite: Suite, number: int, bar: output.Bar
) -> list[EvalTask]:
    """Return a number of games of the split, or all where there are fewer."""
    from ..procedures.common.errors import DataError

    try:
        return suite.tasks(arguments.split, limit=number, seed=arguments.seed, progress=bar)
    except DataError:
        return suite.tasks(arguments.split, seed=arguments.seed, progress=bar)


def _as_learned(demonstrations: list[Trajectory], scramble: int | None) -> list[Trajectory]:
    from ..adapters.teaching.lesson import scramble_words

    return list(scramble_words(demonstrations, scramble, lambda _: None))


def _prepare(
    arguments: PracticeOptions, suite: Suite, demonstrations: list[Trajectory], bar: output.Bar
) -> None:
    """Make the library, from demonstrations or empty, if it does not exist."""
    from ..adapters.teaching.starting import is_new, start_empty
    from ..procedures.method.ablation import parse_parts

    domain = arguments.domain or suite.domain
    is_new_library = is_new(arguments.library, domain)
    if not is_new_library:
        check_taught(arguments.library, demonstrations)
        check_preset(arguments.library, arguments.preset)
    preset_setting = {} if arguments.preset is None else {"preset": arguments.preset}
    if demonstrations and (is_new_library or _untaught(arguments, demonstrations)):
        _teach(arguments, suite, demonstrations, bar, new=is_new_library)
    elif is_new_library:
        origin: dict[str, Any] = {"from": suite.name, "seed": arguments.seed, "episodes": 0}
        if arguments.scramble is not None:
            origin["scramble"] = arguments.scramble
        if arguments.without:
            origin["without"] = sorted(parse_parts(arguments.without))
        start_empty(arguments.library.resolve(), domain, {"learned": origin, **preset_setting})
    if arguments.policy is not None and (is_new_library or _just_made(arguments.library)):
        from ..adapters.git.stores import commit_library

        start_text = f"from {len(demonstrations)} demonstrations" if demonstrations else "empty"
        commit_library(
            arguments.library, f"Start the library {arguments.library.name}, {start_text}\n"
        )


def _untaught(arguments: PracticeOptions, demonstrations: list[Trajectory]) -> bool:
    """Whether some demonstrations were not taught to a library yet."""
    from ..procedures.learning.taught import joined, read_taught
    from ..procedures.library.library import Library

    taught = read_taught(Library.open(arguments.library)) or []
    return len(joined(taught, _as_learned(demonstrations, arguments.scramble))) > len(taught)


def _teach(
    arguments: PracticeOptions,
    suite: Suite,
    demonstrations: list[Trajectory],
    bar: output.Bar,
    *,
    new: bool,
) -> None:
    """Teach demonstrations, as ``macla learn`` does."""
    from ..adapters.teaching.reviewed_learning import by_proposals, teach_by_review
    from ..adapters.teaching.teaching import teach

    common: dict[str, Any] = {
        "domain": arguments.domain or suite.domain,
        "source": {"from": suite.name, "seed": arguments.seed},
        "scramble": arguments.scramble,
        "stage": bar.stage,
    }
    # A new library is committed as a whole. Learning without a part makes no proposals.
    way = None if new or arguments.without else by_proposals(arguments.library, arguments.policy)
    if way is not None:
        for name, why in teach_by_review(
            arguments.library, demonstrations, policy=way, **common
        ).refused.items():
            output.warn(f"{name}: {why}")
        return
    common |= {"without": arguments.without, "preset": arguments.preset}
    for each in teach(arguments.library, demonstrations, **common).warnings:
        output.warn(f"{arguments.library}: {each}")


def _just_made(library: Path) -> bool:
    """Whether learning made a library, and was killed before the first commit."""
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

    library_preset = Method.from_settings(Library.open(path).settings.settings).preset.name
    if preset not in (None, library_preset):
        raise LibraryError(
            f"has the preset {library_preset}, not {preset}",
            file=path / "library.yaml",
            path=("settings", "preset"),
            hint="change it there, leave out the preset, or name a new folder",
        )


def check_taught(path: Path, demonstrations: list[Trajectory]) -> None:
    """Refuse demonstrations that would replace the documents of a library.

    Raises:
        LibraryError: Demonstrations are given, and some earlier ones of the library are missing.
    """
    from ..procedures.common.errors import LibraryError
    from ..procedures.learning.taught import lacking_taught
    from ..procedures.library.library import Library

    library = Library.open(path)
    if not demonstrations or not (library.procedures or library.metas or library.programs):
        return
    if lacking := lacking_taught(library):
        raise LibraryError(
            f"{lacking}; learning from demonstrations would replace what they showed",
            file=path,
            hint="leave out --demonstrations to refine what it holds, or name a new folder",
        )


def _print(
    arguments: PracticeOptions,
    practised: Practised,
    comparisons: list[Comparison],
    place: Path,
) -> None:
    from ..evals.practice.curve import curve_text

    episodes = practised.played
    state = "interrupted after" if practised.interrupted else "practised"
    now = f" in all, {len(episodes) - practised.before} of them now" if practised.before else ""
    demonstrations_text = f"{practised.demonstrations} demonstrations"
    output.say(
        f"{output.strong(str(arguments.library))} {state} {len(episodes)} episodes{now} "
        f"({'nothing learned afresh' if practised.lacking else demonstrations_text})"
    )
    if episodes:
        output.say(curve_text(episodes))
    print_removed(practised.removed)
    visibility = " (possible actions shown)" if arguments.hidden else ""
    for each in comparisons:
        output.say(
            f"against {each.player}{visibility}: {each.practice} of {each.games} games solved, "
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
