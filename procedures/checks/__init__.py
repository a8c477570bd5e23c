"""Checks of a library that go beyond whether it opens: what a team wants to know before a merge.

Schemas, references and meaning are the matter of :mod:`macla.procedures.library_files` and
:mod:`macla.procedures.semantics`; here are duplicates, unknown tools, evidence that contradicts
a status, texts that try to instruct a model, and waiting proposals.
"""
