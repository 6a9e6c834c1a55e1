"""What a compilation without a GPU leaves open."""

from __future__ import annotations

from collections.abc import Iterator

from validators.compiled.results import Compiled

_ASKED = {
    "clock": "a clock decides {}",
    "value": "a tensor's value is asked for by {}",
    "memory": "free or used memory is asked for by {}",
    "replay": "a recorded graph is asked for by {}",
}
_BACKEND = "Backend compiler"
"""How the type of a graph break begins that an exception of the backend causes."""


def undecided(found: Compiled) -> Iterator[str]:
    """A sentence for each thing that rests on an answer which only a GPU has."""
    for it in found.invented:
        times = "" if it.count == 1 else f" (asked {it.count} times)"
        yield _ASKED[it.kind].format(it.what) + times
    if found.raised:
        kind = found.raised.type.rpartition(".")[2]
        message = (found.raised.message.splitlines() or [""])[0]
        yield f"call {found.raised.call} raises {kind}, and what comes after is not seen: {message}"
    for broken in found.breaks:
        if broken.type.startswith(_BACKEND):
            yield "the compiler raises, and the call goes on without it; a GPU may not see that"
