"""The page to paste an error into, and the data that its script searches."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from docsite.content import Content
from docsite.page import HOME, MATCH, Page
from docsite.status import Standing
from validators.match import GUESSES, LEARN_MORE, NOTHING
from validators.match.answers import Answer, answer_of
from validators.match.building import OtherPage, build_index
from validators.match.index import data_of
from validators.match.scores import PARTS, interval, load_scores

DATA = "match/data.js"


def match_page(content: Content) -> Page:
    """The page; without JavaScript it names the command that gives the same answers."""
    releases = list(dict.fromkeys(column.torch for column in reversed(content.columns)))
    scores = load_scores(content.catalog.root.parent).logs
    model = {
        "releases": releases,
        "said": {"nothing": NOTHING, "guesses": GUESSES},
        "learn_more": LEARN_MORE,
        "parts": [(PARTS.get(part, part), score) for part, score in scores.items()],
        "judged": sum(score.related + score.unrelated for score in scores.values()),
        "share": _share,
    }
    return Page(MATCH[1], MATCH[0], "match", model, (HOME,))


def match_data(content: Content, others: Sequence[OtherPage] = ()) -> str:
    """The data, as a script: a page that is opened from disk cannot read other files.

    It holds the index of the catalog and the `others`. In the order of the cases, which come first
    in it, `answers` holds what is decided of each, and in which release it is fixed.
    """
    index = build_index(content.catalog, others)
    said = (_answer(content.standings[name]) for name in index.cases)
    answers = [{"decided": it.decided, "fixed_in": it.fixed_in} for it in said]
    data = msgspec.json.encode({"index": data_of(index), "answers": answers})
    return f"const casebookData = {data.decode()};\n"


def _share(hits: int, of: int) -> str:
    """Such as "45 of 76 (48 to 70 %)", with the confidence interval."""
    low, high = interval(hits, of)
    return f"{hits} of {of} ({100 * low:.0f} to {100 * high:.0f} %)"


def _answer(standing: Standing) -> Answer:
    decided = {cell.column.name: cell.state.key for cell in standing.decided}
    return answer_of(standing.case, decided)
