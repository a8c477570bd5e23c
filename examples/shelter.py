"""A world of your own: it is learned from ten recorded episodes, and new tasks are played."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from tempfile import mkdtemp

BOXES = ["box 1", "box 2", "box 3"]
ANIMALS = ["cat", "dog", "hen", "owl", "fox", "ant", "bee", "cow", "pig", "ram"]


class Shelter:
    """A hungry animal sits in one of three boxes."""

    def reset(self, task):
        self.animal = task.split()[-1] + " 1"
        self.home = random.Random(task).choice(BOXES)
        self.found = False
        return task, "You see a box 1, a box 2, and a box 3."

    def step(self, action):
        thing, text, won = action[5:], "Nothing happens.", False
        if action.startswith("open ") and thing in BOXES:
            self.found |= thing == self.home
            inside = f"a {self.animal}" if thing == self.home else "nothing"
            text = f"You open the {thing}. In it, you see {inside}."
        elif action == f"feed {self.animal} in {self.home}" and self.found:
            won, text = True, f"You feed the {self.animal} in the {self.home}."
        return text, float(won), won, {"won": won}


def episode(animal):
    """Return an episode as a line of a file has it."""
    world = Shelter()
    task, first = world.reset(f"feed the {animal}")
    places = BOXES[: BOXES.index(world.home) + 1]
    acts = [*(f"open {box}" for box in places), f"feed {animal} 1 in {world.home}"]
    obs = [first, *(world.step(act)[0] for act in acts)]
    return {"task": task, "obs": obs, "acts": acts, "success": True}


def macla(*words):
    """Run a command where this file is found as a module."""
    paths = [str(Path(__file__).parent), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    run = [sys.executable, "-c", "import sys; from macla.cli.main import main; sys.exit(main())"]
    subprocess.run([*run, *words], check=True, env=environment, cwd=folder)


if __name__ == "__main__":
    folder = Path(mkdtemp())
    lines = [json.dumps(episode(animal)) + "\n" for animal in ANIMALS]
    (folder / "shelter.jsonl").write_text("".join(lines))
    (folder / "unseen.txt").write_text("feed the elk\nfeed the emu\nfeed the yak\n")
    macla("learn", "shelter.jsonl", "--library", "pets")
    macla("eval", "shelter:Shelter", "--library", "pets", "--split", "unseen.txt")
