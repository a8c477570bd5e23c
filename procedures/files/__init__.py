"""Reading what the files of a library say: each file once, and only when it is asked for.

Begin with :mod:`.scanning`.
"""
