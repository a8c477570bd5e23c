"""``macla revert``."""

from .log import revert as command

__all__ = ["command"]
