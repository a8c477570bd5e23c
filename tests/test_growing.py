"""A library that is taught again, and practised with: what it knew stays, or a warning says why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import run
from macla.adapters.teaching.reviewed_learning import teach_by_review
from macla.adapters.teaching.teaching import Teaching, teach
from macla.procedures.common.errors import LibraryError
from macla.procedures.episodes.trajectories import Trajectory, write_trajectories
from macla.procedures.evidence.ledger import Ledger, Outcome, OutcomeKind
from macla.procedures.learning.episode_buffer import digest
from macla.procedures.learning.online import OnlineLearner, OnlineSettings
from macla.procedures.learning.provenance import OWN_PLAY
from macla.procedures.learning.taught import (
    TAUGHT,
    keep_taught,
    read_taught,
    read_without_plans,
)
from macla.procedures.library.library import Library
from macla.procedures.proposals.policy import Policy
from macla.procedures.proposals.trust import propose_status

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lea")


def greet(name: str, done: str = "say hello to {}") -> Trajectory:
    acts = (f"{done.format(name)}",)
    return Trajectory(f"Greet {name}.", ("A door opens.", "Hands are shaken."), acts, success=True)


def seal(code: int, source: str = "") -> Trajectory:
    acts = (f"lock crate {code}", f"seal crate {code}")
    obs = (f"There is a crate {code}.", f"The crate {code} clicks.", f"The crate {code} is shut.")
    return Trajectory(f"Ship the crate {code}.", obs, acts, success=True, source=source)


GREETED = [greet(name) for name in NAMES]
SHIPPED = [seal(code) for code in range(11, 23)]


def taught(path: Path, shown: Sequence[Trajectory]) -> Teaching:
    return teach(path, shown, domain="desk")


def statuses(path: Path) -> dict[str, tuple[str, int]]:
    return {n: (p.status, p.version) for n, p in Library.open(path).programs.items()}


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A library of greetings alone."""
    done = taught(tmp_path / "lib", GREETED)
    assert (done.before, done.warnings) == (0, ())
    assert statuses(done.library) == {"greet-program": ("active", 1)}
    return done.library


