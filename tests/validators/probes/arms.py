"""The register of arms whose reports are known, and what is read from such a report."""

from __future__ import annotations

import json
import linecache
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from validators.probes import Report, audit_agrees, audits, set_audit

QUIET: dict[str, Any] = {
    "calls": [[1, 1]],
    "breaks": [],
    "lines": [],
    "recompiles": [],
    "limit": False,
    "mutated": [],
    "exception": None,
    "audit": [""],
    "disagreement": None,
}
Release = tuple[int, int]
EXPECTED: dict[str, dict[str, Any]] = {}
BEFORE: dict[str, dict[Release, dict[str, Any]]] = {}
SINCE: dict[str, Release] = {}
ARMS: dict[str, Callable[[], Report]] = {}
SLOW: set[str] = set()


def situation(
    slow: bool = False,
    since: Release = (0, 0),
    before: dict[Release, dict[str, Any]] | None = None,
    **expected: Any,
) -> Callable[[Any], Any]:
    """Register an arm with what its report shows where that differs from `QUIET`.

    `since` is the first release that has what the arm needs, `before` says what older releases
    show in other ways.
    """

    def register(arm: Callable[[], Report]) -> Callable[[], Report]:
        name = arm.__name__
        ARMS[name] = arm
        EXPECTED[name] = {**QUIET, **expected}
        SINCE[name] = since
        BEFORE[name] = before or {}
        if slow:
            SLOW.add(name)
        return arm

    return register


def release_of(version: str) -> Release:
    """The release of a version such as "2.13.0+cpu"."""
    major, minor = version.split(".")[:2]
    return int(major), int(minor)


def expected_on(name: str, release: Release) -> dict[str, Any] | None:
    """What an arm shows on a release, as JSON; None where the release cannot run it."""
    if release < SINCE[name]:
        return None
    older = [BEFORE[name][bound] for bound in sorted(BEFORE[name], reverse=True) if release < bound]
    expected = EXPECTED[name].copy()
    for item in older:
        expected |= item
    if release < FIRST_REGISTRY:
        expected = _without_ids(expected)
    read: dict[str, Any] = json.loads(json.dumps(expected))
    return read


FIRST_REGISTRY: Release = (2, 7)
"""The first release that gives its graph breaks types and ids."""


def _without_ids(expected: dict[str, Any]) -> dict[str, Any]:
    raised = expected["exception"]
    return {
        **{key: value for key, value in expected.items() if key != "types"},
        "breaks": [["", "", skipped] for *_, skipped in expected["breaks"]],
        "audit": [re.sub(r"GB\d+", "", seen) for seen in expected["audit"]],
        "exception": raised and [raised[0], ""],
    }


def run(name: str) -> dict[str, Any]:
    """Run an arm, and again under audit, and say what both showed, keyed like `EXPECTED`."""
    set_audit(False)
    report = ARMS[name]()
    set_audit(True)
    ARMS[name]()
    seen = audits()
    set_audit(False)
    report = Report.from_json(json.loads(json.dumps(report.to_json())))
    every = {
        "calls": [[made.compiled, made.executions] for made in report.calls],
        "breaks": [[b.cause_id, b.id, b.skipped_frame] for b in report.graph_breaks],
        "types": [b.type for b in report.graph_breaks],
        "lines": [_line(b.file, b.line) for b in report.graph_breaks],
        "files": sorted({b.file for b in report.graph_breaks}),
        "recompiles": [r.compile_id for r in report.recompiles],
        "functions": [r.function for r in report.recompiles],
        "limit": report.recompile_limit_hit,
        "mutated": [[m.graph, m.name, m.call] for m in report.mutated_inputs],
        "exception": report.exception and [report.exception.type, report.exception.break_id],
        "audit": [("break" if item["broke"] else "") + item["id"] for item in seen],
        "disagreement": audit_agrees(report.to_json(), seen),
        "targets": [graph.targets for graph in report.graphs],
        "shapes": [[len(g.symbols)] + [len(i.shape) for i in g.inputs] for g in report.graphs],
        "ops": report.ops,
        "backward": report.backward_executions,
        "differences": [_small(made.difference) for made in report.calls],
        "facts": report.facts,
        "times": {name: len(values) for name, values in report.times.items()},
        "cache": report.cache and sorted(report.to_json()["cache"].items()),
        "cudagraphs": report.cudagraphs and report.to_json()["cudagraphs"],
    }
    shown: dict[str, Any] = json.loads(json.dumps({key: every[key] for key in EXPECTED[name]}))
    return shown


def _line(file: str, line: int) -> str:
    return linecache.getline(str(Path(__file__).parent / file), line).strip()


def _small(difference: Any) -> Any:
    """Differences in words: exactly 0, below 1e-3, or more."""
    if difference is None:
        return None
    values = (
        difference.eager,
        difference.compiled_float64,
        difference.eager_float64,
        difference.gradients_eager,
    )
    return [v if not v else "small" if v < 1e-3 else "large" for v in values]


def ones(*shape: int) -> torch.Tensor:
    """A float32 tensor of ones."""
    return torch.ones(shape)


def add_relu(x: torch.Tensor) -> torch.Tensor:
    """Two ops, no break."""
    return (x + 1).relu()
