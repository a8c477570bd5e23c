"""A harbour office: ferries are listed, one is booked, and each wish that it meets pays.

The line of a ferry says what it offers; what people wish, the task says. There is nothing to open,
and nothing to try twice: the booking ends the episode, paid with the share of the wishes that are
met, a tenth less for each ferry that is cheaper.
"""

from random import Random

from macla.procedures.episodes.trajectories import Trajectory

WISHES = ("cabins", "deck", "dogs", "cars", "bikes", "music", "dinner", "quiet")


class Harbour:
    """The office; a task is a number."""

    def reset(self, task):
        random = Random(int(task))
        self.wished = random.sample(WISHES, 3)
        self.ferries = [
            (f"F{number}", random.sample(WISHES, 4), random.randint(20, 90))
            for number in random.sample(range(100, 999), 6)
        ]
        lines = [f"{name} | {', '.join(has)} | {price} crowns" for name, has, price in self.ferries]
        return f"Book a ferry with {' and '.join(self.wished)}.", "\n".join(lines)

    def worth(self, ferry):
        _, has, price = ferry
        cheaper = sum(other[2] < price for other in self.ferries)
        return max(0.0, len({*has} & {*self.wished}) / len(self.wished) - cheaper / 10)

    def step(self, action):
        ferry = next((each for each in self.ferries if action == f"book {each[0]}"), None)
        if ferry is None:
            return "There is no such ferry.", 0.0, False, {}
        reward = self.worth(ferry)
        return f"{ferry[0]} is booked.", reward, True, {"won": reward == 1.0}


def shown(count, seed=0):
    """Return bookings of somebody who takes the first that has two of the three wishes."""
    out = []
    for number in range(seed, seed + count):
        harbour = Harbour()
        task, listed = harbour.reset(number)
        taken = next(
            (f for f in harbour.ferries if len({*f[1]} & {*harbour.wished}) > 1),
            harbour.ferries[0],
        )
        told, reward, _, _ = harbour.step(f"book {taken[0]}")
        out.append(Trajectory(task, (listed, told), (f"book {taken[0]}",), True, reward=reward))
    return out
