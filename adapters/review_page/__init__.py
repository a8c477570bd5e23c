"""A page to review proposals on: one self-contained file, or served on this machine.

Everything a page shows comes from files that strangers may have written: the template escapes
all of it, a strict content security policy allows only the page's own style and script, and
characters that hide or reorder text are shown as escapes.
"""

from __future__ import annotations

from .cards import Card, make_card
from .page import render_page
from .page_server import Decisions, ReviewServer

__all__ = ["Card", "Decisions", "ReviewServer", "make_card", "render_page"]
