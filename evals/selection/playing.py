"""Play all worlds with an arm through the loop: what it chose, what it regrets, what it knew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from ...adapters.session import LibrarySession
from ...graph.build import compiled_loop, recursion_limit
from ...graph.context import MaclaContext
from ...graph.knowledge import Knowledge
from ...procedures.common.errors import DataError
from ...procedures.evidence.ledger import Ledger
from ...procedures.learning.pruning import surplus_worth
from ...procedures.library.library import Library
from ...procedures.method.ablation import parse_parts
from .arms import Arm, retrieved
from .rival_library import Place, RivalWorlds, make_library, recorded
from .worlds import World

__all__ = ["Played", "play"]

_HORIZON = 2


@dataclass(frozen=True, slots=True)
class Played:
    """One arm in one world.

    Attributes:
        regrets: By episode, the best rate less the rate of what was run, in [0, 1].
        expected: By episode, the success rate that was expected of what was run; None where nothing
            was.
        worked: By episode, whether it worked.
    """

    regrets: tuple[float, ...]
    expected: tuple[float | None, ...]
    worked: tuple[bool, ...]

    @property
    def regret(self) -> float:
        """The sum over episodes, in successes lost."""
        return sum(self.regrets)


def play(worlds: Sequence[World], arm: Arm, seed: int = 0) -> list[Played]:
    """Play the tasks of all worlds in turn with one library; the same luck for every arm.

    Args:
        worlds: With as many tasks each.
        arm: Who chooses.
        seed: Of what the arm does at random.
    """
    with TemporaryDirectory(prefix="macla-rivals-") as folder:
        library = make_library(Path(folder) / "library", worlds, arm.settings)
        with LibrarySession(library, Ledger.memory()) as session:
            session.ledger.record(recorded(worlds))
            return _played(session, worlds, arm, seed)


def _played(session: LibrarySession, worlds: Sequence[World], arm: Arm, seed: int) -> list[Played]:
    ablated, chance = parse_parts(arm.without), Random(f"{seed}/{arm.name}")  # noqa: S311
    environment, graph = RivalWorlds(worlds), compiled_loop()
    knowledge = session.knowledge(ablated=ablated)
    settings = session.loop_settings(horizon=_HORIZON, seed=seed, ablated=ablated)
    found: list[list[tuple[float, float | None, bool]]] = [[] for _ in worlds]
    tasks = len(worlds[0].episodes)
    for number in range(tasks):
        if arm.kept < 1 and number == tasks // 3:
            _prune(session, arm, chance)
            knowledge = session.knowledge(ablated=ablated)
        for index, world in enumerate(worlds):
            task, observation = environment.reset(Place(index, number))
            context = MaclaContext(
                _offered(knowledge, session, arm, chance),
                environment,
                session.reasoner(knowledge),
                ledger=session.ledger,
                settings=settings,
            )
            start = {"task": task, "observation": observation, "run": f"{index}/{number}"}
            most = {"recursion_limit": recursion_limit(_HORIZON)}
            state = graph.invoke(start, context=context, config=most)  # type: ignore[call-overload]
            rates, chosen = world.rates(number), environment.chosen
            choices = state["counters"]["choices"]
            found[index].append(
                (
                    max(rates) - (0.0 if chosen is None else rates[chosen]),
                    choices[-1][2] if choices else None,
                    bool(state["won"]),
                )
            )
            knowledge = session.with_new_evidence(knowledge, ablated)
    return [Played(*zip(*each, strict=True)) for each in found]


def _offered(knowledge: Knowledge, session: LibrarySession, arm: Arm, chance: Random) -> Knowledge:
    if arm.retrieval == "nearest":
        return knowledge
    entries, counts = session.library.procedures, knowledge.counts
    return replace(knowledge, retriever=retrieved(arm, session.index, entries, counts, chance))


def _prune(session: LibrarySession, arm: Arm, chance: Random) -> None:
    """Remove what has no room."""
    library: Library = session.library
    room = int(arm.kept * len(library.procedures))
    if arm.pruned == "random":
        gone = chance.sample(sorted(library.procedures), len(library.procedures) - room)
    else:
        method = replace(session.method, procedures=room)
        gone = sorted(surplus_worth(library, session.ledger, method))
    if len(gone) != len(library.procedures) - room:
        raise DataError(f"pruned {len(gone)} of {len(library.procedures)}, to leave {room}")
    library.delete(*gone)
