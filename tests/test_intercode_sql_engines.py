"""Both engines of InterCode-SQL: what they answer, and what they refuse."""

from __future__ import annotations

import datetime
import os
import time
from decimal import Decimal

import pytest
from macla.procedures.common.errors import DataError, EnvironmentFailure, MissingDataError

sqlglot = pytest.importorskip("sqlglot", reason="needs the extra intercode-sql")

from macla.evals.intercode_sql.dump import read_dump, statements  # noqa: E402
from macla.evals.intercode_sql.engines import Limits, open_engine, refusal  # noqa: E402
from small_sql import make_data  # noqa: E402

SERVER = os.environ.get("MACLA_TEST_MYSQL")
LIMITS = Limits(seconds=0.5, rows=50)


@pytest.fixture(scope="module")
def dump(tmp_path_factory):
    return make_data(tmp_path_factory.mktemp("data")) / "intercode_sql" / "ic_spider_dbs.sql"


@pytest.fixture(scope="module", params=["sqlite", "mysql"])
def backend(request, dump):
    if request.param == "sqlite":
        return "sqlite"
    if not SERVER:
        pytest.skip("MACLA_TEST_MYSQL names no MySQL or MariaDB server")
    import pytest_socket
    from macla.evals.intercode_sql.mysql import load_databases

    pytest_socket.enable_socket()
    load_databases(SERVER, dump)
    return SERVER


