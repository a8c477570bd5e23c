"""Composed texts: templates whose slots are names that the world lists and values that are said."""

from .model import Composition

__all__ = ["Composition"]
