"""Documents by our own schema functions, reader and editor, and by pydantic and ruamel.yaml.

Run ``python -m macla.evals.bench.documents --files 1000 --changed 20``. Both read the same files of
procedures, check them, change some and write these, comments kept. It prints processor seconds, the
median of several rounds, as JSON. pydantic checks the shape alone; neither side parses the
conditions in texts.
"""

from __future__ import annotations

import argparse
import io
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Literal

from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import load_yaml
from macla.procedures.documents.yaml_update import updated
from macla.procedures.model.procedure import Procedure
from macla.schemas import first_misfit
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from ruamel.yaml import YAML

Text = Annotated[
    str,
    StringConstraints(min_length=1, max_length=2000, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$"),
]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,39}$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9._-]{0,79}$")]


class Strict(BaseModel):
    """Refuses keys that it does not know."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Slot(Strict):
    """A parameter."""

    source: Literal["given", "search", "place", "choice", "constant", "task", "text"]
    kinds: list[Text] = Field(default_factory=list)
    via: Name | None = None
    value: Text | None = None
    description: Text | None = None


class Act(Strict):
    """A step."""

    do: Text | None = None
    tool: Text | None = None
    when: Text | None = None
    unless: Text | None = None
    until: Text | None = None
    at_most: int | None = Field(default=None, ge=1)
    expect: list[Text] | Text | None = None


class Known(Strict):
    """A procedure's file."""

    kind: Literal["procedure"]
    id: Slug
    version: int = Field(ge=1)
    status: Literal["draft", "provisional", "trusted", "retired"] = "provisional"
    goal: Text
    parameters: dict[Name, Slot] = Field(default_factory=dict)
    preconditions: list[Text] = Field(default_factory=list)
    steps: list[Act] = Field(min_length=1)
    postconditions: list[Text] = Field(default_factory=list)


def procedure_document(number: int) -> dict[str, Any]:
    """Return a procedure of usual size; no two with another number are alike."""
    return {
        "kind": "procedure",
        "id": f"take-{number}",
        "version": 1,
        "goal": f"take {{x}} from {{y}} for {number}",
        "parameters": {
            "x": {"source": "given", "kinds": [f"kind{k:02}" for k in range(20)]},
            "y": {"source": "search"},
        },
        "preconditions": ['last({x}) in ["drop {x}", "see {x}"]'],
        "steps": [
            {"do": "go to {y}", "unless": "done", "expect": ["You arrive at {y}."]},
            {"do": "open {y}", "when": 'observed("The {y} is closed.")'},
            {"do": "take {x} from {y}", "expect": ["You pick up the {x} from the {y}."]},
        ],
        "postconditions": ['observed("You pick up the {x} from the {y}.")'],
    }


def _canonical(document: Any) -> Any:
    return Procedure.from_document(document).to_document()


def own_read(files: dict[Path, bytes]) -> None:
    """Read and check as the library does, without its cache."""
    for path, data in files.items():
        assert first_misfit("procedure", load_yaml(data, path)) is None


def own_change(files: dict[Path, bytes]) -> None:
    """Write another goal into files that people commented."""
    for path, data in files.items():
        document = load_yaml(data, path)
        said = {**document, "version": 2, "goal": f"{document['goal']} now"}
        assert b"# Ada" in updated(data, said, _canonical, file=path)


def mixed_read(files: dict[Path, bytes]) -> None:
    """Read by our reader and check by pydantic."""
    for path, data in files.items():
        Known.model_validate(load_yaml(data, path))


def their_read(yaml: YAML) -> Callable[[dict[Path, bytes]], None]:
    """Return the same by ruamel.yaml and pydantic."""

    def read(files: dict[Path, bytes]) -> None:
        for data in files.values():
            Known.model_validate(yaml.load(data))

    return read


def their_change(files: dict[Path, bytes]) -> None:
    """Write another goal by ruamel.yaml's round trip."""
    yaml = YAML()
    for data in files.values():
        document = yaml.load(data)
        document["version"], document["goal"] = 2, f"{document['goal']} now"
        Known.model_validate(document)
        out = io.BytesIO()
        yaml.dump(document, out)
        assert b"# Ada" in out.getvalue()


def _seconds(work: Callable[[dict[Path, bytes]], None], files: dict[Path, bytes]) -> float:
    def once() -> float:
        started = time.process_time()
        work(files)
        return time.process_time() - started

    return round(statistics.median(once() for _ in range(3)), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--changed", type=int, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="macla-documents-") as folder:
        files: dict[Path, bytes] = {}
        for number in range(given.files):
            path = Path(folder) / f"take-{number}.yaml"
            path.write_bytes(
                b"# Ada: as we do it\n" + dump_yaml(procedure_document(number)).encode()
            )
            files[path] = path.read_bytes()
        some = dict(list(files.items())[: given.changed])
        result = {
            "files": given.files,
            "changed": given.changed,
            "own": {"read": _seconds(own_read, files), "change": _seconds(own_change, some)},
            "own reader, pydantic": {"read": _seconds(mixed_read, files)},
            "pydantic and ruamel.yaml, safe": {
                "read": _seconds(their_read(YAML(typ="safe")), files),
                "change": _seconds(their_change, some),
            },
            "pydantic and ruamel.yaml, round trip": {
                "read": _seconds(their_read(YAML()), files),
                "change": _seconds(their_change, some),
            },
        }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
