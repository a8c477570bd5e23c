"""How cost grows with a library and its ledger: from 1,000 procedures to 100,000.

Each figure is processor time in one process on one core (of whole commands: the command's), and
the most memory that it took. Half of the procedures are programs that call tools, half act by text.
They are made with the words of no benchmark, in a temporary folder. The last line says which
targets are missed; the exit code is 1 then.

Example: python -m macla.evals.bench.growth --sizes 1000,10000 --only decision
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from macla.adapters.embeddings.static import StaticEmbeddings
from macla.adapters.langchain.store import AgentMemory
from macla.adapters.session import LibrarySession
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import MaclaContext
from macla.procedures.evidence.failures import FailureSettings
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.evidence.ledger_rows import DEMONSTRATIONS
from macla.procedures.evidence.running_counts import RunningCounts, RunningFailures
from macla.procedures.files.parsed import PARSED
from macla.procedures.index.procedure_index import IndexEntry, ProcedureIndex
from macla.procedures.index.snapshot import CHANGES
from macla.procedures.library.library import Library
from macla.procedures.local.machine_folder import LOCAL

from .growth_library import BATCH, STEPS, episode_of, make_library, noun, outcomes, task_of, word

_DECISIONS = 60
_CHANGES = 40


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement.

    Attributes:
        name: What was done.
        size: Procedures, rows, or runs.
        value: Seconds of the processor, megabytes, or a ratio: of the last tenth to the first, or
            recall.
        limit: What it may be; 0 where nothing is asked for.
        megabytes: Most memory of the process so far, or of the command; the files of an index
            that is opened.
        spread: The 95th percentile, where there are many.
    """

    name: str
    size: int
    value: float
    limit: float
    megabytes: float
    spread: float = 0.0

    @property
    def missed(self) -> bool:
        """Whether it is more than it may be."""
        return 0 < self.limit < self.value


def _limit(limits: Mapping[int, float], size: int) -> float:
    """Return what is asked for at the smallest size that is at least this one."""
    return next((limits[at] for at in sorted(limits) if size <= at), 0.0)


# -- what is measured ------------------------------------------------------------------


