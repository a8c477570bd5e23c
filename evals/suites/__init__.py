"""Suites: tasks, where they are played, what can be learned from (``suites.py``), in YAML."""
