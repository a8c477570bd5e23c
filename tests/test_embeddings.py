"""The static embedding model that is shipped."""

from __future__ import annotations

import hashlib
import math
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from macla.adapters.embeddings import DEFAULT_EMBEDDING, embedding_name, load_embeddings
from macla.adapters.embeddings.static import StaticEmbeddings
from macla.procedures.common.errors import DataError

MODEL = Path(sys.modules[StaticEmbeddings.__module__].__file__ or "").parent / "model"


@pytest.fixture(scope="module")
def static() -> StaticEmbeddings:
    return StaticEmbeddings()


def cosine(static: StaticEmbeddings, one: str, other: str) -> float:
    a, b = static.embed_array([one, other])
    return float(a @ b)


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [("mug", "cup", 0.61), ("microwave", "oven", 0.56), ("customer_id", "client id", 0.74)],
)
def test_meaning(static: StaticEmbeddings, one: str, other: str, similarity: float) -> None:
    assert cosine(static, one, other) == pytest.approx(similarity, abs=0.03)
    assert cosine(static, one, other) > cosine(static, one, "parliament") + 0.3


def test_shape_and_length(static: StaticEmbeddings) -> None:
    vectors = static.embed_documents(["put the mug in the fridge", "mug"])
    assert [len(each) for each in vectors] == [128, 128]
    assert all(type(value) is float for value in vectors[0])
    assert static.embed_query("mug") == vectors[1]
    assert static.embed_documents([]) == []


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=40))
def test_every_text_has_a_direction(text: str) -> None:
    vector = _shared.embed_query(text)
    assert math.isclose(math.fsum(value * value for value in vector), 1.0, rel_tol=1e-5)


_shared = StaticEmbeddings(cache_size=0)


@pytest.mark.parametrize(
    "text", ["", " \n", "\U0001f984", "\0", "\ud800", "\udfff\udfff", "x" * 500]
)
def test_text_without_known_pieces(static: StaticEmbeddings, text: str) -> None:
    vector = static.embed_query(text)
    assert vector == StaticEmbeddings().embed_query(text)
    assert math.isclose(math.fsum(value * value for value in vector), 1.0, rel_tol=1e-5)


def test_unknown_texts_and_invented_words_are_distinct(static: StaticEmbeddings) -> None:
    texts = ["\U0001f984", "\U0001f409", "", "x" * 500, "y" * 500]
    texts += ["zorblik", "frenum", "quaddle", "vashti", "blorp", "zorblik frenum"]
    vectors = static.embed_array(texts)
    similarities = vectors @ vectors.T - np.eye(len(texts))
    assert similarities.max() < 0.9


def test_case_and_spaces_do_not_matter(static: StaticEmbeddings) -> None:
    assert static.embed_query("Take  the MUG") == static.embed_query("take the mug")


def test_same_in_every_process_and_order(static: StaticEmbeddings) -> None:
    texts = [
        f"take the {kind} {i}" for kind in ("mug", "cup", "zorblik", "\u2603") for i in range(5)
    ]
    here = static.embed_array(texts)
    backwards = StaticEmbeddings(cache_size=0).embed_array(texts[::-1])[::-1]
    assert here.tobytes() == backwards.tobytes()
    code = (
        "import sys, hashlib; from macla.adapters.embeddings import load_embeddings;"
        "vectors = load_embeddings().embed_array(sys.argv[1:]);"
        "print(hashlib.sha256(vectors.tobytes()).hexdigest())"
    )
    result = subprocess.run(
        [sys.executable, "-c", code, *texts], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == hashlib.sha256(here.tobytes()).hexdigest()


def test_agrees_with_model2vec(static: StaticEmbeddings) -> None:
    from model2vec import StaticModel

    texts = [
        f"heat some {kind} and put it in {place}." for kind in "abc" for place in ("x", "sink")
    ]
    reference = StaticModel.from_pretrained(MODEL).encode(texts)
    assert np.abs(reference - static.embed_array(texts)).max() < 1e-6


def test_cache_is_bounded_and_changes_nothing() -> None:
    small = StaticEmbeddings(cache_size=3)
    texts = [f"mug {i}" for i in range(10)]
    assert small.embed_documents(texts + texts[::-1]) == _shared.embed_documents(
        texts + texts[::-1]
    )
    assert len(small._cache) == 3


def test_many_threads() -> None:
    shared, seen = StaticEmbeddings(cache_size=4), []
    texts = [f"mug {i}" for i in range(20)]
    threads = [
        threading.Thread(target=lambda: seen.append(shared.embed_array(texts).tobytes()))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(seen) == {_shared.embed_array(texts).tobytes()}


def test_no_network(socket_disabled: None) -> None:
    assert load_embeddings().embed_query("mug")


def test_names() -> None:
    assert embedding_name("static") == DEFAULT_EMBEDDING == StaticEmbeddings.name
    assert isinstance(load_embeddings("static"), StaticEmbeddings)
    assert embedding_name("ollama:all-minilm") == "ollama:all-minilm"
    for unknown in ("", "ollama:", "static:other", "openai:x"):
        with pytest.raises(DataError, match="ollama:MODEL"):
            load_embeddings(unknown)


def test_ollama_is_made_without_asking_a_server(socket_disabled: None) -> None:
    from macla.adapters.embeddings.ollama import ServedEmbeddings

    assert isinstance(load_embeddings("ollama:all-minilm:l6"), ServedEmbeddings)


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
@pytest.mark.parametrize("damage", ["missing", "truncated", "garbled"])
def test_a_damaged_model_is_reported(tmp_path: Path, name: str, damage: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(MODEL, folder)
    file = folder / name
    if damage == "missing":
        file.unlink()
    elif damage == "truncated":
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    else:
        file.write_bytes(b"\xa5" * 1000)
    with pytest.raises(DataError, match="cannot be read"):
        StaticEmbeddings(folder).embed_query("mug")


def test_what_is_shipped() -> None:
    files = {path.name: path.stat().st_size for path in MODEL.iterdir()}
    assert set(files) == {"model.safetensors", "tokenizer.json", "config.json", "NOTICE", "LICENSE"}
    assert sum(files.values()) < 4.5e6
    for name in ("NOTICE", "LICENSE"):
        assert "Apache License" in (MODEL / name).read_text(encoding="utf-8")


@pytest.mark.speed
def test_speed() -> None:
    # Processor time, which other work on the machine hardly changes.
    StaticEmbeddings().embed_query("libraries are imported")
    best = 1.0
    for _ in range(3):
        start = time.process_time()
        StaticEmbeddings().embed_query("mug")
        best = min(best, time.process_time() - start)
    assert best <= 0.2
    texts = [f"put the clean mug {i} on the coffee table {i}" for i in range(500)]
    best = 1.0
    for _ in range(5):
        uncached = StaticEmbeddings(cache_size=0)
        uncached.embed_query("mug")
        start = time.process_time()
        for text in texts:
            uncached.embed_query(text)
        best = min(best, (time.process_time() - start) / len(texts))
    assert best <= 0.12e-3


def test_importing_is_light() -> None:
    code = (
        "import sys, macla.adapters.embeddings;"
        "print({'numpy', 'langchain_core', 'model2vec', 'tokenizers'} & set(sys.modules))"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "set()\n"
