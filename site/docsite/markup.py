"""A reader for the HTML that the templates write: well-formed, escaped, and read in one pass."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_TAG = re.compile(r"<(/?)([a-z][a-z0-9]*)((?:\s[^<>]*)?)>|<!--.*?-->", re.DOTALL)
_ATTRIBUTE = re.compile(r'([\w-]+)(?:="([^"]*)")?')
_VOID = {"br", "hr", "col", "input", "img", "path", "rect"}


@dataclass
class Element:
    """An element with its children; text is a child as it is, entities read."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    @property
    def classes(self) -> list[str]:
        """The names in its `class`."""
        return self.attributes.get("class", "").split()

    def all(self, *tags: str) -> Iterator[Element]:
        """Every descendant of one of these tags, in order, none within another."""
        for child in self.children:
            if isinstance(child, Element):
                if child.tag in tags:
                    yield child
                else:
                    yield from child.all(*tags)

    def text(self) -> str:
        """All text in it, as it is written."""
        return "".join(c if isinstance(c, str) else c.text() for c in self.children)


def read(source: str) -> Element:
    """`source` as the children of one element."""
    root = Element("")
    path, end = [root], 0
    for match in _TAG.finditer(source):
        if match.start() > end:
            path[-1].children.append(html.unescape(source[end : match.start()]))
        end = match.end()
        closing, tag, attributes = match.groups()
        if not tag:
            continue
        if closing:
            _close(path, tag)
            continue
        element = Element(tag, _read_attributes(attributes) if attributes else {})
        path[-1].children.append(element)
        if tag not in _VOID and not attributes.endswith("/"):
            path.append(element)
    path[-1].children.append(html.unescape(source[end:]))
    return root


def _read_attributes(source: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(source)}


def _close(path: list[Element], tag: str) -> None:
    """End the innermost element of this tag, and what was left open in it."""
    if any(element.tag == tag for element in path[1:]):
        while path.pop().tag != tag:
            pass
