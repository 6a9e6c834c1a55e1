"""A small casebook with labelled logs and queries."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.validators.families.conftest import World
from validators.checks.judged import Judgement, judge
from validators.checks.judged.judged_logs import put_aside
from validators.repository import Repository

FRAME, LINE = "torch: the frame was skipped", "torch: line 7 is slow"


class Judged(World):
    """Two cases with a signature each, and what the search is judged by."""

    def __init__(self, root: Path, write_case: Callable[..., Path]) -> None:
        super().__init__(root, write_case)
        self.folder = self.playbooks / "judged"
        self.folder.mkdir()
        self.case("frame_skipped", signatures=["the frame was skipped"], asked=["skipped frame"])
        self.case("line_slow", signatures=[r"torch: line \d+ is slow"])

    def logs(self, *logs: dict[str, Any], file: str = "user_logs.jsonl") -> None:
        """Write logs, one on each line."""
        lines = sorted(json.dumps(log, ensure_ascii=False) for log in logs)
        (self.folder / file).write_text("".join(f"{line}\n" for line in lines), "utf-8")

    def write(self, file: str, value: object) -> None:
        """Write a file of YAML."""
        (self.folder / file).write_text(yaml.safe_dump(value, sort_keys=False), "utf-8")

    def judge(self, **options: Any) -> Judgement:
        """Judge everything."""
        return judge(Repository(self.catalog), **options)

    def problems(self, about: str = "") -> list[str]:
        """Return the problems in files whose name holds `about`, as `NAME:LINE: MESSAGE`."""
        return [
            f"{it.path.name}:{it.line}: {it.message}"
            for it in self.judge().problems
            if about in it.path.name
        ]


@pytest.fixture
def judged(tmp_path: Path, write_case: Callable[..., Path]) -> Judged:
    """A casebook whose judged set is empty."""
    return Judged(tmp_path, write_case)


def log(text: str, *expect: str, source: str = "a/b#1", **labels: Any) -> dict[str, Any]:
    """Return a log of a user with its labels; None leaves one out."""
    fields = {
        "source": source,
        "torch": "2.13",
        "category": "graph_breaks",
        "part": "aside" if put_aside(source) else "tuning",
        "expect": list(expect),
        "missing": None,
        "log": text,
        **labels,
    }
    return {name: value for name, value in fields.items() if value is not None}


def fresh_log(text: str, *expect: str, source: str = "a/b#2", **labels: Any) -> dict[str, Any]:
    """Return a log on which nothing is tuned."""
    return {
        "source": source,
        "date": "2026-11",
        "torch": "",
        "category": "graph_breaks",
        "part": "fresh",
        "expect": list(expect),
        "families": [],
        "log": text,
        **labels,
    }
