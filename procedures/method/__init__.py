"""The method's settings, and its mathematics of choosing and keeping.

Begin with :mod:`.settings` (``library.yaml``) and :mod:`.utility` (what a choice is worth).
"""
