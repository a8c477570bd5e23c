"""Reading, writing and changing YAML: hostile input, exact round trips, comments that stay."""

from __future__ import annotations

import io
import os
import random
from pathlib import Path
from typing import Any

import pytest
import ruamel.yaml
import yaml
from bounds import within
from hypothesis import given, settings
from hypothesis import strategies as st
from macla.procedures.common.errors import LibraryError, SchemaError
from macla.procedures.documents.yaml_comments import merge_comments
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.documents.yaml_io import (
    MAX_BYTES,
    atomic_write,
    line_of,
    load_yaml,
    read_bytes,
)
from macla.procedures.documents.yaml_update import updated
from macla.procedures.model.procedure import MetaProcedure, Procedure

BOMB = b"a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\nd: [*c,*c,*c]\n"


@pytest.mark.parametrize(
    ("data", "message", "line"),
    [
        (b"", "is empty", 1),
        (b"# only a comment\n", "is empty", 1),
        (b"a: 1\nb: [1, 2\n", "not readable as YAML", 3),
        (b"a: 1\n  b: 2\n", "not readable as YAML", 2),
        (b"a: 'open\n", "not readable as YAML", None),
        (b"a:\n\t- b\n", "not readable as YAML", 2),
        (BOMB, "anchor &a is not allowed", 1),
        (b"a: 1\nb: *a\n", "alias *a is not allowed", 2),
        (b"a: 1\na: 2\n", "'a' stands here twice", 2),
        (b"a:\n  b: 1\n  c: 1\n  b: 2\n", "'b' stands here twice", 4),
        (b"a: !!python/object/apply:os.system [ls]\n", "tag", 1),
        (b"a: !custom 1\n", "tag '!custom' is not allowed", 1),
        (b"a: !!str 1\n", "tag", 1),
        (b"a: ! 1\n", "tag", 1),
        (b"[" * 1_000_000, "nests deeper than 40", 1),
        (b"{a: " * 100_000, "nests deeper than 40", 1),
        (b"- " * 100_000 + b"a", "nests deeper than 40", 1),
        (b"a: 1\nb: \x00\n", "U+0000", 2),
        (b"\x89PNG\r\n\x1a\n", "not UTF-8", 1),
        (b"a: 1\nb: \xff\n", "not UTF-8", 2),
        ("a: 1\nb: \x85\n".encode(), "U+0085", 2),
        (b"a: .nan\n", "not a finite number", 1),
        (b"a: -.INF\n", "not a finite number", 1),
        (b"a: 1e999\n", "not a finite number", 1),
        (b"a: " + b"1" * 5_000, "more than 300 digits", 1),
        (b"1: a\n", "key 1 must be a text", 1),
        (b"true: a\n", "key True must be a text", 1),
        (b"? [a]\n: b\n", "a key must be a text", 1),
        (b"a: 1\n---\nb: 2\n", "more than one document", 2),
    ],
)
def test_hostile_or_broken(data: bytes, message: str, line: int | None) -> None:
    with within(1), pytest.raises(SchemaError) as caught:
        load_yaml(data, Path("x.yaml"))
    assert message in str(caught.value)
    assert str(caught.value).startswith("x.yaml:")
    assert len(str(caught.value)) < 500
    if line is not None:
        assert caught.value.line == line


def test_large_and_missing_files(tmp_path: Path) -> None:
    big = tmp_path / "big.yaml"
    big.write_bytes(b"a" * (MAX_BYTES + 1))
    with pytest.raises(SchemaError, match="larger than"):
        read_bytes(big)
    with pytest.raises(LibraryError, match="cannot be read"):
        read_bytes(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("yes", "yes"),
        ("off", "off"),
        ("2026-11-20", "2026-11-20"),
        ("12:30:00", "12:30:00"),
        ("1_000", "1_000"),
        ("0x1f", "0x1f"),
        ("=", "="),
        ("<<", "<<"),
        ("12", 12),
        ("-0.5e3", -500.0),
        (".5", 0.5),
        ("true", True),
        ("null", None),
        ("~", None),
        ("", None),
        ('"true"', "true"),
        ("'12'", "12"),
        ('"\\u0007"', "\x07"),
    ],
)
def test_plain_words(text: str, expected: Any) -> None:
    assert load_yaml(f"a: {text}\n".encode()) == {"a": expected}


