"""Planning: operators, goals, a map of places, and what is to be done next.

Begin with :mod:`.planner`.
"""
