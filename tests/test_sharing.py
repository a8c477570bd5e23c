"""A clone of a library starts as well as the original: library.lock, at the public seam."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import OrderedDict
from pathlib import Path

import pytest
from command_line import run
from macla import Library, LibrarySession, Trajectory
from macla.procedures.evidence.ledger import Ledger, Outcome, OutcomeKind
from macla.procedures.files import notes
from macla.procedures.sharing import lock_file
from macla.procedures.sharing.exchange import open_evidence, write_lock
from macla.procedures.sharing.lock_file import LOCK, LockFile, read_lock

ROOMS = ("hall", "attic", "cellar")


def shown(thing: str, place: str) -> Trajectory:
    """A world of rooms: a thing is looked for, and lit."""
    looked = ROOMS[: ROOMS.index(place) + 1]
    told = [f"You are in the {room}. You see a {thing} 1." for room in looked[-1:]]
    before = [f"You are in the {room}. You see nothing." for room in looked[:-1]]
    return Trajectory(
        task=f"light the {thing}",
        obs=(
            "You see a hall 1, an attic 1 and a cellar 1.",
            *before,
            *told,
            f"The {thing} 1 glows.",
        ),
        acts=(*(f"go to {room} 1" for room in looked), f"light {thing} 1"),
        success=True,
    )


@pytest.fixture
def original(tmp_path: Path) -> Path:
    """A library that was taught, and has been used since."""
    episodes = [shown("lamp", "attic")] * 3 + [shown("torch", "cellar"), shown("candle", "hall")]
    lines = [{"task": e.task, "obs": e.obs, "acts": e.acts, "success": e.success} for e in episodes]
    file = tmp_path / "shown.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    # Plans start from counts of kinds and places, which programs do not have.
    words = ("--library", str(tmp_path / "lib"), "--without", "programs")
    assert run("learn", str(file), *words).exit_code == 0
    return tmp_path / "lib"


def use(library: Path, run_id: str, good: float, bad: float) -> None:
    with open_evidence(library) as ledger:
        found = Library.open(library)
        kind, item = next(iter(found.items()))
        ledger.record(
            [Outcome(run_id, 0, kind, item.id, item.version, OutcomeKind.SUCCESS, good, bad, "")]
        )
        write_lock(found, ledger)


def clone(library: Path, name: str) -> Path:
    """What git hands on: everything but the machine-local files."""
    target = library.with_name(name)
    shutil.copytree(library, target, ignore=shutil.ignore_patterns(".macla"))
    return target


def knows(library: Path) -> tuple[object, ...]:
    """Everything that an episode depends on besides task and seed."""
    with LibrarySession.open(library) as session:
        knowledge = session.knowledge()
        counts = {key: value for key, value in knowledge.counts.items() if any(value)}
        kinds = {
            (name, own): each.kinds
            for name, item in knowledge.procedures.items()
            for own, each in item.parameters.items()
        }
        return counts, knowledge.prior, kinds, knowledge.library_hash


def test_a_clone_knows_what_the_original_knows(original: Path) -> None:
    use(original, "monday", 4.0, 1.0)
    assert knows(clone(original, "clone")) == knows(original)


def test_the_file_says_the_same_in_the_same_bytes(original: Path) -> None:
    use(original, "monday", 4.0, 1.0)
    before = (original / LOCK).read_bytes()
    other = clone(original, "clone")
    assert run("migrate", str(other)).exit_code == 0
    assert (other / LOCK).read_bytes() == before


def test_two_clones_give_each_other_what_they_saw(original: Path) -> None:
    ada, ben = clone(original, "ada"), clone(original, "ben")
    base = (original / LOCK).read_bytes()
    use(ada, "of ada", 3.0, 0.0)
    use(ben, "of ben", 0.0, 2.0)
    merged = union(base, (ada / LOCK).read_bytes(), (ben / LOCK).read_bytes())
    for each in (ada, ben):
        (each / LOCK).write_bytes(merged)
    assert knows(ada)[:3] == knows(ben)[:3]
    # Taken up once, however often it is read, and never our own as another's.
    assert knows(ada)[:3] == knows(ben)[:3]
    kind, item = next(iter(Library.open(ada).items()))
    start = knows(original)[0]
    had = start.get((kind, item.id, item.version, ""), (0.0, 0.0))  # type: ignore[attr-defined]
    now = knows(ada)[0][kind, item.id, item.version, ""]  # type: ignore[index]
    assert now == (had[0] + 3.0, had[1] + 2.0)


def union(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Merge as a repository with nothing but git does."""
    texts = [each.decode().splitlines(keepends=True) for each in (base, ours, theirs)]
    kept = [line for line in texts[1] if line in texts[2] or line not in texts[0]]
    added = [line for line in texts[2] if line not in texts[1] and line not in texts[0]]
    marks = ["<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n"]
    return "".join([*kept, marks[0], marks[1], *added, marks[2]]).encode()


def test_rows_of_another_machine_take_the_place_of_its_sums(original: Path, tmp_path: Path) -> None:
    use(original, "monday", 4.0, 1.0)
    other = clone(original, "clone")
    before = knows(other)[0]
    file = tmp_path / "mine.jsonl"
    assert run("evidence", "export", str(file), "--library", str(original)).exit_code == 0
    assert run("evidence", "import", str(file), "--library", str(other)).exit_code == 0
    assert knows(other)[0] == before
    with Ledger.open(other / ".macla" / "evidence.db") as ledger:
        assert not any(row.run.startswith("from:") for row in ledger.rows())


