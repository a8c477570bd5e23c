"""``macla report``: results of evaluations and studies as one page."""

from __future__ import annotations

from pathlib import Path

import click

from . import options, output


@click.command(
    "report",
    epilog=options.examples(
        "macla report full.json nearest.json --out report.html",
        "macla report runs/*.json --title 'Our shop' --out report.html",
    ),
)
@click.argument("runs", nargs=-1, required=True, type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--out",
    "-o",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="The page to write.",
)
@click.option("--title", default="Results", show_default=True, help="Heading of the page.")
@options.as_json
def command(runs: tuple[Path, ...], out: Path, title: str, as_json: bool) -> None:
    """Write one self-contained page about RUNS: tables with intervals, tests in pairs, plots.

    RUNS are files that macla eval --json printed, or that studies wrote. Runs of one suite, split
    and protocol are compared with the first of them, on the tasks that both played. Figures that
    others published are grey. The page needs no network and prints well.

    What stands on it is printed as Markdown; --json prints it as plain values.
    """
    from ..evals.reports.figures import markdown
    from ..evals.reports.report import versions
    from ..evals.reports.report_page import render_report
    from ..evals.reports.run_sections import read_sections
    from ..procedures.common.errors import DataError
    from ..procedures.documents.yaml_io import atomic_write

    if out.resolve() in {run.resolve() for run in runs}:
        raise DataError(f"{out}: is one of the results; give --out a name of its own")
    sections = read_sections(runs)
    about = ", ".join(f"{name} {version}" for name, version in versions().items())
    atomic_write(out, render_report(title, sections, about).encode())
    if as_json:
        output.emit_json({"page": str(out), "sections": [s.to_document() for s in sections]})
    else:
        for section in sections:
            output.say(markdown(section))
        output.say(f"{out}: {len(sections)} sections from {len(runs)} files")
