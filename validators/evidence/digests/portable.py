"""Reports without the folders in which a machine keeps packages and programs."""

from __future__ import annotations

import re
from typing import Any

_PACKAGES = re.compile(r"(?:/[\w.+-]+)+/((?:site|dist)-packages)(?=/)")
_OTHERS = re.compile(r"(?<![\w.:/-])(?:/[\w.+-]+)+/(?=[\w-]+\.py\b)")


def portable(value: Any) -> Any:
    """JSON whose texts name a file of a package as `site-packages/torch/...`, wherever it lies.

    Another Python file goes by its name alone. Older releases of torch print such paths in the
    names of graph breaks.
    """
    if isinstance(value, str):
        return _OTHERS.sub("", _PACKAGES.sub(r"\1", value)) if "/" in value else value
    if isinstance(value, list | tuple):
        return [portable(it) for it in value]
    if isinstance(value, dict):
        return {key: portable(it) for key, it in value.items()}
    return value
