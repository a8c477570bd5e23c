"""The worth of a choice's candidates, learned from demonstrations, then from rewards.

Begin with :mod:`.candidate_choice`.
"""
