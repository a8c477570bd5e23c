"""What people wrote survives random edits and refinements, and several writers at once.

``MACLA_MANY=1 pytest tests/test_proposals_many.py`` makes it a thousand edits, and 200 changes of
three writers; without, a fifth and less.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import forking
import pytest
from effort import MANY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from macla.procedures.common.errors import ConflictError
from macla.procedures.library.library import Library, validate_library
from macla.procedures.proposals.apply import accept
from review_library import git, make_library, make_repository, open_ledger, quiet, refinement

EDITS = 20
"""Edits and refinements of one example."""


def commented(text: str, rng: random.Random, mark: str) -> str:
    """A person writes a comment on a line of its own, or behind a value."""
    lines = text.splitlines()
    at = rng.randrange(len(lines))
    if rng.random() < 0.5:
        indent = len(lines[at]) - len(lines[at].lstrip())
        lines.insert(at, f"{' ' * indent}# {mark}")
    elif "#" not in lines[at]:
        lines[at] += f"  # {mark}"
    else:
        lines.append(f"# {mark}")
    return "\n".join(lines) + "\n"


def edited(text: str, rng: random.Random, mark: str) -> str:
    """A person changes quoting, spacing or a kind by hand."""
    choice = rng.randrange(3)
    if choice == 0 and "source: search" in text:
        return text.replace("source: search", '"source": search', 1)
    if choice == 1 and "kinds: [" in text:
        return text.replace("kinds: [", f"kinds: [{mark}, ", 1)
    return text.replace("\nsteps:", "\n\nsteps:", 1)


def refine(library: Library, rng: random.Random, mark: str) -> dict[str, Any]:
    document = library.procedures["fetch"].to_document()
    new = json.loads(json.dumps(document))
    choice = rng.randrange(5)
    if choice == 0:
        new["steps"].insert(rng.randint(0, len(new["steps"])), {"do": f"{mark} {{y}}"})
    elif choice == 1 and len(new["steps"]) > 2:
        del new["steps"][rng.randrange(len(new["steps"]))]
    elif choice == 2:
        rng.choice(new["steps"])["when"] = f'ever("{mark}")'
    elif choice == 3:
        new.setdefault("preconditions", []).append(f'ever("{mark}")')
    else:
        new["parameters"]["y"]["kinds"].append(mark)
    new["version"] += 1
    new["goal"] = "fetch {x} from {y}"  # x and y are used whatever goes
    return new


@settings(
    max_examples=50 if MANY else 10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.integers(0, 2**32))
def test_edits_and_refinements(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rng = random.Random(seed)
    library = make_library(tmp_path_factory.mktemp("many") / "lib")
    file = library.path / "procedures" / "fetch.yaml"
    marks: list[str] = []
    kinds: list[str] = []
    with open_ledger(library) as ledger:
        for number in range(EDITS):
            mark = f"m{number}x"
            choice = rng.random()
            if choice < 0.4:
                file.write_text(commented(file.read_text(), rng, mark))
                marks.append(f"# {mark}")
            elif choice < 0.6:
                text = file.read_text()
                after = edited(text, rng, mark)
                if f"[{mark}" in after:
                    kinds.append(mark)
                file.write_text(after)
            else:
                library.refresh()
                proposal = refinement(library, refine(library, rng, mark))
                if rng.random() < 0.5:  # a person comments while the proposal waits
                    file.write_text(commented(file.read_text(), rng, f"late{mark}"))
                    marks.append(f"# late{mark}")
                before = file.read_text().splitlines()
                here = library.procedures["fetch"].to_document()
                accept(library, ledger, proposal)
                after_lines = file.read_text().splitlines()
                there = library.procedures["fetch"].to_document()
                _only_changed_lines(before, after_lines, here, there)
            text = file.read_text()
            for wanted in marks:
                assert text.count(f"{wanted}\n") == 1, f"{wanted} after edit {number}"
    library.refresh()
    assert set(kinds) <= set(library.procedures["fetch"].parameters["x"].kinds)
    assert validate_library(library.path) == []


def _only_changed_lines(
    before: list[str], after: list[str], here: dict[str, Any], there: dict[str, Any]
) -> None:
    """Lines of keys whose values stay are there as they were."""
    same = [key for key in here if here[key] == there.get(key) and key not in ("kind",)]
    for key in same:
        for line in before:
            if line.startswith(f"{key}:"):
                assert line in after, f"{key} did not change, its line did"


WRITER = """
import random, sys
from pathlib import Path
sys.path.insert(0, sys.argv[4])
from macla.adapters.git.stores import open_store
from macla.procedures.common.errors import ConflictError, GitError, LockError
from macla.procedures.library.library import Library
from macla.procedures.proposals.policy import submit
from review_library import open_ledger, refinement
import json, time
path, who, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
rng = random.Random(who)
done = 0
while done < count:
    mark = f"{who}{done}"
    library = Library.open(path)
    name = rng.choice(("fetch", "lodge"))
    new = json.loads(json.dumps(library.procedures[name].to_document()))
    new["parameters"]["y"]["kinds"].append(mark)
    new["version"] += 1
    with open_ledger(library) as ledger:
        store = open_store(path)
        try:
            submit(library, ledger, refinement(library, new, counts={who: done}), "auto", store)
        except (GitError, ConflictError, LockError) as error:
            if not any(w in str(error) for w in ("not committed", "at work", "moved", "locked")):
                raise
            time.sleep(rng.random() * 0.05)
            continue
    done += 1
