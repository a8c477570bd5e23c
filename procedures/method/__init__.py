"""The method's settings, and its mathematics of choice and retention.

Begin with :mod:`.settings` (``library.yaml``) and :mod:`.utility` (the value of a choice).
"""
