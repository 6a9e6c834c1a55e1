"""The pages for PyTorch's site of graph breaks are what the catalog's examples show."""

from __future__ import annotations

import ast
import re

import pytest

from tools.graph_break_pages import BATCH, WRITTEN, main, texts
from validators.files import ROOT
from validators.repository import Repository

FIRST = WRITTEN.parent / "01"
REFRESH = (
    "run `python tools/graph_break_pages.py build/graph_breaks`, "
    "and put build/graph_breaks/01 in place of upstream/graph_breaks/01"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What the command writes into a new folder."""
    folder = tmp_path_factory.mktemp("rendered") / "graph_breaks"
    main([str(folder)])
    return folder


def contents(batch):
    """The files of a batch, and what they hold."""
    return {it.name: it.read_text(encoding="utf-8") for it in batch.iterdir()}


def test_the_committed_batch_is_the_first(folder):
    """It holds ids that real models show, the commonest too, as the catalog has them now."""
    assert contents(FIRST) == contents(folder / "01"), REFRESH
    assert "gb7000.md" in contents(FIRST)
    assert all("Models that show this break: " in text for text in contents(FIRST).values())


def test_each_id_is_in_one_batch(folder):
    """Ids that nobody has written about are all there, ten a batch."""
    batches = sorted(folder.iterdir())
    keys = [file.stem.upper() for batch in batches for file in batch.iterdir()]
    known = texts(Repository(ROOT / "playbooks" / "catalog", []))
    assert sorted(keys) == sorted(known.keys() - {*WRITTEN.read_text().split()})
    assert [it.name for it in batches] == [f"{n + 1:02}" for n in range(len(batches))]
    assert {len([*it.iterdir()]) for it in batches[:-1]} == {BATCH}


def test_a_page_holds_programs_and_where_they_ran(folder):
    """Both sides parse, and none links into this catalog."""
    for file in folder.glob("*/*.md"):
        text = file.read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        assert len(blocks) in (2, 4), file.name
        assert all(map(ast.parse, blocks))
        assert re.search(r"shows it on torch 2\.\d+\.\d+", text), file.name
        assert "case:" not in text, file.name


def test_a_folder_with_files_is_refused(tmp_path):
    """Files of an earlier rendering would stay among the new ones."""
    (tmp_path / "old.md").write_text("")
    with pytest.raises(SystemExit, match=r"Error: .*: is there already; name a new folder"):
        main([str(tmp_path)])
    with pytest.raises(SystemExit, match="Error: name one folder"):
        main([])
