"""Suites: tasks, where they are played, and what can be learned from; one YAML file each.

Begin with :mod:`.suites`.
"""
