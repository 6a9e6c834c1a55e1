"""The site as plain Markdown with a configuration, for other generators: MkDocs or Zensical."""

from __future__ import annotations

import json
from pathlib import Path

from docsite.all_pages import all_pages
from docsite.content import Content
from docsite.frame import frame_of
from docsite.links import case_file
from docsite.markdown_export import markdown_path, page_markdown
from validators.errors import CasebookError


def write_plain_tree(content: Content, out: Path) -> str:
    """Write `out`/docs and `out`/mkdocs.yml; returns what was written.

    Raises:
        CasebookError: `out` exists and is not empty.
    """
    if out.exists() and any(out.iterdir()):
        raise CasebookError(f"{out}: is not empty; give --out a new folder")
    pages = all_pages(content)
    paths = frozenset(page.path for page in pages)
    for page in pages:
        _write(out / "docs" / _plain(page.path), _with_plain_links(page_markdown(page, paths)))
    for case in content.catalog.cases:
        _write(out / "docs" / case_file(case), case.proof.read_text(encoding="utf-8"))
    frame = frame_of(content, paths)
    navigation = [{"Home": "index.md"}] + [{t: _plain(path)} for t, path in frame.navigation]
    settings = {"site_name": frame.casebook.title, "nav": navigation, "use_directory_urls": False}
    # JSON is YAML.
    _write(out / "mkdocs.yml", json.dumps(settings, indent=2, ensure_ascii=False) + "\n")
    return f"wrote {len(pages)} pages to {out / 'docs'}, and {out / 'mkdocs.yml'}"


def _plain(path: str) -> str:
    return path.removesuffix(".html") + ".md"


def _with_plain_links(text: str) -> str:
    return text.replace(markdown_path("index.html"), "index.md")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
