"""What candidates are worth: learned from rewards, used by a choice, kept in the file."""

import json

import pytest
from command_line import as_json, run
from ferry_world import Harbour, shown
from macla.evals.webshop.made import write_made_shop
from macla.evals.webshop.shop import open_shop
from macla.procedures.common.errors import LibraryError, SchemaError
from macla.procedures.episodes.facts import Fact
from macla.procedures.episodes.history import TASK, Done, History
from macla.procedures.episodes.trajectories import write_trajectories
from macla.procedures.library.library import Library
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.worth.candidate_choice import is_open, preferred, recalled
from macla.procedures.worth.experience import Experience, FactMemory, Taken, TakenBefore
from macla.procedures.worth.fitting import Sample, fitted, reliability
from macla.procedures.worth.reward_model import Score, Worth

ROW = "{1}: {2}"
OPENS = Worth(
    Score((("said", 4.0),), -2.0),
    Score((("told", 6.0), ("lacks", -3.0)), -2.0),
    opens="open {}",
    between=("(", ")"),
)


# -- points --------------------------------------------------------------------------------
def test_points_are_learned_from_rewards_and_are_honest():
    samples = [
        Sample({"fits": fits, "odd": n % 2}, fits if n % 4 else 0.5)
        for n in range(80)
        for fits in (0.0, 1.0)
    ]
    score = fitted(samples)
    points = dict(score.points)
    assert points["fits"] > 1
    assert abs(points.get("odd", 0.0)) < 1
    assert score.of({"fits": 1.0}) == pytest.approx(0.875, abs=0.06)
    relied = reliability(samples)
    assert relied.expected == pytest.approx(relied.got, abs=0.05)
    assert "160 held out: 0.50 expected, 0.50 got" in str(relied)


def test_points_stay_near_those_of_before_where_rewards_say_little():
    start = Score((("fits", 3.0),), -1.0)
    assert fitted([], start) == start
    assert dict(fitted([Sample({"fits": 1.0}, 1.0)], start).points)["fits"] == pytest.approx(
        3, abs=1
    )


# -- which candidate is meant ----------------------------------------------------------------
def listing(*texts):
    return tuple(Fact(ROW, {"1": name, "2": text}) for name, text in texts)


def looking(*rows, left=None, memory=None):
    history = History("a red lamp (brass)", Fact(TASK, {}), ())
    facts = listing(*rows)
    history.add(Done(None, "list", ()), facts)
    history.left = left
    if memory:
        facts_known = FactMemory()
        for name, told in memory.items():
            facts_known.note(ROW, name, told)
        history.experience = Experience(TakenBefore([]), facts_known)
    return history, facts


def meant(history, facts):
    return preferred(OPENS, facts, "1", history)[0].fields["1"]


def see(history, name, *told):
    history.add(Done(None, "open {}", (name,)), tuple(Fact("{1}", {"1": text}) for text in told))


ROWS = (("A", "red thing"), ("B", "lamp"), ("C", "a lamp, red"))


def test_what_promises_most_is_opened_and_the_best_of_what_was_seen_is_kept():
    history, facts = looking(*ROWS)
    assert meant(history, facts) == "C"
    see(history, "C", "a lamp", "red", "Brass")
    assert is_open(OPENS, ROW, "1", "C", history)
    assert meant(history, facts) == "C"  # it has all that is said


def test_another_is_opened_where_something_lacks_and_the_first_again_where_that_is_worse():
    history, facts = looking(*ROWS)
    see(history, "C", "a red lamp")
    other = meant(history, facts)
    assert other != "C"
    history.add(Done(None, "list", ()), facts)
    see(history, other, "nothing")
    history.add(Done(None, "list", ()), facts)
    last = meant(history, facts)
    assert last not in ("C", other)
    see(history, last, "nothing either")
    assert meant(history, facts) == "C"
    assert not is_open(OPENS, ROW, "1", "C", history)


def test_nothing_is_opened_from_which_there_is_no_way_back_unless_it_promises_more():
    history, facts = looking(*ROWS, left=3)
    see(history, "C", "a red lamp")
    assert meant(history, facts) == "C"


def test_what_earlier_visits_told_counts_where_there_is_a_memory():
    known = {"B": ["a red lamp", "brass"], "C": ["a lamp"]}
    history, facts = looking(*ROWS, memory=known)
    assert meant(history, facts) == "B"


