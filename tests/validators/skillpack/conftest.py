"""A repository with a pack of two skills and two cases, which print and are decided."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.validators.skillpack.small_pack import NAMES, read_pack, write_pack
from tests.world import page_with_example
from validators.catalog import load_catalog
from validators.evidence import write_record
from validators.evidence.stored.examples import ABSENT, ExampleRun, example_digest, write_example

SKILL = """\
---
name: {name}
description: Use when {name} is what you need.
metadata:
  version: "0"
---

# {name}

A graph break costs (`case:one`).
"""


class PackWorld:
    """The repository in a folder, and what changes it."""

    def __init__(self, root: Path, write_case: Callable[..., Path], make_record: Any) -> None:
        self.root, self._write_case, self._make_record = root, write_case, make_record
        write_pack(root)
        for path in ("scripts/match.py", "references/memory.md"):
            (root / "skills" / NAMES[0] / path).unlink()
        self.skill(NAMES[0])
        self.skill(NAMES[1])
        for name in ("one", "two"):
            self.case(name)
            self.decide(name, "2.13.0")

    def case(self, name: str, **fields: Any) -> None:
        """Write a case with an example."""
        body = page_with_example(f"import torch\n{name}(1)", f"import torch\n{name}(2)")
        root = self.root / "playbooks" / "catalog"
        self._write_case(root, "graph_breaks", name, **{"body": body, "fix": "Use `y`."} | fields)

    def decide(
        self, name: str, torch: str, verdict: str = "confirmed", line: str = "", reason: str = ""
    ) -> None:
        """Record what the proof and the example did on a release."""
        case = load_catalog(self.root / "playbooks" / "catalog").by_name[name]
        folder = self.root / "playbooks" / "evidence"
        record = self._make_record(case, torch=torch, verdict=verdict, reason=reason)
        write_record(folder, record)
        run = ExampleRun(
            verdict=verdict,  # type: ignore[arg-type]
            reason=reason or (ABSENT if verdict == "refuted" else ""),
            digest=example_digest(case),
            torch=torch,
            line=line or f"[0/0] [__graph_breaks] torch.E.{name.title()}Error: {name} 'x' broke",
        )
        write_example(folder, name, f"torch-{torch}-cpu", run, ())

    def skill(self, name: str, text: str = SKILL) -> Path:
        """Write a SKILL.md."""
        page = self.root / "skills" / name / "SKILL.md"
        page.write_text(text.format(name=name))
        return page

    def read(self) -> Any:
        """The repository and the pack, read anew."""
        return read_pack(self.root)


@pytest.fixture
def pack_world(
    tmp_path: Path, write_case: Callable[..., Path], make_record: Callable[..., Any]
) -> PackWorld:
    """A small pack."""
    return PackWorld(tmp_path, write_case, make_record)