@pytest.fixture
def engine(backend, dump, request):
    if backend != "sqlite":
        request.getfixturevalue("socket_enabled")
    engine = open_engine(backend, dump, LIMITS)
    engine.use("zoo_1")
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("statement", "rows"),
    [
        ("SHOW TABLES", [("animal",), ("keeper",)]),
        ("show tables like 'a%'", [("animal",)]),
        ("SHOW TABLES FROM shelf_2;", [("book",)]),
        (
            "DESC Keeper",
            [
                ("Id", "int", "NO", "PRI", None, "auto_increment"),
                ("Name", "varchar(40)", "YES", "", None, ""),
                ("Wage", "decimal(8,2)", "YES", "", "10.00", ""),
                ("Since", "date", "YES", "", None, ""),
            ],
        ),
        ("SELECT COUNT(*) FROM animal", [(3,)]),
        ('SELECT Name FROM keeper WHERE name = "CLEO"', [("Cleo",)]),  # no case
        ("SELECT Id FROM keeper WHERE Name = 'ben; or not'", [(2,)]),  # no blanks at the end
        ("SELECT Name FROM Animal AS T1 WHERE t1.Weight > 100", [("Lion",)]),
        ("SELECT AVG(Id), SUM(Id), MAX(Id) FROM animal", [(Decimal("2.0000"), Decimal(6), 3)]),
        ("SELECT AVG(Weight), SUM(Weight) FROM animal", [(115.25, 230.5)]),
        ("SELECT SUM(Wage), AVG(Wage) FROM keeper", [(Decimal("41.75"), Decimal("13.916667"))]),
        ("SELECT Id / 2 FROM animal WHERE Id = 1", [(Decimal("0.5000"),)]),
        (
            "SELECT * FROM keeper WHERE Id = 1",
            [(1, "Ada O'Hara", Decimal("12.50"), datetime.date(2001, 2, 3))],
        ),
        ("SELECT MAX(Seen) FROM animal", [(datetime.datetime(2020, 1, 3, 0, 0),)]),
        ("SELECT Since FROM keeper WHERE Since IS NULL", [(None,)]),
        ("SELECT REPEAT('ab', 3), REPEAT('ab', -1), REPEAT(NULL, 2)", [("ababab", "", None)]),
        ("SELECT LPAD('7', 3, '0'), RPAD('abcd', 2, 'x')", [("007", "ab")]),
        ("SELECT LPAD('a', 6, 'xyz'), RPAD('a', 3, '')", [("xyzxya", None)]),
        ("SELECT LPAD('a', -1, 'x'), LPAD(NULL, 3, 'x')", [(None, None)]),
        ("SELECT CONCAT('<', SPACE(2), '>'), LPAD('a', 2)", [("<  >", " a")]),
        ("SELECT TRIM(BOTH 'xy' FROM 'xyxyaxybxy'), TRIM('  a ')", [("axyb", "a")]),
        (
            "SELECT TRIM(TRAILING 'ab' FROM 'cabab'), LTRIM(' a '), RTRIM(' a ')",
            [("c", "a ", " a")],
        ),
        ("SELECT REPLACE('aXbX', 'X', 'yy'), REPLACE('abc', '', 'x')", [("ayybyy", "abc")]),
        ("SELECT LOCATE('B', 'abc'), INSTR('abc', 'c'), LOCATE('z', 'abc')", [(2, 3, 0)]),
        ("SELECT TRIM(NULL), REPLACE('a', NULL, 'b'), LOCATE(NULL, 'a')", [(None, None, None)]),
        ("SELECT Name FROM keeper WHERE Name REGEXP '^[[:alpha:]]+$'", [("Cleo",)]),
        ("SELECT COUNT(*) FROM keeper WHERE Name REGEXP '[^[:alnum:]]'", [(2,)]),
        ("SELECT CONCAT(Name, '-', Id) FROM animal LIMIT 1, 1", [("Emu-2",)]),
        ("SELECT LEFT(Name, 2), IF(Id > 1, 'x', 'y') FROM animal WHERE Id = 1", [("Li", "y")]),
        ("SELECT YEAR(Since) FROM keeper WHERE Id = 3", [(1999,)]),
        ("SELECT COUNT(DISTINCT Keeper, Weight) FROM animal", [(2,)]),
        ("SELECT COUNT(*) FROM animal WHERE Name REGEXP '^l'", [(1,)]),
        ("SELECT Title FROM shelf_2.book WHERE Title = 'emile'", [("Émile",)]),
        (
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'zoo_1' "
            "ORDER BY 1",
            [("animal",), ("keeper",)],
        ),
        (
            "SELECT T1.Name FROM keeper AS T1 JOIN animal AS T2 ON T1.Id = T2.Keeper "
            "GROUP BY T1.Id ORDER BY COUNT(*) DESC LIMIT 1",
            [("Ada O'Hara",)],
        ),
        ("WITH big AS (SELECT AVG(Id) AS a FROM animal) SELECT a FROM big", [(Decimal("2.0000"),)]),
        ("SELECT 'a; b -- c'", [("a; b -- c",)]),
    ],
)
def test_answers(engine, statement, rows):
    answer = engine.execute(statement)
    assert answer.error == ""
    assert answer.rows == rows


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("SELECT x FROM nowhere", "Table 'zoo_1.nowhere' doesn't exist"),
        ("SELECT Nme FROM keeper", "Unknown column 'Nme' in 'field list'"),
        ("SELECT Id FROM keeper WHERE Nme = 1", "Unknown column 'Nme' in 'where clause'"),
        ("SELECT Id FROM keeper ORDER BY Nme", "Unknown column 'Nme' in 'order clause'"),
        ("DESC nowhere", "Table 'zoo_1.nowhere' doesn't exist"),
        ("USE nowhere", "Unknown database 'nowhere'"),
    ],
)
def test_errors_are_mysqls(engine, statement, error):
    answer = engine.execute(statement)
    assert answer.rows is None
    assert answer.error == error


