"""What was learned, put into a library where people locked files."""

from __future__ import annotations

import pytest
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.evidence.ledger_rows import DEMONSTRATIONS
from macla.procedures.learning.learner import Learned
from macla.procedures.learning.search_counts import SearchCount
from macla.procedures.learning.store_learned import planned, store
from macla.procedures.library.library import Library, validate_library

ONTOLOGY = {
    "kind": "ontology",
    "version": 1,
    "entities": {"shape": "kind and number", "kinds": ["lid"]},
    "operators": {"pry": {"frames": ["pry {0}"], "effect": "acts"}},
}


def procedure(name, **changes):
    return {
        "kind": "procedure",
        "id": name,
        "version": 1,
        "goal": f"{name} {{x}}",
        "parameters": {"x": {"source": "choice", "kinds": ["lid"]}},
        "steps": [{"do": f"{name} {{x}}"}],
        "provenance": {"learned_from": "3 segments of demonstrations"},
        **changes,
    }


def meta(name, run, **changes):
    return {
        "kind": "meta",
        "id": name,
        "version": 1,
        "goal": f"{name} {{a}}",
        "parameters": {"a": {"source": "task"}, "x1": {"source": "entity", "of": "a"}},
        "plan": [{"run": f"{run}", "with": {"x": "x1"}}],
        "provenance": {"learned_from": "3 demonstrations"},
        **changes,
    }


def learned(procedures=(), metas=(), **more):
    procedures, metas = {d["id"]: d for d in procedures}, {d["id"]: d for d in metas}
    return Learned(
        procedures=procedures,
        metas=metas,
        **{
            "ontology": ONTOLOGY,
            "procedure_counts": dict.fromkeys(procedures, (10.0, 0.0)),
            "meta_counts": dict.fromkeys(metas, (9.0, 1.0)),
            **more,
        },
    )


CHANGED = {"steps": [{"do": "pry {x}", "expect": "The {x} opens."}]}


@pytest.fixture
def library(tmp_path):
    return Library.create(tmp_path / "library", domain="lids", embedding="static")


@pytest.fixture
def ledger():
    with Ledger.memory() as opened:
        yield opened


def lock(library, name):
    path = library.path / name
    path.write_text(path.read_text() + "locked: true\n# kept by hand\n")
    return path, path.read_bytes()


def counted(library, ledger):
    run = library.settings.settings["evidence_from"]
    return ledger.counts(superseded=(DEMONSTRATIONS, run))


def sound(library):
    return [found for found in validate_library(library.path) if found.severity == "error"] == []


def test_a_locked_procedure_that_is_not_learned_again_stays(library, ledger):
    store(library, ledger, learned([procedure("pry"), procedure("zip")], [meta("a", "pry")]))
    path, text = lock(library, "procedures/zip.yaml")
    store(library, ledger, learned([procedure("pry")], [meta("a", "pry")]))
    assert sorted(library.procedures) == ["pry", "zip"]
    assert path.read_bytes() == text


def test_what_people_wrote_stays_when_it_is_not_learned_again(library, ledger):
    own, plan = procedure("wipe", provenance={}), meta("wiped", "wipe", provenance={})
    store(library, ledger, learned([procedure("pry"), own], [plan]))
    store(library, ledger, learned([procedure("zip")]))
    assert set(library.procedures) == {"wipe", "zip"}
    assert set(library.metas) == {"wiped"}
    assert library.procedures["wipe"].version == 1


def test_what_is_not_locked_and_not_learned_again_goes(library, ledger):
    store(library, ledger, learned([procedure("pry"), procedure("zip")], [meta("a", "zip")]))
    store(library, ledger, learned([procedure("pry")], [meta("b", "pry")]))
    assert (sorted(library.procedures), sorted(library.metas)) == (["pry"], ["b"])


@pytest.mark.parametrize("again", [True, False])
@pytest.mark.parametrize(
    "procedures", [[procedure("pry", **CHANGED)], [procedure("zip")]], ids=["changed", "gone"]
)
def test_a_locked_plan_and_all_it_runs_stay(library, ledger, procedures, again):
    store(library, ledger, learned([procedure("pry")], [meta("a", "pry")]))
    path, text = lock(library, "meta/a.yaml")
    run = (library.path / "procedures/pry.yaml").read_bytes()
    name = procedures[0]["id"]
    store(library, ledger, learned(procedures, [meta("a" if again else "b", name)]))
    assert path.read_bytes() == text
    assert (library.path / "procedures/pry.yaml").read_bytes() == run
    assert library.metas["a"].plan[0].run == "pry"
    assert ("b" in library.metas) is not again
    assert sound(library)


def test_a_locked_procedure_stays_while_plans_that_run_it_are_learned(library, ledger):
    store(library, ledger, learned([procedure("pry")], [meta("a", "pry")]))
    path, text = lock(library, "procedures/pry.yaml")
    store(library, ledger, learned([procedure("pry", **CHANGED)], [meta("b", "pry")]))
    assert path.read_bytes() == text
    assert library.metas["b"].plan[0].run == "pry"


def test_a_plan_that_a_locked_procedure_does_not_fit_is_left_out(library, ledger):
    store(library, ledger, learned([procedure("pry")], [meta("a", "pry")]))
    lock(library, "procedures/pry.yaml")
    wider = procedure("pry", parameters={"y": {"source": "given"}}, goal="pry {y}")
    wider["steps"] = [{"do": "pry {y}"}]
    plan = meta("b", "pry", plan=[{"run": "pry", "with": {"y": "x1"}}])
    store(library, ledger, learned([wider], [plan]))
    assert not library.metas
    assert ("meta", "b", 1, "") not in counted(library, ledger)
    assert sound(library)


