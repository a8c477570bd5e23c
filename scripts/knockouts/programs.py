"""The rules of the learner of programs; ``scripts/program_knockouts.py`` plays them in minutes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from copy import copy
from typing import Any

from .replacing import KnockOut, Wrapped, gives, makes

__all__ = ["PROGRAMS"]

_EPISODES = "macla.procedures.episodes"
_PROGRAMS = "macla.procedures.programs"
_LEARNING = f"{_PROGRAMS}.learning"


def _first(item: Any, *_: Any, **__: Any) -> Any:
    return item


def _rarest(in_order: Any, *_: Any) -> Any:
    return min(in_order.stuck, key=lambda name: (in_order.stuck[name], name))


def _signs(value: str, text: str) -> int:
    return sum(not c.isalnum() for c in value)


def _token_at(end: int, value: str) -> str:
    return (value.split() or ("",))[end]


def _given_guards(features: Any, guards: Any, *_: Any) -> Any:
    return guards


def _as_mined(templates: Sequence[Any], *_: Any) -> tuple[Any, ...]:
    return tuple(templates)


def _listed(templates: Sequence[Any], *_: Any) -> list[Any]:
    return list(templates)


def _plain_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _chosen(case: Any, choice: Any, history: Any) -> Any:
    from macla.procedures.programs.sources import chosen_facts, rows

    return chosen_facts(case.rule, rows(choice, history), history)


def _first_piece(column: Any, *_: Any) -> tuple[Any, ...]:
    return (column.pieces[0][1],)


def _equality(value: str, other: str) -> Sequence[str]:
    return ("=",) if value == other else ()


def _says_nothing(templates: Sequence[Any], *_: Any) -> dict[Any, dict[str, set[str]]]:
    return {each: {slot: set() for slot in each.slots} for each in templates}


def _asked_sizes(histories: Sequence[Any], *_: Any) -> list[tuple[Any, str]]:
    from macla.procedures.episodes.tokens import magnitude
    from macla.procedures.programs.program_conditions import TaskSlot

    sizes: dict[tuple[Any, str], None] = {}
    for history in histories:
        for slot, value in history.asked.fields.items():
            if size := magnitude(value):
                sizes[TaskSlot(slot), size[0]] = None
    return list(sizes)


def _left_out_by_operator(pairs_by_lesson: Sequence[Any], **_: Any) -> int:
    counts = Counter(each for pairs in pairs_by_lesson for each in {pair[0] for pair in pairs})
    return max(counts.values(), default=0)


def _newest(history: Any, kind: str) -> Any:
    return history.newest(kind)


def _contrasted_once(best_guarding: Any) -> Any:
    def replacement(features: Any, positives: int, negatives: int) -> Any:
        view = copy(features)
        view.candidates = lambda *_: features.candidates(positives, negatives)
        return best_guarding(view, positives, negatives)

    return replacement


def _all_calls(_place: Any, _value: Any, history: Any) -> Any:
    return history.calls


def _any_argument(value: str, history: Any) -> bool:
    return any(value in call.arguments for call in history.calls)


def _whole_choices(source: Any) -> list[Any]:
    from macla.procedures.programs.sources import Choice

    return [source] if isinstance(source, Choice) else []


def _everywhere(_: int, occurrences: Sequence[Any]) -> list[Sequence[Any]]:
    return [occurrences]


def _row(name: str, target: str, replacement: Any, about: str) -> KnockOut:
    return KnockOut(f"programs: {name}", (target,), replacement, about)


PROGRAMS: tuple[KnockOut, ...] = (
    _row(
        "lines",
        f"{_EPISODES}.lines:lines_of",
        _plain_lines,
        "wrapped lines are joined, columns parted, and dots that fill a line made alike",
    ),
    _row(
        "fillers",
        f"{_EPISODES}.mining:_fillers",
        gives(frozenset()),
        "of words that stand for each other, as articles do, one that was seen stands for all",
    ),
    _row(
        "nested lines",
        f"{_EPISODES}.nesting:learn_nesting",
        makes(list),
        "what stands further in belongs to what stands above it (nesting: NEARLY_ALL, OFTEN, ONCE)",
    ),
    _row(
        "scripts without blanks",
        f"{_EPISODES}.tokens:is_glued",
        gives(False),
        "what comes again in actions of such a script is the operator's (operators: COMMON)",
    ),
    _row(
        "parts of values",
        f"{_LEARNING}.hypotheses:has_part",
        gives(False),
        "a value may begin with, end with or contain another one",
    ),
    _row(
        "classes",
        f"{_LEARNING}.hypotheses:_classes",
        gives(()),
        "a class, or all classes but one, may be chosen (LEAST_VALUES)",
    ),
    _row(
        "second tables",
        f"{_LEARNING}.hypotheses:_comparisons_with_tables",
        gives(()),
        "a candidate is compared with what another table tells of it",
    ),
    _row(
        "decision tables",
        f"{_LEARNING}.covering:tabled",
        gives(()),
        "a few classes decide together (tabling: MOST_CLASSES, CHANCE_BITS; step_cover: CELL_BITS)",
    ),
    _row(
        "rows of tables",
        f"{_LEARNING}.ordering:_table_terms",
        gives(()),
        "a class that was never shown is handed over where a table looks at it",
    ),
    _row(
        "any order",
        f"{_LEARNING}.program_learner:in_any_order",
        gives(()),
        "rows are taken in turn where nothing tells the order (moments: LEAST_ORDERS)",
    ),
    _row(
        "some of several",
        f"{_LEARNING}.turns:with_some",
        _first,
        "tools hand over where demonstrations left some candidates (turns: LEFT)",
    ),
    _row(
        "in turn",
        f"{_LEARNING}.turns:_takes_in_turn",
        gives(False),
        "tools are given what demonstrations took in turn, as it is listed",
    ),
    _row(
        "special lines",
        f"{_EPISODES}.special_forms:with_special_forms",
        _first,
        "what recurs in a slot makes a line of its own kind",
    ),
    _row(
        "lists",
        f"{_EPISODES}.item_lists:with_lists",
        _first,
        "slots that are items of one list are one slot",
    ),
    _row(
        "folds",
        f"{_EPISODES}.action_operators:_folds",
        gives(()),
        "what all arguments of an operator say belongs to the operator",
    ),
    _row(
        "one run, one argument",
        f"{_EPISODES}.action_operators:Grammar._whole",
        gives(("", ())),
        "a run of an action's words is read by what it shares with others, however tasks say it",
    ),
    _row(
        "parts chosen",
        f"{_PROGRAMS}.sources:choices_in",
        _whole_choices,
        "a choice in a part of a text is judged as one of a whole value is",
    ),
    _row(
        "made values",
        f"{_PROGRAMS}.replaying:Replayed.makes_another",
        gives(False),
        "of few demonstrations none may hold another value where the program makes one",
    ),
    _row(
        "figures alike",
        f"{_PROGRAMS}.program:_was_argument",
        _any_argument,
        "that a figure was an argument does not make it a value that was shown",
    ),
    _row(
        "pairs of words",
        f"{_LEARNING}.ordering:_of_words",
        list,
        "numbers by which steps are told apart may meet other values than those they met",
    ),
    _row(
        "decisive fields",
        f"{_PROGRAMS}.box:_calls_before",
        _all_calls,
        "a new value of a field that decides is no less new because a step passed it on",
    ),
    _row(
        "wordings",
        f"{_LEARNING}.wordings:aligned_wordings",
        _as_mined,
        "slots that play one part have one name in all wordings of a task",
    ),
    _row(
        "capitals and items",
        f"{_LEARNING}.hypotheses:_relations",
        _equality,
        "a field may equal a slot but for capitals, or have it among its items",
    ),
    _row(
        "rivals",
        f"{_LEARNING}.choice_table:ChoiceTable.version_space",
        gives([]),
        "where rules that fit the demonstrations as well choose otherwise, it asks",
    ),
    _row(
        "always",
        f"{_LEARNING}.choice_table:ChoiceTable.always",
        gives(()),
        "what is chosen has every relation to the task that was always there",
    ),
    _row(
        "offers",
        f"{_LEARNING}.covering:_offers",
        gives(()),
        "a step may wait until a candidate is told",
    ),
    _row(
        "limits",
        f"{_LEARNING}.features:limits_between",
        gives(()),
        "a guard may compare a number with a round limit",
    ),
    _row(
        "told apart",
        f"{_LEARNING}.guarding:guards_against_rivals",
        _given_guards,
        "steps that commit are told apart by what was told, whatever their order",
    ),
    _row(
        "guards agree",
        f"{_LEARNING}.guarding:_equivalent_conditions",
        gives(()),
        "before a step that commits conditions hold that parted the moments as well",
    ),
    _row(
        "known values",
        f"{_LEARNING}.ordering:_telling_terms",
        gives({}),
        "a value never shown of a field by which steps are told apart stops the program",
    ),
    _row(
        "needs",
        f"{_LEARNING}.provisions:learn_needs",
        gives(()),
        "a step that commits waits for what was done before it each time",
    ),
    _row(
        "provided",
        f"{_LEARNING}.provisions:_provisions",
        gives(()),
        "a step that commits is done only after what was told each time",
    ),
    _row(
        "constants",
        f"{_LEARNING}.provisions:_constants",
        gives(()),
        "what was told alike each time before a step that commits has to be told so again",
    ),
    _row(
        "held before",
        f"{_LEARNING}.provisions:_certain_values",
        gives(()),
        "what held each time before a step that commits, and by no chance, has to hold again",
    ),
    _row(
        "arguments within words",
        f"{_EPISODES}.mining:with_arguments",
        _as_mined,
        "lines that differ in an argument within a word are one form",
    ),
    _row(
        "other kinds",
        f"{_LEARNING}.proposing:without_disputed",
        _listed,
        "a program that would do demonstrations of other kinds otherwise is a draft",
    ),
    _row(
        "rows that two names call",
        f"{_LEARNING}.joins:_least_rows",
        gives(3),
        "a table of two rows is one where names call them",
    ),
    _row(
        "sizes",
        f"{_LEARNING}.provisions:_sizes",
        gives(()),
        "an argument that was a size of one type each time has to be one again",
    ),
    _row(
        "rows told twice",
        f"{_LEARNING}.joins:repeats_row",
        gives(False),
        "a line that says again what a row of a table says is not looked at",
    ),
    _row(
        "look-ups",
        f"{_LEARNING}.joins:learn_lookups",
        gives([]),
        "a second table is looked up by what is known",
    ),
    _row(
        "look-ups by candidates",
        f"{_LEARNING}.joins:learn_candidate_lookups",
        gives([]),
        "a second table is looked up by a field of each candidate",
    ),
    _row(
        "texts",
        f"{_LEARNING}.composed_texts:written_texts",
        gives(()),
        "what is said nowhere may be composed of what is said, written anew",
    ),
    _row(
        "tables in texts",
        f"{_LEARNING}.composed_texts:_may_be_keys",
        gives(False),
        "a part of a text may be decided by a value, as ASC by cheapest",
    ),
    _row(
        "evidence of pieces",
        f"{_LEARNING}.composed_texts:_says_enough",
        gives(True),
        "a piece of a text has to say more than fits by chance",
    ),
    _row(
        "evidence of tables",
        f"{_LEARNING}.composed_texts:_is_no_chance",
        gives(True),
        "the entries of a table have to come again",
    ),
    _row(
        "rivals of pieces",
        f"{_LEARNING}.composed_texts:_with_rivals",
        _first_piece,
        "where ways to write a text differ, it asks",
    ),
    _row(
        "texts in doubt",
        f"{_PROGRAMS}.program:_ambiguous_text",
        gives(None),
        "it asks before it hands in a text that may be another one",
    ),
    _row(
        "exchanged words",
        f"{_EPISODES}.action_operators:_exchanged_words",
        gives(frozenset()),
        "words by which alone long operators differ are arguments",
    ),
    _row(
        "wordings by values",
        f"{_LEARNING}.wordings:_values_by_slot",
        _says_nothing,
        "what only decides something is one in all wordings by its values",
    ),
    _row(
        "computed",
        f"{_LEARNING}.computing:computed",
        gives(()),
        "what is said nowhere may be a count, a sum, a difference or a product",
    ),
    _row(
        "second and third",
        f"{_LEARNING}.choice_table:ChoiceTable.look_behind",
        gives(False),
        "the second or third of an order may be chosen",
    ),
    _row(
        "steady",
        f"{_LEARNING}.covering:_always_agree",
        gives(False),
        "where several facts agreed each time, it asks when they differ",
    ),
    _row(
        "pairs",
        f"{_LEARNING}.ordering:_shown_pairs",
        gives(()),
        "a pair of values that was never shown stops what looks at one of the two",
    ),
    _row(
        "rules that say nothing",
        f"{_PROGRAMS}.program:_is_fully_told",
        gives(True),
        "a rival rule counts only if what it looks at was told",
    ),
    _row(
        "outlines",
        f"{_EPISODES}.outlines:learn_outline",
        gives({}),
        "lines under headings, and records of several lines, belong together",
    ),
    _row(
        "recurring keys",
        f"{_EPISODES}.special_forms:_recurring_keys",
        gives([]),
        "where records follow each other, each key has a line of its own",
    ),
    _row(
        "letters behind numbers",
        f"{_EPISODES}.special_forms:_with_units",
        _first,
        "a unit that all values of a key have is no part of them",
    ),
    _row(
        "joints",
        f"{_EPISODES}.item_lists:_joint",
        gives(""),
        "a word stands before the last item of a list",
    ),
    _row(
        "paraphrases",
        f"{_EPISODES}.paraphrases:learn_paraphrases",
        _listed,
        "lines that tell the same in other words are of one kind, too",
    ),
    _row(
        "clauses",
        f"{_EPISODES}.optional_clauses:with_clauses",
        _as_mined,
        "what a task says only at times has slots of its own",
    ),
    _row(
        "values of the task",
        f"{_LEARNING}.lessons:_open_values",
        gives(frozenset()),
        "what the task says is a value where a line has it alone",
    ),
    _row(
        "signs between arguments",
        f"{_EPISODES}.action_operators:_separates",
        gives(False),
        "signs that part arguments are the operator's",
    ),
    _row(
        "other names",
        f"{_LEARNING}.proposing:_is_general",
        gives(True),
        "a program has to reproduce copies with other names",
    ),
    _row(
        "words of the task",
        f"{_LEARNING}.features:_task_words",
        gives(()),
        "a word that only some tasks say may call for a step",
    ),
    _row(
        "tries",
        f"{_LEARNING}.features:_repetitions",
        gives({}),
        "how often a call was made may call for another",
    ),
    _row(
        "cuts",
        f"{_EPISODES}.action_operators:_cuts",
        gives(""),
        "of a word that nobody said, such as a path, the parts that were said are arguments",
    ),
    _row(
        "usual phrases",
        f"{_EPISODES}.action_operators:_sizes",
        gives({}),
        "two values that were once said together are two all the same",
    ),
    _row(
        "marks",
        f"{_LEARNING}.ordering:_leaves_a_mark",
        gives(False),
        "a step is not idle if what is told at the end differs by it",
    ),
    _row(
        "named things",
        f"{_EPISODES}.named_items:_forms",
        gives(()),
        "tasks that name one thing, two or more are one wording with a list",
    ),
    _row(
        "beside",
        f"{_LEARNING}.covering:_columns_beside",
        makes(dict),
        "an argument may be of the same row as another one",
    ),
    _row(
        "one order",
        f"{_LEARNING}.step_cover:StepCover._in_one_order",
        gives(False),
        "steps that were always done in one order are steps of their own, not one list",
    ),
    _row(
        "meant",
        f"{_PROGRAMS}.sources:meant_facts",
        _chosen,
        "of several candidates those are meant that are as all that were shown",
    ),
    _row(
        "keys of records",
        f"{_EPISODES}.special_forms:_recurring_keys",
        gives(()),
        "what names each line of a record makes a line of its own",
    ),
    _row(
        "sizes of facts",
        f"{_LEARNING}.hypotheses:_known_sizes",
        _asked_sizes,
        "sizes of candidates are compared with those that facts tell, and with sums of rows",
    ),
    _row(
        "what would be taken",
        f"{_LEARNING}.features:Features._of_chosen",
        gives(()),
        "a step may hang on what is told of the candidate that it would take",
    ),
    _row(
        "memberships",
        f"{_LEARNING}.features:learn_memberships",
        gives(()),
        "a step may hang on whether a list has what was named (joins: _MOST_LISTS)",
    ),
    _row(
        "sums of rows",
        f"{_LEARNING}.features:Features._sums",
        gives(()),
        "a step may hang on whether figures of rows add up to another one",
    ),
    _row(
        "sizes without signs",
        f"{_LEARNING}.expressions:_absolute_values",
        gives(()),
        "by how much figures differ, whichever is more, is computed",
    ),
    _row(
        "words among sizes",
        f"{_EPISODES}.special_forms:words_among_sizes",
        gives(()),
        "what recurs where sizes stand, and is none, makes a line of its own (_SIZED)",
    ),
    _row(
        "margins",
        f"{_LEARNING}.features:Features._margins",
        gives(()),
        "a step may hang on whether what comes of figures stays within another one (margins: BLOCK "
        "is how much is compared at once, and changes no result)",
    ),
    _row(
        "ties",
        f"{_LEARNING}.choice_table:ChoiceTable._with_ties_parted",
        gives(()),
        "a second order parts what ties by the first",
    ),
    _row(
        "words of all",
        f"{_EPISODES}.action_operators:_words_of_all",
        gives(frozenset()),
        "a word that all actions of an operator have is its own, though tasks say it",
    ),
    _row(
        "whole dates",
        f"{_EPISODES}.action_operators:_is_time",
        gives(False),
        "a date or time in a word of an action is one argument",
    ),
    _row(
        "computed constants",
        f"{_LEARNING}.explaining:_with_constant",
        gives(()),
        "what is computed may have a fixed number in it",
    ),
    _row(
        "rounding",
        f"{_LEARNING}.explaining:_rounded_expressions",
        gives(()),
        "a product or quotient may be rounded",
    ),
    _row(
        "shares",
        f"{_LEARNING}.explaining:_shares",
        gives(()),
        "how often a quantity goes into a rest may be rounded to a whole number",
    ),
    _row(
        "several operations",
        f"{_LEARNING}.explaining:_pairs_of_expressions",
        gives(()),
        "two expressions may be put together",
    ),
    _row(
        "quotation marks",
        f"{_EPISODES}.tokens:quoted",
        gives(()),
        "what stands in quotation marks is one value",
    ),
    _row(
        "values in quotes",
        f"{_EPISODES}.special_forms:_IN_QUOTES",
        ("", ""),
        "the quotation marks around a value are no part of it",
    ),
    _row(
        "aligned rows",
        f"{_EPISODES}.mining:_align_rows",
        list,
        "a wide gap that is narrow in other rows only aligns them",
    ),
    _row(
        "words of rows",
        f"{_EPISODES}.inner_signs:_words",
        gives(0),
        "a row whose last word is an argument is parted into its words",
    ),
    _row(
        "single words",
        f"{_EPISODES}.inner_signs:with_single_words",
        _first,
        "rows are read from both ends: figures and arguments are words of their own",
    ),
    _row(
        "marked rows",
        f"{_EPISODES}.line_clusters:_is_marked",
        gives(False),
        "a line of values that begins with a mark is no line of values alone",
    ),
    _row(
        "keys among rows",
        f"{_EPISODES}.special_forms:_keys_among_rows",
        gives([]),
        "what most episodes tell once among rows is a line of its own",
    ),
    _row(
        "other spellings",
        f"{_EPISODES}.unification:_argument_count",
        gives(0),
        "a value is whole, too, if it is typed in other capitals or with other signs",
    ),
    _row(
        "typed words",
        f"{_EPISODES}.action_operators:_TYPED_OFTEN",
        10**9,
        "words in one place of an action, each of them seldom, are no operator's",
    ),
    _row(
        "like parts",
        f"{_LEARNING}.wordings:_is_like",
        gives(False),
        "slots play one part, too, if what is done with them is written anew",
    ),
    _row(
        "situations",
        f"{_LEARNING}.covering:_situations",
        _everywhere,
        "one action that fills every field writes each in its own way",
    ),
    _row(
        "names on later pages",
        f"{_LEARNING}.joins:_are_names",
        gives(False),
        "a name is looked up though it stands on a later page only",
    ),
    _row(
        "glances",
        f"{_PROGRAMS}.replaying:is_glance",
        gives(False),
        "a look at what is no matter of the task does not count against a program",
    ),
    _row(
        "left out",
        f"{_PROGRAMS}.replaying:left_out",
        gives(frozenset()),
        "what a program passes over in most demonstrations makes it a draft",
    ),
    _row(
        "wordings apart",
        f"{_EPISODES}.line_clusters:Clusters._are_wordings",
        gives(False),
        "sentences whose words vary only together are no sentence with several slots",
    ),
    _row(
        "list signs",
        f"{_EPISODES}.list_signs:_list_sign",
        gives(", "),
        "the sign between the items of a task's list is learned",
    ),
    _row(
        "named by others",
        f"{_LEARNING}.covering:named_by_others",
        gives(()),
        "a row is chosen that another argument of the same call names",
    ),
    _row(
        "lists of two",
        f"{_LEARNING}.wordings:_with_all_items",
        _first,
        "a list is one slot in a wording that only ever had two items",
    ),
    _row(
        "said apart",
        f"{_EPISODES}.history:History.said_apart",
        gives(True),
        "what the task says only as a part of another candidate it does not say",
    ),
    _row(
        "unexplained notes",
        f"{_LEARNING}.program_learner:_is_explained",
        gives(True),
        "a demonstration that typed what nothing explains tells nothing of what holds each time",
    ),
    _row(
        "limits nobody showed",
        f"{_PROGRAMS}.program:_compares_like_guard",
        gives(False),
        "where two relations of a guard part at a limit, it asks",
    ),
    _row(
        "own arguments",
        f"{_LEARNING}.joins:learn_own_lookups",
        gives([]),
        "an argument is computed of what rows say of another argument of its call",
    ),
    _row(
        "forms of plans",
        f"{_LEARNING}.proposing:_unknown_action",
        gives(None),
        "what a program that plans would do has to be of a form that was shown",
    ),
    _row(
        "places of values",
        f"{_EPISODES}.special_forms:_with_places_of_values",
        _first,
        "forms that differ in one typed word are one form with a slot for it",
    ),
    _row(
        "frozen values",
        f"{_EPISODES}.mining:_without_frozen_values",
        _first,
        "a form is none of its own that only has a value of another one's slot as a word",
    ),
    _row(
        "parted as told",
        f"{_EPISODES}.inner_signs:parted_as_told",
        _first,
        "a word of a task is parted at a sign where results tell its parts",
    ),
    _row(
        "dates never cut",
        f"{_EPISODES}.templates:_with_whole_dates",
        _first,
        "a date that names the month is never cut",
    ),
    _row(
        "counted rows",
        f"{_LEARNING}.features:Features._counted",
        gives({}),
        "guards ask how many rows of a class there are",
    ),
    _row(
        "all but the foremost",
        f"{_LEARNING}.choice_table:_orders_behind",
        gives({}),
        "rows that come behind the greatest or least are taken one by one",
    ),
    _row(
        "two sizes of a row",
        f"{_LEARNING}.choice_table:between",
        gives(()),
        "rows are chosen by two of their own sizes",
    ),
    _row(
        "written by classes",
        f"{_LEARNING}.covering:_by_classes",
        gives([]),
        "a text is written in another way where a row tells a class",
    ),
    _row(
        "other values made",
        f"{_LEARNING}.proposing:_contradicts_demonstrations",
        gives(False),
        "a program of few that makes another value than was shown is a draft",
    ),
    _row(
        "unread rows",
        f"{_PROGRAMS}.program:_unread_row",
        gives(None),
        "a line among rows that is none that was shown stops what commits",
    ),
    _row(
        "words of tasks last",
        f"{_LEARNING}.features:_is_word",
        gives(False),
        "that tasks are worded so explains a step only where no count of rows does",
    ),
    _row(
        "unproved ends",
        f"{_PROGRAMS}.program:ProgramStep.unproved",
        gives(False),
        "of two steps that commit it asks, where the first was shown too seldom to tell",
    ),
    _row(
        "relations",
        f"{_PROGRAMS}.relations:relations_of",
        gives(frozenset()),
        "what was equal, in a list, or no smaller whenever a step was done has to be so again",
    ),
    _row(
        "flags told together",
        f"{_PROGRAMS}.pairs:_number_of_cases",
        gives(math.inf),
        "two values of flags that were never told together are new",
    ),
    _row(
        "stuck steps",
        f"{_LEARNING}.ordering:_MOST_STUCK",
        math.inf,
        "a program of which nothing calls for nine steps is given up",
    ),
    _row(
        "pairs of figures",
        f"{_PROGRAMS}.pairs:_may_interact",
        lambda one, other: one[:2] != other[:2],
        "two computed figures are new together only if a rival had them",
    ),
    _row(
        "rare wordings",
        f"{_LEARNING}.goal_learning:_is_read_by_another",
        gives(False),
        "a wording shown once or twice is no goal of its own where a frequent one reads its things",
    ),
    _row(
        "beginnings",
        f"{_EPISODES}.beginnings:begins_with",
        gives(True),
        "a program that reads any sentence is taken up in its own world only",
    ),
    _row(
        "columns",
        f"{_EPISODES}.columns:_table",
        gives([]),
        "rows of a table have as many bars: gaps that all of them have part columns",
    ),
    _row(
        "headings",
        f"{_EPISODES}.mining:with_headings",
        _listed,
        "the line with which all tables begin is no row (headings: LEAST_TABLES, SHARE)",
    ),
    _row(
        "told first",
        f"{_LEARNING}.features:_kinds_told_again",
        gives(frozenset()),
        "what was told first decides, where the same is told again of other things",
    ),
    _row(
        "markers",
        f"{_LEARNING}.features:learn_markers",
        makes(dict),
        "a value that recurs among names stands for nothing (markers: LEAST, SHARE, OFTENER)",
    ),
    _row(
        "each of several",
        f"{_LEARNING}.choices:_rule_for_each",
        gives(None),
        "what was taken one after the other is told by what was left (LEAST_SEVERAL, SEVERAL)",
    ),
    _row(
        "computed limits of rows",
        f"{_LEARNING}.choice_table:computed_limits",
        gives(()),
        "rows are chosen by a figure of two numbers that are told (hypotheses: MOST_NUMBERS)",
    ),
    _row(
        "many that abstain",
        f"{_LEARNING}.proposing:_ABSTAINING",
        2.0,
        "a program of many that does nothing otherwise is used though it asks (ABSTAINING)",
    ),
    _row(
        "by chance",
        f"{_PROGRAMS}.chance:is_no_chance",
        gives(True),
        "wordings, and limits above which all was chosen, count where they are no chance (CHANCE)",
    ),
    _row(
        "names by chance",
        f"{_PROGRAMS}.learning.boxing:parts_by_chance",
        gives(False),
        "names that part few demonstrations may do so by chance; the model decides (BY_CHANCE)",
    ),
    _row(
        "any order that reproduces more",
        f"{_LEARNING}.program_learner:_failures_of",
        gives(0),
        "steps are done in any order where demonstrations are then reproduced that else are not",
    ),
    _row(
        "rules of parts",
        f"{_LEARNING}.covering:with_rules",
        _first,
        "a part of a written text is chosen by a rule, as a whole value is",
    ),
    _row(
        "sums",
        f"{_LEARNING}.computing:_of_sums",
        gives(()),
        "what was told is added up, perhaps with another figure, as the last of several results",
    ),
    _row(
        "several reasons",
        f"{_LEARNING}.covering:uses_that_fit",
        gives([]),
        "a choice is learned where one condition leaves candidates, and only demonstrated ones",
    ),
    _row(
        "limits of what was typed",
        f"{_LEARNING}.features:_made_arguments",
        gives([]),
        "guards compare numbers that were computed and typed",
    ),
    _row(
        "idle steps that hide rules",
        f"{_LEARNING}.ordering:_idle",
        _rarest,
        "the idle step is the one without which the fewest moments are unexplained",
    ),
    _row(
        "values that show a notation",
        f"{_LEARNING}.composed_texts:_shows",
        _signs,
        "a notation is learned from the value that it changes most",
    ),
    _row(
        "rows of one table",
        f"{_EPISODES}.line_clusters:_are_records",
        gives(False),
        "rows that begin with a value and differ in one cell are of one kind",
    ),
    _row(
        "names of a pool",
        f"{_EPISODES}.line_clusters:Clusters._names",
        gives(()),
        "words are values where more lines differ in them than there are kinds of lines",
    ),
    _row(
        "rows of several arguments",
        f"{_LEARNING}.covering:whole_rows",
        gives([]),
        "arguments of a call name one row together (choices: LEAST_SHARED)",
    ),
    _row(
        "as it is listed",
        f"{_LEARNING}.covering:learn_listed",
        gives(None),
        "the first of a list that was not taken yet is one candidate, of which guards tell",
    ),
    _row(
        "left out together",
        f"{_PROGRAMS}.program_proof:_left_out_count",
        _left_out_by_operator,
        "of few demonstrations few may have a call that is left out before one step (GLANCED)",
    ),
    _row(
        "values cut elsewhere",
        f"{_PROGRAMS}.replaying:_is_cut",
        gives(False),
        "of few demonstrations none may hold more or less of the task than a slot does",
    ),
    _row(
        "lengths of lists",
        f"{_EPISODES}.line_clusters:_ITEMS",
        frozenset(),
        "sentences are told apart by their words though a list in them varies in length",
    ),
    _row(
        "parts at the end",
        f"{_LEARNING}.hypotheses:_part_at",
        _token_at,
        "the names of what is chosen begin or end with one part: a word in a token of several",
    ),
    _row(
        "decimal comma",
        f"{_LEARNING}.explaining:POINTS",
        (".",),
        "numbers may be typed with a decimal comma",
    ),
    _row(
        "items of results",
        f"{_EPISODES}.facts:_with_item_form",
        _first,
        "a list in a result tells names, and what is said of each",
    ),
    _row(
        "items of parts",
        f"{_EPISODES}.item_lists:_with_items_of_parts",
        _first,
        "items of a list in a line have several slots each",
    ),
    _row(
        "words of told names",
        f"{_EPISODES}.action_operators:_inner_words",
        makes(dict),
        "a word of some operators is part of an argument where it was told with it",
    ),
    _row(
        "reasons for themselves",
        f"{_LEARNING}.guarding:_best_guarding",
        Wrapped(_contrasted_once),
        "each reason of a guard is contrasted with what no reason before it holds of",
    ),
    _row(
        "trials that explain too little",
        f"{_LEARNING}.proposing:_EXPLAINED",
        0.0,
        "learning ends where steps explain all calls of few demonstrations (it only saves time)",
    ),
    _row(
        "tables beside single facts",
        "macla.procedures.episodes.history:History.table",
        _newest,
        "a single fact of another operator takes no table's place",
    ),
    _row(
        "lines below a heading",
        "macla.procedures.episodes.nesting:_LEAST_ALONE",
        10**9,
        "lines below a heading are apart from such lines alone",
    ),
    _row(
        "units of most values",
        "macla.procedures.episodes.units:_SHARE",
        2.0,
        "what nearly all values of a slot end with is no part of them",
    ),
    _row(
        "lists of clauses",
        "macla.procedures.episodes.clause_lists:_form",
        gives(None),
        "clauses of a line that begin alike are a list, of which each tells a fact",
    ),
    _row(
        "cases by relations",
        f"{_LEARNING}.choice_table:ChoiceTable._relations_to_task",
        gives(()),
        "choices are split by whether what was told is within what the task says",
    ),
    _row(
        "choices of classes",
        f"{_LEARNING}.covering:_choices_of_classes",
        gives(()),
        "each class of a menu is a choice of its own, and guards tell which is due",
    ),
    _row(
        "sentences of tasks",
        f"{_LEARNING}.reading_manners:Readings._have_sentences",
        gives(False),
        "tasks are read sentence by sentence, some of which are optional",
    ),
    _row(
        "first of the list",
        f"{_LEARNING}.choice_table:ChoiceTable._first_of_list",
        gives(()),
        "ties go to the first of the list, if that is no chance",
    ),
    _row(
        "fixed limits",
        f"{_LEARNING}.choice_table:fixed_limits",
        gives(()),
        "candidates are compared with the nearest size that was never chosen",
    ),
    _row(
        "narrower limits",
        f"{_LEARNING}.choice_table:ChoiceTable.narrower_limits",
        gives(()),
        "sizes between a fixed limit and what was chosen are a doubt",
    ),
    _row(
        "what was asked",
        f"{_LEARNING}.covering:_asked_choices",
        gives(()),
        "what earlier calls asked for is chosen by what they told",
    ),
    _row(
        "classes told before",
        f"{_LEARNING}.hypotheses:_classes_before",
        gives(()),
        "a class of the candidate's record in the result before counts",
    ),
    _row(
        "orders of all",
        f"{_LEARNING}.ordering:kept_groups",
        gives(()),
        "an order that demonstrations show both ways is free in each fold of the proof",
    ),
    _row(
        "objects told before",
        f"{_LEARNING}.hypotheses:_told_before",
        gives(()),
        "candidates are compared with what the result before told of their kind",
    ),
    _row(
        "rows of the own table",
        f"{_LEARNING}.hypotheses:_names_another",
        gives(False),
        "candidates are compared with a row of their table that the task names",
    ),
    _row(
        "presence in a table",
        f"{_LEARNING}.hypotheses:_presences",
        gives(()),
        "candidates are told apart by whether another table has a row for them",
    ),
    _row(
        "units of numbers",
        f"{_EPISODES}.unification:_unit",
        gives(""),
        "letters that stand behind all numbers of a place are a unit (unification: LEAST_SIZES)",
    ),
    _row(
        "empty cells",
        f"{_EPISODES}.columns:_with_empty_cells",
        _first,
        "rows with as many tabs have as many cells, some of them empty",
    ),
    _row(
        "slots alike in most",
        f"{_LEARNING}.wordings:_SHARE",
        0.6,
        "slots of two wordings are one where they do most of the same, though not always",
    ),
    _row(
        "equals",
        f"{_LEARNING}.choice_table:ChoiceTable.with_equals",
        gives(()),
        "sizes that were never equal leave open on which side of a comparison equal ones stand",
    ),
    _row(
        "steps by rivals",
        f"{_PROGRAMS}.program:_step_by_rivals",
        gives(None),
        "before an end no step is left out that another fitting rule of its choice would do",
    ),
    _row(
        "parts of told names",
        f"{_EPISODES}.action_operators:_with_pieces",
        _first,
        "a name that is told within a dotted one is told",
    ),
    _row(
        "words of all episodes",
        f"{_EPISODES}.action_operators:_MOSTLY",
        2.0,
        "a word that nearly all episodes use is the operator's (action_operators: MANY)",
    ),
    _row(
        "places one by one",
        f"{_EPISODES}.line_clusters:_places",
        gives(()),
        "lines whose places vary one by one against third lines are no wordings",
    ),
    _row(
        "two keys",
        f"{_EPISODES}.special_forms:_is_crossed",
        gives(False),
        "in a table with two keys neither names the lines of records",
    ),
    _row(
        "keys of objects",
        f"{_EPISODES}.facts:_with_their_keys",
        _first,
        "objects in texts have a kind by their keys, too",
    ),
    _row(
        "clauses in slots",
        f"{_LEARNING}.lessons:_has_signs",
        gives(False),
        "a clause with signs that a task says is no value of lines",
    ),
    _row(
        "repetitions as a size",
        f"{_LEARNING}.features:_times_done",
        gives(()),
        "the number of times that a step was done is compared with what is told",
    ),
    _row(
        "periods",
        f"{_LEARNING}.explaining:periods_between",
        gives(()),
        "days are months or years after others (calendar_days: LEAST_DAYS)",
    ),
    _row(
        "percentages",
        f"{_LEARNING}.explaining:_percentages",
        gives(()),
        "amounts less, or plus, so many hundredths are computed",
    ),
    _row(
        "shares of sums",
        f"{_LEARNING}.computing:explain_shares",
        gives(None),
        "amounts are shared out as a row's figure is of a sum",
    ),
    _row(
        "classes of all chosen",
        f"{_LEARNING}.hypotheses:_class_of_all",
        gives(()),
        "a word in a column of names is a class where all chosen rows have it",
    ),
    _row(
        "ages",
        f"{_LEARNING}.choice_table:ages",
        gives([]),
        "days between a candidate's and a known one are limited (hypotheses: TIMES, MOST_TIMES)",
    ),
    _row(
        "limits within conditions",
        f"{_LEARNING}.guarding:_limits_within",
        gives([]),
        "limits are sought where another condition holds (guarding: CONTEXTS, LEAST_PARTED)",
    ),
    _row(
        "sizes as classes",
        f"{_LEARNING}.features:_SIZES_BITS",
        0.0,
        "sizes cost more as classes than as limits",
    ),
    KnockOut(
        "programs: words and marks",
        (f"{_LEARNING}.features:_task_words", f"{_LEARNING}.ordering:_leaves_a_mark"),
        gives(()),
        "where no word of the task calls for a step that counts, its mark keeps it from being idle",
    ),
)
