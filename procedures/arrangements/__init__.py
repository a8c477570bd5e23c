"""Arrangements: several choices that have to fit together, found by search, written as JSON."""

from .model import Arrangement

__all__ = ["Arrangement"]
