"""Bad input from worlds and files, through the commands that people use: an error or a fallback."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command_line import run
from library_copies import copy_library
from macla.adapters.teaching import lesson
from macla.procedures.library.library import Library, validate_library
from macla.procedures.programs.learning.proposing import propose_for_kinds

pytestmark = pytest.mark.usefixtures("plans_only")

WORLD = '''
import random


class Chests:
    """Something lies in one of three chests; it is to be brought up."""

    chests = ("oak chest", "tin chest", "old crate")
    things = ("fig", "plum", "lime", "date")
    open_it, take_it = "unbar {chest}", "hoist {thing} out of {chest}"
    shape = staticmethod(lambda text, step: text)

    def reset(self, task):
        rng = random.Random(task)
        self.thing = self.things[int(task.split()[0]) % len(self.things)]
        self.home = rng.choice(self.chests)
        self.opened, self.steps = [], 0
        seen = ", ".join(f"the {chest}" for chest in self.chests)
        return f"Bring up the {self.thing}.", self.shape(f"You see {seen}.", 0)

    def step(self, action):
        self.steps += 1
        text, won = "Nothing stirs.", False
        for chest in self.chests:
            if action == self.open_it.format(chest=chest):
                self.opened.append(chest)
                inside = f"the {self.thing}" if chest == self.home else "dust"
                text = f"You unbar the {chest}. In it is {inside}."
            taken = self.take_it.format(thing=self.thing, chest=chest)
            if action == taken and chest == self.home and chest in self.opened:
                text, won = f"You hoist the {self.thing} out of the {chest}.", True
        return self.shape(text, self.steps), float(won), won, {"won": won}

    def admissible(self):
        shown = [self.open_it.format(chest=chest) for chest in self.chests]
        if self.home in self.opened:
            shown.append(self.take_it.format(thing=self.thing, chest=self.home))
        return shown


class Prefixes(Chests):
    chests = ("box", "box lid", "box lid crate")
    things = ("fig", "fig jam", "fig jam jar", "plum")


class Quotes(Chests):
    open_it, take_it = 'unbar "{chest}"', "hoist '{thing}' out of \\"{chest}\\""


class Brackets(Chests):
    open_it, take_it = "unbar [{chest}]", "hoist({thing}) <- {{{chest}}}*"


class Numbers(Chests):
    chests = ("7", "12", "3.5")
    things = ("1 2", "40", "-3", "0x1f")


class Letters(Chests):
    chests = ("cañón", "łódź 木", "schöner krug")
    things = ("żółta figa", "桜桃", "слива", "إجاص")


class Upper(Chests):
    shape = staticmethod(lambda text, step: text.upper() if step > 1 else text)


class Lines(Chests):
    shape = staticmethod(lambda text, step: text.replace(". ", ".\\r\\n\\r\\n") if step else text)


class Coloured(Chests):
    shape = staticmethod(lambda text, step: f"\\x1b[1;31m{text}\\x1b[0m\\x00\\ud800")


class Spaced(Chests):
    shape = staticmethod(lambda text, step: text.replace(" ", "\\u00a0"))


class Markup(Chests):
    shape = staticmethod(lambda text, step: f"<p>{text}</p>" if step > 1 else text)


class Json(Chests):
    shape = staticmethod(lambda text, step: '{"seen": "%s"}' % text if step > 1 else text)


class Empty(Chests):
    shape = staticmethod(lambda text, step: "")


class Fades(Chests):
    shape = staticmethod(lambda text, step: "" if step > 1 else text)


class Thousands(Chests):
    def admissible(self):
        odd = [f"polish the {n} odd mirrors of hall {self.steps}" for n in range(2500)]
        return [*odd, *super().admissible(), *(f"unbar far chest {n}" for n in range(2500))]


class Twice(Chests):
    def admissible(self):
        return tuple([*super().admissible(), "", "  "] * 3)


class Nothing(Chests):
    def admissible(self):
        return []


class NoList(Chests):
    def admissible(self):
        return None


class Mixed(Chests):
    def admissible(self):
        return [*super().admissible(), 7]


class Answer(Chests):
    answer = None

    def step(self, action):
        observation, reward, done, info = super().step(action)
        return self.wrong(observation, reward, done, info)


class NoText(Answer):
    wrong = staticmethod(lambda o, r, d, i: (None, r, d, i))


class NoReward(Answer):
    wrong = staticmethod(lambda o, r, d, i: (o, None, d, i))


class NaN(Answer):
    wrong = staticmethod(lambda o, r, d, i: (o, float("nan"), d, i))


class NoInfo(Answer):
    wrong = staticmethod(lambda o, r, d, i: (o, r, d, None))


class Short(Answer):
    wrong = staticmethod(lambda o, r, d, i: (o, r))


class NoAnswer(Answer):
    wrong = staticmethod(lambda o, r, d, i: None)


class Doubtful:
    def __bool__(self):
        raise ValueError("ambiguous")

    def __repr__(self):
        raise RuntimeError("no repr either")


class NoTruth(Answer):
    wrong = staticmethod(lambda o, r, d, i: (o, r, Doubtful(), i))


class NoVerdict(Answer):
    wrong = staticmethod(lambda o, r, d, i: (o, r, d, {"won": Doubtful()}))


class WonUnsaid(Answer):
    wrong = staticmethod(lambda o, r, d, i: (o, r, d, {"won": None}))


class Ends(Answer):
    wrong = staticmethod(lambda o, r, d, i: (o, 0, True, {}))


class Raises(Answer):
    @staticmethod
    def wrong(o, r, d, i):
        raise KeyError("chest")


class Exits(Answer):
    @staticmethod
    def wrong(o, r, d, i):
        raise SystemExit(0)


class Hangs(Answer):
    @staticmethod
    def wrong(o, r, d, i):
        import time

        time.sleep(30)


class Late(Chests):
    """Fails in its third step only, and only in every other task."""

    def step(self, action):
        answer = super().step(action)
        if self.steps == 2 and self.thing in ("plum", "date"):
            raise RuntimeError("the lid fell shut")
        return answer


class NoTask(Chests):
    def reset(self, task):
        return "", super().reset(task)[1]


class OddTask(Chests):
    def reset(self, task):
        text, seen = super().reset(task)
        return f"\\x07{text}\\ud800", seen
'''


@pytest.fixture(scope="module")
def chests(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The module of worlds, on the path, in a folder with tasks."""
    folder = tmp_path_factory.mktemp("chests")
    (folder / "macla_test_chests.py").write_text(WORLD, encoding="utf-8")
    (folder / "tasks.txt").write_text("".join(f"{n} unseen\n" for n in range(6)))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.delitem(sys.modules, "macla_test_chests", raising=False)
        patch.chdir(folder)
        import macla_test_chests

        yield macla_test_chests


