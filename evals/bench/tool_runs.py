"""Thousands of tool runs learned one after the other: does one more cost what the first ones did?

Write the runs once, then learn them; each command is a whole process that can be timed::

    python evals/bench/tool_runs.py --write runs.jsonl --runs 10000
    python evals/bench/tool_runs.py --learn runs.jsonl --runs 2000

The runs are what experts do in the ladder's development worlds, offered as tools, and what the
scripted model does in the development kinds of the ladder for agents, in turn. They are learned as
an agent's middleware learns them: each is kept, learned from and written before the next comes.
With ``--together`` they are learned at once, as ``macla learn FILE`` does. Seconds are told for
tenths of the runs.
"""

from __future__ import annotations

import argparse
import itertools
import json
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_openai_messages,
)
from macla.adapters.langchain.logs import episodes_from_chat_log
from macla.adapters.langchain.store import AgentMemory
from macla.evals.ladder.agents.exchanges import AgentPlayer, Exchange
from macla.evals.ladder.agents.playing import kinds_of
from macla.evals.ladder.agents.tasks import Task, tasks_of
from macla.evals.ladder.tools import conversation
from macla.evals.ladder.world import LadderTask, World
from macla.evals.ladder.worlds import DEVELOPMENT

_EACH = 4
"""Tasks of a kind of the ladder for agents that are drawn at once."""


def conversations() -> Iterator[list[BaseMessage]]:
    """Yield conversations without end: a world or a kind of task after the other."""
    with tempfile.TemporaryDirectory() as folder:
        kinds = kinds_of("development")
        with AgentPlayer(Path(folder), kinds, memory=None) as player:
            sources: list[Iterator[list[BaseMessage]]] = [_world_runs(w()) for w in DEVELOPMENT]
            sources += [_office_runs(player)] * len(kinds)
            for source in itertools.cycle(sources):
                yield next(source)


def _world_runs(world: World) -> Iterator[list[BaseMessage]]:
    for seed in itertools.count():
        yield conversation(world, LadderTask(seed, "train"))


def _office_runs(player: AgentPlayer) -> Iterator[list[BaseMessage]]:
    for number in itertools.count():
        for task in tasks_of(kinds_of("development"), number, each=_EACH):
            yield _messages(task, player.play(task))


def _messages(task: Task, exchanges: Sequence[Exchange]) -> list[BaseMessage]:
    messages: list[BaseMessage] = [SystemMessage(task.system)]
    messages += [(HumanMessage if s == "human" else AIMessage)(text) for s, text in task.earlier]
    for exchange in exchanges:
        messages.append(HumanMessage(exchange.text))
        for step in exchange.steps:
            name = f"call-{len(messages)}"
            call = {"name": step.tool, "args": step.args, "id": name, "type": "tool_call"}
            messages.append(AIMessage("", tool_calls=[call]))
            messages.append(ToolMessage(step.result, tool_call_id=name, name=step.tool))
        messages.append(AIMessage(exchange.answer))
    return messages


def write(path: Path, runs: int) -> None:
    """Write conversations, one a line."""
    with path.open("w", encoding="utf-8") as file:
        for number, messages in enumerate(itertools.islice(conversations(), runs)):
            document: dict[str, Any] = {
                "id": f"run-{number}",
                "messages": convert_to_openai_messages(messages),
            }
            file.write(json.dumps(document, ensure_ascii=False) + "\n")


def learn(path: Path, runs: int, library: Path, *, together: bool) -> None:
    """Learn so many runs into a library and say how long tenths of them took."""
    episodes = list(itertools.islice(episodes_from_chat_log(path), runs))
    tenth = max(1, len(episodes) // 10)
    spent: list[float] = []
    with AgentMemory.open(library, policy="auto") as memory:
        for part in [episodes] if together else _parts(episodes, tenth):
            start, cpu = time.perf_counter(), time.process_time()
            for batch in [part] if together else [[each] for each in part]:
                memory.learn(batch)
            seconds, busy = time.perf_counter() - start, time.process_time() - cpu
            spent.append(busy)
            each = 1000 * seconds / len(part)
            print(f"{len(part):>6} runs  {seconds:7.2f} s ({busy:.2f} s busy), {each:.2f} ms a run")
        files = memory.programs.files.values()
        acting = sum(file.status == "active" for file in files)
        print(f"{len(episodes)} runs: {len(files)} programs, {acting} of them act")
        ratio = spent[-1] / spent[0]
        print(f"{sum(spent):.1f} s busy; the last part took {ratio:.2f} times what the first took")


def _parts(items: Sequence[Any], size: int) -> Iterable[Sequence[Any]]:
    return (items[at : at + size] for at in range(0, len(items), size))


def main() -> None:
    """Write runs, or learn them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", type=Path, metavar="FILE", help="write conversations")
    what.add_argument("--learn", type=Path, metavar="FILE", help="learn them")
    parser.add_argument("--runs", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--library", type=Path, help="the library's folder (a temporary one)")
    parser.add_argument("--together", action="store_true", help="learn all at once")
    options = parser.parse_args()
    if options.write:
        write(options.write, options.runs)
        return
    with tempfile.TemporaryDirectory() as folder:
        library = options.library or Path(folder) / "library"
        learn(options.learn, options.runs, library, together=options.together)


if __name__ == "__main__":
    main()
