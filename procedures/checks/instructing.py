"""Texts that try to instruct a language model that reads them.

A library may come from strangers, or be learned from what strangers wrote, and its texts reach
the prompts of models. These rules look for the few forms that such attempts share; they know
no domain. They are a tripwire, not a proof: what passes is not thereby harmless.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ..files.contents import Contents, Key
from ..files.lazy_documents import Entry, Looks
from ..files.notes import notes_of
from ..files.scanning import note_clean
from ..model.semantics import Issue

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """How a text that does something is recognised.

    Attributes:
        pattern: Stands in it.
        words: One of them, in lower case, stands in each such text that is ASCII, so that most
            texts are passed over quickly; () where no such text is ASCII, None where it has to
            be looked for in every text.
    """

    pattern: re.Pattern[str]
    words: tuple[str, ...] | None

    def may_break(self, lower: str) -> bool:
        """Say whether an ASCII text, given in lower case, may break it."""
        if self.words is None:
            return self.pattern.search(lower) is not None
        return any(word in lower for word in self.words)


def _rule(words: str, pattern: str) -> Rule:
    """Return a rule by its pattern and its words, given with commas between them."""
    return Rule(re.compile(pattern, re.IGNORECASE), tuple(words.split(", ")))


RULES: Final[Mapping[str, Rule]] = {
    "sets earlier instructions aside": _rule(
        "ignore, disregard, forget, override, bypass",
        r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,40}"
        r"\b(?:previous|prior|above|earlier|preceding|all|any|your|these|those|the)\b[^.!?\n]{0,30}"
        r"\b(?:instructions?|prompts?|messages?|rules?|guidelines?|directions?|policy|policies)\b",
    ),
    "gives a new role": _rule(
        "you are,  as , as an ai, pretend, from now on, instruction",
        r"\byou are (?:now |no longer )?an? (?:\w+ ){0,3}(?:assistant|ai|model|agent|bot|expert)\b"
        r"|\byou are no longer (?:bound|restricted|limited)\b"
        r"|\bas an ai\b|\b(?:act|behave|respond|answer) as (?:if you|an? (?:\w+ ){0,2}"
        r"(?:assistant|ai|model|agent|bot|expert))\b|\bpretend (?:to be|you)\b"
        r"|\bfrom now on,? you\b|\bnew (?:system )?instructions?\s*:",
    ),
    "imitates a chat's markup": _rule(
        "<, [inst, [/inst, system, assistant, developer, ##",
        r"<\|[a-z_]{2,30}\|>|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>"
        r"|</?(?:system|assistant|user|instructions?|tool_call|function_calls?|tool_response)\b[^>]{0,80}>"
        r"|(?:^|\n)\s*(?:#+\s*)?(?:system|assistant|developer)(?: prompt| message)?\s*:"
        r"|(?:^|\n)\s*#{2,}\s*(?:instruction|response|system)s?\b",
    ),
    "asks for what is secret": _rule(
        "prompt, instructions, rules, api, private key, password, secret, credential, token",
        r"\b(?:reveal|print|repeat|show|output|leak|send|give|tell|share|exfiltrate)\b[^.!?\n]{0,40}"
        r"\b(?:system prompt|your (?:instructions|prompt|rules)|api[ _-]?keys?|passwords?|secrets?"
        r"|credentials?|access tokens?|private keys?)\b",
    ),
    "asks to hide something from people": _rule(
        "do not, don't, never, without",
        r"\b(?:do not|don't|never|without)\s+(?:tell|telling|inform|informing|mention|mentioning"
        r"|ask|asking|notify|notifying|alert|alerting)\b[^.!?\n]{0,30}"
        r"\b(?:user|users|human|humans|anyone|anybody|operator|person|people|them)\b",
    ),
    "loads an image, which carries data away": _rule(
        "![", r"!\[[^\]]{0,200}\]\s*\(\s*(?:https?:)?//"
    ),
    "holds invisible characters": Rule(
        re.compile(
            # Persian, Hindi and emoji join and part with them; a mark beside a letter read
            # leftwards.
            r"(?<![^\W\u0000-\u007f])"
            r"(?<![\u0300-\u036f\u0900-\u0dff\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])"
            r"[\u200c\u200d]"
            r"|(?<![\u0590-\u08ff])[\u200e\u200f](?![\u0590-\u08ff])"
            "|[\u200b\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\U000e0000-\U000e007f]"
        ),
        (),
    ),
    "holds a long encoded text": Rule(re.compile(r"[A-Za-z0-9+/]{160,}={0,2}"), None),
    "holds a long text of escapes": _rule("\\x", r"(?:\\x[0-9a-f]{2}){20,}"),
}
"""What a text does → how it is recognised."""


def instructions_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield (what it does, the words that do it) for each rule that a text breaks."""
    lower = text.lower() if text.isascii() else None
    for what, rule in RULES.items():
        if lower is not None and not rule.may_break(lower):
            continue
        match = rule.pattern.search(text)
        if match is not None:
            words = " ".join(match[0].split())
            excerpt = words if len(words) <= 80 else f"{words[:77]}..."
            yield (
                what,
                excerpt.encode("unicode_escape").decode() if not excerpt.isprintable() else excerpt,
            )


