"""Invoices: matched with a purchase order; released in German, by limits of categories."""

from __future__ import annotations

from collections.abc import Iterator

from ...ladder.names import PEOPLE, PRODUCTS, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, World, call


class InvoiceMatch(World):
    """An invoice is compared with the total of its purchase order, within a tolerance."""

    name = "invoice-match"
    difficulty = "the difference of two amounts on two pages is compared with a tolerance, and told"
    operators = (
        Operator("invoice", "open invoice {invoice}", about="Show an invoice."),
        Operator("order", "open purchase order {order}", about="Show a purchase order."),
        Operator("note", "note a difference of {amount} on {invoice}", ("amount",), "Add a note."),
        Operator("pay", "pay {invoice}", about="Final."),
        Operator(
            "dispute", "dispute {invoice} with {supplier} over {amount}", ("amount",), "Final."
        ),
        Operator("return", "send {invoice} back to {supplier}", about="Final."),
    )
    horizon = 7

    wordings = (
        "Process invoice {invoice}.",
        "{invoice} has come in. Match it with its purchase order.",
        "Can we pay {invoice}? Check, and do what is due.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw invoices with their orders; one may have none."""
        firms = [f"{each} Ltd" for each in self.draw(SURNAMES, 3)]
        goods = self.draw(PRODUCTS, 9)
        self.invoices: dict[str, dict[str, Value]] = {}
        self.items: dict[str, list[dict[str, Value]]] = {}
        self.totals: dict[str, tuple[int, int]] = {}
        kinds = ["equal", "near", "far", "none"]
        for number, firm in enumerate(firms):
            lines: list[dict[str, Value]] = []
            total, order = 0, self.identifier("PO-####")
            for item in goods[3 * number : 3 * number + self.rng.randint(1, 3)]:
                pieces, price = self.rng.randint(1, 20), self.rng.randint(5, 90)
                total += pieces * price
                lines.append({"item": item, "pieces": pieces, "price": price})
            kind, tolerance = self.rng.choice(kinds), self.rng.randint(5, 40)
            beyond = tolerance + self.rng.randint(1, 150)
            more = {"near": self.rng.randint(1, tolerance), "far": beyond}.get(kind, 0)
            known = "none" if kind == "none" else order
            invoice = self.identifier("INV-####")
            self.items[order], self.totals[order] = lines, (total, tolerance)
            fields: dict[str, Value] = {"invoice": invoice, "supplier": firm}
            fields |= {"purchase order": known, "amount": total + more}
            self.invoices[invoice] = fields
        self.invoice, self.supplier = next(iter(self.invoices)), firms[0]
        self.order = next(iter(self.items))
        self.known = self.invoices[self.invoice]["purchase order"] != "none"
        total, self.tolerance = self.totals[self.order]
        self.more = int(str(self.invoices[self.invoice]["amount"])) - total
        self.noted: list[Call] = []
        self.seen: list[str] = []
        shown = self.arranged(list(self.invoices), self.invoice)
        rows = [{"invoice": each, "supplier": self.invoices[each]["supplier"]} for each in shown]
        head = Fact("| Invoice | Supplier |\n|---|---|")
        asked = self.rng.choice(self.wordings).format(invoice=self.invoice)
        return asked, [head, Rows("inbox", "| {invoice} | {supplier} |", rows)]

    def possible(self) -> list[Call]:
        """Every invoice; every order that was named; some amounts."""
        orders = [str(self.invoices[each]["purchase order"]) for each in self.seen]
        amounts = list(dict.fromkeys((self.more, self.tolerance, self.more + self.tolerance)))
        firms = [str(each["supplier"]) for each in self.invoices.values()]
        calls = [call("order", order=each) for each in orders if each != "none"]
        for invoice in self.invoices:
            calls += [call("invoice", invoice=invoice), call("pay", invoice=invoice)]
            calls += [call("note", amount=each, invoice=invoice) for each in amounts]
        for firm in firms:
            calls += [
                call("dispute", invoice=self.invoice, supplier=firm, amount=each)
                for each in amounts
            ]
            calls.append(call("return", invoice=self.invoice, supplier=firm))
        return calls

    def accepts(self, wanted: Call) -> bool:
        """Any amount can be noted or disputed."""
        if wanted.operator in ("note", "dispute"):
            firms = {each["supplier"] for each in self.invoices.values()}
            firm = wanted.values.get("supplier", self.supplier)
            return (
                wanted["amount"].isdigit() and wanted["invoice"] in self.invoices and firm in firms
            )
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show a page, note, or end."""
        if wanted.operator == "invoice":
            invoice = wanted["invoice"]
            self.seen += [invoice] if invoice not in self.seen else []
            fields = self.invoices[invoice]
            return [Fact("\n".join(f"{key}: {value}" for key, value in fields.items()), fields)]
        if wanted.operator == "order":
            order = wanted["order"]
            total, tolerance = self.totals[order]
            head = Fact("| Item | Pieces | Price |\n|---|---:|---:|", {"order": order})
            rows = Rows("items", "| {item} | {pieces} | {price} |", self.items[order])
            text = f"Total: {total}\nTolerance: {tolerance}"
            return [head, rows, Fact(text, {"total": total, "tolerance": tolerance})]
        if wanted.operator == "note":
            self.noted.append(wanted)
            return [Fact("Noted.", {"noted": True})]
        *notes, last = self._rest()
        self.end(won=wanted == last and self.noted == notes)
        return [Fact("Filed.", {"filed": True})]

    def _rest(self) -> list[Call]:
        if not self.known:
            return [call("return", invoice=self.invoice, supplier=self.supplier)]
        if self.more > self.tolerance:
            firm = self.supplier
            return [call("dispute", invoice=self.invoice, supplier=firm, amount=self.more)]
        note = call("note", amount=self.more, invoice=self.invoice)
        return [*([note] if self.more else []), call("pay", invoice=self.invoice)]

    def expert(self) -> Iterator[Call]:
        """Open both, compare, then pay, dispute or send back."""
        yield call("invoice", invoice=self.invoice)
        if self.known:
            yield call("order", order=self.order)
        yield from self._rest()


class RechnungFreigabe(World):
    """Eine Rechnung: geprüft, dann freigegeben oder an die Leitung gegeben. A state is new."""

    name = "rechnung-freigabe"
    difficulty = "German, verbs last; a limit of a category decides, a check may change the amount"
    operators = (
        Operator("oeffnen", "Rechnung {nummer} öffnen", about="Zeigt eine Rechnung."),
        Operator("pruefen", "Rechnung {nummer} prüfen", about="Rechnet nach."),
        Operator("anzeigen", "Kostenstelle {stelle} anzeigen", ("stelle",), "Zeigt die Leitung."),
        Operator("freigeben", "Rechnung {nummer} freigeben", about="Endgültig."),
        Operator("weiterleiten", "Rechnung {nummer} an {person} weiterleiten", about="Endgültig."),
    )
    horizon = 7
    refusal = Fact("Das geht hier nicht.", {"fehler": "nicht möglich"})
    abstaining = True

    kategorien = ("Büromaterial", "Reisen", "Bewirtung", "Werbung", "Fahrzeuge", "Reparaturen")
    wordings = (
        "Kannst du bitte Rechnung {nummer} erledigen?",
        "Die Rechnung {nummer} ist noch zu bearbeiten.",
        "{nummer} liegt seit gestern da, bitte darum kümmern.",
        "Rechnung {nummer} bearbeiten",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw limits, invoices, and who leads."""
        self.unsettled = self.task.part == "test" and self.task.seed % 2 == 1
        kategorien = self.rng.sample(self.kategorien, 4)
        grenzen = {each: 50 * self.rng.randint(3, 30) for each in kategorien}
        firmen = [f"{each} GmbH" for each in self.draw(SURNAMES, 3)]
        leute = self.draw(PEOPLE, 6)
        stellen = [str(each) for each in self.rng.sample(range(1000, 9999), 3)]
        self.stellen: dict[str, dict[str, Value]] = {}
        self.rechnungen: dict[str, dict[str, Value]] = {}
        self.danach: dict[str, int] = {}
        self.grenzen: dict[str, int] = {}
        for number, firma in enumerate(firmen):
            kategorie = self.rng.choice(kategorien)
            grenze, nummer = grenzen[kategorie], self.identifier("R-#####")
            state = self.rng.choice(("neu", "geprüft"))
            betrag = self._amount(grenze)
            corrected = state == "neu" and self.rng.random() < 0.4
            self.danach[nummer] = self._amount(grenze) if corrected else betrag
            self.grenzen[nummer] = grenze
            stelle = stellen[number]
            self.rechnungen[nummer] = {
                "Rechnung": nummer,
                "Lieferant": firma,
                "Kategorie": kategorie,
                "Kostenstelle": int(stelle),
                "Betrag": betrag,
                "Status": state,
            }
            self.stellen[stelle] = {
                "Leitung": leute[2 * number],
                "Vertretung": leute[2 * number + 1],
                "Leitung im Haus": self.rng.choice(("ja", "ja", "nein")),
            }
        self.nummer, self.stelle = next(iter(self.rechnungen)), stellen[0]
        if self.unsettled:
            self.rechnungen[self.nummer]["Status"] = "gesperrt"
        self.geprueft = False
        rows: list[dict[str, Value]] = [
            {"kategorie": each, "grenze": grenze} for each, grenze in grenzen.items()
        ]
        offen = ", ".join(self.arranged(list(self.rechnungen), self.nummer))
        asked = self.rng.choice(self.wordings).format(nummer=self.nummer)
        head = Fact("Freigabe ohne Leitung bis:")
        table = Rows("grenzen", "  {kategorie}: {grenze} Euro", self.arranged(rows))
        return asked, [head, table, Fact(f"Eingang: {offen}", {"eingang": offen})]

    def _amount(self, limit: int) -> int:
        near = self.rng.randint(5, limit // 2)
        return limit - near if self.rng.random() < 0.5 else limit + near

    def possible(self) -> list[Call]:
        """Every invoice, cost centre and person."""
        names = ("oeffnen", "pruefen", "freigeben")
        calls = [call(name, nummer=each) for name in names for each in self.rechnungen]
        calls += [call("anzeigen", stelle=each) for each in self.stellen]
        leute = [str(s[k]) for s in self.stellen.values() for k in ("Leitung", "Vertretung")]
        pairs = [(nummer, person) for nummer in self.rechnungen for person in leute]
        return [*calls, *(call("weiterleiten", nummer=n, person=p) for n, p in pairs)]

    def do(self, wanted: Call) -> Result:
        """Show, check, or end."""
        if wanted.operator == "anzeigen":
            fields = self.stellen[wanted["stelle"]]
            return [Fact("\n".join(f"{key}: {value}" for key, value in fields.items()), fields)]
        nummer = wanted["nummer"]
        if wanted.operator == "oeffnen":
            self.met = self.met or (self.unsettled and nummer == self.nummer)
            fields = self.rechnungen[nummer]
            text = "\n".join(f"{key}: {value}" for key, value in fields.items())
            return [Fact(text.replace("\nStatus", " Euro\nStatus"), fields)]
        if wanted.operator == "pruefen":
            self.geprueft = self.geprueft or nummer == self.nummer
            old, new = self.rechnungen[nummer]["Betrag"], self.danach[nummer]
            if old == new:
                return [Fact("Prüfung ohne Befund.", {"befund": "keiner"})]
            text = f"Rechenfehler. Betrag berichtigt: {new} Euro"
            return [Fact(text, {"befund": "Rechenfehler", "Betrag": new})]
        checked = self.geprueft or self.rechnungen[self.nummer]["Status"] != "neu"
        self.end(won=not self.unsettled and checked and wanted == self._last())
        return [Fact("Erledigt.", {"erledigt": True})]

    def _within(self) -> bool:
        return self.danach[self.nummer] <= self.grenzen[self.nummer]

    def _last(self) -> Call:
        if self._within():
            return call("freigeben", nummer=self.nummer)
        fields = self.stellen[self.stelle]
        key = "Leitung" if fields["Leitung im Haus"] == "ja" else "Vertretung"
        return call("weiterleiten", nummer=self.nummer, person=fields[key])

    def expert(self) -> Iterator[Call]:
        """Open, check what is new, then release or forward."""
        yield call("oeffnen", nummer=self.nummer)
        if self.rechnungen[self.nummer]["Status"] == "neu":
            yield call("pruefen", nummer=self.nummer)
        if not self._within():
            yield call("anzeigen", stelle=self.stelle)
        yield self._last()
