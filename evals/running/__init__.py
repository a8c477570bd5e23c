"""Running an evaluation: each task once, in one process or in several.

Begin with :mod:`.runner`.
"""
