"""The copies of a task's repository: for the agent, for the grader, and as a patch changes it."""

from __future__ import annotations

import difflib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from validators.errors import CasebookError

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


def patched_copy(source: Path, patch: Path, target: Path) -> Path:
    """Copy a repository and change the copy as a patch says.

    Raises:
        CasebookError: the patch does not apply, or git is missing.
    """
    copied(source, target)
    if reason := _apply(patch, target):
        raise CasebookError(f"{patch}: {reason}")
    return target


def patch_conflict(patch: Path, repo: Path) -> str:
    """Return why a patch does not apply to a repository; "" if it does.

    Raises:
        CasebookError: git is missing.
    """
    return _apply(patch, repo, "--check")


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


def _apply(patch: Path, folder: Path, *options: str) -> str:
    """Apply a patch to a folder; return why it does not apply, or ""."""
    command = ["git", "apply", "--whitespace=nowarn", *options, str(patch.resolve())]
    # In a checkout, git would look for the patched files from its root, and skip those it lacks.
    alone = {"GIT_CEILING_DIRECTORIES": str(folder.resolve().parent)}
    env = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C", **alone}
    try:
        done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    except FileNotFoundError:
        raise CasebookError("git is not installed; install it to apply patches") from None
    if not done.returncode:
        return ""
    reason = done.stderr.partition("\n")[0].removeprefix("error: ")
    return f"does not apply to repo/ ({reason}); write it again as evals/README.md says"


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