@pytest.mark.parametrize("there", [False, True])
def test_two_who_learn_at_once_lose_nothing(tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "lib"
    if there:
        taught(folder, GREETED[:6])
    others = iter([SHIPPED])

    def meanwhile(stage: str) -> None:
        if stage == "writing" and (shown := next(others, None)) is not None:
            taught(folder, shown)

    done = teach(folder, GREETED, domain="desk", stage=meanwhile)
    assert (done.created, done.episodes) == (False, len(GREETED) + len(SHIPPED))
    assert statuses(folder).keys() == {"greet-program", "ship-the-crate-program"}
    assert [*tmp_path.iterdir()] == [folder]


def test_who_is_overtaken_for_ever_is_told_what_to_do(tmp_path: Path) -> None:
    folder = tmp_path / "lib"
    names = iter(range(1000))

    def meanwhile(stage: str) -> None:
        if stage == "writing":
            taught(folder, [greet(f"guest {next(names)}")])

    with pytest.raises(LibraryError, match="run the same command again"):
        teach(folder, GREETED[:3], domain="desk", stage=meanwhile)


def test_another_kind_of_task_is_added(library: Path) -> None:
    done = taught(library, SHIPPED)
    assert statuses(library) == {
        "greet-program": ("active", 1),
        "ship-the-crate-program": ("active", 1),
    }
    assert (done.episodes, done.before, done.warnings) == (24, 12, ())
    assert read_taught(Library.open(library)) == [*GREETED, *SHIPPED]


def test_few_demonstrations_more_do_not_replace_many(library: Path) -> None:
    done = taught(library, [GREETED[0], greet("Mia"), greet("Ned")])
    assert statuses(library) == {"greet-program": ("active", 1)}
    assert (done.episodes, done.warnings) == (14, ())


def test_a_program_keeps_its_id_when_another_wording_is_the_most_frequent(library: Path) -> None:
    names = [*NAMES, *(f"{name}o" for name in NAMES)]
    taught(library, [replace(greet(name), task=f"Please do greet {name} now.") for name in names])
    assert list(statuses(library)) == ["greet-program"]
    assert Library.open(library).programs["greet-program"].reads("Please do greet Zoe now.")


def test_a_program_that_demonstrations_contradict_is_withdrawn_with_a_warning(
    library: Path, tmp_path: Path
) -> None:
    against = [greet(name, "bow {} out") for name in NAMES]
    write_trajectories(tmp_path / "desk.jsonl", against)
    result = run("learn", tmp_path / "desk.jsonl", "--library", library)
    assert result.exit_code == 0
    assert "the program greet-program was active and is a draft now" in " ".join(
        result.stderr.split()
    )
    assert statuses(library)["greet-program"][0] == "draft"


def test_what_is_not_at_hand_is_not_judged_by_what_is(library: Path) -> None:
    (library / TAUGHT).unlink()
    before = Library.open(library).programs["greet-program"]
    done = taught(library, [greet(name, "bow {} out") for name in NAMES])
    assert Library.open(library).programs["greet-program"] == before
    (warning,) = done.warnings
    assert "not here, so they stay as they are" in warning
    assert warning.endswith(": greet-program")


def contents(path: Path) -> dict[str, object]:
    known = Library.open(path)
    return {name: item.to_document() for name, item in {**known.procedures, **known.metas}.items()}


def shipping(path: Path) -> dict[str, object]:
    """Teach plans of shipping, and lose the episodes as a clone has none of them."""
    teach(path, [seal(1), seal(2)], domain="desk", without=("programs",))
    (path / TAUGHT).unlink()
    shipped = contents(path)
    assert shipped
    return shipped


def test_what_was_learned_elsewhere_stays(tmp_path: Path) -> None:
    path = tmp_path / "lib"
    shipped = shipping(path)
    words = Library.open(path).ontology
    for number, episodes in enumerate((GREETED[:6], GREETED[6:])):
        done = teach(path, episodes, domain="desk", without=("programs",))
        after = contents(path)
        assert shipped.items() <= after.items(), number
        assert len(after) > len(shipped), number
        assert all(name in done.warnings[0] for name in shipped), number
    assert words.operators.keys() <= Library.open(path).ontology.operators.keys()
    assert {*words.entities.kinds} <= {*Library.open(path).ontology.entities.kinds}


def test_under_review_nothing_is_retired_for_episodes_that_are_not_here(tmp_path: Path) -> None:
    path = tmp_path / "lib"
    shipped = shipping(path)
    for policy in ("review", "auto"):
        done = teach_by_review(path, GREETED, domain="desk", policy=policy)
        assert "retire" not in {each.proposal.change for each in done.placed}
        assert shipped.items() <= contents(path).items()


def test_what_a_colleague_added_stays(tmp_path: Path) -> None:
    path, other = tmp_path / "lib", tmp_path / "other"
    teach(path, GREETED, domain="desk", without=("programs",))
    shipped = shipping(other)
    arrived = Library.open(other)  # as by a pull
    Library.open(path).write_all(arrived.procedures.values(), arrived.metas.values())
    teach(path, [greet("Mia")], domain="desk", without=("programs",))
    assert shipped.items() <= contents(path).items()


def test_replace_lets_go_and_names_it(tmp_path: Path) -> None:
    path = tmp_path / "lib"
    shipped = shipping(path)
    write_trajectories(tmp_path / "desk.jsonl", GREETED)
    result = run("learn", tmp_path / "desk.jsonl", "--library", path, "--replace")
    assert result.exit_code == 0
    assert shipped.keys().isdisjoint(contents(path))
    assert all(name in result.stderr for name in shipped)


def test_what_is_learned_is_proposed_where_the_library_is_under_review(tmp_path: Path) -> None:
    path = tmp_path / "lib"
    first = teach_by_review(path, GREETED, domain="desk")
    assert [each.proposal.title for each in first.placed] == ["Add greet-program"]
    assert not Library.open(path).programs
    again = teach_by_review(path, SHIPPED, domain="desk", policy="auto")
    assert [each.note for each in again.placed] == ["accepted", "accepted"]
    assert statuses(path) == {
        "greet-program": ("active", 1),
        "ship-the-crate-program": ("active", 1),
    }
    assert not teach_by_review(path, SHIPPED, domain="desk", policy="auto").placed
    assert not Library.open(path).metas


def test_a_task_that_a_program_does_is_explained(library: Path) -> None:
    result = run("trace", "--task", "Greet Zoe.", "--library", library)
    assert result.exit_code == 0
    assert "chosen: greet-program@1 (program)" in result.stdout
    result = run("trace", "--task", "Greet Zoe.", "--library", library, "--json")
    assert json.loads(result.stdout)["chosen"] == "greet-program@1"


def practised(path: Path, ledger: Ledger, played: Iterable[Trajectory]) -> OnlineLearner:
    online = OnlineLearner(Library.open(path), ledger, settings=OnlineSettings(every=1))
    for each in played:
        online.add(each)
    online.relearn()
    return online


PLAYED = [seal(code, OWN_PLAY) for code in range(31, 37)]


def test_practice_learns_no_plan_of_what_a_program_is_trusted_with(library: Path) -> None:
    taught(library, SHIPPED)
    with Ledger.memory() as ledger:
        practised(library, ledger, PLAYED)
    known = Library.open(library)
    assert not known.metas
    assert not known.procedures
    assert known.programs["ship-the-crate-program"].status == "active"


@pytest.mark.parametrize("status", ["draft", "retired"])
def test_practice_learns_plans_where_a_program_is_not_used(library: Path, status: str) -> None:
    taught(library, SHIPPED)
    file = library / "programs" / "ship-the-crate-program.yaml"
    file.write_text(file.read_text() + f"status: {status}\n")
    with Ledger.memory() as ledger:
        practised(library, ledger, PLAYED)
    known = Library.open(library)
    assert known.metas
    assert "ship-the-crate-program" in known.programs
    assert not [p for p in known.metas.values() if "greet" in p.goal.lower()]


def test_practice_learns_plans_where_a_program_fails(library: Path) -> None:
    taught(library, SHIPPED)
    with Ledger.memory() as ledger:
        ledger.record(
            Outcome.of_sums(
                f"r{n}",
                ("program", "ship-the-crate-program", 1, ""),
                (0.0, 1.0),
                "2026-01-01T00:00:00+00:00",
            )
            for n in range(3)
        )
        practised(library, ledger, PLAYED)
    assert Library.open(library).metas


def test_practice_learns_no_plan_of_what_plans_end_wrongly(tmp_path: Path) -> None:
    path = tmp_path / "lib"
    teach(path, [*GREETED, *SHIPPED], domain="desk", without=("programs",))
    keep_taught(path, [*GREETED, *SHIPPED], [digest(each) for each in SHIPPED])
    with Ledger.memory() as ledger:
        online = practised(path, ledger, ())
        assert online.demonstrations == 24
    assert not [m for m in Library.open(path).metas.values() if "crate" in m.goal]
    assert len(read_without_plans(path)) == 12


def test_what_practice_taught_stays_when_more_is_demonstrated(library: Path) -> None:
    with Ledger.memory() as ledger:
        practised(library, ledger, PLAYED)
    plans = {plan.goal for plan in Library.open(library).metas.values()}
    assert plans
    done = taught(library, [greet("Mia"), greet("Ned")])
    assert {plan.goal for plan in Library.open(library).metas.values()} == plans
    assert done.warnings == ()


def knowing(tmp_path: Path, counts: tuple[float, float]) -> Path:
    """A library under review with a plan that its episodes do not teach any more."""
    path = tmp_path / "lib"
    teach(path, [seal(1), seal(2)], domain="desk", without=("programs",))
    names = [*Library.open(path).metas]
    keep_taught(path, GREETED, replacing=contents_of(path))
    good, bad = counts
    kind = OutcomeKind.SUCCESS if good else OutcomeKind.EXECUTION_FAILED
    with Ledger.open(path / ".macla" / "evidence.db") as ledger:
        ledger.record(
            Outcome("played", step, "meta", name, 1, kind, good, bad, "2026")
            for step, name in enumerate(names)
        )
    return path


def contents_of(path: Path) -> list[str]:
    library = Library.open(path)
    return [*library.procedures, *library.metas]


@pytest.mark.parametrize("policy", ["review", "auto"])
def test_what_is_not_shown_any_more_goes_only_by_its_own_evidence(
    tmp_path: Path, policy: Policy
) -> None:
    path = knowing(tmp_path, (3.0, 0.0))
    before = contents(path)
    done = teach_by_review(path, GREETED, domain="desk", policy=policy)
    assert "retire" not in {each.proposal.change for each in done.placed}
    assert before.items() <= contents(path).items()


def test_what_surely_fails_goes_by_its_evidence_whatever_is_learned(tmp_path: Path) -> None:
    path = knowing(tmp_path, (0.0, 40.0))
    done = teach_by_review(path, GREETED, domain="desk", policy="review")
    assert "retire" not in {each.proposal.change for each in done.placed}
    library = Library.open(path)
    with Ledger.open(path / ".macla" / "evidence.db") as ledger:
        gone = [each for each in propose_status(library, ledger) if each.change == "retire"]
    assert gone
    assert all("failed 40 times" in proposal.rationale for proposal in gone)


def test_all_that_is_replaced_goes(tmp_path: Path) -> None:
    path = knowing(tmp_path, (3.0, 0.0))
    done = teach_by_review(path, GREETED, domain="desk", policy="review", replace_all=True)
    assert "retire" in {each.proposal.change for each in done.placed}
