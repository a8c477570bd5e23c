"""Learning composed texts from demonstrations.

Begin with :mod:`.composition_learner`.
"""
