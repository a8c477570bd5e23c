"""InterCode-SQL's episodes, splits, demonstrations and commands, with a made database."""

from __future__ import annotations

import json

import pytest
from macla.procedures.common.errors import DataError, EnvironmentFailure, MissingDataError

pytest.importorskip("sqlglot", reason="needs the extra intercode-sql")

from command_line import as_json, run
from macla.evals.intercode_sql.environment import BEGINNING, SqlEnvironment
from macla.evals.intercode_sql.episode import CUT
from macla.evals.intercode_sql.logs import read_logs
from macla.evals.intercode_sql.splits import HELD_DATABASES, allowed, split_tasks
from macla.evals.intercode_sql.tasks import SqlTask, read_tasks
from macla.evals.suites.suites import make_suite
from macla.schemas import validator
from small_sql import make_data

RIGHT = "SELECT COUNT(*) FROM animal"
WRONG = "SELECT Name FROM keeper ORDER BY Id = 2, Id"  # of the names by wage; earns -0.33


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return make_data(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def tasks(root):
    return read_tasks(root / "intercode_sql" / "tasks.json")


def played(root, task, actions, **options):
    environment = SqlEnvironment(root, **options)
    environment.reset(task)
    return [environment.step(action) for action in actions]


def test_only_the_question_is_told(root, tasks):
    assert SqlEnvironment(root).reset(tasks[0]) == (tasks[0].query, BEGINNING)
    assert "SELECT" not in repr(tasks[0])


def test_ipr_scores_what_is_submitted(root, tasks):
    turns = played(root, tasks[0], ["SHOW TABLES", RIGHT, "submit"])
    assert [turn[:3] for turn in turns] == [
        ("[('animal',), ('keeper',)]", 0.0, False),
        ("[(3,)]", 0.0, False),
        ("[(3,)]", 1.0, True),
    ]
    assert [turn[3]["won"] for turn in turns] == [False, False, True]


@pytest.mark.parametrize("actions", [["submit"], [RIGHT, "skip"], [RIGHT, "SELEC", "submit"]])
def test_what_is_worth_nothing(root, tasks, actions):
    turns = played(root, tasks[0], actions)
    assert turns[-1][1:3] == (0.0, True)
    assert not turns[-1][3]["won"]


def test_ipr_is_worth_nothing_if_not_submitted_in_time(root, tasks):
    turns = played(root, tasks[0], [RIGHT] * 10)
    assert [turn[2] for turn in turns] == [False] * 9 + [True]
    assert sum(turn[1] for turn in turns) == 0.0
    assert played(root, tasks[0], [RIGHT] * 9 + ["Submit."])[-1][1] == 1.0


def test_ipr_cuts_observations_and_scores_them_whole(root, tasks):
    long = "SELECT a.Name, b.Name, c.Name FROM animal a, animal b, animal c"
    told = played(root, tasks[0], [long])[0][0]
    assert len(told) == CUT + 3
    assert told.endswith("...")
    assert len(played(root, tasks[0], [long], protocol="intercode")[0][0]) > CUT


def test_intercode_counts_the_best_turn(root, tasks):
    wages = [
        "SHOW TABLES",
        WRONG,
        "SELECT Name FROM keeper WHERE Id = 1",
        "SELECT Name FROM keeper",
    ]
    turns = played(root, tasks[2], wages, protocol="intercode")
    assert [turn[1] for turn in turns] == [0.0, 0.0, pytest.approx(1 / 3), 0.0]
    assert sum(turn[1] for turn in turns) == pytest.approx(1 / 3)
    right = played(root, tasks[2], ["SELECT Name FROM keeper ORDER BY Wage"], protocol="intercode")
    assert right[0][1:] == (1.0, True, {"won": True})


def test_intercode_can_be_worth_less_than_nothing(root, tasks):
    turns = played(root, tasks[2], [WRONG, "skip"], protocol="intercode")
    assert sum(turn[1] for turn in turns) == -0.33


def test_a_right_query_that_fails_has_no_rows(root, tasks):
    turns = played(root, tasks[3], ["SELECT Id FROM keeper WHERE Id > 9", "submit"])
    assert turns[-1][1] == 1.0


def test_steps_that_cannot_be_done(root, tasks):
    environment = SqlEnvironment(root)
    with pytest.raises(EnvironmentFailure, match="reset"):
        environment.step("submit")
    environment.reset(tasks[0])
    for action in (None, 5, b"SELECT 1", ["SELECT 1"]):
        with pytest.raises(EnvironmentFailure, match="takes an action as text, not"):
            environment.step(action)
    environment.step("submit")
    with pytest.raises(EnvironmentFailure, match="over"):
        environment.step("submit")
    with pytest.raises(DataError, match="SqlTask"):
        environment.reset("How many?")
    with pytest.raises(DataError, match="protocol"):
        SqlEnvironment(root, protocol="best").reset(tasks[0])
    with pytest.raises(DataError, match="moon"):
        environment.reset(SqlTask(1, "moon", "?", "SELECT 1"))


def test_demonstrations_are_the_shortest_ways_that_still_earn_one(root):
    found, left = make_suite("intercode-sql", data=root).demonstrations(None, None)
    assert left == []
    assert [(each.id, each.acts) for each in found] == [
        ("train/0", ("SELECT COUNT(*) FROM animals", "SHOW TABLES", RIGHT, "submit")),
        ("train/1", (RIGHT, "submit")),
        # The log counts rows in any order as right; the environment does not.
        ("train/2", ("SHOW TABLES", "SELECT Name FROM keeper",
                     "SELECT Name FROM keeper ORDER BY Wage ASC", "submit")),
        ("train/4", ("SHOW TABLES", "DESC book",
                     "SELECT Title FROM book ORDER BY Pages DESC LIMIT 1", "submit")),
    ]  # fmt: skip
    assert {each.reward for each in found} == {1.0}
    assert all(each.success for each in found)
    golds = json.loads((root / "intercode_sql" / "tasks.json").read_text())
    assert "nothing FROM" in golds[3]["gold"]
    assert not any("nothing" in act for each in found for act in each.acts)


def test_demonstrations_end_as_their_protocol_does(root):
    suite = make_suite("intercode-sql", data=root, protocol="intercode")
    found = {each.id: each for each in suite.demonstrations(None, None)[0]}
    assert found["train/1"].acts == (RIGHT,)
    assert not any("submit" in each.acts for each in found.values())
    assert all(each.success and each.reward == 1.0 for each in found.values())


def test_paraphrases_of_what_is_held_out_are_not_shown(root, tasks, tmp_path):
    assert tasks[0].gold_key == tasks[1].gold_key
    assert [t.id for t in allowed(tasks, tasks[:1])] == [2, 3, 4]
    assert [t.id for t in allowed(tasks, [], ["ZOO_1"])] == [4]
    file = tmp_path / "held.json"
    file.write_text(json.dumps([{"db": "zoo_1", "query": "How many?", "gold": RIGHT + " ;"}]))
    held = make_suite("intercode-sql", data=root, hold_out=str(file))
    assert [each.id for each in held.demonstrations(None, None)[0]] == ["train/2", "train/4"]
    without = make_suite("intercode-sql", data=root, exclude_db="zoo_1")
    assert [each.id for each in without.demonstrations(None, None)[0]] == ["train/4"]


def test_splits(root, tasks, tmp_path):
    suite = make_suite("intercode-sql", data=root)
    assert [each.id for each in suite.tasks("own")] == ["own/0", "own/1", "own/2", "own/4"]
    assert suite.tasks("db") == []
    file = tmp_path / "mine.json"
    file.write_text(json.dumps([{"db": "zoo_1", "query": "How many?", "gold": RIGHT}]))
    assert [each.id for each in suite.tasks(str(file))] == ["file/0"]
    with pytest.raises(DataError, match="no split"):
        suite.tasks("train")


def test_the_split_of_right_queries_keeps_paraphrases_together(tasks):
    many = [SqlTask(n, "zoo_1", f"q{n}", f"SELECT {n // 2}") for n in range(400)]
    held = {task.gold_key for task in split_tasks("gold", many, None)}
    rest = {task.gold_key for task in allowed(many, split_tasks("gold", many, None))}
    assert not held & rest
    assert 20 < len(held) < 60
    assert len(HELD_DATABASES) == 5


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "JSON"),
        ("[]", "list of tasks"),
        ("[1]", "task 0"),
        ('[{"db": "zoo_1", "query": "", "gold": "x"}]', "'query'"),
        ('[{"db": "zoo_1", "query": "a", "gold": 1}]', "'gold'"),
        ('[{"db": "zoo_1", "query": "a", "gold": "x", "task_id": "one"}]', "task_id"),
        ("[" + ",".join(['{"db":"a","query":"b","gold":"c","task_id":1}'] * 2) + "]", "same"),
    ],
)  # fmt: skip
def test_files_that_hold_no_tasks(tmp_path, text, problem):
    file = tmp_path / "tasks.json"
    file.write_text(text)
    with pytest.raises(DataError, match=problem):
        read_tasks(file)


