"""An office with real tools and recurring tasks, for agents (``tool_world.py``)."""
