"""What a candidate of a choice is worth: learned from demonstrations, then from rewards.

Begin with :mod:`.candidate_choice`.
"""
