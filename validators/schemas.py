"""`python -m validators.schemas`: write the JSON Schemas of log entries and `--json` output."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import Struct

from validators.catalog.logs import LogMeta
from validators.cli.output import OUTPUTS, schema
from validators.evidence.digest import ROOT

FOLDER = ROOT / "schemas"
SCHEMAS: dict[str, type[Struct]] = {**OUTPUTS, "log_entry": LogMeta}
"""All `--json` output, and the front matter of a log entry."""


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
