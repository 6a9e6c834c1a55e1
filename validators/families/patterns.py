"""Patterns of the lines that a family's formats print, valid in Python (ASCII) and JavaScript."""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence

from validators.catalog import Case
from validators.families.torch_source.formats import letters_of, parts_of

_ESCAPE = re.compile(r"([.*+?^${}()|[\]\\])")
_SPACES = re.compile(r" {2,}")
_MARKS = " .:;,'\"`"
_MOST_HOLES, _MOST_LETTERS = 4, 60
_ENOUGH_LETTERS = 15
_TELLING = 8
"""A line with fewer literal letters than this is not the one to know a message by."""
_HOLE = ".{0,160}"
_SOURCE = "[^=<>#()]{1,160}"
"""The name of a variable in a guard, which has no brackets of its own."""
_REASON = r"[0-9]+/[0-9]+: "
"""Stands in front of a guard that failed: the id of the compilation."""
_WEAK_GUARDS = {
    "{} == {}": rf"{_SOURCE} == (?!True|False)",
    "{} is None": rf"{_SOURCE} is None",
    "{} is not None": rf"{_SOURCE} is not None",
    "{} is {}": r"[^=<>#() ]{1,160} is (?!None|not )[^ ]{1,160} *(?:#|$)",
    "not {}": rf"not [^=<>#()_]{_SOURCE}(?:#|$)",
    "{}({}) == {}": r"(?:bool|bytes|complex|float|int|str)\(.{0,160}\) == ",
}
"""Guards with so few literal letters that only their shape tells them apart."""
_BY_KEY = {
    ("bool-match", "{} == {}"): rf"{_SOURCE} == (?:True|False)",
    ("hasattr", "hasattr({}, {})"): r"hasattr\([^()]{1,160}\)(?! ==)",
    ("hasattr", "not hasattr({}, {})"): r"not hasattr\([^()]{1,160}\)(?! ==)",
}
_SENTENCE = re.compile(r"[\"{}.:\w' ]*[a-z]:? [a-z]")
"""Begins a message in words; other guards are expressions."""
_DEVICE_OPS = "partition-ops"
_SKIP = "cudagraphs? .{0,120}"
_IN_MODULE = r"(?:torch|triton)\.[\w.]{1,80}\."
_BREAK = r"(?:^ *|[\]:] )"
"""Stands in front of the type of a graph break: some types are words of code, too."""
_NO_LONGER = r"(?! \()"
"""Follows it: a text that goes on with a bracket is another type."""


def escaped(text: str) -> str:
    """The pattern that fits exactly `text`, in Python and in JavaScript."""
    return _ESCAPE.sub(r"\\\1", text)


def signatures_of(case: Case) -> list[str]:
    """The patterns of the lines that point to `case`: its signatures, and the type of its break."""
    if not case.meta.graph_break:
        return case.meta.signatures
    return [*case.meta.signatures, type_pattern(case.meta.graph_break.type)]


def type_pattern(text: str) -> str:
    """The pattern of the type of a graph break."""
    return escaped(text) + _NO_LONGER


def pattern_of(kind: str, key: str, text: str) -> str:
    """The pattern of the line by which a format of the family `key` is known; "" if none could be.

    `text` is the format.
    """
    if kind == "guard":
        return _of_guard(key, text)
    line = telling_line(text)
    if kind == "graph_break":
        pattern = joined(parts_of(line))
        return _BREAK + pattern + ("" if line.endswith("}") else _NO_LONGER)
    if kind == "cudagraph_skip":
        return _of_skip(key, line)
    return _of_line(_beginning(line)) if letters_of(line) >= _TELLING else ""


def class_pattern(name: str) -> str:
    """The pattern of the line on which a traceback names the exception class `name`.

    A name of one word, or one that Python itself uses, must follow the name of a module.
    """
    plain = len(re.findall(r"[A-Z][a-z]+", name)) < 2 or hasattr(builtins, name)
    return (_IN_MODULE if plain else r"\b") + rf"{name}(?::|$)"


def telling_line(text: str) -> str:
    """The first line of a format with enough literal letters, or else the one with the most."""
    lines = [it.strip() for it in text.split("\n")]
    enough = (it for it in lines if letters_of(it) >= _TELLING)
    return next(enough, None) or max(lines, key=letters_of)


def _of_line(line: str) -> str:
    parts = list(parts_of(line))
    while len(parts) > 1 and not parts[-1].strip(_MARKS + "()[]"):
        parts.pop()
    while len(parts) > 1 and _letters(parts[0]) < _TELLING and _enough(parts[1:]):
        parts.pop(0)
    while len(parts) > _MOST_HOLES + 1 and _enough(parts[:-1]):
        parts.pop()
    return joined([parts[0].lstrip(_MARKS) or parts[0], *parts[1:]])


def joined(parts: Sequence[str]) -> str:
    """The pattern of literal texts with a hole between each two, without holes at its ends."""
    pattern = _HOLE.join(map(escaped, parts))
    return _SPACES.sub(" +", pattern.removesuffix(_HOLE).strip())


def _beginning(line: str) -> str:
    """The first words of a line, as many as are enough to know it by."""
    words, kept = line.split(" "), list[str]()
    while words and letters_of(" ".join(kept)) < _MOST_LETTERS:
        kept.append(words.pop(0))
    while words and " ".join(kept).count("{") != " ".join(kept).count("}"):
        kept.append(words.pop(0))
    return " ".join(kept)


def _of_skip(key: str, line: str) -> str:
    if key == _DEVICE_OPS:
        return r"\breason=[a-z]+(?::[0-9]+)? ops"
    pattern = _whole(_of_line(_beginning(line)))
    return pattern if key.startswith("partition-") else _SKIP + pattern


def _whole(pattern: str) -> str:
    """A pattern that ends where a word ends."""
    return pattern + (r"(?!\w)" if pattern[-1:].isalnum() else "")


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _enough(parts: list[str]) -> bool:
    return sum(map(_letters, parts)) >= _ENOUGH_LETTERS


def _of_guard(key: str, text: str) -> str:
    """The pattern of a guard: where its text is weak, it must be the reason of a recompile."""
    parts = parts_of(text)
    shape = "{}".join(parts)
    if weak := _BY_KEY.get((key, shape)) or _WEAK_GUARDS.get(shape):
        return _REASON + weak
    if key.startswith("shape-env-"):
        return rf"{_REASON}.{{0,160}}{escaped(parts[1])}"
    if key.startswith("global-state-"):
        return rf"{escaped(parts[0])}.{{0,160}}{_whole(escaped(parts[1]))}"
    line = telling_line(text)
    if _is_sentence(line):
        return _of_line(_beginning(line))
    return _REASON + (joined(parts[:3]) if parts[0] else _SOURCE + joined(parts[1:3]))


def _is_sentence(line: str) -> bool:
    words = letters_of(line) >= _ENOUGH_LETTERS and " == " not in line
    return words and bool(_SENTENCE.match(line))
