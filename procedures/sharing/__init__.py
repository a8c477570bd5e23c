"""The file that a clone of a library starts from: sums of evidence, rejections and notes.

Begin with :mod:`.lock_file`.
"""
