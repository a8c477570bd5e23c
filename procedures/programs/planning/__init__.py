"""Searching: a map of places, and the way to where something can be done or is not yet known."""
