"""Compare two builds of the site: the pages, and the anchors of each.

python tools/compare_builders.py build/site other/site
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

_ID = re.compile(r'<[^>]+\sid="?([^"\s>]+)')


def anchors(site: Path) -> dict[str, set[str]]:
    """Return the ids of each page by its path, without those of the theme, which begin with __."""
    return {
        str(file.relative_to(site)): {
            it for it in _ID.findall(file.read_text("utf-8")) if not it.startswith("__")
        }
        for file in site.rglob("*.html")
    }


def main(first: str, second: str) -> int:
    """Print what only one build has; return 1 if there is anything."""
    one, other = anchors(Path(first)), anchors(Path(second))
    lines = [f"only in {first}: {page}" for page in sorted(one.keys() - other.keys())]
    lines += [f"only in {second}: {page}" for page in sorted(other.keys() - one.keys())]
    for page in sorted(one.keys() & other.keys()):
        if one[page] != other[page]:
            lines.append(f"{page}: anchors differ: {', '.join(sorted(one[page] ^ other[page]))}")
    print("\n".join(lines) or f"{len(one)} pages have the same anchors")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
