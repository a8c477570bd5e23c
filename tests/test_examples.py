"""Every example runs and does what it says."""

import json
import sys
from pathlib import Path

import forking
import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
SAYS = {
    "react_agent.py": [
        "(3 model calls)",
        "Dan is closed. (1 model calls)",
        "accepted: close-the-account-of@",
        "Eva is closed. (0 model calls)",
        "Close the account of {1}.",
    ],
    "parent_graph.py": ["['log', 'messages'] - Done, in 1 steps. The lamp 1 glows."],
    "retriever_chain.py": ["goal: Close the account of {1}.", "Task: close somebody's account"],
    "learn_from_logs.py": ["of Cleo is closed. (0 model calls)"],
    "shelter.py": ["success                       100.0 %  (3 of 3)"],
    "chat_model.py": ["pry-some@1", "'a': 'lid'"],
    "refine.py": ["proposed: [] new plans: []"],
    "review_refinement.py": [
        "Add close-the-account-of",
        "of Finn is closed. (0 model calls)",
    ],
}


@pytest.mark.parametrize("name", sorted(SAYS))
def test_example(name: str, tmp_path: Path) -> None:
    done = forking.run(
        [sys.executable, str(EXAMPLES / name)],
        capture_output=True, text=True, cwd=tmp_path, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    for text in SAYS[name]:
        assert text in done.stdout


def test_every_example_is_run() -> None:
    names = {path.name for path in EXAMPLES.glob("*.py")}
    assert names == {*SAYS, "clerk.py", "studio.py", "studio_client.py"}


def test_the_graph_for_studio_can_be_made(tmp_path: Path) -> None:
    settings = json.loads((ROOT / "langgraph.json").read_text())
    file, _, name = settings["graphs"]["agent"].partition(":")
    paths = [str(ROOT / each) for each in settings["dependencies"] if each.startswith("./")]
    run = f"runpy.run_path({str(ROOT / file)!r})[{name!r}]"
    text = f"import runpy, sys; sys.path += {paths}; print(type({run}).__name__)"
    done = forking.run(
        [sys.executable, "-c", text], capture_output=True, text=True, cwd=tmp_path, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "CompiledStateGraph"
