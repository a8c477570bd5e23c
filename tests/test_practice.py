"""Practice in an invented mill: what failed is refined, episodes count once, nothing is lost."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace

import pytest
from command_line import as_json, run
from library_copies import copy_library
from macla.adapters.teaching.practice_log import PracticeLog
from macla.adapters.teaching.teaching import teach
from macla.cli.practising import check_taught
from macla.evals.bench import online_endurance
from macla.evals.players.arms import Setting
from macla.evals.practice import practice_baselines
from macla.evals.practice import practice_loop as module
from macla.evals.practice.practice_baselines import compare_practice
from macla.evals.practice.practice_loop import PracticeSetting, in_order, practise, read_played
from macla.evals.suites.suites import EvalTask, make_suite
from macla.procedures.common.errors import DataError, LibraryError
from macla.procedures.learning.taught import TAUGHT, read_taught
from macla.procedures.library.library import Library
from macla.procedures.proposals.proposal import make_proposal
from macla.procedures.refinement.refinery import Refinery
from mill_world import mill_demonstration
from review_library import make_git

pytestmark = pytest.mark.usefixtures("plans_only")

WORLD = "mill_practice:CrankedMill"
SHOWN = [mill_demonstration(seed) for seed in range(30)]
TASKS = [EvalTask(f"now{i}", f"now{i}") for i in range(24)]


@pytest.fixture(scope="module")
def taught(plans_only, tmp_path_factory):
    folder = tmp_path_factory.mktemp("taught") / "lib"
    teach(folder, SHOWN, domain=WORLD)
    return folder


@pytest.fixture
def library(taught, tmp_path):
    return copy_library(taught, tmp_path / "lib")


def setting(library, *, without=(), experiments=0, **more):
    suite = make_suite(WORLD)
    played = Setting(
        suite, library=str(library), admissible=True, max_steps=20, record=True, without=without
    )
    return PracticeSetting(played, experiments=experiments, **more)


def practised(library, count=24, **more):
    return practise(setting(library, **more), TASKS[:count], demonstrations=SHOWN)


def steps(library):
    return [step.do for step in Library.open(library).procedures["grind-in"].steps]


def test_what_failed_is_refined_and_then_works(library):
    done = practised(library)
    assert not done.interrupted
    assert any(each.refined == ("grind-in: accepted",) for each in done.played)
    assert "crank {y}" in steps(library)
    first, last = done.played[:6], done.played[-6:]
    assert sum(each.won for each in last) == 6 > sum(each.won for each in first)
    assert done.footprint.rows > 0
    assert done.footprint.procedures == len(Library.open(library).procedures)


def test_experiments_teach_a_rule_before_contrast_is_needed(library):
    done = practised(library, experiments=15)
    assert all(each.won for each in done.played)
    assert "crank {y}" in steps(library)


@pytest.mark.parametrize("experiments", [0, 15])
def test_without_contrast_nothing_is_refined(library, experiments):
    before = steps(library)
    done = practised(library, 12, without=("contrast",), experiments=experiments)
    assert steps(library) == before
    assert not any(each.refined for each in done.played)


def test_it_goes_on_where_it_was_stopped_as_if_it_had_not_been(library, tmp_path):
    whole = practised(copy_library(library, tmp_path / "other"), 12)
    practised(library, 5)
    again = practised(library, 12)

    def facts(each):
        return each.id, each.won, each.steps, each.mean, each.refined

    assert list(map(facts, again.played)) == list(map(facts, whole.played))


def test_an_interruption_keeps_what_was_played(library, monkeypatch):
    play = module._Practice.play

    def stopped(self, task):
        if task.id == "now3":
            raise KeyboardInterrupt
        return play(self, task)

    monkeypatch.setattr(module._Practice, "play", stopped)
    done = practised(library)
    assert done.interrupted
    assert [each.id for each in done.played] == ["now0", "now1", "now2"]
    file = library / ".macla" / "practice.jsonl"
    assert tuple(read_played(file)) == done.played


def test_a_practice_file_with_a_strange_line_says_so(library):
    file = library / ".macla" / "practice.jsonl"
    file.write_text('{"id": "x", "seconds": [0, 0]}\n')
    with pytest.raises(LibraryError, match="line 1 is not an episode"):
        list(read_played(file))


def test_episodes_after_a_line_that_a_crash_cut_are_read(library):
    file = library / ".macla" / "practice.jsonl"
    played = practised(library, 1).played
    with file.open("ab") as stream:
        stream.write(b'{"id": "now1", "wo')
    later = replace(played[0], id="now2")
    with PracticeLog(library).opened() as before:
        assert before == played
        PracticeLog(library).append(later)
    assert list(read_played(file)) == [*played, later]


def test_show_says_how_much_evidence_is_missing(library):
    practised(library, 5)
    document = as_json("show", library, "grind-in")
    (wanting,) = document["not_enough_evidence"]
    # Either was done before the few grindings that worked.
    assert wanting["kind"] == "missing_step"
    assert wanting["text"] in ("crank {y}", "polish {y}")
    assert 0 < wanting["more"] < 30
    said = run("show", library, "grind-in").stdout
    assert f"missing step {wanting['text']}; it would take about {wanting['more']} more" in said


def test_show_does_not_call_a_step_missing_that_is_there(library):
    practised(library, 5)
    (wanting,) = as_json("show", library, "grind-in")["not_enough_evidence"]
    file = library / "procedures" / "grind-in.yaml"
    step = f"  - do: {wanting['text']}\n    unless: 'true'\n"
    file.write_text(file.read_text().replace("  - do: grind", f"{step}  - do: grind"))
    assert wanting["text"] in steps(library)
    said = as_json("show", library, "grind-in")["not_enough_evidence"]
    assert wanting["text"] not in [each["text"] for each in said]


def test_plans_that_are_formed_stay_within_the_capacity(library, monkeypatch):
    kept = Library.open(library)
    full = {"procedures": len(kept.procedures), "metas": len(kept.metas)}
    changed = {**kept.settings.settings, "capacity": full}
    kept.write_all(settings=replace(kept.settings, settings=changed))
    known = next(iter(kept.metas.values())).to_document()
    more = [{**known, "id": f"more-{i}", "goal": f"more {i} {known['goal']}"} for i in range(3)]
    formed = [make_proposal("meta", "Formed.", target=d["id"], new=[d]) for d in more]
    monkeypatch.setattr(Refinery, "form", lambda *_: formed)
    done = practise(setting(library, forming=1), TASKS[:2], demonstrations=SHOWN)
    assert [each.metas for each in done.played] == [full["metas"]] * 2
    assert len(Library.open(library).metas) == full["metas"]


def test_the_order_depends_on_the_seed_and_leaves_out_what_was_shown():
    order = in_order(TASKS, 1, {"now3": None})
    assert order != in_order(TASKS, 2, {})
    assert order == in_order(TASKS, 1, {"now3": None})
    assert {each.id for each in TASKS} - {each.id for each in order} == {"now3"}


def commits(folder):
    out = subprocess.run(
        ["git", "-C", str(folder), "log", "--format=%s%n%b"], check=True, capture_output=True
    )
    return out.stdout.decode()


@pytest.fixture
def tracked(library):
    folder = library.parent
    make_git(folder, "lib")
    return library


def test_in_git_each_change_is_a_commit_that_says_why(tracked):
    done = practised(tracked, policy="auto", experiments=15)
    assert not done.refused
    told = commits(tracked.parent)
    assert "Refine grind-in to version 2" in told
    assert "In its own experiments 'crank …' made it possible 4 times of 4" in told
    assert "+ 2. crank {y}" in told
    status = subprocess.run(
        ["git", "-C", str(tracked.parent), "status", "--porcelain"], check=True, capture_output=True
    )
    assert status.stdout == b""


def test_under_review_the_library_stays_and_branches_wait(tracked):
    before = steps(tracked)
    practised(tracked, 10)
    assert steps(tracked) == before
    branches = subprocess.run(
        ["git", "-C", str(tracked.parent), "branch", "--list", "macla/*"],
        check=True,
        capture_output=True,
    )
    assert b"macla/refine/grind-in" in branches.stdout


def test_under_review_an_experiment_changes_nothing_that_is_played_with(tracked):
    done = practised(tracked, policy="review", experiments=15)
    assert steps(tracked) == ["walk to {y}", "grind {x} in {y}"]
    assert not any(each.learned for each in done.played)


def test_what_practice_is_compared_with_explores(library):
    wanted = setting(library, experiments=15)
    played = practised(library, 6, experiments=15).played
    found = compare_practice(wanted.episode, TASKS[:6], played, 15)
    assert [each.player for each in found] == ["random", "exploration only"]
    met = [each for each in played if not each.id.endswith("#again")]
    assert [each.games for each in found] == [len(met)] * 2
    assert all(each.practice == sum(p.won for p in met) for each in found)
    blind = compare_practice(wanted.episode, TASKS[:6], played, 0)
    assert found[1].other > blind[1].other


@pytest.fixture
def tasks_file(tmp_path):
    file = tmp_path / "tasks.txt"
    file.write_text("\n".join(each.id for each in TASKS))
    return file


def test_the_command_practises_from_nothing(tmp_path, tasks_file):
    arguments = ["practice", WORLD, "--library", tmp_path / "new", "--split", tasks_file]
    document = as_json(*arguments, "--episodes", 6, "--world", "max-steps=20")
    assert document["episodes"] == 6
    assert document["demonstrations"] == 0
    assert document["windows"][0]["fallback"] > 0
    assert document["footprint"]["rows"] > 0
    assert json.loads((tmp_path / "new" / ".macla" / "curve.json").read_text()) == document
    more = run(*arguments, "--episodes", 8, "--world", "max-steps=20")
    assert more.exit_code == 0, more.stderr
    assert "practised 8 episodes in all, 2 of them now (0 demonstrations)" in more.stdout
    fewer = run(*arguments, "--episodes", 5, "--world", "max-steps=20")
    assert "--episodes 5 counts the 8 episodes that were played before" in fewer.stderr
    assert "practised 8 episodes in all, 0 of them now" in fewer.stdout
    assert "memory: " in more.stdout
    listed = as_json("list", tmp_path / "new")
    assert listed["footprint"]["rows"] >= document["footprint"]["rows"]


def test_hidden_practice_is_compared_with_players_that_are_shown_what_is_possible(
    library, tasks_file
):
    call = ("practice", WORLD, "--library", library, "--split", tasks_file)
    call = (*call, "--episodes", 6, "--world", "max-steps=20", "--world", "admissible=no")
    call = (*call, "--compare")
    document = as_json(*call)
    assert document["admissible"] is False
    assert [each["admissible"] for each in document["comparisons"]] == [True, True]
    assert [each["games"] for each in document["comparisons"]] == [6, 6]
    assert document["comparisons"][1]["other"] > 0
    told = run(*call)
    assert told.exit_code == 0, told.stderr
    assert "against random (possible actions shown): " in told.stdout


def test_what_cannot_be_compared_is_refused_before_anything_is_played(tmp_path, tasks_file):
    silent, new = WORLD.replace("Cranked", "Silent"), tmp_path / "new"
    call = ("practice", silent, "--library", new, "--split", tasks_file)
    call = (*call, "--episodes", 2, "--world", "max-steps=20", "--world", "admissible=no")
    refused = run(*call, "--compare")
    assert refused.exit_code == 2
    assert "SilentMill cannot show; leave it out" in refused.stderr
    assert not new.exists()
    assert run(*call).exit_code == 0


@pytest.mark.parametrize(("fault", "code"), [(DataError("spent"), 2), (KeyboardInterrupt(), 130)])
def test_practice_is_reported_whatever_becomes_of_what_it_is_compared_with(
    monkeypatch, library, tasks_file, fault, code
):
    curve = library / ".macla" / "curve.json"

    def fail(*_):
        assert json.loads(curve.read_text())["episodes"] == 2
        raise fault

    monkeypatch.setattr(practice_baselines, "compare_practice", fail)
    call = ("practice", WORLD, "--library", library, "--split", tasks_file)
    result = run(*call, "--episodes", 2, "--world", "max-steps=20", "--compare")
    assert result.exit_code == code
    assert "practised 2 episodes" in result.stdout
    assert f"curve: {curve}" in result.stdout
    assert json.loads(curve.read_text())["comparisons"] == []


def test_practice_warns_of_other_words_and_of_a_lost_ontology(tmp_path, tasks_file):
    arguments = ["practice", WORLD, "--library", tmp_path / "new", "--split", tasks_file]
    invented = ["--world", "scramble=3", "--world", "max-steps=5"]
    assert "warning" not in run(*arguments, *invented, "--episodes", 1).stderr
    assert "warning" not in run(*arguments, *invented, "--episodes", 2).stderr
    other = run(*arguments, "--world", "max-steps=5", "--episodes", 3)
    assert "was learned in invented words (scramble 3); add --world scramble=3" in other.stderr
    (tmp_path / "new" / "ontology.yaml").unlink()
    lost = run(*arguments, *invented, "--episodes", 4)
    assert lost.exit_code == 0, lost.stderr
    assert "ontology.yaml is missing, so nothing is known" in lost.stderr


def test_the_command_says_how_many_there_are(library, tasks_file):
    arguments = ["practice", WORLD, "--library", library, "--split", tasks_file]
    done = run(*arguments, "--episodes", 999, "--world", "max-steps=20")
    assert f"--episodes 999: there are only {len(TASKS)} games to play" in done.stderr
    assert f"({len(SHOWN)} demonstrations)" in done.stdout
    assert json.loads((library / ".macla" / "curve.json").read_text())["demonstrations"] == 30


def test_what_it_is_learned_without_is_written_into_the_library(tmp_path, tasks_file):
    arguments = ["practice", WORLD, "--library", tmp_path / "new", "--split", tasks_file]
    as_json(*arguments, "--episodes", 2, "--method", "without=contrast")
    learned = Library.open(tmp_path / "new").settings.settings["learned"]
    assert list(learned["without"]) == ["contrast"]


def test_under_the_preset_paper_the_threshold_holds_in_practice(library):
    """What is below θ_conf is not chosen because a failure would cost little."""
    kept = Library.open(library)
    # No utility reaches it, so the fallback acts.
    changed = {**kept.settings.settings, "preset": "paper", "thresholds": {"theta_conf": 2.0}}
    kept.write_all(settings=replace(kept.settings, settings=changed))
    done = practise(setting(library, experiments=15), TASKS[:3], demonstrations=SHOWN)
    assert all(each.fallback == each.steps > 0 for each in done.played)


def test_the_preset_of_a_practice_is_written_into_the_library(tmp_path, tasks_file):
    arguments = ["practice", WORLD, "--library", tmp_path / "new", "--split", tasks_file]
    as_json(*arguments, "--episodes", 2, "--method", "paper")
    assert Library.open(tmp_path / "new").settings.settings["preset"] == "paper"
    other = run(*arguments, "--episodes", 3, "--method", "default")
    assert other.exit_code == 2
    assert "has the preset paper, not default" in other.stderr


def test_the_command_tells_what_is_missing(tmp_path, tasks_file):
    arguments = ["practice", WORLD, "--library", tmp_path / "new", "--split", tasks_file]
    assert "'--episodes'" in run(*arguments).stderr
    few = run(*arguments, "--episodes", 2, "--demonstrations", 3)
    assert few.exit_code != 0
    assert "brings no demonstrations" in few.stderr


def goals(library):
    return {meta.goal for meta in Library.open(library).metas.values()}


def test_practice_without_demonstrations_keeps_what_was_taught(library):
    taught = goals(library)
    done = practise(setting(library), TASKS)
    assert not done.lacking
    assert taught <= goals(library)


def cut_to(file, lines):
    file.write_bytes(b"".join(file.read_bytes().splitlines(keepends=True)[:lines]))


@pytest.mark.parametrize("left", [None, 0, 5])
@pytest.mark.parametrize("counted", [True, False])
def test_where_what_it_was_taught_from_is_gone_it_is_refined_and_nothing_is_forgotten(
    library, left, counted
):
    if left is None:
        (library / TAUGHT).unlink()
    else:
        cut_to(library / TAUGHT, left)
    if not counted:  # library.yaml tells how many there were, too
        (library / TAUGHT).with_suffix(".json").unlink()
    before = Library.open(library)
    said = []
    done = practise(setting(library, experiments=15), TASKS, warn=said.append)
    after = Library.open(library)
    assert str(TAUGHT) in done.lacking
    assert done.lacking in said[0]
    assert "nothing is learned afresh" in said[0]
    assert before.procedures.keys() <= after.procedures.keys()
    assert before.metas.keys() <= after.metas.keys()
    assert "crank {y}" in steps(library)
    # Nor is it forgotten later, when as many episodes are there as it was taught from.
    assert practise(setting(library), TASKS).lacking


def test_where_played_episodes_are_gone_nothing_is_forgotten_and_it_is_said(tmp_path, tasks_file):
    path = tmp_path / "new"
    arguments = ["practice", WORLD, "--library", path, "--split", tasks_file]
    as_json(*arguments, "--episodes", 12, "--world", "max-steps=20")
    held = Library.open(path)
    assert held.procedures
    buffer = path / ".macla" / "episodes.jsonl"
    whole = buffer.read_bytes()
    buffer.unlink()
    for episodes in (14, 24):
        again = run(*arguments, "--episodes", episodes, "--world", "max-steps=20")
        assert again.exit_code == 0, again.stderr
        assert "of the 12 played episodes" in again.stderr or episodes > 14
        assert "nothing is learned afresh" in again.stderr
        now = Library.open(path)
        assert held.procedures.keys() <= now.procedures.keys()
        assert held.metas.keys() <= now.metas.keys()
    buffer.write_bytes(whole + buffer.read_bytes())
    assert not practise(setting(path), TASKS[:1], episodes=24).lacking


def test_an_episode_missing_in_the_middle_is_noticed(library):
    practised(library, 6)
    buffer = library / ".macla" / "episodes.jsonl"
    lines = buffer.read_bytes().splitlines(keepends=True)
    buffer.write_bytes(b"".join(lines[1:]))
    assert "holds only" in practise(setting(library), TASKS, episodes=6).lacking


def test_demonstrations_given_later_are_learned_from_before_the_first_episode(tmp_path):
    teach(tmp_path / "lib", SHOWN[:4], domain=WORLD)
    practise(setting(tmp_path / "lib"), TASKS[:1], demonstrations=SHOWN)
    assert read_taught(Library.open(tmp_path / "lib")) == SHOWN
    teach(tmp_path / "all", SHOWN, domain=WORLD)
    assert goals(tmp_path / "lib") == goals(tmp_path / "all")


@pytest.mark.parametrize("left", [None, 3])
def test_demonstrations_that_would_replace_what_it_holds_are_refused(library, left):
    check_taught(library, SHOWN)
    if left is None:
        (library / TAUGHT).unlink()
    else:
        cut_to(library / TAUGHT, left)
    with pytest.raises(LibraryError, match=str(TAUGHT)) as refused:
        check_taught(library, SHOWN)
    assert refused.value.file == library
    check_taught(library, [])


def test_a_long_practice_that_goes_on_makes_no_game_that_was_played(monkeypatch):
    made = []
    real = online_endurance.generate_game

    def noted(index, *, seed):
        made.append(index)
        return real(index, seed=seed)

    monkeypatch.setattr(online_endurance, "generate_game", noted)
    ids = [task.id for task in online_endurance.Games(4, 1)]
    assert made == [0, 1, 2, 3]
    made.clear()
    again = online_endurance.Games(4, 1, [*ids[:3], f"{ids[2]}#again"])
    assert [task.id for task in again] == ids[2:]
    assert made == [2, 3]
    assert len(again) == 4
