"""What a library does not know: ``macla ask``, and ``macla show --unexplained``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from command_line import as_json, run
from macla.evals.ladder.cells import world_cell
from macla.evals.ladder.worlds import world_of
from macla.procedures.episodes.trajectories import Trajectory, read_trajectories, write_trajectories
from macla.procedures.learning.taught import TAUGHT


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library of couriers: the cheapest offer was always the fastest as well."""
    folder = tmp_path_factory.mktemp("couriers")
    lesson = list(world_cell(world_of("courier-offers"), "hidden").lesson)[:20]
    write_trajectories(folder / "shown.jsonl", lesson)
    assert run("learn", folder / "shown.jsonl", "--library", folder / "lib").exit_code == 0
    return folder / "lib"


def test_ask_names_the_rules_that_no_demonstration_parts(library: Path) -> None:
    (question,) = as_json("ask", library)["questions"]
    assert question["settles"] == 1
    assert "least {3}; least {4}" in question["text"]
    assert question["text"] in run("ask", library).stdout


def test_ask_of_something_else_is_refused(tmp_path: Path) -> None:
    result = run("ask", tmp_path)
    assert result.exit_code != 0
    assert "is not a library" in result.stderr


def test_what_is_not_reproduced_is_listed(library: Path) -> None:
    assert "0 of 20 demonstrations" in run("show", library, "--unexplained").stdout
    kept = library / TAUGHT
    first, *others = read_trajectories(kept)
    before = kept.read_bytes()
    try:
        acts = (*first.acts[:-1], "order by offer 1")
        write_trajectories(kept, [replace(first, acts=acts), *others])
        (one,) = as_json("show", library, "--unexplained")["unexplained"]
    finally:
        kept.write_bytes(before)
    assert (one["number"], one["step"]) == (1, len(acts))
    assert "order by offer 1" in one["because"]


def test_actions_that_nothing_calls_for_are_listed(tmp_path: Path) -> None:
    names = ("oak", "elm", "fir", "ash", "yew", "box", "bay", "fig", "gum", "nut", "may", "sal")
    demonstrations = [
        Trajectory(
            f"Plant {name}.",
            ("A spade leans here.", *["La la."] * (number % 3 == 0), "The spade is up.", "Done."),
            (*["hum a tune"] * (number % 3 == 0), "lift the spade", f"plant {name}"),
            success=True,
            id=f"plant/{number}",
        )
        for number, name in enumerate(names)
    ]
    write_trajectories(tmp_path / "shown.jsonl", demonstrations)
    assert run("learn", tmp_path / "shown.jsonl", "--library", tmp_path / "lib").exit_code == 0
    left_out = {"hum a tune": 4}
    assert as_json("show", tmp_path / "lib", "--unexplained")["left_out"] == left_out
    assert "  4 of 12  hum a tune" in run("show", tmp_path / "lib", "--unexplained").stdout


def test_show_wants_an_id_or_the_list(library: Path) -> None:
    for arguments in ((), ("order-by-offer", "--unexplained")):
        result = run("show", library, *arguments)
        assert result.exit_code == 2
        assert "name an ID, or ask for --unexplained" in result.stderr


def test_without_its_demonstrations_a_library_says_so(library: Path) -> None:
    kept = library / TAUGHT
    kept.rename(kept.with_suffix(".aside"))
    try:
        result = run("show", library, "--unexplained")
    finally:
        kept.with_suffix(".aside").rename(kept)
    assert result.exit_code != 0
    assert "keeps no demonstrations on this machine: git does not carry" in result.stderr
    assert f"macla learn FILE --library {library}" in result.stderr