"""

PERSON = """
import os, random, subprocess, sys, time
from pathlib import Path
path, count = Path(sys.argv[1]), int(sys.argv[2])
rng = random.Random(7)
done = 0
def git(*a):
    return subprocess.run(["git", *a], cwd=path, capture_output=True, text=True).returncode
while done < count:
    file = path / "procedures" / f"{rng.choice(('fetch', 'lodge'))}.yaml"
    # Who edits takes git's lock first, as an editor that does not save over others would.
    lock = path.parent / ".git" / "index.lock"
    try:
        lock.open("x").close()
    except FileExistsError:
        time.sleep(0.01)
        continue
    text = file.read_text()
    saved = file.with_name("saved.tmp")  # an editor's file appears whole
    saved.write_text(text.replace("steps:", f"# Ada {done} \\nsteps:", 1))
    os.replace(saved, file)
    lock.unlink()
    while git("commit", "-q", "-m", f"Ada {done}", "--", str(file)) != 0:
        time.sleep(0.01)
    done += 1
"""


def write_at_once(folder: Path, learners: int, person: int) -> None:
    """Two learners and a person change one library; check that nothing is lost."""
    library = make_repository(folder / "repo")
    tests = str(Path(__file__).parent)
    commands = [
        [sys.executable, "-c", WRITER, str(library.path), who, str(learners), tests]
        for who in ("one", "two")
    ]
    commands.append([sys.executable, "-c", PERSON, str(library.path), str(person)])
    running = [
        forking.popen(command, env=quiet(), stderr=subprocess.PIPE, text=True)
        for command in commands
    ]
    errors = [process.communicate(timeout=600)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0, 0], errors
    library = Library.open(library.path)
    kinds = [k for p in library.procedures.values() for k in p.parameters["y"].kinds]
    wanted = {f"{who}{n}" for who in ("one", "two") for n in range(learners)}
    assert wanted <= set(kinds), "no refinement is lost"
    texts = "".join(file.read_text() for file in (library.path / "procedures").glob("*.yaml"))
    for number in range(person):
        assert texts.count(f"# Ada {number} \n") == 1, "no comment is lost"
    assert validate_library(library.path) == []
    top = library.path.parent
    assert git(top, "status", "--porcelain") == ""
    assert not list((top / ".git").rglob("*.lock"))
    assert not (top / ".git" / "index.macla").exists()
    assert int(git(top, "rev-list", "--count", "HEAD")) == 1 + 2 * learners + person
    git(top, "fsck", "--strict")


def test_three_writers(tmp_path: Path) -> None:
    write_at_once(tmp_path, *((67, 66) if MANY else (4, 4)))


def test_conflicts_name_the_place(tmp_path: Path) -> None:
    library = make_library(tmp_path / "lib")
    new = {**library.procedures["fetch"].to_document(), "version": 2, "goal": "a {x} {y}"}
    other = {**new, "goal": "b {x} {y}"}
    one, two = refinement(library, new), refinement(library, other)
    with open_ledger(library) as ledger:
        accept(library, ledger, one)
        with pytest.raises(ConflictError, match="goal"):
            accept(library, ledger, two)
