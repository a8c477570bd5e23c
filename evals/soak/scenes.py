"""Every command that writes, each with a library in a state in which it has something to do."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...adapters.submitting import submitter
from ...procedures.common.clock import now
from ...procedures.evidence.ledger import Ledger, Outcome, OutcomeKind
from ...procedures.library.library import Library
from ...procedures.local.machine_folder import adopt
from ...procedures.model.procedure import MetaProcedure, Procedure
from ...procedures.proposals.proposal import make_proposal
from .children import Child, run_forked
from .world import DOMAIN, WORLD, write_demonstrations, write_log

__all__ = ["LIBRARY", "SCENES", "Scene", "copied", "prepare"]

LIBRARY = "lib"
"""Name of the library's folder in the folder of a scene."""
_FETCH: Mapping[str, Any] = {
    "kind": "procedure",
    "id": "fetch",
    "version": 1,
    "goal": "fetch {x}",
    "parameters": {"x": {"source": "given"}},
    "steps": [{"do": "go to the shed"}, {"do": "fetch {x}"}],
}
_PLAN: Mapping[str, Any] = {
    "kind": "meta",
    "id": "tidy",
    "version": 1,
    "goal": "tidy {a}",
    "parameters": {"a": {"source": "task"}},
    "plan": [{"run": "fetch", "with": {"x": "a"}}],
}
_NAMES = ("fetch", "carry", "wash")


@dataclass(frozen=True, slots=True)
class Scene:
    """A command that writes.

    Attributes:
        base: Name of the function here that makes the state before.
        arguments: The command line, without ``macla``; paths are relative to the scene's folder.
        work: What to do instead of a command; told the folder.
        free: Whether its end depends on what was recorded before a kill: exploring does not try
            again what it tried. Then only the ids of episodes are compared.
    """

    base: str
    arguments: tuple[str, ...]
    work: Callable[[Path], None] | None = None
    free: bool = False


def prepare(base: str, folder: Path) -> Path:
    """Return the folder of the state before a scene; it is made once, in a process of its own.

    Args:
        base: Name of the state.
        folder: Where all states lie; one that grows from another begins as its copy.
    """
    place, (earlier, make) = folder / base, _BASES[base]
    if place.exists():
        return place
    source = prepare(earlier, folder) if earlier else None

    def work() -> str:
        if source is None:
            place.mkdir(parents=True)
        else:
            copied(source, place, believed=True)
        os.environ.update(_QUIET)
        os.chdir(place)
        make(place)
        return ""

    run_forked(work)
    return place


def _run(*arguments: object) -> None:
    ended = Child(arguments).wait()
    if ended.code:
        raise RuntimeError(f"macla {' '.join(map(str, arguments))}: {ended.out}{ended.err}")


def _files(folder: Path) -> None:
    """Write what commands are given."""
    write_demonstrations(folder / "shown.jsonl", 0, 6)
    write_demonstrations(folder / "more.jsonl", 6, 4)
    write_log(folder / "log0.jsonl", 0)
    write_log(folder / "log1.jsonl", 1)
    (folder / "tasks.txt").write_text("\n".join(f"now{number}" for number in range(40)))
    rows = [_outcome(f"other{number}", "fetch", 1, good=True) for number in range(300)]
    lines = "".join(json.dumps(row.to_json()) + "\n" for row in rows)
    (folder / "evidence.jsonl").write_text(lines, encoding="utf-8")


def _taught(folder: Path) -> None:
    """Make a library that was taught, told of runs and played, with a file written by hand."""
    _files(folder)
    _run("learn", "shown.jsonl", "--library", LIBRARY, "--world", f"domain={DOMAIN}")
    _run("observe", "log0.jsonl", "--library", LIBRARY)
    library = Library.open(LIBRARY)
    library.write_procedure(Procedure.from_document(_FETCH))
    _run("eval", WORLD, "--library", LIBRARY, "--split", "tasks.txt", "--limit", 3, "--record")


def _learned(folder: Path) -> None:
    """Make one whose last learning can be taken back."""
    _run("observe", "log1.jsonl", "--library", LIBRARY)


def _two(folder: Path) -> None:
    """Make one, and another with evidence of its own."""
    Library.create("other", domain=DOMAIN, embedding="static")
    _run("evidence", "import", "evidence.jsonl", "--library", "other")


def _skills(folder: Path) -> None:
    """Make one, and skills that another one exported."""
    _run("accept", LIBRARY, "--all")
    _run("skills", "export", "skills", "--library", LIBRARY)
    shutil.rmtree(LIBRARY)
    _taught_anew()


