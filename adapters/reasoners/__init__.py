"""Reasoners, which act and abstract where procedures do not: symbolic, or with a chat model."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...graph.protocols import Reasoner
    from ...procedures.words.lexicon import Lexicon
    from .chat import ChatClient
    from .models import ReasonerName
    from .symbolic import SymbolicReasoner

__all__ = ["make_client", "make_reasoner"]


def make_client(
    name: ReasonerName, *, timeout: float, seed: int | None = None
) -> ChatClient | None:
    """Return the client of a reasoner's model, or None for the symbolic one.

    Args:
        name: The reasoner.
        timeout: Seconds that one request may take.
        seed: Of the model, where it takes one.
    """
    if name.mode == "symbolic":
        return None
    from .chat import ChatClient, ChatSettings
    from .models import load_chat_model

    settings = ChatSettings(timeout=timeout)
    model = load_chat_model(name.model, timeout=settings.timeout, seed=seed)
    return ChatClient(model, name.model, settings)


def make_reasoner(
    name: ReasonerName, client: ChatClient | None, symbolic: SymbolicReasoner, lexicon: Lexicon
) -> Reasoner:
    """Return the reasoner of that name over a client that may be shared."""
    if client is None:
        return symbolic
    from .llm import LLMReasoner

    return LLMReasoner(client, symbolic, lexicon, reads_first=name.mode == "model")
