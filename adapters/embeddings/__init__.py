"""Texts as vectors, behind LangChain's ``Embeddings`` interface."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...procedures.common.errors import DataError, MissingExtraError

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings

__all__ = ["DEFAULT_EMBEDDING", "embedding_name", "load_embeddings"]

DEFAULT_EMBEDDING = "static:all-minilm-l6-v2-128"


def embedding_name(name: str) -> str:
    """Return the full name that ``name`` stands for, as libraries record it.

    Raises:
        DataError: The name is of no known kind.
    """
    if name in ("static", DEFAULT_EMBEDDING):
        return DEFAULT_EMBEDDING
    kind, _, model = name.partition(":")
    if kind == "ollama" and model:
        return name
    raise DataError(
        f"unknown embedding {name!r}; write 'static' for the model that macla ships "
        f"({DEFAULT_EMBEDDING}) or 'ollama:MODEL' for one of an Ollama server"
    )


def load_embeddings(name: str = DEFAULT_EMBEDDING) -> Embeddings:
    """Return the embeddings of that name; models load on first use.

    Args:
        name: ``static`` or ``static:all-minilm-l6-v2-128`` (shipped, no network), or
            ``ollama:MODEL`` (an Ollama server, found as its client finds it).

    Raises:
        DataError: The name is of no known kind.
        MissingExtraError: The package behind it is not installed.
        ModelError: The client of the server cannot be set up.
    """
    full = embedding_name(name)
    if full == DEFAULT_EMBEDDING:
        from .static import StaticEmbeddings

        return StaticEmbeddings()
    try:
        from .ollama import ServedEmbeddings
    except ImportError as error:
        raise MissingExtraError(
            f"the embedding {name!r} needs langchain-ollama: pip install langchain-ollama"
        ) from error
    return ServedEmbeddings(full.partition(":")[2])
