"""Pairs of changes of one library, accepted on two branches and merged: which of them conflict?

Run ``python -m macla.evals.bench.merges --pairs 200``. Each change is accepted by macla on a
branch of its own from one base, then random pairs are merged by plain ``git merge-tree``, by the
same in a bare repository that reads no ``.gitattributes`` (what a hosting server does) and, file by
file, by macla's merge driver. What came of a merge without a
conflict must be a valid library. It prints a JSON document; everything happens in a temporary
folder.
"""

from __future__ import annotations

import argparse
import copy
import itertools
import json
import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from macla.adapters.git.merging import merge_files
from macla.adapters.submitting import submitter
from macla.procedures.common.errors import MaclaError
from macla.procedures.evidence.intervals import wilson_interval
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.files.parsing import contents_of
from macla.procedures.library.consistency import check
from macla.procedures.library.library import Library
from macla.procedures.local.safe_git import Git
from macla.procedures.model.procedure import MetaProcedure, Ontology, Procedure
from macla.procedures.model.semantics import unknown_types
from macla.procedures.proposals.proposal import Document, make_proposal
from macla.procedures.proposals.word_documents import changed_words
from macla.procedures.sharing.exchange import write_lock
from macla.procedures.sharing.lock_file import LOCK, LockFile

LABELS = ("ours", "base", "theirs")
KINDS = [f"kind{n:02}" for n in range(40)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--changes", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory(prefix="macla-merges-") as folder:
        top = Path(folder)
        library = _base(top / "lib")
        _git(top, "init", "-q", "-b", "main")
        _git(top, "config", "user.name", "Ada")
        _git(top, "config", "user.email", "ada@example.org")
        _git(top, "add", "-A")
        _git(top, "commit", "-q", "-m", "base")
        made = [_accepted(top, library, number, rng) for number in range(given.changes)]
        _git(top, "clone", "-q", "--bare", str(top), str(top / "server.git"))
        pairs = list(itertools.combinations(range(given.changes), 2))
        told = [
            (made[a], made[b], *_merged(top, a, b))
            for a, b in rng.sample(pairs, min(given.pairs, len(pairs)))
        ]
    result: dict[str, Any] = {"pairs": len(told)}
    for name, at in (("plain", 2), ("driver", 3), ("server", 4)):
        clean = [each for each in told if each[at] != "conflict"]
        interval = wilson_interval(len(clean), len(told))
        result[name] = {
            "clean": len(clean),
            "interval": [round(interval.low, 3), round(interval.high, 3)],
            "invalid": [each[at] for each in clean if each[at]],
            "conflicts": sorted({f"{a} | {b}" for a, b, *got in told if got[at - 2] == "conflict"}),
        }
    print(json.dumps(result, indent=1))


def _git(top: Path, *arguments: str, code: int = 0) -> str:
    done = subprocess.run(["git", *arguments], cwd=top, capture_output=True, text=True)
    assert done.returncode <= code, done.stderr
    return done.stdout


def _base(path: Path) -> Library:
    library = Library.create(path, domain="merges", embedding="static")
    procedures = [
        Procedure.from_document(
            {
                "kind": "procedure",
                "id": f"do-{n}",
                "version": 1,
                "goal": f"do{n} {{x}} with {{y}}",
                "parameters": {
                    "x": {"source": "given", "type": f"do-{n}.x"},
                    "y": {"source": "choice", "type": f"do-{n}.y"},
                },
                "steps": [{"do": "go to {y}"}, {"do": f"do{n} {{x}} with {{y}}"}],
                "provenance": {"learned_from": "3 segments of demonstrations"},
            }
        )
        for n in range(8)
    ]
    metas = [
        MetaProcedure.from_document(
            {
                "kind": "meta",
                "id": f"plan-{n}",
                "version": 1,
                "goal": f"plan{n} {{a}}",
                "parameters": {"a": {"source": "task"}},
                "plan": [{"run": f"do-{m}", "with": {"x": "a"}} for m in (n, n + 1)],
            }
        )
        for n in range(6)
    ]
    operators = {
        f"do-{n}": {"frames": [f"do{n} {{0}} with {{1}}"], "effect": "acts"} for n in range(8)
    }
    types = {
        f"do-{n}.{x}": KINDS[n + at : n + at + 4]
        for n in range(8)
        for x, at in (("x", 0), ("y", 5))
    }
    words = {
        "entities": {"shape": "phrase", "kinds": KINDS[:20:2]},
        "types": types,
        "operators": operators,
    }
    ontology = Ontology.from_document({"kind": "ontology", "version": 1, **words})
    library.write_all(procedures, metas, ontology=ontology)
    with Ledger.memory() as ledger:
        write_lock(library, ledger)
    return library


def _accepted(top: Path, library: Library, number: int, rng: random.Random) -> str:
    """Accept one random change on a branch of its own; return what it was."""
    _git(top, "checkout", "-q", "-b", f"c{number}", "main")
    library.refresh()
    what = rng.choice(["kinds", "guard", "step", "new", "plan", "words"])
    grown = copy.deepcopy(library.ontology.to_document())
    made: list[tuple[str, str, dict[str, Any] | None, dict[str, Any]]] = []
    if what == "new":
        name = f"new-{rng.randrange(4)}"
        new = copy.deepcopy(library.procedures["do-0"].to_document())
        new |= {"id": name, "goal": f"{name} {{x}} with {{y}}"}
        new["steps"] = [{"do": f"{name} {{x}} with {{y}}"}]
        for x, each in new["parameters"].items():
            each["type"] = f"{name}.{x}"
        # Two who add it have seen it done with other things.
        for x, kinds in (("x", KINDS[:4]), ("y", sorted(rng.sample(KINDS, 4)))):
            grown["types"][f"{name}.{x}"] = kinds
        made = [("new", name, None, new)]
    elif what == "kinds":
        name = f"{rng.choice(sorted(library.procedures))}.{rng.choice('xy')}"
        listed = grown["types"][name]
        listed += rng.sample([k for k in KINDS if k not in listed], rng.randint(1, 3))
    elif what == "words":
        name = "ontology"
        known = grown["entities"]["kinds"]
        grown["entities"]["kinds"] = sorted(
            {*known, *rng.sample(KINDS, 3), f"thing{rng.randrange(99):02}"}
        )
    else:
        source: Any = library.metas if what == "plan" else library.procedures
        name = rng.choice(sorted(source))
        old = source[name].to_document()
        new = {**copy.deepcopy(old), "version": old["version"] + 1}
        if what == "guard":
            new["steps"][rng.randrange(2)]["when"] = f'observed("Sign {rng.randrange(9)}.")'
        elif what == "step":
            new["steps"].insert(rng.randrange(2), {"do": f"open{rng.randrange(9)} {{y}}"})
        else:
            new["plan"][rng.randrange(2)]["abort"] = rng.choice(["exhausted", "attempts >= 3"])
        made = [("refine", name, old, new)]
    words = changed_words(library.contents, Ontology.from_document(grown))
    there = (library.contents.get(key) for key in words)
    before = [item.to_document() for item in there if item is not None]
    proposals: list[tuple[str, str, Sequence[Document], Sequence[Document]]] = []
    if words:
        proposals.append(("ontology", "ontology", before, [*words.values()]))
    for change, target, was, after in made:
        proposals.append((change, target, [was] if was else [], [after]))
    for change, target, olds, news in proposals:
        proposal = make_proposal(
            change, "Seen.", target=target, old=olds, new=news, counts={"n": number}
        )
        with Ledger.memory() as ledger:
            submitter(library, ledger, "auto")(proposal)
    return f"{what} {name}"


def _plainly(top: Path, a: int, b: int) -> str:
    """Merge two branches by git alone: "conflict", "" or what is invalid."""
    done = subprocess.run(
        ["git", "merge-tree", "--write-tree", f"c{a}", f"c{b}"],
        cwd=top, capture_output=True, text=True,
    )  # fmt: skip
    return "conflict" if done.returncode else _fault(_files(top, done.stdout.split()[0]))


def _merged(top: Path, a: int, b: int) -> tuple[str, str, str]:
    """Merge two branches plainly, by the driver and as a server does."""
    base, ours, theirs = (_files(top, name) for name in ("main", f"c{a}", f"c{b}"))
    files, driver = dict(ours), ""
    for name in theirs.keys() - ours.keys():
        files[name] = theirs[name]
    for name in theirs.keys() & ours.keys():
        was = base.get(name, b"")
        if name == LOCK or name.startswith("types/"):
            files[name] = _union(top, was, ours[name], theirs[name])
        elif ours[name] in (was, theirs[name]):
            files[name] = theirs[name]
        elif theirs[name] != was:
            files[name], problems = merge_files(Git(top), was, ours[name], theirs[name], LABELS)
            driver = "conflict" if problems else driver
    return _plainly(top, a, b), driver or _fault(files), _plainly(top / "server.git", a, b)


def _union(top: Path, *contents: bytes) -> bytes:
    """Merge as git does by itself where ``.gitattributes`` says ``merge=union``."""
    with tempfile.TemporaryDirectory() as folder:
        base, ours, theirs = (Path(folder) / str(n) for n in range(3))
        for file, content in zip((base, ours, theirs), contents, strict=True):
            file.write_bytes(content)
        return _git(top, "merge-file", "-p", "--union", *map(str, (ours, base, theirs))).encode()


def _files(top: Path, tree: str) -> dict[str, bytes]:
    names = _git(top, "ls-tree", "-r", "--name-only", f"{tree}:lib").splitlines()
    asked = "".join(f"{tree}:lib/{name}\n" for name in names).encode()
    out = subprocess.run(
        ["git", "cat-file", "--batch"], cwd=top, input=asked, capture_output=True, check=True
    ).stdout
    found = {}
    for name in names:
        head, _, out = out.partition(b"\n")
        size = int(head.split()[2])
        found[name], out = out[:size], out[size + 1 :]
    return found


def _fault(files: dict[str, bytes]) -> str:
    root = Path("lib")
    plain = {name: data for name, data in files.items() if name.endswith(".yaml")}
    try:
        contents = contents_of(plain, root)
        check(contents, root, on_disk=False)
    except MaclaError as error:
        return str(error)
    for issue in unknown_types(contents.procedures.values(), contents.ontology):
        return issue.message
    lines = LockFile.of(files.get(LOCK, b"")).faults
    return f"{LOCK}: lines {lines}" if lines else ""


if __name__ == "__main__":
    main()
