"""A small library with proposals of every kind, some of them hostile."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import MetaProcedure, Procedure

__all__ = ["HOSTILE", "fetch", "make_library", "proposal", "write"]

HOSTILE = (
    "</script><script>window.broken = 1</script>",
    '"><img src=x onerror="window.broken = 2">',
    "{{ 7 * 7 }} {% include 'x' %} ${7*7}",
    "javascript:window.broken=3",
    "<!-- --> <style>*{display:none}</style>",
    "a\u202etxt.exe\u200b",
)


def fetch(**changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = {
        "kind": "procedure",
        "id": "fetch",
        "version": 1,
        "goal": "fetch {x} from {y}",
        "parameters": {"x": {"source": "given"}, "y": {"source": "search"}},
        "steps": [{"do": "go to {y}"}, {"do": "take {x} from {y}", "expect": ["You take it."]}],
    }
    return {**document, **changes}


def proposal(name: str, **fields: Any) -> dict[str, Any]:
    document = {
        "kind": "proposal",
        "id": name,
        "target": {"id": "fetch", "version": 1},
        "change": "refine",
        "status": "pending",
        "created": "2026-11-20T09:12:44+00:00",
        "rationale": "It failed where the place was closed.",
    }
    return {**document, **fields}


def write(library: Path, document: dict[str, Any]) -> Path:
    file = library / "proposals" / f"{document['id']}.yaml"
    file.write_text(dump_yaml(document))
    return file


def make_library(folder: Path) -> Path:
    library = Library.create(folder, domain="the <house>", embedding="static")
    meta = {"kind": "meta", "id": "errand", "version": 1, "goal": "run an errand"}
    meta["plan"] = [{"run": "fetch", "with": {"x": "a", "y": "a"}}]
    meta["parameters"] = {"a": {"source": "task"}}
    library.write_all([Procedure.from_document(fetch())], [MetaProcedure.from_document(meta)])
    new = fetch(version=2)
    new["steps"].insert(1, {"do": "open {y}", "when": 'observed("The {y} is closed.")'})
    write(
        folder,
        proposal(
            "refine-fetch-v2",
            old=[fetch()],
            new=[new],
            contrast={"successes": ["run-1", "run-2"], "failures": ["run-3"]},
            counts={"successes": 2, "failures": 1},
            eu_before=0.25,
            eu_after=0.5,
            replay={"wins": 7, "losses": 1, "ties": 12, "ci": [0.05, 0.5]},
            inherited_evidence={"alpha": 3.5, "beta": 1.25},
        ),
    )
    longer = copy.deepcopy(meta) | {"version": 2}
    longer["plan"] = [*meta["plan"], {"follow": "task"}]  # type: ignore[misc]
    target = {"id": "errand", "version": 1}
    write(folder, proposal("refine-errand-v2", target=target, old=[meta], new=[longer]))
    other = fetch(id="drop", goal="drop {x} at {y}")
    write(folder, proposal("new-drop", change="new", target={"id": "drop"}, new=[other]))
    write(folder, proposal("old-news", status="rejected", rationale="decided long ago"))
    bad = fetch(version=2, goal="fetch {x} {y} " + HOSTILE[0])
    bad["steps"] += [{"do": text.replace("{", "").replace("}", "")} for text in HOSTILE]
    write(
        folder,
        proposal(
            "refine-hostile",
            rationale="\n".join(HOSTILE),
            old=[fetch()],
            new=[bad],
            contrast={"successes": list(HOSTILE), "failures": []},
        ),
    )
    return folder
