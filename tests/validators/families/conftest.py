"""Small folders that look like an installed torch, and repositories with families and cases."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from validators.evidence.stored.examples import ExampleRun, printed_key, write_example
from validators.families.recording import with_release
from validators.families.stored import load_kind, write_kind
from validators.families.torch_source.found import Found
from validators.families.torch_source.installed import Release
from validators.repository import Repository

CASEBOOK = "---\ntitle: A\nabout: It.\ndescription: It.\nareas: [graph_breaks]\n"


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


class World:
    """A repository in a folder, with recorded families, cases, and runs of their examples."""

    def __init__(self, root: Path, write_case: Callable[..., Path]) -> None:
        self.playbooks, self._write_case = root / "playbooks", write_case
        self.catalog = self.playbooks / "catalog"
        self.catalog.mkdir(parents=True)
        (self.playbooks / "casebook.yaml").write_text(CASEBOOK)

    def record(self, kind: Any, *found: Found, torch: str = "2.13.0") -> None:
        """Record what a release says of a kind."""
        release = Release(torch, self.playbooks)
        stored = load_kind(self.playbooks, kind)
        write_kind(self.playbooks, kind, with_release(stored, kind, release, found))

    def case(self, name: str, **fields: Any) -> Path:
        """Write a case."""
        return self._write_case(self.catalog, "graph_breaks", name, **fields)

    def example(
        self, case: str, before: str, after: str = "", torch: str = "2.13.0", **fields: Any
    ) -> None:
        """Write a run of a case's example, which prints these texts."""
        run = ExampleRun(
            verdict=fields.pop("verdict", "confirmed"),
            digest="d",
            torch=torch,
            before=printed_key(before),
            after=printed_key(after),
            **fields,
        )
        write_example(self.playbooks / "evidence", case, f"torch-{torch}-cpu", run, (before, after))

    @property
    def repository(self) -> Repository:
        """The repository, read anew."""
        return Repository(self.catalog)


@pytest.fixture
def world(tmp_path: Path, write_case: Callable[..., Path]) -> World:
    """An empty repository."""
    return World(tmp_path, write_case)
