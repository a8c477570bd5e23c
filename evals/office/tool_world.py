"""A small office with real tools: an SQLite file, a tree of files, an HTTP service on loopback."""

from __future__ import annotations

import json
import sqlite3
import threading
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlencode, urlsplit
from urllib.request import Request, urlopen

from langchain_core.tools import BaseTool, tool

from ...procedures.common.closable import Closing

__all__ = ["CITIES", "NAMES", "PRODUCTS", "ToolWorld"]

NAMES = (
    "Ada Bell",
    "Ben Cole",
    "Cleo Dunn",
    "Dan Egan",
    "Eva Finch",
    "Finn Gray",
    "Gil Hart",
    "Ida Kent",
)
CITIES = ("Lyon", "Porto", "Turin", "Ghent", "Basel", "Malmo", "Graz", "Cork")
PRODUCTS = ("lamp", "chair", "desk", "shelf", "stool", "mirror", "clock", "vase")
DOCUMENTS = ("budget", "roadmap", "charter", "survey", "handbook", "minutes", "policy", "outlook")
PACKAGES = ("parser", "router", "logger", "loader", "mailer", "cacher", "tracer", "linter")


class ToolWorld(Closing):
    """The office; a context manager. Everything in it depends on the seed-free rules below alone.

    Args:
        folder: Where the files and the database are made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = folder / "office.db"
        self.files = folder / "files"
        self.tickets: dict[int, dict[str, Any]] = {
            40 + i: {"id": 40 + i, "title": f"{p} is broken", "state": "open", "assignee": 7 + i}
            for i, p in enumerate(PRODUCTS)
        }
        self.subscribers: list[dict[str, Any]] = []
        self._served = threading.Lock()
        self._server: ThreadingHTTPServer | None = None
        self._make()

    @property
    def url(self) -> str:
        """Where the service is, which begins when it is first asked for: many offices need none."""
        with self._served:
            if self._server is None:
                self._server = self._serve()
            return f"http://127.0.0.1:{self._server.server_port}"

    def _serve(self) -> ThreadingHTTPServer:
        office = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                query = {key: value[0] for key, value in parse_qs(parts.query).items()}
                self._answer(*office._get(parts.path, query))

            def do_POST(self) -> None:
                size = int(self.headers.get("Content-Length") or 0)
                self._answer(*office._post(self.path, json.loads(self.rfile.read(size))))

            def _answer(self, status: int, body: Any) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        return server

    def close(self) -> None:
        """Stop the web server, if it was needed."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()

    def state(self) -> dict[str, Any]:
        """Return everything that tasks may change."""
        with closing(sqlite3.connect(self.database)) as connection:
            tables = {
                name: connection.execute(f"SELECT * FROM {name} ORDER BY id").fetchall()  # noqa: S608
                for name in ("customers", "orders", "products")
            }
        files = {
            path.relative_to(self.files).as_posix(): path.read_text()
            for path in sorted(self.files.rglob("*"))
            if path.is_file()
        }
        return {**tables, "files": files, "tickets": self.tickets, "subscribers": self.subscribers}

    def tools(self) -> list[BaseTool]:
        """Return the tools of an agent in this office."""
        database, files, office = self.database, self.files, self

        @tool
        def sql(query: str) -> str:
            """Run one SQL statement on the office's database; returns rows as JSON."""
            with closing(sqlite3.connect(database)) as connection:
                connection.row_factory = sqlite3.Row
                cursor = connection.execute(query)
                rows = [dict(row) for row in cursor.fetchall()]
                connection.commit()
                if not query.lstrip().upper().startswith("SELECT"):
                    return json.dumps({"changed": cursor.rowcount})
                return json.dumps(rows)

        @tool
        def list_files(folder: str) -> str:
            """List the files of a folder."""
            names = sorted(path.name for path in (files / folder).iterdir())
            return json.dumps({"folder": folder, "files": names, "count": len(names)})

        @tool
        def read_file(path: str) -> str:
            """Read a text file."""
            return (files / path).read_text()

        @tool
        def write_file(path: str, text: str) -> str:
            """Write a text file."""
            target = files / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text)
            return f"written {target.stat().st_size} bytes"

        @tool
        def search_files(folder: str, word: str) -> str:
            """Find the files of a folder that hold a word."""
            found = [p.name for p in sorted((files / folder).iterdir()) if word in p.read_text()]
            return json.dumps(found)

        @tool
        def http_get(path: str, params: dict[str, str] | None = None) -> str:
            """Ask the office's service."""
            target = f"{office.url}{path}" + (f"?{urlencode(params)}" if params else "")
            return _fetch(Request(target))  # noqa: S310 (loopback)

        @tool
        def http_post(path: str, body: dict[str, Any]) -> str:
            """Tell the office's service something."""
            data = json.dumps(body).encode()
            return _fetch(Request(f"{office.url}{path}", data, method="POST"))  # noqa: S310 (loopback)

        for reading in (list_files, read_file, search_files, http_get):
            reading.metadata = {"readOnlyHint": True}  # as tools of MCP say it
        for changing in (write_file, http_post):
            changing.metadata = {"readOnlyHint": False}
        return [sql, list_files, read_file, write_file, search_files, http_get, http_post]

    # ------------------------------------------------------------------------ the office
    def _make(self) -> None:
        with closing(sqlite3.connect(self.database)) as connection:
            connection.executescript(
                "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, email TEXT, city TEXT);"
                "CREATE TABLE products (id INTEGER PRIMARY KEY, name TEXT, price REAL,"
                " stock INTEGER, category TEXT);"
                "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INTEGER, product INTEGER,"
                " status TEXT, amount REAL);"
            )
            for i, name in enumerate(NAMES):
                first = name.split()[0].lower()
                connection.execute(
                    "INSERT INTO customers VALUES (?, ?, ?, ?)",
                    (11 + 3 * i, name, f"{first}@example.org", CITIES[(i * 3) % len(CITIES)]),
                )
            for i, name in enumerate(PRODUCTS):
                category = ("light", "seat", "table")[i % 3]
                stock = (4, 0, 7, 12, 3, 0, 9, 5)[i]
                connection.execute(
                    "INSERT INTO products VALUES (?, ?, ?, ?, ?)",
                    (201 + i, name, 19.5 + 7 * i, stock, category),
                )
            for i in range(48):
                connection.execute(
                    "INSERT INTO orders VALUES (?, ?, ?, ?, ?)",
                    (
                        1000 + i,
                        11 + 3 * (i % len(NAMES)),
                        201 + (i * 5) % len(PRODUCTS),
                        ("open", "shipped", "open", "paid")[(i // 8 + i) % 4],
                        25.25 + i,
                    ),
                )
            connection.commit()
        for i, name in enumerate(DOCUMENTS):
            self._write(
                f"docs/{name}.md",
                f"# The {name} of {2010 + i}\nauthor: {NAMES[i]}\n\nIt concerns the "
                f"{PRODUCTS[i]} and the {PRODUCTS[(i + 3) % 8]}.\n",
            )
        for i, name in enumerate(PACKAGES):
            package = {
                "name": name,
                "version": f"{i + 1}.{2 * i}.3",
                "licence": ("MIT", "BSD")[i % 2],
            }
            self._write(f"packages/{name}/package.json", json.dumps(package))
        for i, city in enumerate(CITIES):
            for number in range(i % 4 + 1):
                self._write(f"{city}/report{number}.txt", f"{city} {number} {PRODUCTS[i]}")

    def _write(self, name: str, text: str) -> None:
        path = self.files / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def _get(self, path: str, query: dict[str, str]) -> tuple[int, Any]:
        parts = path.strip("/").split("/")
        match parts:
            case ["weather"] if query.get("city") in CITIES:
                i = CITIES.index(query["city"])
                sky = ("sunny", "cloudy", "windy")[i % 3]
                return 200, {"city": query["city"], "temperature": 11 + i, "sky": sky}
            case ["zones", city] if city in CITIES:
                return 200, {
                    "city": city,
                    "zone": f"Europe/{city}",
                    "offset": 1 + CITIES.index(city) % 2,
                }
            case ["rates", currency]:
                return 200, {
                    "currency": currency,
                    "rate": {"USD": 1.08, "GBP": 0.86, "CHF": 0.95}[currency],
                }
            case ["tickets", number] if int(number) in self.tickets:
                return 200, self.tickets[int(number)]
            case ["users", number]:
                i = int(number) - 7
                return 200, {"id": i + 7, "name": NAMES[i % 8], "team": ("blue", "red")[i % 2]}
            case ["people", name]:
                i = [each.split()[0] for each in NAMES].index(name)
                return 200, {"user": name, "team": {"id": f"T{i % 3 + 1}"}}
            case ["teams", name]:
                return 200, {"team": {"id": name, "lead": NAMES[int(name[1])]}}
            case ["shipments", code]:
                i = int(code[2:])
                return 200, {"code": code, "status": ("packed", "sent")[i % 2], "days": i % 5 + 1}
        return 404, {"error": f"nothing at {path}"}

    def _post(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        parts = path.strip("/").split("/")
        match parts:
            case ["tickets"]:
                number = max(self.tickets) + 1
                ticket = {"id": number, "state": "open", "assignee": 7, **body["ticket"]}
                self.tickets[number] = ticket
                return 200, {"created": {"id": number}}
            case ["tickets", number, "state"]:
                self.tickets[int(number)]["state"] = body["state"]
                return 200, {"id": int(number), "state": body["state"]}
            case ["lists", name]:
                self.subscribers.append({"list": name, **body["subscriber"]})
                return 200, {"list": name, "size": len(self.subscribers)}
        return 404, {"error": f"nothing at {path}"}


def _fetch(request: Request) -> str:
    try:
        with urlopen(request, timeout=10) as response:  # noqa: S310 (loopback)
            return str(response.read().decode())
    except HTTPError as error:
        raise RuntimeError(f"HTTP {error.code}: {error.read().decode()}") from error
