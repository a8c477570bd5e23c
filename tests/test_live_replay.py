"""Old and new version of a procedure on the same games of an invented mill."""

from __future__ import annotations

import mill_practice
import pytest
from command_line import as_json, run
from library_copies import copy_library
from macla.adapters.teaching.teaching import teach
from macla.evals.running.live_replay import LiveReplay
from macla.evals.suites.suites import make_suite
from macla.procedures.common.errors import EnvironmentFailure
from macla.procedures.evidence.intervals import paired_interval
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.library.library import Library
from macla.procedures.proposals.proposal import make_proposal
from macla.procedures.proposals.proposal_store import FileStore
from mill_world import Mill, mill_demonstration

pytestmark = pytest.mark.usefixtures("plans_only")

WORLD = "mill_practice:JammedMill"
GAMES = [f"now{i}" for i in range(12)]


def facts(game):
    """Whether a game is solved without cranking, and whether its mill is a stamper."""
    world = Mill("jammed")
    world.reset(game)
    return not (world.jammed or world.first_crank), world.mill.startswith("stamper")


PLAIN = {game for game in GAMES if facts(game)[0]}
STAMPED = {game for game in GAMES if facts(game)[1]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("mill")
    teach(place / "lib", [mill_demonstration(seed) for seed in range(30)], domain=WORLD)
    (place / "games.txt").write_text("\n".join(GAMES))
    return place


@pytest.fixture
def played(monkeypatch):
    """The games in the order in which they were begun."""
    begun, reset = [], mill_practice.JammedMill.reset

    def noted(self, game):
        begun.append(game)
        return reset(self, game)

    monkeypatch.setattr(mill_practice.JammedMill, "reset", noted)
    return begun


@pytest.fixture
def player(folder):
    library = Library.open(folder / "lib")
    with Ledger.open(folder / "lib" / ".macla" / "evidence.db") as ledger:
        yield LiveReplay(
            make_suite(WORLD),
            str(folder / "games.txt"),
            library=library,
            ledger=ledger,
            waiting=(),
            limit=len(GAMES),
            seed=0,
        )


def cranking(folder, **more):
    """A proposal to crank before grinding; it is what a jammed mill takes."""
    old = Library.open(folder / "lib").procedures["grind-in"].to_document()
    steps = [*old["steps"][:-1], {"do": "crank {y}"}, old["steps"][-1]]
    new = {**old, "version": 2, "steps": steps, **more}
    return make_proposal("refine", "It stood still.", target="grind-in", old=[old], new=[new])


def breaking(monkeypatch, game, play):
    """Let a game of the world raise when it is played for the n-th time."""
    plays, (reset, step) = [], (mill_practice.JammedMill.reset, mill_practice.JammedMill.step)

    def begun(self, name):
        plays.append(name)
        return reset(self, name)

    def broken(self, action):
        if plays[-1] == game and plays.count(game) == play:
            raise RuntimeError("the mill burned down")
        return step(self, action)

    monkeypatch.setattr(mill_practice.JammedMill, "reset", begun)
    monkeypatch.setattr(mill_practice.JammedMill, "step", broken)


def left(folder):
    """All files of the library but the local ones of SQLite, with what is in them."""
    files = (each for each in (folder / "lib").rglob("*") if each.is_file())
    return {each: each.read_bytes() for each in files if not each.match("evidence.db-*")}


def test_both_versions_play_the_same_games_and_are_compared_in_pairs(folder, player, played):
    before = left(folder)
    replay = player.replay(cranking(folder))
    assert played == [*GAMES, *GAMES]
    assert (replay.wins, replay.losses, replay.ties) == (7, 0, 5)
    assert len(PLAIN) == 5
    interval = paired_interval(5, 7, 0, 0)
    assert replay.ci == (interval.low, interval.high)
    assert replay.verdict == "credibly better"
    assert replay.tasks == f"{WORLD} {folder / 'games.txt'}, seed 0"
    assert left(folder) == before


def test_what_several_are_compared_with_is_played_once(folder, player, played):
    first = player.replay(cranking(folder))
    second = player.replay(cranking(folder, preconditions=['kind({y}) in ["stamper"]']))
    assert played == GAMES * 3
    assert (first.wins, first.losses) == (7, 0)
    assert second.losses == len(PLAIN - STAMPED) > 0
    assert second.wins == len(STAMPED - PLAIN) > 0
    assert second.verdict == "no credible difference"


@pytest.mark.parametrize(("play", "version"), [(1, "the library as it is"), (2, "refine-grind-in")])
def test_a_game_that_breaks_off_is_told(folder, player, monkeypatch, play, version):
    breaking(monkeypatch, "now7", play)
    says = rf"1 of 12 games broke off with {version}.*: the first was now7: .*the mill burned down"
    with pytest.raises(EnvironmentFailure, match=says.replace(": the", "; the")):
        player.replay(cranking(folder))


def test_the_command_tells_it_and_keeps_the_proposal(tmp_path, folder, monkeypatch):
    copy_library(folder / "lib", tmp_path / "lib")
    proposal = cranking(folder)
    FileStore(tmp_path / "lib").put(Library.open(tmp_path / "lib"), proposal)
    breaking(monkeypatch, "now7", 2)
    call = ("proposals", "replay", tmp_path / "lib", "--all", "--live", WORLD)
    call = (*call, "--split", folder / "games.txt", "--limit", len(GAMES))
    told = run(*call)
    assert told.exit_code == 1
    assert "now7: " in told.stderr
    assert "the mill burned down" in told.stderr
    assert "Traceback" not in told.output
    assert FileStore(tmp_path / "lib").pending()[0].live is None
    monkeypatch.undo()
    done = as_json(*call)
    assert done["left"] == {}
    assert done["replayed"][proposal.id]["losses"] == 0
    assert FileStore(tmp_path / "lib").pending()[0].live.wins > 0
