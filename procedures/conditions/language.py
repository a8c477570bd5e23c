r"""Conditions: a small three-valued language, parsed once and checked without a model.

Grammar::

    condition   = disjunction
    disjunction = conjunction {"or" conjunction}
    conjunction = negation {"and" negation}
    negation    = "not" negation | "(" condition ")" | atom
    atom = "true" | "false" | "unknown"
         | "observed" "(" pattern ")"    a sentence of the latest observation matches
         | "ever" "(" pattern ")"        a sentence of any observation so far matches
         | "done"                        the step's own action is what was last done with it
         | "done" "(" pattern ")"        some successful action so far matches
         | "last" "(" term ")" "in" "[" pattern {"," pattern} "]"
         | "kind" "(" term ")" "in" "[" pattern {"," pattern} "]"
         | "asked" "(" pattern ")"       the task's text contains a match
         | "post" | "pre" | "exhausted" | "attempts" ">=" integer     only inside a plan's place
    pattern = JSON string; inside it ``*`` is any text, ``{name}`` a parameter
    term    = "{" name "}"

In YAML a condition is such a text, a boolean, or a mapping ``{not: C}``,
``{all: [C, ...]}``, ``{any: [C, ...]}``. Values follow Kleene's strong logic, where
None is *unknown*. Patterns are described in :mod:`macla.procedures.conditions.text_patterns`; the
parser is in :mod:`macla.procedures.conditions.parser`, the conditions themselves in
:mod:`macla.procedures.conditions.nodes`.
"""

from __future__ import annotations

from .base import Condition, EpisodeView, RunFacts, Verdict
from .nodes import (
    AllOf,
    AnyOf,
    Asked,
    Attempts,
    Constant,
    Done,
    Ever,
    Fact,
    KindIn,
    Last,
    Not,
    Observed,
)
from .parser import MAX_DEPTH, MAX_LENGTH, parse_condition

__all__ = [
    "MAX_DEPTH",
    "MAX_LENGTH",
    "AllOf",
    "AnyOf",
    "Asked",
    "Attempts",
    "Condition",
    "Constant",
    "Done",
    "EpisodeView",
    "Ever",
    "Fact",
    "KindIn",
    "Last",
    "Not",
    "Observed",
    "RunFacts",
    "Verdict",
    "parse_condition",
]
