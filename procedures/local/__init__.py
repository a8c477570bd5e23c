"""The part of a library that belongs to this machine alone, and whether it may be believed.

Begin with :mod:`.machine_folder`.
"""
