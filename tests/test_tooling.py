"""Procedures learned from tool calls: what varies, what flows, what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from macla.procedures.errors import TrajectoryError
from macla.procedures.ledger import Ledger
from macla.procedures.library import Library, validate_library
from macla.procedures.model import Procedure
from macla.procedures.proposals.policy import submit
from macla.procedures.tooling.abstraction import abstract, shape_of, worth_learning
from macla.procedures.tooling.episodes import ToolCall, ToolEpisode
from macla.procedures.tooling.execution import Execution, arguments_of, batches
from macla.procedures.tooling.familiar import unfamiliar
from macla.procedures.tooling.learner import ToolLearner, ToolLearnerSettings
from macla.procedures.tooling.memory import ToolMemory
from macla.procedures.tooling.values import (
    canonical,
    kind_of,
    leaves,
    parse_result,
    result_pattern,
    select,
    tokenise,
)


def orders(name: str, number: int, ids: list[int], identifier: str = "") -> ToolEpisode:
    """Two calls: the customer's number flows from the first result into the second."""
    return ToolEpisode(
        f"How many orders has {name} placed?",
        (
            ToolCall("find", {"who": {"name": name}}, json.dumps({"id": number, "city": "Graz"})),
            ToolCall(
                "query",
                {"sql": f"SELECT id FROM orders WHERE customer = {number}", "limit": 10},
                json.dumps([{"id": each} for each in ids]),
                turn=1,
            ),
        ),
        f"{name} has placed these orders: {', '.join(map(str, ids))}.",
        id=identifier or name,
    )


ADA = orders("Ada", 17, [3, 5, 9])
BEN = orders("Ben Cole", 23, [4, 8])


def learned(*episodes: ToolEpisode) -> Procedure:
    made = abstract(episodes, "p")
    assert made is not None
    return made


class TestAbstraction:
    def test_what_varies_becomes_parameters_with_their_sources(self) -> None:
        made = learned(ADA, BEN)
        assert made.goal == "How many orders has {name} placed?"
        sources = {(p.source, p.step, p.path) for p in made.parameters.values()}
        assert sources == {("task", None, None), ("result", 1, "/id"), ("result", 2, "/*/id")}
        document = made.to_document()
        assert document["steps"][0]["args"] == {"who": {"name": "{name}"}}
        assert document["steps"][1]["args"]["limit"] == 10
        assert document["steps"][2]["do"] == "{name} has placed these orders: {id_2}."

    def test_one_episode_alone_has_no_parameter_of_the_task(self) -> None:
        made = learned(ADA)
        assert made.goal == "How many orders has Ada placed?"
        assert all(step.do is None for step in made.steps)

    def test_it_carries_out_a_task_that_was_never_seen(self) -> None:
        made = Execution.start(learned(ADA, BEN), "How many orders has Cleo placed?")
        assert made is not None
        assert arguments_of(made.procedure.steps[0], made) == {"who": {"name": "Cleo"}}
        made = made.with_result(0, '{"id": 99, "city": "Graz"}')
        sql = arguments_of(made.procedure.steps[1], made)["sql"]
        assert sql == "SELECT id FROM orders WHERE customer = 99"
        made = made.with_result(1, '[{"id": 1}, {"id": 2}]')
        assert made.answer() == "Cleo has placed these orders: 1, 2."

    def test_an_argument_that_nothing_explains_is_not_merged(self) -> None:
        def month(word: str, number: int) -> ToolEpisode:
            return ToolEpisode(f"Sales in {word}?", (ToolCall("sales", {"month": number}, "{}"),))

        assert abstract([month("June", 6), month("July", 7)], "p") is None

    def test_a_word_of_the_task_that_nothing_uses_is_not_merged(self) -> None:
        def weather(word: str) -> ToolEpisode:
            return ToolEpisode(
                f"Weather {word} in Graz?", (ToolCall("weather", {"at": "Graz"}, "{}"),)
            )

        assert abstract([weather("today"), weather("tomorrow")], "p") is None

    def test_a_figure_that_was_worked_out_is_left_to_the_model(self) -> None:
        def total(name: str, values: list[int]) -> ToolEpisode:
            call = ToolCall("amounts", {"of": name}, json.dumps({"values": values}))
            return ToolEpisode(f"Total of {name}?", (call,), f"It is {sum(values)}.")

        made = learned(total("a", [1, 2]), total("b", [7, 9]))
        assert made.steps[-1].do is None

    def test_an_answer_waits_for_results_like_those_it_was_shown_with(self) -> None:
        def stock(name: str, number: int) -> ToolEpisode:
            call = ToolCall("stock", {"of": name}, json.dumps({"pieces": number, "shop": "north"}))
            return ToolEpisode(f"Is {name} there?", (call,), f"Yes, {name} is there.")

        made = Execution.start(learned(stock("tea", 4), stock("ham", 9)), "Is rice there?")
        assert made is not None
        assert (
            made.with_result(0, '{"pieces": 6, "shop": "north"}').answer() == "Yes, rice is there."
        )
        for pieces in (0, 3, 10):  # outside of what was shown: a verdict for the model
            told = made.with_result(0, json.dumps({"pieces": pieces, "shop": "north"}))
            assert "pieces" in (unfamiliar(told, answering=True) or "")
        assert made.with_result(0, '{"pieces": 3, "shop": "south"}').answer() is None

    def test_calls_issued_together_stay_together(self) -> None:
        def two(a: str, b: str) -> ToolEpisode:
            calls = (ToolCall("get", {"of": a}, "{}"), ToolCall("get", {"of": b}, "{}"))
            return ToolEpisode(f"Compare {a} and {b}", calls)

        assert batches(learned(two("x", "y"), two("u", "v"))) == [[0, 1]]

    def test_lines_of_plain_text_are_sources(self) -> None:
        def read(name: str, author: str, year: int) -> ToolEpisode:
            text = f"# {name} of {year}\nauthor: {author}\n\nmore"
            call = ToolCall("read", {"path": f"docs/{name}.md"}, text)
            return ToolEpisode(f"Who wrote the {name}?", (call,), f"It was {author}.")

        made = Execution.start(
            learned(read("plan", "Ada", 2010), read("list", "Ben Cole", 2011)), "Who wrote the map?"
        )
        assert made is not None
        assert arguments_of(made.procedure.steps[0], made) == {"path": "docs/map.md"}
        told = made.with_result(0, "# map of 2012\nauthor: Ida Kent\n\nmore")
        assert told.answer() == "It was Ida Kent."

    def test_a_list_of_one_is_read_as_such(self) -> None:
        def number(name: str, n: int) -> ToolEpisode:
            call = ToolCall("find", {"name": name}, json.dumps([{"id": n}]))
            return ToolEpisode(f"Number of {name}?", (call,), f"It is {n}.")

        made = Execution.start(learned(number("a", 5), number("b", 6)), "Number of c?")
        assert made is not None
        assert made.with_result(0, '[{"id": 7}]').answer() == "It is 7."
        assert made.with_result(0, '[{"id": 7}, {"id": 8}]').answer() is None

    def test_calls_that_failed_are_no_part_of_it(self) -> None:
        wrong = ToolCall("find", {"nme": "Ada"}, "no such argument", ok=False)
        clean = worth_learning(ToolEpisode(ADA.task, (wrong, *ADA.calls), ADA.answer))
        assert clean is not None
        assert shape_of(clean) == shape_of(ADA)

    def test_it_survives_its_file(self) -> None:
        made = learned(ADA, BEN)
        assert Procedure.from_document(json.loads(json.dumps(made.to_document()))) == made


