"""Old and new version of a proposal, played on the same tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ...adapters.trial_copies import required_by, trial_copy
from ...procedures.common.errors import EnvironmentFailure
from ...procedures.evidence.ledger import Ledger
from ...procedures.library.library import Library
from ...procedures.proposals.apply import accept
from ...procedures.proposals.proposal import Proposal, Replay
from ...procedures.proposals.replay import compare
from ...procedures.sharing.exchange import open_evidence
from ..players.arms import Setting
from ..suites.suites import Suite
from .runner import play_all

__all__ = ["LiveReplay"]


class LiveReplay:
    """Plays a sample of tasks with the library as it is, and with a proposal accepted.

    Both are copies in a temporary folder, evidence included; the library itself is not touched.
    The same tasks are played with the same seed, so outcomes are paired. What several proposals
    are compared with is played once.

    Args:
        suite: Where the tasks are played.
        split: Which tasks.
        library: The library.
        ledger: Its evidence.
        waiting: Proposals that wait; those that a proposal needs are accepted in both copies.
        limit: How many tasks.
        seed: Of the sample and of everything random.
        progress: Told how many episodes of a version were played, of how many.

    Raises:
        DataError: There is no such split.
    """

    def __init__(
        self,
        suite: Suite,
        split: str,
        *,
        library: Library,
        ledger: Ledger,
        waiting: Sequence[Proposal],
        limit: int,
        seed: int,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._suite = suite
        self._library = library
        self._ledger = ledger
        self._waiting = waiting
        self._seed = seed
        self._progress = progress
        self._tasks = suite.tasks(split, limit=limit, seed=seed)
        self._name = f"{suite.name} {split}, seed {seed}"
        self._played: dict[tuple[str, ...], list[bool]] = {}

    def replay(self, proposal: Proposal) -> Replay:
        """Play all tasks under both versions; an episode is right if it was won.

        Raises:
            ProposalError: The proposal, or one that it needs, cannot be accepted.
            EnvironmentFailure: A game broke off; it says nothing of either version.
        """
        needed = required_by(proposal, self._waiting)
        old = self._won(needed)
        new = self._won([*needed, proposal])
        return replace(compare(zip(old, new, strict=True)), tasks=self._name)

    def _won(self, accepted: Sequence[Proposal]) -> list[bool]:
        key = tuple(proposal.id for proposal in accepted)
        if key not in self._played:
            self._played[key] = self._play(accepted)
        return self._played[key]

    def _play(self, accepted: Sequence[Proposal]) -> list[bool]:
        with trial_copy(self._library) as copy:
            with open_evidence(copy.path) as ledger:
                ledger.record(self._ledger.rows())
                for proposal in accepted:
                    accept(copy, ledger, proposal)
            setting = Setting(
                self._suite,
                library=str(copy.path),
                max_steps=self._suite.max_steps,
                seed=self._seed,
            )
            outcomes = play_all(setting, self._tasks, progress=self._progress)
            broken = [outcome for outcome in outcomes if outcome.error]
            if broken:
                version = f"with {accepted[-1].id}" if accepted else "with the library as it is"
                raise EnvironmentFailure(
                    f"{len(broken)} of {len(outcomes)} games broke off {version}, so nothing is "
                    f"compared; the first was {broken[0].id}: {broken[0].error}"
                )
            return [outcome.success for outcome in outcomes]
