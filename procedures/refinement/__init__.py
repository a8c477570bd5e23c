"""Refinement: how procedures change because of what was met in play."""
