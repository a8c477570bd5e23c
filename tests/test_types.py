"""Types of the ontology: they grow with what is learned, and what is done stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import review_library
from command_line import run
from hypothesis import given
from hypothesis import strategies as st
from invented_worlds import burrow_demonstration, ruin_demonstration
from macla.adapters.git.install import install
from macla.adapters.session import LibrarySession
from macla.evals.alfworld.expert import demonstrate
from macla.evals.alfworld.generator import generate_games
from macla.procedures.checks.versions import changed_versions
from macla.procedures.documents.yaml_dump import dump_yaml
from macla.procedures.episodes.trajectories import Trajectory, write_trajectories
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.files.notes import _notes_by_library
from macla.procedures.learning.learner import learn
from macla.procedures.learning.pruning import prune
from macla.procedures.learning.several_worlds import learn_worlds
from macla.procedures.learning.store_learned import store
from macla.procedures.library.library import Library, validate_library
from macla.procedures.method.settings import Method
from macla.procedures.model.parameter_types import resolved
from macla.procedures.model.procedure import Entities, Ontology, Parameter, Procedure
from macla.procedures.model.semantics import unknown_types
from macla.procedures.model.types_files import TypesFile, divided, united
from macla.procedures.proposals.apply import accept, is_applied
from macla.procedures.proposals.learned import propose_learned
from macla.procedures.proposals.proposal import make_proposal
from macla.procedures.proposals.proposal_words import described
from macla.procedures.proposals.rebase import merge_documents
from macla.procedures.refinement.bayes_factors import Table
from macla.procedures.refinement.situation_splits import specialised
from macla.procedures.refinement.suggestion import Effect, Suggestion
from macla.procedures.sharing.exchange import open_evidence, write_lock
from review_library import git, make_git

nobodys_settings = review_library.nobodys_settings
pytestmark = pytest.mark.usefixtures("plans_only")

TAKE = {
    "kind": "procedure",
    "id": "take",
    "version": 1,
    "goal": "take {x} from {y}",
    "parameters": {
        "x": {"source": "search", "via": "y", "type": "take.x"},
        "y": {"source": "place", "type": "places"},
    },
    "steps": [{"do": "take {x} from {y}"}],
}
WORDS = {
    "kind": "ontology",
    "version": 1,
    "entities": {"shape": "kind and number", "kinds": ["cup", "mug", "shelf"]},
    "types": {"places": ["shelf"], "take.x": ["cup", "mug"]},
}
CUPS = {"source": "given", "kinds": ["cup", "mug"]}
LISTING = """\
kind: procedure
id: {id}
version: 3
goal: {id} {{x}}
parameters:
  # what one takes
  x:
    source: given
    kinds: [mug, cup]  # and nothing else
steps:
  - do: {id} {{x}}
