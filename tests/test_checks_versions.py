"""A file that does something else under the same version has another's evidence: check says so."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from macla.adapters.teaching.teaching import teach
from macla.evals.foreign_worlds import Bomb, demonstrations
from macla.procedures.checks.versions import changed_versions
from macla.procedures.files.scanning import load
from macla.procedures.library.consistency import errors_of
from macla.procedures.library.library import Library


@pytest.fixture(scope="module")
def taught(tmp_path_factory):
    path = tmp_path_factory.mktemp("versions") / "library"
    teach(path, demonstrations(Bomb, 30), domain="small")
    return path


@pytest.fixture
def clone(taught, tmp_path):
    """What git has of it: the files and their lock, and nothing of this machine."""
    shutil.copytree(taught, tmp_path / "clone", ignore=shutil.ignore_patterns(".macla"))
    return tmp_path / "clone"


def issues(path):
    contents = load(path, lambda fault: pytest.fail(str(fault)))
    assert not list(errors_of(contents))
    return [(issue.owner, issue.path) for issue in changed_versions(path, contents)]


def edited(path, old, new):
    file = sorted((path / "meta").glob("*.yaml"))[0]
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    return file.stem


def test_nothing_is_said_of_what_was_learned(taught, clone):
    assert issues(taught) == []
    assert issues(clone) == []


def test_a_change_under_the_same_version_is_named(clone):
    name = edited(clone, "goal: ", "goal: quickly ")
    assert issues(clone) == [(("meta", name), ("version",))]


def test_the_next_version_may_do_anything(clone):
    edited(clone, "goal: ", "goal: quickly ")
    edited(clone, "version: 1", "version: 2")
    assert issues(clone) == []


def test_what_does_the_same_may_be_said_otherwise(clone):
    edited(clone, "kind: meta\n", "# By night.\nkind: meta\nlocked: true\n")
    assert issues(clone) == []


def test_another_status_does_not_hide_the_change(clone):
    name = edited(clone, "goal: ", "goal: quickly ")
    library = Library.open(clone)
    library.write_all(metas=[replace(library.metas[name], status="trusted")])
    assert issues(clone) == [(("meta", name), ("version",))]
