"""The real cases and their records, again and again: a repository of any size to build."""

from __future__ import annotations

import itertools
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from validators.catalog import Case, load_catalog
from validators.catalog.citations import CITATION
from validators.evidence import Record, digest_of, load_evidence, merge
from validators.evidence.digests.digest import judge_of
from validators.files import ROOT

CATALOG = ROOT / "playbooks" / "catalog"
_NAMES = re.compile(r"^(?:aliases|alike):.*\n(?:  .*\n)*", re.MULTILINE)
"""The fields of a page that name cases, as no two cases may share an alias."""


def write_copies(root: Path, cases: int, columns: int) -> Path:
    """Write copies of the first `cases` cases, with current records in the fullest `columns`.

    Where there are fewer cases, they are copied again under other names.

    Returns:
        The catalog.
    """
    catalog = root / "playbooks" / "catalog"
    originals = dict(_named(cases))
    for name, case in originals.items():
        page = catalog / case.area / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(_page(case, name, originals), encoding="utf-8")
        shutil.copy(case.proof, page.with_suffix(".py"))
    merge(catalog.parent / "evidence", _records(catalog, originals, columns))
    return catalog


def _named(count: int) -> Iterator[tuple[str, Case]]:
    """Yield each copy's name and its original; the first copy of a case keeps its name."""
    real = [case for case in load_catalog(CATALOG).cases if not case.retired]
    for index, case in enumerate(itertools.islice(itertools.cycle(real), count)):
        turn = index // len(real)
        yield (f"{case.name}_{turn + 1}" if turn else case.name), case


def _page(case: Case, name: str, copies: dict[str, Case]) -> str:
    """Return the page of a copy, which cites no case that has no copy."""
    text = _NAMES.sub("", case.page.read_text(encoding="utf-8"))
    text = text.replace(f"figure {case.name} ", f"figure {name} ")
    return CITATION.sub(lambda cited: cited[0] if cited[1] in copies else f"`case:{name}`", text)


def _records(catalog: Path, originals: dict[str, Case], columns: int) -> Iterator[Record]:
    evidence = load_evidence(CATALOG.parent / "evidence")
    fullest = Counter(column for _, column in evidence).most_common(columns)
    for case, (column, _) in itertools.product(load_catalog(catalog).cases, fullest):
        original = originals[case.name]
        if record := evidence.get((original.name, column)):
            old, new = (f"catalog/{case.area}/{name}.py" for name in (original.name, case.name))
            modules = tuple(new if module == old else module for module in record.modules)
            yield msgspec.structs.replace(
                record,
                case=case.name,
                modules=modules,
                digest=digest_of(case, modules, catalog),
                judge=judge_of(case),
            )
