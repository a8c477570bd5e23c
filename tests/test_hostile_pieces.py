"""Odd pieces of a library, each read by whoever meets it first: none breaks, hangs or fills it."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.local.replacing import remove_if_abandoned
from macla.procedures.redaction.redactor import Redactor
from macla.procedures.redaction.single_use import single_use
from macla.procedures.sharing.lock_file import LockFile
from macla.procedures.tooling.tool_episodes import ToolCall, ToolEpisode

KEY = b"k" * 32
SAID = (
    "The password: Tr0ub4dor&3x is set",
    "Note on desk: password: Tr0ub4dor&3x",
    "On the desk lies a book.",
    "Write to joe@example.com",
    "Tr0ub4dor&3x",
)


def line(values):
    """Return a line that fits its digest, as anybody can write it."""
    text = json.dumps(values, separators=(",", ":"))
    return json.dumps([*values, hashlib.sha256(text.encode()).hexdigest()[:8]]) + "\n"


def episode(texts, **more):
    return Trajectory("read the notes", tuple(texts), ("go on",) * (len(texts) - 1), True, **more)


@given(st.lists(st.lists(st.sampled_from(SAID), min_size=1, max_size=4), min_size=1, max_size=4))
def test_what_was_redacted_before_changes_nothing(lists):
    episodes = [episode(texts) for texts in lists]
    used = Redactor(KEY)
    assert [used.trajectory(e) for e in episodes] == [Redactor(KEY).trajectory(e) for e in episodes]


def test_ids_and_sources_are_redacted():
    shown = Redactor(KEY).trajectory(
        episode(SAID[2:3], id="password=hunter2secretX", source="mail of joe@example.com")
    )
    assert "hunter2" not in shown.id
    assert "joe@" not in shown.source


def test_a_code_in_a_long_line_is_of_the_place_where_it_stands():
    codes = ["a8F3kQ9zP1xV", "b7G4mR8yN2wT", "c6H5nS7uM3vK", "d5J6pT6tL4qZ"]
    runs = [
        ToolEpisode("look", (ToolCall("read", {}, f"{'word ' * 900}Your code is {code} today."),))
        for code in codes
    ]
    assert single_use(runs) == set(codes)


@pytest.mark.parametrize(
    "values",
    [
        ["run", "procedure", "go", 1, [1, 2]],
        ["run", "procedure", "go", 1, {"": [10**400, 0]}],
        ["run", "procedure", "go", 2**63, {"": [1, 0]}],
        ["note", "procedure", "go", 1, "trusted", ["learned_from"]],
        ["note", "procedure", "go", 2**63, "trusted", {}],
        ["rejected", "p", 7],
        [],
        {},
        "text",
    ],
    ids=str,
)
def test_a_line_of_an_odd_form_is_passed_over(values):
    good = line(["run", "procedure", "go", 1, {"": [3, 1]}])
    odd = line(values) if isinstance(values, list) else f"{values!r}\n"
    lock = LockFile.of((odd + good).encode())
    assert dict(lock.sums) == {("run", "procedure", "go", 1, ""): (3.0, 1.0)}
    assert lock.faults == (1,)
    assert not lock.notes


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_a_pipe_with_the_name_of_a_temporary_file_is_not_waited_for(tmp_path: Path):
    pipe = tmp_path / ".x.yaml.0123456789ab.tmp"
    os.mkfifo(pipe)
    remove_if_abandoned(pipe)
    assert pipe.exists()
