"""Programs of a library that grows: found by their words, and not forgotten with their runs."""

from __future__ import annotations

import threading
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from macla.evals.bench.growth_library import episode_of, task_of
from macla.procedures.files.lazy_documents import Documents
from macla.procedures.library.library import Library
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.tooling.program_of_kind import learn_tool_program
from macla.procedures.tooling.register import Register
from macla.procedures.tooling.tool_learner import ToolLearner


def library(folder: Path) -> Library:
    return Library.create(folder / "lib", domain="test", embedding="static:test")


def programs(count: int) -> dict[str, ProgramFile]:
    files = [learn_tool_program([episode_of(n, turn) for turn in range(4)]) for n in range(count)]
    return {file.id: file for file in files}


FILES = programs(6)


@given(st.lists(st.dictionaries(st.sampled_from(sorted(FILES)), st.booleans()), max_size=5))
def test_a_register_follows_what_a_library_holds(steps: list[dict[str, bool]]) -> None:
    register = Register()
    held: dict[str, ProgramFile] = {}
    for step in steps:
        before = dict(held)
        held |= {name: FILES[name] for name, there in step.items() if there}
        held = {name: file for name, file in held.items() if step.get(name, True)}
        changed = register.follow(Documents.of("program", held))
        assert changed >= before.keys() ^ held.keys()
        assert {name: each.file for name, each in register.programs.items()} == held
        for number in range(len(FILES)):
            task = task_of(number, "Zoe")
            expected = sorted(name for name, file in held.items() if file.reads(task))
            assert [each.file.id for each in register.reading(task)] == expected


def test_a_task_in_other_capitals_and_spaces_is_found() -> None:
    register = Register()
    register.follow(Documents.of("program", FILES))
    for number, name in enumerate(FILES):
        spaced = task_of(number, "Zoe").upper().replace(" ", "  ")
        assert [each.file.id for each in register.reading(spaced)] == [name]
    assert list(register.reading("")) == []


def test_runs_that_are_gone_are_not_forgotten(tmp_path: Path) -> None:
    first = library(tmp_path)
    ToolLearner(first).add_all([episode_of(1, turn) for turn in range(8)])
    ((name, shown),) = first.programs.items()
    (first.path / ".macla" / "tool-episodes.jsonl").unlink()  # as when many others came since
    learner = ToolLearner(Library.open(first.path))
    for turn in range(20, 24):
        learner.add_all([episode_of(1, turn)])
    after = Library.open(first.path).programs
    assert list(after) == [name]  # no twin
    assert after[name].program == shown.program  # and not learned anew from four runs
    for turn in range(24, 40):
        learner.add_all([episode_of(1, turn)])
    assert list(Library.open(first.path).programs) == [name]


def test_what_is_read_while_a_library_is_followed_is_whole() -> None:
    register, ended = Register(), threading.Event()
    faults: list[BaseException] = []

    def read() -> None:
        try:
            while not ended.is_set():
                for number in range(len(FILES)):
                    register.reading(task_of(number, "Zoe"))
                assert all(each.file.id == name for name, each in register.programs.items())
        except BaseException as error:
            faults.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    for turn in range(200):
        held = {name: file for n, (name, file) in enumerate(FILES.items()) if (n + turn) % 3}
        register.follow(Documents.of("program", held))
    ended.set()
    reader.join()
    assert faults == []
