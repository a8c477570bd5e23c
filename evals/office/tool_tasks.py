"""Thirty recurring tasks of an office, each with the work that solves it.

The work is a generator that yields tool calls, is sent their results and returns the answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .tool_wordings import WORDINGS, wording_of
from .tool_world import CITIES, DOCUMENTS, NAMES, PACKAGES, PRODUCTS

__all__ = ["KINDS", "TaskKind", "Work", "tasks_of"]

Call: TypeAlias = tuple[str, dict[str, Any]]
Work: TypeAlias = Generator["Call | list[Call]", Any, str]


@dataclass(frozen=True)
class TaskKind:
    """One recurring task.

    Attributes:
        text: How it is asked; ``{name}`` are its values.
        values: Pass (from 0) → its values.
        work: How the model solves it.
    """

    text: str
    values: Callable[[int], dict[str, str]]
    work: Callable[..., Work]
    patterns: tuple[re.Pattern[str], ...] = field(init=False)

    def __post_init__(self) -> None:
        read = tuple(map(_pattern, (self.text, *WORDINGS[self.text])))
        object.__setattr__(self, "patterns", read)

    def ask(self, number: int, *, reworded: bool = False) -> str:
        """Return the task's text on one pass, in one of three wordings if they are to vary."""
        text = wording_of(self.text, number) if reworded else self.text
        return text.format(**self.values(number))


