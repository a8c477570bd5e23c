"""Procedural memory: what is known, how sure we are of it, and how it is learned.

Nothing here knows a benchmark: no verbs, nouns, regular expressions or task types of one.
"""