@pytest.mark.parametrize("statement", ["SELEC 1", "SELECT", "SELECT FROM WHERE", "hello there"])
def test_syntax_errors(engine, statement):
    assert engine.execute(statement).error.startswith("You have an error in your SQL syntax")


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO animal VALUES (9, 'Cat', 1, 1, NULL)",
        "UPDATE keeper SET Wage = 0",
        "DELETE FROM animal",
        "DROP TABLE animal",
        "CREATE TABLE t (a int)",
        "ALTER TABLE animal ADD COLUMN x int",
        "ATTACH DATABASE '/tmp/x' AS x",
        "PRAGMA query_only = OFF",
        "SET sql_mode = ''",
        "SELECT load_extension('x')",
        "SELECT LOAD_FILE('/etc/passwd')",
        "SELECT * FROM animal INTO OUTFILE '/tmp/macla-test'",
        "SELECT * FROM animal INTO/**/OUTFILE '/tmp/macla-test'",
        "SELECT 1 /* ' */ INTO OUTFILE '/tmp/macla-test'",
        "SELECT 1 -- '\n INTO OUTFILE '/tmp/macla-test'",
        "SELECT 1 # '\n INTO DUMPFILE '/tmp/macla-test'",
        "SELECT 1 INTO -- x\n OUTFILE '/tmp/macla-test'",
        "SELECT LOAD_FILE/**/('/etc/passwd')",
        "SELECT `LOAD_FILE`('/etc/passwd')",
        "SELECT /*+ MAX_EXECUTION_TIME(0) */ 1",
        "SELECT SLEEP(100)",
        "/*!50000 DROP TABLE animal */",
        "SELECT 1 /*!50000 INTO OUTFILE '/tmp/macla-test' */",
        "SELECT 1; DROP TABLE animal",
        "; DROP TABLE animal",
        "WITH a AS (SELECT 1) DELETE FROM animal",
        "EXPLAIN DELETE FROM animal",
        "(DELETE FROM animal)",
        "-- a comment\nDROP TABLE animal",
        "GRANT ALL ON *.* TO x",
        "SELECT zeroblob(1000000000)",
        "SELECT printf('%.*c', 2000000000, 'x')",
        "SELECT readfile('/etc/passwd')",
        "SELECT * FROM sqlite_master",
        "SELECT * FROM pragma_database_list",
    ],
)
def test_nothing_is_written_or_read_that_is_no_data(engine, statement):
    answer = engine.execute(statement)
    assert answer.error
    assert answer.rows is None
    assert engine.execute("SELECT COUNT(*), MIN(Id), MAX(Id) FROM animal").rows == [(3, 1, 3)]
    assert not os.path.exists("/tmp/macla-test")


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT COUNT(*) FROM " + ", ".join(f"animal a{n}" for n in range(22)),
        "WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT MAX(i) FROM n",
        "SELECT * FROM " + ", ".join(f"animal a{n}" for n in range(18)),
        "SELECT * FROM " + " JOIN ".join(f"animal a{n}" for n in range(60)),
        "WITH n0 AS (SELECT 1 AS i)"
        + "".join(f", n{n} AS (SELECT a.i FROM n{n - 1} a, n{n - 1} b)" for n in range(1, 60))
        + " SELECT COUNT(*) FROM n59",
    ],
)
def test_what_runs_for_ever_or_answers_without_end_is_cut_short(engine, statement):
    started = time.monotonic()
    answer = engine.execute(statement)
    assert time.monotonic() - started < 20
    if answer.error == "":  # MariaDB stops a recursion after a thousand steps
        assert "WITH" in statement
    assert engine.execute("SELECT 1").rows == [(1,)]


def test_the_end_of_a_text(engine):
    rows = engine.execute("SELECT RIGHT('abc', 2), RIGHT('abc', 0), LEFT('abc', 2)").rows
    assert rows == [("bc", "", "ab")]


def test_what_joins_without_on_is_still_read(engine):
    rows = engine.execute("SELECT COUNT(*) FROM animal a JOIN animal b JOIN animal c").rows
    assert rows == [(27,)]


def test_an_answer_of_long_texts_is_cut_short_and_the_database_stays(backend, dump, request):
    if backend != "sqlite":
        request.getfixturevalue("socket_enabled")
    engine = open_engine(backend, dump, Limits(seconds=5, answer=2_000))
    engine.use("zoo_1")
    engine.execute("USE shelf_2")
    long = "REPLACE('" + "a" * 100 + "', 'a', 'bbbbbbbbb')"
    answer = engine.execute(f"SELECT {long} FROM book a, book b, book c")
    assert answer.rows is None
    assert answer.error == "The answer has more than 2000 letters; ask for less"
    assert engine.execute("SELECT COUNT(*) FROM book").rows == [(3,)]
    assert engine.execute(f"SELECT {long}").rows == [("b" * 900,)]
    engine.close()


