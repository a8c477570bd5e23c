from __future__ import annotations

import threading

import pytest
from macla.adapters.environments import HiddenAdmissible, guard_environment, load_environment
from macla.graph.protocols import AdmissibleEnvironment, Environment
from macla.procedures.common.errors import DataError, EnvironmentFailure


class World:
    """Answers what it is told to."""

    def __init__(self, **answers):
        self.answers = answers

    def reset(self, task):
        return self._answer("reset", ("Task.", "Scene."))

    def step(self, action):
        return self._answer("step", (f"You {action}.", 0, False, {"won": False}))

    def admissible(self):
        return self._answer("admissible", ["look"])

    def _answer(self, method, default):
        answer = self.answers.get(method, default)
        return answer() if callable(answer) else answer


class Mute:
    def reset(self, task):
        return "Task.", "Scene."

    def step(self, action):
        return "Nothing.", 0.0, False, {}


def fail(error):
    def call():
        raise error

    return call


def test_hidden_admissible():
    world = HiddenAdmissible(World())
    assert isinstance(world, Environment)
    assert not isinstance(world, AdmissibleEnvironment)
    assert world.reset(1) == ("Task.", "Scene.")
    assert world.step("look")[0] == "You look."


@pytest.mark.parametrize("timeout", [None, 5.0])
def test_a_sound_environment_passes_unchanged(timeout):
    world = guard_environment(World(), timeout)
    assert isinstance(world, AdmissibleEnvironment)
    assert world.reset(1) == ("Task.", "Scene.")
    assert world.step("look") == ("You look.", 0.0, False, {"won": False})
    assert world.admissible() == ["look"]
    world.close()
    assert not isinstance(guard_environment(Mute(), timeout), AdmissibleEnvironment)


@pytest.mark.parametrize("timeout", [None, 5.0])
@pytest.mark.parametrize(
    ("answers", "call", "message"),
    [
        ({"reset": fail(ValueError("boom"))}, "reset", r"World.reset raised ValueError: boom"),
        ({"reset": fail(SystemExit(3))}, "reset", r"raised SystemExit: 3"),
        ({"reset": "text"}, "reset", r"must return a tuple .* but returned str 'text'"),
        ({"reset": ("a", "b", "c")}, "reset", r"must return a tuple"),
        ({"reset": (None, "b")}, "reset", r"text as the task, but returned NoneType"),
        ({"reset": ("a", b"b")}, "reset", r"text as the observation, but returned bytes"),
        ({"step": fail(RuntimeError("x" * 999))}, "step", r"RuntimeError: x{200}…"),
        ({"step": ("a", 0, False)}, "step", r"must return a tuple"),
        ({"step": (["a"], 0, False, {})}, "step", r"text as the observation"),
        ({"step": ("a", "much", False, {})}, "step", r"a number as the reward"),
        ({"step": ("a", float("nan"), False, {})}, "step", r"a finite reward"),
        ({"step": ("a", 0, False, None)}, "step", r"a mapping as info"),
        ({"admissible": "look"}, "admissible", r"a sequence of texts"),
        ({"admissible": ["look", 3]}, "admissible", r"text as each action"),
        ({"admissible": fail(KeyError("k"))}, "admissible", r"raised KeyError"),
    ],
)
def test_what_an_environment_may_do_wrong(answers, call, message, timeout):
    world = guard_environment(World(**answers), timeout)
    arguments = [] if call == "admissible" else ["x"]
    with pytest.raises(EnvironmentFailure, match=message):
        getattr(world, call)(*arguments)
    world.close()


def test_errors_of_macla_pass():
    world = guard_environment(World(reset=fail(DataError("no such game"))))
    with pytest.raises(DataError, match="no such game"):
        world.reset("x")
    world.close()


def test_a_hang_is_cut_off_and_the_environment_is_given_up():
    release = threading.Event()
    waited = []

    def hang():
        while not release.wait(0.1):
            waited.append(0.1)  # seconds as this process gets to count them

    world = guard_environment(World(step=hang), timeout=0.1)
    world.reset(1)
    with pytest.raises(EnvironmentFailure, match=r"World\.step did not return within 0\.1 s"):
        world.step("wait")
    assert sum(waited) < 3
    with pytest.raises(EnvironmentFailure, match="make a new environment"):
        world.reset(2)
    release.set()


def test_all_calls_come_from_one_thread():
    seen = []
    world = guard_environment(World(admissible=lambda: seen.append(threading.get_ident()) or []))
    world.admissible()
    world.admissible()
    world.close()
    assert len(set(seen)) == 1
    assert seen[0] != threading.get_ident()


@pytest.fixture
def module(tmp_path, monkeypatch):
    (tmp_path / "tiny_world.py").write_text(
        "class World:\n"
        "    def __init__(self, size=1): self.size = size\n"
        "    def reset(self, task): return 'Task.', 'Scene.'\n"
        "    def step(self, action): return 'Done.', 1.0, True, {'won': True}\n"
        "class Outer:\n"
        "    Inner = World\n"
        "class Broken:\n"
        "    def __init__(self): raise OSError('no display')\n"
        "number = 3\n"
    )
    (tmp_path / "bad_world.py").write_text("import there_is_no_such_module\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("module")
def test_load():
    assert load_environment("tiny_world:World").step("x")[0] == "Done."
    assert load_environment("tiny_world:World", size=4).size == 4
    assert isinstance(load_environment("tiny_world:Outer.Inner"), Environment)


@pytest.mark.usefixtures("module")
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tiny_world", "write module:Class"),
        ("tiny_world:", "write module:Class"),
        ("../tiny_world:World", "write module:Class"),
        (":World", "write module:Class"),
        ("no_world_here:World", "cannot import no_world_here"),
        ("bad_world:World", "there_is_no_such_module"),
        ("tiny_world:Globe", "tiny_world has no Globe"),
        ("tiny_world:number", "is not a class but int"),
        ("tiny_world:Broken", "raised OSError: no display"),
        ("tiny_world:Outer", r"it needs reset\(task\)"),
    ],
)
def test_load_says_what_is_wrong(name, message):
    with pytest.raises(EnvironmentFailure, match=message):
        load_environment(name)
