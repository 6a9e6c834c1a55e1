"""A small repository with a pack of two skills, one of which carries a script and references."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from validators.repository import Repository
from validators.skillpack.manifests import files
from validators.skillpack.pack import Pack, load_pack

NAMES = ("small-look-up", "small-optimize")
SCRIPT = """\
import argparse, json, pathlib
parser = argparse.ArgumentParser()
parser.add_argument("word")
text = pathlib.Path(__file__).parents[1] / "references" / "memory.md"
print(json.dumps({"word": parser.parse_args().word, "text": text.read_text()}))
"""
REFERENCE = "## one_break | a graph break\n"


def write_pack(root: Path, **fields: Any) -> None:
    """Write the pack into a repository; `fields` replace those of the file that describes it."""
    skills = [
        {
            "name": NAMES[0],
            "when": "a line of a log",
            "areas": ["all"],
            "kinds": ["limitation"],
        },
        {"name": NAMES[1], "when": "a slow model"},
    ]
    pack = {"name": "small-casebook", "title": "Small", "description": "Two skills."}
    pack |= {"license": "Apache-2.0", "skills": skills} | fields
    (root / "playbooks" / "catalog").mkdir(parents=True, exist_ok=True)
    (root / "playbooks" / "casebook.yaml").write_text(
        "---\ntitle: A\nabout: It.\ndescription: It.\nareas: [graph_breaks]\n"
    )
    (root / "playbooks" / "skills.yaml").write_text("---\n" + yaml.safe_dump(pack))
    for name in NAMES:
        write_skill(root, name)
    for path, text in {"scripts/match.py": SCRIPT, "references/memory.md": REFERENCE}.items():
        file = root / "skills" / NAMES[0] / path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    for name in ("LICENSE", "README.md"):
        (root / name).write_text(f"{name} of a small pack, which tests install and remove again.\n")


def write_skill(root: Path, name: str, description: str = "") -> Path:
    """Write the SKILL.md of one skill."""
    page = root / "skills" / name / "SKILL.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    header = {"name": name, "description": description or f"Use when {name} is what you need."}
    header |= {"license": "Apache-2.0", "metadata": {"version": "0"}}
    page.write_text(f"---\n{yaml.safe_dump(header)}---\n\n# {name}\n\nDo what helps.\n")
    return page


def read_pack(root: Path) -> tuple[Repository, Pack]:
    """The repository and its pack."""
    pack, problems = load_pack(root / "playbooks")
    assert pack is not None and not problems
    return Repository(root / "playbooks" / "catalog"), pack


def write_manifests(root: Path) -> None:
    """Write what the clients read."""
    for path, content in files(*read_pack(root)).items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_bytes(content)
