"""What stands in a library's surroundings and is not what it should be: told clearly."""

from __future__ import annotations

from pathlib import Path

import pytest
from macla.adapters.missing_split import no_file
from macla.evals.intercode_sql.engines import open_engine
from macla.evals.travelplanner.tasks import trips_of_split
from macla.procedures.common.errors import DataError, LibraryError
from macla.procedures.local.machine_folder import adopt, local_folder
from macla.procedures.programs.documents import ProgramFile


def test_a_local_folder_that_is_a_file_or_a_link_is_told(tmp_path: Path) -> None:
    (tmp_path / ".macla").write_text("")
    for use in (local_folder, adopt):
        with pytest.raises(LibraryError, match="is no folder"):
            use(tmp_path)
    (tmp_path / ".macla").unlink()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".macla").symlink_to(tmp_path / "elsewhere")
    for use in (local_folder, adopt):
        with pytest.raises(LibraryError, match="is a link, so what it holds is not believed"):
            use(tmp_path)


@pytest.mark.parametrize("url", ["mysql://", "mysql://:3306", "mysql://ada:secret@:3306"])
def test_a_url_without_a_host_is_told(url: str) -> None:
    with pytest.raises(DataError, match="names no host") as raised:
        open_engine(url, Path("dump.sql"))
    assert "secret" not in str(raised.value)


def test_a_split_that_is_no_file_says_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "gone")
    assert no_file(tmp_path / "gone") == ""
    with pytest.raises(DataError, match="is a folder"):
        trips_of_split(str(tmp_path))
    with pytest.raises(DataError, match="is a link to what is not there"):
        trips_of_split(str(tmp_path / "link"))


@pytest.mark.parametrize("goal", ["", " "])
def test_an_empty_goal_is_told(goal: str) -> None:
    step = {"id": "greet", "do": "say hello"}
    document = {"kind": "program", "id": "greet", "version": 1, "goal": goal, "steps": [step]}
    with pytest.raises(LibraryError, match="is empty") as raised:
        ProgramFile.from_document(document)
    assert raised.value.path == ("goal",)
