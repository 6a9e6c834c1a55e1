"""The JSON Schemas of what commands print with `--json`, and of files that they read or keep."""

from __future__ import annotations

import json

import msgspec

from validators.audit.findings import Audit
from validators.catalog.logs import LogMeta
from validators.cli import output
from validators.compiled.results import KernelsOutput
from validators.corpus.records.record import ModelRecord
from validators.diagnose.compare.benchmark import Benchmark
from validators.diagnose.findings.comparison import Comparison
from validators.diagnose.findings.finding import Diagnosis, Verification
from validators.evals.results import Summary
from validators.families.results import FamiliesOutput
from validators.match.results import MatchOutput
from validators.patch.results import Patch
from validators.repro.result import Reproduction
from validators.silent.scan import Scan

SCHEMAS: dict[str, type] = {
    "audit": Audit,
    "benchmark": Benchmark,
    "bisect": output.BisectOutput,
    "check": output.CheckOutput,
    "compare": Comparison,
    "diagnose": Diagnosis,
    "eval": Summary,
    "eval_grade": output.GradeOutput,
    "families": FamiliesOutput,
    "kernels": KernelsOutput,
    "list": output.ListOutput,
    "log_entry": LogMeta,
    "match": MatchOutput,
    "model_record": ModelRecord,
    "models": output.ModelsOutput,
    "new": output.NewOutput,
    "patch": Patch,
    "plain": output.PlainOutput,
    "record": output.RecordOutput,
    "repro": Reproduction,
    "run": output.RunOutput,
    "scan": Scan,
    "show": output.ShowOutput,
    "silent": output.SilentOutput,
    "status": output.StatusOutput,
    "verify-fix": Verification,
}
"""The type of each; one schema serves `run` and `run-all`, and `new` and `new-entry`."""


def schema_text(kind: type) -> str:
    """Return the JSON Schema (2020-12) of a type."""
    body = {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(kind)}
    return json.dumps(body, indent=2, sort_keys=True) + "\n"
