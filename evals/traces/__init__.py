"""Traces: everything that was decided in one episode (``episode_trace.py``)."""
