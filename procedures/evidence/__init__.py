"""Evidence of procedures, plans and programs: the ledger, and the statistics of its counts.

Begin with :mod:`.ledger` (the outcomes) and :mod:`.posterior` (the posteriors of success rates).
"""
