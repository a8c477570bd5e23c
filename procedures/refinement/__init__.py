"""Refinement: procedures change by the evidence of play.

Begin with :mod:`.refinery`; :mod:`.bayes_factors` decides what is credible.
"""
