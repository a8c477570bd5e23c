"""Teaching a library: episodes become programs, plans and evidence in a folder, all or nothing.

Begin with :mod:`.teaching`. A lesson (:mod:`.lesson`) is learned, and proof chooses between
programs and plans (:mod:`.choosing`). :mod:`.reviewed_learning` writes proposals instead.
"""
