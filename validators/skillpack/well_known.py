"""What a site serves so that clients find and install its skills from its address alone.

The format is the draft 0.2.0 of Agent Skills Discovery:
https://github.com/cloudflare/agent-skills-discovery-rfc
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path, PurePosixPath

from validators.skillpack.pack import Pack
from validators.skillpack.skill_file import read_skills

FOLDER = PurePosixPath(".well-known/agent-skills")
SCHEMA = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
_LEFT_OUT = ("__pycache__", ".DS_Store")
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The oldest time that a zip file can hold: the real ones would differ between checkouts."""


def well_known(root: Path, pack: Pack) -> dict[PurePosixPath, bytes]:
    """The index and an archive for each skill, by their paths from the site's root.

    Raises:
        CasebookError: a SKILL.md cannot be read.
    """
    archives = {skill.name: archive(root / "skills" / skill.name) for skill in pack.skills}
    entries = [
        {
            "name": skill.name,
            "type": "archive",
            "description": skill.description.strip(),
            # Relative to the index, since a site may be in a folder of its host.
            "url": f"{skill.name}.zip",
            "digest": f"sha256:{hashlib.sha256(archives[skill.name]).hexdigest()}",
        }
        for skill in read_skills(root, pack)
    ]
    index = json.dumps({"$schema": SCHEMA, "skills": entries}, indent=2, ensure_ascii=False)
    return {
        FOLDER / "index.json": f"{index}\n".encode(),
        **{FOLDER / f"{name}.zip": content for name, content in archives.items()},
    }


def archive(folder: Path) -> bytes:
    """The files of a skill as a zip file; the same version of zlib makes the same bytes of them."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for path in _files(folder):
            entry = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _EARLIEST)
            entry.create_system, entry.external_attr = 3, 0o100644 << 16
            made.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED, compresslevel=9)
    return content.getvalue()


def _files(folder: Path) -> list[Path]:
    found = (path for path in folder.rglob("*") if not set(path.parts) & {*_LEFT_OUT})
    return sorted(path for path in found if path.is_file() and not path.is_symlink())
