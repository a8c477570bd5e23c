"""macla.evals.reports: one page about results."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from command_line import json_of_module, run_module
from macla.evals.reports.__main__ import main
from macla.evals.reports.figures import Intervals, Line, Lines, Row, Section, Table, markdown
from macla.evals.reports.report_page import render_report


def result(arm: str, won: str, **more: Any) -> dict[str, Any]:
    n, wins = len(won), won.count("1")
    return {
        "suite": "alfworld",
        "split": "valid_seen",
        "n": n,
        "success_rate": wins / n,
        "ci95": [0.1, 0.9],
        "mean_steps": 7.0,
        "llm_calls_per_episode": 0.0,
        "reuse_rate": 1.0,
        "meta_hit_rate": 0.5,
        "wall_seconds": 1.0,
        "versions": {},
        "seed": 0,
        "library_hash": "none",
        "max_steps": 50,
        "admissible": False,
        "metrics": {"brier": 0.1, "reliability": [{"n": 4, "expected": 0.7, "worked": 0.75}]},
        "episodes": [
            {
                "id": f"g{at}",
                "task": "t",
                "success": mark == "1",
                "steps": 7,
                "reward": float(mark),
                "llm_calls": 0,
                "metas": [],
                "procedures": [],
                "fallback_steps": 0,
            }
            for at, mark in enumerate(won)
        ],
        "extra": {"arm": arm, "groups": {"a": {"won": 1, "n": 2}, "<b>": {"won": 0, "n": 2}}},
        **more,
    }


def write(folder: Path, **documents: Any) -> list[Path]:
    paths = [folder / f"{name}.json" for name in documents]
    for path, document in zip(paths, documents.values(), strict=True):
        path.write_text(json.dumps(document))
    return paths


def test_a_page_needs_nothing_else_and_says_what_was_measured(tmp_path: Path) -> None:
    files = write(
        tmp_path,
        full=result("macla", "11110111"),
        none=result("without-meta", "10000000"),
        evil=result("<script>alert(1)</script>", "11111111"),
    )
    out = tmp_path / "report.html"
    told = json_of_module(main, *files, "--out", out)
    (section,) = told["sections"]
    page = out.read_text()
    assert "<script" not in page
    assert not re.findall(r"(?:src|href)=\"(?!#)|url\(|@import|http[s]?://", page)
    assert "default-src 'none'" in page
    for svg in re.findall(r"<svg.*?</svg>", page, re.S):
        ElementTree.fromstring(svg)
    kinds = [figure["kind"] for figure in section["figures"]]
    assert kinds == ["intervals", "lines", "table", "table", "table"]
    intervals, _, _, differences, by_kind = section["figures"]
    # What others published stands beside, that of a part beside its arm.
    assert [row["published"] for row in intervals["rows"]] == [None, 0.812, None]
    assert dict(intervals["published"])["MACLA as published, seen"] == 0.872
    assert differences["rows"][0][1:4] == ["8", "-0.750 (-1.000 to -0.375)", "0 : 6"]
    assert by_kind["rows"][1][0] == "<b>"
    assert "&lt;b&gt;" in page


def test_series_beyond_the_colours_are_dashed_in_plot_and_key() -> None:
    lines = tuple(Line(f"s{n}", ((0.0, float(n)), (1.0, float(n)))) for n in range(8))
    page = render_report("t", [Section("s", "a", (Lines("l", "x", "y", lines),))])
    for kind in ("line ", "i class="):
        found = re.findall(rf'(?:class="{kind}|<i class=")([c\d]+(?: dashed)?)"', page)
        assert len(set(found)) == 8, kind


def test_runs_by_other_rules_are_not_compared(tmp_path: Path) -> None:
    files = write(
        tmp_path,
        hidden=result("macla", "11"),
        shown=result("macla", "11", admissible=True),
        again=result("macla", "10"),
    )
    told = json_of_module(main, *files, "--out", tmp_path / "r.html")
    assert [len(s["figures"][0]["rows"]) for s in told["sections"]] == [2, 1]
    names = [row["name"] for row in told["sections"][0]["figures"][0]["rows"]]
    assert names == ["macla (hidden)", "macla (again)"]


def test_protocols_are_never_mixed(tmp_path: Path) -> None:
    ipr, best = (result("macla", "11", protocol=name) for name in ("ipr", "intercode"))
    nearest = result("nearest", "10", protocol="ipr")
    files = write(tmp_path, ipr=ipr, best=best, nearest=nearest)
    told = run_module(main, *files, "--out", tmp_path / "r.html").stdout
    assert "hidden, protocol ipr" in told
    assert "| nearest | 2 | -0.500 (-1.000 to +0.000) | 0 : 1 | 1 |" in told
    assert told.count("Difference from") == 1


SECTION = Section(
    "Curve",
    "What was done.",
    (
        Table("A table", ("x", "y"), (("a|b", "1"),), grey=(0,)),
        Intervals("Shares", (Row("one", 0.5, 0.4, 0.6, "50 %", 0.7),), published=(("two", 0.8),)),
        Lines("Course", "episodes", "won", (Line("a", ((1, 0.5, 0.4, 0.6), (2, 0.6, 0.5, 0.7))),)),
        Lines("Nothing", "x", "y", ()),
    ),
)


def test_studies_are_shown_and_told_as_markdown(tmp_path: Path) -> None:
    assert Section.from_document(json.loads(json.dumps(SECTION.to_document()))) == SECTION
    (file,) = write(tmp_path, study={"kind": "study", "sections": [SECTION.to_document()]})
    assert run_module(main, file, "--out", tmp_path / "r.html").returncode == 0
    assert "polygon" in render_report("x", [SECTION])
    text = markdown(SECTION)
    assert "| a\\|b | 1 |" in text
    assert "| one | 50 % | 70.0 % |" in text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not a file of JSON"),
        ("[1]", "no JSON object"),
        ("{}", "missing"),
        ('{"kind": "study"}', "sections"),
        ('{"kind": "study", "sections": [{"title": "a", "about": "b", "figures": [{}]}]}', "kind"),
        (json.dumps(result("macla", "11", n=-1)), "n: "),
    ],
)
def test_what_is_no_result(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "bad.json").write_text(content)
    done = run_module(main, tmp_path / "bad.json", "--out", tmp_path / "r.html")
    assert done.returncode == 2
    assert "bad.json" in done.stderr
    assert message in done.stderr
    assert not (tmp_path / "r.html").exists()


def test_a_report_takes_the_place_of_no_result(tmp_path: Path) -> None:
    (file,) = write(tmp_path, macla=result("macla", "11"))
    before = file.read_bytes()
    done = run_module(main, file, "--out", tmp_path / "." / file.name)
    assert (done.returncode, file.read_bytes()) == (2, before)
    assert "a name of its own" in done.stderr
    missing = run_module(main, tmp_path / "none.json", "--out", tmp_path / "r.html")
    assert "none.json: cannot be read: No such file" in missing.stderr
