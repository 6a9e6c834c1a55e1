"""What must not leave a machine: folders, names of users, and tokens."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from validators.files import ROOT

_HOME = re.compile(
    r"(?:/home|/Users)/[^/\s'\":]+|/root(?=/)|[A-Za-z]:[\\/]+Users[\\/]+[^\\/\s'\":]+"
)
_PACKAGES = re.compile(r"(?:[\w.+@~-]*/)+(?=(?:site|dist)-packages/)")
_TOKEN = re.compile(
    r"\b(?:hf_|ghp_|gho_|github_pat_|sk-|xox[abp]-|AKIA|AIza|glpat-)[\w-]{8,}"
    r"|\bey[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}"
    r"|(?<=://)[^/\s:@]+:[^/\s:@]+(?=@)"
    r"|(?i:(?<=token=)|(?<=api_key=)|(?<=password=)|(?<=secret=))[^\s&'\"]+"
    r"|(?i:(?<=bearer ))[\w.~+/-]{8,}"
)
_ASSIGNED = r"\w*\\?[\"']?\]?(?:\s*:\s*[\w.\[\]| ]+?)?\s*[:=]\s*[rbfu]{0,2}"
"""What follows a name up to its value: the end of a quoted key, a type, an equals sign."""
_QUOTED = re.compile(
    r"(?P<name>(?i:pass(?:word|wd|phrase)|secret|(?:api|access|private)[_-]?key"
    r"|(?:api|auth|access|bearer|github|gitlab|hf|hugging_?face|slack|wandb)_?token)"
    rf"{_ASSIGNED})(?P<quote>\\?[\"'])(?P<value>.+?)(?P=quote)"
)
"""A value in quotes whose name says that it is secret; `pad_token = "<pad>"` is not."""


def masked(value: Any, folder: Path) -> Any:
    """`value` with paths below `folder` made relative and private words replaced.

    It may be plain data or a dataclass of such. Paths of this repository become relative as well.
    Source code stays source code.
    """
    return _masked(value, folder, _home())


def _masked(value: Any, folder: Path, home: re.Pattern[str] | None) -> Any:
    if isinstance(value, str):
        text = _PACKAGES.sub("", value).replace(f"{folder}/", "").replace(f"{ROOT}/", "")
        text = _HOME.sub("~", home.sub("~", text) if home else text)
        return _QUOTED.sub(r"\g<name>\g<quote>***\g<quote>", _TOKEN.sub("***", text))
    if isinstance(value, dict):
        return {key: _masked(it, folder, home) for key, it in value.items()}
    if isinstance(value, list):
        return [_masked(it, folder, home) for it in value]
    if is_dataclass(value) and not isinstance(value, type):
        told = {it.name: getattr(value, it.name) for it in fields(value)}
        return replace(value, **{name: _masked(it, folder, home) for name, it in told.items()})
    return value


def _home() -> re.Pattern[str] | None:
    """The user's home folder, which may be anywhere; None if there is none, or it is the root."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    names = {str(it) for it in (home, home.resolve()) if len(it.parts) > 1}
    return re.compile(rf"(?:{'|'.join(map(re.escape, names))})(?![\w.-])") if names else None
