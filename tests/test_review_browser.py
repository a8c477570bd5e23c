"""The page in a real browser: it opens, filters, obeys keys, decides, and complains of nothing."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from macla.adapters.review_page import Decisions, ReviewServer, make_card, render_page
from macla.cli.main import cli
from macla.evals.reports.figures import Line, Lines, Section, Table
from macla.evals.reports.report_page import render_report
from macla.procedures.checks.proposal_files import read_proposals
from macla.procedures.proposals.proposal import Proposal
from review_samples import make_library

api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
BROWSER = os.environ.get("MACLA_TEST_BROWSER") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
pytestmark = [
    pytest.mark.skipif(
        BROWSER is None,
        reason="no browser: install Chromium, or name one in MACLA_TEST_BROWSER",
    ),
    # The driver's event loop and its pipes are closed when the interpreter ends.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_library(tmp_path_factory.mktemp("review") / "lib")


@pytest.fixture(scope="module")
def page_file(library: Path) -> Path:
    target = library.parent / "review.html"
    done = CliRunner().invoke(cli, ["proposals", "html", str(library), "-o", str(target)])
    assert done.exit_code == 0, done.output
    return target


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with api.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield opened
        opened.close()


class Watched:
    """A page whose complaints are kept."""

    def __init__(self, browser: Any, url: str, **options: Any) -> None:
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(url)

    def shown(self) -> list[str]:
        found = self.page.locator("#list > li:not([hidden]) .name").all_inner_texts()
        return list(found)

    def title(self) -> str:
        return str(self.page.locator("article:not([hidden]) h2").inner_text())

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


@pytest.fixture(params=[(1280, 900), (390, 844)], ids=["desktop", "phone"])
def opened(request: pytest.FixtureRequest, browser: Any, page_file: Path) -> Iterator[Watched]:
    width, height = request.param
    watched = Watched(browser, page_file.as_uri(), viewport={"width": width, "height": height})
    yield watched
    broken = watched.page.evaluate("window.broken")
    watched.context.close()
    assert broken is None, "a text of the library was executed"
    assert watched.complaints == []
    assert all(url.startswith(("file:", "data:")) for url in watched.requests)


def test_it_opens_and_fits(opened: Watched) -> None:
    assert opened.title() == "Add drop"
    assert opened.page.locator("article:not([hidden])").count() == 1
    width = opened.page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert width[0] <= width[1]


def test_it_filters(opened: Watched) -> None:
    opened.press("/")
    opened.page.keyboard.type("ERRAND refine")
    assert opened.shown() == ["Refine errand"]
    assert opened.page.locator("#count").inner_text() == "1 of 4"
    opened.press("Enter")
    assert opened.title() == "Refine errand"
    opened.press("/")
    opened.page.keyboard.type("nothing like that")
    assert opened.shown() == []
    assert opened.page.locator("#nothing").is_visible()
    opened.press("Escape", "Escape")
    assert opened.page.locator("#list > li:not([hidden])").count() == 4


def test_keys_move_between_proposals(opened: Watched) -> None:
    listed = opened.page.locator("#list .name").all_text_contents()
    assert len(listed) == 4
    titles = [opened.title()]
    for _ in range(5):
        opened.press("j")
        titles.append(opened.title())
    assert titles == [*listed, listed[-1], listed[-1]], "in order, and no further than the last"
    last = opened.page.evaluate("document.activeElement.id")
    assert opened.page.url.endswith(f"#{last}")
    opened.press("k", "k", "k", "k")
    assert opened.title() == listed[0]


def test_help_and_the_side_by_side_text(opened: Watched) -> None:
    opened.press("?")
    assert opened.page.locator("#help").is_visible()
    opened.press("j", "Escape")
    assert not opened.page.locator("#help").is_visible()
    assert opened.title() == "Add drop"
    text = opened.page.locator("article:not([hidden]) details.text").first
    opened.press("t")
    assert text.evaluate("node => node.open")
    opened.press("t")
    assert not text.evaluate("node => node.open")


def test_keys_do_nothing_while_one_types(opened: Watched) -> None:
    opened.press("/")
    opened.page.keyboard.type("jkar?")
    assert opened.page.locator("#filter").input_value() == "jkar?"
    assert not opened.page.locator("#help").is_visible()


def test_everything_has_a_name_and_enough_contrast(browser: Any, page_file: Path) -> None:
    for scheme in ("light", "dark"):
        watched = Watched(browser, page_file.as_uri(), color_scheme=scheme)
        unnamed = watched.page.evaluate(
            """() => [...document.querySelectorAll("button, input, textarea, a, svg[role=img]")]
                .filter((n) => !(n.textContent.trim() || n.getAttribute("aria-label")
                                 || (n.labels && n.labels.length)))
                .map((n) => n.outerHTML)"""
        )
        assert unnamed == []
        assert watched.page.evaluate(_CONTRAST) == []
        watched.context.close()


_CONTRAST = """() => {
  const parse = (c) => c.match(/[\\d.]+/g).map(Number);
  const lum = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => v / 255)
      .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const back = (n) => {
    for (; n; n = n.parentElement) {
      const c = parse(getComputedStyle(n).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const poor = [];
  for (const article of document.querySelectorAll("article")) article.hidden = false;
  for (const d of document.querySelectorAll("details")) d.open = true;
  for (const n of document.querySelectorAll("body *")) {
    const own = [...n.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
    if (!own || n.closest("svg, script, style, noscript") || !n.offsetParent) continue;
    const a = lum(parse(getComputedStyle(n).color)), b = lum(back(n));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) poor.push(`${n.tagName}.${n.className}: ${ratio.toFixed(2)}`);
  }
  return [...new Set(poor)];
}"""


@pytest.fixture
def served(library: Path, socket_enabled: None) -> Iterator[tuple[str, list[tuple[str, ...]]]]:
    decided: list[tuple[str, ...]] = []
    cards = [
        make_card(Proposal.from_document(each.document))
        for each in read_proposals(library, lambda error: None)
        if each.document["status"] == "pending"
    ]

    def accept(name: str) -> str:
        decided.append(("accept", name))
        return f"accepted {name}"

    def reject(name: str, why: str) -> str:
        decided.append(("reject", name, why))
        return f"rejected {name}"

    def page() -> str:
        return render_page(cards, library="l", made="now", served=True)

    with ReviewServer(Decisions(page, accept, reject)) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.url, decided
        server.shutdown()
        thread.join()


def test_accepting_and_rejecting_in_the_browser(
    browser: Any, served: tuple[str, list[tuple[str, ...]]]
) -> None:
    url, decided = served
    watched = Watched(browser, url)
    page = watched.page
    watched.press("a")
    assert page.locator("#decision-title").inner_text() == "Accept: Add drop?"
    watched.press("Escape")
    assert decided == []
    watched.press("a", "Enter")
    page.get_by_text("accepted new-drop").wait_for()
    assert watched.title() == "Refine errand", "the next one that waits"
    watched.press("r", "Tab", "Tab", "Enter")  # no reason given: the form refuses
    assert page.locator("#decision").is_visible()
    page.locator("#why").fill("not <b>needed</b>")
    page.locator("#confirm").click()
    page.get_by_text("rejected refine-errand-v2").wait_for()
    assert decided == [("accept", "new-drop"), ("reject", "refine-errand-v2", "not <b>needed</b>")]
    assert page.locator("#list .state:not([hidden])").all_inner_texts() == ["accepted", "rejected"]
    watched.press("k", "k", "k", "a")
    assert not page.locator("#decision").is_visible(), "decided already"
    watched.context.close()
    assert watched.complaints == []


def test_the_server_gone(browser: Any, served: tuple[str, list[tuple[str, ...]]]) -> None:
    watched = Watched(browser, served[0])
    watched.page.route("**/decide", lambda route: route.abort())
    watched.press("a", "Enter")
    watched.page.get_by_text("The server does not answer").wait_for()
    button = watched.page.locator("article:not([hidden]) button.accept")
    assert button.is_enabled()
    watched.context.close()


@pytest.mark.parametrize("width", [1440, 390])
def test_a_report_fits_its_window_and_asks_for_nothing(
    browser: Any, tmp_path: Path, width: int
) -> None:
    table = Table("Wide", tuple("abcdefghij"), (("a long cell " * 3,) * 10,))
    plot = Lines("Course", "x", "y", (Line("a", ((0.0, 0.0), (1.0, 1.0))),))
    target = tmp_path / "report.html"
    target.write_text(render_report("Results", [Section("One", "About.", (table, plot))]))
    watched = Watched(browser, target.as_uri(), viewport={"width": width, "height": 800})
    assert watched.page.evaluate("document.documentElement.scrollWidth") == width
    assert watched.page.locator("svg").bounding_box()["width"] > 300
    assert not watched.complaints
    watched.context.close()
