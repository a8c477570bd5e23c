"""What each rule of the learner is worth: it is switched off, and a part of the table is played.

Each rule is a function or a constant; without it something inert stands in its place, in learning
and in playing. First everything is played with nothing switched off, then once for each rule.
What is done is kept in a folder: after an interruption the same command goes on.

Example:
  python scripts/knockouts.py --list
  python scripts/knockouts.py --only "idle frames,agents: hulls" --run /tmp/knockouts
  python scripts/knockouts.py --json knockouts.json > knockouts.md
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from knockouts.replacing import NOTHING, KnockOut, knock_out, run_words
from knockouts.rules import KNOCK_OUTS, named

_SCRIPT = Path(__file__).resolve()
_MOST_WORK = 300
"""Seconds of a processor's work after which a command is given up."""


def main(words: Sequence[str]) -> int:
    """Play what is asked for; with ``--apply`` switch a rule off and run other words."""
    if words[:1] == ["--apply"]:
        return _apply(words[1:])
    options = _options(words)
    if options.list:
        for each in KNOCK_OUTS:
            print(f"{each.name:<34} {each.about}")
        return 0
    chosen = KNOCK_OUTS
    try:
        if options.only:
            chosen = tuple(named(name.strip()) for name in options.only.split(","))
    except LookupError as error:
        print(f"knockouts: error: {error.args[0]}", file=sys.stderr)
        return 2
    return _play_all(chosen, options)


def _apply(words: Sequence[str]) -> int:
    """Run ``NAME -- WORDS``."""
    if len(words) < 3 or words[1] != "--":
        print("knockouts: error: usage: --apply NAME -- WORDS", file=sys.stderr)
        return 2
    if words[0] != NOTHING:
        knock_out(named(words[0]))
    # Without a rule something may take for ever; it is the work that counts, not the time.
    signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, _MOST_WORK, _MOST_WORK)
    run_words(words[2:])
    return 0


def _too_long(*_: object) -> None:
    raise TimeoutError(f"more than {_MOST_WORK} s of work")


def _play_all(chosen: Sequence[KnockOut], options: argparse.Namespace) -> int:
    """Play everything, then each knock-out; print a line of the table for each."""
    from knockouts.part import all_units, units_for
    from knockouts.verdicts import HEADER, row, worth_of

    root = Path(options.run)
    began = time.perf_counter()
    units = all_units()
    whole = _played(NOTHING, units, root, options.jobs)
    failures = {each.unit.name: each.failed or each.skipped for each in whole}
    if any(failures.values()):
        for name, failure in failures.items():
            if failure:
                print(f"knockouts: error: {name}: {failure}", file=sys.stderr)
        return 1
    before = _results(whole)
    margins = {name: one.unit.margin for one in whole for name in one.cases}
    told = f"with everything: {len(before)} cases, {time.perf_counter() - began:.0f} s"
    print(told, file=sys.stderr)
    print(HEADER, flush=True)
    documents: list[dict[str, Any]] = []
    for each in chosen:
        began = time.perf_counter()
        ended = _played(each.name, units_for(each, units), root, options.jobs)
        if _mark(root, each.name) != _mark(root, NOTHING):
            print("knockouts: error: macla's code changed meanwhile; begin again", file=sys.stderr)
            return 1
        lost = {one.unit.name: one.failed or one.skipped for one in ended}
        worth = worth_of(before, _results(ended), margins, {k: v for k, v in lost.items() if v})
        print(row(each, worth), flush=True)
        print(f"{each.name}: {time.perf_counter() - began:.0f} s", file=sys.stderr)
        documents.append(worth.document(each))
        if options.json:
            _write(Path(options.json), {"knock_outs": documents})
    return 0


def _played(name: str, units: Sequence[Any], root: Path, jobs: int) -> list[Any]:
    """Play units without a rule, or take what was kept of that."""
    from macla.evals.acceptance.running import Ended, Workplace, run_units

    def progress(ended: Ended, done: int, of: int) -> None:
        failed = f": {ended.failed or ended.skipped}" if ended.failed or ended.skipped else ""
        text = f"{name}: {done} of {of}, {ended.unit.name}, {ended.seconds:.0f} s{failed}"
        print(text, file=sys.stderr, flush=True)

    launcher = (sys.executable, str(_SCRIPT), "--apply", name, "--")
    place = Workplace(_folder(root, name), _content())
    with place.open():
        return run_units(units, place, jobs=jobs, launcher=launcher, progress=progress)


def _results(ended: Sequence[Any]) -> dict[str, Any]:
    return {name: result for each in ended for name, result in each.cases.items()}


def _folder(root: Path, name: str) -> Path:
    plain = "".join(c if c.isalnum() else "-" for c in name)
    return root / f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"


def _mark(root: Path, name: str) -> Any:
    """Return the mark of the code that a rule was played with."""
    return json.loads((_folder(root, name) / "run.json").read_bytes())["mark"]


def _content() -> str:
    """Return a digest of the knock-outs' own code: with other rules or cases it is another run."""
    digest = hashlib.sha256()
    for file in sorted((_SCRIPT.parent / "knockouts").glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _write(file: Path, document: Any) -> None:
    temporary = file.with_name(f".{file.name}.tmp")
    temporary.write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8")
    os.replace(temporary, file)


def _options(words: Sequence[str]) -> argparse.Namespace:
    about, _, rest = (__doc__ or "").partition("\n\n")
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    parser = argparse.ArgumentParser(
        description=about,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--list", action="store_true", help="list the rules")
    parser.add_argument("--only", metavar="NAME[,NAME]", help="only these rules")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (2)")
    parser.add_argument("--json", metavar="FILE", help="write all results to FILE")
    parser.add_argument(
        "--run",
        metavar="DIR",
        default=str(cache / "macla" / "knockouts"),
        help="where results are kept (%(default)s)",
    )
    parser.add_argument(
        "--apply",
        metavar="NAME -- WORDS",
        help="switch a rule off and run WORDS as python would: -m MODULE … or -c CODE …",
    )
    return parser.parse_args(words)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        print("knockouts: interrupted; the same command goes on", file=sys.stderr)
        sys.exit(130)
