"""Versions of the skills: content changes only together with a version and a changelog line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from validators.errors import CasebookError, Problem
from validators.files import read_file
from validators.repository import Repository
from validators.skillpack.build import Made, made_files, write_files
from validators.skillpack.lock import (
    CHANGELOG,
    FILE,
    VERSION_LINE,
    Held,
    Lock,
    held_now,
    load_lock,
    write_lock,
)
from validators.skillpack.pack import Pack

Level = Literal["major", "minor", "patch"]
_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_MOST_NAMES = 12


def check_versions(repository: Repository, pack: Pack, made: Made) -> Iterator[Problem]:
    """Skills whose content is not that of their version."""
    lock = load_lock(repository.playbooks)
    held = held_now(repository, pack, made)
    for name in lock.keys() - {it.name for it in pack.skills}:
        message = f"{name!r} is not a skill of the pack; run `python -m validators skills build`"
        yield Problem(repository.playbooks / FILE, 0, message)
    for skill in pack.skills:
        page = _page(repository, skill.name)
        if skill.name not in held:
            yield Problem(page, 1, 'has no `metadata: {version: "1.0.0"}`; add it')
        elif message := _defect(skill.name, held[skill.name], lock.get(skill.name)):
            yield Problem(page, 1, message)


def _defect(name: str, now: Held, locked: Held | None) -> str:
    if not _VERSION.fullmatch(now.version):
        return f"version {now.version!r} is not of the form 1.2.3; correct it"
    if locked is None:
        return f"is not in {FILE}; run `python -m validators skills build`"
    if now.version != locked.version:
        return (
            f"has version {now.version}, but {FILE} has {locked.version}; restore that, then run "
            f'`python -m validators skills bump {name} -m "what changed"`'
        )
    if now.written != locked.written:
        return (
            f"changed since version {now.version}; run "
            f'`python -m validators skills bump {name} -m "what changed"`'
        )
    if not now.same(locked):
        message = "generated content changed since version"
        return f"{message} {now.version}; run `python -m validators skills build`"
    return ""


def build(repository: Repository, pack: Pack) -> list[str]:
    """Write what is generated; raise the version of skills of which only that changed.

    Returns:
        What was done, in sentences.
    """
    told = [f"wrote {path}" for path in write_files(repository, pack)]
    lock = load_lock(repository.playbooks)
    now = held_now(repository, pack, made_files(repository, pack))
    for name, held in now.items():
        locked = lock.get(name)
        if locked is None:
            _add_to_changelog(repository, name, held.version, "First version.")
            told.append(f"{name}: {held.version}")
        elif not held.same(locked) and held.written == locked.written:
            level, text = _what_changed(locked, held)
            now[name] = _raise(repository, name, held, level, text)
            told.append(f"{name}: {locked.version} -> {now[name].version}, {text}")
        elif held.written != locked.written:
            now[name] = locked
            told.append(
                f"{name}: people changed it; run "
                f'`python -m validators skills bump {name} -m "what changed"`'
            )
    _finish(repository, pack, now)
    return told


def bump(repository: Repository, pack: Pack, name: str, level: Level, text: str) -> str:
    """Raise the version of a skill that changed, and say why in its changelog.

    Returns:
        The new version.

    Raises:
        CasebookError: there is no such skill, it did not change, or `text` is empty.
    """
    write_files(repository, pack)
    lock = load_lock(repository.playbooks)
    held = held_now(repository, pack, made_files(repository, pack)).get(name)
    if name not in lock or held is None:
        names = ", ".join(it.name for it in pack.skills if it.name in lock) or "none"
        raise CasebookError(f"{name!r} is not a skill with a version; these are: {names}")
    if held.same(lock[name]):
        raise CasebookError(f"{name}: nothing changed since {held.version}; change it first")
    if not text.strip():
        raise CasebookError(f"{name}: the changelog needs a sentence; give it with -m")
    at_lock = replace(held, version=lock[name].version)
    raised = _raise(repository, name, at_lock, level, " ".join(text.split()))
    _finish(repository, pack, lock | {name: raised})
    return raised.version


def _finish(repository: Repository, pack: Pack, lock: Lock) -> None:
    """Store the lock; make again what shows versions."""
    write_lock(repository.playbooks, lock)
    write_files(repository, pack)


def _what_changed(was: Held, now: Held) -> tuple[Level, str]:
    """The level of a change of generated content, and the line that says what changed."""
    changed = {
        name
        for name in was.verdicts.keys() | now.verdicts.keys()
        if was.verdicts.get(name) != now.verdicts.get(name)
    }
    if not changed:
        return "patch", "Generated files changed; no verdict did."
    names = sorted(changed)
    listed = ", ".join(f"`case:{name}`" for name in names[:_MOST_NAMES])
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return "minor", f"Cases or their verdicts changed: {listed}{more}."


def _raise(repository: Repository, name: str, held: Held, level: Level, text: str) -> Held:
    version = next_version(held.version, level)
    page = _page(repository, name)
    new, count = VERSION_LINE.subn(rf'\g<1>"{version}"'.encode(), read_file(page), count=1)
    if not count:
        raise CasebookError(f'{page}: has no line `  version: "{held.version}"`; add it')
    page.write_bytes(new)
    _add_to_changelog(repository, name, version, text)
    return replace(held, version=version)


def next_version(version: str, level: Level) -> str:
    """The version after `version`.

    Raises:
        CasebookError: it is not of the form 1.2.3.
    """
    if not (match := _VERSION.fullmatch(version)):
        raise CasebookError(f"version {version!r} is not of the form 1.2.3; correct it")
    major, minor, patch = map(int, match.groups())
    if level == "major":
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0" if level == "minor" else f"{major}.{minor}.{patch + 1}"


def _add_to_changelog(repository: Repository, name: str, version: str, text: str) -> None:
    file = _page(repository, name).with_name(CHANGELOG)
    title = f"# Changelog of {name}\n"
    old = read_file(file).decode("utf-8").removeprefix(title) if file.exists() else ""
    file.write_text(f"{title}\n## {version}\n\n- {text}\n{old}", encoding="utf-8")


def _page(repository: Repository, name: str) -> Path:
    return repository.root / "skills" / name / "SKILL.md"