"""


@pytest.fixture
def library(tmp_path: Path) -> Library:
    made = Library.create(tmp_path / "lib", domain="kitchen", embedding="static")
    made.write_all([Procedure.from_document(TAKE)], ontology=Ontology.from_document(WORDS))
    return made


def taught(root: Path, shown: Sequence[Trajectory]) -> Library:
    library = (
        Library.open(root)
        if root.exists()
        else Library.create(root, domain="invented", embedding="static")
    )
    with Ledger.memory() as ledger:
        store(library, ledger, learn_worlds(shown, learn))
    return library


def files(library: Library) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in library.path.glob("procedures/*.yaml")}


def test_more_demonstrations_change_no_procedure_that_does_the_same(tmp_path: Path) -> None:
    shown = [demonstrate(game.game()) for game in generate_games(50, seed=0)]
    before = files(taught(tmp_path / "lib", shown[:10]))
    small = Library.open(tmp_path / "lib")
    after = taught(tmp_path / "lib", shown)
    steady = {
        f"{name}.yaml"
        for name, old in small.procedures.items()
        if (old.steps, old.preconditions, old.postconditions)
        == (
            (new := after.procedures[name]).steps,
            new.preconditions,
            new.postconditions,
        )
    }
    assert len(steady) > 2
    assert {n: files(after)[n] for n in steady} == {n: before[n] for n in steady}
    assert all(small.procedures[n.removesuffix(".yaml")].version == 1 for n in steady)
    types = after.ontology.types
    assert all({*kinds} <= {*types[name]} for name, kinds in small.ontology.types.items())
    assert sum(map(len, types.values())) > 1.5 * sum(map(len, small.ontology.types.values()))
    assert all(list(kinds) == sorted(kinds) for kinds in types.values())
    for procedure in after.procedures.values():
        for name, each in procedure.parameters.items():
            assert (each.type, each.kinds) == (f"{procedure.id}.{name}", ())


def test_the_loop_knows_the_kinds_of_a_type(library: Library) -> None:
    with LibrarySession.open(library.path) as session:
        knowledge = session.knowledge()
    assert knowledge.procedures["take"].parameters["x"].kinds == ("cup", "mug")
    assert library.procedures["take"].parameters["x"].kinds == ()
    listing = {"x": Parameter("given", kinds=("a",))}
    item = Procedure("one", 1, "one {x}", (), listing)
    assert resolved(item, library.ontology.types) is item


def test_each_world_has_types_of_its_own(tmp_path: Path) -> None:
    shown = [
        *(burrow_demonstration(seed) for seed in range(24)),
        *(ruin_demonstration(seed) for seed in range(18)),
    ]
    library = taught(tmp_path / "lib", shown)
    first, *others = library.ontology.by_world.items()
    assert others
    for world, words in (first, *others):
        own = [each for each in library.procedures.values() if each.world == world]
        named = {p.type for each in own for p in each.parameters.values() if p.type}
        assert named == {*words.types} != set()
    assert [found for found in validate_library(library.path) if "type" in found.message] == []


def test_an_unknown_type_is_an_error_with_file_line_and_key(library: Library) -> None:
    file = library.path / "procedures" / "take.yaml"
    file.write_text(file.read_text().replace("take.x", "take.xx"))
    told = run("check", library.path)
    assert told.exit_code == 1
    message = "the ontology has no type 'take.xx'; did you mean 'take.x'?"
    assert f"{file}:6: error: parameters.x.type: {message}" in told.output
    unused = "kinds: no procedure or plan has a parameter of this type"
    assert f"types/take.yaml:3: warning: {unused}" in told.output
    file.write_text(file.read_text().replace("type: places", "type: place"))
    line = 1 + (library.path / "ontology.yaml").read_text().splitlines().index("  places:")
    unused = "types.places: no procedure or plan has a parameter of this type"
    assert f"ontology.yaml:{line}: warning: {unused}" in run("check", library.path).output
    # Procedures and words are merged in any order, so the library opens.
    opened = Library.open(library.path)
    assert opened.procedures["take"].parameters["x"].type == "take.xx"


def test_kinds_beside_a_type_are_refused(library: Library) -> None:
    file = library.path / "procedures" / "take.yaml"
    file.write_text(file.read_text().replace("type: take.x}", "type: take.x, kinds: [cup]}"))
    (found,) = (f for f in validate_library(library.path) if f.severity == "error")
    assert (found.file, found.line) == (file, 6)
    assert found.message == "must not stand beside a 'type', which says the same"


def test_migrating_moves_what_was_learned_into_types(library: Library) -> None:
    root = library.path
    for name, end in (("own", ""), ("held", "locked: true\n"), ("wash", "")):
        (root / "procedures" / f"{name}.yaml").write_text(LISTING.format(id=name) + end)
    learned = "provenance: {learned_from: 3 segments of demonstrations}\n"
    for name in ("held", "wash"):
        file = root / "procedures" / f"{name}.yaml"
        file.write_text(file.read_text() + learned)
    words = root / "ontology.yaml"
    listed = "# of things\ntypes:\n  held.x:\n    - cup\n"
    words.write_text(words.read_text().replace("types:\n", listed))
    before = Library.open(root).procedures
    told = run("migrate", root).output
    assert "procedures/wash.yaml: the kinds of 1 parameters are types" in told
    assert "types/wash.yaml: the kinds of 1 parameters are types" in told
    assert "ontology.yaml: 1 lists of kinds are files in types/" in told
    text = (root / "procedures" / "wash.yaml").read_text()
    assert "# what one takes" in text
    assert "type: wash.x" in text
    assert "# of things\ntypes:\n" in words.read_text()
    after = Library.open(root)
    assert after.ontology.types["wash.x"] == ("cup", "mug")
    assert after.ontology.types["held.x"] == ("cup",)
    assert "held.x" not in words.read_text()
    assert after.procedures["wash"].version == 3
    for name in ("own", "held"):
        assert after.procedures[name].parameters == before[name].parameters
    assert "is written so already" in run("migrate", root).output
    warned = json.loads(run("check", root, "--json").stdout)["findings"]
    assert not [each for each in warned if each["rule"] == "version"]


def test_another_machine_believes_what_was_brought_over(library: Library) -> None:
    learned = {"learned_from": "3 segments of demonstrations"}
    listing = {**TAKE, "id": "wash", "goal": "wash {x}", "parameters": {"x": {**CUPS}}}
    listing |= {"steps": [{"do": "wash {x}"}], "provenance": learned}
    library.write_all([Procedure.from_document(listing)])
    notes = library.path / ".macla" / "notes.jsonl"
    before = notes.read_bytes()
    assert run("migrate", library.path).exit_code == 0
    notes.write_bytes(before)  # what the other machine noted when it had the file with its list
    _notes_by_library.clear()
    for _ in range(2):
        found = json.loads(run("check", library.path, "--json").stdout)["findings"]
        assert not [each for each in found if each["rule"] == "version"]
        with open_evidence(library.path) as ledger:
            write_lock(Library.open(library.path), ledger)
    notes.unlink()
    _notes_by_library.clear()
    assert not [*changed_versions(library.path, Library.open(library.path).contents)]


@pytest.mark.parametrize("driver", [True, False], ids=["driver", "plain git"])
def test_two_clones_that_learned_merge_without_a_conflict(tmp_path: Path, driver: bool) -> None:
    shown = [burrow_demonstration(seed) for seed in range(30)]
    top = tmp_path / "ada"
    git(tmp_path, "init", "-q", "-b", "main", "ada")
    clones = {top: shown[:4], tmp_path / "ben": shown[4:16], tmp_path / "cyd": shown[16:]}
    for folder, own in clones.items():
        if folder != top:
            git(tmp_path, "clone", "-q", "ada", folder.name)
        for key, value in (("name", folder.name), ("email", f"{folder.name}@example.org")):
            git(folder, "config", f"user.{key}", value)
        episodes = tmp_path / f"{folder.name}.jsonl"
        write_trajectories(episodes, own)
        told = run("learn", episodes, "--library", folder / "lib", "--policy", "auto")
        assert told.exit_code == 0, told.output
        if driver:
            install(folder / "lib")
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "--allow-empty", "-m", "what was learned")
    base, ben, cyd = (Library.open(folder / "lib") for folder in clones)
    assert base.ontology.types != ben.ontology.types != cyd.ontology.types
    assert files(base) == files(ben) == files(cyd)
    git(tmp_path / "ben", "pull", "-q", "--no-rebase", "--no-edit", str(tmp_path / "cyd"), "main")
    ben.refresh()
    for own in (base.ontology.types, cyd.ontology.types):
        assert all({*kinds} <= {*ben.ontology.types[name]} for name, kinds in own.items())
    assert [f for f in validate_library(ben.path) if f.severity == "error"] == []


_NAMES = st.sampled_from(["cup", "mug", "shelf", "oak chest", "no", "7"])
_KINDS = st.lists(_NAMES, max_size=3, unique=True).map(lambda kinds: tuple(sorted(kinds)))
_TYPES = st.dictionaries(
    st.sampled_from(["take.x", "take.y", "a.b.z", "entities.x", "tools", "Own", "take.x-y"]),
    _KINDS,
    max_size=4,
).map(lambda types: dict(sorted(types.items())))


@st.composite
def _words(draw: st.DrawFn) -> Ontology:
    types = draw(_TYPES)
    kinds = {*draw(_KINDS)}.union(*types.values())
    return Ontology(entities=Entities(kinds=tuple(sorted(kinds))), types=types)


@given(_words(), st.dictionaries(st.sampled_from(["shop", "entities"]), _words(), max_size=2))
def test_words_are_divided_into_files_and_united_again(
    first: Ontology, worlds: dict[str, Ontology]
) -> None:
    ontology = replace(first, worlds=worlds)
    words, files = divided(ontology)
    read = {name: TypesFile.from_document(each.to_document()) for name, each in files.items()}
    assert read == files
    assert all(name == each.id for name, each in files.items())
    again = united(words, read.values())
    assert again.to_document() == ontology.to_document()
    assert divided(again) == (words, files)


def test_lines_of_both_sides_count_once_in_any_order() -> None:
    lines = [{"x": "mug"}, "shelf", {"x": "cup"}, {"x": "mug"}, "shelf"]
    file = TypesFile.from_document({"kind": "types", "of": "take", "kinds": lines})
    assert (file.kinds, file.entities) == ({"x": ("cup", "mug")}, ("shelf",))


def test_an_ontology_that_lists_kinds_itself_is_read_and_proposals_of_it_hold(
    library: Library,
) -> None:
    """What an earlier macla wrote, and what it proposed."""
    root = library.path
    for file in (root / "types").iterdir():
        file.unlink()
    (root / "ontology.yaml").write_text(dump_yaml(WORDS))
    library.refresh()
    assert library.ontology.types["take.x"] == ("cup", "mug")
    more = {**WORDS, "version": 2, "types": {**WORDS["types"], "take.x": ["bowl", "cup"]}}  # type: ignore[dict-item]
    proposal = make_proposal("ontology", "x", target="ontology", old=[WORDS], new=[more])
    with Ledger.memory() as ledger:
        assert not is_applied(library, proposal)
        accept(library, ledger, proposal)
        assert is_applied(library, proposal)
    assert library.ontology.types["take.x"] == ("bowl", "cup")
    assert "take.x" not in (root / "ontology.yaml").read_text()
    assert validate_library(root) == []


def test_a_file_of_types_that_does_not_fit_is_told(library: Library) -> None:
    file = library.path / "types" / "take.yaml"
    file.write_text("kind: types\nof: take\nkinds:\n  - x: [cup]\n")
    (fault,) = (f for f in validate_library(library.path) if f.severity == "error")
    assert (fault.file, fault.line) == (file, 4), "and nothing is said of what it would list"
    file.write_text("kind: types\nof: took\nkinds: []\n")
    told = [f.message for f in validate_library(library.path) if f.file == file]
    assert told == [
        "the types are of 'took', but the file is called take.yaml (rename one of them)"
    ]
    file.write_text("kind: types\nof: take\nworld: shop\nkinds:\n  - x: cup\n  - x: mug\n")
    (warning,) = validate_library(library.path)
    assert (warning.severity, warning.file, warning.line) == ("warning", file, 3)
    assert warning.message == "ontology.yaml has no world 'shop', so these are kinds of the first"


def test_both_sides_may_add_to_a_type() -> None:
    one = {**WORDS, "types": {**WORDS["types"], "take.x": ["bowl", "cup", "mug"]}}  # type: ignore[dict-item]
    other = {**WORDS, "types": {"places": ["shelf"], "take.x": ["cup", "jar", "mug"], "z": ["a"]}}
    merged = merge_documents(WORDS, one, other, renumber=False)
    assert merged.conflicts == ()
    types = Ontology.from_document(merged.document).types
    assert types == {"places": ("shelf",), "take.x": ("bowl", "cup", "jar", "mug"), "z": ("a",)}


def test_a_proposal_tells_what_a_type_has_more(tmp_path: Path) -> None:
    shown = [burrow_demonstration(seed) for seed in range(30)]
    library = taught(tmp_path / "lib", shown[:6])
    with Ledger.memory() as ledger:
        made = propose_learned(library, ledger, learn(shown))
    words = next(each for each in made if each.change == "ontology")
    more = [line.strip() for line in described(words).splitlines() if "type " in line]
    assert any(line.startswith("type grab-out-of.x: + ") for line in more)
    assert not [each for each in made if {*each.changed} & {*library.procedures}]


def test_a_new_procedure_needs_the_words_and_is_told_with_its_kinds(tmp_path: Path) -> None:
    lib, episodes = tmp_path / "repo" / "lib", tmp_path / "burrow.jsonl"
    make_git(lib.parent)
    write_trajectories(episodes, [burrow_demonstration(seed) for seed in range(6)])
    run("learn", episodes, "--library", lib, "--policy", "review")
    told = run("proposals", "show", lib, "grab-out-of").output
    assert "of type grab-out-of.x: " in told
    assert "Needs: ontology-" in told
    run("proposals", "accept", lib, "--all")
    shown = run("show", lib, "grab-out-of").output
    kinds = Library.open(lib).ontology.types["grab-out-of.x"]
    assert f"grab-out-of.x: {', '.join(kinds)}\n" in shown


def test_a_variant_lists_its_kinds_and_shares_the_other_types() -> None:
    procedure, cups = Procedure.from_document(TAKE), 'kind({x}) in ["cup"]'
    document = procedure.to_document()
    document["steps"] = [{"do": "open {y}", "when": cups}, *document["steps"]]
    effect = Effect((cups,), Table(9, 0, 0, 9), 1.0)
    found = Suggestion("missing_step", document, "", effect, (), (), guard=cups)
    made = specialised(procedure, found, effect).document
    assert made["steps"] == [{"do": "open {y}"}, *TAKE["steps"]]
    assert made["parameters"] == {
        "x": {"source": "search", "via": "y", "kinds": ["cup"]},
        "y": {"source": "place", "type": "places"},
    }


def test_a_type_goes_with_what_named_it_and_peoples_own_stays(library: Library) -> None:
    library.write_all(
        ontology=Ontology.from_document({**WORDS, "types": {**WORDS["types"], "tools": ["saw"]}})  # type: ignore[dict-item]
    )
    learned = Procedure.from_document({**TAKE, "provenance": {"learned_from": "3 episodes"}})
    library.write_all([learned])
    method = Method.from_settings({"capacity": {"procedures": 1, "metas": 1}})
    other = {**TAKE, "id": "own", "goal": "own {x} from {y}"}
    library.write_all([Procedure.from_document(other)])
    with Ledger.memory() as ledger:
        assert prune(library, ledger, method) == ["take"]
    assert library.ontology.types.keys() == {"places", "take.x", "tools"}, "own names take.x"


@pytest.mark.parametrize("text", ["kind: ontology\nversion: 1\ntypes:\n  take.x: cup\n", None])
def test_where_the_words_cannot_be_read_nothing_is_said_of_types(
    library: Library, text: str | None
) -> None:
    file = library.path / "ontology.yaml"
    if text is None:
        file.unlink()
    else:
        file.write_text(text)
    told = run("check", library.path)
    assert str(file) in told.output
    assert "has no type" not in told.output


def test_a_type_of_another_world_is_told_and_a_sibling_is_not_offered(library: Library) -> None:
    take = library.procedures["take"]
    words = Ontology.from_document(
        {"kind": "ontology", "version": 1, "worlds": {"shop": {"types": {"take.x": ["cup"]}}}}
    )
    (issue, *_) = unknown_types([take], words)
    assert issue.message.endswith("it stands in the world 'shop'")
    other = Ontology.from_document({"kind": "ontology", "version": 1, "types": {"take.y": ["cup"]}})
    parameters = {"x": Parameter("given", type="take.x"), "y": Parameter("given", type="take.y")}
    (issue,) = unknown_types([replace(take, parameters=parameters)], other)
    assert issue.message.endswith("add its kinds to types/take.yaml")


def test_the_page_shows_files_that_are_valid(tmp_path: Path) -> None:
    page = (Path(__file__).parent.parent / "docs" / "library.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n(.*?)```", page, re.S)
    library = Library.create(tmp_path / "library", domain="kitchen", embedding="static")
    procedure, types = (
        next(text for text in blocks if f"kind: {kind}\n" in text)
        for kind in ("procedure", "types")
    )
    (library.path / "procedures" / "take-from.yaml").write_text(procedure, encoding="utf-8")
    (library.path / "types" / "take-from.yaml").write_text(types, encoding="utf-8")
    words = "".join(text for text in blocks if text.startswith(("entities:", "clusters:")))
    ontology = "kind: ontology\nversion: 1\n" + words
    (library.path / "ontology.yaml").write_text(ontology, encoding="utf-8")
    assert [each for each in validate_library(library.path) if each.severity == "error"] == []


def test_the_order_of_lines_and_one_twice_say_nothing(tmp_path: Path) -> None:
    library = review_library.make_library(tmp_path / "lib")
    library.write_all(ontology=Ontology(types={"fetch.x": ("mokka", "zib")}))
    file = library.path / "types" / "fetch.yaml"
    before = Library.open(library.path).content_hash
    head, _, lines = file.read_text().partition("kinds:\n")
    listed = lines.splitlines()
    file.write_text(f"{head}kinds:\n" + "\n".join([*reversed(listed), listed[0], ""]))
    assert Library.open(library.path).content_hash == before
