"""The copies of a task's repository: for the agent, and for the grader."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Iterator
from pathlib import Path

SKILL_FOLDERS = (".agents/skills", ".claude/skills")
"""Where agents look for a project's skills."""
_LEFT_OUT = shutil.ignore_patterns("__pycache__", ".agents", ".claude", ".git", "*.pyc")
_DIFF_KEPT = 20_000


def copied(source: Path, target: Path) -> Path:
    """Copy a repository without caches, skills and links, which could lead out of it."""

    def ignored(folder: str, names: list[str]) -> set[str]:
        links = {it for it in names if (Path(folder) / it).is_symlink()}
        return links | set(_LEFT_OUT(folder, names))

    shutil.copytree(source, target, ignore=ignored)
    return target


def overlay(changes: Path, target: Path) -> None:
    """Put the files of `changes` over those of `target`."""
    shutil.copytree(changes, target, dirs_exist_ok=True, ignore=_LEFT_OUT)


def restore(names: list[str], source: Path, target: Path) -> None:
    """Give files of `target` their text in `source` back."""
    for name in names:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, target / name)


def give_skills(skills: Path, repo: Path) -> None:
    """Put the skills where agents look for them; real files, since some clients drop links."""
    for name in SKILL_FOLDERS:
        shutil.copytree(skills, repo / name, ignore=shutil.ignore_patterns("__pycache__"))


def diff(before: Path, after: Path) -> str:
    """What changed, as a unified diff, cut at 20,000 characters."""
    return "".join(_differences(before, after))[:_DIFF_KEPT]


def _differences(before: Path, after: Path) -> Iterator[str]:
    for name in sorted(_files(before) | _files(after)):
        old, new = _lines(before / name), _lines(after / name)
        for line in difflib.unified_diff(old, new, f"a/{name}", f"b/{name}"):
            yield line if line.endswith("\n") else f"{line}\n"


def _files(root: Path) -> set[str]:
    return {str(it.relative_to(root)) for it in root.rglob("*") if it.is_file()}


def _lines(file: Path) -> list[str]:
    if not file.is_file():
        return []
    return file.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True)
