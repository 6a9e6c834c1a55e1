"""What must not leave a machine: folders, names of users, and tokens."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from validators.diagnose.secret_words import without_secrets
from validators.files import ROOT

_HOME = re.compile(
    r"(?:/home|/Users)/[^/\s'\":]+|/root(?=/)|[A-Za-z]:[\\/]+Users[\\/]+[^\\/\s'\":]+"
)
_PACKAGES = re.compile(r"(?:[\w.+@~-]*/)+(?=(?:site|dist)-packages/)")
_ANYBODY = {
    *("app", "code", "data", "home", "opt", "project", "python", "root", "runner", "src"),
    *("srv", "tmp", "ubuntu", "user", "users", "work", "workspace"),
}
"""Names of users that folders of programs have as well."""


def masked(value: Any, folder: Path) -> Any:
    """`value` with paths below `folder` made relative and private words replaced.

    It may be plain data or a dataclass of such. Paths of this repository become relative as well.
    Source code stays source code.
    """
    home, user = _folder(_home()), _user(_home())

    def of_text(text: str) -> str:
        text = _PACKAGES.sub("", text).replace(f"{folder}/", "").replace(f"{ROOT}/", "")
        text = _HOME.sub("~", home.sub("~", text) if home else text)
        return without_secrets(user.sub("***", text) if user else text)

    return _masked(value, of_text)


def _masked(value: Any, of_text: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return of_text(value)
    if isinstance(value, dict):
        return {key: _masked(it, of_text) for key, it in value.items()}
    if isinstance(value, list):
        return _lines(value, of_text) or [_masked(it, of_text) for it in value]
    if is_dataclass(value) and not isinstance(value, type):
        told = {it.name: getattr(value, it.name) for it in fields(value)}
        return replace(value, **{name: _masked(it, of_text) for name, it in told.items()})
    return value


def _lines(value: list[Any], of_text: Callable[[str], str]) -> list[str]:
    """The lines of an excerpt, masked as one text; [] if `value` holds something else."""
    if not all(isinstance(it, str) and "\n" not in it for it in value):
        return []
    lines = of_text("\n".join(value)).split("\n")
    return lines if len(lines) == len(value) else []


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None


def _folder(home: Path | None) -> re.Pattern[str] | None:
    """The user's home folder, which may be anywhere; None if there is none, or it is the root."""
    named = (home, home.resolve()) if home else ()
    names = {str(it) for it in named if len(it.parts) > 1}
    return re.compile(rf"(?:{'|'.join(map(re.escape, names))})(?![\w.-])") if names else None


def _user(home: Path | None) -> re.Pattern[str] | None:
    """The user's own name as a folder of a path, such as `/scratch/group/NAME`."""
    names = {os.environ.get(it, "") for it in ("USER", "LOGNAME", "USERNAME")}
    names |= {home.name} if home else set()
    kept = sorted(it for it in names - _ANYBODY if len(it) > 2)
    return re.compile(rf"(?<=/)(?:{'|'.join(map(re.escape, kept))})(?![\w.-])") if kept else None
