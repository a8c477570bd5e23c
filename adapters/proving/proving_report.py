"""What came of proving a library, as values and as a document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from ...procedures.evidence.intervals import wilson_interval
from ...procedures.learning.proved import Proved
from ...procedures.proof.predictions import PredictedStep
from ...procedures.proof.proof import ActionKind, EpisodeProof, Proof, Share

__all__ = ["LibraryProof"]


@dataclass(frozen=True, slots=True)
class LibraryProof:
    """What a library reproduces of demonstrations.

    Attributes:
        library: The folder.
        library_hash: Hash of its content.
        kind: Text actions or calls of tools.
        demonstrations: How many there are; more than were proved where that is a sample.
        left_out: Runs that failed, which demonstrate nothing.
        here: By the library as it is.
        held_out: By libraries learned from the other folds; None where that was not asked, or
            there is only one demonstration.
        folds: How many folds; 0 where nothing was held out.
        floor: By the nearest demonstration of the other folds; None as ``held_out`` is.
        seconds: Wall time.
    """

    library: Path
    library_hash: str
    kind: Literal["text", "tools"]
    demonstrations: int
    left_out: int
    here: Proof
    held_out: Proof | None
    folds: int
    floor: Share | None
    seconds: float

    @property
    def summary(self) -> Proved:
        """What is kept of it."""
        return Proved.from_proof(self.here, self.library_hash, self.demonstrations)

    def to_document(self) -> dict[str, Any]:
        """Return it as ``proof.schema.json`` has it."""
        return {
            "kind": "proof",
            "format": 1,
            "library": str(self.library),
            "library_hash": self.library_hash,
            "demonstrates": self.kind,
            "demonstrations": self.demonstrations,
            "left_out": self.left_out,
            "folds": self.folds,
            "here": _proof(self.here),
            "held_out": None if self.held_out is None else _proof(self.held_out),
            "floor": None if self.floor is None else _rate(self.floor.reproduced, self.floor.of),
            "seconds": round(self.seconds, 3),
        }


def _proof(proof: Proof) -> dict[str, Any]:
    """Return a proof as plain data, every divergence of every demonstration with it."""
    return {
        **_rate(proof.reproduced, proof.of),
        "searched": proof.searched,
        "bits": proof.bits,
        "bits_an_action": proof.bits_an_action,
        "predicted": proof.predicted,
        "actions": proof.actions,
        "kinds": _kinds(proof),
        "shares": {name: _share(each) for name, each in proof.shares.items()},
        "episodes": [_episode(each) for each in proof.episodes],
    }


def _kinds(proof: Proof) -> list[dict[str, Any]]:
    """Return the kinds of first divergences as plain data."""
    return [_kind(each) for each in proof.kinds]


def _rate(reproduced: int, of: int) -> dict[str, Any]:
    interval = wilson_interval(reproduced, of)
    return {
        "reproduced": reproduced,
        "of": of,
        "share": reproduced / of,
        "ci95": [interval.low, interval.high],
    }


def _share(share: Share) -> Mapping[str, int]:
    return {"reproduced": share.reproduced, "of": share.of}


def _kind(kind: ActionKind) -> dict[str, Any]:
    example = kind.example
    return {
        "count": kind.count,
        "task": example.task,
        **_step(example.number, example.step),
    }


def _episode(episode: EpisodeProof) -> dict[str, Any]:
    return {
        "position": episode.position,
        "task": episode.task,
        "steps": len(episode.steps),
        "reproduced": episode.reproduced,
        "divergences": [
            _step(number, step) for number, step in enumerate(episode.steps, 1) if step.diverges
        ],
    }


def _step(number: int, step: PredictedStep) -> dict[str, Any]:
    said = step.prediction
    return {
        "step": number,
        "shown": step.shown.text,
        "would": None if said.action is None else said.text,
        "because": said.because,
        "by": list(said.by),
        "candidates": len(said.alternatives) + 1 if said.action is not None else 0,
    }