@pytest.mark.parametrize(
    "statement",
    [
        "",
        " \n ",
        "\0",
        "\ud800",
        "SELECT '" + "x" * 30_000 + "'",
        "(" * 500 + "SELECT 1" + ")" * 500,
        "SELECT " + "-" * 300 + "1",
        "SELECT '\ud800'",
        "'", '"', "`", "/*", "--", "#", "SELECT 'a", "SELECT 1 /*", "SELECT \0", "🦊",
        "SELECT REPEAT('x', 1000000000)",
        "SELECT TRIM(BOTH CONCAT(REPEAT('b', 40000), 'a') FROM REPEAT('a', 90000))",
        "SELECT " + ", ".join(["REPEAT('a', 16777215)"] * 40),
        "SELECT Name FROM animal WHERE Name REGEXP '(a+)+$'",
        "SELECT Name FROM animal WHERE Name REGEXP '('",
        "SELECT 99999999999999999999999999 + Id FROM animal",
        "SELECT 1/0",
    ],
)  # fmt: skip
def test_bad_input_never_crashes(engine, statement):
    answer = engine.execute(statement)
    assert isinstance(answer.text, str)
    assert engine.execute("SELECT COUNT(*) FROM animal").rows == [(3,)]


@pytest.mark.parametrize("statement", ["\ud800", "SELECT '\ud800'", "SELECT 1 -- \ud800"])
def test_half_of_a_character_is_mysqls_own_error(engine, statement):
    told = r"Error executing query: Invalid utf8mb4 character string: '\xED\xA0\x80'"
    assert engine.execute(statement).text == told


def test_a_database_that_is_not_there(engine):
    with pytest.raises(DataError, match="nowhere"):
        engine.use("nowhere")


def test_use_lasts_for_an_episode(engine):
    assert engine.execute("USE shelf_2").text == "None"
    assert engine.execute("SELECT COUNT(*) FROM book").rows == [(3,)]
    engine.use("zoo_1")
    assert engine.execute("SELECT COUNT(*) FROM animal").rows == [(3,)]


def test_names_in_backticks_are_names(engine):
    assert engine.execute("SELECT `Nme` FROM keeper").error.startswith("Unknown column 'Nme'")


def test_a_backend_of_another_kind(dump):
    with pytest.raises(DataError, match="sqlite, or the URL"):
        open_engine("oracle://x", dump)


def test_no_dump(tmp_path):
    with pytest.raises(MissingDataError, match="MACLA_DATA"):
        open_engine("sqlite", tmp_path / "none.sql")


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_no_server(dump):
    with pytest.raises(EnvironmentFailure, match="does not answer") as raised:
        open_engine("mysql://root:secret@127.0.0.1:1", dump)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize(
    "text",
    ["no statement", "INSERT INTO `t` VALUES (1)", "USE `a`;\nINSERT INTO `t` VALUES (1);"],
)
def test_a_file_that_is_no_dump(tmp_path, text):
    file = tmp_path / "x.sql"
    file.write_text(text)
    with pytest.raises(DataError, match=str(file)):
        read_dump(file)


def test_statements_of_a_script():
    script = "-- a;b\nSELECT ';' /* ; */;\n\n/* x; */ USE `a;b`;"
    assert list(statements(script)) == ["SELECT ';' /* ; */", "USE `a;b`"]


def test_queries_pass_the_gate():
    for statement in ("select 1", " ( SELECT 1)", "/* why */ with a as (select 1) select 1"):
        assert refusal(statement, Limits()) == ""
    # What only looks like a forbidden word stands in a text.
    assert refusal("SELECT 'sleep(1) into outfile'", Limits()) == ""
