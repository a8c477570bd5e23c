"""Benches: a sample that is dried, bins that are picked from, a kitchen in Portuguese."""

from __future__ import annotations

from ...ladder.names import PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..cases import case_of
from ..desk import Desk
from ..shared import distinct


class DryWeight(Desk):
    """A sample is dried and weighed until its weight stays; what it lost is recorded."""

    name = "dry-weight"
    difficulty = (
        "a loop until two answers are alike; a difference of first and last; or another way"
    )
    operators = (
        Operator("sheet", "sheet {sample}", about="What is known of a sample."),
        Operator("weigh", "weigh {sample}", about="Its weight."),
        Operator("dry", "dry {sample}", about="An hour in the oven."),
        Operator("record", "record {sample} loss {loss} mg", ("loss",), "Final."),
        Operator("vacuum", "send {sample} to vacuum line", about="Final: volatile ones."),
    )
    changing, irrevocable, finals = ("dry",), ("dry",), ("record", "vacuum")
    counted = True
    free = ("sheet", "weigh", "dry", "record", "vacuum")
    horizon = 11

    wordings = (
        "Dry matter of {sample}, please.",
        "{person} needs the loss on drying of {sample}.",
        "Sample {sample} is next for drying.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a sample and its weights."""
        self.sample, (self.person,) = self.identifier("S-####"), self.draw(SURNAMES)
        rounds = case_of(self.name, self.task, (0, 2, 3, 2, 3))
        self.kind = "stable" if rounds else "volatile"
        self.field, self.dried = self.identifier("F##"), 0
        self.weights = [self.rng.randint(4000, 9000)]
        for _ in range(rounds - 1):
            self.weights.append(self.weights[-1] - self.rng.randint(40, 700))
        loss = self.weights[0] - self.weights[-1]
        weigh, dry = call("weigh", sample=self.sample), call("dry", sample=self.sample)
        record = call("record", sample=self.sample, loss=loss)
        wrong = call("record", sample=self.sample, loss=loss + self.rng.randint(1, 90))
        vacuum = call("vacuum", sample=self.sample)
        work = [weigh, *([dry, weigh] * rounds), record] if rounds else [vacuum]
        plan = [call("sheet", sample=self.sample), *work]
        self.lay_out(plan, [weigh, dry, record, wrong, vacuum])
        asked = self.rng.choice(self.wordings).format(sample=self.sample, person=self.person)
        heat = self.rng.randint(100, 110)
        return asked, [Fact(f"oven {heat} C", {"oven": heat})]

    def answer(self, wanted: Call) -> Result:
        """Show, weigh, dry or end."""
        if wanted["sample"] != self.sample:
            return [Fact("unknown sample", {"error": "unknown sample"})]
        if wanted.operator == "sheet":
            text = f"by: {self.person}\nfield: {self.field}\nkind: {self.kind}"
            return [Fact(text, {"by": self.person, "field": self.field, "kind": self.kind})]
        if wanted.operator == "weigh":
            weight = self.weights[min(self.dried, len(self.weights) - 1)]
            return [Fact(f"{weight} mg", {"mg": weight})]
        if wanted.operator == "dry":
            self.dried += 1
        return [Fact("ok", {"ok": True})]


class PickBins(Desk):
    """A quantity is picked from one bin after the other; what is short is ordered."""

    name = "pick-bins"
    difficulty = "a rest that shrinks from row to row; the end by whether it reaches nought"
    operators = (
        Operator("order", "ORDER {order}", about="What is ordered."),
        Operator("stock", "STOCK {article}", about="Bins, the oldest first."),
        Operator("pick", "PICK {count} FROM {bin}", ("count",), "Takes some."),
        Operator("ship", "SHIP {order}", about="Final."),
        Operator("back", "BACKORDER {order} {count}", ("count",), "Final: what is short."),
    )
    changing, irrevocable, finals = ("pick",), ("pick",), ("ship", "back")
    free = ("order", "stock", "pick", "ship", "back")
    horizon = 8

    wordings = (
        "Pick order {order}.",
        "Order {order} is due today.",
        "{order} of {person}, please.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw an order and bins."""
        self.order, self.article = self.identifier("OR####"), self.identifier("AA-###")
        (self.person,), (self.product,) = self.draw(SURNAMES), self.draw(PRODUCTS)
        bins = case_of(self.name, self.task, (1, 2, 3, 0))
        names = distinct(lambda: self.identifier("A##"), 3)
        counts = self.rng.sample(range(3, 30), 3)
        used = bins or 3
        last = self.rng.randint(1, counts[used - 1] - 1)
        taken = [*counts[: used - 1], last] if bins else counts
        short = 0 if bins else self.rng.randint(1, 9)
        self.quantity = sum(taken) + short
        self.rows: list[dict[str, Value]] = [
            {"bin": name, "count": count} for name, count in zip(names, counts, strict=True)
        ]
        picks = [call("pick", count=n, bin=b) for n, b in zip(taken, names, strict=False)]
        fulls = [call("pick", count=n, bin=b) for n, b in zip(counts, names, strict=True)]
        ship = call("ship", order=self.order)
        back = call("back", order=self.order, count=short or self.rng.randint(1, 9))
        plan = [call("order", order=self.order), call("stock", article=self.article), *picks]
        self.lay_out([*plan, ship if bins else back], [*fulls, ship, back])
        asked = self.rng.choice(self.wordings).format(order=self.order, person=self.person)
        trolley = self.rng.randint(1, 30)
        return asked, [Fact(f"TROLLEY {trolley}", {"trolley": trolley})]

    def answer(self, wanted: Call) -> Result:
        """Show, pick or end."""
        if wanted.values.get("order", self.order) != self.order:
            return [Fact("NO SUCH ORDER", {"error": "no such order"})]
        if wanted.operator == "order":
            text = f"{self.person}\n{self.quantity} x {self.article} {self.product}"
            data: dict[str, Value] = {"customer": self.person, "quantity": self.quantity}
            return [Fact(text, data | {"article": self.article, "product": self.product})]
        if wanted.operator == "stock":
            if wanted["article"] != self.article:
                return [Fact("NO SUCH ARTICLE", {"error": "no such article"})]
            return [Rows("bins", "{bin} {count}", self.rows)]
        return [Fact("OK", {"ok": True})]


class ListaCompras(Desk):
    """Portuguese: what a recipe needs and the cupboard lacks is noted; else one cooks."""

    name = "lista-compras"
    difficulty = (
        "Portuguese; a list matched with a sentence of states; the end by whether one lacks"
    )
    operators = (
        Operator("receita", "receita {prato}", about="Ingredientes."),
        Operator("armario", "ver armário da cozinha {cozinha}", about="O que há."),
        Operator("anotar", "anotar {item}", about="Põe na lista."),
        Operator("enviar", "enviar lista da cozinha {cozinha}", about="Último passo."),
        Operator("cozinhar", "cozinhar {prato}", about="Último passo."),
    )
    changing, irrevocable, finals = ("anotar",), ("anotar",), ("enviar", "cozinhar")
    free = ("receita", "armario", "anotar", "enviar", "cozinhar")
    horizon = 8

    wordings = (
        "Prepare {prato} na cozinha {cozinha}.",
        "Cozinha {cozinha}: hoje há {prato}.",
        "Na cozinha {cozinha} querem {prato}.",
    )
    pratos = ("bolo de mel", "sopa verde", "arroz doce", "torta de peixe", "pão de ló")
    items = (
        *("farinha", "açúcar", "leite", "manteiga", "sal", "arroz", "mel", "azeite", "canela"),
        *("folha de louro", "queijo fresco", "caldo de peixe"),
    )

    def begin(self) -> tuple[str, Result]:
        """Draw a recipe and a cupboard."""
        self.cozinha = self.identifier("K-####")
        self.prato = self.rng.choice(self.pratos)
        lacking = case_of(self.name, self.task, (0, 1, 2))
        items = self.rng.sample(self.items, 7)
        self.needs, others = items[:4], items[4:]
        lacks = self.rng.sample(self.needs, lacking)
        gone = {*lacks, *self.rng.sample(others, self.rng.randint(1, 2))}
        self.rng.shuffle(items)
        self.states = {item: "falta" if item in gone else "há" for item in items}
        notes = {item: call("anotar", item=item) for item in items}
        send = call("enviar", cozinha=self.cozinha)
        cook = call("cozinhar", prato=self.prato)
        plan = [call("receita", prato=self.prato), call("armario", cozinha=self.cozinha)]
        plan += [notes[item] for item in self.needs if item in lacks]
        self.lay_out([*plan, send if lacks else cook], [*notes.values(), send, cook])
        asked = self.rng.choice(self.wordings).format(prato=self.prato, cozinha=self.cozinha)
        pessoas = self.rng.randint(2, 12)
        return asked, [Fact(f"{pessoas} pessoas à mesa", {"pessoas": pessoas})]

    def answer(self, wanted: Call) -> Result:
        """Show, note or end."""
        values = wanted.values
        given = (values.get("prato", self.prato), values.get("cozinha", self.cozinha))
        if given != (self.prato, self.cozinha):
            return [Fact("Não existe.", {"error": "não existe"})]
        if wanted.operator == "receita":
            rows: list[dict[str, Value]] = [{"item": item} for item in self.needs]
            return [Fact("Ingredientes:"), Rows("ingredientes", "- {item}", rows)]
        if wanted.operator == "armario":
            text = ", ".join(f"{item} {state}" for item, state in self.states.items())
            return [Fact(f"No armário: {text}.", dict(self.states))]
        return [Fact("Feito.", {"feito": True})]
