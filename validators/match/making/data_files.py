"""The YAML files beside a catalog that hold what the search needs besides the cases."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

import msgspec

from validators.errors import CasebookError

T = TypeVar("T")


def read_data(
    file: Path, kind: type[T], missing: T, what: str, remedy: str = "record them again"
) -> T:
    """Read a value of type `kind` from the YAML `file`; `missing` if there is no file.

    `what` describes the value in errors, `remedy` what to do about one.

    Raises:
        CasebookError: the file holds something else.
    """
    if not file.exists():
        return missing
    try:
        return msgspec.yaml.decode(file.read_bytes(), type=kind)
    except (msgspec.MsgspecError, ValueError) as error:
        raise CasebookError(f"{file}: holds no {what} ({error}); {remedy}") from error
