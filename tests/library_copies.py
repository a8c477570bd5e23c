"""Copies of libraries, as people make them: with their evidence, and adopted."""

from __future__ import annotations

import shutil
from pathlib import Path

from macla.procedures.local.machine_folder import adopt


def copy_library(source: Path, target: Path) -> Path:
    """Copy a library with its machine-local files; return the copy."""
    shutil.copytree(source, target)
    if (target / ".macla").exists():
        adopt(target)
    return target
