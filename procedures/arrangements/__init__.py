"""Arrangements: several choices that have to fit together, found by search, written as JSON.

Begin with :mod:`.arrangement`.
"""

from .arrangement import Arrangement

__all__ = ["Arrangement"]
