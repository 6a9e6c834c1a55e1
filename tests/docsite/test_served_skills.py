"""The skills that a site serves to clients."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from docsite.build import tree_of
from docsite.content import load

from tests.validators.skillpack.small_pack import NAMES, write_pack
from validators.errors import CasebookError

FOLDER = ".well-known/agent-skills"


@pytest.fixture
def catalog(tmp_path: Path, write_case: Callable[..., Path]) -> Path:
    """The catalog of a repository with a small pack."""
    write_pack(tmp_path)
    write_case(tmp_path / "playbooks" / "catalog", "graph_breaks", "one")
    return tmp_path / "playbooks" / "catalog"


def test_the_index_and_the_archives_are_served(tmp_path: Path, catalog: Path) -> None:
    """Where clients look for them, with the digest of each archive."""
    files = tree_of(load(catalog, [])).copies
    entries = json.loads(files[f"{FOLDER}/index.json"])["skills"]
    assert [it["name"] for it in entries] == list(NAMES)
    for entry in entries:
        data = files[f"{FOLDER}/{entry['url']}"]
        assert isinstance(data, bytes)
        digest = hashlib.sha256(data).hexdigest()
        assert entry["digest"] == f"sha256:{digest}"


def test_a_casebook_without_a_pack_serves_none(tmp_path: Path, catalog: Path) -> None:
    """A casebook may have skills that form no pack."""
    (tmp_path / "playbooks" / "skills.yaml").unlink()
    tree = tree_of(load(catalog, []))
    assert not [it for it in [*tree.docs, *tree.copies] if it.startswith(".")]


def test_a_defect_of_the_pack_is_named(tmp_path: Path, catalog: Path) -> None:
    """In one sentence, with the line."""
    (tmp_path / "playbooks" / "skills.yaml").write_text("---\nname: 1\n")
    with pytest.raises(CasebookError, match=r"skills\.yaml:2: "):
        tree_of(load(catalog, []))
