"""The real client of Ollama against a server that speaks its API, and all that goes wrong."""

from __future__ import annotations

import json
import logging
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from fake_ollama import Fault
from langchain_core.language_models import FakeListChatModel
from macla.adapters.embeddings import load_embeddings
from macla.adapters.embeddings.ollama import ServedEmbeddings
from macla.adapters.reasoners.chat import ChatClient, ChatSettings
from macla.adapters.reasoners.deadline import Deadline, in_time
from macla.adapters.reasoners.models import (
    ReasonerName,
    check_model,
    load_chat_model,
    model_name,
    server_address,
)
from macla.adapters.reasoners.prompts import load_prompt
from macla.graph.budget import Budget, Meter
from macla.procedures.common.errors import BudgetError, DataError, MissingExtraError, ModelError
from macla.procedures.index.index_entries import name_of

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ACT = load_prompt("act")
VALUES = dict.fromkeys(ACT.question.get_identifiers(), "x")
GOOD = '{"action": "look"}'
QUICK = ChatSettings(timeout=20, backoff=0.01)
IMPATIENT = ChatSettings(timeout=0.4, backoff=0.01)


class Script:
    """Says one thing after the other, the last for ever."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def __call__(self, messages, body):
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture
def serve(serve):
    """Start a server with a script; the environment points to it."""
    return lambda *answers: serve(Script(*answers))


def client(settings: ChatSettings = QUICK) -> ChatClient:
    model = load_chat_model("ollama:llama2:7b", timeout=settings.timeout, seed=3)
    return ChatClient(model, "ollama:llama2:7b", settings, sleep=lambda seconds: None)


def meter(calls: int = 8, tokens: int = 16_000) -> Meter:
    return Meter(Budget(calls, tokens))


def test_a_good_answer_costs_one_call(serve):
    server, spent = serve(GOOD), meter()
    assert client().ask(ACT, VALUES, spent) == {"action": "look"}
    assert (spent.calls, spent.failures) == (1, 0)
    [request] = server.requests
    assert request["format"] == ACT.schema  # structured output, where the server has it
    assert request["options"]["temperature"] == 0.7
    assert request["options"]["seed"] == 3
    said = sum(len(message["content"]) for message in request["messages"]) // 4
    assert spent.tokens == said + len(GOOD) // 4  # what the server counted


@pytest.mark.parametrize(
    "bad",
    ["", "I cannot tell.", '{"act": "look"}', '{"action": 7}', "[1, 2]", '{"action": "look"'],
)
def test_an_unusable_answer_is_repaired_once(serve, bad):
    server, spent = serve(bad, GOOD), meter()
    assert client().ask(ACT, VALUES, spent) == {"action": "look"}
    assert spent.calls == 2
    repair = server.requests[1]["messages"]
    assert [message["role"] for message in repair] == ["system", "user", "assistant", "user"]
    assert "cannot be used" in repair[3]["content"]


def test_a_second_unusable_answer_is_the_last(serve):
    server, spent = serve("no", "no", GOOD), meter()
    with pytest.raises(ModelError, match=r"no usable answer to act\.v1, asked twice: it holds no"):
        client().ask(ACT, VALUES, spent)
    assert len(server.requests) == spent.calls == 2
    assert spent.failures == 1


def test_the_check_is_part_of_what_is_usable(serve):
    serve('{"action": "jump"}', GOOD)
    wrong = lambda answer: None if answer["action"] == "look" else "nobody jumps"  # noqa: E731
    assert client().ask(ACT, VALUES, meter(), wrong) == {"action": "look"}


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (Fault(status=500, error="out of memory"), "status 500: out of memory"),
        (Fault(status=503, error="busy"), "status 503"),
        (Fault(status=429, error="slow down"), "status 429"),
        (Fault(cut=GOOD), "broke off"),
        (Fault(raw=b""), "no readable answer"),
        (Fault(raw=b"\x00\xff\xfe garbage"), "not JSON"),
        (Fault(raw=b"<html>proxy</html>"), "not JSON"),
        (Fault(raw=b'[{"done": true}]\n'), "AttributeError|not JSON"),
        (Fault(delay=5.0), "no answer in time"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_goes_wrong_on_the_way_is_tried_again_and_then_said(serve, fault, says):
    server, spent = serve(fault), meter()
    with pytest.raises(ModelError, match=says):
        client(IMPATIENT if fault.delay else QUICK).ask(ACT, VALUES, spent)
    assert 1 <= len(server.requests) == spent.calls <= QUICK.attempts
    assert spent.failures == 1
    assert spent.tokens > 0  # what was sent is counted though nothing came back


def test_one_failure_on_the_way_costs_a_call_and_no_more(serve):
    _, spent = serve(Fault(status=500, error="once"), Fault(cut=GOOD), GOOD), meter()
    assert client().ask(ACT, VALUES, spent) == {"action": "look"}
    assert (spent.calls, spent.failures) == (3, 0)


def test_waits_grow(serve):
    serve(Fault(status=500, error="x"))
    waits: list[float] = []
    model = load_chat_model("ollama:llama2:7b")
    settings = ChatSettings(backoff=0.5, attempts=6)
    with pytest.raises(ModelError):
        ChatClient(model, "m", settings, sleep=waits.append).ask(ACT, VALUES, meter(99))
    assert waits == [0.5, 1.0, 2.0, 4.0, 8.0]


def test_a_missing_model_is_not_asked_again(serve):
    server, spent = serve(GOOD), meter()
    chat = ChatClient(load_chat_model("ollama:mistral"), "ollama:mistral", QUICK)
    with pytest.raises(ModelError, match="no model 'mistral'; get it with: ollama pull mistral"):
        chat.ask(ACT, VALUES, spent)
    assert server.requests == []
    assert spent.calls == 1


def test_a_refused_connection(monkeypatch, socket_enabled):
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")
    spent = meter()
    with pytest.raises(ModelError, match="asked 3 times: the server cannot be reached"):
        client().ask(ACT, VALUES, spent)
    assert spent.calls == 3


def test_a_trickle_ends_at_the_time_limit(serve):
    serve(Fault(drip=0.05, text=GOOD * 40))
    chat = client(ChatSettings(timeout=0.3, attempts=1))
    with pytest.raises(ModelError, match="no answer in time"):
        chat.ask(ACT, VALUES, meter())


def test_a_flood_is_cut_off(serve):
    serve("x" * 200_000)
    spent = meter()
    with pytest.raises(ModelError, match="too long"):
        client(ChatSettings(timeout=20)).ask(ACT, VALUES, spent)
    assert spent.calls == 1


def test_the_budget_of_calls_is_hard(serve):
    server, spent = serve("no"), meter(calls=1)
    with pytest.raises(BudgetError, match="1 model calls are used up"):
        client().ask(ACT, VALUES, spent)
    assert len(server.requests) == spent.calls == 1


def test_the_budget_of_tokens_is_hard(serve):
    server, spent = serve(GOOD), meter(tokens=100)
    with pytest.raises(BudgetError, match="does not fit into the 100 of 100"):
        client().ask(ACT, VALUES, spent)
    assert server.requests == []
    assert (spent.calls, spent.tokens) == (0, 0)


def test_retries_stay_within_the_budget(serve):
    server, spent = serve(Fault(status=500, error="x")), meter(calls=2)
    with pytest.raises(BudgetError):
        client().ask(ACT, VALUES, spent)
    assert len(server.requests) == spent.calls == 2


def test_the_same_question_is_asked_once(serve):
    server, chat = serve(GOOD), client()
    for _ in range(3):
        spent = meter()
        chat.ask(ACT, VALUES, spent)
    assert len(server.requests) == 1
    assert (spent.calls, spent.tokens) == (0, 0)
    chat.ask(ACT, VALUES | {"task": "another"}, spent)
    assert len(server.requests) == 2


def test_a_known_answer_that_no_longer_fits_is_asked_for_again(serve):
    server, chat = serve(GOOD, '{"action": "wait"}'), client()
    chat.ask(ACT, VALUES, meter())
    refused = lambda answer: "not now" if answer["action"] == "look" else None  # noqa: E731
    assert chat.ask(ACT, VALUES, meter(), refused) == {"action": "wait"}
    assert len(server.requests) == 2


def test_the_cache_is_bounded(serve):
    server, chat = serve(GOOD), client(ChatSettings(cached=2))
    for task in ("a", "b", "c", "a"):
        chat.ask(ACT, VALUES | {"task": task}, meter())
    assert len(server.requests) == 4


def test_a_bad_answer_is_not_kept(serve):
    server, chat = serve("no", "no", GOOD), client()
    with pytest.raises(ModelError):
        chat.ask(ACT, VALUES, meter())
    assert chat.ask(ACT, VALUES, meter()) == {"action": "look"}
    assert len(server.requests) == 3


def test_a_server_that_is_gone_is_left_alone(serve, caplog):
    server = serve(Fault(status=500, error="gone"))
    chat = client(ChatSettings(attempts=1, give_up_after=2, rest=1000))
    with caplog.at_level(logging.WARNING, "macla.models"):
        for _ in range(4):
            with pytest.raises(ModelError):
                chat.ask(ACT, VALUES, meter())
    assert len(server.requests) == 2
    assert chat.resting
    assert [record.getMessage() for record in caplog.records] == [
        "ollama:llama2:7b is left alone for 1000 s: the server answered with status 500: gone"
    ]


def test_it_is_asked_again_after_its_rest(serve):
    serve(Fault(status=500, error="gone"), GOOD)
    chat = client(ChatSettings(attempts=1, give_up_after=1, rest=0.0))
    with pytest.raises(ModelError):
        chat.ask(ACT, VALUES, meter())
    assert chat.ask(ACT, VALUES, meter()) == {"action": "look"}


def test_a_model_without_structured_output_is_read_tolerantly():
    model = FakeListChatModel(responses=["Well: " + GOOD])
    spent = meter()
    assert ChatClient(model, "fake").ask(ACT, VALUES, spent) == {"action": "look"}
    assert spent.calls == 1
    assert spent.tokens > 100  # estimated, since this model counts none


# -- names and availability ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "mode", "model"),
    [
        ("symbolic", "symbolic", ""),
        ("ollama:llama2:7b", "model", "ollama:llama2:7b"),
        ("hybrid:llama2:7b", "hybrid", "ollama:llama2:7b"),
        ("hybrid:ollama:llama2", "hybrid", "ollama:llama2"),
        ("hybrid:hf.co/x/y:Q4_K_M", "hybrid", "ollama:hf.co/x/y:Q4_K_M"),
        ("openai:gpt-4o", "model", "openai:gpt-4o"),
        ("hybrid:openai:gpt-4o", "hybrid", "openai:gpt-4o"),
    ],
)
def test_names_of_reasoners(text, mode, model):
    assert ReasonerName.parse(text) == ReasonerName(mode, model)


@pytest.mark.parametrize(
    "text", ["", "ollama:", "hybrid:", "llama2", "x:y", "ollama:a b", "hybrid"]
)
def test_what_is_no_reasoner_is_refused(text):
    with pytest.raises(DataError, match=r"write"):
        ReasonerName.parse(text)


def test_another_provider_names_its_package():
    with pytest.raises((MissingExtraError, ModelError), match="openai"):
        load_chat_model(model_name("openai:gpt-4o"))


def test_a_model_that_is_there(serve):
    server = serve(GOOD)
    check_model("ollama:llama2:7b")
    check_model("ollama:all-minilm")
    assert server.requests == [], "the model itself is asked nothing"


def test_a_model_that_is_not_there(serve):
    serve(GOOD)
    with pytest.raises(ModelError, match="ollama pull mistral"):
        check_model("ollama:mistral")


@pytest.mark.parametrize("address", ["http://127.0.0.1:9", "127.0.0.1:9"])
def test_no_server(monkeypatch, socket_enabled, address):
    monkeypatch.setenv("OLLAMA_HOST", address)
    with pytest.raises(ModelError, match=r"127\.0\.0\.1:9: the server cannot be reached; start it"):
        check_model("ollama:llama2:7b")


def test_an_address_that_is_none(monkeypatch, socket_enabled):
    monkeypatch.setenv("OLLAMA_HOST", "http://[half")
    with pytest.raises(ModelError, match="OLLAMA_HOST"):
        check_model("ollama:llama2:7b")


def test_no_password_is_shown(monkeypatch):
    monkeypatch.setenv("OLLAMA_HOST", "https://me:secret@models.example:443")
    assert server_address() == "https://models.example:443"


# -- embeddings ----------------------------------------------------------------------------


def test_embeddings_of_a_server(serve):
    serve(GOOD)
    embeddings = load_embeddings("ollama:all-minilm")
    assert embeddings.embed_documents(["a", "bb"]) == [[1.0, 1.0, 1.0], [1.0, 2.0, 0.0]]
    assert embeddings.embed_query("aa") == [1.0, 2.0, 2.0]
    assert embeddings.embed_documents([]) == []
    assert name_of(embeddings) == "ollama:all-minilm"  # or the index would mix up two models


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (Fault(status=500, error="boom"), "status 500: boom"),
        (Fault(status=501, error="this model does not support embeddings"), "does not support"),
        (Fault(raw=b"\xff\x00"), "not JSON"),
        (Fault(raw=b'{"embeddings": [[1.0], [2.0]]}'), "something else than a vector each"),
        (Fault(raw=b'{"embeddings": [[]]}'), "something else than a vector each"),
        (Fault(raw=b"{}"), "Ollama at"),
        (Fault(delay=5.0), "no answer in time"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_embeddings_that_fail_say_why(serve, fault, says):
    serve(GOOD).embed_fault = fault
    with pytest.raises(ModelError, match=says):
        ServedEmbeddings("all-minilm", timeout=0.4 if fault.delay else 20).embed_query("x")


def test_embeddings_of_a_missing_model(serve):
    serve(GOOD)
    with pytest.raises(ModelError, match="ollama pull other"):
        load_embeddings("ollama:other").embed_query("x")


# -- interruption --------------------------------------------------------------------------


def test_ctrl_c_ends_a_request_at_once(serve, tmp_path: Path):
    server = serve(Fault(delay=60.0))
    script = tmp_path / "ask.py"
    script.write_text(
        textwrap.dedent(
            """
            from macla.adapters.reasoners.chat import ChatClient
            from macla.adapters.reasoners.models import load_chat_model
            from macla.adapters.reasoners.prompts import load_prompt
            from macla.graph.budget import Budget, Meter

            prompt = load_prompt("act")
            values = dict.fromkeys(prompt.question.get_identifiers(), "x")
            try:
                ChatClient(load_chat_model(), "m").ask(prompt, values, Meter(Budget()))
            except KeyboardInterrupt:
                print("stopped")
            """
        )
    )
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    while not server.requests and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert out == "stopped\n"
    assert len(server.requests) == 1  # an interruption is not tried again


def test_the_fake_speaks_the_rest_of_the_api(serve):
    from ollama import Client

    server = serve(GOOD)
    asked = Client(host=server.url)
    assert [model.model for model in asked.list().models] == list(server.models)
    assert asked.generate(model="llama2:7b", prompt="x").response == GOOD
    assert asked.chat(model="llama2:7b", messages=[]).message.content == GOOD
    streamed = asked.generate(model="llama2:7b", prompt="x", stream=True)
    assert "".join(part.response for part in streamed) == GOOD
    assert json.loads(GOOD) == {"action": "look"}


class Silent(FakeListChatModel):
    """Says nothing for a long time, as a client without a time-out of its own."""

    def _stream(self, *args, **kwargs):
        time.sleep(3.0)
        return super()._stream(*args, **kwargs)


def test_the_time_is_over_for_any_model():
    spent = meter()
    asked = ChatClient(Silent(responses=["x"]), "silent", IMPATIENT, sleep=lambda seconds: None)
    with pytest.raises(ModelError, match="asked 3 times: no answer in time"):
        asked.ask(ACT, VALUES, spent)
    assert spent.calls == 3


def test_an_answer_that_comes_too_late_is_not_used():
    deadline, late = Deadline(0.05), []

    def work():
        time.sleep(0.2)
        late.append(deadline.over)

    with pytest.raises(TimeoutError):
        in_time(work, deadline)
    time.sleep(0.4)
    assert late == [True]


def test_what_the_work_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        in_time(lambda: 1 / 0, Deadline(5.0))
