"""Checks of a library that go beyond whether it opens: what a team wants to know before a merge.

Schemas, references and meaning are the matter of :mod:`macla.procedures.library.consistency` and
:mod:`macla.procedures.model.semantics`; here are duplicates, unknown tools, evidence that
contradicts a status, texts that try to instruct a model, and waiting proposals.

Begin with :mod:`.duplicates`.
"""