class _Room:
    """A world in which some actions in their order do what the task asks."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.done = 0
        self.began = 0.0

    def reset(self, task: Any) -> tuple[str, str]:
        return f"{word(self.number)} the {noun(self.number)}", "You are in a room."

    def step(self, action: str) -> tuple[str, float, bool, dict[str, bool]]:
        self.began = self.began or time.process_time()
        verb, thing = word(self.number), noun(self.number)
        if action != f"{verb} {thing} side {self.done}":
            return "No.", 0.0, False, {"won": False}
        self.done += 1
        won = self.done == STEPS
        return f"You {verb} the {thing}.", float(won), won, {"won": won}


def _decisions(path: Path, size: int) -> Iterator[Figure]:
    graph = create_macla_graph().compile()
    rng = Random(0)
    times: list[float] = []
    first: list[float] = []
    with LibrarySession.open(path) as session:
        knowledge = session.knowledge()
        for turn in range(_DECISIONS + 5):
            number = rng.randrange(size // 2)
            room = _Room(number)
            task, observation = room.reset(number)
            state = {
                "task": task,
                "observation": observation,
                "run": f"growth-{turn}",
                "horizon": 2 * STEPS,
            }
            context = MaclaContext(knowledge, room, session.reasoner(knowledge))
            config: Any = {"recursion_limit": recursion_limit(2 * STEPS)}
            began = time.process_time()
            ended = graph.invoke(state, context=context, config=config)  # type: ignore[call-overload]
            spent = time.process_time() - began
            assert ended["won"], ended.get("history")
            if turn >= 5:  # the first ones import and compile
                times.append(spent / len(ended["history"]))
                first.append(room.began - began)
    limits = {200: 0.0015, 10_000: 0.003, 100_000: 0.005}
    yield _many("a decision, through LangGraph", size, times, _limit(limits, size))
    yield _many("the first of an episode", size, first, 0.0)


def _agents(path: Path, size: int) -> Iterator[Figure]:
    rng = Random(0)
    with AgentMemory.open(path, policy="auto") as memory:
        times = []
        for _ in range(_DECISIONS):
            task = task_of(rng.randrange(size // 2), "Zoe")
            began = time.process_time()
            memory.program_for(task)
            times.append(time.process_time() - began)
        yield _many("recalling an agent's program", size, times, _limit(_RECALL, size))
        times = []
        for turn in range(12):
            episode = episode_of(rng.randrange(size // 2), 100 + turn)
            began = time.process_time()
            memory.learn([episode])
            times.append(time.process_time() - began)
    limits = {1_000: 0.020, 100_000: 0.050}
    yield _many("learning one more run", size, times[2:], _limit(limits, size))


_RECALL = {200: 0.0015, 10_000: 0.003, 100_000: 0.005}


def _commands(path: Path, size: int) -> Iterator[Figure]:
    """Whole processes: opening a new clone, and again, ``macla list``, ``macla check``."""
    opening = (
        f"from macla.procedures.library.library import Library; "
        f"Library.open({str(path)!r}).procedures"
    )
    main = "import sys; from macla.cli.main import main; sys.exit(main())"
    tenfold = max(1.0, size / 10_000)
    (path / LOCAL / PARSED).unlink(missing_ok=True)
    for name, limit, words in (
        ("first opening of a clone", 0.0, ("-c", opening)),
        ("opening", 1.0, ("-c", opening)),
        ("macla list", 2.0, ("-c", main, "list", str(path))),
        ("macla check", 5.0, ("-c", main, "check", str(path))),
    ):
        seconds, megabytes = _child(words)
        yield Figure(name, size, seconds, limit * tenfold, megabytes)


def _child(words: Sequence[str]) -> tuple[float, float]:
    """Run a command; return its processor time in seconds and the most memory in MB."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        # Who has used macla before has its bytecode; the first command writes it otherwise.
        kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
        os.execve(sys.executable, [sys.executable, *words], kept)
    _, status, usage = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) != 0:
        raise SystemExit(f"growth: {' '.join(words)[:200]} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def _index(folder: Path, size: int) -> Iterator[Figure]:
    """Measure the index alone: it needs entries and a folder, no library."""
    entries = [_entry(n, f"{word(n)} the {noun(n)}") for n in range(size)]
    kept, embeddings = folder / f"index-{size}", StaticEmbeddings()
    embeddings.embed_query("loads the model")
    with ProcedureIndex(kept, embeddings) as index:
        began = time.process_time()
        index.sync(entries)
        yield _one("building the index", size, began, _limit({100_000: 60.0}, size))
        times = []
        for turn in range(_CHANGES):
            entries[turn * 7919 % size] = _entry(turn * 7919 % size, f"another {noun(turn)}")
            began = time.process_time()
            index.sync(entries)
            times.append(time.process_time() - began)
        yield _many("one change of the index", size, times, 0.050)
        for n in range(CHANGES):
            entries[n] = _entry(n, f"one more {noun(n)}")
        began = time.process_time()
        index.sync(entries)
        yield _one(f"{CHANGES} changes, sealed anew", size, began, 0.0)
        asked = [f"{word(n)} the {noun(n + 7)}" for n in range(0, 37 * _CHANGES, 37)]
        times = []
        for text in asked:
            began = time.process_time()
            index.search(text, 16)
            times.append(time.process_time() - began)
        yield _many("a search of the index", size, times, 0.0)
        yield Figure("recall of the nearest 16", size, _recall(index, entries, asked), 0.0, 0.0)
    megabytes = sum(path.stat().st_size for path in kept.iterdir()) / 2**20
    yield Figure("opening it and a search", size, _opening(kept), 0.0, megabytes)
    with ProcedureIndex(kept, embeddings) as index:
        began = time.process_time()
        index.sync(entries)
        yield _one("opening it, all compared", size, began, 0.0)


def _opening(kept: Path) -> float:
    """Return processor seconds of opening and one search, without the imports."""
    code = (
        "import sys, time; from pathlib import Path; import chromadb\n"
        "from macla.adapters.embeddings.static import StaticEmbeddings as Static\n"
        "from macla.procedures.index.procedure_index import ProcedureIndex\n"
        "embeddings = Static(); embeddings.embed_query('loads the model')\n"
        "began = time.process_time()\n"
        "with ProcedureIndex(Path(sys.argv[1]), embeddings) as index: index.search('a goal', 16)\n"
        "print(time.process_time() - began)"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, str(kept)], capture_output=True, text=True, check=True
    )
    return float(told.stdout)


