"""Programs: steps with sources and guards, what is done next, and why nothing is done.

Begin with :mod:`.program`; :mod:`.learning` makes programs from demonstrations.
"""
