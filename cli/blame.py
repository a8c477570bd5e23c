"""``macla blame``."""

from .log import blame as command

__all__ = ["command"]
