"""Writes what PyTorch's site of graph breaks can take over, ten ids a batch.

python tools/graph_break_pages.py          renders again what upstream/graph_breaks holds
python tools/graph_break_pages.py --next   writes the next batch, too

A file holds what belongs between the marks ADDITIONAL INFORMATION of the page of its id. Ids that
real models show come first; ids whose pages had text when we looked (`written.txt`) are left out.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from validators.catalog.frontmatter import SEVERITIES
from validators.corpus.record import Records, load_records
from validators.families import Cause, Family, Vocabulary, span, vocabulary_of
from validators.repository import Repository

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "upstream" / "graph_breaks"
BATCH = 10
_MOST_CAUSES, _MOST_PLACES = 2, 3
Places = Mapping[str, Counter[str]]
"""Where real models show an id: places in packages, with how many records have each."""


def texts(repository: Repository) -> dict[str, str]:
    """The text for each id that an executed example prints, commonest in real models first."""
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


def batches(folder: Path) -> dict[str, list[str]]:
    """The ids of each batch that is there."""
    return {
        it.name: sorted(file.stem.upper() for file in it.glob("*.md"))
        for it in sorted(folder.iterdir())
        if it.is_dir()
    }


def next_batch(known: Iterable[str], taken: Iterable[str]) -> list[str]:
    """The first ids that no batch has."""
    left = {*taken}
    return [it for it in known if it not in left][:BATCH]


def write(folder: Path, known: Mapping[str, str], *, more: bool) -> list[Path]:
    """Render each batch, and with `more` another one; the files written."""
    there = batches(folder)
    if more:
        written = (folder / "written.txt").read_text(encoding="utf-8").split()
        taken = [*written, *(key for keys in there.values() for key in keys)]
        if new := next_batch(known, taken):
            there[f"{len(there) + 1:02}"] = new
    done = []
    for name, keys in there.items():
        (folder / name).mkdir(exist_ok=True)
        for key in keys:
            file = folder / name / f"{key.lower()}.md"
            file.write_text(known[key], encoding="utf-8")
            done.append(file)
    return done


if __name__ == "__main__":
    here = Repository(ROOT / "playbooks" / "catalog", [])
    print(f"{len(write(FOLDER, texts(here), more='--next' in sys.argv[1:]))} files")
