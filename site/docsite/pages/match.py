"""The page to paste an error into, and the data that scripts search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import msgspec

from docsite import links
from docsite.content import Content
from docsite.effect import here
from docsite.page import HOME, MATCH, Page
from docsite.pages.packed import CASE, packed
from docsite.pages.releases import Upgrade
from validators.published import share

DATA = "match/data.js"


def match_page(content: Content) -> Page:
    """The page, with how well the search works."""
    search = content.made.search
    model = {
        "said": search.said,
        "judged": sum(score.related + score.unrelated for _, score in search.logs),
        "parts": [*search.logs, *search.incidents],
        "fresh": search.fresh,
        "share": share,
    }
    return Page(MATCH[1], MATCH[0], "match", model, (HOME,))


def match_data(content: Content, found: list[Upgrade]) -> str:
    """The data, as a script: a page that is opened from disk cannot read other files.

    It holds the packed index, with the pages of models and releases after the others, each with its
    address. `hrefs` has those of families whose path does not follow from the key. In the order of
    the cases, which come first, `answers` holds the kind of each, by its place among `kinds`, and
    the code that `docsite.effect` makes.
    """
    silent = {
        shown.error.name: links.silent_error(cause, shown.error.name)
        for cause, errors in content.made.silent.items()
        for shown in errors
    }
    places: dict[str, Callable[[str], str]] = {
        "area": links.area_page,
        "guide": partial(links.prose_page, "guides"),
        "silent": silent.__getitem__,
    }
    index = content.made.search.index
    pages = [
        {**it, "href": places[kind](it["name"])} if (kind := it.get("kind", CASE)) in places else it
        for it in index["pages"]
    ]
    pages += [*_models(content), *_releases(found)]
    views = [here(content.standings[it["name"]]) for it in pages if it.get("kind", CASE) == CASE]
    kinds = [*dict.fromkeys(it.kind for it in views)]
    answers = [[kinds.index(it.kind), it.code] for it in views]
    hrefs = {
        key: path
        for (kind, key), path in content.addresses.items()
        if path != links.message_page(kind, key)
    }
    index = packed({**index, "pages": pages})
    told = {"index": index, "kinds": kinds, "answers": answers, "hrefs": hrefs}
    text = msgspec.json.encode(told).decode()
    return f"const casebookData = {text};\n"


def _models(content: Content) -> Iterator[dict[str, str]]:
    for it in content.made.models:
        name, about = it.model.name, it.model.about
        yield {"name": name, "kind": "model", "title": about, "href": links.model_page(name)}


def _releases(found: list[Upgrade]) -> Iterator[dict[str, str]]:
    for it in found:
        told = {"title": f"What changes: {it.title}", "summary": it.counts}
        yield {"name": it.path, "kind": "release", **told, "href": it.path}
