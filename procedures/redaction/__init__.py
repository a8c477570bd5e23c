"""Secrets, found in whatever comes in and replaced by keyed marks before anything is kept.

Begin with :mod:`.redactor`.
"""
