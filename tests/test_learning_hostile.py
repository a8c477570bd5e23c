"""Actions in odd characters: text is data, wherever it comes to stand."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from invented_worlds import (
    Burrow,
    Ruin,
    burrow_demonstration,
    burrow_task,
    ruin_demonstration,
    ruin_task,
)
from macla.procedures.conditions.language import parse_condition
from macla.procedures.conditions.text_patterns import escape, quoted, renamed, unescape
from macla.procedures.conditions.text_patterns import instantiate as template
from macla.procedures.episodes.trajectories import Trajectory
from macla.procedures.evidence.ledger import Ledger
from macla.procedures.learning.learner import learn
from macla.procedures.learning.store_learned import store
from macla.procedures.library.library import Library, validate_library
from macla.procedures.words.lexicon import Lexicon, fill_frame, instantiate, slots

MARKS = {
    "slot": "{0}",
    "parameter": "{thing}",
    "brace": "}{",
    "quotes": '"%s"',
    "backslash": "\\",
    "escaped": "\\{0}\\*",
    "star": "*",
    "unicode": "→ż取",
    "bracket": "[(",
    "question": "?",
}


class Marked:
    """Another world, in which every action ends with odd characters."""

    def __init__(self, world, mark):
        self.world, self.mark = world, mark

    def reset(self, task):
        text, observation = self.world.reset(task)
        return text, f"{observation}\nA sign: {self.mark}."

    def step(self, action):
        bare = action.removesuffix(f" {self.mark}")
        observation, reward, done, info = self.world.step(bare if bare != action else "mumble")
        return f"{observation}\nA sign: {self.mark}.", reward, done, info


def marked(shown, mark):
    return Trajectory(
        shown.task,
        tuple(f"{text}\nA sign: {mark}." for text in shown.obs),
        tuple(f"{action} {mark}" for action in shown.acts),
        shown.success,
    )


@pytest.mark.parametrize("mark", MARKS.values(), ids=MARKS)
@pytest.mark.parametrize(
    ("world", "demonstrate", "make"),
    [(Burrow, burrow_demonstration, burrow_task), (Ruin, ruin_demonstration, ruin_task)],
    ids=["numbered", "phrases"],
)
def test_worlds_that_write_actions_oddly_are_learned_and_played(
    learn_small, mark, world, demonstrate, make
):
    small = learn_small([marked(demonstrate(seed), mark) for seed in range(40)])
    assert not [f for f in validate_library(small.path) if f.severity == "error"]
    played = [small.play(Marked(world(), mark), make(seed)) for seed in range(1000, 1008)]
    assert all(state["won"] for state in played)


QUOTED = [
    'probe "{}"',
    "probe[{}]",
    "probe {{3}} {}",
    "probe «{}»",
    "probe \\{}\\",
    "probe *{}*",
    "probe({})?",
]


@pytest.mark.parametrize("written", QUOTED)
@pytest.mark.parametrize(
    "names",
    [["red fig", "blue fig", "sour plum", "old lime"], ["fig 1", "plum 2", "fig 3", "lime 4"]],
)
def test_marks_around_names_stay_as_the_world_writes_them(written, names):
    episodes = [
        Trajectory(
            f"Find the {name}.",
            (f"You see {', '.join(names)}.", f"The {name} is found."),
            (written.format(name),),
            success=True,
        )
        for name in names * 6
    ]
    learned = learn(episodes)
    frame, arguments = learned.lexicon.parse(written.format(names[0]))
    assert arguments == (names[0],)
    assert instantiate(frame, [names[1]]) == written.format(names[1])
    (procedure,) = learned.procedures.values()
    assert template(procedure["steps"][-1]["do"], {"x": names[2]}) == written.format(names[2])


@pytest.mark.parametrize("text", ["press {3} {0}", 'a "b" * \\ {x}', r"\{0} \\", "{", "}", "\\"])
def test_an_action_of_no_known_frame_is_read_and_written_back(text):
    for numbered in (True, False):
        lexicon = Lexicon(numbered=numbered, kinds=["lid"], frames=["pry {0}"])
        frame, arguments = lexicon.parse(text)
        assert instantiate(frame, arguments) == text
        assert Lexicon(numbered=numbered, kinds=["lid"], frames=[frame]).parse(text) == (frame, ())


TEXT = st.text(st.sampled_from('ab {}0x*"\\'), max_size=20)


@given(TEXT)
def test_escaped_text_is_itself(text):
    assert unescape(escape(text)) == text
    assert instantiate(escape(text), ()) == text
    assert slots(escape(text)) == 0
    assert renamed(escape(text), {"x": "!", "0": "!"}) == escape(text)
    condition = parse_condition(f"done({quoted(escape(text))})") if text.strip() else None
    assert condition is None or condition.to_text() == f"done({quoted(escape(text))})"


@given(TEXT, TEXT)
def test_slots_are_told_from_text(before, after):
    frame = f"{escape(before)}{{0}}{escape(after)}"
    assert slots(frame) == 1
    assert instantiate(frame, ["{0}\\*"]) == before + "{0}\\*" + after
    assert fill_frame(frame, ["{x}"]) == f"{escape(before)}{{x}}{escape(after)}"


WORDS = st.sampled_from(["mok", "tor 1", "zib", '"', "{x}", "{0}", "*", "\\", "?", "[", "\\{0}"])
PHRASE = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_whatever_is_learned_can_be_stored(tmp_path_factory, data):
    episodes = []
    pool = data.draw(st.lists(PHRASE, min_size=2, max_size=6))
    for _ in range(data.draw(st.integers(1, 12))):
        n = data.draw(st.integers(1, 4))
        obs = data.draw(st.lists(PHRASE, min_size=n + 1, max_size=n + 1))
        acts = data.draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
        episodes.append(Trajectory(data.draw(PHRASE), tuple(obs), tuple(acts), True))
    path = tmp_path_factory.mktemp("hostile") / "library"
    library = Library.create(path, domain="test", embedding="static")
    with Ledger.memory() as ledger:
        store(library, ledger, learn(episodes))
    assert not [f for f in validate_library(path) if f.severity == "error"]
