"""Run a study: ``python -m macla.evals.studies ablations --split valid_seen --jobs 2``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ...procedures.common.errors import MaclaError
from ..reports.figures import markdown
from ..suites.suite_files import suite_of
from .cells import play_cells
from .command_options import count, tell
from .studies import STUDIES, Options
from .writing import write_study


def main(arguments: list[str] | None = None) -> int:
    """Run a study; 0 where it was done, 2 where it could not be, 130 if it was stopped."""
    given = _parser().parse_args(arguments)
    study = STUDIES[given.study]
    try:
        suite_of(given.suite)
        if given.library and not study.library:
            raise MaclaError(f"the study {given.study} learns libraries of its own")
        options = Options(
            suite=given.suite,
            split=given.split,
            library=given.library,
            episodes=given.episodes,
            limit=given.limit,
            seed=given.seed,
            extra=tuple(given.extra.split()),
            learning=tuple(given.learning.split()),
        )
        folder = Path(given.out)
        answers = play_cells(study.cells(options), folder, jobs=given.jobs, progress=tell)
        sections = study.sections(options, answers)
    except MaclaError as error:
        print(f"studies: error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped; the same command goes on where it was", file=sys.stderr)
        return 130
    facts = {"suite": given.suite, "split": given.split}
    words = sys.argv[1:] if arguments is None else arguments
    command = ["python", "-m", "macla.evals.studies", *words]
    write_study(folder, given.name or given.study, sections, command, facts)
    print("\n".join(map(markdown, sections)))
    return 0


def _parser() -> argparse.ArgumentParser:
    studies = "\n".join(f"  {name:<11} {study.about}" for name, study in STUDIES.items())
    parser = argparse.ArgumentParser(
        prog="python -m macla.evals.studies",
        description=f"Run a study and write it as JSON, Markdown and a page:\n{studies}",
        epilog="example: python -m macla.evals.studies ablations --limit 40 --jobs 2 --out study",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("study", choices=list(STUDIES), metavar="STUDY")
    parser.add_argument("--suite", default="alfworld", help="name or file (default: alfworld)")
    parser.add_argument("--split", default="valid_seen", help="default: valid_seen")
    parser.add_argument(
        "--library", default="", help="of arms and capacity (default: one is learned)"
    )
    parser.add_argument("--name", default="", help="of what is written (default: the study's)")
    parser.add_argument("--episodes", type=count, help="demonstrations, or own episodes")
    parser.add_argument("--limit", type=count, help="tasks to play (default: all)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=count, default=1, help="cells at a time (default: 1)")
    parser.add_argument("--extra", default="", help="more options of learn and eval")
    parser.add_argument("--learning", default="", help="more options of learn alone")
    parser.add_argument("--out", default="study", help="folder; what is done there is kept")
    return parser


if __name__ == "__main__":
    sys.exit(main())
