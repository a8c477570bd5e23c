"""What a task asks for: goals matched or interpreted, instructions parsed.

Begin with :mod:`.goal_matching` (known words) and :mod:`.goal_interpretation` (people's own).
"""
