"""A tool-calling agent with recurring tasks: how many model calls does memory save?

``python -m macla.evals.tool_agent`` prints, for each pass, the calls of the model and the tasks
that came out as they do without memory (answer and everything that was changed).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage

from ..adapters.langchain.middleware import MaclaMiddleware, Mode
from .office.tool_model import ScriptedModel
from .office.tool_tasks import tasks_of
from .office.tool_world import ToolWorld

__all__ = ["PassResult", "run_passes"]


@dataclass(frozen=True)
class PassResult:
    """One pass over the tasks.

    Attributes:
        tasks: How many there were.
        model_calls: Calls of the model with memory.
        model_calls_without: Calls of the model without.
        same: Tasks with the same answer as without memory.
        same_world: Whether everything that was changed is the same too.
        differing: The tasks whose answers differ.
    """

    tasks: int
    model_calls: int
    model_calls_without: int
    same: int
    same_world: bool
    differing: tuple[str, ...]


def run_passes(
    folder: Path, passes: int = 3, mode: Mode = "act", *, reworded: bool = False
) -> list[PassResult]:
    """Run the thirty tasks several times, with other values each time, with and without memory.

    Args:
        folder: For both worlds and the library.
        passes: How often.
        mode: What memory may do.
        reworded: Ask each task in one of three ways, drawn anew on each pass.
    """
    found: list[PassResult] = []
    (folder / "with").mkdir()
    (folder / "without").mkdir()
    with ToolWorld(folder / "with") as world, ToolWorld(folder / "without") as plain_world:
        middleware = MaclaMiddleware(folder / "library", mode=mode, trust="demonstrations", audit=0)
        model, plain_model = ScriptedModel(), ScriptedModel()
        agent = create_agent(model, world.tools(), middleware=[middleware])
        plain = create_agent(plain_model, plain_world.tools())
        for number in range(passes):
            before, plain_before = model.calls, plain_model.calls
            differing: list[str] = []
            tasks = tasks_of(number, reworded=reworded)
            for task in tasks:
                told = agent.invoke({"messages": [HumanMessage(task)]})["messages"][-1].text
                expected = plain.invoke({"messages": [HumanMessage(task)]})["messages"][-1].text
                if told != expected:
                    differing.append(f"{task} -> {told!r}, not {expected!r}")
            found.append(
                PassResult(
                    len(tasks),
                    model.calls - before,
                    plain_model.calls - plain_before,
                    len(tasks) - len(differing),
                    world.state() == plain_world.state(),
                    tuple(differing),
                )
            )
        middleware.memory.close()
    return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=3)
    parser.add_argument("--reworded", action="store_true", help="three ways to ask each task")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = run_passes(Path(folder), options.passes, reworded=options.reworded)
    if options.json:
        print(json.dumps([asdict(each) for each in results]))
        return
    for number, each in enumerate(results, 1):
        print(
            f"pass {number}: {each.model_calls} model calls (without memory "
            f"{each.model_calls_without}), {each.same} of {each.tasks} tasks as without memory, "
            f"world {'the same' if each.same_world else 'DIFFERENT'}"
        )
        for text in each.differing:
            print(f"  {text}")
    first, last = results[0].model_calls, results[-1].model_calls
    print(f"from the first to the last pass: {100 * (last - first) / first:+.0f} % model calls")


if __name__ == "__main__":
    main()
