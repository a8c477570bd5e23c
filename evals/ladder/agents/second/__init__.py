"""Worlds of another hand: ``shown`` may be looked at, ``unseen`` is only played."""