def test_lines() -> None:
    data = b"# c\na: 1\nb:\n  - x\n  -\n    y: [1,\n      2]\n"
    lines = {(): 2, ("a",): 2, ("b",): 3, ("b", 0): 4, ("b", 1, "y"): 6, ("b", 1, "y", 1): 7}
    assert {path: line_of(data, path) for path in lines} == lines
    assert line_of(data, ("b", 9, "z")) == 3
    assert line_of(b"a: 1\nb: [", ("a",)) == 1
    assert line_of(b"\xff", ("a",)) is None


TEXTS = st.one_of(
    st.text(max_size=20),
    st.text(alphabet="ab:#-?*&!|>%@`'\"{}[], \n\t\\~=.0e+_", max_size=12),
    st.sampled_from(
        ["yes", "NULL", "on", "1", "-1.5", "1e3", ".5", "0x1", "2026-11-20", "a: b", "a #b", "<<",
         "a:", "- a", "? a", "---", "...", "\u2028", "\x85", "\ufeff", "\U0001f600", "a\r\nb", "~"]
    ),
)  # fmt: skip
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**200), 10**200),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXTS,
)
NAMES = st.one_of(
    st.sampled_from(["parameters", "with", "kinds", "preconditions", "steps", "evidence"]), TEXTS
)
DOCUMENTS = st.dictionaries(
    NAMES,
    st.recursive(
        SCALARS,
        lambda inner: st.one_of(
            st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)
        ),
        max_leaves=10,
    ),
    max_size=5,
)


@settings(max_examples=300)
@given(DOCUMENTS)
def test_what_is_written_is_read_by_every_reader(document: dict[str, Any]) -> None:
    text = dump_yaml(document)
    assert load_yaml(text.encode()) == document
    assert yaml.safe_load(text) == document  # YAML 1.1
    round_trip = ruamel.yaml.YAML(typ="safe", pure=True)
    assert round_trip.load(io.StringIO(text)) == document  # YAML 1.2
    assert dump_yaml(load_yaml(text.encode())) == text


@pytest.mark.parametrize(
    "document", [{"a": float("nan")}, {"a": float("inf")}, {"a": {1}}, {"a": "\ud800"}, {1: "a"}]
)
def test_what_yaml_cannot_say_is_refused(document: dict[Any, Any]) -> None:
    with pytest.raises(SchemaError):
        dump_yaml(document)


def test_deep_documents_are_refused() -> None:
    for wrap in (lambda inner: [inner], lambda inner: {"a": inner}):
        deep: Any = 1
        for _ in range(5_000):
            deep = wrap(deep)
        with pytest.raises(SchemaError, match="nests deeper"):
            dump_yaml({"a": deep})


def test_layout() -> None:
    document = {
        "kind": "procedure",
        "goal": "cool {x} with {y}",
        "parameters": {"x": {"source": "given"}, "y": {"source": "choice", "kinds": ["a", "b c"]}},
        "preconditions": ['last({x}) in ["take {x} from *"]'],
        "steps": [{"do": "go to {y}", "when": False, "expect": ["You: go."]}],
        "evidence": {"alpha": 1, "as_of": "2026-11-20"},
        "locked": ["goal"],
    }
    assert dump_yaml(document) == (
        "kind: procedure\n"
        "goal: cool {x} with {y}\n"
        "parameters:\n"
        "  x: {source: given}\n"
        "  y:\n"
        "    source: choice\n"
        "    kinds:\n"
        "      - a\n"
        "      - b c\n"
        "preconditions:\n"
        '  - last({x}) in ["take {x} from *"]\n'
        "steps:\n"
        "  - do: go to {y}\n"
        "    when: false\n"
        "    expect:\n"
        '      - "You: go."\n'
        'evidence: {alpha: 1, as_of: "2026-11-20"}\n'
        "locked: [goal]\n"
    )


# --- changing files that people edited ------------------------------------------------------

EDITED = b"""# top
kind: procedure   # k
id: "a"
version: 3  # v

# about the goal
goal: cool {x}
parameters:
  # px
  x: {source: given}   # tx
  'y': {source: search, kinds: [mug,
     cup]}
preconditions:
- not: done   # nd
# pre
- last({x}) in ["take"]
steps:
  # s1
  - do: go to {y}   # go
    unless: done
  # s2
  - do: open {y}
    # inside
    expect: |
      You # no comment
  - tool: t
    args:
      # argc
      from: "{x}"
# end"""
COMMENTS = [b"# top", b"# k", b"# v", b"# about the goal", b"# px", b"# tx", b"# nd", b"# pre",
            b"# s1", b"# go", b"# s2", b"# inside", b"# argc", b"# end"]  # fmt: skip


