"""From the name of a model to the model: ``ollama:llama2:7b``, ``openai:…``."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ...procedures.common.errors import DataError, MissingExtraError, ModelError

if TYPE_CHECKING:
    import ssl

    from langchain_core.language_models import BaseChatModel

DEFAULT_MODEL = "ollama:llama2:7b"
TEMPERATURE = 0.7
"""Temperature at which every model is asked: 0 leaves nothing to chance."""
_CHECK_SECONDS = 10.0
"""Seconds that a check of the server may take."""
_ANSWER_TOKENS = 1024
"""Most tokens of one answer of Ollama."""
_PROVIDERS = frozenset(
    {
        "anthropic",
        "azure_openai",
        "bedrock",
        "bedrock_converse",
        "cohere",
        "deepseek",
        "fireworks",
        "google_genai",
        "google_vertexai",
        "groq",
        "huggingface",
        "mistralai",
        "nvidia",
        "openai",
        "openrouter",
        "perplexity",
        "together",
        "upstage",
        "xai",
    }
)
"""Providers whose names may stand before a model's; anything else is a model of Ollama."""


@dataclass(frozen=True, slots=True)
class ReasonerName:
    """What ``--model`` names.

    Attributes:
        mode: ``symbolic``; ``model``, which asks the model first; or ``hybrid``, which asks it
            only where symbols abstain.
        model: Full name of the model; empty for ``symbolic``.
    """

    mode: str
    model: str = ""

    @classmethod
    def parse(cls, text: str) -> ReasonerName:
        """Read ``symbolic``, ``ollama:MODEL``, ``PROVIDER:MODEL`` or ``hybrid:MODEL``.

        Raises:
            DataError: It is none of these.
        """
        if text == "symbolic":
            return cls("symbolic")
        kind, _, rest = text.partition(":")
        if kind == "hybrid" and rest:
            return cls("hybrid", model_name(rest))
        if rest and (kind == "ollama" or kind in _PROVIDERS):
            return cls("model", model_name(text))
        raise DataError(
            f"no reasoner {text[:80]!r}; write symbolic, ollama:MODEL (the model first) or "
            f"hybrid:MODEL (only where symbols abstain), for example hybrid:{DEFAULT_MODEL[7:]}"
        )


def model_name(text: str) -> str:
    """Return the full name of a model; one without a provider is a model of Ollama.

    Raises:
        DataError: It is no name of a model.
    """
    provider, _, model = text.partition(":")
    if provider != "ollama" and provider not in _PROVIDERS:
        provider, model = "ollama", text
    if not re.fullmatch(r"[\w./-][\w./:@-]{0,199}", model):
        raise DataError(f"no model {text[:80]!r}; write a name such as {DEFAULT_MODEL}")
    return f"{provider}:{model}"


def client_options(timeout: float) -> dict[str, Any]:
    """Return the options of a client of Ollama.

    Args:
        timeout: Seconds without any sign of life after which a request fails.
    """
    return {"timeout": timeout, "verify": _certificates()}


@cache
def _certificates() -> ssl.SSLContext:
    """Return the certificates that are trusted: each model has two clients, and each read them."""
    import httpx

    return httpx.create_ssl_context()


def load_chat_model(
    name: str = DEFAULT_MODEL, *, timeout: float = 60.0, seed: int | None = None
) -> BaseChatModel:
    """Return the chat model of that name; nothing is asked yet.

    Args:
        name: ``ollama:MODEL``, or ``PROVIDER:MODEL`` of LangChain's ``init_chat_model``.
        timeout: Seconds without any sign of life after which a request fails.
        seed: Seed of the model's choices, where it takes one.

    Raises:
        DataError: It is no name of a model.
        MissingExtraError: A package is not installed.
        ModelError: The model cannot be set up.
    """
    name = model_name(name)
    provider, _, model = name.partition(":")
    if provider == "ollama":
        from langchain_ollama import ChatOllama

        try:
            options: dict[str, Any] = {"client_kwargs": client_options(timeout)}
            return ChatOllama(
                model=model,
                temperature=TEMPERATURE,
                num_predict=_ANSWER_TOKENS,
                seed=seed,
                base_url=os.environ.get("OLLAMA_HOST") or None,
                **options,
            )
        except Exception as error:
            raise ModelError(
                f"the client of Ollama cannot be set up for {server_address()}: check OLLAMA_HOST"
            ) from error
    try:
        from langchain.chat_models import init_chat_model
    except ImportError as error:
        raise MissingExtraError(
            f"the model {name!r} needs the package langchain and the one of its provider: "
            f"pip install langchain langchain-{provider.replace('_', '-')}"
        ) from error
    try:
        chat_model: BaseChatModel = init_chat_model(name, temperature=TEMPERATURE, timeout=timeout)
    except ImportError as error:
        raise MissingExtraError(f"the model {name!r} needs another package: {error}") from error
    except Exception as error:
        raise ModelError(f"the model {name!r} cannot be set up: {error}") from error
    return chat_model


def server_address() -> str:
    """Return where Ollama's server is looked for, without a password that stands in it."""
    address = os.environ.get("OLLAMA_HOST") or "http://127.0.0.1:11434"
    return re.sub(r"(?<=//)[^/@]*@|^[^/@]*@", "", address)


def check_model(name: str) -> None:
    """Ask Ollama's server whether it has a model; other providers are not asked.

    Raises:
        ModelError: The server cannot be reached, has not the model, or is no Ollama server; the
            message says what to do.
    """
    provider, _, model = name.partition(":")
    if provider != "ollama":
        return
    from .chat import explain_failure

    where = server_address()
    chat: Any = load_chat_model(name, timeout=_CHECK_SECONDS)
    try:
        # The very client that will be used: same address, same credentials.
        chat._client.show(model)
    except Exception as error:
        problem, _ = explain_failure(error, name)
        advice = (
            "; start it with: ollama serve, or set OLLAMA_HOST to where it runs"
            if "reached" in problem or "in time" in problem
            else ""
        )
        raise ModelError(f"Ollama at {where}: {problem}{advice}") from error
