"""From content to the tree that MkDocs builds, and to what lies beside its pages."""

from __future__ import annotations

import gc
import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from docsite import links
from docsite.all_pages import all_pages
from docsite.content import Content
from docsite.effect import CLEAR, FIXED, LETTERS, words
from docsite.page import FEED, HOME
from docsite.pages.catalog_file import CatalogFile, catalog_file
from docsite.pages.feed import feed
from docsite.pages.llms import llms_pages
from docsite.pages.match import DATA as MATCH_DATA
from docsite.pages.match import match_data
from docsite.pages.redirects import redirects
from docsite.pages.releases import upgrades
from docsite.render import Writer
from validators.errors import CasebookError
from validators.families import GRAPH_BREAK
from validators.published.standing import Standing
from validators.schemas import schema_text

_ASSETS = Path(__file__).resolve().parents[1] / "assets"
_LICENSE = Path(__file__).resolve().parents[2] / "LICENSE"
_OURS = "catalog.json"
"""The file by which a folder is known to be ours."""
Files = dict[str, str | bytes]


@dataclass(frozen=True)
class Tree:
    """The files that the site is made of, by their paths.

    `docs` is what MkDocs reads. `copies` are put into the built site: Markdown that is read as it
    is, of which MkDocs would make pages.
    """

    docs: Files
    copies: Files


def build(content: Content, out: Path) -> str:
    """Write `out`/docs and `out`/copies; returns how many pages changed.

    Raises:
        CasebookError: a link leads nowhere, or one of the folders is not ours.
    """
    docs, copies = out / "docs", out / "copies"
    if content.catalog.root.is_relative_to(out):
        raise CasebookError(f"{out}: holds the casebook; give --out a folder of its own")
    for folder, ours in ((docs, _OURS), (copies, links.copy_of(HOME[1]))):
        if folder.exists() and any(folder.iterdir()) and not (folder / ours).exists():
            raise CasebookError(f"{folder}: holds other files; give --out a folder of its own")
    gc.freeze()  # records live to the end, and searching them for cycles takes half a second
    tree = tree_of(content)
    changed = [place for place in _write(docs, tree.docs) if place.endswith(".md")]
    _write(copies, tree.copies)
    pages = sum(place.endswith(".md") for place in tree.docs)
    return f"{docs}: {len(changed)} of {pages} pages are new or changed"


def tree_of(content: Content) -> Tree:
    """Every file that the site is made of.

    Raises:
        CasebookError: content cannot be shown, or a link leads nowhere.
    """
    found = upgrades(content)
    pages = all_pages(content, found)
    paths = frozenset(page.path for page in pages)
    writer = Writer(paths)
    docs: Files = {page.path.removesuffix("html") + "md": writer.source(page) for page in pages}
    copies: Files = {links.copy_of(page.path): writer.copy(page) for page in pages}
    fixes = (
        replace(it, path=links.fix_page(it.model["case"].name), template="fix")
        for it in pages
        if it.template == "case"
    )
    copies |= {page.path: writer.copy(page) for page in fixes} | {**content.made.skills}
    docs |= {page.path: writer.copy(page) for page in llms_pages(content, found)}
    docs |= dict(redirects(content, paths))
    docs |= {
        links.area_page(area).replace("index.html", "pages.js"): _area_data(standings)
        for area, standings in content.standings_by_area.items()
    }
    docs[FEED] = feed(content, content.catalog.casebook.title)
    docs |= {links.case_file(it): it.proof.read_bytes() for it in content.catalog.cases}
    docs |= {
        _OURS: catalog_file(content),
        MATCH_DATA: match_data(content, found),
        "assets/torch.js": _torch_data(content),
        "LICENSE.txt": _LICENSE.read_bytes(),
    }
    assets = [it for it in _ASSETS.rglob("*") if it.is_file()]
    docs |= {f"assets/{it.relative_to(_ASSETS).as_posix()}": it.read_bytes() for it in assets}
    schemas = {**content.made.schemas, "catalog": schema_text(CatalogFile)}
    docs |= {f"schemas/{name}.json": text for name, text in schemas.items()}
    known = paths | docs.keys() | copies.keys()
    if lost := [
        f"{page}: links to {target}, which the site does not have; fix the link"
        for target, page in writer.targets.items()
        if target.partition("#")[0] not in known
    ]:
        raise CasebookError("\n".join(lost))
    return Tree(docs, copies)


def _torch_data(content: Content) -> str:
    """What scripts need to say what a case means on the reader's torch."""
    data = {
        "releases": content.releases,
        "words": words(),
        "letters": LETTERS,
        "ran": content.ran,
        "fixed": astuple(FIXED),
        "clear": astuple(CLEAR),
        "registry": GRAPH_BREAK,
    }
    return f"const casebookTorch = {json.dumps(data, ensure_ascii=False)};\n"


def _area_data(standings: Sequence[Standing]) -> str:
    """The cases of an area, which a script shows beside each of them."""
    rows = [[it.case.name, it.case.title] for it in standings]
    return f"const casebookArea = {json.dumps(rows, ensure_ascii=False)};\n"


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
