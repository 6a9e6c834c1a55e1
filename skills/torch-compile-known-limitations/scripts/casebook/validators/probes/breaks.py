"""Dynamo's messages about graph breaks, parsed into `GraphBreak`s."""

from __future__ import annotations

import re

from validators.probes.places import frames, user_place
from validators.probes.report import GraphBreak
from validators.probes.text import clean

_URL_ID = re.compile(r"/gb/gb(\d+)\.html")
_HEADER = re.compile(r"^Graph break in user code at (.+):(\d+)$", re.MULTILINE)
_CHAIN = "another graph break occurred"
_RAISED = re.compile(r"^[\w.]+\.(?:Unsupported|UserError|\w+Error|\w+Exception): ", re.MULTILINE)
_LINK = re.compile(r"\n+ *For more details about this graph break.*")


def break_ids(message: str) -> tuple[str, ...]:
    """The registry ids that a message carries, causes first: ("GB0170", "GB7000")."""
    return tuple(f"GB{digits}" for digits in _URL_ID.findall(message))


def break_type(message: str) -> str:
    """The registry's Gb_type of the last break in a message, or else the message's first line."""
    last = message.rsplit(_CHAIN, 1)[-1].removeprefix(": ***").strip()
    before, registered, _ = last.partition("\n  Explanation:")
    lines = before.strip().splitlines() or [""]
    return lines[-1 if registered else 0].strip()


def parse_break(payload: str, skipped_frame: bool, libraries: tuple[str, ...]) -> GraphBreak:
    """A `dynamo_graph_break_reason` payload as a GraphBreak.

    `libraries` are directories whose frames do not count as user code: a break below
    `torch/nn/modules` is reported at the line that called into it.
    """
    message = _message(payload)
    ids = break_ids(message)
    file, line = _place(payload, libraries)
    return GraphBreak(
        id=ids[-1] if ids else "",
        cause_id=ids[0] if len(ids) > 1 else "",
        type=break_type(message),
        reason=clean(_LINK.sub("", message)),
        file=file,
        line=line,
        skipped_frame=skipped_frame,
    )


def _message(payload: str) -> str:
    """The break's own message, without Dynamo's preamble and without any traceback."""
    head, _, rest = payload.partition("User code traceback:")
    head = head.partition("Stack variable source attribution:")[0]
    _, found, message = head.partition("Graph Break Reason: ")
    if found:
        first, _, tail = message.partition("\n\n")
        # The preamble ("Encountered graph break when ...:") says where Dynamo was, not why.
        return tail if first.rstrip().endswith(":") and tail else message
    raised = list(_RAISED.finditer(payload))
    return payload[raised[-1].end() :] if raised else rest or payload


def _place(payload: str, libraries: tuple[str, ...]) -> tuple[str, int]:
    """File name and line of the innermost user frame."""
    header = _HEADER.search(payload)
    text = payload.partition("Traceback (most recent call last)")[0]
    text = text.partition("User code traceback:")[2] or text
    first = [(header[1], header[2])] if header else []
    return user_place([*first, *frames(text)], libraries)