class TestBinding:
    @pytest.mark.parametrize(
        "task",
        [
            "How many orders has placed?",
            "How many orders has Cleo not placed?",
            "How many orders has Cleo placed? And Ben?",
            "How many orders has Cleo; DROP TABLE orders placed?",
            "How many orders has Cleo. Ignore all of this placed?",
            "How many orders has cleo@example.org placed?",
            "",
            "How many orders has " + "x " * 5000 + "placed?",
        ],
    )
    def test_what_does_not_fit_is_not_read(self, task: str) -> None:
        made = Execution.start(learned(ADA, BEN), task)
        assert made is None or made.fillers == {"name": "Cleo not"}

    def test_a_value_that_breaks_out_of_its_text_is_not_put_in(self) -> None:
        def by_name(name: str) -> ToolEpisode:
            call = ToolCall("sql", {"q": f"SELECT * FROM t WHERE name = '{name}'"}, "[]")
            return ToolEpisode(f"Find {name}", (call,))

        made = Execution.start(learned(by_name("Ada"), by_name("Ben")), "Find O'Neil")
        if made is not None:
            with pytest.raises(LookupError):
                arguments_of(made.procedure.steps[0], made)
        good = Execution.start(learned(by_name("Ada"), by_name("Ben")), "Find Cleo")
        assert good is not None
        assert arguments_of(good.procedure.steps[0], good)["q"].endswith("'Cleo'")

    def test_a_value_from_a_result_that_breaks_out_is_not_put_in_either(self) -> None:
        made = Execution.start(learned(ADA, BEN), "How many orders has Cleo placed?")
        assert made is not None
        made = made.with_result(0, '{"id": "1; DROP TABLE orders", "city": "Graz"}')
        with pytest.raises(LookupError):
            arguments_of(made.procedure.steps[1], made)

    def test_numbers_keep_their_type(self) -> None:
        def ticket(number: int) -> ToolEpisode:
            return ToolEpisode(f"Close ticket {number}", (ToolCall("close", {"id": number}, "{}"),))

        made = Execution.start(learned(ticket(4), ticket(15)), "Close ticket 99")
        assert made is not None
        assert arguments_of(made.procedure.steps[0], made) == {"id": 99}
        assert Execution.start(made.procedure, "Close ticket x") is None

    @pytest.mark.parametrize(
        "text", ["x" * 2_000_000, "\x00\x01\ufffd", "[" * 50_000, "null", "{}"]
    )
    def test_results_of_any_kind_are_looked_at_safely(self, text: str) -> None:
        made = Execution.start(learned(ADA, BEN), "How many orders has Cleo placed?")
        assert made is not None
        made = made.with_result(0, text)
        assert not made.as_expected(0)
        assert made.answer() is None

    @settings(max_examples=60, deadline=None)
    @given(st.text(max_size=80))
    def test_any_task_is_read_without_a_fault(self, text: str) -> None:
        made = learned(ADA, BEN)
        for task in (text, f"How many orders has {text} placed?"):
            found = Execution.start(made, task)
            assert found is None or found.fillers["name"] in task


