"""An episode behind the SQL toolkit of ``langchain-community``: its own tools, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...procedures.common.errors import MissingExtraError
from .episode import Episode, Turn

try:
    from langchain_community.utilities import SQLDatabase
except ImportError as error:
    raise MissingExtraError(
        "LangChain's SQL toolkit is needed; install it with: pip install langchain-community"
    ) from error

__all__ = ["EpisodeDatabase"]


class EpisodeDatabase(SQLDatabase):
    """What ``SQLDatabaseToolkit`` takes as its ``db``.

    Listing tables, describing one and asking a query are one step each; an episode that is over
    answers an error. Submitting is no part of the toolkit: give the agent the tool ``submit`` of
    :func:`~.tools.make_tools` as well.

    Args:
        episode: What it acts in.
    """

    def __init__(self, episode: Episode) -> None:
        # The parent would look through the whole schema, uncounted.
        self._episode = episode

    @property
    def dialect(self) -> str:
        """The dialect of SQL."""
        return "mysql"

    def get_usable_table_names(self) -> list[str]:
        """List the tables: one step."""
        turn = self._step("SHOW TABLES")
        return [str(row[0]) for row in (turn.answer.rows or ())] if turn is not None else []

    def get_table_info(
        self, table_names: list[str] | None = None, get_col_comments: bool = False
    ) -> str:
        """Describe tables: one step each; without names, one more to list them."""
        names: Sequence[str] = table_names or self.get_usable_table_names()
        return "\n".join(f"{name}: {self.run(f'DESC {name}')}" for name in names)

    def run(self, command: Any, *_: Any, **__: Any) -> str:
        """Execute a statement: one step."""
        turn = self._step(str(command))
        return turn.observation if turn is not None else "Error: the episode is over."

    run_no_throw = run
    get_table_info_no_throw = get_table_info

    def _step(self, action: str) -> Turn | None:
        return None if self._episode.done else self._episode.step(action)