def recalling(*calls, left=None):
    """A list on which nothing fits, and a memory of what does."""
    history, facts = looking(("A", "green thing"), left=left, memory={"A": ["green"]})
    memory = history.experience.memory
    memory.note(ROW, "Z", ["red", "lamp", "brass"], line={"1": "Z", "2": "a red lamp"})
    memory.note(ROW, "Y", ["red", "lamp", "brass"], line={"1": "Y", "2": "a red lamp, too dear"})
    for call in calls:
        history.add(Done(None, "list {}", (call,)), facts)
    return history, facts


def remembered(history, facts):
    cheap = recalled(OPENS, facts, "1", history, lambda fact: "dear" not in fact.fields["2"])
    return cheap and cheap.fields["1"]


def test_what_is_not_listed_but_remembered_is_meant_where_it_promises_more():
    assert remembered(*recalling()) == "Z"
    assert remembered(*recalling("a red lamp")) is None  # it was asked for
    assert remembered(*recalling(left=3)) is None  # ask, open, take the brass one, end
    assert remembered(*recalling(left=4)) == "Z"
    history, facts = recalling()
    history.experience.trial = 1.0  # practice tries what is listed
    assert remembered(history, facts) is None
    history, facts = looking(("A", "a red lamp"), memory={"A": ["red", "lamp", "brass"]})
    history.experience.memory.note(ROW, "Z", ["red", "brass"], line={"1": "Z", "2": "red"})
    assert remembered(history, facts) is None


def test_what_was_taken_for_a_like_task_is_told_from_the_rest():
    before = TakenBefore(
        [Taken("1", "a red lamp", "A", 1.0), Taken("2", "a blue pot", "B", 1.0)]
        + [Taken(str(n), f"a thing {n}", "Z", 1.0) for n in range(3, 9)]
    )
    likeness = before.likeness("the red lamp")
    assert likeness["A"] > 0.1 > likeness.get("B", 0.0)
    assert "A" not in before.likeness("the red lamp", before.of_episode("1", ""))


# -- the memory ------------------------------------------------------------------------------
def test_a_memory_survives_a_kill_and_says_what_is_no_memory(tmp_path):
    memory = FactMemory(tmp_path / ".macla" / "seen.jsonl")
    memory.note(ROW, "A", ["red", "brass"])
    memory.note(ROW, "A", ["red", "brass"])
    memory.note(ROW, "B", ["tin"], line={"1": "B", "2": "a lamp"})
    file = tmp_path / ".macla" / "seen.jsonl"
    assert len(file.read_text(encoding="utf-8").splitlines()) == 2
    file.write_bytes(file.read_bytes() + b'{"kind": "half')
    again = FactMemory.read(tmp_path, keep=False)
    assert again.told(ROW, "A") == ("red", "brass")
    assert len(again) == 2
    assert again.line(ROW, "B") == {"1": "B", "2": "a lamp"}
    assert again.like(ROW, {"lamp": 1.0, "red": 1.0}, 9) == [Fact(ROW, {"1": "B", "2": "a lamp"})]
    file.write_text("[3]\n", encoding="utf-8")
    with pytest.raises(LibraryError, match="forget"):
        FactMemory.read(tmp_path, keep=False)


# -- a world that is no shop -----------------------------------------------------------------
@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    """A library that was practised with, and the files of tasks."""
    folder = tmp_path_factory.mktemp("harbour")
    write_trajectories(folder / "shown.jsonl", shown(30, 1000))
    for name, numbers in (("train", range(60)), ("dev", range(500, 530))):
        text = "".join(f"{number}\n" for number in numbers)
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    assert run("learn", folder / "shown.jsonl", "--library", folder / "lib").exit_code == 0
    first = run(*practice(folder, 40))
    assert first.exit_code == 0, first.stderr
    return folder


def practice(folder, number):
    source = ("practice", "ferry_world:Harbour", "--library", folder / "lib", "--rewards")
    return (*source, "--episodes", number, "--split", folder / "train.txt")


def mean_reward(folder, *options):
    suite = ("eval", "ferry_world:Harbour", "--library", folder / "lib")
    return as_json(*suite, "--split", folder / "dev.txt", *options)["mean_reward"]


