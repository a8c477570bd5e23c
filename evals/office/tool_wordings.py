"""Other words for the office's tasks: two more ways in which each of them is asked."""

from __future__ import annotations

import random
from collections.abc import Mapping

__all__ = ["WORDINGS", "wording_of"]

WORDINGS: Mapping[str, tuple[str, str]] = {
    "How many orders has {name} placed?": (
        "Count the orders of {name}.",
        "I need the number of orders that {name} made",
    ),
    "What is the e-mail address of {name}?": (
        "Tell me {name}'s e-mail address.",
        "At which address can {name} be reached by e-mail?",
    ),
    "List the open orders of {name}.": (
        "Which orders of {name} are still open?",
        "Show me what {name} ordered and has not received yet",
    ),
    "What does the {product} cost?": (
        "Tell me the price of the {product}.",
        "How expensive is a {product}?",
    ),
    "Which city does {name} live in?": (
        "Where is the home of {name}?",
        "Tell me {name}'s city",
    ),
    "Change the city of {name} to {city}.": (
        "{name} has moved to {city}, please note that.",
        "Set {city} as the new city of {name}",
    ),
    "Add a customer called {name} from {city}.": (
        "There is a new customer in {city}, {name}.",
        "Register {name}, who lives in {city}, as a customer",
    ),
    "What are the orders of {name} worth?": (
        "Add up all that {name} ordered, in euros.",
        "For how much money did {name} buy from us?",
    ),
    "Which product in the category {name} is the most expensive?": (
        "What is the dearest thing of the kind {name}?",
        "Find the top price in the category {name}",
    ),
    "Is the {product} in stock?": (
        "Do we have any {product} left?",
        "Check whether a {product} can be delivered",
    ),
    "What is the title of the {document}?": (
        "Tell me what the {document} is called.",
        "How is the document {document} headed?",
    ),
    "Who wrote the {document}?": (
        "Name the author of the {document}.",
        "By whom is the {document}?",
    ),
    "How many files are in the folder {folder}?": (
        "Count what lies in the folder {folder}.",
        "Number of files below {folder}, please",
    ),
    "Make a note called {name} that says {text}": (
        "Write down under {name}: {text}",
        "Save the text {text} as the note {name}",
    ),
    "Copy the {document} to {target}.": (
        "I want the {document} to be found under {target}, too.",
        "Duplicate the {document} as {target}",
    ),
    "Which documents mention the {word}?": (
        "Where is a {word} spoken of?",
        "Find every document with the word {word} in it",
    ),
    "Which version does the package {package} have?": (
        "Tell me the version of {package}.",
        "How far is the package {package}, by number?",
    ),
    "What is the licence of the package {package}?": (
        "Under which terms does {package} come?",
        "Tell me the licence of {package}",
    ),
    "Release the package {package} as {version}.": (
        "Make {version} the next version of the package {package}.",
        "Publish {package} with the number {version}",
    ),
    "How long is the {document}?": (
        "Count the words of the {document}.",
        "Tell me the length of the {document}",
    ),
    "How is the weather in {city}?": (
        "Tell me what it looks like outside in {city}.",
        "Do I need an umbrella in {city}?",
    ),
    "What is the time zone of {city}?": (
        "Which zone are clocks in {city} set to?",
        "Tell me the zone for times in {city}",
    ),
    "How much are {amount} euros in {currency}?": (
        "Change {amount} euros into {currency}.",
        "What do I get in {currency} for {amount} euros?",
    ),
    "Open a ticket titled {title} with priority {priority}.": (
        "Report this with priority {priority}: {title}",
        "We need a ticket of priority {priority}, namely {title}",
    ),
    "Close ticket {number}.": (
        "Ticket {number} is done, close it.",
        "Mark number {number} of the tickets as settled",
    ),
    "Who works on ticket {number}?": (
        "To whom is ticket {number} assigned?",
        "Name the person behind ticket {number}",
    ),
    "Where is shipment {code}?": (
        "Track {code}.",
        "Has the shipment {code} arrived yet?",
    ),
    "Is it warmer in {first} or in {second}?": (
        "Compare the temperatures of {first} and {second}.",
        "Should I rather go to {first} than to {second}, for the heat?",
    ),
    "Subscribe {name} to the list {group}.": (
        "Put {name} on the list {group}.",
        "{name} wants to get mail from the list {group}",
    ),
    "Which team is {user} in, and who leads it?": (
        "Tell me the team of {user} and its lead.",
        "Who is the boss of {user}, and of which team?",
    ),
}
"""How a task is usually asked → two other ways."""


def wording_of(text: str, number: int) -> str:
    """Return how a task is asked on a pass (from 0): one of three ways, drawn anew each time."""
    return random.Random(f"{number}/{text}").choice((text, *WORDINGS[text]))  # noqa: S311