def test_an_id_that_a_locked_file_has_is_not_taken(library, ledger):
    store(library, ledger, learned([procedure("pry"), procedure("zip")], [meta("a", "pry")]))
    for name in ("meta/a.yaml", "procedures/zip.yaml"):
        lock(library, name)
    for _ in range(2):
        store(library, ledger, learned([procedure("a")], [meta("zip", "a")]))
        assert sorted(library.procedures) == ["a-2", "pry", "zip"]
        assert sorted(library.metas) == ["a", "zip-2"]
        assert library.metas["zip-2"].plan[0].run == "a-2"
    assert counted(library, ledger)["procedure", "a-2", 1, ""] == (10.0, 0.0)
    assert sound(library)


def test_a_locked_plan_keeps_the_operator_whose_text_it_follows(library, ledger):
    operators = {**ONTOLOGY["operators"], "peruse": {"frames": ["peruse {0}"], "effect": "reads"}}
    place = {"follow": "peruse"}
    plan = meta("a", "pry", plan=[place], parameters={}, goal="do as it says")
    reading = learned([procedure("pry")], [plan], ontology={**ONTOLOGY, "operators": operators})
    store(library, ledger, reading)
    lock(library, "meta/a.yaml")
    store(library, ledger, learned([procedure("pry")], [meta("b", "pry")]))
    assert sorted(library.metas) == ["a", "b"]
    assert sound(library)


def test_better_evidence_of_the_same_trajectories_takes_the_place_of_the_old(library, ledger):
    key = ("binding", "@search", 0, "mug|shelf")
    for good, bad in ((5, 5), (9, 1), (9, 1)):
        told = learned(
            [procedure("pry")],
            procedure_counts={"pry": (float(good), 0.0)},
            search=[SearchCount("@search", "mug|shelf", good, bad)],
        )
        store(library, ledger, told)
        assert counted(library, ledger)[key] == (good, bad)
        assert counted(library, ledger)["procedure", "pry", 1, ""] == (good, 0.0)
    assert len({row.run for row in ledger.rows()}) == 2


def test_learning_the_same_again_changes_nothing(library, ledger):
    told = learned([procedure("pry")], [meta("a", "pry")])
    assert store(library, ledger, told)
    before = (library.content_hash, ledger.total())
    assert store(library, ledger, told) == []
    assert (library.content_hash, ledger.total()) == before


def test_plans_for_one_goal_keep_their_ids_whatever_their_order(library, ledger):
    def plan(name, run):
        return {**meta(name, run), "goal": "lid {a}"}

    procedures = [procedure("pry"), procedure("zip")]
    store(library, ledger, learned(procedures, [plan("lid", "pry"), plan("lid-2", "zip")]))
    counts = {"lid": (3.0, 0.0), "lid-2": (1.0, 0.0)}
    again = [plan("lid", "zip"), plan("lid-2", "pry"), plan("lid-3", "pry")]
    store(library, ledger, learned(procedures, again, meta_counts=counts))
    assert [library.metas[name].plan[0].run for name in ("lid", "lid-2", "lid-3")] == [
        "pry",
        "zip",
        "pry",
    ]
    assert library.metas["lid"].version == library.metas["lid-2"].version == 1
    found = ledger.counts("meta", superseded=("learn:", library.settings.settings["evidence_from"]))
    assert found["meta", "lid", 1, ""] == (1.0, 0.0)
    assert found["meta", "lid-2", 1, ""] == (3.0, 0.0)


def test_a_known_plan_keeps_its_id_and_a_new_one_takes_nobodys(library, ledger):
    """The learner calls a second plan like the first, and a procedure has the id that is next."""

    def plan(name, run):
        return {**meta(name, run), "goal": "lid {a}"}

    def ways():
        return {name: each.plan[0].run for name, each in library.metas.items()}

    procedures = [procedure(name) for name in ("pry", "zip", "cut", "lid-3")]
    store(library, ledger, learned(procedures, [plan("lid", "pry"), plan("lid-2", "zip")]))
    store(library, ledger, learned(procedures, [plan("lid", "zip"), plan("lid-2", "lid-3")]))
    assert ways() == {"lid": "lid-3", "lid-2": "zip"}  # in the place of what is not learned again
    again = [plan("lid", "zip"), plan("lid-2", "lid-3"), plan("lid-4", "cut")]
    store(library, ledger, learned(procedures, again))
    assert ways() == {"lid": "lid-3", "lid-2": "zip", "lid-4": "cut"}
    assert sound(library)


def test_the_operator_of_what_stands_outlives_learning_that_does_not_show_it(library, ledger):
    act = {"frames": ["zip {0}"], "effect": "acts"}
    more = {"ontology": {**ONTOLOGY, "operators": {"zip": act}}}
    zipping = procedure("zip", steps=[{"do": "zip {x}"}])
    store(library, ledger, learned([procedure("pry"), zipping], **more))
    assert "zip" in library.ontology.operators
    plan = planned(library, learned([procedure("pry")]))
    assert "zip" in plan.ontology.operators
    assert "zip" not in planned(library, learned([procedure("pry")]), anew=True).ontology.operators
