"""What an evaluation found, as figures, as a document and as text."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from ..players.arms import Setting
from ..running.episode import EpisodeOutcome, printable
from .metrics import metrics
from .statistics import Interval, bootstrap_mean_interval, wilson_interval

__all__ = ["EvalReport", "versions"]


@dataclass(frozen=True)
class EvalReport:
    """The result of one evaluation.

    Attributes:
        setting: Who played, where and how.
        split: Name or path of the split.
        outcomes: The episodes, at least one, in the order of the split.
        library_hash: Hash of the library's content, ``none`` without a library.
        seconds: Wall time of all of it: reading tasks, opening the library, playing.
    """

    setting: Setting
    split: str
    outcomes: tuple[EpisodeOutcome, ...]
    library_hash: str
    seconds: float

    @property
    def successes(self) -> int:
        """How many episodes were won."""
        return sum(outcome.success for outcome in self.outcomes)

    @property
    def success_rate(self) -> float:
        """Share of episodes that were won; an episode that broke off by an error was not."""
        return self.successes / len(self.outcomes)

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of the success rate."""
        return wilson_interval(self.successes, len(self.outcomes))

    @property
    def mean_reward(self) -> float:
        """Mean of the episodes' rewards; an episode that broke off by an error has what it had."""
        return sum(outcome.reward for outcome in self.outcomes) / len(self.outcomes)

    @property
    def reward_interval(self) -> Interval:
        """95 % bootstrap interval of the mean reward."""
        return bootstrap_mean_interval([outcome.reward for outcome in self.outcomes])

    @property
    def graded(self) -> bool:
        """Whether rewards say more than success does."""
        return any(outcome.reward != float(outcome.success) for outcome in self.outcomes)

    @property
    def at_first(self) -> int:
        """How many episodes the first plan that was taken up won."""
        return sum(outcome.at_first for outcome in self.outcomes)

    @property
    def at_first_interval(self) -> Interval:
        """Wilson's 95 % interval of their share."""
        return wilson_interval(self.at_first, len(self.outcomes))

    @property
    def mean_steps(self) -> float:
        """Mean number of actions of an episode, lost ones included."""
        return sum(outcome.steps for outcome in self.outcomes) / len(self.outcomes)

    @property
    def reuse_rate(self) -> float:
        """Share of all actions of all episodes that a procedure chose, in [0, 1].

        A procedure's action is one of its steps, or a step on the way to where it can start. The
        others are those of the fallback, and all actions of an episode that broke off by an
        error, of which it is not known who chose them. 0 where no action was done.
        """
        steps = sum(outcome.steps for outcome in self.outcomes)
        chosen = sum(o.steps - o.fallback_steps for o in self.outcomes if not o.error)
        return 0.0 if steps == 0 or not self.setting.by_library else max(0.0, chosen / steps)

    @property
    def meta_hit_rate(self) -> float:
        """Share of episodes that a meta-procedure solved, in [0, 1].

        That is: the episode was won, and at least one meta-procedure was carried through to the
        end of its plan or to the winning action.
        """
        hits = sum(outcome.success and bool(outcome.metas) for outcome in self.outcomes)
        return hits / len(self.outcomes)

    @property
    def errors(self) -> list[EpisodeOutcome]:
        """Episodes that broke off by an error."""
        return [outcome for outcome in self.outcomes if outcome.error]

    def groups(self) -> dict[str, tuple[int, int]]:
        """Return kind of task → (won, played), sorted; empty where tasks have no kind."""
        found: dict[str, tuple[int, int]] = {}
        for outcome in self.outcomes:
            if outcome.group:
                won, played = found.get(outcome.group, (0, 0))
                found[outcome.group] = (won + outcome.success, played + 1)
        return dict(sorted(found.items()))

    def to_document(self) -> dict[str, Any]:
        """Return it as ``eval_result.schema.json`` has it."""
        setting, interval, n = self.setting, self.interval, len(self.outcomes)
        calls = sum(outcome.llm_calls for outcome in self.outcomes)
        document: dict[str, Any] = {
            "format": 1,
            "suite": printable(setting.suite.name),
            "split": printable(self.split),
            "n": n,
            "success_rate": self.success_rate,
            "ci95": [interval.low, interval.high],
            "interval": "wilson",
            "mean_reward": self.mean_reward,
            "reward_ci95": [self.reward_interval.low, self.reward_interval.high],
            "mean_steps": self.mean_steps,
            "llm_calls_per_episode": calls / n,
            "llm_tokens_per_episode": sum(outcome.llm_tokens for outcome in self.outcomes) / n,
            "reuse_rate": self.reuse_rate,
            "meta_hit_rate": self.meta_hit_rate,
            "wall_seconds": round(self.seconds, 3),
            "versions": versions(setting.suite.facts().get("engine", "")),
            "macla": version("macla"),
            "seed": setting.seed,
            "library_hash": self.library_hash,
            "admissible": setting.admissible,
            "max_steps": setting.max_steps,
            "scramble": setting.scramble,
            **{key: printable(value) for key, value in setting.suite.facts().items()},
        }
        document["extra"] = {
            "arm": setting.arm,
            "reasoner": setting.reasoner,
            "without": sorted(setting.ablated),
            "preset": setting.preset,
            "fact_memory": setting.fact_memory,
            **({} if setting.reasoner == "symbolic" else {"budget": asdict(setting.budget)}),
            "llm_failures": sum(outcome.llm_failures for outcome in self.outcomes),
            "errors": len(self.errors),
            "at_first": {
                "rate": self.at_first / n,
                "ci95": [self.at_first_interval.low, self.at_first_interval.high],
            },
            "groups": {
                printable(name): {"won": won, "n": played}
                for name, (won, played) in self.groups().items()
            },
        }
        document["metrics"] = metrics(self.outcomes, setting.library)
        document["episodes"] = [outcome.to_document() for outcome in self.outcomes]
        return document


def versions(engine: str = "") -> Mapping[str, str]:
    """Return the versions of what decides a result, by name; what is not installed is left out."""
    packages = ["macla", "langgraph", "chromadb", "numpy"]
    if engine == "textworld":
        packages += ["textworld", "alfworld"]
    found = {package: _version(package) for package in packages}
    return {"python": platform.python_version(), **{k: v for k, v in found.items() if v}}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
