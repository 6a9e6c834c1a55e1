"""Why the record of a model is out of date."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

from validators.corpus.models import Model, pins
from validators.corpus.records.record import ModelRecord

Pins = Callable[[str], Mapping[str, str]]
"""The versions that pyproject.toml pins for a release of torch."""


def pins_in(root: Path) -> Pins:
    """Those of a repository, read once for each release."""
    return cache(partial(pins, root))


def why_stale(record: ModelRecord, model: Model, pinned: Pins) -> str:
    """What has changed since `record` was made; "" if nothing has."""
    if record.digest != model.digest:
        return f"{model.file.name} has changed since"
    known = pinned(record.torch)
    for name, version in record.packages.items():
        if known.get(name, version) != version:
            return f"it was made with {name} {version}, and pyproject.toml pins {known[name]}"
    return ""
