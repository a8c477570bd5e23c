"""Episodes as calls and facts: readers of texts and JSON, and what is known at a moment.

Begin with :mod:`.trajectories` (what is recorded) and :mod:`.history` (what is known of it).
"""
