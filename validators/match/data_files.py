"""The YAML files beside a catalog that programs write for the search."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from validators.errors import CasebookError

T = TypeVar("T")


def read_data(file: Path, kind: type[T], missing: T, what: str) -> T:
    """The `kind` that the YAML `file` holds, which is `what`; `missing` where there is no file.

    Raises:
        CasebookError: it holds something else.
    """
    if not file.exists():
        return missing
    try:
        return msgspec.yaml.decode(file.read_bytes(), type=kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise CasebookError(f"{file}: holds no {what} ({error}); record them again") from error
