"""The table of acceptance: everything that is measured, as commands, against what was accepted.

Edits of the learner that look general trade one world for another, so all are measured together.
Begin with :mod:`.table`, the document; :mod:`.units` makes commands of it, :mod:`.running` runs
them, :mod:`.comparing` says what improved and what fell.
"""