class TestValues:
    @pytest.mark.parametrize(
        ("value", "kind"),
        [
            ("12", "integer"),
            ("1.5", "number"),
            ("a@b.io", "email"),
            ("docs/a.md", "path"),
            ("Ada Bell", "text"),
            ("Ada", "word"),
            ("ORD-7", "code"),
            ("2026-01-02", "date"),
            (0, "zero"),
            (3, "count"),
            (-1, "negative"),
            (1.5, "amount"),
            (True, "boolean"),
            (None, "null"),
            ([], "empty"),
            ([1], "list"),
            ({}, "object"),
            ("", "empty"),
        ],
    )
    def test_kinds(self, value: Any, kind: str) -> None:
        assert kind_of(value) == kind

    def test_tokens_keep_what_belongs_together(self) -> None:
        words = [
            token.text for token in tokenise("Mail ada@b.io about docs/a.md, Ada's 2026-01-02!")
        ]
        assert words == [
            "Mail", "ada@b.io", "about", "docs/a.md", ",", "Ada", "'s", "2026-01-02", "!",
        ]  # fmt: skip

    def test_results_as_sql_tools_print_them(self) -> None:
        assert parse_result("[(17, 'Ada'), (18, None)]") == [[17, "Ada"], [18, None]]
        assert parse_result("__import__('os')") == "__import__('os')"

    json_values = st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=8,
    )

    @settings(max_examples=80, deadline=None)
    @given(json_values)
    def test_every_path_leads_to_its_leaf(self, value: Any) -> None:
        for path, leaf in leaves(value):
            assert select(value, path) == leaf

    @settings(max_examples=80, deadline=None)
    @given(st.lists(st.dictionaries(st.sampled_from("abc"), json_values), min_size=1, max_size=3))
    def test_a_shape_fits_the_results_it_was_made_of(self, values: list[Any]) -> None:
        from macla.procedures.condition_patterns import Pattern, normalise

        pattern = result_pattern(values)
        if pattern is not None:
            matcher = Pattern.parse(pattern).bind({})
            assert all(matcher.matches(normalise(canonical(each))) for each in values)


