"""Knock-outs: each rule exists, is really replaced, and is judged by what changes without it."""

import importlib
import json
import os
import subprocess
import sys
import types
from pathlib import Path

import forking
import pytest

SCRIPTS = Path(__file__).parent.parent / "scripts"
SCRIPT = SCRIPTS / "knockouts.py"
sys.path.insert(0, str(SCRIPTS))

from knockouts.part import GROUPS, all_units, group_of, units_for  # noqa: E402
from knockouts.programs import PROGRAMS  # noqa: E402
from knockouts.replacing import KnockOut, Wrapped, gives, knock_out, run_words  # noqa: E402
from knockouts.rules import KNOCK_OUTS, named  # noqa: E402
from knockouts.verdicts import row, worth_of  # noqa: E402
from macla.evals.acceptance.table import Accepted  # noqa: E402

TRY = KnockOut("try", ("macla.made.home:rule",), gives(None), "for a test")


@pytest.fixture
def packages(monkeypatch, tmp_path):
    """A package below macla's name whose modules take a rule and a limit from one another."""
    files = {
        "home.py": "LIMIT = 3\n\ndef rule(x):\n    return x\n\nclass Thing:\n"
        "    def size(self):\n        return 2\n\n    @property\n    def old(self):\n"
        "        return True\n\n    @classmethod\n    def make(cls):\n        return cls()\n",
        "user.py": "from .home import LIMIT, rule as other\nOWN = 3\n",
        "stranger.py": "LIMIT = 3\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    package = types.ModuleType("macla.made")
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, "macla.made", package)
    modules = [importlib.import_module(f"macla.made.{Path(n).stem}") for n in files]
    yield modules
    for module in modules:
        del sys.modules[module.__name__]


# -- the table -------------------------------------------------------------------------------


def test_there_are_enough_knock_outs_and_each_is_told_apart():
    names = [each.name for each in KNOCK_OUTS]
    assert len(names) == len(set(names)) >= 48
    assert all(each.about and "\n" not in each.about and each.targets for each in KNOCK_OUTS)


def test_no_two_rules_of_programs_have_one_name():
    assert len({row.name for row in PROGRAMS}) == len(PROGRAMS)


def test_an_unknown_name_is_an_error():
    with pytest.raises(LookupError, match="no knock-out 'nonsense'"):
        named("nonsense")


def test_every_rule_is_replaced_wherever_it_is_used():
    """In a process of its own: each rule is put back before the next is switched off."""
    done = subprocess.run(
        [sys.executable, "-c", _EACH],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(SCRIPTS)},
    )
    assert done.returncode == 0, done.stderr
    left = json.loads(done.stdout)
    assert left == {each.name: [] for each in (*KNOCK_OUTS, *PROGRAMS)}


_EACH = """
import importlib, inspect, json, pkgutil, sys
from knockouts.replacing import _is_code, _place, knock_out
from knockouts.programs import PROGRAMS
from knockouts.rules import KNOCK_OUTS
import macla
for part in ("procedures", "graph", "adapters", "evals"):
    package = importlib.import_module(f"macla.{part}")
    for each in pkgutil.walk_packages(package.__path__, f"macla.{part}."):
        if not set(each.name.split(".")) & {"sealed", "bench", "__main__"}:
            importlib.import_module(each.name)
modules = [m for n, m in sys.modules.items() if n.split(".")[0] == "macla"]


def takes_the_same(original, new):
    original, new = (getattr(f, "__func__", getattr(f, "fget", f)) for f in (original, new))
    if not inspect.isfunction(original):
        return True
    wanted = inspect.signature(original).parameters.values()
    named = [each.name for each in wanted if each.kind is each.KEYWORD_ONLY]
    plain = [each.name for each in wanted if each.kind is each.POSITIONAL_OR_KEYWORD]
    inspect.signature(new).bind(*plain, **dict.fromkeys(named))
    return True


left = {}
for each in (*KNOCK_OUTS, *PROGRAMS):
    before = {target: (_place(target), vars(_place(target)[1])[_place(target)[2]])
              for target in each.targets}
    places = knock_out(each)
    left[each.name] = []
    for target, ((module, owner, name), original) in before.items():
        if vars(owner)[name] is original or not takes_the_same(original, vars(owner)[name]):
            left[each.name].append(target)
        for other in modules if _is_code(original) else ():
            if id(original) in map(id, vars(other).values()):
                left[each.name].append(other.__name__)
        for place in places[target]:
            other, _, attribute = place.partition(":")
            owner_there, name_there = (
                (owner, name) if place == target else (sys.modules[other], attribute)
            )
            setattr(owner_there, name_there, original)
print(json.dumps(left))
"""


