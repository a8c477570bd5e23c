"""Procedural memory of tool calls: episodes of calls, how they generalise, how they are replayed.

Calls become steps, what varies in their arguments becomes parameters that are read from the task or
from earlier results, and the final answer becomes a template where it can be composed from them.

Begin with :mod:`.tool_learner` (from runs) and :mod:`.program_run` (in a run).
"""
