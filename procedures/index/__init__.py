"""The search index over a library: Chroma, a cache that may be lost.

Begin with :mod:`.procedure_index`.
"""
