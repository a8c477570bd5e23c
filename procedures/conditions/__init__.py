"""Conditions: a small language of three truth values, checked without a model.

Begin with :mod:`.language`, which has the grammar; :mod:`.parser` makes a condition, and
:mod:`.nodes` evaluates it.
"""
