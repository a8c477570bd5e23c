"""Basics for every room: errors, plain text, time stamps, names of files.

Begin with :mod:`.errors`. Nothing here imports another room.
"""
