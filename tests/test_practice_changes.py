"""Which changes of words are worth a commit of their own."""

from __future__ import annotations

import pytest
from macla.adapters.teaching.practice_changes import worth_a_change
from macla.procedures.library.library import Library
from macla.procedures.model.procedure import Ontology
from macla.procedures.proposals.proposal import make_proposal

KINDS = [f"kind{i}" for i in range(20)]
WORDS = {
    "kind": "ontology",
    "version": 1,
    "entities": {"shape": "kind and number", "kinds": KINDS},
    "operators": {
        "pry": {"frames": ["pry {0}"], "effect": "acts", "outcomes": {"pry {0}": ["It opens."]}}
    },
}
OTHER = {
    "kind": "procedure",
    "id": "pry",
    "version": 1,
    "goal": "pry {x}",
    "parameters": {"x": {"source": "given"}},
    "steps": [{"do": "pry {x}"}],
}


@pytest.fixture
def library(tmp_path):
    made = Library.create(tmp_path / "lib", domain="yard", embedding="static")
    made.write_all(ontology=Ontology.from_document(WORDS))
    return made


def words(library, **changes):
    old = library.ontology.to_document()
    new = {**old, **changes, "version": old["version"] + 1}
    return make_proposal("ontology", "Words.", target="ontology", old=[old], new=[new])


def with_kinds(library, *more):
    return words(library, entities={"shape": "kind and number", "kinds": [*KINDS, *more]})


def test_one_word_waits_until_something_else_changes(library):
    proposal = with_kinds(library, "new")
    other = make_proposal("new", "It is done.", target="pry", new=[OTHER])
    assert worth_a_change(library, [proposal]) == []
    assert worth_a_change(library, [proposal, other]) == [proposal, other]


def test_many_words_are_a_change(library):
    proposal = with_kinds(library, "new", "newer")
    assert worth_a_change(library, [proposal]) == [proposal]


def test_an_action_that_was_never_seen_is_a_change(library):
    operators = {**WORDS["operators"], "zip": {"frames": ["zip {0}"], "effect": "acts"}}
    proposal = words(library, operators=operators)
    assert worth_a_change(library, [proposal]) == [proposal]


def test_the_same_in_another_order_is_none(library):
    (name, operator), *_ = WORDS["operators"].items()
    proposal = words(library, operators={name: dict(reversed(operator.items()))})
    assert worth_a_change(library, [proposal]) == []
