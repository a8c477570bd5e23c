"""What the episodes say for a change that was learned: in words with numbers, and if it is enough.

A change is enough for practice, where nobody weighs it, if two stored episodes favour it and none
contradicts it: one alone may be luck. Where one does, the anytime Bayes factor of refinement has to
believe that it is better. One alone is enough where what stands does not work, or hardly anything
is known of it. What no episode tells from what stands is no change that anybody would want to read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..common.text import counted
from ..documents.plain_data import does_the_same, is_reference
from ..evidence.posterior import posterior_tail
from ..learning.store_learned import LEARNED_FROM
from ..model.procedure import Procedure
from ..refinement.bayes_factors import Table, Trigger, credible
from .proposal import LEARNED, Document, Proposal, Replay

BEFORE = "before"
"""Count of a proposal: from how many occasions what stands was learned, as the ledger has it."""
_LEAST_WINS = 2
"""How many episodes must favour a version that takes another's place for their sake."""
_EVEN_SHARE = 0.5
"""Share of the episodes that tell two versions apart that favours either, if neither is better."""
_FEW_OCCASIONS = 5
"""Occasions below which a version gives way to one that a single episode favours."""
_OCCASIONS = re.compile(r"(\d+) (?:segments|episodes|demonstrations)\b")


def reason(proposal: Proposal, episodes: int) -> str:
    """Return why what was learned is proposed, in words with numbers."""
    if not proposal.new or proposal.change not in LEARNED:
        return proposal.rationale
    new = proposal.new[0]
    what = "plan" if new["kind"] == "meta" else "procedure"
    opening = _episode_count_text(proposal, what, episodes)
    if proposal.change != "refine":
        return opening
    version, replay = proposal.old[0]["version"], proposal.replay
    if replay is None or not replay.trials:
        return f"{opening} Version {version} does something else."
    if replay.wins or replay.losses:
        return (
            f"{opening} Replayed, {counted(replay.wins, 'episode')} of {replay.trials} "
            f"{'favours' if replay.wins == 1 else 'favour'} this over version {version}, "
            f"{replay.losses} the other way round."
        )
    return (
        f"{opening} Replayed, none of {counted(replay.trials, 'episode')} tells it from version "
        f"{version}."
    )


def _episode_count_text(proposal: Proposal, what: str, episodes: int) -> str:
    """Say how many episodes show what is proposed."""
    if proposal.contrast is None:
        times = proposal.counts.get("successes", 0.0)
        return f"This {what} was carried out {times:g} times in {counted(episodes, 'episode')}."
    success_count = len(proposal.contrast.successes)
    if not success_count:
        source = str(proposal.new[0].get("provenance", {}).get(LEARNED_FROM, ""))
        return f"No episode shows this {what} as a whole; learned from: {source or 'parts'}."
    verb = "shows" if success_count == 1 else "show"
    return f"{success_count} of {counted(episodes, 'episode')} {verb} this {what}."


def is_harmful(proposal: Proposal) -> bool:
    """Say whether the stored episodes credibly favour what stands over a change.

    Of those that tell the two apart, a change that makes no difference would favour either side
    equally often; that more than half favour what stands is as probable as refinement asks for.
    """
    replay = proposal.replay
    if replay is None or not replay.losses:
        return False
    sure = posterior_tail(1.0 + replay.losses, 1.0 + replay.wins, _EVEN_SHARE)
    return sure > Trigger().probability


def is_worth_reading(proposal: Proposal) -> bool:
    """Say whether stored episodes favour a change, and not more of them what stands.

    What replaces nothing, or cannot be replayed, is read for what it rests on.
    """
    replay = proposal.replay
    if replay is None or replay.losses > replay.wins:
        return replay is None
    return proposal.change != "refine" or replay.wins > 0


