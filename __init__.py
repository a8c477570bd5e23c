"""macla: procedural memory for agents, learned from experience and kept as reviewable files.

The names below are the public interface; each is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

_HOMES = {
    "Environment": "macla.graph.protocols",
    "EpisodeInput": "macla.graph.state",
    "Ledger": "macla.procedures.evidence.ledger",
    "Library": "macla.procedures.library.library",
    "LibrarySession": "macla.adapters.session",
    "LoopSettings": "macla.graph.context",
    "MaclaContext": "macla.graph.context",
    "MaclaError": "macla.procedures.common.errors",
    "MaclaState": "macla.graph.state",
    "OnlineLearner": "macla.procedures.learning.online",
    "Proposal": "macla.procedures.proposals.proposal",
    "Trajectory": "macla.procedures.episodes.trajectories",
    "create_macla_graph": "macla.graph.build",
    "learn": "macla.procedures.learning.learner",
    "make_proposal": "macla.procedures.proposals.proposal",
    "read_trajectories": "macla.procedures.episodes.trajectories",
    "recursion_limit": "macla.graph.build",
    "store": "macla.procedures.learning.store_learned",
    "submit": "macla.procedures.proposals.policy",
    "submitter": "macla.adapters.submitting",
    "trajectory_of": "macla.graph.finished_episode",
}

if TYPE_CHECKING:
    from .adapters.session import LibrarySession
    from .adapters.submitting import submitter
    from .graph.build import create_macla_graph, recursion_limit
    from .graph.context import LoopSettings, MaclaContext
    from .graph.finished_episode import trajectory_of
    from .graph.protocols import Environment
    from .graph.state import EpisodeInput, MaclaState
    from .procedures.common.errors import MaclaError
    from .procedures.episodes.trajectories import Trajectory, read_trajectories
    from .procedures.evidence.ledger import Ledger
    from .procedures.learning.learner import learn
    from .procedures.learning.online import OnlineLearner
    from .procedures.learning.store_learned import store
    from .procedures.library.library import Library
    from .procedures.proposals.policy import submit
    from .procedures.proposals.proposal import Proposal, make_proposal

__all__ = [
    "Environment",
    "EpisodeInput",
    "Ledger",
    "Library",
    "LibrarySession",
    "LoopSettings",
    "MaclaContext",
    "MaclaError",
    "MaclaState",
    "OnlineLearner",
    "Proposal",
    "Trajectory",
    "__version__",
    "create_macla_graph",
    "learn",
    "make_proposal",
    "read_trajectories",
    "recursion_limit",
    "store",
    "submit",
    "submitter",
    "trajectory_of",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(home), name)