def _any_may_break(lower: str) -> bool:
    return any(rule.may_break(lower) for rule in RULES.values())


_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


def _may_instruct(document: bytes) -> bool:
    r"""Say whether a text of a document, given as its canonical JSON, may break a rule.

    JSON writes what is not ASCII as ``\u``; the words of rules stand in it as they are. Its texts
    are what stands between quotes.
    """
    text = document.decode()
    if "\\u" not in text and not _any_may_break(text.lower()):
        return False
    texts = (json.loads(each) if "\\" in each else each[1:-1] for each in _TEXT.findall(text))
    return any(instructions_in("\n".join(texts)))


def texts_in(value: Any) -> Iterator[tuple[Place, str]]:
    """Yield every text of a plain document with its path; keys count as texts."""
    stack: list[tuple[Place, Any]] = [((), value)]
    while stack:
        where, inner = stack.pop()
        if isinstance(inner, str):
            yield where, inner
        elif isinstance(inner, Mapping):
            for key, below in inner.items():
                yield (*where, key), str(key)
                stack.append(((*where, key), below))
        elif isinstance(inner, list | tuple):
            stack.extend(((*where, index), below) for index, below in enumerate(inner))


def instructing(root: Path, contents: Contents) -> Iterator[Issue]:
    """Yield an error for each text of a library that tries to instruct a model.

    A document in which there was none is not looked at again until it changes.
    """
    clean: list[Key] = []
    for key in contents.every_key():
        entry = contents.entry(key)
        if entry is not None and entry.clean & Looks.INSTRUCTING:
            continue
        text = (Entry(key[0], contents.get(key)) if entry is None else entry).text()
        issues = list(_issues(key, json.loads(text))) if _may_instruct(text) else []
        yield from issues
        if not issues:
            clean.append(key)
    note_clean(root, contents, Looks.INSTRUCTING, clean)
    harmless: set[str] = set()
    for key, note in notes_of(root).every():
        note_text = json.dumps(note, sort_keys=True)  # a few texts are the notes of most versions
        if note_text in harmless or contents.entry(key) is None:
            continue
        issues = list(_issues(key, {"provenance": note}))
        yield from issues
        if not issues:
            harmless.add(note_text)


def _issues(owner: Key, document: Mapping[str, Any]) -> Iterator[Issue]:
    return (Issue("error", owner, *each) for each in instructing_document(document))


def instructing_document(document: Mapping[str, Any]) -> Iterator[tuple[Place, str]]:
    """Yield the place and a message for each text of a document that tries to instruct a model.

    What a proposal replaces, below ``old``, does not matter any more.
    """
    texts = list(texts_in({k: v for k, v in document.items() if k != "old"}))
    # Most documents have none, which one look at all their texts tells.
    if any(instructions_in("\n".join(text for _, text in texts))):
        for path, text in texts:
            for what, words in instructions_in(text):
                yield path, f"this text tries to instruct a model: it {what} ({words!r})"
