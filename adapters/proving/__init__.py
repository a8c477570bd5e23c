"""Proving a library: what it reproduces of demonstrations, held out by folds (``proving.py``)."""
