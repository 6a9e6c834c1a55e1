"""Our own site keeps the limits that readers and agents pay for."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from docsite.build import Files, Tree, tree_of
from docsite.content import Content, load
from docsite.finish import finish
from docsite.links import area_page, fix_page

from validators.skillpack.tokens import tokens

from .conftest import REPOSITORY

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def content() -> Content:
    """Our catalog and its evidence."""
    return load(REPOSITORY / "playbooks" / "catalog", [])


@pytest.fixture(scope="module")
def tree(content: Content) -> Tree:
    """What our site is made of."""
    return tree_of(content)


@pytest.fixture(scope="module")
def site(tree: Tree, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our site, of which MkDocs finds nothing to say."""
    folder = tmp_path_factory.mktemp("ours")
    write(folder / "docs", tree.docs)
    write(folder / "copies", tree.copies)
    settings = f"INHERIT: {REPOSITORY / 'mkdocs.yml'}\ndocs_dir: docs\nsite_dir: site\n"
    theme = f"theme:\n  custom_dir: {REPOSITORY / 'site' / 'overrides'}\n"
    (folder / "mkdocs.yml").write_text(settings + theme)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    quiet = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    made = subprocess.run(command, cwd=folder, env=quiet, capture_output=True, text=True)
    assert (made.returncode, made.stderr) == (0, "")
    finish(folder)
    return folder / "site"


def write(folder: Path, files: Files) -> None:
    """Write files into a folder."""
    for path, data in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.encode() if isinstance(data, str) else data)


@pytest.fixture(scope="module")
def fullest(content: Content) -> set[str]:
    """The five columns that decide most."""
    columns = Counter(column for _, column in content.evidence)
    return {column for column, _ in columns.most_common(5)}


@pytest.fixture(scope="module")
def five_columns(fullest: set[str]) -> Tree:
    """Our site with the records of these columns."""
    content = load(REPOSITORY / "playbooks" / "catalog", [])
    evidence = content.evidence
    content.evidence = {it: one for it, one in evidence.items() if it[1] in fullest}
    return tree_of(content)


def size_of(file: Path) -> int:
    """Bytes of a file as a server sends it."""
    raw = file.read_bytes()
    return len(raw) if file.suffix == ".woff2" else len(gzip.compress(raw, 9))


def test_mkdocs_makes_our_site_of_our_pages(tree: Tree, site: Path) -> None:
    """All of them; every link and heading is there, as `--strict` asks."""
    pages = [it for it in tree.docs if it.endswith(".md")]
    assert len(pages) > 1_000
    assert [it for it in pages if not (site / it).with_suffix(".html").is_file()] == []


def test_no_page_loads_anything_from_outside(site: Path) -> None:
    """Neither a page nor a style sheet or script of the theme."""
    loading = re.compile(
        r"""<(?:script|img|iframe|source|embed|object)\b[^>]*\s(?:src|data)="?((?:https?:)?//[^">]*)"""
        r"""|<link\b(?![^>]*rel="?(?:canonical|alternate))[^>]*href="?((?:https?:)?//[^">]*)"""
    )
    pages = list(site.rglob("*.html"))
    assert len(pages) > 1_000
    found = {found[0] for it in pages if (found := loading.search(it.read_text("utf-8")))}
    assert found == set()
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", sheet.read_text("utf-8"))


def test_home_weighs_at_most_110_kb_and_the_index_of_a_search_200_bytes_a_page(
    content: Content, site: Path
) -> None:
    """What a browser loads of home, and what it adds when somebody searches."""
    html = (site / "index.html").read_text("utf-8")
    loaded = set(re.findall(r'(?:src|href)="((?:assets|match)/[^"]+\.(?:js|css|svg))"', html))
    script = (site / "assets/site.js").read_text("utf-8")
    later = set(re.findall(r'script\("([^"]+)"\)', script))
    assert "match/data.js" in later and len(loaded) > 4
    weights = {
        path: size_of(site / path)
        for path in {"index.html", "assets/casebook-serif.woff2", *loaded, *later}
    }
    index = weights.pop("match/data.js")
    assert sum(weights.values()) <= 110_000, weights
    assert index <= 200 * len(content.made.search.index["pages"])


def test_an_agent_reads_one_fix_in_two_fetches_and_3000_tokens(
    content: Content, tree: Tree
) -> None:
    """From `llms.txt`: the area's list, then the case's fix."""
    copies = tree.copies
    assert tokens(str(tree.docs["llms.txt"])) <= 3_000
    lists = {it: tokens(str(copies[f"{area_page(it)}.md"])) for it in content.standings_by_area}
    paid = {
        case.name: lists[case.area] + tokens(str(copies[fix_page(case.name)]))
        for case in content.catalog.cases
    }
    assert {name: count for name, count in paid.items() if count > 3_000} == {}


def test_the_feed_is_short(tree: Tree) -> None:
    """Readers fetch it again and again."""
    assert 30_000 < len(str(tree.docs["feed.xml"]).encode()) <= 60_000


def total(tree: Tree) -> int:
    """Bytes of all files without the archives of skills, which are for clients alone."""
    files = {**tree.copies, **tree.docs}
    sized = (it for path, it in files.items() if path[0] != ".")
    return sum(len(it.encode() if isinstance(it, str) else it) for it in sized)


def test_409_cases_of_five_columns_take_at_most_25_mb(content: Content, five_columns: Tree) -> None:
    """With their messages, models and log."""
    assert total(five_columns) <= 25_000_000 * len(content.catalog.cases) / 409


def test_what_mkdocs_makes_stays_small(site: Path) -> None:
    """The whole site, with the theme around each page and what agents read, has 55 MiB."""
    files = (it for it in site.rglob("*") if it.is_file())
    assert sum(it.stat().st_size for it in files) <= 55 * 2**20


def test_a_further_record_adds_at_most_2500_bytes(
    content: Content, tree: Tree, five_columns: Tree, fullest: set[str]
) -> None:
    """A column of all cases costs 4 % of the site."""
    further = sum(column not in fullest for _, column in content.evidence)
    assert further > 1_000
    assert total(five_columns) < total(tree) <= total(five_columns) + 2_500 * further


def test_no_page_weighs_more_than_200_kib(site: Path) -> None:
    """The longest lists hold all cases and all events."""
    sizes = {file.relative_to(site): file.stat().st_size for file in site.rglob("*.html")}
    assert len(sizes) > 2000
    assert not {file: size for file, size in sizes.items() if size > 200 * 1024}


def test_the_site_weighs_at_most_55_mib(site: Path) -> None:
    """What a host stores of it."""
    files = [file for file in site.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) <= 55 * 1024 * 1024
