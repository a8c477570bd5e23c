"""Commits of a library that tell a reviewer nothing: how many are there in a history?

Run ``python -m macla.evals.bench.noise REPOSITORY...``. It walks the first parents of each
repository's HEAD, oldest first, and counts:

- *returns*: a file's behaviour is again what it was before another one, or a file that went comes
  back as it was;
- *moves*: a file gets the behaviour that a file with another id of its folder has or had;
- *idle*: a commit changes procedures, plans or programs, and none of them, nor a word, behaves
  otherwise: status, version or order alone.

It prints one line a case and one a repository; nothing is written. A file that cannot be read
behaves as no other.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from macla.adapters.git.merging import document_of
from macla.adapters.git.repository import read_blobs
from macla.procedures.common.errors import LibraryError, MaclaError
from macla.procedures.documents.plain_data import behaviour_digest
from macla.procedures.local.safe_git import Git

FOLDERS = ("procedures", "meta", "programs", "types", "ontology.yaml")
"""What of a library is read; each holds files of one kind."""
ITEMS = ("procedures", "meta", "programs")
"""Folders of what is carried out; the others hold words."""
GONE = "gone"
"""The behaviour of a file that is not there."""


@dataclass(frozen=True)
class Case:
    """One commit that is noise in one way."""

    kind: str
    commit: str
    subject: str
    file: str

    def __str__(self) -> str:
        return f"{self.kind:8} {self.commit[:8]} {self.file}  ({self.subject})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Tell the noise of repositories; 0 where all could be read, 2 where one could not."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("repositories", type=Path, nargs="+")
    code = 0
    for folder in parser.parse_args(arguments).repositories:
        try:
            commits = list(_commits(folder))
        except MaclaError as error:
            print(f"noise: error: {error}", file=sys.stderr)
            code = 2
            continue
        cases = list(noise(commits))
        for case in cases:
            print(f"  {case}")
        sums = (
            f"{sum(c.kind == kind for c in cases)} {kind}" for kind in ("returns", "moves", "idle")
        )
        print(f"{folder}: {', '.join(sums)} in {len(commits)} commits")
    return code


def noise(commits: list[tuple[str, str, Mapping[str, str]]]) -> Iterator[Case]:
    """Yield what is noise in commits, each with the behaviour digests of its files."""
    earlier: dict[str, set[str]] = {}
    before: Mapping[str, str] = {}
    for commit, subject, now in commits:
        changed = [f for f in sorted({*before, *now}) if before.get(f) != now.get(f)]
        behaving = {f: (_behaviour(before, f), _behaviour(now, f)) for f in changed}
        for file, (old, new) in behaving.items():
            if old == new:
                continue
            if new == GONE:
                continue
            if new in earlier.get(file, ()):
                yield Case("returns", commit, subject, file)
            others = (f for f in earlier if f != file and Path(f).parent == Path(file).parent)
            if _folder(file) in ITEMS and any(new in earlier[f] for f in others):
                yield Case("moves", commit, subject, file)
        for file, (_, new) in behaving.items():
            if new != GONE:
                earlier.setdefault(file, set()).add(new)
        items = [f for f in changed if _folder(f) in ITEMS]
        if items and all(old == new for old, new in behaving.values()):
            yield Case("idle", commit, subject, ", ".join(items))
        before = now


def _commits(folder: Path) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Yield name, subject and files of each commit, as "blob behaviour" by path."""
    git = Git(folder)
    digests: dict[str, str] = {}
    for line in git.text("log", "--first-parent", "--reverse", "--format=%H %s").splitlines():
        commit, _, subject = line.partition(" ")
        listing = git.text("ls-tree", "-r", "--full-tree", commit).splitlines()
        blobs = {path: about.split()[2] for about, _, path in (e.partition("\t") for e in listing)}
        blobs = {p: blob for p, blob in blobs.items() if _folder(p) and p.endswith(".yaml")}
        new = sorted({*blobs.values()} - digests.keys())
        for blob, data in zip(new, read_blobs(git, new), strict=True):
            digests[blob] = _digest(data or b"") or blob
        yield commit, subject, {path: f"{blob} {digests[blob]}" for path, blob in blobs.items()}


def _digest(data: bytes) -> str:
    """Return a digest of what a file does; "" where it cannot be read."""
    try:
        document = document_of(data)
    except LibraryError:
        return ""
    return behaviour_digest({key: value for key, value in document.items() if key != "id"})


def _behaviour(files: Mapping[str, str], path: str) -> str:
    return files[path].split()[1] if path in files else GONE


def _folder(path: str) -> str:
    """Return the part of a library that a file belongs to; "" for others."""
    return next((part for part in Path(path).parts if part in FOLDERS), "")


if __name__ == "__main__":
    sys.exit(main())
