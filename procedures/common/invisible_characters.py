"""Signs that steer a terminal, reorder a text or stand in it unseen."""

from __future__ import annotations

import re
from typing import Final

_UNSEEN: Final = re.compile(
    # Control characters but tab and line end, lone surrogates, separators of lines, and what
    # Unicode calls ignorable by default, but the two variations that emoji are written with.
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029"
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    r"""Return a text with such signs as escapes, as ``\u{202e}``; line ends and tabs stay."""
    return _UNSEEN.sub(lambda m: f"\\u{{{ord(m[0]):x}}}", text)


def json_visible(text: str) -> str:
    """Return JSON that says the same, with such signs as escapes of JSON."""
    return _UNSEEN.sub(_json_escape, text)


def _json_escape(match: re.Match[str]) -> str:
    pairs = match[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{pairs[at : at + 4]}" for at in range(0, len(pairs), 4))
