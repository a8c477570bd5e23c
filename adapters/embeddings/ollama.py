"""Embeddings of an Ollama server, whose failures say what is wrong and what to do."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_ollama import OllamaEmbeddings

from ...procedures.common.errors import ModelError
from ..reasoners.chat import explain_failure
from ..reasoners.models import client_options, server_address

_TIMEOUT = 60.0
"""Seconds that one request may take by default."""


class ServedEmbeddings(Embeddings):
    """``OllamaEmbeddings`` with a time-out and clear errors.

    Args:
        model: Name of the model, such as ``all-minilm``.
        timeout: Seconds without any sign of life after which a request fails.

    Attributes:
        name: Full name; it tells the index whose vectors it holds.

    Raises:
        ModelError: The client cannot be set up, the server cannot be reached or has not the
            model, or what it answers is not one vector a text.
    """

    def __init__(self, model: str, timeout: float = _TIMEOUT) -> None:
        self.name = f"ollama:{model}"
        self._model = self._explained(
            lambda: OllamaEmbeddings(
                model=model,
                base_url=os.environ.get("OLLAMA_HOST") or None,
                client_kwargs=client_options(timeout),
            )
        )

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return a vector for each text."""
        vectors = self._explained(lambda: self._model.embed_documents(texts))
        sizes = {len(vector) for vector in vectors}
        finite = all(math.isfinite(number) for vector in vectors for number in vector)
        if len(vectors) != len(texts) or len(sizes) > 1 or 0 in sizes or not finite:
            raise ModelError(
                f"Ollama at {server_address()} answered {len(texts)} texts with something else "
                f"than a vector each; is {self.name} an embedding model?"
            )
        return [list(vector) for vector in vectors]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a text."""
        return self.embed_documents([text])[0]

    def _explained(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except Exception as error:
            problem, _ = explain_failure(error, self.name)
            advice = "; is it running?" if "reached" in problem else ""
            raise ModelError(f"Ollama at {server_address()}: {problem}{advice}") from error
