"""The page to paste an error into, and the data that scripts search."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from docsite import links
from docsite.content import Content
from docsite.effect import here
from docsite.page import HOME, MATCH, Page
from docsite.pages.messages import family_path, message_addresses
from docsite.pages.packed import packed
from docsite.pages.releases import Upgrade
from validators.corpus.models import load_models
from validators.match import GUESSES, LEARN_MORE, NOTHING
from validators.match.building import OtherPage, build_index
from validators.match.index import data_of
from validators.match.scores import FRESH, INCIDENTS, PARTS, interval, load_scores
from validators.match.topics import AREA, other_pages

DATA = "match/data.js"
Found = tuple[OtherPage, str]
"""A page that is no case's, and its site path."""


def match_page(content: Content) -> Page:
    """The page, with how well the search works."""
    scores = load_scores(content.catalog.root.parent)
    parts = [(PARTS.get(part, part), score) for part, score in scores.logs.items()]
    if scores.fresh:
        parts.append((FRESH, scores.fresh.logs))
    model = {
        "said": said(),
        "judged": sum(score.related + score.unrelated for _, score in parts),
        "parts": [*parts, (INCIDENTS, scores.fresh.incidents)] if scores.fresh else parts,
        "fresh": scores.fresh,
        "share": _share,
    }
    return Page(MATCH[1], MATCH[0], "match", model, (HOME,))


def said() -> dict[str, str]:
    """What the box to paste an error into says of what it found."""
    return {"nothing": NOTHING, "guesses": GUESSES, "learn_more": LEARN_MORE}


def match_data(content: Content, found: list[Upgrade], paths: frozenset[str]) -> str:
    """The data, as a script: a page that is opened from disk cannot read other files.

    It holds the packed index of the catalog, of the families, and of the other pages that are among
    `paths`, each with its address. `hrefs` has those of families whose path does not follow from
    the key. In the order of the cases, which come first, `answers` holds the kind of each and the
    code that `docsite.effect` makes.
    """
    others = [(it, path) for it, path in _others(content, found) if path in paths]
    families = content.vocabulary.families
    index = build_index(content.catalog, [it for it, _ in others], families)
    data = data_of(index)
    for page, (_, path) in zip(data["pages"][len(index.cases) :], others, strict=True):
        page["href"] = path
    views = (here(content.standings[name]) for name in index.cases)
    answers = [[it.kind, it.code] for it in views]
    hrefs = {
        key: path
        for (kind, key), path in message_addresses(families).items()
        if path != family_path(kind, key)
    }
    told = {"index": packed(data), "answers": answers, "hrefs": hrefs}
    text = msgspec.json.encode(told).decode()
    return f"const casebookData = {text};\n"


def _others(content: Content, found: list[Upgrade]) -> Iterator[Found]:
    for page in other_pages(content.repository):
        area = page.kind == AREA
        place = links.area_page(page.name) if area else links.prose_page("guides", page.name)
        yield page, place
    for model in load_models(content.repository.root)[0]:
        yield OtherPage(model.name, "model", model.about), links.model_page(model.name)
    for it in found:
        yield OtherPage(it.path, "release", f"What changes: {it.title}", it.counts), it.path


def _share(hits: int, of: int) -> str:
    """Such as "45 of 76 (48 to 70 %)", with the confidence interval, or "none"."""
    if not of:
        return "none"
    low, high = interval(hits, of)
    return f"{hits} of {of} ({100 * low:.0f} to {100 * high:.0f} %)"