# -- replacing -------------------------------------------------------------------------------


def test_a_function_is_replaced_in_every_module_that_has_it(packages):
    home, user, _ = packages
    assert knock_out(TRY) == {TRY.targets[0]: [TRY.targets[0], "macla.made.user:other"]}
    assert home.rule(5) is None
    assert user.other(5) is None


def test_a_constant_is_replaced_only_where_it_was_imported_from(packages):
    home, user, stranger = packages
    knock_out(KnockOut("limit", ("macla.made.home:LIMIT",), 99, "for a test"))
    assert (home.LIMIT, user.LIMIT) == (99, 99)
    assert (user.OWN, stranger.LIMIT) == (3, 3)


def test_methods_properties_and_class_methods_stay_what_they_are(packages):
    home, *_ = packages
    path = "macla.made.home:Thing"
    knock_out(KnockOut("size", (f"{path}.size",), gives(0), "for a test"))
    knock_out(KnockOut("old", (f"{path}.old",), gives(False), "for a test"))
    wrapped = Wrapped(lambda original: lambda kind: [original.__func__(kind)])
    knock_out(KnockOut("make", (f"{path}.make",), wrapped, "for a test"))
    thing = home.Thing()
    assert (thing.size(), thing.old) == (0, False)
    assert isinstance(home.Thing.make()[0], home.Thing)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("macla.made.home:nothing", "there is no nothing"),
        ("macla.made.home:Thing.nothing", "there is no Thing.nothing"),
        ("macla.made.home:Nobody.size", "there is no Nobody.size"),
        ("macla.made.nowhere:rule", "there is no module"),
    ],
)
def test_a_target_that_does_not_exist_is_an_error(packages, target, message):
    with pytest.raises(LookupError, match=message):
        knock_out(KnockOut("try", (target,), gives(None), "for a test"))


def test_a_replacement_that_changes_nothing_is_an_error(packages):
    same = Wrapped(lambda original: original)
    with pytest.raises(LookupError, match="was not replaced"):
        knock_out(KnockOut("try", TRY.targets, same, "for a test"))


def test_a_function_does_not_become_a_constant(packages):
    with pytest.raises(TypeError, match="function and a constant"):
        knock_out(KnockOut("try", TRY.targets, 3, "for a test"))


# -- running words ---------------------------------------------------------------------------


def _run(*words):
    return forking.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True)


@pytest.mark.parametrize(("name", "options"), [("nothing", "6"), ("limit of options", "50")])
def test_words_are_run_with_the_rule_switched_off(name, options):
    code = (
        "import sys; from macla.procedures.planning import binding_search as bindings; "
        "print(bindings._OPTIONS, sys.argv)"
    )
    done = _run("--apply", name, "--", "-c", code, "a", "--b")
    assert done.stdout == f"{options} ['-c', 'a', '--b']\n", done.stderr


def test_what_takes_too_long_is_given_up():
    code = "import signal; signal.raise_signal(signal.SIGPROF)"
    done = _run("--apply", "nothing", "--", "-c", code)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "TimeoutError: more than 300 s of work"


