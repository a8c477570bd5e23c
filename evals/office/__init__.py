"""An office with real tools and recurring tasks, for agents.

Begin with :mod:`.tool_world`.
"""
