"""The rules that can be switched off, one a line of the table."""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .programs import PROGRAMS
from .replacing import KnockOut, Wrapped, gives, makes

__all__ = ["KNOCK_OUTS", "named"]

_LEARNING = "macla.procedures.learning"
_REFINEMENT = "macla.procedures.refinement"
_PROCEDURES = "macla.procedures"
_GRAPH = "macla.graph"
_TOOLING = "macla.procedures.tooling"
_AGENT = "macla.adapters.langchain"


def _same(item: Any, *_: Any, **__: Any) -> Any:
    return item


def _folded(value: str) -> frozenset[str]:
    return frozenset((value.casefold(),))


def _first_world(item: Any, *_: Any) -> Any:
    return "" if hasattr(item, "by_world") else item


def _by_itself(old: Any, new: Any) -> str:
    return f"{new['id']} {new['version']}"


def _as_learned(learned: Any, *_: Any) -> Any:
    return learned


def _any_rule(_: Any, name: str, rule: Any) -> Any:
    return rule


def _second(_: Any, item: Any, *__: Any, **___: Any) -> Any:
    return item


# -- replacements that are more than a value ---------------------------------------------


def _without_key(key: str) -> Callable[[Any, Any], None]:
    """Return an ``_add_guard`` that leaves out ``when`` or ``unless``."""

    def add(document: dict[str, Any], guard: Any) -> None:
        for name in {"when", "unless"} - {key}:
            if getattr(guard, name):
                document[name] = getattr(guard, name)

    return add


