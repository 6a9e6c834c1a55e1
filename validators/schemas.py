"""`python -m validators.schemas`: write the JSON Schemas of all `--json` output to `schemas/`."""

from __future__ import annotations

import json
from pathlib import Path

from validators.cli.output import OUTPUTS, schema
from validators.evidence.digest import ROOT

FOLDER = ROOT / "schemas"


def schema_text(name: str) -> str:
    """The text of `schemas/NAME.json`."""
    return json.dumps(schema(OUTPUTS[name]), indent=2, sort_keys=True) + "\n"


def write(folder: Path = FOLDER) -> None:
    """Write every schema into `folder`."""
    folder.mkdir(exist_ok=True)
    for name in OUTPUTS:
        (folder / f"{name}.json").write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    write()
