"""A library of three files written by hand, and a world that answers from a script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from macla.adapters.embeddings import load_embeddings
from macla.adapters.reasoners.symbolic import SymbolicReasoner
from macla.graph.context import MaclaContext
from macla.graph.knowledge import Knowledge
from macla.procedures.evidence.ledger import CountKey
from macla.procedures.model.procedure import MetaProcedure, Procedure
from macla.procedures.words.lexicon import Lexicon
from macla.procedures.words.similarity import TextSimilarity

TASK = "Pry some lid."
FIRST = "Before you: a lid 1."
SIMILARITY = TextSimilarity(load_embeddings("static"))
LEXICON = Lexicon(numbered=True, kinds=["lid"], frames=["pry {0}", "wait"])


@dataclass
class Scripted:
    """Answers each action with the next of its observations, the last for ever.

    ``wins`` is the action that ends the episode in success.
    """

    answers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    wins: str | None = None
    done: list[str] = field(default_factory=list)
    first: str = FIRST

    def reset(self, task: str) -> tuple[str, str]:
        self.done.clear()
        return task, self.first

    def step(self, action: str) -> tuple[str, float, bool, dict[str, Any]]:
        earlier = self.done.count(action)
        self.done.append(action)
        answers = self.answers.get(action, ["Nothing stirs."])
        won = action == self.wins
        return answers[min(earlier, len(answers) - 1)], float(won), won, {"won": won}


@dataclass(frozen=True)
class Found:
    """A hit of :class:`Shelf`."""

    id: str
    kind: str
    similarity: float = 0.9


class Shelf:
    """A retriever that returns all there is."""

    def __init__(self, hits: Iterable[Found]) -> None:
        self._hits = list(hits)

    def search(self, text: str, k: int, *, kind: str | None = None) -> list[Found]:
        return [hit for hit in self._hits if kind in (None, hit.kind)][:k]


def procedure(**changes: Any) -> Procedure:
    """``pry {x}``: one step, of which the observation tells whether it worked."""
    document = {
        "kind": "procedure",
        "id": "pry",
        "version": 1,
        "goal": "pry {x}",
        "parameters": {"x": {"source": "choice", "kinds": ["lid"]}},
        "steps": [{"do": "pry {x}", "expect": "You pry the {x}."}],
        "postconditions": ['observed("You pry the {x}.")'],
    }
    return Procedure.from_document(document | changes)


def meta(**theta: Any) -> MetaProcedure:
    """``pry some {a}``: one place, with the usual Θ unless told otherwise."""
    place = {
        "run": "pry",
        "with": {"x": "x1"},
        "continue": "post",
        "repeat": "not post and not exhausted",
        "abort": "exhausted",
    }
    preconditions = theta.pop("preconditions", [])
    return MetaProcedure.from_document(
        {
            "kind": "meta",
            "id": "pry-some",
            "version": 1,
            "goal": "pry some {a}",
            "parameters": {"a": {"source": "task"}, "x1": {"source": "entity", "of": "a"}},
            "preconditions": preconditions,
            "plan": [place | theta],
        }
    )


def knowledge(
    procedures: Sequence[Procedure] = (),
    metas: Sequence[MetaProcedure] = (),
    counts: Mapping[CountKey, tuple[float, float]] | None = None,
) -> Knowledge:
    """Knowledge of these files, with evidence that each has worked so far."""
    known = {("procedure", item.id, item.version, ""): (30.0, 0.0) for item in procedures}
    known |= {("meta", item.id, item.version, ""): (30.0, 0.0) for item in metas}
    hits = [Found(item.id, "procedure") for item in procedures]
    hits += [Found(item.id, "meta") for item in metas]
    return Knowledge(
        procedures={item.id: item for item in procedures},
        metas={item.id: item for item in metas},
        lexicon=LEXICON,
        counts=known if counts is None else counts,
        retriever=Shelf(hits),
        similarity=SIMILARITY,
        outcomes={},
    )


def context(known: Knowledge, environment: Any, **changes: Any) -> MaclaContext:
    """The context of an episode, with the symbolic reasoner and a clock that stands still."""
    reasoner = SymbolicReasoner(SIMILARITY)
    settings = {"clock": lambda: "2026-11-20T10:00:00+00:00", **changes}
    return MaclaContext(known, environment, reasoner, **settings)
