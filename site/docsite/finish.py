"""What is done to a site after MkDocs has built it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

_UNUSED = ("assets/javascripts/lunr", "assets/javascripts/workers")
"""The theme's own search, which is off."""
_ARTICLE = re.compile(r"(<article.*</article>)", re.DOTALL)
_BLANK = re.compile(r"\n\s+")


def finish(out: Path) -> str:
    """Add `out`/copies to `out`/site, and take away what no page needs; returns what to open.

    The theme's templates leave blanks around the article, a fifth of a page. Source maps and the
    theme's search are loaded by no page.
    """
    site = out / "site"
    for folder in _UNUSED:
        shutil.rmtree(site / folder, ignore_errors=True)
    for file in site.rglob("*.map"):
        file.unlink()
    for file in site.rglob("*.html"):
        parts = _ARTICLE.split(file.read_text("utf-8"))
        parts[::2] = [_BLANK.sub("\n", part) for part in parts[::2]]
        file.write_text("".join(parts), "utf-8")
    shutil.copytree(out / "copies", site, dirs_exist_ok=True)
    return f"open {site / 'index.html'}"
