"""How well each piece of knowledge works: the ledger, and statistics of what it counts.

Begin with :mod:`.ledger` (what happened) and :mod:`.posterior` (how sure that makes us).
"""
