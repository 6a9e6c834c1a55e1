"""From content to a site: Markdown in `docs`, a MkDocs configuration, HTML in `site`."""

from __future__ import annotations

import datetime
import gc
import html
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import yaml

from docsite import links
from docsite.all_pages import all_pages
from docsite.content import Content, load
from docsite.finish import finish
from docsite.log.feed import PATH as FEED
from docsite.log.feed import feed
from docsite.markdown_export import markdown_path, page_markdown
from docsite.page import (
    ABOUT,
    BREAKS,
    CATALOG,
    GPU,
    GUIDES,
    HOME,
    LOGS,
    MATCH,
    MATRIX,
    MODELS,
    SKILLS,
    SOURCES,
    TIMELINE,
)
from docsite.pages.catalog_file import catalog_file
from docsite.pages.llms import llms_page
from docsite.pages.match import DATA as MATCH_DATA
from docsite.pages.match import match_data
from docsite.pages.redirects import redirects
from docsite.render import attribute_text, render_page
from docsite.status import decided_share
from validators.errors import CasebookError
from validators.skillpack.pack import load_pack
from validators.skillpack.well_known import well_known

PACKED = Path(__file__).resolve().parents[1] / "torch_compile_casebook"
"""Where a wheel keeps the files that a checkout has at its root (pyproject.toml)."""
ROOT = PACKED if PACKED.is_dir() else Path(__file__).resolve().parents[2]
ASSETS = ROOT / "site" / "assets"
SCHEMAS = ROOT / "schemas"


def build(catalog: Path, evidence: Iterable[Path], out: Path) -> str:
    """Build the site into `out`/site; returns what is decided and which page to open.

    Raises:
        CasebookError: content has defects, MkDocs rejects the pages, or `out` is a folder
            whose own `docs` and `mkdocs.yml` the build would replace.
    """
    if catalog.is_relative_to(out):
        raise CasebookError(f"{out}: holds the casebook; give --out a folder of its own")
    content = load(catalog, evidence)
    gc.freeze()  # records live to the end, and searching them for cycles takes half a second
    write_docs(content, out)
    run_mkdocs(out, content.newest)
    finish(out)
    serve_skills(content, out / "site")
    decided, claims = decided_share(list(content.standings.values()))
    return f"{decided} of {claims} claims are decided; open {out / 'site' / 'index.html'}"


def write_docs(content: Content, out: Path) -> None:
    """Write the pages into `out`/docs and the configuration beside it, replacing older ones."""
    pages = all_pages(content)
    paths = {page.path for page in pages}
    files = {page.source: render_page(page) for page in pages}
    texts = {markdown_path(page.path): page_markdown(page, paths) for page in pages}
    files |= dict(redirects(content, paths))
    index = llms_page(content)
    files |= {
        index.path: page_markdown(index, paths),
        "catalog.json": catalog_file(content),
        MATCH_DATA: match_data(content),
        FEED: feed(content, content.catalog.casebook.title),
    }
    for folder in (out / "docs", out / "markdown"):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ASSETS, out / "docs" / "assets")
    shutil.copytree(SCHEMAS, out / "docs" / "schemas")
    _write(out / "docs", files)
    _write(out / "markdown", texts)
    config = yaml.safe_dump(
        _configuration(content, out, paths), sort_keys=False, allow_unicode=True
    )
    (out / "mkdocs.yml").write_text(config, encoding="utf-8")


def serve_skills(content: Content, site: Path) -> None:
    """Put the pack of skills, if there is one, where clients look for it on a site.

    MkDocs leaves out folders whose names begin with a dot.
    """
    pack, problems = load_pack(content.repository.playbooks)
    if problems:
        raise CasebookError(str(problems[0]))
    for place, data in well_known(content.repository.root, pack).items() if pack else ():
        (site / place).parent.mkdir(parents=True, exist_ok=True)
        (site / place).write_bytes(data)


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for place, text in files.items():
        file = folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def run_mkdocs(out: Path, newest: str) -> None:
    """Build `out`/docs into `out`/site; the `newest` entry dates the sitemap.

    Raises:
        CasebookError: MkDocs fails, or warns of anything.
    """
    # Not --quiet: it hides warnings from --strict, too.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean"]
    day = datetime.datetime.fromisoformat(newest or "1980-01-01")
    epoch = int(day.replace(tzinfo=datetime.UTC).timestamp())
    variables = {"SOURCE_DATE_EPOCH": str(epoch), "NO_MKDOCS_2_WARNING": "1"} | os.environ
    done = subprocess.run(
        [*command, "--config-file", str(out / "mkdocs.yml")],
        capture_output=True,
        text=True,
        env=variables,
    )
    if done.returncode:
        said = " ".join((done.stderr + done.stdout).split())
        raise CasebookError(f"{out / 'docs'}: MkDocs rejects the pages ({said}); fix them")


def _configuration(content: Content, out: Path, pages: set[str]) -> dict[str, Any]:
    """The nav holds only the index pages in `pages`: MkDocs prints it into every page."""

    def entry(title: str, path: str) -> list[dict[str, str]]:
        return [{title: _markdown(path)}] if path in pages else []

    areas = [
        {area.replace("_", " ").capitalize(): _markdown(links.area_page(area))}
        for area in content.by_area
    ]
    # The theme prints the titles of the navigation as HTML.
    guides = [
        {html.escape(d.title): _markdown(links.prose_page("guides", d.name))}
        for d in content.guides
    ]
    catalog = [
        {"All cases": _markdown(CATALOG[1])},
        {MATRIX[0]: _markdown(MATRIX[1])},
        *areas,
        *entry("By graph break id", BREAKS[1]),
        *entry(*GPU),
    ]
    casebook = content.catalog.casebook
    return {
        "INHERIT": os.path.relpath(ROOT / "mkdocs.yml", out),
        "site_name": attribute_text(casebook.title),
        "site_description": attribute_text(casebook.description),
        "docs_dir": "docs",
        "site_dir": "site",
        "nav": [
            {"Home": _markdown(HOME[1])},
            {CATALOG[0]: catalog},
            {MATCH[0]: _markdown(MATCH[1])},
            {GUIDES[0]: [{"All guides": _markdown(GUIDES[1])}, *guides]},
            {LOGS[0]: [{"All entries": _markdown(LOGS[1])}, {TIMELINE[0]: _markdown(TIMELINE[1])}]},
            *entry(*MODELS),
            {SKILLS[0]: _markdown(SKILLS[1])},
            *entry("Sources", SOURCES[1]),
            {ABOUT[0]: _markdown(ABOUT[1])},
        ],
        "not_in_nav": "/catalog/*/\n/logs/*/\n/models/*/\n/skills/*/\n/sources/*/\n",
    }


def _markdown(path: str) -> str:
    return path.removesuffix(".html") + ".md"
