"""Signatures that fit every line of a family, and so cannot tell a case from its sisters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from validators.catalog import Case
from validators.families.causes import Cause, Name
from validators.families.family import Family, Said
from validators.families.torch_source.formats import filled

_FILLINGS = (("7", "7"), ("31", "zq_x"), ("4096", "SomeOther"), ("12", "L['self'].zq"))
_OF_BREAK = _FILLINGS[:3]
"""A graph break has names in its holes."""
"""What stands in a message's holes, in those of numbers and in others: a signature that fits with
each of these needs none of them.
"""
_NUMBERS = ("dim", "flag", "i", "index", "length", "rank", "size", "stride")
"""The holes that hold numbers, in the formats of guards."""
_NAMED = {"limit_type": "recompile_limit"}
"""The holes that hold one of few words."""
_SKIP = "skipping cudagraphs due to "
_REASON = "0/0: "


@dataclass(frozen=True)
class Header:
    """A signature of a case that fits every line of a family, which `sisters` cause, too.

    `told` says that the page knows: it names a sister under `alike`, or has patterns under `code`.
    """

    case: Case
    signature: str
    family: Family
    sisters: tuple[str, ...]
    told: bool


def headers(
    families: Mapping[Name, Family], causes: Mapping[Name, tuple[Cause, ...]]
) -> Iterator[Header]:
    """The signatures of all cases that are no more than the header of their family."""
    for name, all_of_them in sorted(causes.items()):
        those = [it for it in all_of_them if it.how != "illustrated"]
        rows = list(messages_of(families[name]))
        for cause in those:
            case = cause.case
            sisters = tuple(it.case.name for it in those if it is not cause)
            told = bool(case.meta.code) or any(it in case.meta.alike for it in sisters)
            for signature in header_signatures(case, rows):
                yield Header(case, signature, families[name], sisters, told)


def telling_signatures(case: Case, family: Family) -> list[str]:
    """The signatures of a case that fit no more than some lines of the family."""
    known = header_signatures(case, list(messages_of(family)))
    return [it for it in case.meta.signatures if it not in known]


def header_signatures(case: Case, messages: list[tuple[list[str], ...]]) -> list[str]:
    """The signatures of a case that fit one of the messages whatever stands in its holes.

    A message is given once for each filling, as lines.
    """
    return [
        signature
        for signature in case.meta.signatures
        if any(_fits_always(signature, message) for message in messages)
    ]


def _fits_always(signature: str, message: tuple[list[str], ...]) -> bool:
    pattern = re.compile(signature, re.ASCII)
    return all(any(map(pattern.search, lines)) for lines in message)


def messages_of(family: Family) -> Iterator[tuple[list[str], ...]]:
    """Each message of a family, once for each filling."""
    for said in family.said:
        fillings = _OF_BREAK if family.kind == "graph_break" else _FILLINGS
        yield tuple(_lines(family, said, *filling) for filling in fillings)


def _lines(family: Family, said: Said, number: str, other: str) -> list[str]:
    """The lines of one message, as logs show them."""

    def told(text: str) -> str:
        return filled(
            text, lambda name: _NAMED.get(name) or (number if name in _NUMBERS else other)
        )

    text = told(said.format)
    match family.kind:
        case "graph_break":
            hints = [f"  Hint: {told(it)}" for it in said.hints]
            explanation = f"  Explanation: {told(said.explanation)}"
            context = f"  Developer debug context: {told(said.context)}"
            text = "\n".join([text, explanation, *hints, context])
        case "cudagraph_skip" if not family.key.startswith("partition-"):
            text = _SKIP + text
        case "exception":
            module = said.files[0].removesuffix(".py").replace("/", ".") if said.files else ""
            text = f"torch.{module}.{family.key}: {text or other}"
        case "guard":
            text = _REASON + text
    return text.split("\n")
