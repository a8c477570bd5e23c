"""Rules by which demonstrations choose among candidates: the shortest one and its rivals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ...common.sampling import sample
from ...episodes.tokens import magnitude
from ..program_conditions import Field, OneOf, Unused
from ..sources import Case, Rule
from ..terms import bound_condition, class_of
from .choice_table import MOST_ROWS, ChoiceTable, price_of, price_of_order
from .occurrences import Setting, Use, take_several

_MOST_USES = 80
"""Most choices that a rule is learned from, evenly drawn; more take time."""


def learn_cases(uses: Sequence[Use], field: str, setting: Setting) -> tuple[Case, ...]:
    """Return the rules that explain demonstrated choices.

    Args:
        uses: The choices.
        field: The field whose value was chosen.
        setting: Of the step.
    """
    evidence = ChoiceTable(sample(uses, _MOST_USES), field, setting)
    everything = (1 << len(evidence.uses)) - 1
    cases: list[Case] = []
    for when, part in evidence.parts(everything):
        _, rule = evidence.best(part)
        rivals = evidence.version_space(part)
        # A limit says in one condition what a list of sizes says.
        if all(map(_lists_sizes, rivals)) and evidence.look_behind():
            _, rule = evidence.best(part)
            rivals = evidence.version_space(part)
        if rivals and not evidence.settled(part, rule):
            rule = min(rivals, key=_length)  # few choices among several are soon described
        settled = evidence.settled(part, rule) and evidence.settled_among_all(part, rule)
        rivals = rivals if settled else []
        others = tuple(
            r
            for r in rivals
            if not _choose_the_same(r, rule) and (_lists_values(rule) or not _lists_values(r))
        )
        more = evidence.nearly(part, rule) if settled else ()
        others += tuple(r for r in more if not _choose_the_same(r, rule))
        always = evidence.always(part, rule) if settled else ()
        cases.append(Case(when, rule, others, settled, always, evidence.known(part, rule)))
    if all(case.settled for case in cases):
        return tuple(cases)
    shared_case = _rule_for_each(uses, field, setting)
    return (shared_case,) if shared_case is not None else tuple(cases)


def uses_that_fit(uses: Sequence[Use], field: str, setting: Setting) -> list[Use]:
    """Return the choices for which one condition leaves candidates, and only demonstrated ones.

    An operator may have several reasons: what a rule never chooses is chosen for another one.
    Empty where no condition leaves them by more than chance.
    """
    evidence = ChoiceTable(sample(uses, _MOST_USES), field, setting)
    condition = evidence.right_where_it_fits()
    if condition is None:
        return []
    return [
        use
        for use in uses
        if any(bound_condition(condition, use.others).holds(use.history, row) for row in use.rows)
    ]


def _rule_for_each(uses: Sequence[Use], field: str, setting: Setting) -> Case | None:
    """Return the rule by which episodes took candidates in turn until none was left.

    Its conditions hold of all that an episode took, and of nothing that it left. Return None where
    there is no such rule, or where hardly an episode took several.
    """
    episodes: dict[int, list[Use]] = defaultdict(list)
    for use in uses:
        episodes[use.episode].append(use)
    uses_by_episode = list(episodes.values())[:_MOST_USES]
    episodes_of_several = sum(
        len({(u.value, u.whole) for u in each}) > 1 for each in uses_by_episode
    )
    if not take_several(episodes_of_several, len(uses_by_episode)):
        return None
    if any(len(each[0].rows) > MOST_ROWS for each in uses_by_episode):
        return None
    evidence = ChoiceTable([each[0] for each in uses_by_episode], field, setting, uses_by_episode)
    where = evidence.just_these()
    if where is None and evidence.look_behind():
        where = evidence.just_these()
    if where is None:
        return None
    known_classes = evidence.known((1 << len(uses_by_episode)) - 1, Rule(where))
    beside = tuple(Field(name) for name, _ in uses[0].whole)
    rule = Rule((*where, Unused(Field(field), setting.operator, beside=beside)))
    return Case((), rule, settled=False, known=known_classes)


def _length(rule: Rule) -> float:
    return sum(map(price_of, rule.where)) + sum(map(price_of_order, rule.order))


def _lists_values(rule: Rule) -> bool:
    """Whether a rule lists values that were met. Such a rule is no rival of one without a list."""
    several = (c for c in rule.where if not (isinstance(c, OneOf) and len(c.values) == 1))
    return any(class_of(each) is not None for each in several)


def _lists_sizes(rule: Rule) -> bool:
    """Whether a rule lists several sizes that were met."""
    lists = (each.values for each in rule.where if isinstance(each, OneOf))
    return any(len(values) > 1 and all(map(magnitude, values)) for values in lists)


def _choose_the_same(one: Rule, other: Rule) -> bool:
    """Whether two rules choose the same, in whichever order their conditions stand."""
    return (set(one.where), one.order) == (set(other.where), other.order)
