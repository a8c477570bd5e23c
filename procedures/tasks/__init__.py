"""Read a task: match or interpret its goal, parse its instructions.

Begin with :mod:`.goal_matching` (known words) and :mod:`.goal_interpretation` (free words).
"""
