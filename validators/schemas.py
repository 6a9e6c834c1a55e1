"""`python -m validators.schemas`: write the JSON Schemas of `--json` output and of input."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import Struct

from validators.catalog.logs import LogMeta
from validators.cli.output import OUTPUTS, schema
from validators.corpus.record import ModelRecord
from validators.diagnose.benchmark import Benchmark
from validators.files import ROOT

FOLDER = ROOT / "schemas"
SCHEMAS: dict[str, type[Struct]] = {
    **OUTPUTS,
    "benchmark": Benchmark,
    "log_entry": LogMeta,
    "model_record": ModelRecord,
}
"""All `--json` output, the front matter of a log entry, and what commands read or keep."""


def schema_text(name: str) -> str:
    """The text of `schemas/NAME.json`."""
    return json.dumps(schema(SCHEMAS[name]), indent=2, sort_keys=True) + "\n"


def write(folder: Path = FOLDER) -> None:
    """Write every schema into `folder`."""
    folder.mkdir(exist_ok=True)
    for name in SCHEMAS:
        (folder / f"{name}.json").write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    write()
