"""The page to review on: what it holds, and who may decide on it."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import run
from macla.adapters.review_page import (
    Card,
    Decisions,
    ReviewServer,
    make_card,
    render_page,
)
from macla.adapters.review_page.plots import densities, density, span
from macla.adapters.review_page.side_by_side import rows_of
from macla.procedures.common.errors import LibraryError
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.library.library import Library
from macla.procedures.model.procedure_parts import Evidence
from macla.procedures.proposals.proposal import Proposal
from review_samples import HOSTILE, fetch, make_library, proposal, write
from scipy import stats


def card_of(document: dict[str, Any], *more: Any) -> Card:
    return make_card(Proposal.from_document(document), *more)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return make_library(tmp_path / "lib")


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def parsed(page: str) -> _Tags:
    tags = _Tags()
    tags.feed(page)
    return tags


def test_one_file_that_needs_nothing_else(library: Path, tmp_path: Path) -> None:
    target = tmp_path / "review.html"
    done = run("proposals", "html", library, "-o", target)
    assert done.exit_code == 0, done.output
    assert "4 proposals" in done.output
    page = target.read_text()
    tags = parsed(page)
    for tag, attributes in tags.tags:
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        for name in ("src", "href", "action", "srcset"):
            value = attributes.get(name)
            assert value is None or value.startswith(("#", "data:,")), (tag, attributes)
    assert [tag for tag, _ in tags.tags].count("script") == 1
    (policy,) = [a["content"] for t, a in tags.tags if a.get("http-equiv")]
    assert policy is not None
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "http:" not in re.sub(r"http-equiv", "", page)
    assert "https:" not in page
    assert "data-act" not in re.sub(r"<script>.*?</script>", "", page, flags=re.S)


def test_what_a_card_shows(library: Path, tmp_path: Path) -> None:
    run("proposals", "html", library, "-o", tmp_path / "p.html")
    text = " ".join(" ".join(parsed((tmp_path / "p.html").read_text()).text).split())
    for part in (
        "Refine fetch",
        "version 1 → 2",
        "It failed where the place was closed.",
        "open {y}, when the latest observation says “The {y} is closed.”",
        "run-3",
        "before +0.250, after +0.500",
        "credibly better",
        "Beta(3.5, 1.25)",
        "Add drop",
        "follow the instructions of the task",
    ):
        assert part in text, part
    assert "decided long ago" not in text


def test_everything_of_strangers_is_escaped(library: Path, tmp_path: Path) -> None:
    run("proposals", "html", library, "-o", tmp_path / "p.html")
    page = (tmp_path / "p.html").read_text()
    for text in HOSTILE[:5]:
        assert text not in page or "<" not in text
    assert "{{ 7 * 7 }}" in page
    assert "\u202e" not in page
    assert "a\\u{202e}txt.exe\\u{200b}" in page
    assert "<img" not in page
    assert "Read with care." in page


def test_ids_and_fields_that_are_no_slugs_do_not_reach_the_page(library: Path) -> None:
    (library / "proposals" / "a'b<c>.yaml").write_text("kind: proposal\n")
    done = run("proposals", "html", library, "-o", library / "p.html", "--json")
    assert done.exit_code == 0
    document = json.loads(done.stdout)
    assert document["proposals"] == 4
    assert "a'b<c>" in document["faults"][0]
    assert "<c>" not in (library / "p.html").read_text()


def test_a_library_without_proposals_and_a_folder_that_is_none(tmp_path: Path) -> None:
    Library.create(tmp_path / "lib", domain="d", embedding="static")
    done = run("proposals", "html", tmp_path / "lib", "-o", tmp_path / "p.html")
    assert done.exit_code == 0
    assert "No proposal waits" in (tmp_path / "p.html").read_text()
    for arguments in (
        (tmp_path, "-o", tmp_path / "p.html"),
        (tmp_path / "lib", "-o", tmp_path / "none" / "p.html"),
    ):
        done = run("proposals", "html", *arguments)
        assert done.exit_code == 2
        assert "Traceback" not in done.output


def test_an_outdated_proposal_says_so() -> None:
    document = proposal("p", old=[fetch()], new=[fetch(version=2, goal="get {x} {y}")])
    assert card_of(document, {"fetch": 1}).stale == ""
    assert "version 3" in card_of(document, {"fetch": 3}).stale
    assert "no longer" in card_of(document, {}).stale


def test_the_ledger_is_the_evidence_before_and_a_snapshot_where_it_is_silent() -> None:
    document = proposal("p", old=[fetch(evidence={"alpha": 2, "beta": 3})], new=[fetch(version=2)])
    key = ("procedure", "fetch", 1, "")
    assert card_of(document, {}, {key: (8.0, 1.0)}).before == Evidence(9.0, 2.0)
    assert card_of(document).before == Evidence(2.0, 3.0)
    assert card_of(document).after is None
    assert card_of(document).better is None
    inherited = {**document, "inherited_evidence": {"alpha": 2, "beta": 3}}
    assert card_of(inherited).better == pytest.approx(0.5, abs=1e-6)


def test_documents_that_cannot_be_read_show_their_text(library: Path) -> None:
    broken = {"kind": "procedure", "id": "fetch", "version": 2, "goal": "g", "steps": "none"}
    card = card_of(proposal("p", old=[fetch()], new=[broken]))
    assert card.changes[0].diff is None
    assert card.changes[0].problem
    assert any(row.kind in ("removed", "changed") for row in card.changes[0].rows)
    assert "cannot be said in words" in render_page([card], library="l", made="now")


@pytest.mark.parametrize(("alpha", "beta"), [(1, 1), (0.5, 0.5), (11, 3), (3508, 1), (2e5, 9e5)])
def test_densities_are_those_of_scipy(alpha: float, beta: float) -> None:
    at = np.linspace(0.001, 0.999, 101)
    expected = stats.beta.pdf(at, alpha, beta)
    assert density(alpha, beta, at) == pytest.approx(expected, rel=1e-6, abs=1e-300)
    drawn = densities(Evidence(alpha, beta), Evidence(1, 1))
    assert "nan" not in drawn
    assert "inf" not in drawn
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn)[0])
    points = re.findall(r"[ML] (-?[\d.]+)[ ,](-?[\d.]+)", drawn)
    assert len(points) > 100
    assert all(0 <= float(x) <= width and 0 <= float(y) <= height for x, y in points)


def test_texts_side_by_side() -> None:
    old = "\n".join(["a: 1", *(f"k{n}: v" for n in range(20)), "goal: take {x} now"])
    new = old.replace("take {x} now", "take {y} now").replace("a: 1", "a: 1\nb: 2")
    rows = rows_of(old, new)
    assert [row.kind for row in rows].count("gap") == 1
    (changed,) = [row for row in rows if row.kind == "changed"]
    assert changed.old is not None
    assert changed.new is not None
    assert [text for text, marked in changed.new.pieces if marked] == ["y"]
    assert "".join(text for text, _ in changed.old.pieces) == "goal: take {x} now"
    assert rows_of(old, old) == ()


# The server.


class Served:
    """A server on loopback with decisions that are only noted."""

    def __init__(self) -> None:
        self.decided: list[tuple[str, ...]] = []
        self.server = ReviewServer(
            Decisions(lambda: "<!doctype html>page", self.accept, self.reject)
        )
        self.port = self.server.server_port
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,))
        self.thread.start()

    def accept(self, name: str) -> str:
        if name == "gone":
            raise LibraryError("is gone", hint="load again")
        self.decided.append(("accept", name))
        return "done"

    def reject(self, name: str, why: str) -> str:
        self.decided.append(("reject", name, why))
        return "done"

    def ask(
        self, method: str, path: str, body: Any = None, **headers: str | None
    ) -> tuple[int, str, http.client.HTTPResponse]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.putrequest(method, path, skip_host="Host" in headers)
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name.replace("_", "-"), value)
        if data is not None and "Content_Length" not in headers:
            connection.putheader("Content-Length", str(len(data)))
        connection.endheaders(data)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, text, response

    def decide(self, body: Any, **headers: str | None) -> tuple[int, Any]:
        given: dict[str, str | None] = {
            "Content_Type": "application/json",
            "X_Macla_Token": self.server.token,
        }
        status, text, _ = self.ask("POST", "/decide", body, **{**given, **headers})
        return status, json.loads(text)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def served(socket_enabled: None) -> Iterator[Served]:
    server = Served()
    yield server
    server.close()


def test_only_loopback_is_listened_on(served: Served) -> None:
    assert served.server.server_address[0] == "127.0.0.1"


def test_the_page_needs_the_token(served: Served) -> None:
    status, text, response = served.ask("GET", f"/?token={served.server.token}")
    assert (status, text) == (200, "<!doctype html>page")
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert response.headers["X-Frame-Options"] == "DENY"
    assert response.headers["Cache-Control"] == "no-store"
    for path in (
        "/",
        "/?token=",
        "/?token=wrong",
        f"/?token={served.server.token}x",
        "/?token=%ff",
    ):
        assert served.ask("GET", path)[0] == 403
    assert served.ask("GET", f"/other?token={served.server.token}")[0] == 404


def test_two_servers_have_two_tokens(served: Served) -> None:
    with ReviewServer(served.server.decisions) as other:
        assert other.token != served.server.token
        assert len(other.token) >= 40


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "", "localhost.evil:80"]
)
def test_another_host_is_refused(served: Served, host: str) -> None:
    path = f"/?token={served.server.token}"
    assert served.ask("GET", path, None, Host=host)[0] == 403
    assert served.decide({"id": "p", "act": "accept"}, Host=host)[0] == 403
    assert served.decided == []


def test_decisions(served: Served) -> None:
    assert served.decide({"id": "p-1", "act": "accept"}) == (
        200,
        {"status": "accepted", "message": "done"},
    )
    assert served.decide({"id": "p-2", "act": "reject", "why": " no use "})[0] == 200
    assert served.decided == [("accept", "p-1"), ("reject", "p-2", "no use")]


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        ({"id": "p", "act": "accept"}, {"X_Macla_Token": None}, 403),
        ({"id": "p", "act": "accept"}, {"X_Macla_Token": "x"}, 403),
        ({"id": "p", "act": "accept"}, {"X_Macla_Token": "\xfc"}, 403),
        ({"id": "p", "act": "accept"}, {"Origin": "http://evil.example"}, 403),
        ({"id": "p", "act": "accept"}, {"Origin": "null"}, 403),
        ({"id": "p", "act": "accept"}, {"Content_Type": "text/plain"}, 415),
        ({"id": "p", "act": "accept"}, {"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"id": "p", "act": "delete"}, {}, 400),
        ({"id": "p"}, {}, 400),
        ({"id": "../p", "act": "accept"}, {}, 400),
        ({"id": "a..b", "act": "accept"}, {}, 400),
        ({"id": 3, "act": "accept"}, {}, 400),
        ({"id": "p", "act": "reject"}, {}, 400),
        ({"id": "p", "act": "reject", "why": "  "}, {}, 400),
        ({"id": "p", "act": "reject", "why": "x" * 5000}, {}, 400),
        ({"id": "p", "act": "reject", "why": ["x"]}, {}, 400),
        (b"{", {}, 400),
        (b"[1]", {}, 400),
        (b"[" * 60_000, {}, 400),
        (b"\xff\xfe", {}, 400),
        (b"x" * 70_000, {}, 413),
        (b"{}", {"Content_Length": "-1"}, 413),
        (b"{}", {"Content_Length": "²"}, 413),
        ({"id": "gone", "act": "accept"}, {}, 409),
    ],
)
def test_what_is_no_decision_decides_nothing(
    served: Served, body: Any, headers: dict[str, str | None], status: int
) -> None:
    found, answer = served.decide(body, **headers)
    assert found == status
    assert answer["error"]
    assert served.decided == []


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "HEAD", "OPTIONS"])
def test_only_post_decides(served: Served, method: str) -> None:
    status = served.ask(method, f"/decide?token={served.server.token}&id=p&act=accept")[0]
    assert status in (404, 501)
    assert served.decided == []


def test_serving_deciding_and_stopping(library: Path, tmp_path: Path, socket_enabled: None) -> None:
    command = "import sys; from macla.cli.main import main; sys.exit(main())"
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", command, "proposals", "serve", str(library)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        base, _, token = url.partition("/?token=")
        with urllib.request.urlopen(url, timeout=20) as answer:
            assert "Refine fetch" in answer.read().decode()

        def decide(**body: str) -> Any:
            request = urllib.request.Request(
                f"{base}/decide",
                json.dumps(body).encode(),
                {"Content-Type": "application/json", "X-Macla-Token": token},
            )
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.load(answer)

        assert decide(id="new-drop", act="accept")["status"] == "accepted"
        assert decide(id="refine-errand-v2", act="reject", why="no")["status"] == "rejected"
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert process.returncode == 0
    assert "Traceback" not in errors
    assert "drop" in Library.open(library).procedures
    assert load_yaml((library / "proposals" / "refine-errand-v2.yaml").read_bytes())["status"] == (
        "rejected"
    )


def test_a_port_that_is_taken(library: Path, served: Served) -> None:
    done = run("proposals", "serve", library, "--port", served.port)
    assert done.exit_code == 2
    assert "cannot be used" in done.output


def test_writing_a_page_leaves_proposals_alone(library: Path, tmp_path: Path) -> None:
    write(library, proposal("one-more"))
    before = {p: p.read_bytes() for p in (library / "proposals").iterdir()}
    run("proposals", "html", library, "-o", tmp_path / "p.html")
    assert {p: p.read_bytes() for p in (library / "proposals").iterdir()} == before


def test_played_replays_edits_and_variants_are_shown() -> None:
    played = {"wins": 5, "losses": 0, "ties": 25, "ci": [0.018, 0.301], "tasks": "house dev"}
    new = {**fetch(), "id": "fetch-shut", "provenance": {"parent": "fetch@1"}}
    document = {
        **proposal("p", new=[new]),
        "change": "variant",
        "target": {"id": "fetch-shut"},
        "live": played,
        "edited": "Ada <ada@example.org>",
        "contrast": {"successes": ["run-1"], "failures": []},
    }
    card = card_of(document)
    assert card.proposal.headline == "Add fetch-shut, a variant of fetch"
    assert card.proposal.live is not None
    assert card.proposal.live.verdict == "credibly better"
    page = render_page([card], library="l", made="now")
    for part in (
        "Played tasks",
        'class="value plus"',
        "house dev",
        "edited by Ada &lt;ada@",
        "Episodes in which it worked",
    ):
        assert part in page


@pytest.mark.parametrize(
    ("posteriors", "expected"),
    [
        ([(1, 1)], (0.0, 1.0)),
        ([(254, 1), (17, 1)], (0.6, 1.0)),
        ([(3508, 1)], (0.8, 1.0)),
        ([(1, 3508)], (0.0, 0.2)),
        ([(4, 1)], (0.0, 1.0)),
    ],
)
def test_the_plot_shows_where_the_posteriors_lie(
    posteriors: list[tuple[float, float]], expected: tuple[float, float]
) -> None:
    low, high = span([Evidence(*each) for each in posteriors])
    assert (low, high) == expected
    for alpha, beta in posteriors:
        inside = stats.beta.cdf(high, alpha, beta) - stats.beta.cdf(low, alpha, beta)
        assert inside >= 0.997