def canonical(document: Any) -> Any:
    return Procedure.from_document(document).to_document()


def set_in(document: Any, *path: Any) -> None:
    *keys, last, value = path
    for key in keys:
        document = document[key]
    document[last] = value


CHANGES: dict[str, tuple[Any, int]] = {  # name -> change, lines that may differ
    "scalar": (lambda d: d.update(version=4), 2),
    "new key": (lambda d: d.update(status="draft"), 1),
    "quoted": (lambda d: d.update(goal="x: {x} # y"), 2),
    "several": (lambda d: d.update(version=4, goal="g", status="draft"), 5),
    "step out": (lambda d: d["steps"].pop(1), 5),
    "first step out": (lambda d: d["steps"].pop(0), 3),
    "last step out": (lambda d: d["steps"].pop(2), 5),
    "step in": (lambda d: d["steps"].insert(1, {"do": "look", "unless": "post"}), 2),
    "step first": (lambda d: d["steps"].insert(0, {"do": "look"}), 1),
    "step last": (lambda d: d["steps"].append({"do": "look"}), 1),
    "key out": (lambda d: d["steps"][0].pop("unless"), 1),
    "key in": (lambda d: d["steps"][0].update(when="pre"), 1),
    "first key of an item": (lambda d: set_in(d, "steps", 0, {"tool": "t", "unless": "done"}), 4),
    "list grows": (lambda d: d["steps"][1].update(expect=["a", "b"]), 5),
    "condition": (lambda d: set_in(d, "preconditions", 0, "post"), 2),
    "condition out": (lambda d: d["preconditions"].pop(0), 2),
    "all conditions out": (lambda d: d.pop("preconditions"), 5),
    "parameter out": (lambda d: d["parameters"].pop("x"), 2),
    "in brackets": (lambda d: d["parameters"]["y"].update(kinds=["a", "b"]), 4),
    "bracket grows": (lambda d: d["parameters"]["x"].update(description="a, b"), 2),
    "blocks at the end": (lambda d: d.update(postconditions=["done"], locked=True), 4),
    "all steps": (lambda d: d.update(steps=[{"do": "z"}]), 12),
    "arguments": (lambda d: d["steps"][2].update(args={"a": [1, {"b": []}]}), 6),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_only_changed_lines_change(name: str, newline: bytes) -> None:
    before = EDITED.replace(b"\n", newline)
    change, most = CHANGES[name]
    document = canonical(load_yaml(before))
    assert updated(before, document, canonical) == before
    change(document)
    document = canonical(document)
    after = updated(before, document, canonical)
    assert canonical(load_yaml(after)) == document
    for comment in COMMENTS:
        assert after.count(comment) == 1
    old, new = before.splitlines(), after.splitlines()
    assert len(set(old) - set(new)) + len(set(new) - set(old)) <= most + 1
    back = updated(after, canonical(load_yaml(before)), canonical)
    assert canonical(load_yaml(back)) == canonical(load_yaml(before))


PLAIN: dict[str, Any] = {
    "kind": "meta",
    "id": "m",
    "version": 1,
    "goal": "cool {a}",
    "parameters": {"a": {"source": "task"}, "o": {"source": "entity", "of": "a"}},
    "preconditions": ['observed("a # b")', "not done"],
    "plan": [
        {"run": "p", "with": {"x": "o"}, "continue": "post", "repeat": "not post"},
        {"run": "q", "prefer": ['kind({o}) in ["a"]', "done"]},
        {"follow": "task"},
    ],
    "evidence": {"alpha": 1, "beta": 2},
}


def commented(text: str, rng: random.Random) -> tuple[str, list[str]]:
    """Put comments and blank lines at random places of a file."""
    comments: list[str] = []
    lines: list[str] = []
    for line in text.splitlines():
        while rng.random() < 0.4:
            indent = " " * rng.choice([0, 2, 4, 7])
            if rng.random() < 0.2:
                lines.append("")
            else:
                comments.append(f"# note {len(comments)}: 'x' {{")
                lines.append(indent + comments[-1])
        if rng.random() < 0.3:
            comments.append(f"# note {len(comments)}: [y")
            line += " " * rng.randint(1, 4) + comments[-1]
        lines.append(line)
    return "\n".join(lines) + rng.choice(["", "\n", "\n\n"]), comments


def mutate(document: dict[str, Any], rng: random.Random) -> None:
    plan = document["plan"]
    rng.choice(
        [
            lambda: document.update(version=document["version"] + 1),
            lambda: document.update(goal=rng.choice(["a: b", "g", "{a} # x", "true"])),
            lambda: plan.insert(rng.randint(0, len(plan)), {"run": "new", "skip": "done"}),
            lambda: plan.pop(rng.randrange(len(plan))) if len(plan) > 1 else None,
            lambda: rng.choice(plan).update(abort=rng.choice(["exhausted", True, "post"])),
            lambda: rng.choice(plan).pop("continue", None),
            lambda: document.pop("preconditions", None),
            lambda: document.update(preconditions=["post", "done", "pre"][: rng.randint(1, 3)]),
            lambda: document["parameters"].update(n={"source": "given"}),
            lambda: document["parameters"].pop("o", None),
            lambda: document.update(evidence={"alpha": rng.randint(1, 9), "beta": 1}),
            lambda: document.update(provenance={"reason": "x"}),
            lambda: document.update(locked=rng.choice([True, ["goal"]])),
            lambda: document.pop("evidence", None),
        ]
    )()


@settings(max_examples=300)
@given(st.integers(0, 2**32))
def test_comments_survive_any_change(seed: int) -> None:
    rng = random.Random(seed)
    text, comments = commented(dump_yaml(PLAIN), rng)
    data = text.encode()
    document = MetaProcedure.from_document(load_yaml(data)).to_document()
    assert updated(data, document) == data
    for _ in range(rng.randint(1, 4)):
        mutate(document, rng)
    document = MetaProcedure.from_document(document).to_document()
    after = updated(data, document)
    assert list(load_yaml(after)) == list(load_yaml(after))
    assert load_yaml(after) == document
    for comment in comments:
        assert after.decode().count(comment) == 1, comment


@settings(max_examples=300)
@given(DOCUMENTS, DOCUMENTS, st.booleans())
def test_any_document_can_become_any_other(
    old: dict[str, Any], new: dict[str, Any], brackets: bool
) -> None:
    data = yaml.safe_dump(old, allow_unicode=True, default_flow_style=brackets).encode()
    try:
        if load_yaml(data) != old:
            return  # what only YAML 1.1 reads so
    except SchemaError:
        return
    after = updated(b"# keep me\n" + data, new)
    assert load_yaml(after) == new
    assert b"# keep me" in after


def test_a_comment_behind_the_sign_of_a_block_stays() -> None:
    after = updated(b"a: |  # why\n  x # y\nb: 1\n", {"a": "z", "b": 1})
    assert after == b"# why\na: z\nb: 1\n"


BLOCK = b"a: |+\n  x\n# slow\n\nb: 1\n"


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "result"),
    [
        (b"", b"a: 1\r\nb: 2\r\n", b"a: 1\n# c\nb: 2\n", b"a: 1\r\n# c\r\nb: 2\r\n"),
        (b"a: 1 # c\n", b"a: 1 # c\n", b"a: 1\n", b"a: 1\n"),
        (b"", b"a: {b: [1, 2]}\n", b"a:\n  b:\n    - 1\n# c\n    - 2\n", b"# c\na: {b: [1, 2]}\n"),
        (b"", b"a:\n- - 1\n  - 2\n", b"a: [[1,\n # c\n 2]]\n", b"a:\n- - 1\n  # c\n  - 2\n"),
        (b"", b"# c\na: 1\n", b"# c\n# c\na: 1\n", b"# c\n# c\na: 1\n"),
        # without its comment the empty line would be part of the text
        (BLOCK, BLOCK, b'a: "x\\n"\nb: 1\n# c\n', BLOCK + b"# c\n"),
    ],
)  # fmt: skip
def test_merging_comments(base: bytes, ours: bytes, theirs: bytes, result: bytes) -> None:
    assert merge_comments(base, ours, theirs) == result


def test_writing_is_atomic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.yaml"
    atomic_write(path, b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("replace", "fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(LibraryError, match="No space left"):
                atomic_write(path, b"new")
        assert path.read_bytes() == b"old"
        assert [entry.name for entry in tmp_path.iterdir()] == ["a.yaml"]
