"""An invented world that makes one wait, and act on what is read; mistakes end the episode.

A vessel is sniffed; if it is foul it has to be scoured first. Charged and perched on the brazier
it hums after some time, and only then may it be decanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from macla.procedures.episodes.trajectories import Trajectory

NOTHING = "Nothing stirs."


@dataclass(frozen=True)
class BreweryTask:
    """What is to be brewed; all of it follows from the seed."""

    vessel: str
    essences: tuple[str, ...]
    bowls: tuple[str, ...]
    foul: bool
    patience: int

    @property
    def text(self) -> str:
        return f"Brew {self.essences[0]} in the {self.bowls[0]}."


def brewery_task(seed: int) -> BreweryTask:
    """Make the brewery of a seed."""
    rng = Random(f"brewery/{seed}")
    return BreweryTask(
        vessel=rng.choice(["dorp flask", "mirk flask", "olt jar"]),
        essences=tuple(rng.sample(["vyle essence", "prum essence", "tarn essence"], 2)),
        bowls=tuple(rng.sample(["jade bowl", "clay bowl", "horn cup"], 2)),
        foul=rng.random() < 0.5,
        patience=rng.randint(1, 6),
    )


class Brewery:
    """Plays a :class:`BreweryTask`; possible commands stay hidden."""

    def reset(self, task: BreweryTask) -> tuple[str, str]:
        self.task = task
        self.foul = task.foul
        self.lingered = 0
        self.charged = self.perched = self.over = False
        self.strewn: dict[str, str] = {}
        things = ", ".join(f"a {x}" for x in (*task.essences, *task.bowls, task.vessel))
        return task.text, f"A vault. You descry {things}, a pumice lump."

    def step(self, action: str) -> tuple[str, float, bool, dict[str, object]]:
        text = NOTHING if self.over else self._apply(action)
        won = text.startswith("You decant") and self._right(action)
        self.over = self.over or won
        return text, float(won), self.over, {"won": won}

    def _right(self, action: str) -> bool:
        essence, bowl = self.task.essences[0], self.task.bowls[0]
        return action.endswith(f" into {bowl}") and self.strewn.get(bowl) == essence

    def _apply(self, action: str) -> str:
        vessel = self.task.vessel
        if action == f"sniff {vessel}":
            return f"The {vessel} smells {'foul' if self.foul else 'clean'}."
        if action == f"scour {vessel} with pumice lump":
            self.foul = False
            return f"You scour the {vessel}."
        if action == f"charge {vessel}":
            if self.foul:
                self.over = True
                return f"The {vessel} bursts."
            self.charged = True
            return f"You charge the {vessel}."
        if action == f"perch {vessel} on brazier" and self.charged:
            self.perched = True
            return f"You perch the {vessel} on the brazier."
        if action == "linger":
            self.lingered += self.perched
            hums = self.perched and self.lingered == self.task.patience
            return f"The {vessel} hums." if hums else "Time drags on."
        for bowl in self.task.bowls:
            for essence in self.task.essences:
                if action == f"strew {essence} in {bowl}" and bowl not in self.strewn:
                    self.strewn[bowl] = essence
                    return f"You strew the {essence} in the {bowl}."
            if action == f"decant {vessel} into {bowl}" and self.perched:
                if self.lingered < self.task.patience:
                    self.over = True
                    return f"The {vessel} splutters and dies."
                return f"You decant the {vessel} into the {bowl}."
        return NOTHING


def brewery_demonstration(seed: int) -> Trajectory:
    """Show how a brewery's task is done."""
    task = brewery_task(seed)
    vessel, essence, bowl = task.vessel, task.essences[0], task.bowls[0]
    scour = [f"scour {vessel} with pumice lump"] if task.foul else []
    acts = [
        f"sniff {vessel}",
        *scour,
        f"charge {vessel}",
        f"perch {vessel} on brazier",
        f"strew {essence} in {bowl}",
        *["linger"] * task.patience,
        f"decant {vessel} into {bowl}",
    ]
    world = Brewery()
    text, first = world.reset(task)
    obs = [first, *(world.step(action)[0] for action in acts)]
    return Trajectory(task=text, obs=tuple(obs), acts=tuple(acts), success=True)
