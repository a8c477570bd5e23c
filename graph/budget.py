"""What an episode may ask of a language model, and a meter that holds it to that."""

from __future__ import annotations

from dataclasses import dataclass

from ..procedures.common.errors import BudgetError


@dataclass(frozen=True, slots=True)
class Budget:
    """Most that one episode may ask of a language model.

    Attributes:
        calls: Requests, those that are repeated after a failure included, at least 0.
        tokens: Tokens of prompts and answers together, at least 0.
        timeout: Seconds that one request may take; an answer that comes later is thrown away.
    """

    calls: int = 8
    tokens: int = 16_000
    timeout: float = 60.0


class Meter:
    """Counts an episode's use of a model and refuses what goes beyond the budget.

    Args:
        budget: The cap.
        calls: Requests so far.
        tokens: Tokens so far.
        failures: Requests so far that gave no usable answer.
        refused: Whether the budget refused a request already.

    Attributes:
        budget: The cap.
        calls: Requests, at most ``budget.calls``.
        tokens: Tokens of prompts and answers.
        failures: Times a question had no usable answer in the end.
        refused: Whether the budget refused a request.
    """

    def __init__(
        self,
        budget: Budget,
        *,
        calls: int = 0,
        tokens: int = 0,
        failures: int = 0,
        refused: bool = False,
    ) -> None:
        self.budget = budget
        self.calls = calls
        self.tokens = tokens
        self.failures = failures
        self.refused = refused

    @property
    def tokens_left(self) -> int:
        """Tokens that may still be used, at least 0."""
        return max(0, self.budget.tokens - self.tokens)

    @property
    def left(self) -> bool:
        """Whether the episode may ask again; a prompt may still be too long."""
        return not self.refused and self.calls < self.budget.calls and self.tokens_left > 0

    def begin_call(self, tokens: int) -> None:
        """Count a request about to be made.

        Args:
            tokens: Length of its prompt, an estimate from above.

        Raises:
            BudgetError: The request would go beyond the budget; nothing was counted.
        """
        self.refused = self.calls >= self.budget.calls or tokens >= self.tokens_left
        if self.calls >= self.budget.calls:
            raise BudgetError(f"the episode's {self.budget.calls} model calls are used up")
        if tokens >= self.tokens_left:
            raise BudgetError(
                f"a prompt of about {tokens} tokens does not fit into the {self.tokens_left} of "
                f"{self.budget.tokens} that the episode has left"
            )
        self.calls += 1

    def end_call(self, tokens: int) -> None:
        """Count the tokens of a request that is over, prompt and answer together."""
        self.tokens += max(0, tokens)
