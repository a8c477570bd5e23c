"""Procedural memory: what is known, how sure we are of it, and how it is learned.

Each room has one question; docs/architecture.md lists them. Begin with :mod:`.model.procedure`
(what is known), :mod:`.library.library` (where it stands) and :mod:`.evidence.ledger` (how well it
works). Nothing here knows a benchmark: no verbs, nouns, regular expressions or task types
of one.
"""