def demonstrated(world: Any, count: int = 24) -> list[dict[str, Any]]:
    """Open chests in their order until the thing is found, and take it."""
    lines = []
    for number in range(count):
        text, first = world.reset(f"{number} shown")
        obs, acts, won = [first], [], False
        for chest in world.chests:
            actions = [world.open_it.format(chest=chest)]
            if chest == world.home:
                actions.append(world.take_it.format(thing=world.thing, chest=chest))
            for action in actions:
                observation, _, won, _ = world.step(action)
                acts.append(action)
                obs.append(observation)
            if won:
                break
        lines.append({"task": text, "obs": obs, "acts": acts, "success": won})
    return lines


def learned(world: Any, folder: Path) -> Path:
    file = folder / "shown.jsonl"
    text = "".join(json.dumps(line) + "\n" for line in demonstrated(world))
    file.write_text(text, encoding="utf-8")
    result = run("learn", file, "--library", folder / "lib")
    assert result.exit_code == 0, result.output
    assert not [f for f in validate_library(folder / "lib") if f.severity == "error"]
    return folder / "lib"


@pytest.fixture(scope="module")
def library_of(
    chests: Any, plans_only: None, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], Path]:
    """Return the library learned from a world; it is learned once."""

    @cache
    def library(name: str) -> Path:
        return learned(getattr(chests, name)(), tmp_path_factory.mktemp(name))

    return library


