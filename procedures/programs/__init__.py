"""Programs: steps with sources and guards, and the decision about the next one.

Begin with :mod:`.program`; :mod:`.learning` makes programs from demonstrations.
"""