def test_rewards_tell_what_no_demonstration_shows(harbour):
    again = as_json(*practice(harbour, 120))["practice"]
    assert (again["before"], again["episodes"], again["interrupted"]) == (40, 120, False)
    program = next(iter(Library.open(harbour / "lib").programs.values()))
    assert program.status == "active"
    points = program.to_document()["parameters"]["book"]["worth"]["listed"]
    assert points["said"] > 1
    assert points["low {3}"] > 0.5
    office = Harbour()
    offices = []
    for task in range(500, 530):
        office.reset(task)
        rewards = [office.worth(ferry) for ferry in office.ferries]
        offices.append((max(rewards), sum(rewards) / len(rewards)))
    best, chance = (sum(each) / len(offices) for each in zip(*offices, strict=True))
    assert mean_reward(harbour) > chance + 0.7 * (best - chance)


def test_practised_before_is_not_practised_again(harbour):
    before = Library.open(harbour / "lib").content_hash
    result = run(*practice(harbour, 20))
    assert "so nothing was played" in result.stderr
    assert Library.open(harbour / "lib").content_hash == before


def test_learning_again_keeps_what_rewards_told(harbour):
    assert run("learn", harbour / "shown.jsonl", "--library", harbour / "lib").exit_code == 0
    program = next(iter(Library.open(harbour / "lib").programs.values()))
    assert "worth" in program.to_document()["parameters"]["book"]
    assert program.status == "active"


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("shown.jsonl",), "shown.jsonl"),
        (("ferry_world:Harbour", "--demonstrations", "3"), "does not go with --rewards"),
    ],
)
def test_what_cannot_be_practised_is_said(harbour, options, told):
    first, *rest = options
    source = harbour / first if first.endswith("jsonl") else first
    call = ("practice", source, *rest, "--library", harbour / "lib")
    result = run(*call, "--rewards", "--episodes", 5)
    assert result.exit_code == 2
    assert told in result.stderr


# -- a shop ----------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    open_shop.cache_clear()
    write_made_shop(folder / "data" / "webshop", shown=24, played=16)
    where = ("webshop", "--library", folder / "lib", "--world", f"data={folder / 'data'}")
    assert run("learn", *where).exit_code == 0
    learned = as_json("practice", *where, "--rewards", "--episodes", 40)
    assert learned["practice"]["episodes"] == 40
    assert learned["practice"]["known"] > 3
    return folder


def played(shop, *options):
    suite = ("eval", "webshop", "--library", shop / "lib", "--world", f"data={shop / 'data'}")
    return as_json(*suite, "--split", "dev", *options)


def test_a_shop_is_practised_in_and_its_pages_are_remembered(shop):
    plain, known = played(shop), played(shop, "--method", "fact-memory")
    assert (plain["extra"]["fact_memory"], known["extra"]["fact_memory"]) == (False, True)
    assert plain["mean_reward"] > 0.9
    assert known["mean_reward"] >= plain["mean_reward"] - 0.02
    assert known["mean_steps"] <= plain["mean_steps"]
    again = played(shop, "--method", "fact-memory")
    assert [e["reward"] for e in again["episodes"]] == [e["reward"] for e in known["episodes"]]


def test_practice_plays_train_tasks_alone_and_keeps_what_it_was_paid(shop):
    splits = json.loads((shop / "data" / "webshop" / "splits.json").read_text(encoding="utf-8"))
    lines = (shop / "lib" / ".macla" / "rewards.jsonl").read_text(encoding="utf-8").splitlines()
    tasks = {int(json.loads(line)["task"].removeprefix("webshop_")) for line in lines}
    assert tasks <= set(splits["train"])
    assert len(lines) == 40


def test_what_is_remembered_can_be_asked_for(shop):
    lines = (shop / "lib" / ".macla" / "seen.jsonl").read_text(encoding="utf-8").splitlines()
    pages = [row for row in map(json.loads, lines) if "part" not in row]
    assert pages
    assert all(row["line"] for row in pages)
    (file,) = Library.open(shop / "lib").programs.values()
    document = file.to_document()
    assert {"source": "recalled", "of": "row"} in document["parameters"].values()
    assert ProgramFile.from_document(document).does_the_same(file)
    document["parameters"]["remembered"]["of"] = "last"
    with pytest.raises(SchemaError, match="worth"):
        ProgramFile.from_document(document)


def test_fact_memory_is_for_one_process_in_order(shop):
    result = run("eval", "webshop", "--library", shop / "lib", "--split", "dev",
                 "--method", "fact-memory", "--jobs", 2)  # fmt: skip
    assert "does not go with --jobs" in result.stderr
