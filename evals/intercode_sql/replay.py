"""All logged turns played again: how often answers and rewards are what was logged.

Run it with ``python -m macla.evals.intercode_sql.replay [--backend URL] [--every N]``.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from .engines import Answer, Engine, Limits, open_engine
from .logs import LoggedEpisode, read_logs
from .reward import graded, overlap
from .tasks import DUMP, SqlTask, data_folder, read_tasks

__all__ = ["Replay", "Replayed", "replay", "replayed_turns"]

_SHOWN_ROWS = 25
"""Rows that one of the logged agents was shown of an answer."""
_BYTES = re.compile(r"\bb'((?:[^'\\]|\\.)*)'")


@dataclass(frozen=True, slots=True)
class Replayed:
    """One logged turn and what it gave now.

    Attributes:
        episode: The logged episode.
        action: What was done.
        logged: Logged observation and reward.
        told: The observation now.
        reward: The reward now: without order as in most logs, or else with it.
        text: Whether both observations are the same text, or both are errors of the same text.
        rows: Whether they hold the same rows in any order, or both are errors.
        same_reward: Whether both rewards agree to 0.005.
    """

    episode: LoggedEpisode
    action: str
    logged: tuple[str, float]
    told: str
    reward: float
    text: bool
    rows: bool
    same_reward: bool


@dataclass(frozen=True, slots=True)
class Replay:
    """Counts over many turns.

    Attributes:
        turns: All logged turns.
        reached: Turns that reached the database; in the others the agent's harness answered.
        texts: Turns that reached it, with the logged observation letter by letter.
        rows: Turns that reached it, with the same rows in any order or an error in both.
        rewards: Turns, of all, with the logged reward.
    """

    turns: int
    reached: int
    texts: int
    rows: int
    rewards: int


def replay(turns: Iterable[tuple[bool, Replayed]]) -> Replay:
    """Count turns, each with whether it reached the database."""
    count: Counter[str] = Counter()
    for reached, each in turns:
        count["turns"] += 1
        count["reached"] += reached
        count["texts"] += reached and each.text
        count["rows"] += reached and each.rows
        count["rewards"] += each.same_reward
    return Replay(*(count[key] for key in ("turns", "reached", "texts", "rows", "rewards")))


def replayed_turns(
    engine: Engine, tasks: Mapping[int, SqlTask], episodes: Iterable[LoggedEpisode]
) -> Iterator[tuple[bool, Replayed]]:
    """Play logged episodes turn by turn; yields whether a turn reached the database, and it.

    In the logs of the agent that submits, only ``submit`` is scored, by the last answer.
    """
    for episode in episodes:
        task = tasks[episode.task_id]
        engine.use(task.database)
        gold = engine.execute(task.gold).rows or []
        submits = any(turn.action == "submit" for turn in episode.turns)
        last = Answer()
        for turn in episode.turns:
            if turn.action != "submit" and turn.reached:
                last = engine.execute(turn.action)
            scored = turn.reached and (turn.action == "submit" or not submits)
            reward = overlap(last.rows, gold) if scored else 0.0
            if abs(reward - turn.reward) > 0.005 and scored:  # some turns were scored with order
                reward = graded(last.rows, gold)
            told = last.text if turn.reached else turn.observation
            yield (
                turn.reached,
                Replayed(
                    episode,
                    turn.action,
                    (turn.observation, turn.reward),
                    told,
                    reward,
                    _same_text(turn.observation, last, told),
                    _same_rows(turn.observation, last, told),
                    abs(reward - turn.reward) < 0.005,
                ),
            )


def _same_text(logged: str, answer: Answer, told: str) -> bool:
    plain = _BYTES.sub(r"'\1'", logged)
    cut = str(answer.rows[:_SHOWN_ROWS]) if answer.rows is not None else told
    return plain in (told, cut)


def _same_rows(logged: str, answer: Answer, told: str) -> bool:
    if logged.startswith("Error") or answer.error:
        return logged.startswith("Error") and bool(answer.error)
    if _same_text(logged, answer, told) or answer.rows is None:
        return _same_text(logged, answer, told)
    ours = Counter(map(str, answer.rows))
    theirs = Counter(_logged_rows(_BYTES.sub(r"'\1'", logged)))
    whole = theirs.total() == _SHOWN_ROWS < ours.total()
    return theirs <= ours if whole else theirs == ours


def _logged_rows(text: str) -> list[str]:
    """Return the rows of a logged list, each as text."""
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return [text]
    rows = tree.elts if isinstance(tree, ast.List) else [tree]
    source = text.encode()  # offsets count bytes, and a list's text has one line
    return [source[row.col_offset : row.end_col_offset].decode() for row in rows]


def main() -> None:
    """Play logged turns and print the counts as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--backend", default="sqlite")
    parser.add_argument("--data", default=None, help="the data root")
    parser.add_argument("--every", type=int, default=1, help="play every N-th episode")
    parser.add_argument("--differences", type=int, default=0, help="show so many differences")
    given = parser.parse_args()
    folder = data_folder(given.data)
    tasks = {task.id: task for task in read_tasks(folder / "tasks.json")}
    engine = open_engine(given.backend, folder / DUMP, Limits(rows=100_000))
    episodes = list(read_logs(folder))[:: given.every]
    turns = list(replayed_turns(engine, tasks, episodes))
    document: dict[str, Any] = {"backend": engine.facts, "all": asdict(replay(turns))}
    for agent in dict.fromkeys(episode.agent for episode in episodes):
        own = [turn for turn in turns if turn[1].episode.agent == agent]
        document[agent] = asdict(replay(own))
    different = [each for _, each in turns if not each.same_reward]
    different += [each for reached, each in turns if reached and not each.rows]
    document["differences"] = [
        {
            "agent": each.episode.agent,
            "task": each.episode.task_id,
            "action": each.action,
            "logged": [each.logged[0][:300], each.logged[1]],
            "now": [each.told[:300], each.reward],
        }
        for each in different[: given.differences]
    ]
    print(json.dumps(document, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
