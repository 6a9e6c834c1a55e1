"""The pages for PyTorch's site of graph breaks are what the catalog's examples show."""

from __future__ import annotations

import ast
import re
from collections import Counter

import pytest

from tools.graph_break_pages import BATCH, FOLDER, batches, next_batch, texts, write
from validators.files import ROOT
from validators.repository import Repository

REFRESH = "run `python tools/graph_break_pages.py --next` until it writes no new batch"


@pytest.fixture(scope="module")
def known() -> dict[str, str]:
    """The text of each id that an example prints."""
    return texts(Repository(ROOT / "playbooks" / "catalog", []))


def test_each_page_is_what_the_catalog_says(known):
    """Ids that nobody has written about are all there, once, ten a batch."""
    there = batches(FOLDER)
    keys = [key for batch in there.values() for key in batch]
    written = (FOLDER / "written.txt").read_text().split()
    assert sorted(keys) == sorted(known.keys() - {*written}), REFRESH
    assert max(map(len, there.values())) == BATCH
    for name, batch in there.items():
        for key in batch:
            file = FOLDER / name / f"{key.lower()}.md"
            assert file.read_text(encoding="utf-8") == known[key], REFRESH


def test_a_page_holds_programs_and_where_they_ran(known):
    """Both sides parse, and none links into this catalog."""
    for key, text in known.items():
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        assert len(blocks) in (2, 4), key
        assert all(map(ast.parse, blocks))
        assert re.search(r"shows it on torch 2\.\d+\.\d+", text), key
        assert "case:" not in text, key


def test_ids_of_real_models_come_first(known):
    """The first batch is what somebody who opens one pull request should take."""
    assert "GB7000" in batches(FOLDER)["01"]
    assert next(iter(known)) == "GB7000"


def test_a_batch_keeps_its_ids(tmp_path):
    """New ids go into the next one."""
    (tmp_path / "01").mkdir()
    (tmp_path / "01" / "gb0002.md").write_text("old\n")
    (tmp_path / "written.txt").write_text("GB0003\n")
    pages = {f"GB{number:04}": f"{number}\n" for number in range(1, 14)}
    write(tmp_path, pages, more=True)
    found = batches(tmp_path)
    assert found["01"] == ["GB0002"]
    assert (tmp_path / "01" / "gb0002.md").read_text() == "2\n"
    assert found["02"] == sorted(pages.keys() - {"GB0002", "GB0003", "GB0013"})
    assert Counter(map(len, found.values())) == {1: 1, BATCH: 1}
    assert next_batch(pages, pages) == []
