"""Does memory ever do what the model would not have done?

Nine kinds of task in the office of the ladder for agents, each with a trap of its own, a quarter of
the tasks look-alikes, in several wordings; a twin without memory is the judge. Besides: planted
values, a policy that changes with and without new instructions, and users who say "wrong!".
``python -m macla.evals.tool_caution`` prints the figures; :mod:`.random_worlds` are small worlds
drawn from a seed.
"""

from __future__ import annotations

from .playing import CautionResult, play_caution
from .random_worlds import RandomWorld, WorldResult, run_world

__all__ = ["CautionResult", "RandomWorld", "WorldResult", "play_caution", "run_world"]