@pytest.fixture
def plain(library_of: Callable[[str], Path]) -> Path:
    """A library learned from the world as it should be."""
    return library_of("Chests")


@pytest.fixture(scope="module")
def programs(chests: Any, plans_only: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with programs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lesson, "propose_for_kinds", propose_for_kinds)
        library = learned(chests.Chests(), tmp_path_factory.mktemp("programs"))
    assert Library.open(library).programs
    return library


def played(world: str, library: Path, *more: object) -> Any:
    call = ("--library", library, "--split", "tasks.txt", "--world", "max-steps=20", "--json")
    result = run("eval", f"macla_test_chests:{world}", *call, *more)
    assert result.exit_code == 0, result.stderr
    assert "Traceback" not in result.stderr
    return json.loads(result.stdout)


@pytest.mark.parametrize("shown", ["admissible", "admissible=no"])
@pytest.mark.parametrize("name", ["Chests", "Prefixes", "Quotes", "Brackets", "Numbers", "Letters"])
def test_a_world_is_learned_and_played_however_it_names_things(
    library_of: Callable[[str], Path], name: str, shown: str
) -> None:
    document = played(name, library_of(name), "--world", shown)
    assert document["extra"].get("errors", 0) == 0
    assert document["n"] == 6
    assert document["success_rate"] == 1


def test_observations_that_never_say_anything(chests: Any, tmp_path: Path) -> None:
    library = learned(chests.Empty(), tmp_path)
    assert played("Empty", library, "--world", "admissible")["success_rate"] == 1
    assert played("Empty", library)["extra"].get("errors", 0) == 0  # nothing to go by: lost


@pytest.mark.parametrize("shown", ["admissible", "admissible=no"])
@pytest.mark.parametrize(
    ("name", "least"),
    [
        *(("Upper", 1), ("Lines", 1), ("Coloured", 1), ("Spaced", 1), ("WonUnsaid", 1)),
        # Nothing of what is read is known any more: what is shown still leads on.
        *(("Markup", 0), ("Json", 0), ("Fades", 0), ("NoTask", 0), ("OddTask", 1)),
        ("Ends", 0),
    ],
)
def test_answers_that_change_their_form(plain: Path, name: str, least: int, shown: str) -> None:
    before = Library.open(plain).content_hash
    document = played(name, plain, "--world", shown)
    assert document["extra"].get("errors", 0) == 0
    assert document["success_rate"] >= least
    if shown == "admissible" and name != "Ends":
        assert document["success_rate"] > 0
    assert Library.open(plain).content_hash == before


@pytest.mark.parametrize("arm", ["macla", "random"])
@pytest.mark.parametrize("name", ["Thousands", "Twice", "Nothing"])
def test_odd_lists_of_actions(plain: Path, name: str, arm: str) -> None:
    document = played(name, plain, "--world", "admissible", "--arm", arm)
    assert document["extra"].get("errors", 0) == 0
    if name == "Nothing":
        assert {episode["steps"] for episode in document["episodes"]} == {0}
    elif arm == "macla":
        assert document["success_rate"] == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("NoText", "NoText.step must return text as the observation, but returned NoneType None"),
        ("NoReward", "a number as the reward, but returned NoneType None"),
        ("NaN", "a finite reward, but returned float nan"),
        ("NoInfo", "a mapping as info, but returned NoneType"),
        ("Short", "a tuple (observation, reward, done, info), but returned tuple"),
        ("NoAnswer", "a tuple (observation, reward, done, info), but returned NoneType"),
        ("NoTruth", "true or false as done, but returned Doubtful that cannot be shown"),
        ("NoVerdict", 'true or false as info["won"], but returned Doubtful'),
        ("Raises", "Raises.step raised KeyError: 'chest'"),
        ("Exits", "Exits.step raised SystemExit: 0"),
        ("Hangs", "Hangs.step did not return within 0.2 s"),
        ("NoList", "NoList.admissible must return a sequence of texts, but returned NoneType"),
        ("Mixed", "text as each action, but returned int 7"),
    ],
)
def test_worlds_that_never_work_are_named_with_their_fault(
    plain: Path, name: str, message: str
) -> None:
    before = Library.open(plain).content_hash
    call = ("--library", plain, "--split", "tasks.txt", "--world", "timeout=0.2")
    call = (*call, "--world", "admissible")
    result = run("eval", f"macla_test_chests:{name}", *call, "--record", "--json")
    assert result.exit_code == 2
    assert message in result.stderr
    assert "6 of 6 episodes ended by an error" in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""
    assert Library.open(plain).content_hash == before
    assert run("check", plain, "--files").exit_code == 0


