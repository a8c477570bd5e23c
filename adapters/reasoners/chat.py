"""Ask a chat model one question: metered, timed, retried, cached, and its answer checked."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

from ...graph.budget import Meter
from ...procedures.common.errors import MaclaError, ModelError
from .deadline import Deadline, in_time
from .model_answers import usable_answer
from .prompts import Prompt, as_cut, as_data, load_prompt

Check = Callable[[Mapping[str, Any]], str | None]
"""Says what is wrong with an answer that fits its schema, or None."""

_log = logging.getLogger("macla.models")
_BYTES_A_TOKEN = 3
"""Tokens of a text are estimated from above; an English token is 4 bytes or so."""
_MESSAGE_TOKENS = 16
"""Tokens that a message takes beside its text, estimated from above."""
_LONGEST_VALUE = 60_000
"""Most characters that stand for one name of a prompt, however many texts they are made of."""
_LONGEST_ANSWER = 20_000
"""Characters after which an answer is cut off: the model runs on."""


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """How a model is asked.

    Attributes:
        timeout: Seconds that one request may take in all, whatever the model's own client does;
            an answer that comes later is thrown away.
        attempts: Requests for one answer at most, where the failures are transient.
        backoff: Seconds before the second attempt; doubled each time, at most 8.
        cached: Answers that are kept.
        give_up_after: Requests in a row that failed on the way, with all their attempts, after
            which the model is left alone.
        rest: Seconds that it is left alone for.
    """

    timeout: float = 60.0
    attempts: int = 3
    backoff: float = 0.5
    cached: int = 512
    give_up_after: int = 3
    rest: float = 60.0


class _Transient(Exception):  # noqa: N818 (it never leaves this module)
    """A failure that may be over when the request is made again."""


class ChatClient:
    """A chat model behind prompts and schemas; several threads may share it.

    Args:
        model: Any LangChain chat model.
        name: Its name, for messages.
        settings: Time-outs, retries, cache.
        sleep: Waits between attempts.
    """

    def __init__(
        self,
        model: BaseChatModel,
        name: str,
        settings: ChatSettings | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.name = name
        self._model = model
        self._settings = settings or ChatSettings()
        self._sleep = sleep
        self._cache: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._lock = threading.Lock()
        self._failed = 0
        self._rests_until = 0.0

    @property
    def resting(self) -> bool:
        """Whether the model is left alone for now because it failed again and again."""
        return time.monotonic() < self._rests_until

    def ask(
        self,
        prompt: Prompt,
        values: Mapping[str, str],
        meter: Meter,
        check: Check = lambda answer: None,
    ) -> dict[str, Any]:
        """Return an answer that fits the prompt's schema and the check.

        The same question is asked once; an answer that is not usable is repaired once.

        Args:
            prompt: What to ask.
            values: What stands for the names in it; text from outside goes through ``as_data``, and
                what is very long is cut.
            meter: Counts every request.
            check: What a schema cannot say.

        Raises:
            BudgetError: The episode may not ask (again).
            ModelError: There is no usable answer.
        """
        cut = {name: as_cut(text, _LONGEST_VALUE) for name, text in values.items()}
        question = prompt.question.substitute(cut)
        key = json.dumps([prompt.label, question], ensure_ascii=False)
        with self._lock:
            cached_answer = self._cache.get(key)
            if cached_answer is not None:
                self._cache.move_to_end(key)
        if cached_answer is not None and check(cached_answer) is None:
            return cached_answer
        try:
            if self.resting:
                raise ModelError(f"{self.name} cannot be reached and is left alone for now")
            answer = self._answer(prompt, question, meter, check)
        except ModelError as error:
            meter.failures += 1
            _log.info("%s", error)
            raise
        with self._lock:
            self._cache[key] = answer
            while len(self._cache) > self._settings.cached:
                self._cache.popitem(last=False)
        return answer

    def _answer(self, prompt: Prompt, question: str, meter: Meter, check: Check) -> dict[str, Any]:
        messages: list[BaseMessage] = [SystemMessage(prompt.system), HumanMessage(question)]
        text = self._request(messages, prompt, meter)
        answer, problem = self._usable(text, prompt, check)
        if answer is not None:
            return answer
        repair = load_prompt("repair").question.substitute(
            problem=as_data(problem), schema=json.dumps(prompt.schema)
        )
        messages += [AIMessage(as_data(text, 2_000) or "(nothing)"), HumanMessage(repair)]
        answer, problem = self._usable(self._request(messages, prompt, meter), prompt, check)
        if answer is None:
            raise ModelError(
                f"{self.name} gave no usable answer to {prompt.label}, asked twice: {problem}"
            )
        return answer

    @staticmethod
    def _usable(text: str, prompt: Prompt, check: Check) -> tuple[dict[str, Any] | None, str]:
        answer, problem = usable_answer(text, prompt.schema)
        if answer is not None and (wrong := check(answer)) is not None:
            return None, wrong
        return answer, problem

    def _request(self, messages: list[BaseMessage], prompt: Prompt, meter: Meter) -> str:
        """Make one request, again where the failure is transient; each counts."""
        settings = self._settings
        attempts = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, _Transient)),
            stop=stop_after_attempt(settings.attempts),
            wait=wait_exponential(multiplier=settings.backoff, max=8),
            sleep=self._sleep,
            reraise=True,
        )
        try:
            text = attempts(self._once, messages, prompt, meter)
        except _Transient as error:
            self._note_failure(str(error))
            raise ModelError(
                f"{self.name} did not answer, asked {settings.attempts} times: {error}"
            ) from error.__cause__
        except ModelError as error:
            self._note_failure(str(error))
            raise
        self._failed = 0
        return text

    def _once(self, messages: list[BaseMessage], prompt: Prompt, meter: Meter) -> str:
        estimate = sum(_tokens(str(message.content)) + _MESSAGE_TOKENS for message in messages)
        meter.begin_call(estimate)
        received = _Received(self._settings.timeout)
        longest = min(_LONGEST_ANSWER, _BYTES_A_TOKEN * meter.tokens_left)
        try:
            in_time(lambda: _receive(self._model, messages, prompt, longest, received), received)
        except (MaclaError, _Transient):
            raise
        except Exception as error:
            text, transient = explain_failure(error, self.name)
            if transient:
                raise _Transient(text) from error
            raise ModelError(text) from error
        finally:
            meter.end_call(received.tokens or estimate + _tokens(received.text))
        return received.text

    def _note_failure(self, why: str) -> None:
        self._failed += 1
        if self._failed >= self._settings.give_up_after:
            self._failed = 0
            rest = self._settings.rest
            self._rests_until = time.monotonic() + rest
            _log.warning("%s is left alone for %g s: %s", self.name, rest, why)


class _Received(Deadline):
    """The part of an answer that has arrived so far."""

    text = ""
    tokens = 0


def _receive(
    model: BaseChatModel,
    messages: list[BaseMessage],
    prompt: Prompt,
    longest: int,
    received: _Received,
) -> None:
    """Take an answer in as it comes, within the time and a sensible length."""
    ollama = "ollama" in type(model).__module__
    kwargs: dict[str, Any] = {"format": dict(prompt.schema)} if ollama else {}
    if not ollama:
        structured = _structured_model(model, prompt)
        if structured is not None:
            raw = structured.invoke(messages)
            _take_in(raw["raw"], received)
            if isinstance(raw.get("parsed"), Mapping):
                received.text = json.dumps(raw["parsed"])
            return
    complete = not ollama
    for chunk in model.stream(messages, **kwargs):
        _take_in(chunk, received)
        # An answer that stops before it says that it is done was cut off on the way.
        complete = complete or bool(chunk.response_metadata.get("done"))
        if received.over:
            raise TimeoutError
        if len(received.text) > longest:
            raise ModelError("the answer is too long, so it was cut off")
    if not complete:
        raise _Transient("the answer broke off before its end")


def _take_in(message: BaseMessage, received: _Received) -> None:
    received.text += str(message.text)
    usage = getattr(message, "usage_metadata", None)
    if usage:
        received.tokens += int(usage.get("total_tokens") or 0)


def _structured_model(model: BaseChatModel, prompt: Prompt) -> Any:
    try:
        return model.with_structured_output(dict(prompt.schema), include_raw=True)
    except (NotImplementedError, ValueError):
        return None


def _tokens(text: str) -> int:
    return -(-len(text.encode(errors="replace")) // _BYTES_A_TOKEN)


def explain_failure(error: BaseException, name: str) -> tuple[str, bool]:
    """Say in words why a model could not be asked, and whether it may work when tried again."""
    status = getattr(error, "status_code", None)
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return "no answer in time", True
    if isinstance(error, httpx.ConnectError | ConnectionError):
        return "the server cannot be reached", True
    if isinstance(error, httpx.TransportError):
        return f"the connection broke ({type(error).__name__})", True
    if status == 404:
        model = name.partition(":")[2] if name.startswith("ollama:") else name
        return f"the server has no model {model!r}; get it with: ollama pull {model}", False
    if isinstance(status, int) and status > 0:
        details = as_data(str(getattr(error, "error", "") or error), 200)
        text = f"the server answered with status {status}: {details}"
        return text, status in (408, 429) or status >= 500
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return "the server answered with something that is not JSON", True
    if isinstance(error, ValueError):
        return f"the server sent no readable answer: {as_data(str(error), 200)}", True
    return f"{type(error).__name__}: {as_data(str(error), 200)}", False
