"""A loopback server that speaks Ollama's HTTP API and answers from a script.

The shapes are those of Ollama: newline-delimited JSON in streams, ``{"error": …}`` with a status
for failures. What a request is answered with is decided by ``answer``: a text is what the model
says; a :class:`Fault` is something going wrong on the way.

Run by itself it is a model for measurements: ``python tests/fake_ollama.py --port 11500 --script
reads``; see docs/models.md.
"""

from __future__ import annotations

import argparse
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from typing import Any

MODELS = ("llama2:7b", "all-minilm:latest")


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong.

    Attributes:
        status: HTTP status of an error answer with ``error`` in its body; 0 for none.
        error: Text of the error.
        raw: Bytes sent as they are with status 200.
        cut: Text of which only half is streamed before the connection ends.
        delay: Seconds before anything is sent.
        drip: Seconds between one character and the next.
        text: What is said in the end, after ``delay`` or by ``drip``.
    """

    status: int = 0
    error: str = ""
    raw: bytes | None = None
    cut: str | None = None
    delay: float = 0.0
    drip: float = 0.0
    text: str = "{}"


Answer = Callable[[list[dict[str, Any]], dict[str, Any]], "str | Fault"]
"""(messages, whole request) → what is said."""


class FakeOllama:
    """The server; ``url`` says where, ``requests`` keeps every body that came to the model."""

    def __init__(self, answer: Answer, port: int = 0, models: tuple[str, ...] = MODELS) -> None:
        self.requests: list[dict[str, Any]] = []
        self.answer = answer
        self.models = models
        self.embed_fault: Fault | None = None
        self.released = threading.Event()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def serve_forever(self) -> None:
        self._server.serve_forever(poll_interval=0.02)

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def running(answer: Answer, **options: Any) -> Iterator[FakeOllama]:
    server = FakeOllama(answer, **options)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    owner: FakeOllama

    def log_message(self, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        if self.path == "/api/tags":
            models = [{"name": name, "model": name, "size": 1} for name in self.owner.models]
            self._json(200, {"models": models})
        else:
            self._json(404, {"error": "not found"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        name = body.get("model", "")
        known = {*self.owner.models, *(m.removesuffix(":latest") for m in self.owner.models)}
        if name not in known:
            self._json(404, {"error": f"model '{name}' not found"})
        elif self.path == "/api/show":
            self._json(200, {"details": {"family": "llama"}, "model_info": {}})
        elif self.path == "/api/embed":
            self._embed(body)
        elif self.path == "/api/chat":
            self._say(body, body.get("messages", []), lambda text: {"message": _said(text)})
        elif self.path == "/api/generate":
            messages = [{"role": "user", "content": body.get("prompt", "")}]
            self._say(body, messages, lambda text: {"response": text})
        else:
            self._json(404, {"error": "not found"})

    def _embed(self, body: dict[str, Any]) -> None:
        fault = self.owner.embed_fault
        if fault is not None and self._failed(fault):
            return
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        vectors = [[1.0, float(len(text)), float(text.count("a"))] for text in texts]
        self._json(200, {"model": body["model"], "embeddings": vectors})

    def _say(
        self, body: dict[str, Any], messages: list[dict[str, Any]], shaped: Callable[[str], Any]
    ) -> None:
        self.owner.requests.append(body)
        said = self.owner.answer(messages, body)
        fault = said if isinstance(said, Fault) else Fault(text=said)
        if self._failed(fault):
            return
        base = {"model": body["model"], "created_at": "2026-01-01T00:00:00Z"}
        prompt_tokens = sum(len(m.get("content", "")) for m in messages) // 4
        text = fault.cut if fault.cut is not None else fault.text
        done = {
            **base,
            **shaped(""),
            "done": True,
            "done_reason": "stop",
            "prompt_eval_count": prompt_tokens,
            "eval_count": len(text) // 4,
        }
        if not body.get("stream", True):
            self._json(200, {**done, **shaped(text)})
            return
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.end_headers()
        size = 1 if fault.drip else 40
        pieces = [text[i : i + size] for i in range(0, len(text), size)]
        if fault.cut is not None:
            pieces = pieces[: max(1, len(pieces) // 2)]
        try:
            for piece in pieces:
                self._line({**base, **shaped(piece), "done": False})
                if fault.drip and self.owner.released.wait(fault.drip):
                    return
            if fault.cut is None:
                self._line(done)
        except OSError:  # the client has gone
            pass

    def _failed(self, fault: Fault) -> bool:
        if fault.delay:
            self.owner.released.wait(fault.delay)
        if fault.status:
            self._json(fault.status, {"error": fault.error})
            return True
        if fault.raw is not None:
            self._bytes(200, fault.raw)
            return True
        return False

    def _line(self, document: dict[str, Any]) -> None:
        self.wfile.write(json.dumps(document).encode() + b"\n")
        self.wfile.flush()

    def _json(self, status: int, document: dict[str, Any]) -> None:
        self._bytes(status, json.dumps(document).encode())

    def _bytes(self, status: int, data: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            pass


def _said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


# -- scripts ---------------------------------------------------------------------------


def kind_of_question(messages: list[dict[str, Any]]) -> str:
    """Tell which prompt a request came from, by its system message."""
    system = messages[0]["content"] if messages else ""
    for name, cue in (
        ("act", "choose the next action"),
        ("parse_task", "which of several known goals"),
        ("segment", "cut a recorded episode"),
        ("abstract", "turn a stretch"),
        ("contrast", "compare runs"),
        ("distil_policy", "for each place of a plan"),
    ):
        if cue in system:
            return name
    return ""


def data_of(messages: list[dict[str, Any]]) -> list[str]:
    """Return what stands between the data marks of the question."""
    return re.findall(r"<data>\n(.*?)\n</data>", messages[1]["content"], re.S)


def reads_tasks(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
    """A model that reads a task by matching its words with the goals listed in the prompt."""
    question, data = messages[1]["content"], data_of(messages)
    kind = kind_of_question(messages)
    if kind == "act":
        first = data[3].splitlines()[0]
        return json.dumps({"action": first if "{" not in first else "look"})
    if kind != "parse_task":
        return "{}"
    for number, goal in re.findall(r"^(\d+)\. (.+)$", question.split("Known goals:")[1], re.M):
        names = re.findall(r"\{(\w+)\}", goal)
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(\\w+)", re.escape(goal.strip()))
        found = re.fullmatch(pattern + r"\W*", data[0].strip(), re.IGNORECASE)
        if found:
            fillers = dict(zip(names, found.groups(), strict=True))
            return json.dumps({"goal": int(number), "fillers": fillers})
    return json.dumps({"goal": None})


_THING = r"([\w{}]+)"
_MEANINGS = tuple(
    (re.compile(pattern.replace("T", _THING)), meaning)
    for pattern, meaning in (
        (r"put (?:a|some) (clean|hot|cool) T (?:in|on) T", "{0} {1} {2}"),
        (r"(clean|heat|cool) (?:a|some) T and put it (?:in|on) T", "{0} {1} {2}"),
        (r"(?:put|find) (two) T (?:and put them )?(?:in|on) T", "{0} {1} {2}"),
        (r"(?:put|find) (?:a|some) T (?:and put it )?(?:in|on) T", "put {0} {1}"),
        (r"(?:look at|examine) (?:the )?T (?:under|with) the T", "look {0} {1}"),
    )
)


def meaning_of(text: str) -> str:
    """Return what one of ALFWorld's sentences, or a template of one, means; empty for others."""
    for pattern, meaning in _MEANINGS:
        found = pattern.fullmatch(text.strip().rstrip(".").lower())
        if found:
            return meaning.format(*found.groups()).replace("heat ", "hot ")
    return ""


