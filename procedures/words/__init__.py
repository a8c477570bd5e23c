"""Words of texts: things, frames of action, clusters, names, and which thing is meant.

Begin with :mod:`.lexicon`.
"""
