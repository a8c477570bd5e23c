"""The page served on this machine, with decisions.

Who may decide: only whoever knows the random token that is printed when the server starts, over
the loopback interface. Every request must name the server as its host (so that no name of a
stranger's can be pointed at it), and decisions come only as POST with the token in a header,
which no page of another origin can send. One decision is made at a time.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from ...procedures.common.errors import MaclaError
from .page import content_policy

_MOST_BODY: Final = 65_536
"""Bytes of the largest request that is read."""
_LONGEST_REASON: Final = 4_000
"""Characters of the longest reason."""
_TIMEOUT: Final = 30.0
"""Seconds that a browser may take to send its request."""
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,79}")


@dataclass(frozen=True, slots=True)
class Decisions:
    """What the page can do; each raises a :class:`MaclaError` with what to do where it cannot.

    Attributes:
        page: Returns the page as HTML, as things are now.
        accept: Accepts the proposal of an id; returns what was done, for people.
        reject: Rejects the proposal of an id for a reason; returns what was done.
    """

    page: Callable[[], str]
    accept: Callable[[str], str]
    reject: Callable[[str, str], str]


class ReviewServer(ThreadingHTTPServer):
    """The server; a context manager. ``serve_forever`` runs it.

    Attributes:
        token: What a caller must know.
        url: Address to open, with the token.
    """

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, decisions: Decisions, port: int = 0) -> None:
        """Listen on 127.0.0.1.

        Raises:
            OSError: The port is taken.
        """
        super().__init__(("127.0.0.1", port), _Handler)
        self.decisions = decisions
        self.token = secrets.token_urlsafe(32)
        self.one_at_a_time = threading.Lock()
        self.hosts = {f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost")}

    @property
    def url(self) -> str:
        """Address of the page, with the token."""
        return f"http://127.0.0.1:{self.server_port}/?token={self.token}"

    def knows(self, token: str) -> bool:
        """Say whether a token is the right one, in constant time."""
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode("ascii"))

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Pass over browsers that hang up."""


class _Refused(Exception):  # noqa: N818 (an answer, not a fault)
    def __init__(self, code: int, text: str) -> None:
        self.code, self.text = code, text
        super().__init__(text)


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer
    server_version = "macla"
    sys_version = ""
    timeout = _TIMEOUT

    def do_GET(self) -> None:
        """Serve the page."""
        try:
            self._guard()
            parts = urlsplit(self.path)
            if parts.path != "/":
                raise _Refused(404, "there is nothing here")
            token = parse_qs(parts.query).get("token", [""])[0]
            if not self.server.knows(token):
                raise _Refused(403, "open the address that macla proposals serve printed")
            with self.server.one_at_a_time:
                page = self.server.decisions.page()
        except _Refused as refused:
            self._send(refused.code, f"macla: {refused.text}\n", "text/plain")
        except (MaclaError, OSError) as error:
            self._send(500, f"macla: {error}\n", "text/plain")
        else:
            self._send(200, page, "text/html")

    def do_POST(self) -> None:
        """Take a decision."""
        try:
            status, message = self._decide()
        except _Refused as refused:
            self._answer(refused.code, {"error": refused.text})
        except (MaclaError, OSError) as error:
            self._answer(409, {"error": str(error)})
        else:
            self._answer(200, {"status": status, "message": message})

    def _decide(self) -> tuple[str, str]:
        self._guard()
        if urlsplit(self.path).path != "/decide":
            raise _Refused(404, "there is nothing here")
        origin = self.headers.get("Origin")
        if origin is not None and origin.removeprefix("http://") not in self.server.hosts:
            raise _Refused(403, "another page may not decide")
        if not self.server.knows(self.headers.get("X-Macla-Token", "")):
            raise _Refused(403, "the token is wrong; open the address that was printed")
        if self.headers.get_content_type() != "application/json":
            raise _Refused(415, "send JSON")
        document = self._body()
        name, act, why = (document.get(key, "") for key in ("id", "act", "why"))
        if not isinstance(name, str) or not _SLUG.fullmatch(name) or ".." in name:
            raise _Refused(400, "that is no id of a proposal")
        if not isinstance(why, str) or len(why) > _LONGEST_REASON:
            raise _Refused(400, f"a reason has at most {_LONGEST_REASON} characters")
        with self.server.one_at_a_time:
            if act == "accept":
                return "accepted", self.server.decisions.accept(name)
            if act == "reject":
                if not why.strip():
                    raise _Refused(400, "say why, so that the same is not proposed again")
                return "rejected", self.server.decisions.reject(name, why.strip())
        raise _Refused(400, "a proposal is accepted or rejected")

    def _guard(self) -> None:
        if self.headers.get("Host", "") not in self.server.hosts:
            raise _Refused(403, "this host is not served")

    def _body(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdecimal() or int(length) > _MOST_BODY:
            raise _Refused(413, f"send at most {_MOST_BODY} bytes, and say how many")
        try:
            document = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            raise _Refused(400, "that is no JSON") from None
        if not isinstance(document, dict):
            raise _Refused(400, "that is no JSON object")
        return document

    def _answer(self, code: int, document: dict[str, str]) -> None:
        self._send(code, json.dumps(document), "application/json")

    def _send(self, code: int, text: str, kind: str) -> None:
        data = text.encode("utf-8", "replace")
        self.send_response(code)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        policy = content_policy(served=True) if kind == "text/html" else "default-src 'none'"
        self.send_header("Content-Security-Policy", f"{policy}; frame-ancestors 'none'")
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: the address holds the token."""
