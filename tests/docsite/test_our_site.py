"""Our own site keeps the limits that readers and agents pay for."""

from __future__ import annotations

import gzip
import re
from collections import Counter

import pytest
from docsite.build import Files, site_files
from docsite.content import Content, load
from docsite.links import area_page, fix_page

from validators.skillpack.tokens import tokens

from .conftest import REPOSITORY

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def content() -> Content:
    """Our catalog and its evidence."""
    return load(REPOSITORY / "playbooks" / "catalog", [])


@pytest.fixture(scope="module")
def files(content: Content) -> Files:
    """Every file of our site."""
    return site_files(content)


@pytest.fixture(scope="module")
def fullest(content: Content) -> set[str]:
    """The five columns that decide most."""
    columns = Counter(column for _, column in content.repository.evidence)
    return {column for column, _ in columns.most_common(5)}


@pytest.fixture(scope="module")
def five_columns(fullest: set[str]) -> Files:
    """Our site with the records of these columns."""
    content = load(REPOSITORY / "playbooks" / "catalog", [])
    evidence = content.repository.evidence
    content.repository.evidence = {it: one for it, one in evidence.items() if it[1] in fullest}
    return site_files(content)


def size_of(files: Files, path: str) -> int:
    """Bytes of a file as a server sends it."""
    data = files[path]
    raw = data.encode() if isinstance(data, str) else data
    return len(raw) if path.endswith(".woff2") else len(gzip.compress(raw, 9))


def test_home_weighs_at_most_150_kb_with_the_index_of_409_cases(
    content: Content, files: Files
) -> None:
    """What a browser has loaded once somebody searches from home; the index grows with cases."""
    html = str(files["index.html"])
    loaded = set(re.findall(r'(?:src|href)="((?:assets|match)/[^"]+\.(?:js|css|svg))"', html))
    script = str(files["assets/site.js"], "utf-8")  # type: ignore[arg-type]
    later = set(re.findall(r'script\("([^"]+)"\)', script))
    assert "match/data.js" in later and len(loaded) > 4
    weights = {
        path: size_of(files, path)
        for path in {"index.html", "assets/casebook-serif.woff2", *loaded, *later}
    }
    index = weights.pop("match/data.js") * 409 / len(content.catalog.cases)
    assert index + sum(weights.values()) <= 150_000, (index, weights)


def test_an_agent_reads_one_fix_in_two_fetches_and_3000_tokens(
    content: Content, files: Files
) -> None:
    """From `llms.txt`: the area's list, then the case's fix."""
    assert tokens(str(files["llms.txt"])) <= 3_000
    lists = {it: tokens(str(files[f"{area_page(it)}.md"])) for it in content.by_area}
    paid = {
        case.name: lists[case.area] + tokens(str(files[fix_page(case.name)]))
        for case in content.catalog.cases
    }
    assert {name: count for name, count in paid.items() if count > 3_000} == {}


def test_the_feed_is_short(files: Files) -> None:
    """A page of it has at most 60 kB, and there are more pages."""
    pages = [path for path in files if re.fullmatch(r"feed(-\d+)?\.xml", path)]
    assert len(pages) > 2
    assert all(len(str(files[path]).encode()) <= 60_000 for path in pages)


def total(files: Files) -> int:
    """Bytes of all files without the archives of skills, which are for clients alone."""
    sized = (it for path, it in files.items() if path[0] != ".")
    return sum(len(it.encode() if isinstance(it, str) else it) for it in sized)


def test_409_cases_of_five_columns_take_at_most_25_mb(
    content: Content, five_columns: Files
) -> None:
    """With their messages, models and log."""
    assert total(five_columns) <= 25_000_000 * len(content.catalog.cases) / 409


def test_a_further_record_adds_at_most_2500_bytes(
    content: Content, files: Files, five_columns: Files, fullest: set[str]
) -> None:
    """A column of all cases costs 4 % of the site."""
    further = sum(column not in fullest for _, column in content.repository.evidence)
    assert further > 1_000
    assert total(five_columns) < total(files) <= total(five_columns) + 2_500 * further
