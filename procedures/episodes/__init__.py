"""Episodes as calls and facts: readers of texts and JSON, and the history up to a moment.

Begin with :mod:`.trajectories` (the records) and :mod:`.history` (calls and facts).
"""