class TestLearner:
    @pytest.fixture
    def library(self, tmp_path: Path) -> Library:
        return Library.create(tmp_path / "lib", domain="tools", embedding="static")

    def test_a_draft_becomes_a_procedure_with_the_second_demonstration(
        self, library: Library
    ) -> None:
        with Ledger.memory() as ledger:
            learner = ToolLearner(library, ledger)
            learner.add(ADA)
            assert [p.status for p in library.procedures.values()] == ["draft"]
            memory = ToolMemory(library, ledger)
            assert memory.trusted(ADA.task) is None
            learner.add(BEN)
            memory.refresh()
            (made,) = library.procedures.values()
            assert made.status == "provisional"
            assert ledger.counts("procedure", made.id)[("procedure", made.id, 1, "")] == (2.0, 0.0)
            assert not [f for f in validate_library(library.path) if f.severity == "error"]
            found = memory.trusted("How many orders has Cleo placed?")
            assert found is not None
            assert found.procedure.id == made.id
            assert found.score.value >= 0.4

    def test_an_episode_counts_once(self, library: Library) -> None:
        with Ledger.memory() as ledger:
            learner = ToolLearner(library, ledger)
            for _ in range(3):
                learner.add(ADA)
            assert ledger.total() == 1
            assert ToolLearner(library, ledger).add(ADA) == []

    def test_learning_goes_on_in_another_process(self, library: Library) -> None:
        with Ledger.memory() as ledger:
            ToolLearner(library, ledger).add(ADA)
            other = ToolLearner(Library.open(library.path), ledger)
            other.add(BEN)
            library.refresh()
            (made,) = library.procedures.values()
            assert made.goal == "How many orders has {name} placed?"

    def test_a_line_cut_off_by_a_crash_is_dropped(self, library: Library) -> None:
        with Ledger.memory() as ledger:
            ToolLearner(library, ledger).add(ADA)
            file = library.path / ".macla" / "tool-episodes.jsonl"
            file.write_bytes(file.read_bytes() + b'{"task": "cut')
            assert ToolLearner(library, ledger).add(BEN)

    def test_another_way_of_doing_it_is_a_refinement(self, library: Library) -> None:
        def renamed(episode: ToolEpisode, name: str) -> ToolEpisode:
            calls = tuple(
                ToolCall(f"new_{c.tool}", c.arguments, c.result, turn=c.turn) for c in episode.calls
            )
            return ToolEpisode(episode.task, calls, episode.answer, id=name)

        with Ledger.memory() as ledger:
            learner = ToolLearner(library, ledger)
            learner.add_all([ADA, BEN])
            learner.add_all([renamed(ADA, "x"), renamed(BEN, "y")])
            (old,) = library.procedures.values()
            assert old.steps[0].tool == "find"
            (proposal,) = learner.refinements()
            assert learner.refinements() == [replace(proposal, created=ANY)]
            assert proposal.target.id == old.id
            assert "new_find(who), new_query(limit, sql)" in proposal.rationale
            assert proposal.contrast is not None
            assert proposal.contrast.successes == ("x", "y")
            submit(library, ledger, proposal, "auto")
            assert learner.refined(old.id)
            (new,) = library.procedures.values()
            assert (new.id, new.version, new.steps[0].tool) == (old.id, 2, "new_find")
            assert new.goal == old.goal
            assert learner.refinements() == []
            assert ToolLearner(library, ledger).refinements() == []
            # The old way again is a refinement again.
            learner.add_all([replace(ADA, id="z"), replace(BEN, id="zz")])
            (back,) = learner.refinements()
            assert back.new[0]["steps"][0]["tool"] == "find"

    def test_a_run_that_was_given_up_is_no_other_way(self, library: Library) -> None:
        def given_up(episode: ToolEpisode) -> ToolEpisode:
            text = "I need a reason."
            return replace(episode, calls=episode.calls[:1], answer=text, id=f"up {episode.id}")

        with Ledger.memory() as ledger:
            learner = ToolLearner(library, ledger)
            learner.add_all([ADA, BEN, given_up(ADA), given_up(BEN)])
            assert learner.refinements() == []
            memory = ToolMemory(library, ledger)
            chosen = memory.trusted(ADA.task)
            assert chosen is not None
            assert len(chosen.procedure.steps) == 3

    def test_what_a_person_locked_stays(self, library: Library) -> None:
        with Ledger.memory() as ledger:
            learner = ToolLearner(library, ledger)
            learner.add_all([ADA, BEN])
            (made,) = library.procedures.values()
            file = library.path / "procedures" / f"{made.id}.yaml"
            file.write_text(file.read_text() + "locked: true\n")
            before = file.read_bytes()
            learner.add(orders("Dan", 31, [1, 2]))
            assert file.read_bytes() == before

    def test_capacity_is_kept(self, library: Library) -> None:
        with Ledger.memory() as ledger:
            learner = ToolLearner(library, ledger, ToolLearnerSettings(procedures=5))
            for i in range(9):
                call = ToolCall(f"tool{i}", {"a": i}, "{}")
                learner.add(ToolEpisode(f"Do the thing named {'abcdefghi'[i]}", (call,), id=str(i)))
            assert len(library.procedures) == 5
            assert len(learner.removed) == 4

    def test_the_capacity_of_the_library_is_kept(self, library: Library) -> None:
        changed = {**library.settings.settings, "capacity": {"procedures": 3}}
        library.write_all(settings=replace(library.settings, settings=changed))
        with Ledger.memory() as ledger:
            learner = ToolLearner(library, ledger)
            for i in range(5):
                call = ToolCall(f"tool{i}", {"a": i}, "{}")
                learner.add(ToolEpisode(f"Do the thing named {'abcdefghi'[i]}", (call,), id=str(i)))
            assert len(library.procedures) == 3

    def test_episodes_are_trajectories(self) -> None:
        again = ToolEpisode.from_trajectory(ADA.to_trajectory())
        assert again == ToolEpisode(ADA.task, ADA.calls, ADA.answer, True, ADA.id, ADA.source)
        bad = ADA.to_trajectory()
        with pytest.raises(TrajectoryError, match="no episode of tool calls"):
            ToolEpisode.from_trajectory(type(bad)("t", ("", ""), ("go north",), True))
