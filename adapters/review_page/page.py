"""The page itself: a template, a style and a script, joined into one file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from ...procedures.common.invisible_characters import visible
from .cards import Card
from .plots import densities, replay_bar

_MARKS: Final[Mapping[str, str]] = {"added": "+", "removed": "\u2212", "changed": "~", "moved": "↕"}


def render_page(
    cards: Sequence[Card],
    *,
    library: str,
    made: str,
    faults: Sequence[str] = (),
    served: bool = False,
) -> str:
    """Return the page as HTML; with buttons where a server takes decisions."""
    page: str = _template().render(
        cards=cards,
        library=library,
        made=made,
        faults=faults,
        served=served,
        policy=content_policy(served=served),
        style=Markup(_asset("page.css")),  # noqa: S704 (our own file)
        script=Markup(_asset("page.js")),  # noqa: S704 (our own file)
    )
    return page


def content_policy(*, served: bool) -> str:
    """Return the content security policy: our one style, our one script, nothing else."""
    rules = [
        "default-src 'none'",
        f"style-src '{_digest('page.css')}'",
        f"script-src '{_digest('page.js')}'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    if served:
        rules.append("connect-src 'self'")
    return "; ".join(rules)


@cache
def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _digest(name: str) -> str:
    raw = hashlib.sha256(_asset(name).encode()).digest()
    return f"sha256-{base64.b64encode(raw).decode('ascii')}"


@cache
def _template() -> Any:
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_with_escapes,
    )
    environment.globals.update(densities=densities, replay_bar=replay_bar, marks=_MARKS)
    environment.filters["signed"] = lambda number: f"{number:+.3f}".replace("-", "\u2212")
    environment.filters["plain"] = lambda number: f"{number:g}"
    return environment.from_string(_asset("page.html"))


def _with_escapes(value: Any) -> Any:
    """Show characters that would hide or reorder text as escapes."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