def test_a_module_is_run_with_its_arguments(monkeypatch, tmp_path, capsys):
    (tmp_path / "told_argv.py").write_text(
        "import sys\nprint(__name__, sys.argv[1:])\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "argv", ["before"])
    run_words(["-m", "told_argv", "x", "--json"])
    assert capsys.readouterr().out == "__main__ ['x', '--json']\n"


def test_other_words_are_refused():
    with pytest.raises(ValueError, match="begins with -m MODULE or -c CODE"):
        run_words(["script.py"])


def test_unknown_names_are_refused():
    done = _run("--only", "nonsense")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no knock-out 'nonsense'" in done.stderr


# -- what is played --------------------------------------------------------------------------


def test_nothing_sealed_and_no_other_player_is_in_the_part():
    units = all_units()
    assert len({unit.name for unit in units}) == len(units)
    assert not any(unit.sealed or unit.baseline for unit in units)
    assert all("sealed" not in word for unit in units for word in unit.command)
    assert {group_of(unit.cases) for unit in units if unit.cases} <= set(GROUPS)


def test_rules_for_tools_play_tools_and_rules_for_text_play_text():
    units = all_units()
    tools, text = (
        {group_of(unit.cases) for unit in units_for(named(name), units)}
        for name in ("agents: instructions", "idle frames")
    )
    assert tools == {"tools", "agents"}
    assert not text & tools
    assert {"fifty", "foreign", "ladder"} <= text
    assert "practice" not in text
    practised = {group_of(unit.cases) for unit in units_for(named("recovery rules"), units)}
    assert "practice" in practised
    assert {group_of(unit.cases) for unit in units_for(named("word clusters"), units)} == (
        {group_of(unit.cases) for unit in units} - {"practice"}
    )


def test_each_library_that_is_played_is_learned():
    for name in ("idle frames", "agents: boxes", "word clusters"):
        units = units_for(named(name), all_units())
        assert {unit.library for unit in units} <= {unit.makes for unit in units} | {""}


# -- verdicts --------------------------------------------------------------------------------


def _worth(before, after, margin=0.05, **failures):
    case = "fifty"
    whole, without = (Accepted(outcomes=outcomes) for outcomes in (before, after))
    return worth_of({case: whole}, {case: without}, {case: margin}, failures)


@pytest.mark.parametrize(
    ("before", "after", "verdict", "change", "changed"),
    [
        ("1" * 40, "1" * 37 + "000", "earns its place", "\u22123", 1),
        ("1" * 40, "1" * 38 + "00", "idle", "\u22122", 1),
        ("1" * 40, "1" * 40, "idle", "0", 0),
        ("1" * 37 + "000", "1" * 40, "harms", "+3", 1),
        ("1" * 39 + "0", "1" * 39 + "e", "breaks", "0, errors +1", 1),
        ("1" * 37 + "000", "1" * 37 + "xxx", "earns its place", "0, spoiled +3", 1),
        ("1" * 40, "1" * 39, "breaks", "\u22121", 1),
    ],
)
def test_the_verdict_goes_by_what_differs_beyond_the_margin(
    before, after, verdict, change, changed
):
    worth = _worth(before, after)
    assert worth.verdict == verdict
    assert worth.changes == {"fifty": change}
    assert worth.changed == changed


def test_what_fell_outweighs_what_improved():
    good, bad = Accepted(outcomes="1" * 20), Accepted(outcomes="0" * 20)
    whole, without = {"fifty": good, "noise": bad}, {"fifty": bad, "noise": good}
    worth = worth_of(whole, without, dict.fromkeys(whole, 0.01))
    assert (worth.verdict, worth.changed) == ("earns its place", 2)


def test_a_unit_that_fails_breaks():
    worth = worth_of({}, {}, {}, {"learning fifty": "TypeError: no"})
    line = row(TRY, worth)
    assert worth.verdict == "breaks"
    assert line == "| try | for a test | 1 units failed | 0 | breaks |"


def test_agents_are_judged_by_wrong_tasks_and_calls():
    whole = Accepted(outcomes="1111", figures={"model_calls": 10.0})
    without = Accepted(outcomes="11x1", figures={"model_calls": 7.0})
    name = "agents, development, seed 0"
    worth = worth_of({name: whole}, {name: without}, {name: 0.0})
    assert worth.changes == {"agents": "wrong +1, calls \u22123"}
    assert worth.verdict == "earns its place"


def test_more_calls_of_the_model_earn_a_place_too():
    whole = Accepted(outcomes="1111", figures={"model_calls": 10.0})
    without = Accepted(outcomes="1111", figures={"model_calls": 12.0})
    name = "agents, development, seed 0"
    worth = worth_of({name: whole}, {name: without}, {name: 0.0})
    assert worth.verdict == "earns its place"


def test_a_worth_is_written_as_plain_data():
    document = _worth("1" * 40, "0" * 40).document(TRY)
    assert json.loads(json.dumps(document)) == document
    assert document["cases"]["fifty"]["lost"] == 40


def test_the_cells_of_the_part_can_be_made():
    from knockouts.playing import foreign, ladder

    assert [name for name, _, _ in ladder("hidden", ["till-at-night"])] == ["till-at-night"]
    assert [name for name, _, _ in foreign(["Plant"])] == ["Plant, shown", "Plant, hidden"]
