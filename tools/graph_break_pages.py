"""Renders what PyTorch's site of graph breaks can take over, ten ids a batch.

python tools/graph_break_pages.py FOLDER    writes the batches 01, 02, ... into a new folder

A file holds what belongs between the marks ADDITIONAL INFORMATION of the page of its id. Ids that
real models show come first; ids whose pages had text when we looked are left out (`written.txt`).
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path

from validators.catalog.frontmatter import SEVERITIES
from validators.corpus.records.record import Records, load_records
from validators.environment.column_name import span
from validators.families import Cause, Family, Vocabulary, vocabulary_of
from validators.repository import Repository

ROOT = Path(__file__).resolve().parents[1]
WRITTEN = ROOT / "upstream" / "graph_breaks" / "written.txt"
BATCH = 10
_MOST_CAUSES, _MOST_PLACES = 2, 3
Places = Mapping[str, Counter[str]]
"""Where real models show an id: places in packages, with how many records have each."""


def texts(repository: Repository) -> dict[str, str]:
    """Render the text for each id that an executed example prints, commonest in models first."""
    vocabulary = vocabulary_of(repository)
    places = places_of(load_records(repository.committed)[0])
    with_ids = (it for it in vocabulary.families if it.key.startswith("GB"))
    shown = {it.key: causes for it in with_ids if (causes := _shown(vocabulary, it))}
    ordered = sorted(shown, key=lambda key: (-places[key].total(), key))
    return {key: _text(vocabulary, shown[key], places[key]) for key in ordered}


def places_of(records: Records) -> Places:
    """Where the recorded models break, by id."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for record in records.values():
        for it in record.breaks["breaks"]:
            # Readers know a package by its path below site-packages.
            found[it["id"]].update(
                f"`{place['file'].partition('site-packages/')[2]}`"
                for place in it["places"][:1]
                if "site-packages/" in place["file"]
            )
    return found


def _shown(vocabulary: Vocabulary, family: Family) -> list[Cause]:
    """The causes whose examples print it, the worst first."""
    causes = [it for it in vocabulary.causes_of(family) if it.releases and it.case.example]
    return sorted(causes, key=lambda it: SEVERITIES.index(it.case.meta.severity))[:_MOST_CAUSES]


def _text(vocabulary: Vocabulary, causes: list[Cause], places: Counter[str]) -> str:
    parts = [part for it in causes for part in _cause(vocabulary, it)]
    if places:
        found = [name for name, _ in places.most_common(_MOST_PLACES)]
        more = len(places) - len(found)
        others = f" and {more} other file{'s' if more > 1 else ''}" if more else ""
        parts.append(f"Models that show this break: {', '.join(found)}{others}.")
    return "\n\n".join(parts) + "\n"


def _cause(vocabulary: Vocabulary, cause: Cause) -> Iterator[str]:
    example, meta = cause.case.example, cause.case.meta
    assert example is not None
    releases = span(cause.releases, vocabulary.releases)
    yield f"{meta.summary} This program shows it on torch {releases}, on the CPU:"
    yield f"```python\n{example.before.code.strip()}\n```"
    yield f"{meta.fix} This program does not show it there:"
    yield f"```python\n{example.after.code.strip()}\n```"


def write(folder: Path, pages: Mapping[str, str], written: Container[str]) -> int:
    """Write all pages but those `written` already into the batches of `folder`; return how many."""
    left = [(key, text) for key, text in pages.items() if key not in written]
    for number, (key, text) in enumerate(left):
        file = folder / f"{number // BATCH + 1:02}" / f"{key.lower()}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return len(left)


def main(arguments: Sequence[str]) -> None:
    """Render into the folder that the arguments name, or say what is wrong with them."""
    if len(arguments) != 1:
        sys.exit("Error: name one folder: python tools/graph_break_pages.py build/graph_breaks")
    folder = Path(arguments[0])
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        sys.exit(f"Error: {folder}: is there already; name a new folder")
    pages = texts(Repository(ROOT / "playbooks" / "catalog", []))
    count = write(folder, pages, WRITTEN.read_text(encoding="utf-8").split())
    print(f"{count} pages in {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
