"""Real models: an index with what breaks in each, and a page per model with its repair."""

from __future__ import annotations

from collections.abc import Iterator

from docsite import links
from docsite.content import Content
from docsite.page import HOME, MODELS, Page
from validators.published import ShownModel


def model_pages(content: Content) -> Iterator[Page]:
    """The index and a page for each recorded model; none if the repository has no models."""
    shown = content.made.models
    if not shown:
        return
    every = [run for it in shown for run in it.runs]
    model = {
        "models": shown,
        "findings": sum(it.row.findings for it in every),
        "known": sum(it.known for it in every),
        "verified": sum(any(run.row.fix == "verified" for run in it.runs) for it in shown),
    }
    yield Page(MODELS[1], MODELS[0], "models", model, (HOME,))
    for it in shown:
        yield _page(content, it)


def _page(content: Content, shown: ShownModel) -> Page:
    model, runs = shown.model, shown.runs
    cases = {it.case for run in runs for it in run.findings if it.case}
    values = {
        "model": model,
        "runs": runs,
        "program": model.file.read_text(encoding="utf-8"),
        "packages": [f"{name} {version}" for name, version in runs[0].record.packages.items()],
        "session": shown.session,
        "cases": {name: content.catalog.by_name[name] for name in sorted(cases)},
    }
    title = model.about.partition(",")[0]
    path = links.model_page(model.name)
    return Page(path, title, "model", values, (HOME, MODELS), model.about, shown.file)
