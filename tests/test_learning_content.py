"""What is learned of the burrow, held against counts made by hand from its trajectories."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from macla.procedures.conditions import parse_condition
from macla.procedures.learning.analysis import analyse, read, support_statistics
from macla.procedures.learning.drafts import draft_procedure
from macla.procedures.learning.entities import learn_lexicon
from macla.procedures.learning.plans import Plan, learn_plans, _regenerates
from macla.procedures.learning.segments import closing_frames, group_by_final, segment
from macla.procedures.semantics import check_library  # noqa: F401  (imported for its existence)
