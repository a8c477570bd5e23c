"""A library as a server of the Model Context Protocol, for agents of any make."""

from __future__ import annotations

from .server import LibraryTools, create_server

__all__ = ["LibraryTools", "create_server"]
