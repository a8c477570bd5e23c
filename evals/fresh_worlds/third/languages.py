"""Desks in French and Spanish: post that is sorted, a customer who writes about a booking."""

from __future__ import annotations

from ...ladder.names import CITIES, PEOPLE, SURNAMES
from ...ladder.world import Call, Fact, Operator, Result, Rows, Value, call
from ..desk import Desk

_SERVICES = {
    "Facture": "la comptabilité",
    "Réclamation": "le service client",
    "Candidature": "les ressources humaines",
    "Panne": "la maintenance",
}


class CourrierTri(Desk):
    """Every unread mail of a sender is passed on by what its subject begins with."""

    name = "courrier-tri"
    difficulty = "French; each unread mail of one sender goes where the word of its subject says"
    operators = (
        Operator("inbox", "afficher la boîte de réception", about="Liste des messages."),
        Operator("move", "transférer le message {id} à {service}", ("id",), "Irréversible."),
        Operator("done", "terminer", about="Fin."),
    )
    changing, irrevocable, finals = ("move",), ("move",), ("done",)
    horizon = 9

    wordings = (
        "Bonjour, pourriez-vous trier les messages non lus de {sender}, s'il vous plaît ? Merci !",
        "Trier ce que {sender} a écrit et que personne n'a encore lu.",
        "Les messages non lus de {sender} sont à transférer aux bons services.",
    )

    def begin(self) -> tuple[str, Result]:
        """Draw mails of three senders."""
        senders = [
            f"{a} {b}" for a, b in zip(self.draw(PEOPLE, 3), self.draw(SURNAMES, 3), strict=True)
        ]
        ids = sorted(self.rng.sample(range(100, 999), 6))
        authors = [senders[0], senders[0], *(self.rng.choice(senders) for _ in range(4))]
        self.rng.shuffle(authors)
        unread = [self.rng.random() < 0.6 for _ in ids]
        unread[authors.index(senders[0])] = True
        self.rows: list[dict[str, Value]] = []
        plan = [call("inbox")]
        for i, (number, author, new) in enumerate(zip(ids, authors, unread, strict=True)):
            word = self.rng.choice([*_SERVICES])
            day = f"{i + 3:02}/06 {self.rng.randint(8, 18):02}h{self.rng.randint(0, 59):02}"
            subject = f"{word} {self.identifier('A###')}"
            self.rows.append(
                {
                    "id": number,
                    "lu": "non lu" if new else "lu",
                    "date": day,
                    "de": author,
                    "objet": subject,
                }
            )
            if author == senders[0] and new:
                plan.append(call("move", id=number, service=_SERVICES[word]))
        plan.append(call("done"))
        every = [call("move", id=n, service=each) for n in ids for each in _SERVICES.values()]
        self.lay_out(plan, [call("inbox"), *every, call("done")])
        asked = self.rng.choice(self.wordings).format(sender=senders[0])
        return asked, [Fact("Messagerie prête.", {"prêt": True})]

    def answer(self, wanted: Call) -> Result:
        """List, pass on, or end."""
        if wanted.operator == "inbox":
            line = "n° {id} | {lu:<6} | {date} | {de} | {objet}"
            return [Fact("Boîte de réception (6)", {"total": 6}), Rows("messages", line, self.rows)]
        if wanted.operator == "move":
            return [Fact(f"Message {wanted['id']} transféré.", {"transféré": int(wanted["id"])})]
        return [Fact("Au revoir.", {"fin": True})]


class CorreoReserva(Desk):
    """A customer gives a reference in a chat; the booking decides what is answered and done."""

    name = "chat-reserva"
    difficulty = (
        "Spanish; the customer tells the reference; the rate decides, the answer is composed"
    )
    operators = (
        Operator("say", "responder: {text}", about="Escribe al cliente."),
        Operator("booking", "consultar reserva {reference}", about="Muestra una reserva."),
        Operator("cancel", "anular reserva {reference}", about="No se puede deshacer."),
        Operator("close", "cerrar el chat", about="Final."),
    )
    changing, irrevocable, finals, free = ("say", "cancel"), ("cancel",), ("close",), ("say",)
    horizon = 9

    wordings = (
        "{name} quiere anular su reserva. Atiende el chat, por favor.",
        "Hay un chat abierto: {name} pide una anulación.",
        "Atiende a {name}. Quiere anular.",
    )
    question = "¿Cuál es el número de su reserva?"

    def begin(self) -> tuple[str, Result]:
        """Draw a customer and a booking."""
        (self.guest,), (self.town,), (other,) = (
            self.draw(PEOPLE),
            self.draw(CITIES),
            self.draw(SURNAMES),
        )
        self.reference, self.wrong = self.identifier("AAA###"), self.identifier("AAA###")
        self.flexible = self.rng.random() < 0.5
        self.price, self.day = self.rng.randint(60, 900), self.rng.randint(1, 28)
        self.hotel = f"Hotel {other}"
        self.reply = self.rng.choice(
            (
                "Es {}, gracias.",
                "Un momento... aquí está: {}",
                "Claro, la reserva es la {}. ¡Qué calor hace hoy!",
            )
        ).format(self.reference)
        look = call("booking", reference=self.reference)
        kind = (
            f"Hola {self.guest}: su reserva {self.reference} en {self.hotel} está anulada. "
            f"Le devolvemos {self.price} €."
        )
        sorry = (
            f"Hola {self.guest}: lo siento, la tarifa de su reserva {self.reference} "
            "no permite anularla."
        )
        plan = [call("say", text=self.question), look]
        plan += [call("cancel", reference=self.reference)] if self.flexible else []
        plan += [call("say", text=kind if self.flexible else sorry), call("close")]
        offered = [call("say", text=each) for each in (self.question, kind, sorry)]
        offered += [
            call(n, reference=each)
            for n in ("booking", "cancel")
            for each in (self.reference, self.wrong)
        ]
        self.lay_out(plan, [*offered, call("close")])
        asked = self.rng.choice(self.wordings).format(name=self.guest)
        hello = f"{self.guest}: ¡Buenas! Quería anular mi hotel en {self.town}."
        return asked, [Fact(hello, {"de": self.guest, "mensaje": hello.partition(": ")[2]})]

    def answer(self, wanted: Call) -> Result:
        """Let the customer write, show the booking, or act."""
        if wanted.operator == "say":
            if wanted["text"] == self.question:
                text = f"{self.guest}: {self.reply}"
                return [Fact(text, {"de": self.guest, "mensaje": self.reply})]
            return [
                Fact(f"{self.guest}: De acuerdo.", {"de": self.guest, "mensaje": "De acuerdo."})
            ]
        if wanted.operator == "close":
            return [Fact("Chat cerrado.", {"estado": "cerrado"})]
        if wanted["reference"] != self.reference:
            return [Fact("No existe.", {"error": "no existe"})]
        if wanted.operator == "cancel":
            return [Fact(f"Reserva {self.reference} anulada.", {"anulada": self.reference})]
        rate = "flexible" if self.flexible else "no reembolsable"
        text = (
            f"Reserva {self.reference}\n- Titular: {self.guest}\n- Alojamiento: {self.hotel}, "
            f"{self.town}\n- Entrada: {self.day}/08/2024 (2 noches)\n- Tarifa: {rate}\n"
            f"- Importe: {self.price} €"
        )
        data = {"referencia": self.reference, "titular": self.guest, "alojamiento": self.hotel}
        return [Fact(text, data | {"ciudad": self.town, "tarifa": rate, "importe": self.price})]