def _without_done(original: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    def step(made: Any, *args: Any) -> dict[str, Any]:
        document = original(made, *args)
        if made.guard is None:
            document.pop("unless", None)
        return document

    return step


def _all_act(original: Callable[..., dict[str, str]]) -> Callable[..., dict[str, str]]:
    return lambda episodes: dict.fromkeys(original(episodes), "acts")


def _all_in_core(original: Callable[..., Any]) -> Callable[..., Any]:
    def analyse(episode: Any, support: Any, lexicon: Any) -> Any:
        from macla.procedures.learning.analysis import close_core

        original(episode, support, lexicon)
        for step in range(len(episode.actions)):
            close_core(episode, step, support)
        return episode

    return analyse


def _one_segment(original: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    def segment(episode: Any, closing: set[str]) -> list[Any]:
        from macla.procedures.learning.segments import cut_segment

        return [cut_segment(episode, episode.order)] if episode.order else []

    return segment


def _scattered_count(original: Callable[..., bool]) -> Callable[..., bool]:
    return lambda episodes, effects, scattered=(): original(episodes, effects)


def _no_instructions() -> Any:
    from macla.procedures.learning.instructions import Instructions

    return Instructions()


def _no_goal_words() -> Any:
    from macla.procedures.words.goal_lexicon import GoalLexicon

    return GoalLexicon()


def _no_contrast() -> Any:
    from macla.procedures.refinement.procedure_contrast import Contrasted

    return Contrasted()


def _plain_share(seen: Sequence[Any], action: Any, count: int) -> tuple[float, None]:
    """Stand for ``_with_exception``: the share of all, without a word that excepts some."""
    return count / len(seen), None


def _own_names(positions: Sequence[Any], *_: Any) -> dict[Any, str]:
    return {position: f"v{number}" for number, position in enumerate(positions)}


def _without_theta(which: str, verdict: bool | None) -> Wrapped:
    """Θ's ``which`` does not hold, or (None) holds as it would without a condition."""

    def wrapped(original: Callable[..., bool]) -> Callable[..., bool]:
        def holds(place: Any, asked: str, *args: Any, default: bool) -> bool:
            if asked == which:
                return default if verdict is None else verdict
            return original(place, asked, *args, default=default)

        return holds

    return Wrapped(wrapped)


def _trusting(original: Callable[..., Any]) -> Callable[..., Any]:
    return lambda shown, threshold, state, context: original(shown, -math.inf, state, context)


def _no_information(original: Mapping[Any, Any]) -> dict[Any, Any]:
    return dict.fromkeys(original, gives(0.0))


def _as_before(state: Any, attempt: Any) -> Any:
    """Stand for ``visited``: a look leaves no trace."""
    return state["search"]


def _one_world(shown: Sequence[Any]) -> list[list[Any]]:
    return [list(shown)]


def _some_by_neither(judged: Any) -> bool:
    return any(each.name == "NEITHER" for each in judged)


def _nothing_stands(*_: Any) -> Callable[[Any], Any]:
    from macla.adapters.teaching.choosing import By

    return lambda _: By.NEITHER


def _row(name: str, targets: str, replacement: Any, about: str) -> KnockOut:
    return KnockOut(name, tuple(targets.split()), replacement, about)


_WORDS = (
    _row(
        "worlds apart",
        f"{_PROCEDURES}.episodes.world_split:worlds_of",
        _one_world,
        "each world is learned apart (evals/bench/several_worlds.py plays several in one library)",
    ),
    _row(
        "world told first",
        f"{_PROCEDURES}.model.ontology:Ontology.world_of {_GRAPH}.knowledge:Knowledge.of",
        _first_world,
        "how an episode begins tells its world, whose words hold (recognising: MOST, ENOUGH, "
        "SELDOM)",
    ),
    _row(
        "answers of beginnings",
        f"{_LEARNING}.abstraction:_beginnings",
        gives({}),
        "what answers an action answers its beginning: take {x} as take {x} from {y}",
    ),
    _row(
        "known worlds",
        f"{_LEARNING}.store_learned:in_known_worlds",
        _same,
        "worlds that are learned again keep the names that the library has (known_worlds: LIKE)",
    ),
    _row(
        "what is shown goes on",
        f"{_PROCEDURES}.proof.floor:_go_on_alike",
        gives(True),
        "a demonstration is done again first only where those that begin alike go on alike",
    ),
    _row(
        "names of worlds",
        f"{_LEARNING}.several_worlds:_name",
        gives("world"),
        "a world is named by how its episodes begin, or by a goal (several_worlds: NAMING, LEAST)",
    ),
    _row(
        "ids of plans",
        f"{_LEARNING}.store_learned:_with_known_ids",
        _as_learned,
        "a plan keeps the id that it has in the library, whatever is learned with it",
    ),
    _row(
        "replaced plans",
        f"{_PROCEDURES}.proposals.relearned:_returns",
        gives(False),
        "what learning took another for does not come back by learning",
    ),
    _row(
        "one cause",
        f"{_PROCEDURES}.proposals.causes:cause_of",
        _by_itself,
        "the same change of several files is one proposal",
    ),
    _row(
        "replays speak against",
        f"{_PROCEDURES}.proposals.support:is_harmful",
        gives(False),
        "what replayed episodes credibly speak against is never taken (support: EVEN)",
    ),
    _row(
        "proof of lessons",
        "macla.adapters.teaching.proof_gate:ProofGate.__call__",
        gives(False),
        "practice proposes nothing with which fewer demonstrations are reproduced",
    ),
    _row(
        "play and demonstrations differ",
        f"{_PROCEDURES}.proposals.replay:_differ",
        gives(False),
        "where play and demonstrations credibly show two worlds, a replay counts play alone",
    ),
    _row(
        "own experiments",
        f"{_REFINEMENT}.recovery:RecoveryEvidence.own_rule",
        _any_rule,
        "a procedure is repaired by its own experiments alone",
    ),
    _row(
        "plans surpass programs",
        "macla.adapters.teaching.choosing:_is_settled",
        gives(True),
        "plans take the place of a program that reproduces fewer demonstrations",
    ),
    _row(
        "plans reproduce some",
        "macla.adapters.teaching.choosing:_reproduces_some",
        gives(True),
        "plans that reproduce none of many demonstrations are not used",
    ),
    _row(
        "small kinds beside programs",
        "macla.adapters.teaching.choosing:_in_doubt",
        _some_by_neither,
        "plans of kinds that are too small to be judged are not used where programs do the others",
    ),
    _row(
        "plans lack nothing",
        "macla.adapters.teaching.choosing:_lacks_some",
        gives(False),
        "plans that leave out what all demonstrations do are not used",
    ),
    _row(
        "what stands",
        "macla.adapters.teaching.lesson:_present_in",
        _nothing_stands,
        "what does a kind in a library gives way only to what is credibly better",
    ),
    _row(
        "acts of what stands",
        f"{_LEARNING}.store_learned:with_acts_of",
        _same,
        "the acts that a library's plans use stay in its ontology, whatever is learned with them",
    ),
    _row(
        "plans: two plays",
        f"{_LEARNING}.plans:_LEAST_PLAYED",
        1,
        "a way that no demonstration shows is learned when it was played twice",
    ),
    _row(
        "idle in own play",
        f"{_LEARNING}.learner:_without_idle",
        _same,
        "procedures without an effect that no plan uses are not learned",
    ),
    _row(
        "play contradicts",
        f"{_PROCEDURES}.programs.play_evidence:contradicted",
        gives(False),
        "a program that solves credibly less than it claimed has plans as rivals (LEAST, CLAIMED)",
    ),
    _row(
        "demonstrations of a program",
        f"{_PROCEDURES}.programs.play_evidence:trials",
        lambda shown, successes, failures: (successes, failures),
        "the demonstrations of a program are evidence of it until play contradicts them",
    ),
    _row(
        "worlds that look alike",
        f"{_PROCEDURES}.programs.learning.grouping:ways_apart",
        gives([]),
        "what no program plans for is tried in the parts that only share what nearly all do "
        "(MOST_DO)",
    ),
    _row(
        "reads most of the beginning",
        f"{_PROCEDURES}.programs.documents.program_file:ProgramFile.legibility",
        gives((0, 0)),
        "of programs that read a task alike the one is followed that reads most of what is told",
    ),
    _row(
        "numbered things",
        f"{_LEARNING}.entities:_are_numbered",
        gives(False),
        "where things are a word and a number, new ones are recognised by that shape",
    ),
    _row(
        "leading words",
        f"{_LEARNING}.entities:_leading_words",
        gives(frozenset()),
        'words between a verb and its argument ("go to") are no part of the argument',
    ),
    _row(
        "joining words",
        f"{_LEARNING}.entities:_Ending.joins",
        gives(False),
        "words that stand between two arguments are no part of either",
    ),
    _row(
        "literal variants",
        f"{_LEARNING}.entities:_absorb_literals",
        gives(None),
        'an action without slots ("go to outside") is folded into the frame that covers it',
    ),
    _row(
        "names",
        f"{_LEARNING}.name_contexts:learn_names",
        gives(None),
        "names never met are recognised by the words that stand around them",
    ),
    _row(
        "open values",
        f"{_LEARNING}.generalising:open_values",
        makes(dict),
        "sentences that differ in one place say one thing of any value",
    ),
    _row(
        "word clusters",
        f"{_PROCEDURES}.words.word_clusters:word_clusters",
        makes(list),
        "words that mean nearly the same stand in for each other (ontology)",
    ),
    _row(
        "compounds",
        f"{_PROCEDURES}.words.word_clusters:_compound_of",
        gives(False),
        "a compound and a word in it are never put into one cluster",
    ),
)

_EPISODES = (
    _row(
        "failure signatures",
        f"{_LEARNING}.failed_steps:failure_signatures",
        gives(()),
        "one answer to actions of many kinds means that they failed, in learning and in playing",
    ),
    _row(
        "failed steps removed",
        f"{_LEARNING}.failed_steps:without_failed_steps",
        _same,
        "steps that failed are taken out of what is learned from",
    ),
    _row(
        "verbs last",
        f"{_PROCEDURES}.episodes.verbs:verb_end",
        gives(0),
        "verbs may stand at the end of actions, where observations do not name them beforehand",
    ),
    _row(
        "idle frames",
        f"{_LEARNING}.idle:idle_frames",
        gives(frozenset()),
        "actions that serve nothing are taken out of what is learned from",
    ),
    _row(
        "idle: scattered",
        f"{_LEARNING}.idle:_DISPERSION",
        0.0,
        "only what is done as differently often as chance has it is idle",
    ),
    _row(
        "idle: neighbours",
        f"{_LEARNING}.idle:_independent",
        _second,
        "only what neither follows from the step before nor leads to the next is idle",
    ),
    _row(
        "scattered frames not shared",
        f"{_LEARNING}.guided:misses_shared_steps",
        Wrapped(_scattered_count),
        "steps done as often as chance has it do not make a plan follow instructions",
    ),
    _row(
        "core",
        f"{_LEARNING}.analysis:analyse",
        Wrapped(_all_in_core),
        "only the steps that the outcome rests on (support links) are learned",
    ),
    _row(
        "preparations",
        f"{_LEARNING}.analysis:add_preparations",
        gives(None),
        "what nearly all episodes did to the things of the goal is learned too",
    ),
    _row(
        "ways left out",
        f"{_LEARNING}.guided:leave_out_ways",
        gives(None),
        "moves are no part of a procedure: the way is found while playing",
    ),
    _row(
        "segments",
        f"{_LEARNING}.segments:segment",
        Wrapped(_one_segment),
        "an episode is cut into procedures, one for each thing that was achieved",
    ),
    _row(
        "closing frames",
        f"{_LEARNING}.segments:closing_frames",
        makes(set),
        "a segment ends after frames that usually precede a break",
    ),
    _row(
        "goals merged",
        f"{_LEARNING}.goal_templates:merge_goals",
        gives(None),
        "goals that differ in the name of what was acted on are one goal with a slot",
    ),
    _row(
        "duplicates",
        f"{_LEARNING}.draft_merging:duplicate_frames",
        makes(dict),
        "procedures with like words and the same effect are one",
    ),
)

_STEPS = (
    _row(
        "guards",
        f"{_LEARNING}.guards:learn_guard",
        gives(None),
        "contrast tells when an optional step is done; else the majority decides",
    ),
    _row(
        "guards: when",
        f"{_LEARNING}.abstraction:_add_guard",
        _without_key("when"),
        "an optional step is done where an observation asks for it",
    ),
    _row(
        "guards: unless",
        f"{_LEARNING}.abstraction:_add_guard",
        _without_key("unless"),
        "an optional step is left out where something was done or observed",
    ),
    _row(
        "guards: what was done ever",
        f"{_LEARNING}.guards:_history_features",
        gives(()),
        "guards may look at all that was done to a step's things before",
    ),
    _row(
        "guards: other things",
        f"{_LEARNING}.guards:_LEAST_SITUATIONS",
        10**9,
        "guards may be about other things of the procedure than the step's own",
    ),
    _row(
        "guards: trusted",
        f"{_LEARNING}.guards:TRUSTED_GUARD",
        0.0,
        "a guard that is right too seldom is not used",
    ),
    _row(
        "unless done",
        f"{_LEARNING}.abstraction:_step",
        Wrapped(_without_done),
        "a step without a guard is left out where it was the last of its kind on these things",
    ),
    _row(
        "preconditions",
        f"{_LEARNING}.abstraction:_preconditions",
        makes(list),
        "a procedure starts only after what had always been done to its things",
    ),
    _row(
        "last deeds",
        f"{_LEARNING}.needs:_untold",
        gives(set()),
        "demonstrations that end with an act do not say that nothing may follow it",
    ),
    _row(
        "named procedures",
        f"{_GRAPH}.knowledge:Knowledge._other_names",
        gives(set()),
        "a word of the task that names a procedure counts against plans that do not run it",
    ),
    _row(
        "looks in vain",
        f"{_LEARNING}.drafts:_looks",
        gives([]),
        "looks in vain show, too, how a place is looked at",
    ),
    _row(
        "expected outcomes",
        f"{_LEARNING}.abstraction:frame_outcomes",
        makes(dict),
        "sentences that follow an action whenever it works tell whether it did",
    ),
    _row(
        "postconditions checked",
        f"{_GRAPH}.nodes.check_post:_checks",
        makes(list),
        "a procedure whose postcondition is false has failed",
    ),
)

_WORLD = (
    _row(
        "effects",
        f"{_LEARNING}.effects:frame_effects",
        Wrapped(_all_act),
        "actions move, reveal or act, told by what is observed after them",
    ),
    _row(
        "effects: opening",
        f"{_LEARNING}.effects:_opening_frames",
        makes(set),
        "an action whose one use is to make the next look or move possible reveals",
    ),
    _row(
        "effects: leave and return",
        f"{_LEARNING}.effects:_frames_that_leave_and_return",
        makes(set),
        "verbs that lead from known places and back lead to new places too",
    ),
    _row(
        "enabling links",
        f"{_LEARNING}.enabling:enabling_links",
        makes(dict),
        "what an argument usually underwent before is done to it first",
    ),
    _row(
        "usual places",
        f"{_LEARNING}.enabling:usual_places",
        makes(dict),
        "an action that is always done at one place is done there",
    ),
    _row(
        "closed positions",
        f"{_LEARNING}.enabling:closed_positions",
        makes(set),
        "where new names are hardly ever met, none is expected (directions)",
    ),
    _row(
        "headings: ornaments",
        f"{_LEARNING}.exploration_cues:heading_pattern",
        gives(""),
        "a place is recognised by what the headings of all places have in common",
    ),
    _row(
        "reverse moves",
        f"{_LEARNING}.exploration_cues:reverse_moves",
        makes(dict),
        "a move that always leads back is known before it is tried",
    ),
    _row(
        "explored things",
        f"{_LEARNING}.exploration_cues:explored_things",
        makes(dict),
        "what was moved to or looked at in demonstrations is explored",
    ),
)

_PLANS = (
    _row(
        "instructions",
        f"{_LEARNING}.instructions:learn_instructions",
        makes(_no_instructions),
        "texts that say what to do are read and followed (guided plans)",
    ),
    _row(
        "instructions: shared steps",
        f"{_LEARNING}.guided:misses_shared_steps",
        gives(False),
        "a goal whose shared steps support links do not explain follows instructions",
    ),
    _row(
        "instructions: exceptions",
        f"{_LEARNING}.instructions:_with_exception",
        _plain_share,
        "a word that describes things tells where an instruction does not hold",
    ),
    _row(
        "instructions: done already",
        f"{_LEARNING}.instructions:_unless_contradicted",
        gives(None),
        "what is described as an action would leave it needs the action no more",
    ),
    _row(
        "instructions: explained",
        f"{_LEARNING}.instructions:_independent_rules",
        _same,
        "a weaker cue is kept only for what stronger ones leave over",
    ),
    _row(
        "instructions: sources",
        f"{_LEARNING}.instructions:_from_instructing_sources",
        _same,
        "a text that mostly does not instruct is no source",
    ),
    _row(
        "plans: several ways",
        f"{_LEARNING}.plans:_SHAPES",
        1,
        "up to three ways of reaching a goal are kept",
    ),
    _row(
        "plans: one thing",
        f"{_LEARNING}.plans:_unify",
        _own_names,
        "places of a plan that held the same thing throughout hold it again",
    ),
    _row(
        "plans: slots",
        f"{_LEARNING}.plans:_slot",
        gives(None),
        "a place of a plan takes things of the kind that the task names",
    ),
    _row(
        "plans: replay",
        f"{_LEARNING}.plans:_regenerates",
        gives(True),
        "a plan that does not give back its own demonstrations is dropped",
    ),
    _row(
        "telling",
        f"{_LEARNING}.telling_observations:telling_place",
        gives(None),
        "an earlier observation tells what to act on",
    ),
    _row(
        "goal words",
        f"{_LEARNING}.goal_words:learn_goal_words",
        makes(_no_goal_words),
        "what people's wordings mean is learned (log-linear model)",
    ),
    _row(
        "goal words: what is asked where",
        f"{_PROCEDURES}.tasks.goal_interpretation:GoalReader._asked",
        makes(dict),
        "what was asked in situations like this one makes a reading likelier",
    ),
    _row(
        "goal words: unknown words",
        f"{_PROCEDURES}.tasks.goal_interpretation:GoalReader._with_known_words",
        _second,
        "a word never learned from is taken for the known word most like it",
    ),
    _row(
        "search counts",
        f"{_LEARNING}.search_counts:search_counts",
        makes(list),
        "it is counted what was found where, and what was in the way",
    ),
)

_READING = (
    _row(
        "search ranking",
        f"{_PROCEDURES}.planning.search_statistics:SearchEvidence.probability",
        gives(0.5),
        "places are looked at in the order of the chance to find the thing there",
    ),
    _row(
        "search cost",
        f"{_PROCEDURES}.planning.search_statistics:SearchEvidence.cost",
        gives(1.0),
        "places that are easier to look at come first",
    ),
    _row(
        "matching: roles",
        f"{_PROCEDURES}.tasks.goal_matching:RoleKinds.cost",
        gives(0.0),
        "a reading is likelier where the named kinds have filled these roles",
    ),
    _row(
        "matching: said elsewhere",
        f"{_PROCEDURES}.tasks.goal_matching:_left_out",
        gives(1.0),
        "a word that the goal says at another place costs little to leave out",
    ),
    _row(
        "matching: word weights",
        f"{_PROCEDURES}.tasks.goal_matching:GoalVocabulary.weight",
        gives(1.0),
        "words that few goals have weigh more",
    ),
    _row(
        "second readings",
        f"{_PROCEDURES}.tasks.goal_matching:_REFUTATION",
        1.0,
        "a reading of the task that failed gives way to the next",
    ),
    _row(
        "single procedures",
        f"{_GRAPH}.nodes.retrieve:_LIKELY",
        0.0,
        "where no plan is likely to be meant, single procedures are candidates",
    ),
    _row(
        "limit of earlier refutations",
        f"{_GRAPH}.nodes.score:_MOST_REFUTED",
        math.inf,
        "failures of a reading in earlier episodes count only up to six",
    ),
    _row(
        "sought in vain",
        f"{_GRAPH}.free_wording:_SOUGHT",
        1.0,
        "a reading that needs what was looked for in vain hardly counts",
    ),
    _row(
        "already done",
        f"{_GRAPH}.plan_progress:already_done",
        gives(None),
        "what an earlier reading did already is kept, not done again",
    ),
    _row(
        "kept only if it worked",
        f"{_GRAPH}.nodes.check_pre:_failed_last",
        gives(False),
        "a reading that would be broken off at the same place again is not taken up",
    ),
)

_PLAYING = (
    _row(
        "proof: idle steps",
        f"{_GRAPH}.predicting:_idle_frames",
        gives(frozenset()),
        "steps that nothing learned has a use for count neither way in a proof",
    ),
    _row(
        "proof: second looks",
        f"{_GRAPH}.predicting:LoopPredictor._is_glance",
        gives(False),
        "a second look that shows nothing new counts neither way in a proof",
    ),
    _row(
        "proof: like things",
        f"{_GRAPH}.predicting:LoopPredictor._alike",
        gives(False),
        "things of one kind that differ by a number are alike in a proof",
    ),
    _row(
        "proof: ways to explore",
        f"{_GRAPH}.predicting:explorations",
        gives([]),
        "where the way is unknown, a proof holds every way to something new possible",
    ),
    _row(
        "stand-ins",
        f"{_PROCEDURES}.planning.synonym_linking:stand_ins",
        makes(lambda: [{}]),
        "a thing with a word of the same cluster stands in for one that is not here",
    ),
    _row(
        "limit of options",
        f"{_PROCEDURES}.planning.binding_search:_OPTIONS",
        50,
        "at most six things are tried for one open parameter",
    ),
    _row(
        "failed looks again",
        f"{_PROCEDURES}.planning.binding_search:_LOOKS",
        0,
        "a place that could not be looked at is looked at again, up to twice",
    ),
    _row(
        "failed looks remembered",
        f"{_PROCEDURES}.planning.binding_search:SearchMemory.note_failed_look",
        gives(None),
        "a look that failed is repeated only once the situation has changed",
    ),
    _row(
        "visited places",
        f"{_GRAPH}.executions:visited",
        _as_before,
        "a place that was looked at is not looked at again",
    ),
    _row(
        "refused bindings",
        f"{_PROCEDURES}.planning.binding_search:SearchMemory.note_refused",
        gives(None),
        "a thing that did not work is tried later than others",
    ),
    _row(
        "where it was left",
        f"{_PROCEDURES}.planning.binding_search:_Chooser._left_at",
        makes(set),
        "a thing is looked for first where it was last dealt with",
    ),
    _row(
        "prepared things",
        f"{_PROCEDURES}.planning.binding_search:_Chooser._prepare",
        gives(None),
        "the first steps are done where they bring about the things of the others",
    ),
    _row(
        "nearest thing",
        f"{_PROCEDURES}.planning.binding_search:_Chooser._last_arguments",
        gives(()),
        "of several things the one where one has just been is taken",
    ),
    _row(
        "distinct things",
        f"{_GRAPH}.nodes.check_pre:_taken",
        gives(frozenset()),
        "what was used for one thing of the plan is not used for another",
    ),
    _row(
        "Θ skip",
        f"{_LEARNING}.meta_documents:_already_done",
        gives(None),
        "a place of a plan is passed over where its effect was the last thing done",
    ),
    _row(
        "instructed once",
        f"{_GRAPH}.nodes.check_pre:_reason_to_skip",
        gives(None),
        "Θ's skip, an instruction's exception, or what is done already passes a place over",
    ),
    _row(
        "Θ repeat",
        f"{_GRAPH}.nodes.check_post:_holds",
        _without_theta("repeat", False),
        "a place of a plan is tried again with other things",
    ),
    _row(
        "Θ abort",
        f"{_GRAPH}.nodes.check_post:_holds",
        _without_theta("abort", False),
        "a plan ends where a place of it has no candidate left",
    ),
    _row(
        "Θ continue",
        f"{_GRAPH}.nodes.check_post:_holds",
        _without_theta("proceed", None),
        "a plan goes on where the condition of the place says so",
    ),
    _row(
        "imagined actions",
        f"{_PROCEDURES}.planning.action_grounding:imagined_actions",
        makes(dict),
        "where possible actions are hidden, those that text speaks of are tried",
    ),
    _row(
        "imagined exploring",
        f"{_PROCEDURES}.planning.action_grounding:imagined_exploring",
        makes(dict),
        "where possible actions are hidden, looks and moves that text speaks of are tried",
    ),
    _row(
        "guessed moves",
        f"{_PROCEDURES}.planning.action_grounding:guessed_moves",
        makes(dict),
        "moves that the text does not speak of are tried last",
    ),
    _row(
        "gear",
        f"{_PROCEDURES}.planning.place_planner:_equips",
        gives(False),
        "what an exploring action needs (a key) is taken up first",
    ),
    _row(
        "way back to what bars",
        f"{_PROCEDURES}.planning.place_planner:_way_back",
        gives(None),
        "one goes back to what barred the way once one has what serves",
    ),
    _row(
        "usual way",
        f"{_PROCEDURES}.planning.place_planner:_usual_way",
        gives(None),
        "one goes where something is usually done, or where its thing was seen",
    ),
    _row(
        "as written",
        f"{_PROCEDURES}.planning.episode_memory:EpisodeMemory.as_written",
        _second,
        "things are spelled as the world has spelled them, capitals too",
    ),
    _row(
        "as spelled",
        f"{_GRAPH}.acting:spelled",
        _same,
        "an action is spelled as it is listed, and not done where it is not",
    ),
)

_VALUE = (
    _row(
        "risk",
        f"{_GRAPH}.knowledge:Knowledge.risk",
        gives(0.0),
        "failures in like situations make a candidate worth less",
    ),
    _row(
        "information",
        f"{_PROCEDURES}.method.utility:_INFORMATION",
        Wrapped(_no_information),
        "a candidate of which little is known is worth a little more",
    ),
    _row(
        "θ_conf",
        f"{_GRAPH}.nodes.score:_chosen",
        Wrapped(_trusting),
        "a candidate of too little expected utility is not run",
    ),
)

_PRACTICE = (
    _row(
        "variants",
        f"{_GRAPH}.knowledge:Knowledge.variant",
        gives(None),
        "a variant of a procedure is run for the kinds that it is for",
    ),
    _row(
        "experiments",
        f"{_GRAPH}.experiments:begin",
        gives(None),
        "in practice something is tried where a step is not possible",
    ),
    _row(
        "recovery rules",
        f"{_REFINEMENT}.recovery:RecoveryEvidence.rules",
        makes(list),
        "what experiments showed to help becomes a step",
    ),
    _row(
        "exploring gaps",
        f"{_GRAPH}.exploring:due",
        gives(False),
        "in practice a plan that does not suffice is played with a gap to explore",
    ),
    _row(
        "formed plans",
        f"{_REFINEMENT}.forming:form_plans",
        makes(list),
        "plans are formed of what was played",
    ),
    _row(
        "contrast of procedures",
        f"{_REFINEMENT}.procedure_contrast:contrast",
        makes(_no_contrast),
        "procedures are refined by contrast of what worked and what failed",
    ),
    _row(
        "contrast of plans",
        f"{_REFINEMENT}.plan_contrast:contrast_plan",
        gives((None, None)),
        "plans are refined by contrast of solved and unsolved episodes",
    ),
    _row(
        "pruning",
        f"{_LEARNING}.pruning:prune",
        makes(list),
        "what is worth least goes where there is no room",
    ),
    _row(
        "only what is new teaches",
        f"{_LEARNING}.online:OnlineLearner._teaches",
        gives(True),
        "a goal that is known well is not learned from again",
    ),
    _row(
        "last part of trying",
        f"{_REFINEMENT}.occasions:since_began",
        _same,
        "of an episode solved by trying only the part that solved it teaches",
    ),
    _row(
        "doubtful lessons",
        f"{_LEARNING}.online:OnlineLearner.doubtful",
        gives(False),
        "what was solved by trying is played once more to see whether it suffices",
    ),
)

_TOOLS = (
    _row(
        "agents: boxes",
        f"{_PROCEDURES}.programs.box:Box.strange",
        gives(None),
        "memory acts only where all that is known lies within what was shown",
    ),
    _row(
        "agents: hulls",
        f"{_PROCEDURES}.programs.ranges:hull_of",
        gives((-math.inf, math.inf)),
        "a size that lies beyond all that were shown is new",
    ),
    _row(
        "agents: keys that are values",
        f"{_TOOLING}.run_lessons:keyed_paths",
        gives(frozenset()),
        "an object with other keys each time is read as rows",
    ),
    _row(
        "agents: outer rows",
        f"{_PROCEDURES}.episodes.facts:_MOST_OUTER",
        0,
        "a row inside of a row has what that tells",
    ),
    _row(
        "agents: products",
        f"{_PROCEDURES}.programs.computed_fields:_products",
        gives(()),
        "so many of a task at a told price are as they were",
    ),
    _row(
        "agents: any order",
        f"{_TOOLING}.program_run:ToolProgram._in_any_order",
        gives(()),
        "a call that demonstrations made in any order is as shown",
    ),
    _row(
        "agents: marks of secrets",
        f"{_PROCEDURES}.programs.told_values:secret_places",
        gives(frozenset()),
        "where marks of secrets were shown, no part of a value is a name",
    ),
    _row(
        "agents: rows named",
        f"{_PROCEDURES}.programs.named_rows:naming_rows",
        gives([]),
        "what the row told that a value names has to lie within what such rows told",
    ),
    _row(
        "agents: apart",
        f"{_PROCEDURES}.programs.coincidences:coincidences",
        gives({}),
        "two places that never had the same value may not have it",
    ),
    _row(
        "agents: sizes by class",
        f"{_PROCEDURES}.programs.size_limits:sizes_by_class",
        gives({}),
        "a size may not lie beyond those that its class had where there is a limit",
    ),
    _row(
        "agents: aside",
        f"{_PROCEDURES}.programs.size_limits:_ASIDE",
        1.0,
        "other steps may have sizes beyond those of a class by chance",
    ),
    _row(
        "agents: limits",
        f"{_PROCEDURES}.programs.size_limits:limits_of",
        gives({}),
        "sizes in rows of lists may not lie where another step was done",
    ),
    _row(
        "agents: times",
        f"{_PROCEDURES}.programs.computed_fields:_time_differences",
        gives(()),
        "a told time may not lie nearer to another, or to one of a list, than was shown",
    ),
    _row(
        "agents: differences",
        f"{_PROCEDURES}.programs.computed_fields:_differences",
        gives(()),
        "a difference may not go beyond what was shown, nor beyond a number that was its limit",
    ),
    _row(
        "agents: calls in vain",
        f"{_PROCEDURES}.tooling.program_run:_was_in_vain",
        gives(False),
        "a call that gave one result twelve times is not made again",
    ),
    _row(
        "agents: equal where told",
        f"{_PROCEDURES}.programs.relations:_equal_where_told",
        gives(()),
        "a field that is not always there has to equal what it equalled whenever it was there",
    ),
    _row(
        "agents: fields of one name",
        f"{_PROCEDURES}.programs.pairs:_have_one_name",
        gives(False),
        "values that fields of one name in two records have together have to be shown together",
    ),
    _row(
        "agents: several look-ups",
        "macla.procedures.episodes.history:History.apart",
        lambda history: history,
        "each of several look-ups of one tool counts, apart from the newest and related to it",
    ),
    _row(
        "agents: counts and sums",
        f"{_PROCEDURES}.programs.computed_fields:_totals",
        gives(()),
        "numbers and sums of rows are as they were (MOST_FIGURES and MOST_ROWS bound the time)",
    ),
    _row(
        "agents: classes of rows",
        f"{_PROCEDURES}.programs.computed_fields:_classes",
        gives(()),
        "the rows of one class are counted, and held against numbers (MOST_CLASSES)",
    ),
    _row(
        "agents: related rows",
        f"{_PROCEDURES}.programs.computed_fields:_relations",
        gives(()),
        "the rows with a told value are counted, and two such counts are held together",
    ),
    _row(
        "agents: margins",
        f"{_PROCEDURES}.programs.computed_fields:_MARGINS",
        (),
        "a figure comes no nearer to its limit than was shown, by how much and by which part",
    ),
    _row(
        "agents: signs of sizes",
        f"{_PROCEDURES}.programs.ranges:Range.has_sign_of",
        gives(True),
        "nothing, and less than nothing, is new in a list that never had it",
    ),
    _row(
        "agents: foremost rows",
        f"{_PROCEDURES}.programs.named_rows:_foremost_of",
        gives(()),
        "what the row with the greatest number or date says is as it was",
    ),
    _row(
        "agents: names in any order",
        f"{_PROCEDURES}.programs.coincidences:_words",
        _folded,
        "a name is the same in another order and with other signs",
    ),
    _row(
        "agents: phrases",
        f"{_TOOLING}.run_lessons:_phrases",
        gives(frozenset()),
        "what calls were given is one value of the texts in results",
    ),
    _row(
        "agents: names of tools",
        f"{_TOOLING}.run_lessons:_own_names",
        gives(frozenset()),
        "a field with the name of a tool does not stand in the place of what the tool told",
    ),
    _row(
        "choices: fixed limits",
        f"{_PROCEDURES}.programs.learning.choice_table:ChoiceTable.fixed_limits",
        gives(()),
        "the least is in doubt where all choices lay below one limit, and now several do or none",
    ),
    _row(
        "agents: behind other calls",
        f"{_PROCEDURES}.programs.learning.boxing:_Playing._makes",
        gives(True),
        "what held behind a call that the program never makes was not shown without that call",
    ),
    _row(
        "agents: open fields",
        f"{_PROCEDURES}.programs.ranges:_WORDS",
        1000,
        "of a field with eight different values new ones are to be expected",
    ),
    _row(
        "agents: small sets",
        f"{_PROCEDURES}.programs.ranges:_NEW_SHARE",
        -1.0,
        "few identifiers that come again, as tier1 to tier3 do, are all that there are",
    ),
    _row(
        "agents: serial numbers",
        f"{_PROCEDURES}.programs.ranges:_COUNTED",
        5,
        "five amounts that rise may rise by chance; eight, none twice another, are serial numbers",
    ),
    _row(
        "agents: further wishes",
        f"{_PROCEDURES}.programs.ranges:_NAME_WORDS",
        0,
        "a name with more words than any shown one may hold a wish",
    ),
    _row(
        "agents: calls left out",
        f"{_PROCEDURES}.programs.learning.boxing:_Playing._gives",
        gives(True),
        "a step is in doubt where demonstrations first made a call that no step gives",
    ),
    _row(
        "agents: idle figures",
        f"{_PROCEDURES}.programs.learning.box_learning:_matters",
        gives(True),
        "figures that vary have a range only where the program uses a field of theirs",
    ),
    _row(
        "agents: told limits",
        f"{_PROCEDURES}.programs.field_uses:_limited",
        gives(frozenset()),
        "where a row tells the limit of a class, its sizes may reach as far as any",
    ),
    _row(
        "agents: letters of names",
        f"{_PROCEDURES}.programs.ranges:_LETTERS_OF_NAMES",
        99,
        "many letters behind numbers are no units: seats, beds",
    ),
    _row(
        "agents: folds",
        f"{_TOOLING}.task_kinds:_shows_too_little",
        gives(False),
        "a program that half of its runs do not prove is proved by folds",
    ),
    _row(
        "agents: made first",
        f"{_TOOLING}.program_run:_comes_later",
        gives(False),
        "a run that makes another call first does not speak against the program",
    ),
    _row(
        "agents: rows of other fields",
        f"{_TOOLING}.run_lessons:_are_alike",
        gives(True),
        "rows of other fields under the same path are other things",
    ),
    _row(
        "agents: listed times",
        f"{_PROCEDURES}.programs.learning.boxing:_lists_times",
        gives(False),
        "guards that list days or times part steps by chance",
    ),
    _row(
        "agents: named keys",
        f"{_TOOLING}.keyed_rows:_NAMED_KEYS",
        10**9,
        "objects with other keys each time, of which tasks name some, are rows",
    ),
    _row(
        "agents: other keys",
        f"{_TOOLING}.keyed_rows:_OTHER_KEYS",
        0.0,
        "objects with the same keys are records, though tasks name some of them",
    ),
    _row(
        "agents: rows left",
        f"{_TOOLING}.program_run:ToolProgram._rows_left",
        gives(None),
        "where demonstrations left rows that fit, whether all are done is for the model to say",
    ),
    _row(
        "agents: quantities",
        f"{_PROCEDURES}.programs.ranges:quantities_of",
        gives({}),
        "amounts with a unit, such as 4.4 kg, are sizes, of which no further ones are expected",
    ),
    _row(
        "agents: tasks read alike",
        f"{_TOOLING}.task_kinds:Kinds._read_by",
        gives(()),
        "a run whose task a program reads is of its kind, though it was given less",
    ),
    _row(
        "agents: names inside of names",
        f"{_PROCEDURES}.programs.coincidences:_inner_names",
        gives(()),
        "a name inside of a longer one (crm-7 in use-crm-7) may not be one that is told elsewhere",
    ),
    _row(
        "agents: reasons",
        f"{_TOOLING}.program_run:shown_for",
        lambda step, history: step.box.runs,
        "of several reasons for a step each is held to the number of its own demonstrations",
    ),
    _row(
        "agents: ahead of what is left",
        f"{_TOOLING}.program_of_kind:_ahead_of",
        lambda program, *_: {step.id: frozenset() for step in program.steps},
        "what always came before a call that is for the model is done all the same",
    ),
    _row(
        "agents: texts at times",
        f"{_TOOLING}.tool_operators:_types_of",
        lambda values: (
            frozenset(["str"] * any(isinstance(each, str) for each in values))
            or frozenset(type(each).__name__ for each in values)
        ),
        "an argument that is a text at times keeps its types, unless a text looks like another",
    ),
    _row(
        "agents: short sentences",
        f"{_TOOLING}.run_lessons:_STOPPED_WORDS",
        6,
        "two words that end as sentences do are a sentence, whose parts are read",
    ),
    _row(
        "agents: shown texts",
        f"{_PROCEDURES}.programs.box:Box.always_told",
        gives(False),
        "a text that stands in a result each time, as a heading does, is nobody's message",
    ),
    _row(
        "agents: breaking out",
        f"{_TOOLING}.program_run:BREAKS_OUT",
        re.compile(r"(?!)"),
        "a value with signs that have a meaning where it is put is not put there",
    ),
    _row(
        "agents: decimals",
        f"{_TOOLING}.program_run:_written_unlike",
        gives(None),
        "where all numbers had as many decimals, one with others is for the model to write",
    ),
    _row(
        "agents: fitting schema",
        f"{_AGENT}.program_answers:misfit",
        gives(None),
        "a call that does not fit the tool's schema is not made",
    ),
    _row(
        "agents: dates",
        f"{_TOOLING}.program_run:dates_in",
        makes(list),
        "a date that nobody said is the model's to give",
    ),
    _row(
        "agents: tools that changed",
        f"{_TOOLING}.task_kinds:_since_changed",
        _same,
        "where a tool takes other arguments by now, runs before that show nothing",
    ),
    _row(
        "agents: words of fields",
        f"{_TOOLING}.run_lessons:words_of_class",
        gives(()),
        "a word of a field is a class, so a field (episodes.field_words: MOST, ONCE, TEXTS)",
    ),
    _row(
        "agents: words among sizes",
        f"{_TOOLING}.run_lessons:words_among_sizes",
        gives(()),
        "rows with a word in the place of a size are a kind of their own",
    ),
    _row(
        "agents: parts as told",
        f"{_TOOLING}.run_lessons:parted_as_told",
        _same,
        "a slot of a task is parted at a sign where results hold both parts",
    ),
    _row(
        "agents: agreeing texts",
        f"{_TOOLING}.alike_calls:agree",
        operator.eq,
        "runs did the same where one was given what only the other's task says",
    ),
    _row(
        "agents: days that records share",
        f"{_PROCEDURES}.programs.coincidences:_is_day",
        gives(False),
        "two places that never had the same day may not have it",
    ),
    _row(
        "agents: signs of figures",
        f"{_PROCEDURES}.programs.pairs:LESS",
        "\0",
        "a figure below zero, and what was never told with one, is told from others",
    ),
    _row(
        "agents: early ends",
        f"{_TOOLING}.alike_calls:AlikeCalls.gone_on",
        gives(()),
        "runs that end where several kinds go on do not make one kind of two",
    ),
    _row(
        "agents: borne out",
        f"{_TOOLING}.task_kinds:_with_doubts",
        _same,
        "values that nothing explains end a run only if a run held out bore that out",
    ),
    _row(
        "agents: called beside",
        f"{_TOOLING}.program_of_kind:_beside",
        gives(frozenset()),
        "what more than a tenth of the runs also called, and no step does, is for the model",
    ),
    _row(
        "agents: idle calls",
        f"{_TOOLING}.program_of_kind:_idle",
        gives(frozenset()),
        "what runs called at many places, and no step does, is due nowhere",
    ),
    _row(
        "agents: renaming",
        f"{_TOOLING}.renamed_arguments:renamed_arguments",
        makes(dict),
        "arguments whose names have changed are shown under their new names",
    ),
    _row(
        "agents: instructions",
        f"{_AGENT}.instructed:owed_to",
        gives(False),
        "what calls owe to the agent's instructions is given under the same ones only",
    ),
    _row(
        "agents: leaning on before",
        f"{_AGENT}.messages:leans_on",
        gives(False),
        "a run that takes values from earlier in the conversation is not learned from",
    ),
)

KNOCK_OUTS: tuple[KnockOut, ...] = (
    *_WORDS,
    *_EPISODES,
    *_STEPS,
    *_WORLD,
    *_PLANS,
    *_READING,
    *_PLAYING,
    *_VALUE,
    *_PRACTICE,
    *_TOOLS,
)


def named(name: str) -> KnockOut:
    """Return the knock-out of this name, one of the rules of programs included.

    Raises:
        LookupError: There is none.
    """
    for each in (*KNOCK_OUTS, *PROGRAMS):
        if each.name == name:
            return each
    raise LookupError(f"there is no knock-out {name!r}; --list names them")
