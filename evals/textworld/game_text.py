"""What of TextWorld's raw output an agent may read, and what it may type."""

from __future__ import annotations

import re

__all__ = ["clean_feedback", "first_observation", "is_meta_command", "last_sentence"]

# A prompt at the end of the output, with the interpreter's status line behind it.
_PROMPT = re.compile(r"\n>[^\n]*\s*\Z")
_RESTART = re.compile(r"\n[^\n]*Would you like to RESTART.*\Z", re.DOTALL)
_ROOM_TITLE = re.compile(r"^-= .+ =-[ \t]*$", re.MULTILINE)
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")
_COMMAND_END = re.compile(r"[.;,]|\bthen\b")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

# The longest line that the interpreter's input buffer takes, in bytes.
_LONGEST_INPUT = 180

# Words that talk to the interpreter (or to TextWorld's debugging aids), not to the game.
# An agent that may type them could read the hidden state or end the interpreter.
_META_WORDS = frozenset(
    {
        "actions",
        "again",
        "full",
        "fullscore",
        "g",
        "load",
        "noscript",
        "notify",
        "nouns",
        "oops",
        "pronouns",
        "q",
        "quit",
        "recording",
        "replay",
        "restart",
        "restore",
        "rules",
        "save",
        "scope",
        "score",
        "script",
        "showheap",
        "showme",
        "showverb",
        "trace",
        "transcript",
        "tree",
        "undo",
        "unscript",
        "verify",
        "version",
        "xyzzy",
    }
)


def clean_feedback(raw: str) -> str:
    r"""Strip the interpreter's prompt, status line and superfluous blank lines from ``raw``.

    >>> clean_feedback("\n\nYou open the fridge.\n\n\n>      -= Kitchen =-0/5")
    'You open the fridge.'
    """
    text = _RESTART.sub("", _PROMPT.sub("", raw.replace("\r\n", "\n")))
    text = _TRAILING.sub("", text)
    return _BLANK_LINES.sub("\n\n", text).strip()


def first_observation(raw: str, objective: str) -> str:
    """Return the first scene of a game: its opening text without banner and objective.

    Args:
        raw: What the game prints when it starts.
        objective: The game's task text, which the opening repeats after the banner.
    """
    text = clean_feedback(raw)
    where = text.find(objective) if objective else -1
    if where >= 0:
        return text[where + len(objective) :].strip()
    title = _ROOM_TITLE.search(text)
    return text[title.start() :].strip() if title else text


def last_sentence(text: str, about: str = "") -> str:
    """Return the last sentence of ``text`` that mentions ``about``.

    Without ``about``, or where no sentence mentions it, it is simply the last one.
    A sentence ends at ``.``, ``!`` or ``?`` before white space.

    >>> last_sentence("First, go east. Then, take the key. Got that? Good!", "key")
    'Then, take the key.'
    """
    sentences: list[str] = [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]
    wanted = about.casefold()
    for sentence in reversed(sentences):
        if wanted in sentence.casefold():
            return sentence
    return sentences[-1] if sentences else ""


def is_meta_command(action: str) -> bool:
    """Tell whether ``action`` would reach past the game, to the interpreter or its debugger."""
    if len(action.encode("utf-8", "replace")) > _LONGEST_INPUT:
        return True
    if not action.isprintable():  # a NUL byte makes the interpreter loop for ever
        return True
    # One line may hold several commands.
    firsts = [part.split()[0] for part in _COMMAND_END.split(action.casefold()) if part.strip()]
    return not firsts or any(
        word in _META_WORDS or word.startswith(("tw-", "#", "$")) for word in firsts
    )
