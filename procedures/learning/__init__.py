"""Learn procedures from trajectories: entities, operators, segments, guards, plans, evidence.

Begin with :mod:`.learner` (from all episodes) and :mod:`.online` (from each as it ends).
"""
