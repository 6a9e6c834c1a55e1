"""What must not leave a machine: folders, names of users, and tokens."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec

from validators.evidence.digest import ROOT

_HOME = re.compile(
    r"(?:/home|/Users)/[^/\s'\":]+|/root(?=/)|[A-Za-z]:[\\/]+Users[\\/]+[^\\/\s'\":]+"
)
_PACKAGES = re.compile(r"(?:[\w.+@~-]*/)+(?=(?:site|dist)-packages/)")
_TOKEN = re.compile(
    r"\b(?:hf_|ghp_|gho_|github_pat_|sk-|xox[abp]-|AKIA|AIza|glpat-)[\w-]{8,}"
    r"|\bey[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}"
    r"|(?<=://)[^/\s:@]+:[^/\s:@]+(?=@)"
    r"|(?i:(?<=token=)|(?<=api_key=)|(?<=password=)|(?<=secret=))[^\s&'\"]+"
)


def masked(value: Any, folder: Path) -> Any:
    """`value`, plain data, with paths below `folder` made relative and private words replaced.

    Paths of this repository become relative as well.
    """
    if isinstance(value, str):
        text = _PACKAGES.sub("", value).replace(f"{folder}/", "").replace(f"{ROOT}/", "")
        return _TOKEN.sub("***", _HOME.sub("~", text))
    if isinstance(value, dict):
        return {key: masked(it, folder) for key, it in value.items()}
    if isinstance(value, list):
        return [masked(it, folder) for it in value]
    return value


def masked_struct(value: Any, folder: Path) -> Any:
    """A struct with every text in it masked."""
    return msgspec.convert(masked(msgspec.to_builtins(value), folder), type(value))
