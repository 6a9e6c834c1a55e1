"""What our source documents got right and wrong: an index, and a page per document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from docsite import links
from docsite.content import Content
from docsite.page import HOME, SOURCES, Page
from validators.published.source_claims import OUTCOMES, totals


def source_pages(content: Content) -> Iterator[Page]:
    """The index with its totals, and every document's claims."""
    documents = content.judged
    if not documents:
        return
    every = content.source_claims
    model: dict[str, object] = {
        "documents": [(judged[0].source, totals(judged)) for judged in documents.values()],
        "total": totals(every),
        "outcomes": OUTCOMES,
        "figures": [it for it in every if it.claim.claimed],
        "reasons": Counter(it.reason for it in every if it.reason).most_common(),
    }
    yield Page(SOURCES[1], SOURCES[0], "sources", model, (HOME,))
    for name, judged in documents.items():
        fields = judged[0].source.fields
        model = {"fields": fields, "judged": judged, "total": totals(judged), "outcomes": OUTCOMES}
        path = links.prose_page("sources", name)
        yield Page(path, fields.title, "source", model, (HOME, SOURCES), fields.about)
