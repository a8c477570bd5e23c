"""What of a library belongs to this machine alone, and whether it may be believed.

Begin with :mod:`.machine_folder`.
"""
