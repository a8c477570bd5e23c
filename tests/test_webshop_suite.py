"""WebShop's files, splits and commands; what is wrong with them is said."""

import json

import pytest
from command_line import as_json, run
from macla.evals.players.baselines import play
from macla.evals.suites.suites import make_suite
from macla.evals.webshop.catalogue import read_catalogue
from macla.evals.webshop.demonstrations import play_again, read_dialogues
from macla.evals.webshop.shop import open_shop
from macla.procedures.common.errors import DataError, MissingDataError
from macla.procedures.episodes.trajectories import find_problem
from macla.schemas import validator
from small_shop import PRODUCTS, products, write_files


@pytest.fixture
def data(tmp_path):
    write_files(tmp_path / "webshop")
    open_shop.cache_clear()
    return tmp_path


def dialogue(data, number, changed=""):
    """Return the turns of a purchase as they are logged."""
    suite = make_suite("webshop", data=data)
    environment = suite.environment(show_admissible=False)
    goal = open_shop(data / "webshop").goals[number]
    turns = [["human", "You are web shopping."], ["gpt", "Ok."]]
    _, page = environment.reset(number)
    for action in (
        *("search[" + goal.text + "]", f"click[{goal.product.id}]"),
        *(f"click[{value}]" for value in goal.options.values()),
        "click[Buy Now]",
    ):
        turns += [
            ["human", page + changed],
            ["gpt", f"Thought:\nI think so.\n\nAction:\n{action} "],
        ]
        page, *_ = environment.step(action)
    return turns


def write_dialogues(data, **changes):
    documents = {f"webshop_{number}": dialogue(data, number, **changes) for number in range(5)}
    file = data / "webshop" / "expert_dialogues.json"
    file.write_text(json.dumps(documents), encoding="utf-8")


def test_files_are_read(data):
    assert read_catalogue(data / "webshop") == products()


def test_odd_and_repeated_ids_are_left_out(data):
    file = data / "webshop" / "items_shuffle_1000.json"
    odd = [{"asin": "nan"}, {"asin": "B" * 11}, PRODUCTS[0]]
    file.write_text(json.dumps([*PRODUCTS, *odd]), encoding="utf-8")
    assert read_catalogue(data / "webshop") == products()


@pytest.mark.parametrize(
    ("name", "text", "match"),
    [
        ("items_shuffle_1000.json", "{", "cannot be read"),
        ("items_shuffle_1000.json", "{}", "not a JSON list"),
        ("items_shuffle_1000.json", "[]", "holds no product"),
        ("items_shuffle_1000.json", "[3]", "product 1 is not"),
        ("items_shuffle_1000.json", '[{"asin": "B1", "name": 3}]', "product 1 is not"),
        ("items_ins_v2_1000.json", "[]", "not a JSON object"),
    ],
)
def test_a_wrong_file_is_named(data, name, text, match):
    (data / "webshop" / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=match) as caught:
        read_catalogue(data / "webshop")
    assert name in str(caught.value)


def test_missing_data_is_said(tmp_path):
    with pytest.raises(MissingDataError, match="MACLA_DATA"):
        make_suite("webshop", data=tmp_path).tasks("unseen")
    with pytest.raises(MissingDataError, match="MACLA_DATA"):
        make_suite("webshop", data=tmp_path).tasks("dev")
    with pytest.raises(MissingDataError, match="expert_dialogues"):
        make_suite("webshop", data=tmp_path).demonstrations(None, None)
    done = run(
        "eval", "webshop", "--arm", "rebound", "--split", "dev", "--world", f"data={tmp_path}"
    )
    assert done.exit_code == 2
    assert "MACLA_DATA" in done.output