def test_a_world_that_fails_now_and_then_spoils_only_those_episodes(plain: Path) -> None:
    document = played("Late", plain)
    errors = [episode["id"] for episode in document["episodes"] if "error" in episode]
    assert 0 < len(errors) < 4
    assert document["extra"]["errors"] == len(errors)
    for episode in document["episodes"]:
        assert episode["success"] == (episode["id"] not in errors)
        assert "the lid fell shut" in episode.get("error", "the lid fell shut")


@pytest.mark.parametrize("shown", ["admissible", "admissible=no"])
def test_programs_win_in_the_world_that_was_shown(programs: Path, shown: str) -> None:
    assert played("Chests", programs, "--world", shown)["success_rate"] == 1


@pytest.mark.parametrize("shown", ["admissible", "admissible=no"])
@pytest.mark.parametrize("name", ["Upper", "Lines", "Markup", "Json", "Fades", "OddTask", "Ends"])
def test_programs_hand_over_where_answers_change_their_form(
    programs: Path, name: str, shown: str
) -> None:
    assert played(name, programs, "--world", shown)["extra"].get("errors", 0) == 0


def test_demonstrations_whose_actions_are_never_possible(chests: Any, tmp_path: Path) -> None:
    class Foreign(chests.Chests):  # type: ignore[misc]
        open_it, take_it = "force {chest}", "grab {thing} / {chest}"

    library = learned(Foreign(), tmp_path)
    document = played("Chests", library, "--world", "admissible")
    assert document["extra"].get("errors", 0) == 0
    assert document["success_rate"] == 1  # the possible actions are tried, the nearest first
    assert all(episode["fallback_steps"] == episode["steps"] for episode in document["episodes"])
    hidden = played("Chests", library)
    assert hidden["success_rate"] == 0
    assert hidden["extra"].get("errors", 0) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"obs": ["a\x00b", "c"]}, "'obs.0' holds the control character U+0000"),
        ({"obs": ["a"]}, "one observation more than actions"),
        ({"acts": [3]}, "'acts.0' must be a text, not int"),
        ({"acts": [""]}, "'acts.0' is empty"),
        ({"success": None}, "'success' must be true or false"),
        ({"task": None}, "'task' must be a text"),
        ({"task": " \n "}, "'task' is empty"),
    ],
)
def test_a_bad_line_is_named_and_left_out(
    plain: Path, tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    library = copy_library(plain, tmp_path / "lib")
    before = {*Library.open(library).procedures, *Library.open(library).metas}
    good = {"task": "t", "obs": ["a", "b"], "acts": ["c"], "success": True}
    file = tmp_path / "bad.jsonl"
    file.write_text(json.dumps(good) + "\n" + json.dumps(good | change) + "\n")
    for target in (library, tmp_path / "new"):
        result = run("learn", file, "--library", target, "--world", "domain=shown")
        assert result.exit_code == 1
        assert "bad.jsonl:2" in result.stderr
        assert message in result.stderr
        assert (target / "library.yaml").is_file()
    assert before
    assert before <= {*Library.open(library).procedures, *Library.open(library).metas}
