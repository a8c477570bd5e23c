"""The published logs of InterCode-SQL, played again; skipped where the data is not there."""

from __future__ import annotations

import json
import os
import time

import pytest

pytest.importorskip("sqlglot", reason="needs the extra intercode-sql")

from macla.evals.intercode_sql.dump import read_dump
from macla.evals.intercode_sql.engines import Limits, open_engine
from macla.evals.intercode_sql.environment import SqlEnvironment
from macla.evals.intercode_sql.logs import read_logs
from macla.evals.intercode_sql.replay import replay, replayed_turns
from macla.evals.intercode_sql.splits import allowed, split_tasks
from macla.evals.intercode_sql.tasks import DUMP, data_folder, read_tasks

FOLDER = data_folder()
SERVER = os.environ.get("MACLA_TEST_MYSQL")
EVERY = 23
"""Of the logged episodes, one in so many is played."""

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(
        not (FOLDER / "tasks.json").is_file(), reason=f"no InterCode-SQL data in {FOLDER}"
    ),
]


@pytest.fixture(scope="module")
def tasks():
    return read_tasks(FOLDER / "tasks.json")


@pytest.fixture(scope="module")
def sqlite():
    engine = open_engine("sqlite", FOLDER / DUMP, Limits(rows=100_000, seconds=30))
    yield engine
    engine.close()


def test_the_dump_is_whole():
    databases = read_dump(FOLDER / DUMP)
    tables = [table for each in databases.values() for table in each.tables.values()]
    assert (len(databases), len(tables)) == (20, 81)
    assert sum(len(table.rows) for table in tables) == 6_952
    assert not any(table.rows for table in databases["wta_1"].tables.values())


def test_every_right_query_runs_and_earns_one(sqlite, tasks):
    failed = []
    for gold, database in {(task.gold, task.database) for task in tasks}:
        sqlite.use(database)
        if sqlite.execute(gold).error:
            failed.append(gold)
    assert failed == []


def test_logged_turns_on_sqlite(sqlite, tasks):
    check(sqlite, tasks, rewards=0.985, rows=0.93, texts=0.87)


def test_logged_turns_on_a_server(tasks, socket_enabled):
    if not SERVER:
        pytest.skip("MACLA_TEST_MYSQL names no MySQL or MariaDB server")
    from macla.evals.intercode_sql.mysql import load_databases

    load_databases(SERVER, FOLDER / DUMP)
    engine = open_engine(SERVER, FOLDER / DUMP, Limits(rows=100_000, seconds=30))
    check(engine, tasks, rewards=0.99, rows=0.93, texts=0.87)
    engine.close()


def check(engine, tasks, *, rewards, rows, texts):
    episodes = list(read_logs(FOLDER))[::EVERY]
    counts = replay(replayed_turns(engine, {task.id: task for task in tasks}, episodes))
    assert counts.turns > 500
    assert counts.rewards / counts.turns >= rewards
    # Agents had made tables of their own on the logged server, which are not in the dump.
    assert counts.rows / counts.reached >= rows
    assert counts.texts / counts.reached >= texts


def test_an_episode_as_it_was_logged(tasks):
    log = json.loads((FOLDER / "traj_gpt-3.5_react_10_turns.json").read_bytes())["1"]
    history = log["turn_history"]
    environment = SqlEnvironment()
    environment.reset(tasks[[task.id for task in tasks].index(1)])
    for action, logged in zip(history["actions"], history["observations"], strict=True):
        told, reward, done, info = environment.step(action.removeprefix("execute[").rstrip("]"))
        # The log shows 25 rows at most, an episode 350 letters.
        assert told == logged if len(told) <= 350 else told[:350] == logged[:350]
    assert (done, info["won"], reward) == (True, True, 1.0)


def test_splits_do_not_leak(tasks):
    for name, size in (("gold", 153), ("db", 184)):
        held = split_tasks(name, tasks, FOLDER)
        rest = allowed(tasks, held)
        assert len(held) == size
        assert len(held) + len(rest) == len(tasks)
        assert not {task.gold_key for task in held} & {task.gold_key for task in rest}
    databases = {task.database for task in split_tasks("db", tasks, FOLDER)}
    assert not databases & {t.database for t in allowed(tasks, split_tasks("db", tasks, FOLDER))}


@pytest.mark.speed
def test_a_step_takes_two_milliseconds_without_execution(sqlite, tasks, monkeypatch):
    monkeypatch.setattr(sqlite, "_run", lambda query: sqlite._kinds(query))
    sqlite.use("world_1")
    queries = [task.gold for task in tasks if task.database == "world_1"]
    sqlite.execute(queries[0])
    started = time.process_time()
    for query in queries:
        sqlite.execute(query)
    assert (time.process_time() - started) / len(queries) < 0.002
