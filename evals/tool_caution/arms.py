"""The arms of the comparison: how much memory may do by itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..ladder.agents.exchanges import AgentPlayer

__all__ = ["ARMS", "Arm"]


@dataclass(frozen=True)
class Arm:
    """One way to use memory.

    Attributes:
        name: Of the arm.
        options: Of the middleware.
        accepted: After which pass a person accepts all procedures that there are, and then again
            before the policy changes silently; 0 for never.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    accepted: int = 0

    def after(self, number: int, player: AgentPlayer) -> None:
        """Do what a person does after a pass: accept once all that waits."""
        if number == self.accepted:
            self.accept(player)

    def accept(self, player: AgentPlayer) -> None:
        """Accept all that waits, if this is an arm in which a person does so."""
        if self.accepted and player.memory is not None:
            player.memory.accept()


ARMS: tuple[Arm, ...] = (
    Arm("default trust"),
    Arm("accepted after pass 3", accepted=3),
    Arm('trust="demonstrations"', {"trust": "demonstrations"}),
)
