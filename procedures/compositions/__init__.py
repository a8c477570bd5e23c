"""Composed texts: templates whose slots are names that the world lists and values that are said.

Begin with :mod:`.composition`.
"""

from .composition import Composition

__all__ = ["Composition"]
