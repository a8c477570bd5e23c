"""Traces: everything that was decided in one episode.

Begin with :mod:`.episode_trace`.
"""
