"""The page to paste an error into, and the data that its script searches."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from docsite.content import Content
from docsite.effect import here
from docsite.page import HOME, MATCH, Page
from docsite.status import Standing
from validators.match import GUESSES, LEARN_MORE, NOTHING, Index
from validators.match.building import build_index
from validators.match.scores import PARTS, interval, load_scores

DATA = "match/data.js"


class SiteAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What an answer says of a page: for a case its kind, and a code that `docsite.effect` makes.

    `page` is the site path of a page that is not a case's.
    """

    title: str
    summary: str = ""
    fix: str = ""
    kind: str = ""
    code: str = ""
    page: str = ""


class MatchData(Struct, frozen=True):
    """The index of the catalog and, in the order of its cases, what an answer says of each."""

    index: Index
    answers: list[SiteAnswer]


def match_page(content: Content) -> Page:
    """The page, with how well the search works."""
    scores = load_scores(content.catalog.root.parent)
    model = {
        "said": said(),
        "parts": [(PARTS.get(part, part), score) for part, score in scores.items()],
        "judged": sum(score.related + score.unrelated for score in scores.values()),
        "share": _share,
    }
    return Page(MATCH[1], MATCH[0], "match", model, (HOME,))


def said() -> dict[str, str]:
    """What the box to paste an error into says of what it found."""
    return {"nothing": NOTHING, "guesses": GUESSES, "learn_more": LEARN_MORE}


def match_data(content: Content) -> str:
    """The data, as a script: a page that is opened from disk cannot read other files."""
    index = build_index(content.catalog)
    data = MatchData(index, [_answer(content.standings[name]) for name in index.cases])
    return f"const casebookData = {msgspec.json.encode(data).decode()};\n"


def _share(hits: int, of: int) -> str:
    """Such as "45 of 76 (48 to 70 %)", with the confidence interval."""
    low, high = interval(hits, of)
    return f"{hits} of {of} ({100 * low:.0f} to {100 * high:.0f} %)"


def _answer(standing: Standing) -> SiteAnswer:
    case = standing.case
    return SiteAnswer(
        title=case.title,
        summary=case.meta.summary,
        fix=case.fix,
        kind=case.meta.kind,
        code=here(standing).code,
    )
