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
)


def masked(value: Any, folder: Path) -> Any:
    """`value` with paths below `folder` made relative and private words replaced.

    It may be plain data or a dataclass of such. Paths of this repository become relative as well.
    """
    if isinstance(value, str):
        text = _PACKAGES.sub("", value).replace(f"{folder}/", "").replace(f"{ROOT}/", "")
        return _TOKEN.sub("***", _HOME.sub("~", text))
    if isinstance(value, dict):
        return {key: masked(it, folder) for key, it in value.items()}
    if isinstance(value, list):
        return [masked(it, folder) for it in value]
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{it.name: masked(getattr(value, it.name), folder) for it in fields(value)}
        )
    return value
