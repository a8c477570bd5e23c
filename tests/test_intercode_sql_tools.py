"""InterCode-SQL through tools: macla's own, and LangChain's SQL toolkit with a scripted model."""

from __future__ import annotations

import importlib.util
import json
import warnings

import pytest

pytest.importorskip("sqlglot", reason="needs the extra intercode-sql")

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, ToolMessage
from macla.evals.intercode_sql.engines import Limits
from macla.evals.intercode_sql.environment import SqlEnvironment
from macla.evals.intercode_sql.tasks import read_tasks
from macla.evals.intercode_sql.tools import make_tools
from small_sql import make_data


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    return make_data(tmp_path_factory.mktemp("data"))


@pytest.fixture
def begin(root):
    tasks = read_tasks(root / "intercode_sql" / "tasks.json")

    def begin(number, **options):
        return SqlEnvironment(root, **options).begin(tasks[number])

    return begin


def call(tools, name, **arguments):
    return json.loads(next(t for t in tools if t.name == name).invoke(arguments))


def test_each_call_is_a_step_with_a_result_in_json(begin):
    episode = begin(2)
    tools = make_tools(episode)
    assert [each.name for each in tools] == ["list_tables", "describe_table", "query", "submit"]
    assert call(tools, "list_tables") == {"tables": ["animal", "keeper"]}
    assert call(tools, "describe_table", table="keeper")["columns"][2] == {
        "name": "Wage", "type": "decimal(8,2)", "null": "YES", "key": "",
    }  # fmt: skip
    assert call(tools, "query", sql="SELECT Nme FROM keeper") == {
        "error": "Unknown column 'Nme' in 'field list'"
    }
    told = call(tools, "query", sql="SELECT Name, Wage, Since FROM keeper ORDER BY Wage")
    assert told == {
        "columns": ["Name", "Wage", "Since"],
        "rows": [["Ben; or not ", 9.25, None], ["Ada O'Hara", 12.5, "2001-02-03"],
                 ["Cleo", 20, "1999-12-31"]],
    }  # fmt: skip
    call(tools, "query", sql="SELECT Name FROM keeper ORDER BY Wage")
    assert call(tools, "submit") == {"submitted": True, "done": True}
    assert (episode.steps, episode.score, episode.done) == (6, 1.0, True)
    assert call(tools, "list_tables") == {"error": "The episode is over."}
    assert episode.steps == 6


def test_rows_are_cut_as_observations_are(begin):
    sql = "SELECT a.Name, b.Name, c.Name FROM animal a, animal b, animal c"
    told = call(make_tools(begin(0)), "query", sql=sql)
    assert len(told["rows"]) + told["more_rows"] == 27
    assert len(str(told["rows"])) <= 400
    whole = call(make_tools(begin(0, protocol="intercode")), "query", sql=sql)
    assert len(whole["rows"]) == 27


@pytest.mark.parametrize(
    "sql",
    [
        *("SELECT 9e999", "SELECT -9e999", "SELECT x'00ff'", "SELECT '\ud800'", "SELECT \0"),
        *("", "x" * 10**6, "SELECT 1 -- \ud800", "DROP TABLE animal", "ATTACH 'f' AS f"),
        *("SELECT LOAD_EXTENSION('x')", "PRAGMA user_version = 1"),
        "SELECT COUNT(*) FROM " + ", ".join(f"animal a{n}" for n in range(30)),
        "SELECT * FROM " + ", ".join(f"animal a{n}" for n in range(19)),  # a billion rows
    ],
)  # fmt: skip
def test_any_answer_is_json(begin, sql):
    def refuse(constant):
        raise AssertionError(constant)

    tools = make_tools(begin(0, limits=Limits(seconds=0.3, rows=100)))
    query, describe = tools[2].invoke({"sql": sql}), tools[1].invoke({"table": sql})
    for told in (query, describe):
        told.encode()
        assert set(json.loads(told, parse_constant=refuse)) <= {"columns", "rows", "error"}
    assert call(tools, "query", sql="SELECT COUNT(*) FROM animal")["rows"] == [[3]]


class Scripted(GenericFakeChatModel):
    """Calls the tools it was told to call, and takes any tools."""

    def bind_tools(self, tools, **_):
        return self


def test_langchains_toolkit_drives_an_episode(begin):
    if importlib.util.find_spec("langchain_community") is None:
        pytest.skip("needs langchain-community")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its own deprecations
        from langchain_community.agent_toolkits import SQLDatabaseToolkit
        from macla.evals.intercode_sql.toolkit import EpisodeDatabase
    from langchain.agents import create_agent

    steps = [
        ("sql_db_list_tables", {"tool_input": ""}),
        ("sql_db_schema", {"table_names": "animal"}),
        ("sql_db_query", {"query": "SELECT COUNT(*) FROM animals"}),
        ("sql_db_query", {"query": "SELECT COUNT(*) FROM animal"}),
        ("submit", {}),
    ]
    calls = [
        AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": str(n)}])
        for n, (name, arguments) in enumerate(steps)
    ]
    model = Scripted(messages=iter([*calls, AIMessage("There are 3.")]))
    episode = begin(0)
    tools = [
        *SQLDatabaseToolkit(db=EpisodeDatabase(episode), llm=model).get_tools(),
        make_tools(episode)[-1],
    ]
    state = create_agent(model, tools).invoke({"messages": [("user", episode.question)]})
    told = [m.content for m in state["messages"] if isinstance(m, ToolMessage)]
    assert told[0] == "animal, keeper"
    assert "('Weight', 'double', 'YES', '', None, '')" in told[1]
    assert told[2] == "Error executing query: Table 'zoo_1.animals' doesn't exist"
    assert told[3] == "[(3,)]"
    assert (episode.steps, episode.score) == (5, 1.0)
