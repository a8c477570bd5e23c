"""Refinement: how procedures change because of what was met in play.

Begin with :mod:`.refinery`; what is credible, :mod:`.bayes_factors` says.
"""
