"""Programs in the words of a diff: an entry a line, and what it says below it."""

from __future__ import annotations

import copy
from typing import Any

from macla.adapters.review_page import make_card, render_page
from macla.procedures.diff import diff_documents, document_lines
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.proposals.proposal import make_proposal
from macla.procedures.proposals.proposal_words import described

SHUT = {"line": "{1} is {2}.", "where": {"1": "{it}", "2": "shut"}}
PLANNING: dict[str, Any] = {
    "kind": "program",
    "id": "house",
    "version": 1,
    "goal": "Put a warm {1} on the {2}.",
    "lines": ["You hold {1}.", {"line": "{1} is {2}.", "few": {"2": ["open", "shut"]}}],
    "places": {
        "moves": ["go to {}"],
        "told_by": ["go to {}"],
        "by_name": True,
        "ways": [{"line": "You hold {1}.", "take": "{1}"}],
        "visits": {"box": 9},
        "seen": {"mug": {"box": 8}},
    },
    "operators": [
        {
            "id": "take",
            "do": "take {1} from {2}",
            "answers": ["You hold {1}."],
            "arguments": {"1": {"here": True}, "2": {"at": True}},
        },
        {"id": "open", "do": "open {1}", "reveals": True, "arguments": {"1": {"told": [SHUT]}}},
        {
            "id": "put",
            "do": "put {1} on {2}",
            "arguments": {
                "1": {"needs": ["take {it} from {}"]},
                "2": {"unless": [{**SHUT, "then": "open {}"}], "kinds": {"shelf": 3}},
            },
        },
    ],
    "goals": [
        {
            "asked": ["Put a warm {1} on the {2}.", "{1} to {2}!"],
            "things": {"a": "kind of {1}", "b": "{2}"},
            "do": ["put {a} on {b}"],
        }
    ],
}
WHOLE = """
  operators
    + take: take {1} from {2}
        {1}: was last told of at the place where one is
        {2}: is the place where one is
        effect: it worked where one reads “You hold {1}.”
    + open: open {1}
        {1}: needs “{1} is {2}.”, in which {1} is {it} and {2} is shut
        effect: shows what was not to be seen
    + put: put {1} on {2}
        {1}: needs take {it} from {} before
        {2}: where “{1} is {2}.”, in which {1} is {it} and {2} is shut, first open {}
        {2}: was of kind shelf (3)
  goals
    + “Put a warm {1} on the {2}.”
        also asked as: “{1} to {2}!”
        {a}: a kind of {1}
        {b}: what {2} names
        1. put {a} on {b}
"""


def text(old: dict[str, Any] | None, new: dict[str, Any] | None) -> str:
    files = (None if each is None else ProgramFile.from_document(each) for each in (old, new))
    return "\n".join(map(str, document_lines(diff_documents(*files))))


def test_a_program_that_plans_is_said_a_fact_a_line() -> None:
    assert WHOLE.rstrip() in text(None, PLANNING)
    assert "+ seen\n        mug: box 8" in text(None, PLANNING)
    assert WHOLE.rstrip().replace("+", "-") in text(PLANNING, None)


def test_of_an_operator_that_changed_only_that_is_said() -> None:
    new = copy.deepcopy(PLANNING)
    new["version"] = 2
    new["operators"][2]["arguments"]["1"]["needs"].append("open {it}")
    new["goals"][0]["do"] = ["take {a} from {b}", "put {a} on {b}"]
    new["lines"].append("Done.")
    assert text(PLANNING, new).splitlines() == [
        "program house: version 1 → 2",
        "  lines",
        "    + “Done.”",
        "  operators",
        "    ~ put: put {1} on {2}",
        "        {1}: no longer needs take {it} from {} before",
        "        {1}: now also needs take {it} from {} or open {it} before",
        "  goals",
        "    ~ “Put a warm {1} on the {2}.”",
        "        no longer 1. put {a} on {b}",
        "        now also 1. take {a} from {b}",
        "        now also 2. put {a} on {b}",
    ]


def test_a_proposal_and_its_card_on_the_page_say_the_same() -> None:
    proposal = make_proposal("new", "It works.", target="house", new=[PLANNING])
    assert WHOLE.rstrip() in described(proposal)
    page = render_page([make_card(proposal)], library="lib", made="")
    for each in ("put: put {1} on {2}", "needs take {it} from {} before", "1. put {a} on {b}"):
        assert each in page


def test_steps_and_values_of_a_program_are_said_without_a_notation() -> None:
    document = {
        "kind": "program",
        "id": "greet",
        "version": 1,
        "goal": "Greet {1}.",
        "lines": ["Hello, {1}."],
        "parameters": {"who": {"source": "task", "slot": 1}},
        "steps": [{"id": "greet", "do": "greet {who}", "commit": True}],
    }
    new = copy.deepcopy(document)
    new["version"], new["steps"][0]["do"] = 2, "hug {who}"
    assert text(None, document).splitlines()[1:] == [
        "  goal",
        "    + Greet {1}.",
        "  lines",
        "    + “Hello, {1}.”",
        "  parameters",
        "    + {who}: said in the task as {1}",
        "  steps",
        "    + 1. greet: greet {who}",
        "        commit: yes",
    ]
    assert "~ 1. greet: hug {who}\n        - greet: greet {who}" in text(document, new)
