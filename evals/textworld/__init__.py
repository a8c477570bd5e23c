"""TextWorld's own games (cooking, treasure, hunt), made by `tw-make` and cached.

Importing this package does not import TextWorld; what needs it says so when it is missing.

Begin with :mod:`.suite` and :mod:`.environment`.
"""

from __future__ import annotations

from .demonstrations import SPLIT_SIZES, list_games, load_demonstrations, record_demonstration
from .environment import TextWorldEnvironment
from .games import GAMES, SPLITS, game_id

__all__ = [
    "GAMES",
    "SPLITS",
    "SPLIT_SIZES",
    "TextWorldEnvironment",
    "game_id",
    "list_games",
    "load_demonstrations",
    "record_demonstration",
]