def test_missing_files(tmp_path):
    with pytest.raises(MissingDataError, match="MACLA_DATA"):
        make_suite("intercode-sql", data=tmp_path).tasks("gold")
    with pytest.raises(MissingDataError, match="InterCode"):
        list(read_logs(tmp_path))


def test_a_log_of_another_kind(root, tmp_path):
    make_data(tmp_path / "x")
    file = tmp_path / "x" / "intercode_sql" / "traj_gpt-4_10_turns.json"
    file.write_text('{"0": {"turn_history": []}}')
    with pytest.raises(DataError, match="not a log"):
        list(read_logs(file.parent))


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"protocol": "best"}, "protocol"),
        ({"exclude_db": "moon"}, "moon"),
        ({"exclude_db": "zoo_1,shelf_2"}, "left out"),
        ({"game": "cooking"}, "game"),
    ],
)
def test_options_that_do_not_fit(root, options, problem):
    with pytest.raises(DataError, match=problem):
        make_suite("intercode-sql", data=root, **options).demonstrations(None, None)


def test_actions_cannot_be_listed(root):
    with pytest.raises(DataError, match="admissible"):
        make_suite("intercode-sql", data=root).environment(show_admissible=True)


def test_learn_and_evaluate(root, tmp_path):
    library = tmp_path / "sql"
    learned = run("learn", "intercode-sql", "--library", library, "--world", f"data={root}")
    assert f"macla eval intercode-sql --library {library} --split own" in learned.output
    shared = ("eval", "intercode-sql", "--world", f"data={root}", "--split", "own")
    again = as_json(*shared, "--arm", "nearest")
    assert (again["n"], again["mean_reward"], again["success_rate"]) == (4, 1.0, 1.0)
    best = as_json(*shared, "--library", library, "--world", "protocol=intercode")
    assert (best["n"], best["protocol"], best["engine"]) == (4, "intercode", "sqlite")
    assert len(best["reward_ci95"]) == len(best["ci95"]) == 2
    assert list(validator("eval_result").iter_errors(best)) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("learn", "alfworld", "--library", "x", "--world", "exclude-db=a"),
        ("learn", "intercode-sql", "--library", "x", "--unused", "y"),
        ("eval", "alfworld", "--library", "x", "--split", "y", "--world", "protocol=ipr"),
    ],
)
def test_options_that_are_for_one_benchmark(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "--" in result.output
