"""What a site serves of the pack: an index with digests, and an archive for each skill."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from tests.validators.skillpack.small_pack import NAMES, REFERENCE, read_pack, write_pack
from validators.skillpack.well_known import FOLDER, SCHEMA, archive, well_known


@pytest.fixture
def served(tmp_path: Path) -> dict[PurePosixPath, bytes]:
    """The files that a site serves of a small pack."""
    write_pack(tmp_path)
    _, pack = read_pack(tmp_path)
    return well_known(tmp_path, pack)


def test_every_entry_leads_to_an_archive_with_its_digest(
    served: dict[PurePosixPath, bytes],
) -> None:
    """Clients refuse an archive whose digest differs."""
    index = json.loads(served[FOLDER / "index.json"])
    assert index["$schema"] == SCHEMA
    assert [it["name"] for it in index["skills"]] == list(NAMES)
    for entry in index["skills"]:
        content = served[FOLDER / entry["url"]]
        assert entry["digest"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
        assert entry["description"] == f"Use when {entry['name']} is what you need."


def test_an_archive_holds_the_skill_at_its_root(served: dict[PurePosixPath, bytes]) -> None:
    """With its references and scripts."""
    with zipfile.ZipFile(io.BytesIO(served[FOLDER / f"{NAMES[0]}.zip"])) as found:
        assert found.namelist() == ["SKILL.md", "references/memory.md", "scripts/match.py"]
        assert found.read("references/memory.md").decode() == REFERENCE


def test_the_archive_depends_on_contents_only(tmp_path: Path) -> None:
    """Not on times, rights or what Python leaves behind."""
    write_pack(tmp_path)
    folder = tmp_path / "skills" / NAMES[0]
    before = archive(folder)
    script = folder / "scripts" / "match.py"
    os.utime(script, (1e9, 1e9))
    script.chmod(0o600)
    (folder / "scripts" / "__pycache__").mkdir()
    (folder / "scripts" / "__pycache__" / "match.pyc").touch()
    assert archive(folder) == before
    script.write_text("pass\n")
    assert archive(folder) != before


def test_a_link_out_of_the_skill_is_left_out(tmp_path: Path) -> None:
    """It would put another file of the machine on the site."""
    write_pack(tmp_path)
    folder = tmp_path / "skills" / NAMES[1]
    (folder / "secret.md").symlink_to(tmp_path / "README.md")
    with zipfile.ZipFile(io.BytesIO(archive(folder))) as found:
        assert found.namelist() == ["SKILL.md"]