def test_splits(data, tmp_path):
    for text in ("{", "[]", '{"train": 3}', '{"train": ["x"], "dev": []}'):
        (tmp_path / "webshop" / "splits.json").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match="train and dev"):
            make_suite("webshop", data=data).tasks("dev")
    document = json.dumps({"train": [0], "dev": [1]})
    (tmp_path / "webshop" / "splits.json").write_text(document, encoding="utf-8")
    suite = make_suite("webshop", data=data)
    goals = open_shop(data / "webshop").goals
    assert [task.id for task in suite.tasks("train")] == ["webshop_0"]
    assert [task.reference for task in suite.tasks("dev")] == [1]
    unseen = [task.reference for task in suite.tasks("unseen")]
    shown = goals[0].product.id
    assert all(goals[number].product.id != shown for number in unseen)
    assert not {0, 1} & set(unseen)
    for name, text in (("a.json", "[3, 2]"), ("b.txt", "# left\nwebshop_3\n2\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert [task.reference for task in suite.tasks(str(tmp_path / name))] == [3, 2]
    assert len(suite.tasks(str(tmp_path / "a.json"), limit=1)) == 1


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("[99]", "task 99"),
        ("[-1]", "task -1"),
        ("[]", "names no task"),
        ("[1", "not a JSON list"),
        ('["x"]', "not a JSON list"),
        ("[1.5]", "not a JSON list"),
        ("some text", "not a JSON list"),
    ],
)
def test_a_wrong_split_is_named(data, tmp_path, text, match):
    (tmp_path / "split.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=match):
        make_suite("webshop", data=data).tasks(str(tmp_path / "split.json"))
    with pytest.raises(DataError, match="no WebShop split"):
        make_suite("webshop", data=data).tasks("valid_seen")


def test_dialogues_are_demonstrations(data):
    write_dialogues(data)
    suite = make_suite("webshop", data=data)
    shown, left = suite.demonstrations(3, 1)
    assert len(shown) == 3
    assert len(left) == 2
    assert not {each.id for each in shown} & set(left)
    for each in shown:
        assert (each.success, each.reward) == (True, 1.0)
        assert each.obs[-1].startswith("Thank you for shopping with us!")
        document = each.to_document()
        assert document["reward"] == 1.0
        assert find_problem(document) is None


def test_a_dialogue_of_another_shop_is_refused(data):
    write_dialogues(data, changed=" [SEP] more")
    with pytest.raises(DataError, match="another page"):
        make_suite("webshop", data=data).demonstrations(1, 0)
    write_dialogues(data)
    file = data / "webshop" / "expert_dialogues.json"
    file.write_text(file.read_text("utf-8").replace("webshop_0", "webshop_77"), encoding="utf-8")
    shop = open_shop(data / "webshop")
    with pytest.raises(DataError, match="no task webshop_77"):
        play_again(shop, read_dialogues(data / "webshop")[0])
    for text in ("[]", "{", '{"webshop_1": [["human", "x"]]}', '{"x": []}'):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match="not a file of dialogues"):
            read_dialogues(data / "webshop")


def test_a_report_has_graded_rewards(data):
    write_dialogues(data)
    (data / "split.json").write_text("[0, 1, 2, 3, 4]", encoding="utf-8")
    common = ["--split", str(data / "split.json"), "--world", f"data={data}"]
    document = as_json("eval", "webshop", "--arm", "random", "--world", "admissible", *common)
    validator("eval_result").validate(document)
    rewards = [episode["reward"] for episode in document["episodes"]]
    assert document["n"] == 5
    assert document["mean_reward"] == pytest.approx(sum(rewards) / 5)
    low, high = document["reward_ci95"]
    assert low <= document["mean_reward"] <= high
    assert document["max_steps"] == 10
    assert document["engine"] == "native, 12 products, price seed 0"
    assert [episode["success"] for episode in document["episodes"]] == [r == 1 for r in rewards]
    text = run("eval", "webshop", "--arm", "rebound", "--split", "dev", *common[2:]).output
    assert "12 products" in text


def test_the_demo_buys_what_was_never_asked_for(tmp_path):
    kept = tmp_path / "kept"
    done = run("demo", "webshop", "--keep", kept)
    assert done.exit_code == 0, done.output
    for part in ("> search[", "source: choice", "do: click[", "solved 12 of 12", "Try next"):
        assert part in done.output
    shown = done.output.partition("parameters:\n")[2].partition("\n3. ")[0].rstrip().splitlines()
    assert all(line.strip() for line in shown)
    assert [line for line in shown if line.rstrip().endswith(":")] == ["  words:", "steps:"]
    assert "    when: [not done(ask)]" in shown
    assert "did not work" not in done.output  # a chosen option changes nothing that is told
    split = json.loads((kept / "webshop" / "splits.json").read_text("utf-8"))
    assert not set(split["train"]) & set(split["dev"])
    result = as_json(
        *("eval", "webshop", "--library", kept / "library", "--world", f"data={kept}"),
        *("--split", "dev", "--world", "admissible", "--limit", 3),
    )
    assert result["mean_reward"] == 1.0  # a query of its own words is possible, though not listed


def test_the_copy_buys_what_the_nearest_purchase_bought_with_the_options_of_its_task(data):
    suite = make_suite("webshop", data=data)
    goals = open_shop(data / "webshop").goals
    dialogues = [each for number in range(3) for each in [dialogue(data, number)]]
    documents = {f"webshop_{number}": turns for number, turns in enumerate(dialogues)}
    file = data / "webshop" / "expert_dialogues.json"
    file.write_text(json.dumps(documents), encoding="utf-8")
    player = suite.copier(suite.demonstrations(None, None)[0])
    environment = suite.environment(show_admissible=False)
    for number, goal in enumerate(goals):
        outcome = play(player, environment, number, max_steps=10)
        bought = {goals[shown].product.id for shown in range(3)}
        clicked = [action[6:-1] for action in outcome.actions if action.startswith("click[")]
        assert clicked[0] in bought
        assert clicked[-1] == "Buy Now"
        if clicked[0] == goal.product.id:
            assert set(goal.options.values()) <= set(clicked)
            assert outcome.success
    with pytest.raises(DataError, match="at least one"):
        suite.copier([])
