"""Compare a wheel with the checkout: every file of a package, data included, must be in it.

Usage: check_wheel.py WHEEL FOLDER; unpacks the wheel into FOLDER when nothing is missing.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

# evals/bench holds benchmarks of the code itself, run from a checkout.
NOT_SHIPPED = "evals/bench/"
PACKAGES = ("adapters", "cli", "evals", "graph", "procedures", "schemas")


def main(wheel: str, folder: str) -> int:
    """Return 0 when the wheel is complete."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *PACKAGES]
    listed = subprocess.run(  # noqa: S603
        command, check=True, capture_output=True, text=True
    ).stdout.split("\n")
    wanted = {f"macla/{name}" for name in listed if Path(name).is_file()}
    wanted = {name for name in wanted if not name.startswith(f"macla/{NOT_SHIPPED}")}
    wanted |= {"macla/__init__.py", "macla/py.typed"}
    with zipfile.ZipFile(wheel) as archive:
        found = set(archive.namelist())
        missing = sorted(wanted - found)
        strange = sorted(
            name
            for name in found - wanted
            if not name.startswith("macla-")  # its own metadata
        )
        for name in missing:
            print(f"not in the wheel: {name}")
        for name in strange:
            print(f"does not belong in the wheel: {name}")
        if missing or strange:
            return 1
        archive.extractall(folder)
    size = Path(wheel).stat().st_size / 1e6
    print(f"{Path(wheel).name}: {len(wanted)} files of packages, {size:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