def _recall(index: ProcedureIndex, entries: Sequence[IndexEntry], asked: Sequence[str]) -> float:
    """Return the part of what is exactly the nearest 16 that the index finds."""
    embeddings = StaticEmbeddings(cache_size=0)
    vectors = embeddings.embed_array([each.text for each in entries])
    hits = 0
    for text, vector in zip(asked, embeddings.embed_array(list(asked)), strict=True):
        # By likeness: entries that are equally near are equally right.
        least = sorted(vectors @ vector)[-16]
        hits += sum(hit.similarity >= least - 2e-6 for hit in index.search(text, 16))
    return hits / (16 * len(asked))


def _entry(number: int, goal: str) -> IndexEntry:
    return IndexEntry(f"procedure-{number}", "procedure", 1, goal, goal)


def _ledger(folder: Path, size: int) -> Iterator[Figure]:
    """What a ledger costs that holds so many rows."""
    path = folder / f"evidence-{size}.db"
    with Ledger.open(path) as ledger:
        began = time.process_time()
        for start in range(0, size, 20 * BATCH):
            ledger.record(outcomes(start, min(20 * BATCH, size - start)))
        yield _one("making a ledger", size, began, 0.0)
        yield Figure("megabytes of its file", size, path.stat().st_size / 1e6, 0.0, _memory())
    began = time.process_time()
    with Ledger.open(path) as ledger:
        yield _one("opening a ledger", size, began, 0.0)
        began = time.process_time()
        ledger.counts()
        yield _one("counts of a ledger", size, began, 2.0)
        began = time.process_time()
        counts = RunningCounts(ledger, DEMONSTRATIONS)
        failures = RunningFailures(ledger, FailureSettings())
        counts.counts()
        failures.memories()
        ledger.spans("procedure", without=(DEMONSTRATIONS,))
        ledger.episodes(without=(DEMONSTRATIONS,))
        yield _one("what a session reads of it", size, began, 2.0)
        times = []
        again = []
        for number in range(_DECISIONS):
            row = outcomes(size + 10 * number, 1)
            began = time.process_time()
            ledger.record(row)
            times.append(time.process_time() - began)
            began = time.process_time()
            counts.counts()
            failures.memories()
            again.append(time.process_time() - began)
        yield _many("one more row of a ledger", size, times, 0.002)
        yield _many("what a session reads after it", size, again, 0.0)


