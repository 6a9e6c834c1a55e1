"""Silent errors: a table of all, and a page for each root cause with its programs."""

from __future__ import annotations

from collections.abc import Iterator

from docsite import links
from docsite.content import Content
from docsite.page import HOME, SILENT, Page

_TELLS = {
    "unfaithful tracing": "Dynamo traces another program than Python runs: even backend `eager`,"
    " which compiles nothing, is wrong.",
    "code generation": "Only Inductor is wrong, and the graph that it got is right.",
    "layout": "A copy by `.contiguous()` before the op changes the result.",
    "decomposition": "The op is wrong by itself, and right in eager mode.",
    "aliasing and mutation": "Two tensors share memory, and one of them is written.",
    "type promotion": "The dtype of the result, or of a step before it, is not eager mode's.",
    "unsound fusion": "Each op alone is right; together they are wrong.",
    "stale reuse": "The first call is right, and a later one repeats it.",
    "toolchain": "The same program is right with another compiler or another machine.",
    "symbolic sizes": "It is right with `dynamic=False`.",
}
"""How to tell each root cause."""


def silent_pages(content: Content) -> Iterator[Page]:
    """The table and the pages of root causes; none if the repository has no silent errors."""
    by_cause = content.made.silent
    if not by_cause:
        return
    every = [error for errors in by_cause.values() for error in errors]
    model: dict[str, object] = {
        "causes": by_cause,
        "count": sum(bool(error.wrong) for error in every),
        "open": sum(error.open for error in every),
        "avoided": sum(error.avoided is True for error in every),
        "interpreted": sum(bool(error.compiled) for error in every),
        "wrong_there": sum("wrong" in error.compiled for error in every),
        "tells": _TELLS,
    }
    about = "Programs that torch.compile computes wrongly without a message, on which releases."
    yield Page(SILENT[1], SILENT[0], "silent", model, (HOME,), about)
    for cause, errors in by_cause.items():
        title = f"Silent errors: {cause}"
        values = {"errors": errors, "tell": _TELLS[cause]}
        yield Page(links.silent_page(cause), title, "silent_cause", values, (HOME, SILENT), about)
