"""``macla practice --rewards``: play for rewards, and learn what candidates are worth."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from . import output

if TYPE_CHECKING:
    from ..evals.practice.rewarding import Rewarded
    from .practice import PracticeOptions


def practise_rewarded(arguments: PracticeOptions) -> None:
    """Practise with the library that is there; Ctrl-C ends it and keeps everything.

    Raises:
        LibraryError: The folder cannot be used, or no choice of its programs is open.
        click.exceptions.Exit: It was interrupted; everything is kept.
    """
    from ..evals.players.arms import Setting
    from ..evals.practice.rewarding import practise_for_rewards
    from ..evals.suites.suites import make_suite
    from .evaluate import check_words

    episodes = arguments.episodes
    suite = make_suite(arguments.source, data=arguments.data)
    setting = Setting(
        suite,
        library=str(arguments.library),
        max_steps=arguments.max_steps or suite.max_steps,
        scramble=arguments.scramble,
        seed=arguments.seed,
        without=arguments.without,
    )
    check_words(setting)
    with output.bar("practising", quiet=arguments.as_json) as bar:
        tasks = suite.tasks(arguments.split, seed=setting.seed)

        def progress(done: int, of: int, mean: float) -> None:
            bar.stage(f"mean reward {mean:.3f}")
            bar(done, of)

        rewarded = practise_for_rewards(
            setting,
            tasks,
            episodes=episodes,
            policy=arguments.policy,
            progress=progress,
            warn=output.warn,
        )
    if rewarded.before >= episodes:
        output.warn(
            f"--episodes {episodes} counts the {rewarded.before} episodes that were played before, "
            "so nothing was played"
        )
    if rewarded.errors:
        output.warn(f"{rewarded.errors} episodes ended by an error and teach nothing")
    if not arguments.as_json:
        _print(rewarded, arguments)
    else:
        output.emit_json({"library": str(arguments.library), "practice": asdict(rewarded)})
    if rewarded.interrupted:
        raise click.exceptions.Exit(130)


def _print(rewarded: Rewarded, arguments: PracticeOptions) -> None:
    """Print the result of practice."""
    state = "interrupted after" if rewarded.interrupted else "practised"
    now = f", {rewarded.episodes - rewarded.before} of them now" if rewarded.before else ""
    output.say(f"{output.strong(str(arguments.library))} {state} {rewarded.episodes} episodes{now}")
    if rewarded.mean_reward is not None and rewarded.first_reward is not None:
        output.say(
            f"  mean reward {rewarded.mean_reward:.3f} where the best candidate was meant "
            f"({rewarded.first_reward:.3f} in the first half), on tasks of practice"
        )
    output.say(f"  {rewarded.program}: {rewarded.said or 'nothing learned yet'}")
    output.say(f"  fact memory: {rewarded.known} candidates")
    if not rewarded.changed:
        output.say("  the library is as before")
    if rewarded.interrupted:
        output.say("Give the same command to go on.")
        return
    words = f" --world scramble={arguments.scramble}" if arguments.scramble is not None else ""
    split = "TASKS.txt" if ":" in arguments.source else "dev"
    play = f"macla eval {arguments.source} --library {arguments.library} --split {split}{words}"
    output.say(f"\nTry next:\n  {play}\n  {play} --method fact-memory")
    output.say(f"  macla show {rewarded.program} --library {arguments.library}")
