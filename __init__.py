"""macla: procedural memory for agents, learned from experience and kept as reviewable files."""

__version__ = "0.1.0"
