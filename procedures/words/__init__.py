"""Words of texts: entities, frames, clusters, names, and references to entities.

Begin with :mod:`.lexicon`.
"""
