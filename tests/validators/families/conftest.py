"""Small folders that look like an installed torch."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from validators.families.installed import Release


@pytest.fixture
def torch_of(tmp_path: Path) -> Callable[..., Release]:
    """Writes files, by their paths inside torch, and returns the release that they make."""

    def write(files: Mapping[str, str | bytes], torch: str = "2.13.0") -> Release:
        folder = tmp_path / f"torch-{torch}"
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return Release(torch, folder)

    return write


def registry(**entries: Any) -> str:
    """A registry of graph breaks; each entry is a type, or the fields of its history."""
    made = {}
    for key, entry in entries.items():
        history = entry if isinstance(entry, list) else [entry]
        made[key] = [_entry(**({"type": it} if isinstance(it, str) else it)) for it in history]
    return json.dumps(made)


def _entry(type: str, explanation: str = "", context: str = "", hints: Any = ()) -> dict[str, Any]:
    return {
        "Gb_type": type,
        "Explanation": explanation,
        "Context": context,
        "Hints": list(hints),
    }
