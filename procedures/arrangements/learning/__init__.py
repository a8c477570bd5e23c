"""Learning an arrangement from demonstrations that hand one in as JSON.

Begin with :mod:`.arrangement_learner`.
"""
