"""Kilns that an evaluation can make by name: ``kiln_world:ColdKiln``."""

from __future__ import annotations

from random import Random

from macla.procedures.episodes.trajectories import Trajectory

THINGS = ("pot", "vase", "tile", "bowl")
KILNS = ("oven", "forge", "furnace")


class WarmKiln:
    """A thing is lifted and fired in a kiln."""

    states = ("warm",)
    told = True

    def reset(self, seed: str) -> tuple[str, str]:
        rng = Random(f"kiln/{seed}")
        self.thing, self.kiln = f"{rng.choice(THINGS)} 1", f"{rng.choice(KILNS)} 1"
        self.state = rng.choice(self.states)
        self.lifted = False
        state = f" The {self.kiln} is {self.state}." if self.told else ""
        task = f"Fire the {self.thing.split()[0]} in the {self.kiln.split()[0]}."
        return task, f"You see a {self.thing}, a {self.kiln}.{state}"

    def step(self, action: str) -> tuple[str, float, bool, dict[str, bool]]:
        if action == f"lift {self.thing}" and not self.lifted:
            self.lifted = True
            return f"You lift the {self.thing}.", 0.0, False, {"won": False}
        fired = action == f"fire {self.thing} in {self.kiln}" and self.lifted
        if fired and self.state == "warm":
            return f"You fire the {self.thing} in the {self.kiln}.", 1.0, True, {"won": True}
        return "Nothing happens.", 0.0, False, {"won": False}


class ColdKiln(WarmKiln):
    """Some are cold, and say so."""

    states = ("warm", "cold")


class SecretKiln(ColdKiln):
    """Some are cold, and do not say so."""

    told = False


def kiln_demonstration(seed: int, *, told: bool = True) -> Trajectory:
    world = WarmKiln()
    world.told = told
    task, first = world.reset(f"train{seed}")
    acts = (f"lift {world.thing}", f"fire {world.thing} in {world.kiln}")
    seen = [world.step(action)[0] for action in acts]
    return Trajectory(task, (first, *seen), acts, True, id=f"kiln-{seed}")
