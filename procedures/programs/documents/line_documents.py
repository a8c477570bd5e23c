"""Templates of lines, and names in running text, as plain data."""

from __future__ import annotations

from typing import Any

from ...common.errors import SchemaError
from ...episodes.mentions import Mention, context_text, read_context
from ...episodes.templates import COMMA, Template
from .node import Node, filled


def template_document(template: Template) -> str | dict[str, Any]:
    """Return a template as a text, or as a mapping where it has more than a text."""
    if template == Template(template.text):
        return template.text
    document = {
        "line": template.text,
        "few": {slot: list(values) for slot, values in sorted(template.few.items())},
        "lists": sorted(template.lists),
        "special": [each.text for each in template.special],
        "words": sorted(template.words),
        "joint": template.joint,
        "between": template.between,
        "item": template.item,
        "over": sorted(template.over),
        "means": template.means,
        "within": template.within,
        "nested": template.nested,
    }
    if template.between == COMMA:
        del document["between"]
    return filled(document, required=("line", "between"))


def read_template(node: Node) -> Template:
    """Read a template.

    Raises:
        SchemaError: It has a slot twice, or describes a slot that it does not have.
    """
    if isinstance(node.value, str):
        template = Template(node.value)
    else:
        few = node.get("few", {})
        template = Template(
            node["line"].text(),
            {slot: few[slot].texts() for slot in few.value},
            frozenset(node.get("lists").texts()),
            tuple(Template(text) for text in node.get("special").texts()),
            frozenset(node.get("over").texts()),
            node.get("joint", "").text(),
            node.get("means", "").text(),
            node.get("item", "").text(),
            node.get("within", "").text(),
            frozenset(node.get("words").texts()),
            node.flag("nested"),
            node.get("between", COMMA).text(),
        )
    slots = template.slots
    if len(set(slots)) < len(slots):
        raise SchemaError("has a slot twice", path=node.path)
    if unknown := sorted({*template.few, *template.lists, *template.words} - set(slots)):
        raise SchemaError(f"has no slot {{{unknown[0]}}}", path=node.path)
    return template


def mention_document(mention: Mention) -> dict[str, Any]:
    """Return a mention as plain data."""
    return {
        "of": mention.operator,
        "number": mention.index + 1,
        "longest": mention.longest,
        "where": [context_text(each) for each in mention.contexts],
    }


def read_mention(node: Node) -> Mention:
    """Read a mention."""
    return Mention(
        node["of"].text(),
        int(node["number"].value) - 1,
        int(node["longest"].value),
        tuple(read_context(text) for text in node["where"].texts()),
    )
