"""Planning: operators, goals, a map of places, and the choice of the next call.

Begin with :mod:`.planner`.
"""
