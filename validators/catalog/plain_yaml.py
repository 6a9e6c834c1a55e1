"""Plain YAML in one pass: mappings, lists and scalars, straight from the parser's events.

PyYAML builds a tree of nodes in between, which takes most of its time.
"""

from __future__ import annotations

from typing import Any

import yaml

# libyaml's loader is five times faster; a wheel without it still reads the catalog.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_MEANINGS = LOADER.yaml_implicit_resolvers
_SPECIAL = {"tag:yaml.org,2002:merge", "tag:yaml.org,2002:value"}


class NotPlain(Exception):
    """YAML that only the whole loader can read, or refuse in its own words."""


def load_plain(source: str, max_depth: int) -> Any:
    """What `yaml.load` makes of `source`.

    Raises:
        NotPlain: it has tags, anchors, aliases, merge keys or a key that stands twice, nests deeper
            than `max_depth`, or is no YAML.
    """
    loader = LOADER(source)
    try:
        return _document(loader, max_depth)
    except (
        Exception
    ) as error:  # a value that is none, such as a 99th of May, raises nearly anything
        raise NotPlain from error
    finally:
        loader.dispose()


def _document(loader: Any, max_depth: int) -> Any:
    next_event = loader.get_event
    next_event()  # the stream begins
    if next_event().__class__ is yaml.StreamEndEvent:
        return None
    data = _value(next_event(), loader, max_depth)
    next_event()  # the document ends
    if next_event().__class__ is not yaml.StreamEndEvent:
        raise NotPlain
    return data


def _value(event: Any, loader: Any, depth: int) -> Any:
    """The value that begins with `event` and may nest `depth` collections."""
    kind = event.__class__
    if kind is yaml.AliasEvent or event.tag is not None or event.anchor is not None:
        raise NotPlain
    if kind is yaml.ScalarEvent:
        return _scalar(event, loader)
    if not depth:
        raise NotPlain
    next_event, values = loader.get_event, []
    end = yaml.SequenceEndEvent if kind is yaml.SequenceStartEvent else yaml.MappingEndEvent
    while (event := next_event()).__class__ is not end:
        values.append(_value(event, loader, depth - 1))
    if kind is yaml.SequenceStartEvent:
        return values
    # Of a mapping they are keys and values in turn.
    data = dict(zip(*[iter(values)] * 2, strict=True))
    if len(data) * 2 < len(values):
        raise NotPlain
    return data


def _scalar(event: Any, loader: Any) -> Any:
    text = event.value
    if event.implicit[0]:
        for tag, pattern in _MEANINGS.get(text[:1], ()):
            if pattern.match(text):
                if tag in _SPECIAL:
                    raise NotPlain
                return loader.construct_object(yaml.ScalarNode(tag, text), deep=True)
    return text
