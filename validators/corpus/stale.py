"""Why the record of a model is out of date."""

from __future__ import annotations

from collections.abc import Mapping

from validators.corpus.models import Model
from validators.corpus.record import ModelRecord


def why_stale(record: ModelRecord, model: Model, pinned: Mapping[str, str]) -> str:
    """What has changed since `record` was made; "" if nothing has.

    `pinned` holds the version of each distribution that pyproject.toml pins.
    """
    if record.digest != model.digest:
        return f"{model.file.name} has changed since"
    for name, version in record.packages.items():
        if pinned.get(name, version) != version:
            return f"it was made with {name} {version}, and pyproject.toml pins {pinned[name]}"
    return ""
