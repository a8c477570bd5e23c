"""docs/code.md walks through the code: each step is there, and they come in this order."""

from __future__ import annotations

import re
import runpy
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import macla
import pytest
from macla.cli.main import cli
from macla.graph.build import compiled_loop
from macla.procedures.episodes.trajectories import write_trajectories
from mill_world import mill_demonstration

ROOT = Path(macla.__file__).parent
PAGE = (ROOT / "docs" / "code.md").read_text(encoding="utf-8")
WALKS = {
    section.splitlines()[0]: re.findall(r"^- `([\w/]+\.py)`, `([\w.]+)`: ", section, re.M)
    for section in PAGE.split("\n## ")[1:]
}
LEARN, DECIDE, AGENT = WALKS


def _calls(work: Callable[[], object]) -> list[tuple[str, str]]:
    """Return what is called of macla, file and bare name, in order of the first call."""
    compiled_loop.cache_clear()  # an earlier test may have played
    calls: dict[tuple[str, str], None] = {}
    top = f"{ROOT}/"

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(top):
            calls[code.co_filename.removeprefix(top), code.co_name] = None

    sys.setprofile(note)
    threading.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    return list(calls)


def _check(walk: str, calls: list[tuple[str, str]]) -> None:
    steps = [(file, name.rpartition(".")[2]) for file, name in WALKS[walk]]
    assert len(steps) > 12
    assert [step for step in steps if step not in calls] == []
    assert steps == sorted(steps, key=calls.index)


def _macla(*words: str | Path) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([str(word) for word in words])
    assert not end.value.code


@pytest.fixture(scope="module")
def demonstrations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("walks") / "demonstrations.jsonl"
    write_trajectories(file, [mill_demonstration(seed) for seed in range(6)])
    return file


def test_an_episode_becomes_a_file(demonstrations: Path) -> None:
    library = demonstrations.parent / "library"
    _check(LEARN, _calls(lambda: _macla("learn", demonstrations, "--library", library)))


def test_a_task_becomes_an_action(demonstrations: Path, tmp_path: Path) -> None:
    library, tasks = tmp_path / "library", tmp_path / "tasks.txt"
    tasks.write_text("t1\n")
    _macla("learn", demonstrations, "--library", library)
    words = ("eval", "mill_world:Mill", "--library", library, "--split", tasks)
    _check(DECIDE, _calls(lambda: _macla(*words)))


def test_a_run_of_an_agent_answers_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("langchain")
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    _check(AGENT, _calls(lambda: runpy.run_path(str(ROOT / "examples" / "react_agent.py"))))
