"""Proving a library: what it reproduces of demonstrations, as it is and held out by folds.

Begin with :mod:`.proving`.
"""
