"""The verbs that learn into a library and look into it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from command_line import as_json, run
from library_copies import copy_library
from macla.adapters.session import LibrarySession
from macla.evals.alfworld.expert import demonstrate
from macla.evals.alfworld.generator import generate_games
from macla.procedures.episodes.trajectories import write_trajectories
from macla.procedures.library.library import Library, validate_library


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".macla" not in path.parts
    }


@pytest.fixture(scope="module")
def demonstrations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("demos") / "household.jsonl"
    games = generate_games(8, seed=3)
    write_trajectories(file, [demonstrate(game.game()) for game in games])
    return file


@pytest.fixture(scope="module")
def library(demonstrations: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("libraries") / "lib"
    result = run("learn", demonstrations, "--library", folder)
    assert result.exit_code == 0, result.output
    assert "Try next" in result.stdout
    return folder


def test_learning_tells_what_it_did(demonstrations: Path, tmp_path: Path) -> None:
    document = as_json("learn", demonstrations, "--library", tmp_path / "lib", "--episodes", 5)
    assert document["episodes"] == 5
    assert document["created"] is True
    assert document["domain"] == "household"
    library = Library.open(tmp_path / "lib")
    assert document["procedures"] == len(library.procedures) > 2
    assert document["metas"] == len(library.metas) > 2
    assert document["library_hash"] == library.content_hash
    assert library.settings.settings["learned"]["episodes"] == 5
    assert validate_library(tmp_path / "lib") == []
    assert [path.name for path in tmp_path.iterdir()] == ["lib"]


def test_the_same_episodes_give_the_same_library(demonstrations: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        as_json("learn", demonstrations, "--library", tmp_path / name, "--episodes", 4, "--seed", 4)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    again = as_json(
        "learn", demonstrations, "--library", tmp_path / "one", "--episodes", 4, "--seed", 4
    )
    assert again["created"] is False
    assert again["changed"] == []
    other = as_json(
        "learn", demonstrations, "--library", tmp_path / "three", "--episodes", 4, "--seed", 5
    )
    assert other["library_hash"] != again["library_hash"]


def test_what_is_learned_again_keeps_what_people_locked(
    demonstrations: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "lib"
    as_json("learn", demonstrations, "--library", folder, "--episodes", 4)
    file = next(iter(sorted((folder / "procedures").glob("*.yaml"))))
    file.write_text(file.read_text() + "locked: true # mine\n")
    as_json("learn", demonstrations, "--library", folder, "--episodes", 6)
    assert "locked: true # mine" in file.read_text()


def test_scrambled_words_are_noted(demonstrations: Path, tmp_path: Path) -> None:
    folder = tmp_path / "lib"
    asked = ("--library", folder, "--episodes", 6, "--world", "scramble=5")
    document = as_json("learn", demonstrations, *asked)
    assert document["scramble"] == 5
    library = Library.open(folder)
    assert library.settings.settings["learned"]["scramble"] == 5
    assert len(library.procedures) > 2
    assert not any("take" in item.goal for item in library.procedures.values())


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "holds no episode"),
        (b'{"task": "t", "obs": ["a"', "not JSON"),
        (b'{"task": "t", "obs": ["a", "b"], "success": true}', "'acts' is missing"),
        (b'{"task": "t", "obs": ["a"], "acts": ["b"], "success": true}', "1 observations"),
        (b'{"task": "t", "obs": ["a", 1], "acts": ["b"], "success": true}', "must be a text"),
        (b'{"task": "t\\u0000", "obs": ["a", "b"], "acts": ["b"], "success": true}', "control"),
        (b'{"task": "t", "obs": ["a", "b"], "acts": ["b"], "success": false}', "nothing to learn"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "binary"),
        (b"[" * 200_000, "too deep"),
        (b'{"task": "t", "obs": ["a", "b"], "acts": ["b"], "success": true, "x": 1}', "unknown"),
        (
            json.dumps(
                {"task": "t", "obs": ["a", "b" * 1_100_000], "acts": ["b"], "success": True}
            ).encode(),
            "at most",
        ),
    ],
)
def test_a_bad_file_of_episodes_changes_nothing(
    content: bytes, expected: str, demonstrations: Path, library: Path, tmp_path: Path
) -> None:
    file = tmp_path / "household.jsonl"
    file.write_bytes(content)
    before = contents(library)
    for target in (library, tmp_path / "new"):
        result = run("learn", file, "--library", target)
        assert result.exit_code == 2, result.output
        assert expected in result.stderr
        assert result.stdout == ""
        assert "Traceback" not in result.stderr
    assert contents(library) == before
    assert [path.name for path in tmp_path.iterdir()] == ["household.jsonl"]


def test_a_megabyte_in_one_observation_is_read(demonstrations: Path, tmp_path: Path) -> None:
    lines = demonstrations.read_text().splitlines()[:3]
    first = json.loads(lines[0])
    first["obs"][0] += " and so on" * 100_000
    file = tmp_path / "long.jsonl"
    file.write_text("\n".join([json.dumps(first), *lines[1:]]) + "\n")
    result = run("learn", file, "--library", tmp_path / "lib")
    assert result.exit_code in (0, 2), result.output
    assert result.exit_code == 0 or not (tmp_path / "lib").exists()


def test_folders_that_are_no_library_are_refused(demonstrations: Path, tmp_path: Path) -> None:
    other = tmp_path / "notes"
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    result = run("learn", demonstrations, "--library", other)
    assert result.exit_code == 2
    assert "no library" in result.stderr
    assert [path.name for path in other.iterdir()] == ["notes.txt"]
    assert run("learn", demonstrations, "--library", other / "notes.txt").exit_code == 2


def test_another_domain_is_refused(demonstrations: Path, library: Path) -> None:
    before = contents(library)
    result = run("learn", demonstrations, "--library", library, "--world", "domain=cooking")
    assert result.exit_code == 2
    assert "'household'" in result.stderr
    assert contents(library) == before


@pytest.mark.parametrize("missing", ["alfworld", "no-such-file.jsonl", "nonsense"])
def test_no_data_and_no_file(missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACLA_DATA", str(tmp_path / "none"))
    result = run("learn", missing, "--library", tmp_path / "lib")
    assert result.exit_code == 2
    assert "macla: error:" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_more_episodes_than_there_are(demonstrations: Path, tmp_path: Path) -> None:
    result = run("learn", demonstrations, "--library", tmp_path / "lib", "--episodes", 13)
    assert result.exit_code == 2
    assert "there are 8" in result.stderr


def test_list(library: Path) -> None:
    document = as_json("list", library)
    kinds = {item["kind"] for item in document["items"]}
    assert kinds == {"procedure", "meta"}
    for item in document["items"]:
        assert 0 < item["ci95"][0] < item["mean"] < item["ci95"][1] <= 1
    assert "take-from" in run("list", library).stdout


def test_show(library: Path) -> None:
    plain = run("show", library, "take-from").stdout
    assert "take {x} from {y}" in plain
    assert "worked" in plain
    document = as_json("show", library, "take-from@1")
    assert document["document"]["id"] == "take-from"
    assert document["evidence"]["successes"] > 0
    assert document["evidence"]["bindings"]
    missing = run("show", library, "take-form")
    assert missing.exit_code == 2
    assert "did you mean 'take-from'" in missing.stderr
    assert "did you mean 'take-from'?" in run("undo", library, "take-form").stderr


def test_index_is_built_again(library: Path) -> None:
    folders = ("procedures", "meta", "programs")
    entries = sum(len(list(library.glob(f"{name}/*.yaml"))) for name in folders)
    decide = ("trace", "--task", "put a clean mug in desk.", "--library", library)
    document = as_json(*decide)
    with LibrarySession.open(library, read_only=True) as session:
        assert session.sync_index() == (entries, 0)
    shutil.rmtree(library / ".macla" / "chroma")
    assert as_json(*decide) == document
    with LibrarySession.open(library, read_only=True) as session:
        assert session.sync_index() == (entries, 0)


def test_check_of_files_prints_findings_and_ends_with_1(tmp_path: Path, library: Path) -> None:
    assert as_json("check", library, "--files")["errors"] == 0
    folder = copy_library(library, tmp_path / "lib")
    file = folder / "procedures" / "take-from.yaml"
    file.write_text(file.read_text().replace("version: 1", "version: one"))
    result = run("check", folder, "--files")
    assert result.exit_code == 1
    assert f"{file}:3: error: version" in result.stdout
    findings = json.loads(run("check", folder, "--files", "--json").stdout)["findings"]
    assert findings[0]["line"] == 3
    assert findings[0]["path"] == ["version"]
    for verb in (("list", folder), ("show", folder, "use"), ("undo", folder, "use")):
        broken = run(*verb)
        assert broken.exit_code == (1 if verb[0] == "list" else 2)  # the rest is listed
        assert "take-from.yaml:3" in broken.stderr


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\x01\x02\xff",
        b"kind: procedure\nid: [",
        b"[" * 5_000,
        b"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: &d [*c,*c]\n" * 3,
        b"kind: procedure\nid: ../../etc/passwd\nversion: 1\ngoal: g\nsteps: [{do: x}]\n",
        b"kind: procedure\nid: take-from\nversion: 1\ngoal: g\nsteps: [{do: x}]\nnonsense: 1\n",
        b"kind: procedure\nid: take-from\nversion: '1'\ngoal: 3\nsteps: {}\n",
        b"kind: procedure\nid: use\nversion: 1\ngoal: g\nsteps: [{do: x}]\n",
    ],
)
def test_bad_yaml_is_a_finding_and_no_crash(content: bytes, library: Path, tmp_path: Path) -> None:

    folder = tmp_path / "lib"
    copy_library(library, folder)
    (folder / "procedures" / "take-from.yaml").write_bytes(content)
    before = contents(folder)
    result = run("check", folder, "--files")
    assert result.exit_code == 1, result.output
    assert "take-from.yaml" in result.stdout
    opened = run("trace", "--task", "take a mug", "--library", folder)
    assert opened.exit_code == 2
    assert "Traceback" not in opened.stderr
    assert contents(folder) == before


def test_a_decision_gives_the_numbers(library: Path) -> None:
    document = as_json("trace", "--task", "put a clean mug in desk.", "--library", library)
    candidates = document["candidates"]
    assert candidates[0]["why"] == "the highest EU"
    assert [c["utility"] for c in candidates] == sorted(
        (c["utility"] for c in candidates), reverse=True
    )
    for candidate in candidates:
        total = candidate["reward"] - candidate["cost"] + candidate["bonus"]
        assert candidate["utility"] == pytest.approx(total)
        assert candidate["rate"] == pytest.approx(
            candidate["alpha"] / (candidate["alpha"] + candidate["beta"])
        )
    plain = run("trace", "--task", "put a clean mug in desk.", "--library", library).stdout
    assert document["chosen"] in plain
    assert "Beta(" in plain


def test_a_decision_is_that_of_the_method(library: Path) -> None:
    decide = ("trace", "--task", "put a clean mug in desk.", "--library", library)
    kinds = {c["kind"] for c in as_json(*decide)["candidates"]}
    others = {c["kind"] for c in as_json(*decide, "--method", "without=meta")["candidates"]}
    assert kinds - others == {"meta"}
    assert as_json(*decide, "--method", "paper") != as_json(*decide)


@pytest.mark.parametrize(
    ("setting", "key", "allowed"),
    [
        ("failures: {capacity: 15.0}", "failures.capacity", "a whole number from 1"),
        ("failures: {capacity: 1.0e+30}", "failures.capacity", "a whole number from 1"),
        ("capacity: {procedures: 3.0}", "capacity.procedures", "a whole number from 1"),
        ("capacity: {metas: 0}", "capacity.metas", "a whole number from 1"),
        ("inheritance: 5", "inheritance", "object"),
        ("inheritance: {trials: -3}", "inheritance.trials", "a number from 0"),
        ("inheritance: {share: 2}", "inheritance.share", "a number from 0 to 1"),
        ("inheritance: {shar: 0.5}", "inheritance", "did you mean 'share'?"),
        ("thresholds: {theta_sim: 2}", "thresholds.theta_sim", "a number above 0 to 1"),
        ("thresholds: {theta_sim: -1}", "thresholds.theta_sim", "a number above 0 to 1"),
        ("thresholds: {theta_dup: 7}", "thresholds.theta_dup", "a number from -1 to 1"),
        ("thresholds: {k_vocab: -1}", "thresholds.k_vocab", "a whole number from 0"),
        ("thresholds: {k_vocab: 50.0}", "thresholds.k_vocab", "a whole number from 0"),
        ("thresholds: {rollback: 0}", "thresholds.rollback", "a number from 0.5 to 1"),
        ("thresholds: {rollback: 7}", "thresholds.rollback", "a number from 0.5 to 1"),
        ("thresholds: {rollback_trials: -2}", "thresholds.rollback_trials", "a number from 0"),
        ("weights: {reliability: -1}", "weights.reliability", "a number from 0"),
        ("weights: {ucb_width: -2}", "weights.ucb_width", "a number from 0"),
        ("trust: 5", "trust", "object"),
        ("trust: {trusted: {lower: x}}", "trust.trusted.lower", "a number from 0 to 1"),
        ("trust: {trused: {lower: 1}}", "trust", "did you mean 'trusted'?"),
        ("proposals: {policy: yes}", "proposals.policy", "'auto', 'review', 'interrupt'"),
        ("proposals: review", "proposals", "object"),
        ("proposals: {author: Robin}", "proposals.author", "Name <mail@example.org>"),
        ("learned: 5", "learned", "object"),
    ],
)
def test_a_setting_out_of_range_is_refused_when_the_library_is_opened(
    tmp_path, setting, key, allowed
):
    Library.create(tmp_path / "lib", domain="lids", embedding="static")
    file = tmp_path / "lib" / "library.yaml"
    file.write_text(f"{file.read_text()}settings:\n  {setting}\n")
    for command in ("check --files", "list", "eval alfworld --split valid_seen --library"):
        result = run(*command.split(), tmp_path / "lib")
        assert result.exit_code in (1, 2), result.output
        told = result.stdout + result.stderr
        assert all(word in told for word in ("library.yaml", f"settings.{key}", allowed)), told


def test_check_of_files_warns_of_settings_that_nothing_reads(tmp_path):
    settings = {"capacty": {"metas": 3}, "thresholds": {"theta_con": 0.1, "theta_dup": 0.9}}
    Library.create(tmp_path / "lib", domain="lids", embedding="static", settings=settings)
    found = as_json("check", tmp_path / "lib", "--files")
    told = {tuple(each["path"]) for each in found["findings"] if each["severity"] == "warning"}
    assert told == {("settings", "capacty"), ("settings", "thresholds", "theta_con")}
    assert found["errors"] == 0
