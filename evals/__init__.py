"""Evaluation suites: run live, scored by the environment, reported with intervals."""