def reads_people() -> Answer:
    """Return a model that reads people's sentences of ALFWorld's games, where the data are."""
    from macla.evals.alfworld.dataset import human_goals
    from macla.evals.alfworld.games import find_games, load_game

    tasks = {game.id: game.task for game in map(load_game, find_games("valid_seen"))}
    meant = {
        said.strip(): meaning_of(tasks[game])
        for game, sentences in human_goals(None).items()
        if game in tasks
        for said in sentences
    }

    def reads(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
        question, data = messages[1]["content"], data_of(messages)
        if kind_of_question(messages) == "act":
            return json.dumps({"action": "look"})
        if kind_of_question(messages) != "parse_task":
            return "{}"
        for number, goal in re.findall(r"^(\d+)\. (.+)$", question.split("Known goals:")[1], re.M):
            form = re.sub(r"\\{(\w+)\\}", r"(?P<s\1>\\w+)", re.escape(meaning_of(goal)))
            found = re.fullmatch(form, meant.get(data[0].strip(), "")) if form else None
            if found:
                fillers = {name[1:]: value for name, value in found.groupdict().items()}
                return json.dumps({"goal": int(number), "fillers": fillers})
        return json.dumps({"goal": None})

    return reads


def misreads_tasks(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
    """A model that is sure and wrong: it always takes the last goal, of things that it knows."""
    question, data = messages[1]["content"], data_of(messages)
    if kind_of_question(messages) == "act":
        return json.dumps({"action": "go to the moon"})
    if kind_of_question(messages) != "parse_task":
        return "{}"
    number, goal = re.findall(r"^(\d+)\. (.+)$", question.split("Known goals:")[1], re.M)[-1]
    kinds = data[3].split(", ")
    names = re.findall(r"\{(\w+)\}", goal)
    fillers = dict(zip(names, cycle(kinds), strict=False))
    return json.dumps({"goal": int(number), "fillers": fillers})


def cuts_and_abstracts(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
    """A model that makes each action a segment, and each numbered thing of it a parameter."""
    data = data_of(messages)
    if kind_of_question(messages) == "segment":
        actions = re.findall(r"^(\d+)\. (.+)$", data[2], re.M)
        listed = [{"goal": text, "first": int(n), "last": int(n)} for n, text in actions]
        return json.dumps({"segments": listed})
    if kind_of_question(messages) != "abstract":
        return reads_tasks(messages, body)
    action = re.findall(r"^\d+\. (.+)$", data[1], re.M)[-1]
    things = dict(zip("xyz", dict.fromkeys(re.findall(r"\w+ \d+", action)), strict=False))
    effect = data[1].splitlines()[-1].strip()
    for name, thing in things.items():
        action = action.replace(thing, "{" + name + "}")
        effect = effect.replace(thing, "{" + name + "}")
    draft = {"goal": action, "parameters": things, "steps": [action], "effect": effect}
    return json.dumps(draft)


def suggests_a_step(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
    """A model that, asked why a mill fails, suggests to crank one that is jammed before its end."""
    if kind_of_question(messages) != "contrast":
        return "{}"
    procedure = json.loads(data_of(messages)[0])
    *before, last = ({"do": step["do"]} for step in procedure["steps"])
    mill = re.findall(r"\{\w+\}", last["do"])[-1]
    jammed = f'observed("The {mill} is jammed.")'
    steps = [*before, {"do": f"crank {mill}", "when": jammed}, last]
    said = {"preconditions": [], "postconditions": [], "steps": steps}
    return json.dumps({**said, "rationale": "A jammed mill has to be cranked."})


def never_usable(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
    """A model that never keeps to the format."""
    return "I would be happy to help you with that! What a lovely task."


SCRIPTS: dict[str, Answer] = {
    "reads": reads_tasks,
    "people": lambda messages, body: reads_people()(messages, body),
    "misreads": misreads_tasks,
    "learns": cuts_and_abstracts,
    "never": never_usable,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, default=11500)
    parser.add_argument("--script", choices=sorted(SCRIPTS), default="reads")
    parser.add_argument("--delay", type=float, default=0.0, help="Seconds a request takes.")
    given = parser.parse_args()
    script = reads_people() if given.script == "people" else SCRIPTS[given.script]

    def answer(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | Fault:
        time.sleep(given.delay)
        return script(messages, body)

    server = FakeOllama(answer, port=given.port)
    print(f"export OLLAMA_HOST={server.url}", flush=True)
    with suppress(KeyboardInterrupt):
        server.serve_forever()


if __name__ == "__main__":
    main()
