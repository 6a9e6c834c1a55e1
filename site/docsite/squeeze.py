"""What no reader sees is taken out of the built site: a third of its bytes."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

_AS_WRITTEN = re.compile(r"(<(pre|script|style|textarea)\b.*?</\2>)", re.DOTALL)
_LINE_END = re.compile(r"\s*\n\s*")
_SCRIPTS = Path("assets", "javascripts")


def squeeze(site: Path) -> None:
    """Drop indentation and blank lines of all pages, source maps and unused search languages."""
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        page.write_text(_without_indentation(text), encoding="utf-8")
    for source_map in (site / "assets").rglob("*.map"):
        source_map.unlink()
    # The search worker loads these for languages other than English only.
    shutil.rmtree(site / _SCRIPTS / "lunr", ignore_errors=True)


def _without_indentation(html: str) -> str:
    # Each element that shows space as it is comes as two parts of the split: itself and its name.
    parts = _AS_WRITTEN.split(html)
    parts[::3] = [_LINE_END.sub("\n", part) for part in parts[::3]]
    del parts[2::3]
    return "".join(parts)