def _pattern(text: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", text)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    )


def _sql(query: str) -> Call:
    return "sql", {"query": query}


def _count_orders(name: str) -> Work:
    rows = yield _sql(f"SELECT id FROM customers WHERE name = '{name}'")
    found = yield _sql(f"SELECT COUNT(*) AS n FROM orders WHERE customer = {rows[0]['id']}")
    return f"{name} has placed {found[0]['n']} orders."


def _email(name: str) -> Work:
    rows = yield _sql(f"SELECT email FROM customers WHERE name = '{name}'")
    return f"The e-mail address of {name} is {rows[0]['email']}."


def _open_orders(name: str) -> Work:
    rows = yield _sql(f"SELECT id FROM customers WHERE name = '{name}'")
    found = yield _sql(
        f"SELECT id FROM orders WHERE status = 'open' AND customer = {rows[0]['id']}"
    )
    return f"Open orders of {name}: {', '.join(str(row['id']) for row in found)}."


def _price(product: str) -> Work:
    rows = yield _sql(f"SELECT price FROM products WHERE name = '{product}'")
    return f"The {product} costs {rows[0]['price']} euros."


def _city(name: str) -> Work:
    rows = yield _sql(f"SELECT city FROM customers WHERE name = '{name}'")
    return f"{name} lives in {rows[0]['city']}."


def _move(name: str, city: str) -> Work:
    rows = yield _sql(f"SELECT id FROM customers WHERE name = '{name}'")
    yield _sql(f"UPDATE customers SET city = '{city}' WHERE id = {rows[0]['id']}")
    seen = yield _sql(f"SELECT city FROM customers WHERE id = {rows[0]['id']}")
    return f"{name} now lives in {seen[0]['city']}."


def _add(name: str, city: str) -> Work:
    yield _sql(f"INSERT INTO customers (name, city) VALUES ('{name}', '{city}')")
    rows = yield _sql(f"SELECT id FROM customers WHERE name = '{name}'")
    return f"Added {name} with number {rows[0]['id']}."


def _value(name: str) -> Work:
    rows = yield _sql(f"SELECT id FROM customers WHERE name = '{name}'")
    found = yield _sql(f"SELECT SUM(amount) AS total FROM orders WHERE customer = {rows[0]['id']}")
    return f"The orders of {name} are worth {found[0]['total']} euros."


def _dearest(name: str) -> Work:
    rows = yield _sql(
        f"SELECT name, price FROM products WHERE category = '{name}' ORDER BY price DESC LIMIT 1"
    )
    return (
        f"The most expensive product there is the {rows[0]['name']}, at {rows[0]['price']} euros."
    )


def _stock(product: str) -> Work:
    rows = yield _sql(f"SELECT stock FROM products WHERE name = '{product}'")
    if rows[0]["stock"]:
        return f"Yes, there are {rows[0]['stock']} pieces of the {product}."
    return f"No, the {product} is sold out."


def _title(document: str) -> Work:
    text = yield "read_file", {"path": f"docs/{document}.md"}
    return f"Its title is: {text.splitlines()[0][2:]}"


def _author(document: str) -> Work:
    text = yield "read_file", {"path": f"docs/{document}.md"}
    author = next(line for line in text.splitlines() if line.startswith("author: "))[8:]
    return f"The {document} was written by {author}."


def _files(folder: str) -> Work:
    found = yield "list_files", {"folder": folder}
    return f"There are {found['count']} files in {folder}."


def _note(name: str, text: str) -> Work:
    yield "write_file", {"path": f"notes/{name}.txt", "text": text}
    return f"The note {name} is saved."


def _copy(document: str, target: str) -> Work:
    text = yield "read_file", {"path": f"docs/{document}.md"}
    yield "write_file", {"path": f"copies/{target}.md", "text": text}
    return f"The {document} is now also in copies/{target}.md."


def _mentions(word: str) -> Work:
    found = yield "search_files", {"folder": "docs", "word": word}
    return f"These mention the {word}: {', '.join(found)}."


def _version(package: str) -> Work:
    found = yield "read_file", {"path": f"packages/{package}/package.json"}
    return f"The package {package} is at version {found['version']}."


def _licence(package: str) -> Work:
    found = yield "read_file", {"path": f"packages/{package}/package.json"}
    return f"{package} is under the licence {found['licence']}."


def _release(package: str, version: str) -> Work:
    found = yield "read_file", {"path": f"packages/{package}/package.json"}
    text = json.dumps({**found, "version": version})
    yield "write_file", {"path": f"packages/{package}/package.json", "text": text}
    return f"{package} is released as {version}."


def _length(document: str) -> Work:
    text = yield "read_file", {"path": f"docs/{document}.md"}
    return f"The {document} has {len(text.split())} words."


def _weather(city: str) -> Work:
    found = yield "http_get", {"path": "/weather", "params": {"city": city}}
    return f"It is {found['temperature']} degrees and {found['sky']} in {city}."


def _zone(city: str) -> Work:
    found = yield "http_get", {"path": f"/zones/{city}"}
    return f"The time zone of {city} is {found['zone']}."


def _convert(amount: str, currency: str) -> Work:
    found = yield "http_get", {"path": f"/rates/{currency}"}
    return f"{amount} euros are {float(amount) * found['rate']:.2f} {currency}."


def _open_ticket(title: str, priority: str) -> Work:
    body = {"ticket": {"title": title, "labels": [{"priority": int(priority)}]}}
    made = yield "http_post", {"path": "/tickets", "body": body}
    return f"Ticket {made['created']['id']} is open."


def _close_ticket(number: str) -> Work:
    yield "http_get", {"path": f"/tickets/{number}"}
    yield "http_post", {"path": f"/tickets/{number}/state", "body": {"state": "closed"}}
    return f"Ticket {number} is closed."


def _assignee(number: str) -> Work:
    ticket = yield "http_get", {"path": f"/tickets/{number}"}
    user = yield "http_get", {"path": f"/users/{ticket['assignee']}"}
    return f"{user['name']} works on ticket {number}."


def _shipment(code: str) -> Work:
    found = yield "http_get", {"path": f"/shipments/{code}"}
    return f"Shipment {code} is {found['status']}."


def _compare(first: str, second: str) -> Work:
    one, two = yield [
        ("http_get", {"path": "/weather", "params": {"city": first}}),
        ("http_get", {"path": "/weather", "params": {"city": second}}),
    ]
    return f"{first}: {one['temperature']} degrees, {second}: {two['temperature']} degrees."


def _subscribe(name: str, group: str) -> Work:
    rows = yield _sql(f"SELECT email FROM customers WHERE name = '{name}'")
    body = {"subscriber": {"name": name, "email": rows[0]["email"]}}
    yield "http_post", {"path": f"/lists/{group}", "body": body}
    return f"{name} is on the list {group} now."


def _team(user: str) -> Work:
    person = yield "http_get", {"path": f"/people/{user}"}
    team = yield "http_get", {"path": f"/teams/{person['team']['id']}"}
    return f"{user} is in team {person['team']['id']}, which {team['team']['lead']} leads."


def _of(items: tuple[str, ...], name: str, shift: int = 0) -> Callable[[int], dict[str, str]]:
    return lambda number: {name: items[(number + shift) % len(items)]}


KINDS: tuple[TaskKind, ...] = (
    TaskKind("How many orders has {name} placed?", _of(NAMES, "name"), _count_orders),
    TaskKind("What is the e-mail address of {name}?", _of(NAMES, "name", 1), _email),
    TaskKind("List the open orders of {name}.", _of(NAMES, "name", 2), _open_orders),
    TaskKind("What does the {product} cost?", _of(PRODUCTS, "product"), _price),
    TaskKind("Which city does {name} live in?", _of(NAMES, "name", 3), _city),
    TaskKind(
        "Change the city of {name} to {city}.",
        lambda n: {"name": NAMES[(n + 5) % 8], "city": CITIES[(n + 2) % 8]},
        _move,
    ),
    TaskKind(
        "Add a customer called {name} from {city}.",
        lambda n: {"name": f"{('Max', 'Nora', 'Otto')[n % 3]} Quinn", "city": CITIES[n % 8]},
        _add,
    ),
    TaskKind("What are the orders of {name} worth?", _of(NAMES, "name", 4), _value),
    TaskKind(
        "Which product in the category {name} is the most expensive?",
        _of(("light", "seat", "table"), "name"),
        _dearest,
    ),
    TaskKind("Is the {product} in stock?", _of(PRODUCTS, "product"), _stock),
    TaskKind("What is the title of the {document}?", _of(DOCUMENTS, "document"), _title),
    TaskKind("Who wrote the {document}?", _of(DOCUMENTS, "document", 1), _author),
    TaskKind("How many files are in the folder {folder}?", _of(CITIES, "folder"), _files),
    TaskKind(
        "Make a note called {name} that says {text}",
        lambda n: {
            "name": ("todo", "idea", "plan")[n % 3],
            "text": ("call the plumber", "paint it blue", "buy new chairs")[n % 3],
        },
        _note,
    ),
    TaskKind(
        "Copy the {document} to {target}.",
        lambda n: {"document": DOCUMENTS[n % 8], "target": ("old", "draft", "final")[n % 3]},
        _copy,
    ),
    TaskKind("Which documents mention the {word}?", _of(PRODUCTS, "word", 1), _mentions),
    TaskKind("Which version does the package {package} have?", _of(PACKAGES, "package"), _version),
    TaskKind("What is the licence of the package {package}?", _of(PACKAGES, "package"), _licence),
    TaskKind(
        "Release the package {package} as {version}.",
        lambda n: {"package": PACKAGES[(n + 4) % 8], "version": f"{n + 3}.0.1"},
        _release,
    ),
    TaskKind("How long is the {document}?", _of(DOCUMENTS, "document", 2), _length),
    TaskKind("How is the weather in {city}?", _of(CITIES, "city"), _weather),
    TaskKind("What is the time zone of {city}?", _of(CITIES, "city", 1), _zone),
    TaskKind(
        "How much are {amount} euros in {currency}?",
        lambda n: {"amount": str(20 + 15 * n), "currency": ("USD", "GBP", "CHF")[n % 3]},
        _convert,
    ),
    TaskKind(
        "Open a ticket titled {title} with priority {priority}.",
        lambda n: {
            "title": ("door squeaks", "roof leaks", "lift stuck")[n % 3],
            "priority": str(n % 3 + 1),
        },
        _open_ticket,
    ),
    TaskKind("Close ticket {number}.", lambda n: {"number": str(41 + n)}, _close_ticket),
    TaskKind("Who works on ticket {number}?", lambda n: {"number": str(42 + n)}, _assignee),
    TaskKind("Where is shipment {code}?", lambda n: {"code": f"SH{31 + n}"}, _shipment),
    TaskKind(
        "Is it warmer in {first} or in {second}?",
        lambda n: {"first": CITIES[n % 8], "second": CITIES[(n + 3) % 8]},
        _compare,
    ),
    TaskKind(
        "Subscribe {name} to the list {group}.",
        lambda n: {"name": NAMES[(n + 6) % 8], "group": ("news", "sales", "jobs")[n % 3]},
        _subscribe,
    ),
    TaskKind(
        "Which team is {user} in, and who leads it?",
        lambda n: {"user": NAMES[n % 8].split()[0]},
        _team,
    ),
)


def tasks_of(number: int, *, reworded: bool = False) -> list[str]:
    """Return the thirty tasks of one pass (from 0); their values differ from pass to pass."""
    return [kind.ask(number, reworded=reworded) for kind in KINDS]