def _taught_anew() -> None:
    _run("learn", "shown.jsonl", "--library", LIBRARY, "--world", f"domain={DOMAIN}")


def _moved(folder: Path) -> None:
    """Make one that was moved here, and not adopted."""
    mark = Path(LIBRARY, ".macla", "machine")
    mark.write_text("elsewhere\n")


def _earlier(folder: Path) -> None:
    """Make one of an earlier macla, whose plans name versions."""
    _files(folder)
    library = Library.create(LIBRARY, domain=DOMAIN, embedding="static")
    metas = [MetaProcedure.from_document({**_PLAN, "id": f"tidy{n}"}) for n in range(12)]
    library.write_all([Procedure.from_document(_FETCH)], metas)
    for file in Path(LIBRARY, "meta").glob("*.yaml"):
        file.write_text(file.read_text().replace("run: fetch", "run: fetch@1"))


def _used(folder: Path) -> None:
    """Make one with evidence that says much about two versions of a procedure."""
    _files(folder)
    library = Library.create(LIBRARY, domain=DOMAIN, embedding="static")
    for name in _NAMES:
        library.write_procedure(_procedure(name, 1))
    with Ledger.open(Path(LIBRARY, ".macla", "evidence.db")) as ledger:
        rows = [_outcome(f"play{n}", name, 1, good=True) for n in range(60) for name in _NAMES]
        ledger.record(rows)


def _procedure(name: str, version: int) -> Procedure:
    steps = [{"do": f"go to the shed {version}"}, {"do": f"{name} {{x}}"}]
    document = {**_FETCH, "id": name, "goal": f"{name} {{x}}", "version": version, "steps": steps}
    return Procedure.from_document(document)


def _proposed(folder: Path) -> None:
    """Make one with proposals that wait."""
    _propose()
    (folder / "better.yaml").write_text(
        "kind: procedure\nid: fetch\nversion: 2\ngoal: fetch {x}\n"
        "parameters: {x: {source: given}}\n"
        "steps: [{do: go to the shed 3}, {do: 'fetch {x}'}]\n",
        encoding="utf-8",
    )


def _propose() -> None:
    library = Library.open(LIBRARY)
    with Ledger.open(Path(LIBRARY, ".macla", "evidence.db")) as ledger:
        send = submitter(library, ledger, "review")
        for name in _NAMES:
            proposal = make_proposal(
                *("refine", "It failed where the shed was shut."),
                target=name,
                old=[library.procedures[name].to_document()],
                new=[_procedure(name, 2).to_document()],
                counts={"successes": 3, "failures": 4},
            )
            send(proposal)


def _rejected(folder: Path) -> None:
    """Make one with proposals that were rejected."""
    _run("proposals", "reject", LIBRARY, "--all", "--why", "too rare")


def _accepted(folder: Path) -> None:
    """Make one whose proposals were accepted, and did badly since."""
    _run("proposals", "accept", LIBRARY, "--all")
    with Ledger.open(Path(LIBRARY, ".macla", "evidence.db")) as ledger:
        ledger.record(_outcome(f"bad{n}", "fetch", 2, good=False) for n in range(80))


def _repository(folder: Path) -> None:
    """Make one that git tracks, with proposals on branches."""
    for call in (
        *(("init", "-q", "-b", "main"), ("config", "user.name", "Ada")),
        *(("config", "user.email", "ada@example.org"), ("add", LIBRARY)),
        ("commit", "-q", "-m", "A library"),
    ):
        subprocess.run(["git", *call], check=True, capture_output=True)  # noqa: S603, S607
    _propose()


def _nothing(folder: Path) -> None:
    """Make no library at all."""
    _files(folder)


def _deny(folder: Path) -> None:
    """Give a verdict on a run, as ``macla.feedback`` does."""
    from ...adapters.langchain.store import AgentMemory

    with AgentMemory.open(folder / LIBRARY) as memory:
        memory.judge("run1", "what-is-the-price-of", ok=False, note="That is last year's.")


def _index_anew(folder: Path) -> None:
    """Make the index anew, as a command does that finds none."""
    from ...adapters.session import LibrarySession

    shutil.rmtree(folder / LIBRARY / ".macla" / "chroma", ignore_errors=True)
    with LibrarySession.open(folder / LIBRARY, read_only=True) as session:
        session.sync_index()


def _outcome(run: str, name: str, version: int, *, good: bool) -> Outcome:
    kind = OutcomeKind.SUCCESS if good else OutcomeKind.POSTCONDITION_FAILED
    sums = (1.0, 0.0) if good else (0.0, 1.0)
    return Outcome(
        *(run, 0, "procedure", name, version),
        outcome=kind,
        successes=sums[0],
        failures=sums[1],
        at=now(),
    )


