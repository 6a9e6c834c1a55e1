"""What must not leave a machine: folders, its name and those of users, and secrets."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from validators.diagnose.masking.secret_words import without_secrets
from validators.files import ROOT

_HOME = re.compile(
    r"(?:/home|/Users)/[^/\s'\":]+|/root(?=/)|[A-Za-z]:[\\/]+Users[\\/]+[^\\/\s'\":]+"
)
_PACKAGES = re.compile(r"(?<![\w.+@~/-])(?:[\w.+@~-]*/)+(?=(?:site|dist)-packages/)")
_ANYBODY = {
    *("app", "code", "data", "home", "opt", "project", "python", "root", "runner", "src"),
    *("srv", "tmp", "ubuntu", "user", "users", "work", "workspace"),
}
"""Names of users that folders of programs have as well."""
_ODD = re.compile(r"[\d-]")
"""What names of users and machines may have, and words of a program seldom do."""
_EMAIL = re.compile(r"(?<![\w.+-])(?!git@)[\w.+-]+@(?:[\w-]+\.)+(?:com|edu|gov|org)\b(?![\w(.])")
_PRIVATE = re.compile(
    r"(?i)pass(?:word|wd|phrase)|(?:^|_)(?:api_?key|cookie|credentials?|dsn|key|pass|pwd|secret|token)"
    r"(?:_|$)"
)
"""Names of variables of the environment whose values are secrets."""
_SHORTEST = 8
"""Shorter values may be words of a program."""


def masked(value: Any, folder: Path) -> Any:
    """`value` with paths below `folder` made relative and private words replaced.

    It may be plain data or a dataclass of such. Paths of this repository become relative as well.
    Source code stays source code.
    """
    ours = re.compile(rf"(?<![\w.+@~-])(?:{re.escape(str(folder))}|{re.escape(str(ROOT))})/")
    home, private = _folder(_home()), [*filter(None, (_host(), _user(_home()), _values()))]

    def of_text(text: str) -> str:
        text = ours.sub("", _PACKAGES.sub("", text))
        text = _HOME.sub("~", home.sub("~", text) if home else text)
        for pattern in private:
            text = pattern.sub("***", text)
        # Last: an address with a user before its "@" would look like a mailbox.
        return _EMAIL.sub("***", without_secrets(text))

    return _masked(value, of_text)


def _masked(value: Any, of_text: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return of_text(value)
    if isinstance(value, dict):
        return {_masked(key, of_text): _masked(it, of_text) for key, it in value.items()}
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
    return re.compile(rf"(?:{_any_of(sorted(names))})(?![\w.-])") if names else None


def _user(home: Path | None) -> re.Pattern[str] | None:
    """The user's own name as a folder, such as `/scratch/group/NAME`, and where torch writes it.

    One with a digit or a hyphen counts anywhere: programs have no such words.
    """
    names = {os.environ.get(it, "") for it in ("USER", "LOGNAME", "USERNAME")}
    names |= {home.name} if home else set()
    kept = sorted(it for it in names - _ANYBODY if len(it) > 2)
    before = r"(?<=[/~])|(?<=torchinductor_)|(?i:(?<=user=)|(?<=logname=)|(?<=username=))"
    told = [rf"(?:{before})(?:{_any_of(kept)})(?![\w.-])"] if kept else []
    odd = [it for it in kept if _ODD.search(it)]
    told += [rf"(?<![\w.-])(?:{_any_of(odd)})(?![\w-])"] if odd else []
    return re.compile("|".join(told)) if told else None


def _host() -> re.Pattern[str] | None:
    """The machine's own name, with a user before it and a domain after it.

    One that may be a word of a program counts only after a user or in an address.
    """
    name = socket.gethostname().partition(".")[0]
    if len(name) < 3 or name == "localhost":
        return None
    before = r"[\w.-]+@|(?<=://)"
    anywhere = "|" if _ODD.search(name) else ""
    return re.compile(rf"(?<![\w-])(?:{before}{anywhere}){re.escape(name)}(?:\.[\w-]+)*(?![\w-])")


def _values() -> re.Pattern[str] | None:
    """The secrets in the environment, which the target's code may have printed."""
    named = (it for name, it in os.environ.items() if _PRIVATE.search(name))
    kept = {
        it for it in named if len(it) >= _SHORTEST and re.search(r"\d", it) and it[0] not in "/~"
    }
    longest_first = sorted(kept, key=lambda it: (-len(it), it))
    return re.compile(rf"(?<!\w)(?:{_any_of(longest_first)})(?!\w)") if kept else None


def _any_of(words: list[str]) -> str:
    return "|".join(map(re.escape, words))
