"""Candidates of demonstrated choices as bits: which rules single out the taken ones."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from operator import and_

from ...episodes.facts import Fact
from ...episodes.tokens import magnitude
from ..chance import is_no_chance
from ..exact_numbers import SIGNS
from ..program_conditions import (
    Arithmetic,
    Comparison,
    Condition,
    Field,
    Literal,
    OneOf,
    Own,
    Said,
    TaskSlot,
    Term,
    ToldField,
    Unused,
    value_of,
)
from ..sources import Order, Rule, chosen_facts, foremost, size_of
from ..terms import bound_condition, bound_term, class_of, parts_of
from .hypotheses import (
    ages,
    between,
    computed_limits,
    fixed_limits,
    hypotheses,
    limits,
    limits_of_ages,
)
from .known_terms import single_facts
from .occurrences import Setting, Use
from .truths import Column, bits_of, mask_of, truth_of

MISSED_BITS = 10.0
"""Bits to spell a value that no rule chooses."""
MOST_ROWS = 60
"""Most candidates of a choice that are looked at; of more a sample is."""
_BITS = {"=": 2.0, "≈": 3.0, "has": 2.5, "<=": 3.0, ">=": 3.0, "<": 3.5, ">": 3.5, "≠": 3.5}
_BITS |= {"begins": 2.75, "ends": 2.75, "contains": 3.25}
"""Relation → bits of a condition with it."""
_WITH_EQUALS = {"<": "<=", ">": ">=", "<=": "<", ">=": ">"}
"""Relation of sizes → the one that differs where they are equal."""
_ORDER_BITS = 4.0
"""Bits that name one of a few fields and a direction."""
_FIGURES_BITS = 4.0
"""Bits that name a second field and a sign."""
_CASE_BITS = 6.0
"""Bits of one more case: its condition over the task."""
_LEAST_EQUAL = 2
"""Choices from which on it is no chance that a field equalled a slot of the task."""
_LEAST_ALWAYS = 8
"""Choices from which on it is no chance that a field was within a slot of the task."""
_MOST_FIGURES = 6
"""Most numeric fields that are combined in pairs."""
_SIZES = 4
"""Most conditions of a rule of the version space."""
_MOST_COMBINATIONS = 4000
"""Most combinations of one size that the version space tries; more take time."""
_MOST_SIDES = 6
"""Most values of a slot by which choices are split."""
_LEAST_SIDE = 3
"""Least choices on either side of a split; with fewer it may be chance."""
_MOST_TRIALS = 12
"""Most splits that are tried; more take time."""
_TOGETHER = 2
"""Most conditions that tell candidates that are taken one after the other from the rest."""
_ORDERED = 3
"""Conditions of a rule of the version space from which on no order is added to them."""


class ChoiceTable:
    """Choices as sets of bits: one bit for each candidate, one group of bits for each choice."""

    def __init__(
        self,
        uses: Sequence[Use],
        field: str,
        setting: Setting,
        taken: Sequence[Sequence[Use]] | None = None,
    ) -> None:
        self.uses = uses
        self.field = field
        self.lookups = setting.lookups
        self.rows: list[tuple[int, Fact]] = []
        self.group: list[int] = []
        self.places: list[float] = []
        self.right = 0
        for number, use in enumerate(uses):
            mask = 0
            own_uses = taken[number] if taken is not None else (use,)
            place_by_row = {id(row): float(place) for place, row in enumerate(use.rows)}
            for row in _sample(use, field):
                bit = 1 << len(self.rows)
                mask |= bit
                self.rows.append((number, row))
                self.places.append(place_by_row[id(row)])
                if any(each.takes(row, field) for each in own_uses):
                    self.right |= bit
            self.group.append(mask)
        self.all = (1 << len(self.rows)) - 1
        self.truth: dict[Condition, int] = {}
        self.columns: dict[Term, Column] = {}
        self.prices: dict[int, float] = {}
        self.first: dict[tuple[Order, ...], dict[int, int]] = {}
        self.shortest: list[tuple[Condition, int, float]] | None = None
        self.candidates = [(uses[number], row) for number, row in self.rows]
        self.chosen = [self.candidates[i] for i in bits_of(self.right)]
        self._note(hypotheses(setting, self.candidates, self.chosen))
        self.sizes = self._sizes()
        self.behind = False

    def _note(self, conditions: Iterable[Condition]) -> None:
        self.shortest = None
        for condition in conditions:
            truth = self._truth(condition)
            if truth & self.right and truth != self.all:
                self.truth[condition] = truth

    def _truth(self, condition: Condition) -> int:
        """Return the candidates of which a condition holds."""
        match condition:
            case Comparison(left, _, right):
                return truth_of(condition, self._column(left), self._column(right))
            case OneOf(term, values):
                return mask_of(value in values for value in self._column(term))
            case _:
                return mask_of(
                    bound_condition(condition, use.others).holds(use.history, row)
                    for use, row in self.candidates
                )

    def _column(self, term: Term) -> Column:
        """Return the value of a term with each candidate. The list is cached."""
        if term not in self.columns:
            depends = any(isinstance(part, Own) for part in parts_of(term))
            values = [
                value_of(bound_term(term, use.others) if depends else term, use.history, row)
                for use, row in self.candidates
            ]
            self.columns[term] = Column(values)
        return self.columns[term]

    def _distinct(self) -> Sequence[tuple[Condition, int, float]]:
        """Return the shortest condition of each set of candidates, with the set and its bits."""
        if self.shortest is None:
            shortest: dict[int, Condition] = {}
            for condition, truth in sorted(self.truth.items(), key=lambda each: price_of(each[0])):
                shortest.setdefault(truth, condition)
            self.shortest = [
                (condition, truth, price_of(condition))
                for condition, truth in self.truth.items()
                if shortest[truth] is condition
            ]
        return self.shortest

    def _sizes(self) -> dict[Order, list[float | None]]:
        sizes: dict[Order, list[float | None]] = {}
        for field in self._fields():
            sizes |= self._orders(field)
            order = Order(field, greatest=False, said=True)
            places = [size_of(order, row, use.history) for use, row in self.candidates]
            if Said(field) in self.truth or None not in places:
                sizes[order] = places
        return sizes

    def _fields(self) -> list[Field]:
        return [
            Field(name) for name in sorted({name for _, row in self.rows for name in row.fields})
        ]

    def _says(self, order: Order, where: Collection[Condition]) -> bool:
        """Whether the task says every value that an order by its place in the task compares."""
        return Said(order.by) in where or None not in self.sizes[order]

    def _orders(self, by: Field | Arithmetic) -> dict[Order, list[float | None]]:
        """Return both orders by a value, if most candidates have it, as sizes of one type."""
        column = [magnitude(value_of(by, u.history, row) or "") for u, row in self.candidates]
        types = {size[0] for size in column if size}
        values = [size[1] if size else None for size in column]
        if len(types) != 1 or values.count(None) * 2 >= len(values) or len(set(values)) == 1:
            return {}
        return {Order(by, greatest=greatest): values for greatest in (False, True)}

    def look_behind(self) -> bool:
        """Look at other places than the first, and at two figures; return whether there is more."""
        if self.behind:
            return False
        self.behind = True
        plain = {order: sizes for order, sizes in self.sizes.items() if order.plain}
        for order, sizes in plain.items():
            self.sizes |= {replace(order, rank=rank): sizes for rank in (2, 3)}
            self.sizes |= dict.fromkeys(_orders_behind(order), sizes)
        figures = [field for field in self._fields() if Order(field, greatest=True) in plain]
        pairs = [
            Arithmetic(left, sign, right)
            for left, right in itertools.permutations(figures[:_MOST_FIGURES], 2)
            for sign in SIGNS
            if sign == "-" or left.name < right.name
        ]
        for each in pairs:
            self.sizes |= self._orders(each)
        self._note(limits(pairs, self.candidates, ()))
        self._note(fixed_limits(self._fields(), self.candidates, self.chosen))
        self._note(between(figures, self.candidates))
        self._note(computed_limits(self._fields(), self.candidates))
        spans = ages(self._fields(), self.candidates)
        if spans:
            self._note(limits_of_ages(spans, self.candidates, self.chosen, self.lookups))
        return bool(plain)

    # ------------------------------------------------------------------ what rules choose
    def kept(self, rule: Rule) -> int:
        """Return the candidates that a rule chooses."""
        return self._foremost(self._fitting(rule.where), rule.order)

    def _fitting(self, conditions: Iterable[Condition]) -> int:
        """Return the candidates for which conditions hold."""
        return reduce(and_, map(self.truth.__getitem__, conditions), self.all)

    def _foremost(self, mask: int, orders: tuple[Order, ...]) -> int:
        if not orders:
            return mask
        out = 0
        for group in self.group:
            out |= self._first(mask & group, orders)
        return out

    def _first(self, members: int, orders: tuple[Order, ...]) -> int:
        """Return the candidates of one choice that orders put first. The result is cached."""
        first_by_members = self.first.setdefault(orders, {})
        if (first := first_by_members.get(members)) is None:
            places = list(bits_of(members))
            columns = [
                [self.places[m] if order.listed else self.sizes[order][m] for m in places]
                for order in orders
            ]
            first = first_by_members[members] = sum(
                1 << places[i] for i in foremost(orders, columns)
            )
        return first

    def _bits(
        self, groups: Iterable[int], mask: int, orders: tuple[Order, ...], most: float = math.inf
    ) -> float:
        """Return the bits of choices among those of a mask that orders put first.

        Args:
            groups: The candidates of each choice.
            mask: The candidates that may be taken.
            orders: What puts some of them first.
            most: Bits above which the sum goes no further; then at least what it came to.
        """
        total = 0.0
        for group in groups:
            members = self._first(mask & group, orders) if orders else mask & group
            if (price := self.prices.get(members)) is None:
                price = self.prices[members] = self._price_among(members)
            total += price
            if total > most:
                break
        return total

    def _price_among(self, members: int) -> float:
        """Return the bits of one choice among some candidates."""
        if not members & self.right:
            return MISSED_BITS
        return math.log2(self._different(members))

    def best(self, part: int) -> tuple[float, Rule]:
        """Return the shortest description of the choices of a part: its bits and the rule."""
        groups = [self.group[number] for number in bits_of(part)]
        rule, mask = Rule(), self.all
        shortest = self._bits(groups, mask, ())
        price = 0.0
        for _ in range(4):
            least, best = shortest - 0.01, None
            for extended, candidates, extension in self._extended(rule, mask):
                cost = price + extension
                most = least - cost + 2e-6  # sums that differ by less may be rounded to the same
                total = self._bits(groups, candidates, extended.order, most) + cost
                if best is None or round(total, 6) < round(best[0], 6):
                    best, least = (total, extended, cost), min(least, total)
            if best is None or best[0] >= shortest - 0.01:
                break
            shortest, rule, price = best
            mask = self._fitting(rule.where)
        return shortest, rule

    def _extended(self, rule: Rule, mask: int) -> Iterator[tuple[Rule, int, float]]:
        """Yield longer rules, with the candidates for which conditions hold, and further bits.

        Args:
            rule: The rule.
            mask: The candidates for which its conditions hold.
        """
        for condition, truth, price in self._distinct():
            if condition not in rule.where:
                yield Rule((*rule.where, condition), rule.order), mask & truth, price
        for orders in self._longer(rule.order):
            if all(self._says(order, rule.where) for order in orders if order.said):
                yield Rule(rule.where, orders), mask, price_of_order(orders[-1])

    def _longer(self, orders: tuple[Order, ...]) -> Iterator[tuple[Order, ...]]:
        """Yield longer orders: a first one, or a second one that breaks ties of the first."""
        if not orders:
            yield from ((order,) for order in self.sizes)
        elif len(orders) == 1 and not orders[0].said and not orders[0].behind:
            yield from (
                (*orders, other)
                for other in self.sizes
                if other.plain and isinstance(other.by, Field) and other.by != orders[0].by
            )

    def _may_part(self, mask: int, order: Order, part: int) -> bool:
        """Whether an order may give each choice of a part at its rank once ties are broken."""
        sizes = self.sizes[order]
        sign = -1.0 if order.greatest else 1.0
        for number in bits_of(part):
            members = mask & self.group[number]
            column = sorted(size * sign for i in bits_of(members) if (size := sizes[i]) is not None)
            place = column[order.rank - 1] if len(column) >= order.rank else None
            right = (sizes[i] for i in bits_of(members & self.right))
            if place is None or all(size is None or size * sign != place for size in right):
                return False
        return True

    def _groups(self, part: int) -> int:
        """Return the candidates of all choices of a part."""
        groups = 0
        for number in bits_of(part):
            groups |= self.group[number]
        return groups

    def settled(self, part: int, rule: Rule) -> bool:
        """Whether a rule singles out the demonstrated value in every choice of a part."""
        return self._exact(self.kept(rule), part)

    def settled_among_all(self, part: int, rule: Rule) -> bool:
        """Whether a rule is settled among all candidates where only a sample was looked at."""
        many = (self.uses[n] for n in bits_of(part) if len(self.uses[n].rows) > MOST_ROWS)
        return all(
            {row.fields.get(self.field) for row in chosen_facts(rule, use.rows, use.history)}
            == {use.value}
            for use in many
        )

    def _exact(self, mask: int, part: int) -> bool:
        return all(
            (members := mask & self.group[n]) and not members & ~self.right for n in bits_of(part)
        )

    def _singles_out(self, mask: int, orders: tuple[Order, ...], part: int) -> bool:
        """Whether orders put only demonstrated values first in every choice of a part."""
        return all(
            (first := self._first(mask & self.group[n], orders)) and not first & ~self.right
            for n in bits_of(part)
        )

    def version_space(self, part: int) -> list[Rule]:
        """Return the minimal rules that single out the demonstrated values of a part's choices."""
        groups = self._groups(part)
        right = self.right & groups
        sound: dict[int, Condition] = {}
        for condition, truth in sorted(self.truth.items(), key=lambda x: price_of(x[0])):
            if groups & ~truth and all(right & truth & self.group[n] for n in bits_of(part)):
                sound.setdefault(truth & groups, condition)
        pool = list(sound.items())
        rules: list[tuple[frozenset[int], tuple[Order, ...]]] = []
        ties: list[tuple[frozenset[int], int]] = []
        for size in range(_SIZES + 1):
            if math.comb(len(pool), size) > _MOST_COMBINATIONS:
                break
            for combination in itertools.combinations(range(len(pool)), size):
                members = frozenset(combination)
                if any(other <= members and not orders for other, orders in rules):
                    continue
                mask = groups
                for i in combination:
                    mask &= pool[i][0]
                if self._exact(mask, part):
                    rules.append((members, ()))
                    continue
                conditions = {pool[i][1] for i in members}
                for order in self.sizes if size < _ORDERED else ():
                    if order.behind:  # each of several is taken: no rule singles out one
                        continue
                    if order.said and not self._says(order, conditions):
                        continue
                    if any(other <= members and (order,) == o for other, o in rules):
                        continue
                    if self._singles_out(mask, (order,), part):
                        rules.append((members, (order,)))
                if size < _ORDERED - 1:
                    ties.append((members, mask))
        if not rules:
            rules += self._with_ties_parted(ties, part)
        if not rules:
            rules += self._first_of_list(ties, part)
        return [Rule(tuple(pool[i][1] for i in sorted(m)), orders) for m, orders in rules]

    def _with_ties_parted(
        self, ties: Iterable[tuple[frozenset[int], int]], part: int
    ) -> Iterator[tuple[frozenset[int], tuple[Order, ...]]]:
        """Yield conditions with two orders that single out the demonstrated values.

        Args:
            ties: Conditions, and the candidates for which they hold.
            part: The choices.
        """
        for members, mask in ties:
            for first in self.sizes:
                if self._may_part(mask, first, part):
                    for orders in self._longer((first,)):
                        if self._singles_out(mask, orders, part):
                            yield members, orders

    def _first_of_list(
        self, ties: Iterable[tuple[frozenset[int], int]], part: int
    ) -> Iterator[tuple[frozenset[int], tuple[Order, ...]]]:
        """Yield conditions, with an order or none, whose ties go to the first of the list.

        Ties that seldom came, or among few candidates, may have gone so by chance.

        Args:
            ties: Conditions, and the candidates for which they hold.
            part: The choices.
        """
        listed = Order(Field(self.field), greatest=False, listed=True)
        plain = [order for order in self.sizes if order.plain]
        for members, mask in ties:
            for orders in ((listed,), *((order, listed) for order in plain)):
                if self._singles_out(mask, orders, part):
                    tied = self._foremost(mask, orders[:-1])
                    if is_no_chance(
                        1 / self._different(tied & self.group[n]) for n in bits_of(part)
                    ):
                        yield members, orders

    def _different(self, members: int) -> int:
        """Return how many values the candidates of a choice give."""
        return len({self.rows[i][1].fields.get(self.field) for i in bits_of(members)})

    def nearly(self, part: int, rule: Rule) -> Iterator[Rule]:
        """Yield rules that differ from one where no demonstrated choice tells which is meant."""
        yield from self.fixed_limits(part, rule)
        yield from self.with_equals(rule)
        yield from self.narrower_limits(part, rule)

    def narrower_limits(self, part: int, rule: Rule) -> Iterator[Rule]:
        """Yield the rule with a fixed limit at the nearest chosen size, in place of one beyond."""
        chosen = list(bits_of(self.right & self._groups(part)))
        for at, condition in enumerate(rule.where):
            match condition:
                case Comparison(Field() as field, (">" | "<") as relation, Literal()):
                    sizes = {
                        size: text
                        for i in chosen
                        if (text := self._column(field)[i])
                        and (size := magnitude(text)) is not None
                    }
                    nearest = sizes[min(sizes) if relation == ">" else max(sizes)]
                    other = Comparison(field, _WITH_EQUALS[relation], Literal(nearest))
                    yield replace(rule, where=(*rule.where[:at], other, *rule.where[at + 1 :]))

    def with_equals(self, rule: Rule) -> Iterator[Rule]:
        """Yield the rule with equal sizes on the other side of a comparison, if none were equal."""
        for at, condition in enumerate(rule.where):
            if isinstance(condition, Comparison) and not isinstance(condition.right, Literal):
                relation = _WITH_EQUALS.get(condition.relation, condition.relation)
                other = replace(condition, relation=relation)
                if other != condition and self._truth(other) == self._truth(condition):
                    yield replace(rule, where=(*rule.where[:at], other, *rule.where[at + 1 :]))

    def fixed_limits(self, part: int, rule: Rule) -> Iterator[Rule]:
        """Yield the rule with a limit in place of its order, where one limit fits all choices.

        The least of all may have been taken because it is the least, or because it is small: these
        rules differ where several are small, or none is. Candidates taken in turn are taken to the
        last, so that a limit tells nothing of them.

        Args:
            part: The choices.
            rule: The rule that singles out what they took.
        """
        if len(rule.order) != 1 or any(isinstance(each, Unused) for each in rule.where):
            return
        (order,) = rule.order
        if not isinstance(order.by, Field) or not order.plain:
            return
        texts, sizes = self._column(order.by), self.sizes[order]
        chosen = [i for i in bits_of(self.right & self._groups(part)) if sizes[i] is not None]
        farthest = (min if order.greatest else max)(chosen, key=lambda i: sizes[i] or 0.0)
        limit = Comparison(
            order.by, ">=" if order.greatest else "<=", Literal(texts[farthest] or "")
        )
        fitting = self._groups(part) & self._fitting(rule.where)
        mask = fitting & self._truth(limit)
        if mask == fitting:
            return  # what holds of every candidate is no limit
        if self._exact(mask, part):
            yield Rule((*rule.where, limit))

    def just_these(self) -> tuple[Condition, ...] | None:
        """Return the shortest conditions that hold of exactly the demonstrated candidates."""
        sound: dict[int, Condition] = {}
        for condition, truth in sorted(self.truth.items(), key=lambda x: price_of(x[0])):
            if not isinstance(condition, Unused) and not self.right & ~truth:
                sound.setdefault(truth, condition)
        for size in range(_TOGETHER + 1):
            for combination in itertools.combinations(sound.items(), size):
                mask = self.all
                for truth, _ in combination:
                    mask &= truth
                if mask == self.right:
                    return tuple(condition for _, condition in combination)
        return None

    def right_where_it_fits(self) -> Condition | None:
        """Return the condition of most choices that holds of demonstrated candidates only."""
        best: tuple[int, float, Condition] | None = None
        for condition, truth, _ in self._distinct():
            part = sum(1 << n for n, members in enumerate(self.group) if members & truth)
            if isinstance(condition, Unused) or not self._exact(truth, part):
                continue
            rank = part.bit_count(), -price_of(condition)
            if (best is None or rank > best[:2]) and is_no_chance(self._shares(truth, part)):
                best = *rank, condition
        return None if best is None else best[2]

    def always(self, part: int, rule: Rule) -> tuple[Condition, ...]:
        """Return relations to the task that held of all chosen candidates, and not of all others.

        A figure of two fields counts only if the rule chooses by it: there are many others.
        """
        figures: set[Term] = {order.by for order in rule.order}
        figures |= {each.left for each in rule.where if isinstance(each, Comparison)}
        number = part.bit_count()
        relations = {"=", "has"} if number >= _LEAST_EQUAL else set()
        if number >= _LEAST_ALWAYS:
            relations |= {"<=", ">="}
        groups = self._groups(part)
        right = self.right & groups
        return tuple(
            condition
            for condition, truth in self.truth.items()
            if isinstance(condition, Comparison)
            and condition.relation in relations
            and isinstance(condition.right, TaskSlot)
            and (condition.left in figures or not isinstance(condition.left, Arithmetic))
            and not right & ~truth
            and groups & ~truth
            and (condition.relation in ("=", "has") or is_no_chance(self._shares(truth, part)))
        )

    def _shares(self, truth: int, part: int) -> Iterator[float]:
        """Yield, for each choice of a part, the share of its candidates that a mask holds."""
        for use in bits_of(part):
            yield (truth & self.group[use]).bit_count() / self.group[use].bit_count()

    def known(self, part: int, rule: Rule) -> tuple[OneOf, ...]:
        """Return the values of classes that were shown where the rest of a rule held.

        One class that settles every choice is left out: it decides about all others, too.
        """
        groups = self._groups(part)
        classes: list[OneOf] = []
        for term in dict.fromkeys(map(class_of, rule.where)):
            conditions = [each for each in rule.where if class_of(each) == term]
            one = any(isinstance(c, OneOf) and len(c.values) == 1 for c in conditions)
            if term is None or (one and self._exact(self.kept(rule), part)):
                continue
            mask = groups & self.kept(Rule(rule.without(term)))
            members = (self.candidates[i] for i in bits_of(mask))
            values = {value_of(term, use.history, row) for use, row in members} - {None}
            classes.append(OneOf(term, tuple(sorted(value for value in values if value))))
        return tuple(classes)

    # ------------------------------------------------------------------ cases
    def parts(self, everything: int) -> Iterator[tuple[tuple[Condition, ...], int]]:
        """Yield parts of the choices, split by the task where several rules are shorter."""
        remaining = everything
        for _ in range(6):
            bits, _ = self.best(remaining)
            number = remaining.bit_count()
            best: tuple[float, Condition, int] | None = None
            if number > 5 and bits > 12:
                for condition, side in self._sides(remaining):
                    total = self.best(side)[0] + self.best(remaining & ~side)[0] + _CASE_BITS
                    if total < (best[0] if best else bits):
                        best = total, condition, side
            if best is None:
                break
            _, condition, side = best
            yield (condition,), side
            remaining &= ~side
        yield (), remaining

    def _sides(self, rest: int) -> Iterator[tuple[Condition, int]]:
        """Yield conditions over the task that split the choices, with their side."""
        values: dict[TaskSlot, Counter[str]] = defaultdict(Counter)
        for number in bits_of(rest):
            slots = self.uses[number].history.asked
            for name, value in slots.fields.items():
                values[TaskSlot(name)][value] += 1
        sides: set[int] = set()
        conditions: list[Condition] = [
            OneOf(slot, (value,))
            for slot, counter in sorted(values.items(), key=lambda x: len(x[1]))
            if len(counter) <= _MOST_SIDES
            for value, _ in counter.most_common()
        ]
        for condition in itertools.chain(conditions, self._relations_to_task(rest)):
            side = 0
            for number in bits_of(rest):
                if condition.holds(self.uses[number].history):
                    side |= 1 << number
            enough = _LEAST_SIDE <= side.bit_count() <= rest.bit_count() - _LEAST_SIDE
            if enough and side not in sides and len(sides) < _MOST_TRIALS:
                sides.add(side)
                yield condition, side

    def _relations_to_task(self, rest: int) -> Iterator[Comparison]:
        """Yield comparisons of single told sizes with those of the task."""
        history = self.uses[next(bits_of(rest))].history
        terms = [ToldField(f.kind, name) for f in single_facts(history) for name in f.fields]
        for term, slot in itertools.product(terms, history.asked.fields):
            types = [magnitude(value_of(each, history) or "") for each in (term, TaskSlot(slot))]
            if types[0] and types[1] and types[0][0] == types[1][0]:
                yield Comparison(term, "<=", TaskSlot(slot))


def _orders_behind(order: Order) -> Iterator[Order]:
    """Yield orders that keep the candidates behind the first, second or third place."""
    yield from (replace(order, rank=rank, behind=True) for rank in (1, 2, 3))


def price_of(condition: Condition) -> float:
    """Return the bits of a condition in a rule."""
    match condition:
        case Said():
            return 1.5
        case Comparison(left, relation, right):
            figures = sum(isinstance(each, Arithmetic) for each in (left, right))
            return _BITS[relation] + _FIGURES_BITS * figures
        case OneOf(_, values):
            return 3.5 + 0.5 * len(values)
        case _:
            return 2.5


def _sample(use: Use, field: str) -> list[Fact]:
    """Return the candidates; of very many a few right ones and a sample of the others."""
    if len(use.rows) <= MOST_ROWS:
        return list(use.rows)
    right = [row for row in use.rows if use.takes(row, field)]
    step = len(use.rows) // MOST_ROWS + 1
    return [*right[:3], *(row for row in use.rows[::step] if not use.takes(row, field))]


def price_of_order(order: Order) -> float:
    """Return the bits of an order in a rule."""
    return _ORDER_BITS + order.rank - 1 + _FIGURES_BITS * isinstance(order.by, Arithmetic)