def _rejected_in_git(folder: Path) -> None:
    """Make one that git tracks, with proposals that were rejected."""
    _run("proposals", "reject", LIBRARY, "--all", "--why", "too rare")


_QUIET = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
_BASES: Mapping[str, tuple[str, Callable[[Path], None]]] = {
    "nothing": ("", _nothing),
    "taught": ("", _taught),
    "learned": ("taught", _learned),
    "two": ("taught", _two),
    "skills": ("learned", _skills),
    "moved": ("taught", _moved),
    "earlier": ("", _earlier),
    "used": ("", _used),
    "proposed": ("used", _proposed),
    "rejected": ("proposed", _rejected),
    "accepted": ("proposed", _accepted),
    "repository": ("used", _repository),
    "rejected in git": ("repository", _rejected_in_git),
}
"""State before a scene → the state that it grows from, if any, and what makes it."""
_INTO = ("--library", LIBRARY)
_ONLINE = ("practice", WORLD, "--world", f"domain={DOMAIN}", "--split", "tasks.txt")
SCENES: Mapping[str, Scene] = {
    "learn, new": Scene("nothing", ("learn", "shown.jsonl", *_INTO, "--world", f"domain={DOMAIN}")),
    "observe, new": Scene("nothing", ("observe", "log0.jsonl", *_INTO)),
    "learn": Scene("taught", ("learn", "more.jsonl", *_INTO, "--world", f"domain={DOMAIN}")),
    "observe": Scene("taught", ("observe", "log1.jsonl", *_INTO)),
    "learn --policy review": Scene(
        "taught",
        ("learn", "more.jsonl", *_INTO, "--world", f"domain={DOMAIN}", "--policy", "review"),
    ),
    "practice": Scene("taught", (*_ONLINE, *_INTO, "--episodes", "4")),
    "practice, new": Scene("nothing", (*_ONLINE, *_INTO, "--episodes", "3"), free=True),
    "eval --record": Scene(
        "taught",
        ("eval", WORLD, *_INTO, "--split", "tasks.txt", "--limit", "4", "--seed", "7", "--record"),
    ),
    "accept": Scene("learned", ("accept", LIBRARY, "--all")),
    "feedback": Scene("learned", ("feedback",), work=_deny),
    "undo": Scene("learned", ("undo", LIBRARY)),
    "undo of an acceptance": Scene("accepted", ("undo", LIBRARY)),
    "undo of a version": Scene("accepted", ("undo", LIBRARY, "fetch", "--to", "1")),
    "proposals accept": Scene("proposed", ("proposals", "accept", LIBRARY, "--all")),
    "proposals accept, git": Scene("repository", ("proposals", "accept", LIBRARY, "--all")),
    "proposals reject": Scene(
        "proposed", ("proposals", "reject", LIBRARY, "--all", "--why", "rare")
    ),
    "proposals reject, git": Scene(
        "repository", ("proposals", "reject", LIBRARY, "--all", "--why", "rare")
    ),
    "proposals edit": Scene(
        "proposed", ("proposals", "edit", LIBRARY, "fetch", "--file", "better.yaml")
    ),
    "proposals reopen": Scene("rejected", ("proposals", "reopen", LIBRARY, "fetch")),
    "proposals rebase": Scene("proposed", ("proposals", "rebase", LIBRARY, "--all")),
    "proposals suggest": Scene("accepted", ("proposals", "suggest", LIBRARY)),
    "migrate": Scene("earlier", ("migrate", LIBRARY)),
    "migrate --adopt": Scene("moved", ("migrate", LIBRARY, "--adopt")),
    "evidence fit": Scene("used", ("evidence", "fit", LIBRARY, "--write")),
    "index": Scene("learned", ("index",), work=_index_anew),
    "evidence import": Scene("taught", ("evidence", "import", "evidence.jsonl", *_INTO)),
    "evidence export": Scene("taught", ("evidence", "export", "mine.jsonl", *_INTO)),
    "evidence merge": Scene("two", ("evidence", "merge", LIBRARY, "other")),
    "skills export": Scene("learned", ("skills", "export", "skills", *_INTO)),
    "skills import": Scene("skills", ("skills", "import", "skills", *_INTO)),
    "git install": Scene("repository", ("git", "install", LIBRARY)),
}
"""What is done → how."""


def copied(source: Path, target: Path, *, believed: bool) -> None:
    """Copy the folder of a scene, with machine-local files that are believed or not."""
    shutil.copytree(source, target, symlinks=True)
    for folder in target.glob("*/.macla") if believed else ():
        adopt(folder.parent)
