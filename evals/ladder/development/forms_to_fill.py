"""Worlds in which values of the task are typed into fields."""

from __future__ import annotations

from collections.abc import Iterator

from ..names import CITIES, PEOPLE
from ..world import Call, Fact, Operator, Result, World, call

__all__ = ["ContactForm"]


class ContactForm(World):
    """A new contact: two values of the task are typed into fields, then saved."""

    name = "contact-form"
    difficulty = "values of the task are typed into fields, then saved"
    operators = (
        Operator("press", "press {button}", about="Press a button."),
        Operator("enter", "enter {value} as {field}", about="Type a value into a field."),
    )
    horizon = 12

    def begin(self) -> tuple[str, Result]:
        """Draw a person and a city."""
        (self.person,), (self.city,) = self.draw(PEOPLE), self.draw(CITIES)
        self.fields: dict[str, str] | None = None
        start = Fact("Contacts. Buttons: new, help.", {"page": "contacts", "buttons": "new, help"})
        return f"Add {self.person} from {self.city} to the contacts.", [start]

    def possible(self) -> list[Call]:
        """Buttons, and the task's values in either field."""
        if self.fields is None:
            return [call("press", button=button) for button in ("new", "help")]
        typed = [
            call("enter", value=value, field=field)
            for value in (self.person, self.city)
            for field in ("name", "city")
        ]
        return [*typed, call("press", button="save"), call("press", button="cancel")]

    def accepts(self, wanted: Call) -> bool:
        """Any text may be typed into a field that is there."""
        if wanted.operator == "enter" and self.fields is not None:
            return wanted["field"] in ("name", "city")
        return wanted in self.possible()

    def do(self, wanted: Call) -> Result:
        """Show the form with what was typed."""
        if wanted.operator == "enter":
            assert self.fields is not None  # noqa: S101 (accepts says so)
            self.fields[wanted["field"]] = wanted["value"]
            return self._form()
        if wanted["button"] == "new":
            self.fields = {"name": "", "city": ""}
            return self._form()
        if wanted["button"] == "help":
            return [Fact("Press new to add a contact.", {"help": "Press new to add a contact."})]
        if wanted["button"] == "cancel":
            self.fields = None
            return [Fact("Contacts. Buttons: new, help.", {"page": "contacts"})]
        right = self.fields == {"name": self.person, "city": self.city}
        self.end(won=right)
        return [Fact("Saved.", {"saved": True})]

    def expert(self) -> Iterator[Call]:
        """Open the form, fill it, save it."""
        yield call("press", button="new")
        yield call("enter", value=self.person, field="name")
        yield call("enter", value=self.city, field="city")
        yield call("press", button="save")

    def _form(self) -> Result:
        fields = self.fields or {}
        text = f"New contact. Name: {fields['name'] or '-'}. City: {fields['city'] or '-'}."
        return [Fact(text, {"page": "new contact", **fields}), Fact("Buttons: save, cancel.")]
