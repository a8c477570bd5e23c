"""Changes of one cause, as one proposal: read once, replayed once, decided as a whole.

Two changes have one cause if they do the same to two files, whatever the files call their
parameters and whichever kinds of things they list. A change of a plan that does no more than give a
procedure what that asks for now belongs to the change of the procedure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..diff import diff_documents
from ..diff.changes import Change, Side
from ..documents.plain_data import NOT_BEHAVIOUR
from .proposal import Contrast, Document, Part, Proposal, Replay, make_proposal
from .proposal_documents import item_without_notes
from .support import is_harmful

_PARAMETER = re.compile(r"\{(\w+)\}")
_JOINED = "refine"
"""The kind of change that is joined: what is new, or goes, is read by itself."""


def by_cause(
    proposals: Sequence[Proposal], replay: Callable[[Proposal], Replay | None] = lambda _: None
) -> list[Proposal]:
    """Return proposals with those of one cause as one, each in the place of its first.

    They come in an order in which they can be accepted; what is joined is replayed again.
    """
    groups: dict[str, list[Proposal]] = {}
    for proposal in proposals:
        groups.setdefault(_group_of(proposal, proposals), []).append(proposal)
    joined = {key: _join(group, replay) for key, group in groups.items()}
    names = {each.id: joined[key].id for key, group in groups.items() for each in group}
    return [each.needing(names.get(n, n) for n in each.requires) for each in joined.values()]


def cause_of(old: Document, new: Document) -> str:
    """Return what a change does, in words that name neither the file nor its parameters."""
    names: dict[str, str] = {}

    def plain(text: str) -> str:
        return _PARAMETER.sub(lambda m: names.setdefault(m[1], f"{{{len(names)}}}"), text)

    changes = diff_documents(item_without_notes(old), item_without_notes(new)).changes
    return plain("\n".join(line for change in changes for line in _lines(change)))


def _group_of(proposal: Proposal, among: Sequence[Proposal]) -> str:
    """Return a key that proposals of one cause share."""
    if proposal.change != _JOINED or len(proposal.old) != 1 or len(proposal.new) != 1:
        return proposal.id
    if is_harmful(proposal):
        return proposal.id  # refused by itself, and the others not for its sake
    (old,), (new,) = proposal.old, proposal.new
    if (
        old["kind"] == "meta"
        and (leader := _procedure_change_behind(old, new, proposal, among)) is not None
    ):
        return _group_of(leader, among)
    return f"{old['kind']} {cause_of(old, new)}"


def _procedure_change_behind(
    old: Document, new: Document, proposal: Proposal, among: Sequence[Proposal]
) -> Proposal | None:
    """Return the change of a procedure to which a plan only adapts, if there is one."""
    changes = [
        c
        for c in diff_documents(item_without_notes(old), item_without_notes(new)).changes
        if _changes_behaviour(c)
    ]
    subjects = {c.subject for c in changes if c.section == "plan"}
    if any(c.section not in ("plan", "parameters") for c in changes) or len(subjects) != 1:
        return None
    if any(c.section == "plan" and c.action != "changed" for c in changes):
        return None
    required = (p for p in among if p.id in proposal.requires and p.change == _JOINED)
    return next((p for p in required if p.target.id in subjects), None)


def _changes_behaviour(change: Change) -> bool:
    return change.section not in NOT_BEHAVIOUR


def _lines(change: Change) -> Iterator[str]:
    """Yield what a change does; where it stands, and how many kinds there are, does not matter."""
    if not _changes_behaviour(change):
        return
    if change.section == "kinds":
        yield "kinds"
    elif change.details:
        inner = [line for detail in change.details for line in _lines(detail)]
        if inner == ["kinds"] * len(inner):
            yield "kinds"
        else:
            yield f"{change.section} {change.action} {change.subject}: {'; '.join(inner)}"
    else:
        sides = (_text(change.before), _text(change.after))
        yield f"{change.section} {change.action} {change.subject}: {' -> '.join(sides)}"


def _text(side: Side | None) -> str:
    return "" if side is None else side.text


def _join(group: Sequence[Proposal], replay: Callable[[Proposal], Replay | None]) -> Proposal:
    if len(group) == 1:
        return group[0]
    first = group[0]
    ids = {each.id for each in group}
    requires = (name for each in group for name in each.requires if name not in ids)
    contrasts = [each.contrast for each in group if each.contrast is not None]
    joint = make_proposal(
        first.change,
        "One change of several files.",
        target=first.target.id,
        old=[document for each in group for document in each.old],
        new=[document for each in group for document in each.new],
        created=first.created,
        parts=tuple(Part.of(each) for each in group),
        contrast=_pool(contrasts) if contrasts else None,
        counts=_shared_counts(group),
        run=first.run,
        requires=tuple(dict.fromkeys(requires)),
    )
    return replace(joint, replay=replay(joint))


def _pool(contrasts: Sequence[Contrast]) -> Contrast:
    good = dict.fromkeys(name for each in contrasts for name in each.successes)
    bad = dict.fromkeys(name for each in contrasts for name in each.failures if name not in good)
    return Contrast(tuple(good), tuple(bad))


def _shared_counts(group: Sequence[Proposal]) -> Mapping[str, float]:
    """Return the counts that are equal in all proposals, such as the number of episodes."""
    first = group[0].counts
    return {k: v for k, v in first.items() if all(each.counts.get(k) == v for each in group)}
