"""Kind 8: the user corrects what was done, for the rest of the conversation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...names import CITIES, TEAMS
from ..kinds import Draw, Kind, Scene, Talk, Work
from ..office import Planted

__all__ = ["FORWARD_TICKET"]

_CORRECTIONS = (
    "That was wrong: you should have sent it to {team}. In this chat all tickets go to {team}.",
    "No, wrong. Tickets of this conversation belong to {team}, put it right.",
    "You should have given that to {team}, as with all tickets I name here. Please mend it.",
)
_PATTERNS = tuple(
    re.compile(re.escape(each).replace(r"\{team\}", "([a-z]+)")) for each in _CORRECTIONS
)
_THANKS = "Thank you."


def _scene(draw: Draw, different: bool) -> Scene:
    tickets = [draw.identifier("Q") for _ in range(2)]
    teams = draw.rng.sample(TEAMS, 3)
    pages: dict[str, Any] = {
        f"/tickets/{ticket}": {"ticket": ticket, "from": draw.choice(CITIES), "team": team}
        for ticket, team in zip(tickets, teams, strict=False)
    }
    later: tuple[str | Mapping[str, str], ...] = ()
    if different:
        later = (draw.scheduled(_CORRECTIONS).format(team=teams[2]), {"ticket": tickets[1]})
    elif draw.rng.random() < 1 / 3:
        later = (_THANKS, {"ticket": tickets[1]})
    return Scene({"ticket": tickets[0]}, Planted(pages=pages), later=later)


def _corrected(lines: Sequence[str]) -> str | None:
    """Return the team that the latest correction names."""
    matches = (pattern.fullmatch(line) for line in reversed(lines) for pattern in _PATTERNS)
    return next((match[1] for match in matches if match), None)


def _work(values: Mapping[str, str], talk: Talk) -> Work:
    ticket = values["ticket"]
    page = yield "http_get", {"path": f"/tickets/{ticket}"}
    team = _corrected(talk.earlier) or page["team"]
    yield "http_post", {"path": f"/teams/{team}/tickets", "body": {"ticket": ticket}}
    return f"Ticket {ticket} is with {team} now."


def _remark(text: str, talk: Talk) -> Work | None:
    if text == _THANKS:
        return _answered()
    team = _corrected((text,))
    read = (FORWARD_TICKET.read(line) for line in reversed(talk.earlier))
    values = next((each for each in read if each), None)
    return _mended(values["ticket"], team) if team and values else None


def _answered() -> Work:
    yield from ()
    return "You are welcome."


def _mended(ticket: str, team: str) -> Work:
    page = yield "http_get", {"path": f"/tickets/{ticket}"}
    yield "http_post", {"path": f"/teams/{page['team']}/returns", "body": {"ticket": ticket}}
    yield "http_post", {"path": f"/teams/{team}/tickets", "body": {"ticket": ticket}}
    return f"I am sorry. Ticket {ticket} went from {page['team']} to {team}."


FORWARD_TICKET = Kind(
    8,
    "a correction by the user",
    (
        "Forward ticket {ticket}.",
        "Ticket {ticket} needs somebody, pass it on.",
        "Please hand {ticket} to the right people.",
    ),
    _scene,
    _work,
    _remark,
)
