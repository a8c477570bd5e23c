"""Rules by which demonstrations choose among candidates: the shortest one and its rivals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...common.sampling import sample
from ...episodes.fact import Fact
from ...episodes.history import History
from ...episodes.tokens import magnitude
from ..chance import is_no_chance
from ..program_conditions import Field, OneOf, Unused
from ..sources import Case, Choice, Order, Rule
from ..terms import bound_condition, class_of
from .choice_table import MOST_ROWS, ChoiceTable, price_of, price_of_order
from .joins import learn_own_lookups
from .occurrences import Occurrence, Setting, Use, take_several, uses_by_field
from .turns import are_sorted

_MOST_USES = 80
"""Most choices that a rule is learned from, evenly drawn; more take time."""
_LEAST_NAMED = 3
"""Least different values that other arguments have to tell apart."""
_LEAST_SHARED = 3
"""Least choices whose value several rows have, so that it is no chance."""


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


# ---------------------------------------------------------------------------- of several arguments
def named_by_others(
    index: int, occurrences: Sequence[Occurrence], setting: Setting
) -> Iterator[Choice]:
    """Yield choices whose rules look at other arguments of their call, and single out the value.

    ``badge {1} for {2}``: the door is that of the team for which the person works.

    Args:
        index: Place of the argument that is chosen.
        occurrences: All calls of the operator.
        setting: Of the calls.
    """
    own_lookups = learn_own_lookups(index, occurrences)
    beside = replace(setting, lookups=(*setting.lookups, *own_lookups))
    choices = uses_by_field(index, occurrences, History.newest, beside=True)
    for (kind, name), uses in sorted(choices.items()):
        if len({use.value for use in uses}) < _LEAST_NAMED:
            continue
        if not own_lookups and not _mostly_named(uses, name):
            continue
        cases = learn_cases(uses, name, beside)
        choice = Choice(kind, name, "newest", cases)
        if choice.looks_at and all(case.settled for case in cases):
            yield choice


def _mostly_named(uses: Sequence[Use], name: str) -> bool:
    """Whether most chosen rows have another argument of their call as a field."""
    count = sum(
        any(
            row.fields[name] == use.value and other in row.fields.values()
            for row in use.rows
            if name in row.fields
            for other in use.others
            if other
        )
        for use in uses
        if len(use.rows) > 1
    )
    return count * 2 > len(uses)


def whole_rows(
    index: int, field: str, occurrences: Sequence[Occurrence], uses: Sequence[Use]
) -> list[Use]:
    """Return choices that say which row was meant where several have the chosen value.

    The row is the one that has another argument of the call in a field, the same in all calls.
    Empty where no argument tells rows apart.

    Args:
        index: Place of the argument that is chosen.
        field: The field that it has in the rows.
        occurrences: All calls of the operator.
        uses: The choices of some of these calls.
    """
    shared_counts = [len(_meant(use, field)) for use in uses]
    if sum(count > 1 for count in shared_counts) < _LEAST_SHARED:
        return []
    arguments = {id(each.history): each.arguments for each in occurrences}
    names = sorted(set.intersection(*(set(row.fields) for use in uses for row in use.rows)))
    for place in range(len(occurrences[0].arguments)):
        for name in names if place != index else ():
            whole = [
                replace(use, whole=((name, arguments[id(use.history)][place]),)) for use in uses
            ]
            if name == field or not all(_meant(use, field) for use in whole):
                continue
            counts = zip(shared_counts, whole, strict=True)
            if sum(len(_meant(use, field)) < count for count, use in counts) >= _LEAST_SHARED:
                return whole
    return []


def _meant(use: Use, field: str) -> list[Fact]:
    return [row for row in use.rows if use.takes(row, field)]


# ---------------------------------------------------------------------------- in turn
def learn_listed(uses: Sequence[Use], field: str, operator: str) -> Case | None:
    """Return the rule that takes the first of a list that was not taken yet; else None.

    A search goes along its list until something is found, so that it leaves candidates. In a
    sorted list the order may be that of a size.

    Args:
        uses: The choices.
        field: The field whose value was chosen.
        operator: Operator of the step.
    """
    values_by_episode: dict[int, set[str]] = defaultdict(set)
    for use in uses:
        values_by_episode[use.episode].add(use.value)
    several = sum(len(values) > 1 for values in values_by_episode.values())
    if not take_several(several, len(values_by_episode)):
        return None
    unused = Unused(Field(field), operator)
    shares: list[float] = []
    for use in uses:
        left = [row for row in use.rows if unused.holds(use.history, row)]
        if not left or not use.takes(left[0], field):
            return None
        shares.append(1 / len({row.fields.get(field) for row in left}))
    names = {name for use in uses for row in use.rows for name in row.fields}
    if not is_no_chance(shares) or any(are_sorted([u.rows for u in uses], n) for n in names):
        return None
    order = Order(Field(field), greatest=False, listed=True)
    return Case((), Rule((unused,), (order,)))
