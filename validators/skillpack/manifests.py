"""The files by which clients find the pack: manifests, `AGENTS.md`, a snippet for other projects.

All of them come from `playbooks/skills.yaml`, the front matter of the skills, and the catalog.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from validators import __version__
from validators.errors import CasebookError
from validators.files import read_file
from validators.repository import Repository
from validators.skillpack.pack import Pack
from validators.skillpack.skill_file import SkillFields, read_skills

SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
AGENTS = Path("AGENTS.md")
SNIPPET = Path("skills/AGENTS-snippet.md")
LIMITS = {AGENTS: 8192, SNIPPET: 1024}
"""The largest size in bytes of what agents load whole."""
_TEMPLATES = Path(__file__).parent / "templates"
_VERSION_LINE = re.compile(rb"(?m)^( +version: ).*$")
"""Of the front matter of a SKILL.md, which comes first in it."""


def files(repository: Repository, pack: Pack) -> dict[Path, bytes]:
    """The files, by their paths from the repository's root.

    Raises:
        CasebookError: a SKILL.md cannot be read, or a file is larger than agents take.
    """
    skills = read_skills(repository.root, pack)
    common = _common(pack)
    manifests = {
        "plugin.json": {"$schema": SCHEMA, **common},
        ".claude-plugin/plugin.json": common,
        ".claude-plugin/marketplace.json": _marketplace(pack, common),
        "gemini-extension.json": {key: common[key] for key in ("name", "version", "description")},
    }
    texts = {
        **{Path(path): _json(content) for path, content in manifests.items()},
        AGENTS: _agents(pack, skills),
        Path("CLAUDE.md"): f"@{AGENTS}\n",
        SNIPPET: _rendered(SNIPPET, pack=pack, of_logs=_of_logs(pack)),
    }
    made = {path: _within_limit(path, text.encode()) for path, text in texts.items()}
    return made | dict(_versioned(repository, pack))


def _versioned(repository: Repository, pack: Pack) -> Iterator[tuple[Path, bytes]]:
    """What people wrote of each SKILL.md, with the casebook's version."""
    line = rf'\g<1>"{__version__}"'.encode()
    for skill in pack.skills:
        path = Path("skills") / skill.name / "SKILL.md"
        text, count = _VERSION_LINE.subn(line, read_file(repository.root / path), count=1)
        if not count:
            raise CasebookError(f'{path}: has no line `  version: "0"` under `metadata`; add it')
        yield path, text


def _common(pack: Pack) -> dict[str, Any]:
    """What every manifest says of the pack."""
    return {
        "name": pack.name,
        "version": __version__,
        "description": pack.description,
        "author": {"name": pack.title},
        "license": pack.license,
    }


def _marketplace(pack: Pack, common: dict[str, Any]) -> dict[str, Any]:
    """A marketplace whose only plugin is the repository itself."""
    plugin = {"name": common["name"], "source": "./", **common}
    return {
        "name": pack.name,
        "description": pack.description,
        "owner": {"name": pack.title},
        "plugins": [plugin],
    }


def _agents(pack: Pack, skills: list[SkillFields]) -> str:
    aliases = {alias: it.name for it in pack.skills for alias in it.aliases}
    return _rendered(
        AGENTS,
        pack=pack,
        skills=skills,
        of_logs=_of_logs(pack),
        runtime=next((it.name for it in pack.skills if it.runtime), ""),
        aliases=aliases,
    )


def _of_logs(pack: Pack) -> str:
    """The skill whose references hold every limitation; "" if none does."""
    whole = (it.name for it in pack.skills if "all" in it.areas and "limitation" in it.kinds)
    return next(whole, "")


def _rendered(path: Path, **model: Any) -> str:
    return _environment().get_template(f"{path.name}.txt").render(model)


@cache
def _environment() -> Environment:
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )


def _json(content: dict[str, Any]) -> str:
    return f"{json.dumps(content, indent=2, ensure_ascii=False)}\n"


def _within_limit(path: Path, content: bytes) -> bytes:
    most = LIMITS.get(path)
    if most and len(content) > most:
        raise CasebookError(
            f"{path}: would have {len(content)} bytes, and agents take {most}; "
            "shorten what it takes from playbooks/skills.yaml and the descriptions of the skills"
        )
    return content
