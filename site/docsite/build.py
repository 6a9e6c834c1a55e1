"""From content to a site: pages, their Markdown, and what scripts and agents read."""

from __future__ import annotations

import gc
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from docsite.all_pages import all_pages
from docsite.broken import broken_links
from docsite.content import Content, load
from docsite.effect import CLEAR, FIXED, LETTERS, releases_of, words
from docsite.frame import frame_of
from docsite.links import case_file, fix_page
from docsite.log.feed import feeds
from docsite.markdown_export import markdown_path, page_markdown
from docsite.pages.catalog_file import CatalogFile, catalog_file
from docsite.pages.llms import llms_pages
from docsite.pages.match import DATA as MATCH_DATA
from docsite.pages.match import match_data
from docsite.pages.redirects import redirects
from docsite.pages.releases import upgrades
from docsite.render import render_document, render_file, render_missing
from validators.errors import CasebookError
from validators.schemas import SCHEMAS, schema_text
from validators.skillpack.pack import load_pack
from validators.skillpack.well_known import well_known

ASSETS = Path(__file__).resolve().parents[1] / "assets"
_OURS = "catalog.json"
"""The file by which a folder is known to be a built site."""
Files = dict[str, str | bytes]


def build(catalog: Path, evidence: Iterable[Path], out: Path) -> str:
    """Build the site into `out`/site; returns how many pages changed and which one to open.

    Raises:
        CasebookError: content has defects, a link leads nowhere, or `out`/site is a folder that is
            not a site of ours.
    """
    site = out / "site"
    if catalog.is_relative_to(out):
        raise CasebookError(f"{out}: holds the casebook; give --out a folder of its own")
    if site.exists() and any(site.iterdir()) and not (site / _OURS).exists():
        raise CasebookError(f"{site}: is not a built site; give --out a folder of its own")
    content = load(catalog, evidence)
    gc.freeze()  # records live to the end, and searching them for cycles takes half a second
    files = site_files(content)
    if lost := list(broken_links(files)):
        raise CasebookError("\n".join(lost))
    changed = [place for place in _write(site, files) if place.endswith(".html")]
    pages = sum(place.endswith(".html") for place in files)
    return f"{len(changed)} of {pages} pages are new or changed; open {site / 'index.html'}"


def site_files(content: Content) -> Files:
    """Every file of the site, by its path.

    Raises:
        CasebookError: content cannot be shown.
    """
    pages = all_pages(content)
    paths = frozenset(page.path for page in pages)
    frame = frame_of(content, paths)
    files: Files = {page.path: render_document(page, frame) for page in pages}
    files |= {markdown_path(page.path): page_markdown(page, paths) for page in pages}
    fixes = (
        replace(it, path=fix_page(it.model["case"].name), template="fix")
        for it in pages
        if it.template == "case"
    )
    files |= {page.path: page_markdown(page, paths) for page in fixes}
    files |= dict(redirects(content, paths))
    files |= {page.path: page_markdown(page, paths) for page in llms_pages(content)}
    files |= feeds(content, content.catalog.casebook.title)
    files |= {case_file(it): it.proof.read_bytes() for it in content.catalog.cases}
    files |= {
        "404.html": render_missing(frame),
        _OURS: catalog_file(content),
        MATCH_DATA: match_data(content, upgrades(content), paths),
        "assets/torch.js": _torch_data(content),
    }
    if content.catalog.casebook.site_url:
        addresses = sorted(map(frame.address, paths))
        files["sitemap.xml"] = render_file("sitemap.xml.j2", addresses=addresses)
    files |= {f"assets/{name}": data for name, data in _read(ASSETS)}
    schemas = {**SCHEMAS, "catalog": CatalogFile}
    files |= {f"schemas/{name}.json": schema_text(kind) for name, kind in schemas.items()}
    return files | _skills(content)


def _torch_data(content: Content) -> str:
    """What scripts need to say what a case means on the reader's torch."""
    data = {
        "releases": releases_of(content.columns),
        "words": words(),
        "letters": LETTERS,
        "ran": {
            device: releases_of([it for it in content.columns if it.device == device])
            for device in content.devices
        },
        "fixed": [FIXED.tone, FIXED.symbol, FIXED.words],
        "clear": [CLEAR.tone, CLEAR.symbol, CLEAR.words],
    }
    return f"const casebookTorch = {json.dumps(data, ensure_ascii=False)};\n"


def _skills(content: Content) -> Files:
    """The pack of skills, if there is one, where clients look for it on a site.

    Raises:
        CasebookError: a skill is invalid.
    """
    pack, problems = load_pack(content.repository.playbooks)
    if problems:
        raise CasebookError(str(problems[0]))
    served = well_known(content.repository.root, pack) if pack else {}
    return {str(place): data for place, data in served.items()}


def _read(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(it for it in folder.rglob("*") if it.is_file()):
        yield file.relative_to(folder).as_posix(), file.read_bytes()


def _write(folder: Path, files: Mapping[str, str | bytes]) -> list[str]:
    """Write what differs from what is there, and remove what is no part of the site any more.

    Returns:
        The places that changed.
    """
    changed = []
    for place, data in files.items():
        file = folder / place
        content = data.encode() if isinstance(data, str) else data
        if not file.is_file() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
            changed.append(place)
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        elif path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()
    return changed
