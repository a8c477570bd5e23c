"""Players: arms of an evaluation, baselines and rivals.

Begin with :mod:`.arms`.
"""