def test_a_file_that_is_edited_or_gone_is_made_anew(
    original: Path, caplog: pytest.LogCaptureFixture
) -> None:
    use(original, "monday", 4.0, 1.0)
    before, known = (original / LOCK).read_bytes(), knows(original)
    (original / LOCK).write_bytes(before.replace(b"[4,1]", b"[4000,1]"))
    told = run("check", str(original), "--files")
    assert told.exit_code == 0
    assert f"{LOCK}:" in told.stdout
    assert "changed by hand" in told.stdout
    assert knows(original) == known
    assert run("migrate", str(original)).exit_code == 0
    assert (original / LOCK).read_bytes() == before
    (original / LOCK).write_bytes(b"")
    told = run("check", str(original), "--files")
    assert f"{LOCK}: warning: was emptied or cut off" in told.stdout
    assert run("migrate", str(original)).exit_code == 0
    assert "was emptied or cut off: it is written anew" in caplog.text
    assert (original / LOCK).read_bytes() == before
    (original / LOCK).unlink()
    assert knows(original) == known
    assert run("migrate", str(original)).exit_code == 0
    assert (original / LOCK).read_bytes() == before


def signed(*values: object) -> bytes:
    return lock_file._line([*values]).encode().strip()


@pytest.mark.parametrize(
    "line",
    [
        b'["learn:x","procedure","fetch",1,{"":[1,0]},"00000000"]',
        # Whoever writes the file can make the sum of a line, which has no key.
        signed("learn:x", "stop", "fetch", 1, {"": [1, 0]}),
        signed("learn:x", "acceptance", "fetch", 1, {"": [1, 0]}),
        signed("learn:x", "procedure", "fetch", -1, {"": [1, 0]}),
        signed("learn:x", "procedure", "fetch", 1, {"": [1e300, 0]}),
        signed("learn:x", "procedure", "fetch", 1, {"": [-1, 0]}),
        b"[" * 5000,
        b'{"a": 1}',
        b"\xff\xfe",
    ],
)
def test_what_is_no_line_of_it_is_passed_over(original: Path, line: bytes) -> None:
    known = knows(original)
    (original / LOCK).write_bytes((original / LOCK).read_bytes() + line + b"\n")
    found = read_lock(original)
    assert found is not None
    assert len(found.faults) == 1
    assert knows(original) == known


def test_nothing_in_it_lets_a_tool_be_called(original: Path) -> None:
    with open_evidence(original) as ledger:
        stop = Outcome("r", 0, "stop", "pay", 1, OutcomeKind.SUCCESS, 1.0, 0.0, "")
        ledger.record([stop])
        write_lock(Library.open(original), ledger)
    lock = read_lock(original)
    assert lock is not None
    assert {key[1] for key in lock.sums} <= {"procedure", "meta", "program", "binding", "reading"}


def test_a_link_is_refused(original: Path, tmp_path: Path) -> None:
    (original / LOCK).unlink()
    (original / LOCK).symlink_to(tmp_path / "elsewhere")
    told = run("list", str(original))
    assert told.exit_code in (0, 2)
    assert run("check", str(original), "--files").exit_code == 1


def test_git_merges_two_of_them_without_a_conflict(original: Path, tmp_path: Path) -> None:
    def git(*words: str) -> str:
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        done = subprocess.run(
            ["git", "-C", str(tmp_path), *who, *words], check=True, capture_output=True, text=True
        )
        return done.stdout

    git("init", "-q", "-b", "main")
    git("add", "lib")
    git("commit", "-qm", "Start")
    git("checkout", "-qb", "ben")
    use(original, "of ben", 0.0, 2.0)
    git("commit", "-qam", "Ben")
    git("checkout", "-q", "main")
    shutil.rmtree(original / ".macla")
    use(original, "of ada", 3.0, 0.0)
    git("commit", "-qam", "Ada")
    git("merge", "-q", "--no-edit", "ben")
    sums = LockFile.of((original / LOCK).read_bytes()).sums
    runs = {key[0] for key in sums}
    assert {"from:of ada", "from:of ben"} <= runs


@pytest.mark.parametrize("damage", ["edited", "gone", "emptied", "cut off"])
def test_a_clone_loses_nothing_by_a_file_that_is_edited_or_gone(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    use(original, "monday", 4.0, 1.0)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for words in (("init", "-q"), ("add", "lib"), ("commit", "-qm", "Start")):
        subprocess.run([*git, *words], check=True)
    before, known = (original / LOCK).read_bytes(), knows(original)
    shutil.rmtree(original / ".macla")
    if damage == "gone":
        (original / LOCK).unlink()
    left = {
        "edited": before.replace(b"[4,1]", b"[4000,1]"),
        "emptied": b"",
        "cut off": before[: len(before) // 2],
    }
    if damage in left:
        (original / LOCK).write_bytes(left[damage])
    told = run("check", str(original), "--files")
    words = {"gone": "is missing", "edited": "changed by hand"}
    assert words.get(damage, "was emptied or cut off") in told.stdout
    monkeypatch.setattr(notes, "_notes_by_library", OrderedDict())  # as in another process
    assert knows(original) == known
    assert run("migrate", str(original)).exit_code == 0
    assert (original / LOCK).read_bytes() == before
