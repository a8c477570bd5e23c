"""Programs in the loop: followed, handed over, resumed, held to what is possible, and charged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from macla.graph import following
from macla.graph.build import create_macla_graph, recursion_limit
from macla.graph.context import LoopSettings
from macla.graph.knowledge import Knowledge
from macla.graph.phases import new_program
from macla.graph.state import new_state
from macla.procedures.programs.documents import ProgramFile
from macla.procedures.programs.play_evidence import contradicted
from macla.procedures.words.lexicon import Lexicon
from scripted_world import FIRST, Scripted, context, knowledge, meta, procedure

TASK = "Serve guest Ada."
ANSWERS = {"look": ["guest Ada wants tea."], "pour tea for Ada": ["Ada thanks you."]}


class Open(Scripted):
    """A scripted world that tells what is possible."""

    possible: Sequence[str] = ()

    def admissible(self) -> list[str]:
        return list(self.possible)


def file(**changes: Any) -> ProgramFile:
    """Look, then pour what the guest wants."""
    document = {
        "kind": "program",
        "id": "serve-guest",
        "goal": "Serve guest {1}.",
        "lines": ["guest {1} wants {2}.", "{1} thanks you.", "The hall."],
        "parameters": {
            "guest": {"source": "task", "slot": 1},
            "drink": {
                "source": "choice",
                "take": "{2}",
                "among": "guest {1} wants {2}.",
                "where": ["{1} = task(1)"],
            },
        },
        "steps": [
            {"id": "look", "do": "look"},
            {"id": "pour", "do": "pour {drink} for {guest}", "commit": True},
        ],
    }
    return ProgramFile.from_document(document | changes)


def known(*files: ProgramFile) -> Knowledge:
    return replace(knowledge(), programs={each.id: each for each in files})


def world(**changes: Any) -> Scripted:
    given = {"answers": ANSWERS, "wins": "pour tea for Ada", "first": "The hall."} | changes
    possible = given.pop("possible", None)
    if possible is None:
        return Scripted(**given)
    made = Open(**given)
    made.possible = possible
    return made


class Ledger:
    """Keeps what is written."""

    def __init__(self) -> None:
        self.rows: list[Any] = []

    def record(self, rows: Sequence[Any]) -> int:
        self.rows += rows
        return len(rows)


def play(
    environment: Scripted, programs: Knowledge, task: str = TASK, **changes: Any
) -> dict[str, Any]:
    asked, observation = environment.reset(task)
    return (
        create_macla_graph()
        .compile()
        .invoke(
            {"task": asked, "observation": observation, "horizon": 8},
            context=context(programs, environment, **changes),
            config={"recursion_limit": recursion_limit(8)},
        )
    )


def test_the_loop_does_what_the_program_says() -> None:
    environment = world()
    state = play(environment, known(file()))
    assert environment.done == ["look", "pour tea for Ada"]
    assert state["won"]
    assert state["program"]["steps"] == ["look", "pour"]
    assert state["program"]["ended"] == "the task is solved"


def test_words_of_plans_spell_no_action_anew() -> None:
    """The world spells *Tea* with a capital, and what is said of Ada is no thing to it."""
    words = Lexicon(numbered=False, kinds=("tea", "coffee"), frames=("look", "pour {0} for {1}"))
    told = {"look": ["guest Ada wants Tea."], "pour Tea for Ada": ["Ada thanks you."]}
    environment = world(answers=told, wins="pour Tea for Ada")
    state = play(environment, replace(known(file()), lexicon=words))
    assert environment.done == ["look", "pour Tea for Ada"]
    assert state["won"]


def test_another_task_is_none_of_its_own() -> None:
    state = play(world(), known(file()), task="Dismiss the cook.")
    assert state.get("program") is None


def test_a_draft_is_not_followed() -> None:
    assert play(world(), known(file(status="draft"))).get("program") is None


def test_of_two_programs_the_more_exact_one_is_followed() -> None:
    other = file(id="serve-any", goal="Serve {1}.")
    assert play(world(), known(other, file()))["program"]["ref"] == "serve-guest@1"


def test_it_hands_over_and_says_why() -> None:
    state = play(world(answers={"look": ["guest Ben wants tea."]}), known(file()))
    assert not state.get("won")
    assert state["program"]["steps"][:1] == ["look"]
    assert state["program"]["ended"] == "no step of the program can be done here"


@pytest.mark.parametrize(
    ("possible", "done"),
    [
        (["LOOK", "Pour Tea for Ada"], ["LOOK", "Pour Tea for Ada"]),
        (["look", "leave"], ["look"]),
    ],
)
def test_only_what_is_possible_is_done(possible: list[str], done: list[str]) -> None:
    answers = {"LOOK": ANSWERS["look"], **ANSWERS}
    environment = world(
        answers=answers, wins=done[-1] if len(done) > 1 else None, possible=possible
    )
    state = play(environment, known(file()))
    assert environment.done[: len(done)] == done
    assert len(state["program"]["steps"]) == len(done)


def test_a_repeated_loop_knows_what_was_done_in_other_letters() -> None:
    program = file(
        parameters={"guest": {"source": "task", "slot": 1}},
        steps=[{"id": "call", "do": "call {guest}"}, {"id": "wait", "do": "wait"}],
    )
    environment = world(answers={}, wins="Wait", possible=["CALL Ada", "Wait"])
    state = play(environment, known(program))
    assert environment.done == ["CALL Ada", "Wait"]
    assert state["won"]


def _rows(
    environment: Scripted, programs: Knowledge, **changes: Any
) -> list[tuple[str, str, float, float]]:
    ledger = Ledger()
    play(environment, programs, ledger=ledger, **changes)
    return [
        (row.subject, row.outcome.value, row.successes, row.failures)
        for row in ledger.rows
        if row.subject_kind == "program"
    ]


def test_a_solved_task_is_evidence_for_the_program() -> None:
    assert _rows(world(), known(file())) == [("serve-guest", "success", 1.0, 0.0)]


def test_to_hand_over_is_no_failure() -> None:
    environment = world(answers={"look": ["guest Ben wants tea."]})
    assert _rows(environment, known(file())) == [("serve-guest", "precondition_refused", 0.0, 0.0)]


def test_in_practice_what_it_leaves_unsolved_is_a_failure() -> None:
    environment = world(answers={"look": ["guest Ben wants tea."]})
    practice = LoopSettings(experiments=15)
    expected = [("serve-guest", "execution_failed", 0.0, 1.0)]
    assert _rows(environment, known(file()), settings=practice) == expected


@pytest.mark.parametrize(
    ("successes", "failures", "expected"),
    [
        (0, 0, False),
        (0, 2, False),  # too few runs
        (0, 3, True),
        (19, 3, False),
        (70, 30, True),
        (930, 70, False),
    ],
)
def test_play_contradicts_a_proof_where_the_difference_is_credible(
    successes: int, failures: int, expected: bool
) -> None:
    assert contradicted(successes, failures) is expected
    counts = {("program", "serve-guest", 1, ""): (successes, failures)}
    assert replace(known(file()), counts=counts).contradicted("serve-guest@1") is expected


@pytest.mark.parametrize(
    ("successes", "failures", "expected"),
    [(0, 0, (13.0, 1.0)), (1, 1, (14.0, 2.0)), (0, 3, (1.0, 4.0)), (10, 6, (11.0, 7.0))],
)
def test_demonstrations_are_evidence_of_a_program_until_play_contradicts_them(
    successes: int, failures: int, expected: tuple[float, float]
) -> None:
    counts = {("program", "serve-guest", 1, ""): (float(successes), float(failures))}
    shown = replace(known(file()), counts=counts, shown={"serve-guest": 12})
    assert shown.posterior("program", "serve-guest", 1) == expected


@pytest.mark.parametrize(
    ("runs", "chosen"), [((0.0, 0.0), "program"), ((18.0, 2.0), "program"), ((2.0, 8.0), "meta")]
)
def test_a_contradicted_program_is_one_way_among_others(
    runs: tuple[float, float], chosen: str
) -> None:
    prying = file(goal="Pry some {1}.")
    counts = {("program", prying.id, 1, ""): runs, ("meta", "pry-some", 1, ""): (9.0, 1.0)}
    both = replace(knowledge([procedure()], [meta()], counts), programs={prying.id: prying})
    state = play(world(wins="pry lid 1", first=FIRST), both, task="Pry some lid.")
    assert state["counters"]["choices"][0][0].startswith(
        {"program": "serve-guest", "meta": "pry-some"}[chosen]
    )


def test_an_episode_that_ends_unsolved_is_a_failure() -> None:
    class Lost(Scripted):
        def step(self, action: str) -> tuple[str, float, bool, dict[str, Any]]:
            observation, _, _, _ = super().step(action)
            return observation, 0.0, action.startswith("pour"), {"won": False}

    environment = Lost(answers=ANSWERS, first="The hall.")
    expected = [("serve-guest", "postcondition_failed", 0.0, 1.0)]
    assert _rows(environment, known(file())) == expected


def _interrupted(environment: Scripted, programs: Knowledge) -> tuple[Any, dict[str, Any]]:
    graph = create_macla_graph().compile(checkpointer=InMemorySaver())
    config: Any = {"configurable": {"thread_id": "one"}, "recursion_limit": recursion_limit(8)}
    task, observation = environment.reset(TASK)
    for _ in graph.stream(
        {"task": task, "observation": observation, "horizon": 8},
        context=context(programs, environment),
        config=config,
        stream_mode="updates",
    ):
        if environment.done:
            break
    return graph, config


def test_it_goes_on_from_a_checkpoint() -> None:
    environment, programs = world(), known(file())
    graph, config = _interrupted(environment, programs)
    assert environment.done == ["look"]
    state = graph.invoke(None, context=context(programs, environment), config=config)
    assert environment.done == ["look", "pour tea for Ada"]
    assert state["won"]


@pytest.mark.parametrize("later", [(), (file(version=2),)])
def test_a_program_that_was_changed_meanwhile_hands_over(later: tuple[ProgramFile, ...]) -> None:
    environment = world()
    graph, config = _interrupted(environment, known(file()))
    state = graph.invoke(None, context=context(known(*later), environment), config=config)
    assert "serve-guest@1 is not in the library any more" in state["program"]["ended"]


def test_what_was_done_before_it_is_read_as_its_own_steps() -> None:
    running = new_program("serve-guest@1", 1)
    state = new_state(TASK, "The hall.", "one", 8)
    state["history"] = [["look", ANSWERS["look"][0], True]]
    environment = world()
    change, _ = following.follow(state, running, context(known(file()), environment))
    assert environment.done == ["pour tea for Ada"]
    assert change["program"]["steps"] == ["pour"]
