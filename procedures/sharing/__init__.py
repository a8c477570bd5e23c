"""What a clone of a library starts from: sums of evidence, and what was rejected, in one file.

Begin with :mod:`.lock_file`.
"""
