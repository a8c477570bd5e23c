"""Replacing every word of a text world by an invented one, consistently and reversibly.

A learner that plays a scrambled world as well as the plain one knows nothing but what it learned.
The replacement is a keyed permutation, not a table that grows as words are met: it depends on the
seed and the word alone, so that every process and every order of episodes agrees, two words never
share an invented one, and an invented word can be turned back by a process that never met it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import blake2b
from typing import Any, Final

from ..graph.protocols import AdmissibleEnvironment, Environment
from ..procedures.episodes.trajectories import Trajectory

# A word is a run of letters. Hyphens, apostrophes and digits stay where they are, so that any
# rule for what a token is cuts the scrambled text at the same places as the plain one.
_RUN: Final = re.compile(r"[^\W\d_]+")

# No "q": it marks words with letters beyond ASCII.
_SYLLABLES: Final = tuple(c + v for c in "bcdfghjklmnprstvwxyz" for v in "aeiou")
_VALUE: Final = {syllable: value for value, syllable in enumerate(_SYLLABLES)}
_BASE: Final = len(_SYLLABLES)
_MARK: Final = "q"

# Longer words are replaced piece by piece, which keeps the numbers small.
_PIECE: Final = 24
_ROUNDS: Final = 6
"""Rounds of the Feistel network: enough that no letter shows through."""


class Scrambler:
    """A bijection between words and invented pronounceable words, fixed by a seed.

    Case does not distinguish words, and capitals are kept: a first capital, all capitals, or those
    at the same places of the invented word.

    Args:
        seed: Any integer; other seeds give other words.

    >>> scrambler = Scrambler(7)
    >>> scrambler.unscramble(scrambler.text("Take the BBQ-grill 2!"))
    'Take the BBQ-grill 2!'
    """

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._letters = _Code(seed, 26, "letters")
        self._bytes = _Code(seed, 256, "bytes")
        self._there = lru_cache(maxsize=None)(self._scramble_run)
        self._back = lru_cache(maxsize=65536)(self._unscramble_run)

    def text(self, text: str) -> str:
        """Return ``text`` with every word replaced."""
        return _RUN.sub(lambda match: self._there(match[0]), text)

    def unscramble(self, text: str) -> str:
        """Return ``text``, which came out of :meth:`text`, as it was.

        A word that no word is replaced by (an agent's own) is not understood in a scrambled
        world: it becomes another invented word, so that plain words gain an agent nothing.
        """
        return _RUN.sub(lambda match: self._back(match[0]), text)

    def trajectory(self, trajectory: Trajectory) -> Trajectory:
        """Return ``trajectory`` with all its texts scrambled."""
        return replace(
            trajectory,
            task=self.text(trajectory.task),
            obs=tuple(self.text(observation) for observation in trajectory.obs),
            acts=tuple(self.text(action) for action in trajectory.acts),
            also=tuple(self.text(sentence) for sentence in trajectory.also),
        )

    def _scramble_run(self, run: str) -> str:
        lower = run.lower()
        capitals = _capitals(run, lower)
        if capitals is None:  # a rare letter of no clear case: the word is kept as it is written
            lower, capitals = run, frozenset()
        if lower.isascii():
            invented = self._letters.encode(bytes(ord(letter) - ord("a") for letter in lower))
        else:
            invented = _MARK + self._bytes.encode(lower.encode())
        # An invented word is always longer than the word, so all capitals tells the two apart.
        if len(capitals) == len(run) > 1:
            return invented.upper()
        return _capitalised(invented, capitals)

    def _unscramble_run(self, run: str) -> str:
        lower = run.lower()
        plain = self._decoded(lower) if run.isascii() else None
        if plain is None:
            return self._there(run)
        if run.isupper():
            return plain.upper()
        return _capitalised(plain, frozenset(i for i, letter in enumerate(run) if letter.isupper()))

    def _decoded(self, invented: str) -> str | None:
        if invented.startswith(_MARK):
            codes = self._bytes.decode(invented[len(_MARK) :])
            try:
                return codes.decode() if codes is not None else None
            except UnicodeDecodeError:
                return None
        codes = self._letters.decode(invented)
        return None if codes is None else "".join(chr(code + ord("a")) for code in codes)


def _capitals(run: str, lower: str) -> frozenset[int] | None:
    """Return where ``run`` has capitals; ``None`` if they cannot be put back into ``lower``."""
    if run == lower:
        return frozenset()
    if len(run) != len(lower):
        return None
    places = frozenset(i for i, letter in enumerate(run) if letter != lower[i])
    return places if _capitalised(lower, places) == run else None


def _capitalised(word: str, places: frozenset[int]) -> str:
    if not places:
        return word
    return "".join(c.upper() if i in places else c for i, c in enumerate(word))


class _Code:
    """A keyed injection from sequences of small numbers to strings of syllables.

    Sequences of ``_PIECE`` numbers have a fixed image length, so longer ones are cut into such
    pieces. Pieces whose images have the same length share one permutation, so no two meet.
    """

    def __init__(self, seed: int, size: int, name: str) -> None:
        self._size = size
        self._key = blake2b(f"{name}:{seed}".encode(), digest_size=32).digest()
        self._syllables, self._offset = _layout(size)
        self._lengths: dict[int, list[int]] = {}
        for length, count in enumerate(self._syllables[1:], start=1):
            self._lengths.setdefault(count, []).append(length)

    def encode(self, codes: bytes) -> str:
        pieces = (codes[i : i + _PIECE] for i in range(0, len(codes), _PIECE))
        return "".join(self._encode_piece(piece) for piece in pieces)

    def decode(self, word: str) -> bytes | None:
        step = 2 * self._syllables[_PIECE]
        pieces = [self._decode_piece(word[i : i + step]) for i in range(0, len(word), step)]
        if any(piece is None or len(piece) < _PIECE for piece in pieces[:-1]):
            return None
        decoded = [piece for piece in pieces if piece is not None]
        return b"".join(decoded) if decoded and len(decoded) == len(pieces) else None

    def _encode_piece(self, codes: bytes) -> str:
        rank = 0
        for code in codes:
            rank = rank * self._size + code
        count = self._syllables[len(codes)]
        value = self._permute(rank + self._offset[len(codes)], count, forward=True)
        digits = []
        for _ in range(count):
            value, digit = divmod(value, _BASE)
            digits.append(_SYLLABLES[digit])
        return "".join(reversed(digits))

    def _decode_piece(self, word: str) -> bytes | None:
        count = len(word) // 2
        lengths = self._lengths.get(count)
        if len(word) % 2 or lengths is None:
            return None
        value = 0
        for i in range(0, len(word), 2):
            digit = _VALUE.get(word[i : i + 2])
            if digit is None:
                return None
            value = value * _BASE + digit
        rank = self._permute(value, count, forward=False)
        for length in lengths:
            inside = rank - self._offset[length]
            if 0 <= inside < self._size**length:
                codes = []
                for _ in range(length):
                    inside, code = divmod(inside, self._size)
                    codes.append(code)
                return bytes(reversed(codes))
        return None

    def _permute(self, value: int, count: int, *, forward: bool) -> int:
        """Permute 0 ... ``_BASE ** count - 1`` by a Feistel network with cycle walking."""
        limit = _BASE**count
        half = ((limit - 1).bit_length() + 1) // 2
        mask = (1 << half) - 1
        while True:
            left, right = value >> half, value & mask
            if forward:
                for turn in range(_ROUNDS):
                    left, right = right, left ^ (self._noise(count, turn, right) & mask)
            else:
                for turn in reversed(range(_ROUNDS)):
                    left, right = right ^ (self._noise(count, turn, left) & mask), left
            value = left << half | right
            if value < limit:
                return value

    def _noise(self, count: int, turn: int, half: int) -> int:
        data = half.to_bytes(32, "big") + bytes((count, turn))
        return int.from_bytes(blake2b(data, key=self._key, digest_size=32).digest(), "big")


@lru_cache(maxsize=4)
def _layout(size: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return for each length of a piece how many syllables it takes and where its ranks begin.

    Lengths that take the same number of syllables follow one another in one range of ranks.
    """
    syllables, offsets, count, filled = [0], [0], 1, 0
    for length in range(1, _PIECE + 1):
        rank_count = size**length
        while filled + rank_count > _BASE**count:
            count, filled = count + 1, 0
        syllables.append(count)
        offsets.append(filled)
        filled += rank_count
    return tuple(syllables), tuple(offsets)


class ScrambledEnvironment:
    """An environment in invented words; the agent's actions are turned back.

    Made by :func:`scramble_environment`, which keeps the list of admissible actions.
    """

    def __init__(self, environment: Environment, scrambler: Scrambler) -> None:
        self._environment = environment
        self._scrambler = scrambler

    def reset(self, task: Any) -> tuple[str, str]:
        """Start the episode ``task`` (a reference, not scrambled); return scrambled texts."""
        text, observation = self._environment.reset(task)
        return self._scrambler.text(text), self._scrambler.text(observation)

    def step(self, action: str) -> tuple[str, float, bool, Mapping[str, Any]]:
        """Do the action that ``action`` stands for; return a scrambled observation."""
        plain = self._scrambler.unscramble(action)
        observation, reward, done, info = self._environment.step(plain)
        return self._scrambler.text(observation), reward, done, info


class _ScrambledAdmissible(ScrambledEnvironment):
    def __init__(self, environment: AdmissibleEnvironment, scrambler: Scrambler) -> None:
        super().__init__(environment, scrambler)
        self._lists = environment

    def admissible(self) -> list[str]:
        """Return the scrambled actions that are possible now, sorted as they read now."""
        return sorted(self._scrambler.text(action) for action in self._lists.admissible())


def scramble_environment(environment: Environment, scrambler: Scrambler) -> ScrambledEnvironment:
    """Return ``environment`` in the words of ``scrambler``, with ``admissible`` if it has it."""
    if isinstance(environment, AdmissibleEnvironment):
        return _ScrambledAdmissible(environment, scrambler)
    return ScrambledEnvironment(environment, scrambler)