class AvailableProcedures:
    """The procedures that plans may run, with their parameters, as proposals are put up in order.

    A plan that was learned beside a change of a procedure may need that change, which may not be
    proposed, or be turned down.

    Args:
        procedures: Procedures of the library, by id.
    """

    def __init__(self, procedures: Mapping[str, Procedure]) -> None:
        self._parameters = {name: [frozenset(each.parameters)] for name, each in procedures.items()}

    def add(self, proposal: Proposal) -> None:
        """Note the procedures that a proposal brings, in the place of those of before."""
        self._parameters |= _parameters_in(proposal)

    def add_choice(self, proposal: Proposal) -> None:
        """Note the procedures that a proposal would bring, beside those of before."""
        for name, versions in _parameters_in(proposal).items():
            self._parameters[name] = [*self._parameters.get(name, ()), *versions]

    def suffice_for(self, proposal: Proposal) -> bool:
        """Whether each plan finds its procedures and their parameters, here or in the proposal."""
        return self.missing_for(proposal) is None

    def missing_for(self, proposal: Proposal) -> str | None:
        """Return what the plans of a proposal lack, in words; None where they lack nothing."""
        parameters = self._parameters | _parameters_in(proposal)
        plans = (d for d in proposal.new if d["kind"] == "meta" and "plan" in d)
        for place in (p for plan in plans for p in plan["plan"] if "run" in p):
            name, given = place["run"], place.get("with", {}).keys()
            if name not in parameters:
                return f"there is no procedure {name!r}"
            if not any(given <= each for each in parameters[name]):
                lacking = ", ".join(sorted(given - parameters[name][-1]))
                return f"{name!r} takes no {lacking}"
        return None


def unfit_proposals(
    procedures: Mapping[str, Procedure], waiting: Sequence[Proposal]
) -> dict[str, str]:
    """Return what waits and cannot be accepted, whatever else is: id → what its plans lack.

    Args:
        procedures: Procedures of the library, by id.
        waiting: All that waits.
    """
    available = AvailableProcedures(procedures)
    for proposal in waiting:
        available.add_choice(proposal)
    missing = {proposal.id: available.missing_for(proposal) for proposal in waiting}
    return {name: lacking for name, lacking in missing.items() if lacking is not None}


def _parameters_in(proposal: Proposal) -> dict[str, list[frozenset[str]]]:
    """Return the parameters of each procedure that a proposal brings, by its id."""
    procedures = (
        each for each in proposal.new if each["kind"] == "procedure" and not is_reference(each)
    )
    return {each["id"]: [frozenset(each.get("parameters", {}))] for each in procedures}


def credibly_better(replay: Replay, weight: float = 1.0) -> bool:
    """Say whether the episodes that tell two versions apart favour the new one, beyond chance.

    Args:
        replay: Of both.
        weight: Its share of the prior, where several changes are asked about, in (0, 1].
    """
    wins, losses = replay.wins, replay.losses
    return credible(Table(wins, losses, losses, wins), weight, Trigger())


def is_supported(proposal: Proposal, *, works: bool = True) -> bool:
    """Say whether the stored episodes are reason enough for a change that nobody looks at.

    What replaces nothing has no old version to be better than; what cannot be replayed is judged
    by what it rests on.

    Args:
        proposal: The change.
        works: Whether what stands works in use; what does not is given up more easily.
    """
    if proposal.change != "refine" or not proposal.old or proposal.replay is None:
        return True
    old, new, replay = proposal.old[0], proposal.new[0], proposal.replay
    if replay.losses:
        return credibly_better(replay)
    if replay.wins >= _LEAST_WINS:
        return True
    if does_the_same(old, new):
        return False  # what works with other kinds of things mends nothing
    return replay.wins > 0 and (not works or _occasions_of_old(proposal) < _FEW_OCCASIONS)


def occasions_of(proposal: Proposal, name: str = "") -> float:
    """Return how many occasions a change rests on: trials, else episodes, else what it was of.

    Args:
        proposal: The change.
        name: Id of the file whose change is meant, where it changes several for one cause.
    """
    counts = proposal.part(name).counts
    trials = counts.get("successes", 0.0) + counts.get("failures", 0.0)
    return (
        trials
        or counts.get("episodes", 0.0)
        or sum(map(_occasions_in_provenance, proposal.new[:1]))
    )


def _occasions_of_old(proposal: Proposal) -> float:
    """Return from how many occasions what stands was learned, as its file, or the ledger, says."""
    return sum(map(_occasions_in_provenance, proposal.old[:1])) or proposal.counts.get(BEFORE, 0.0)


def _occasions_in_provenance(document: Document) -> float:
    """Return from how many occasions a document was learned, as its provenance says; else 0."""
    origin = str(document.get("provenance", {}).get(LEARNED_FROM, ""))
    return float(sum(map(int, _OCCASIONS.findall(origin))))