def _runs(folder: Path, size: int) -> Iterator[Figure]:
    """Learn so many runs one after the other; 50 of each kind of task, drawn in turn."""
    kinds = max(1, size // 50)
    tenths: list[float] = []
    path = folder / f"agent-{size}"
    settings = {"capacity": {"procedures": max(200, 2 * kinds), "metas": 50}}
    Library.create(path, domain="growth", embedding="static", settings=settings)
    began_all = time.process_time()
    with AgentMemory.open(path, policy="auto") as memory:
        for tenth in range(10):
            began = time.process_time()
            for turn in range(tenth * size // 10, (tenth + 1) * size // 10):
                memory.learn([episode_of(turn % kinds, turn)])
            tenths.append(time.process_time() - began)
    yield _one("learning tool runs one by one", size, began_all, 0.0)
    megabytes = _memory()
    yield Figure("the first tenth of them", size // 10, tenths[0], 0.0, megabytes)
    yield Figure("last tenth by first tenth", size, tenths[-1] / tenths[0], 1.3, megabytes)


# -- how it is told --------------------------------------------------------------------


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _one(name: str, size: int, began: float, limit: float) -> Figure:
    return Figure(name, size, time.process_time() - began, limit, _memory())


def _many(name: str, size: int, times: Sequence[float], limit: float) -> Figure:
    high = statistics.quantiles(times, n=20)[-1]
    return Figure(name, size, statistics.median(times), limit, _memory(), high)


_OF_LIBRARIES: dict[str, Callable[[Path, int], Iterator[Figure]]] = {
    "decision": _decisions,
    "agent": _agents,
    "commands": _commands,
}
_OF_FOLDERS: dict[str, Callable[[Path, int], Iterator[Figure]]] = {
    "index": _index,
    "ledger": _ledger,
    "runs": _runs,
}


def _figures(options: SimpleNamespace) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="macla-growth-") as name:
        folder = Path(name)
        for size in options.sizes if set(options.only) & _OF_LIBRARIES.keys() else ():
            print(f"making a library of {size:,}", file=sys.stderr, flush=True)
            path = make_library(folder, size)
            for part, measure in _OF_LIBRARIES.items():
                if part in options.only:
                    yield from _forked(measure, path, size)
        of_folders = (("index", options.sizes), ("ledger", options.rows), ("runs", options.runs))
        for part, sizes in of_folders:
            for size in sizes if part in options.only else ():
                yield from _forked(_OF_FOLDERS[part], folder, size)


def _forked(
    measure: Callable[[Path, int], Iterator[Figure]], path: Path, size: int
) -> Iterator[Figure]:
    """Measure in a process of its own, so that no cache and no memory is another's."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as out:
            for figure in measure(path, size):
                out.write(json.dumps(asdict(figure)) + "\n")
                out.flush()
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as lines:
        for line in lines:
            figure = Figure(**json.loads(line))
            _tell(figure)
            yield figure
    if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0:
        raise SystemExit("growth: a measurement broke off (above)")


def _tell(figure: Figure) -> None:
    ratio = figure.name.startswith(("last tenth", "megabytes", "recall of"))
    unit, factor = ("", 1.0) if ratio else ("s", 1.0) if figure.value >= 1 else ("ms", 1000.0)
    spread = f" (p95 {factor * figure.spread:.2f})" if figure.spread else ""
    limit = f"at most {factor * figure.limit:g}" if figure.limit else ""
    missed = "  MISSED" if figure.missed else ""
    value = f"{factor * figure.value:.{4 if ratio else 2}f} {unit}{spread}"
    memory = f"{figure.megabytes:,.0f} MB"
    print(f"{figure.name:<32}{figure.size:>12,}  {value:<26}{limit:<16}{memory:>10}{missed}")
    sys.stdout.flush()


def _sizes(text: str) -> list[int]:
    return [int(each.replace("_", "")) for each in text.split(",")]


def main(arguments: list[str] | None = None) -> int:
    """Measure, tell each figure, and say what is missed."""
    parser = argparse.ArgumentParser(
        prog="python -m macla.evals.bench.growth",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parts = (*_OF_LIBRARIES, *_OF_FOLDERS)
    parser.add_argument("--sizes", type=_sizes, default=[200, 1_000, 10_000], metavar="N,…")
    parser.add_argument("--rows", type=_sizes, default=[100_000], metavar="N,…", help="of ledgers")
    parser.add_argument("--runs", type=_sizes, default=[1_000], metavar="N,…", help="of tools")
    parser.add_argument(
        "--only", default=",".join(parts), metavar="PART,…", help=f"of {', '.join(parts)}"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    options = parser.parse_args(arguments)
    options.only = options.only.split(",")
    if unknown := [each for each in options.only if each not in parts]:
        parser.error(f"there is no part {unknown[0]!r}; there are {', '.join(parts)}")
    figures = list(_figures(SimpleNamespace(**vars(options))))
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in figures], indent=1) + "\n")
    missed = sum(each.missed for each in figures)
    print(f"{len(figures) - missed} of {len(figures)} within their targets")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
