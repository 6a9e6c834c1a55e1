"""A small repository with a real model, its record, and a case about what breaks in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validators.catalog import load_catalog
from validators.corpus.models import FOLDER, load_models
from validators.corpus.records.record import ModelRecord, write_record
from validators.corpus.settled import load_settled
from validators.corpus.summary import Judge
from validators.evidence import write_record as write_verdict
from validators.repository import Repository

COLUMN = "torch-2.13.0-cpu"
FILE = "site-packages/shop/model.py"
MODEL = '''"""A net that branches, of shop."""

import msgspec
import torch


def example():
    """Two sizes."""
    return torch.nn.Linear(2, 2), [(torch.ones(n, 2),) for n in (2, 3)]
'''
SETTLED = """---
settled:
  - file: shop/model.py
    code: if x.sum()
    kind: graph_break
    case: branch
    because: The condition is a tensor.
"""


def graph_break(text: str = "a strange thing", **fields: Any) -> dict[str, Any]:
    """A graph break as the part `breaks` tells of it."""
    place = {"file": FILE, "line": 7, "code": "if x.sum() > 0:"}
    return {"id": "GB0170", "type": "A type", "text": text, "places": [place], "count": 3, **fields}


@dataclass
class Corpus:
    """A repository in a folder."""

    root: Path
    write_case: Callable[..., Path]
    make_record: Callable[..., Any]

    @property
    def catalog(self) -> Path:
        """The catalog's folder."""
        return self.root / "playbooks" / "catalog"

    @property
    def evidence(self) -> Path:
        """The committed evidence."""
        return self.root / "playbooks" / "evidence"

    def write(self, name: str, text: str) -> Path:
        """Write a file beside the models."""
        file = self.root / FOLDER / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def case(self, name: str, confirmed: bool = True, **fields: Any) -> None:
        """Write a case, and evidence that confirms it."""
        self.write_case(self.catalog, "graph_breaks", name, **fields)
        if confirmed:
            case = load_catalog(self.catalog).by_name[name]
            write_verdict(self.evidence, self.make_record(case))

    def record(self, *breaks: dict[str, Any], **fields: Any) -> ModelRecord:
        """Record the model `net` with these graph breaks."""
        digest = load_models(self.root)[0][0].digest
        found = {
            "rounds": 2,
            "breaks": list(breaks),
            "compiled_share": 0.5,
            "recompiles": [],
            "limits": [],
            "graphs": 2,
            "eager_calls": [],
            "raised": None,
        }
        plain: dict[str, Any] = {
            "model": "net",
            "column": COLUMN,
            "torch": "2.13.0+cpu",
            "python": "3.11.7",
            "packages": {"msgspec": "0.19.0"},
            "digest": digest,
            "calls": 2,
            "trains": False,
            "breaks": found | fields.pop("breaks", {}),
            "fix": None,
        }
        record = ModelRecord(**plain | fields)
        write_record(self.evidence, record)
        return record

    def repository(self) -> Repository:
        """The repository, read anew."""
        return Repository(self.catalog, whole=True)

    def judge(self) -> Judge:
        """Judges by what is there now."""
        settled, problems = load_settled(self.root)
        assert not problems
        return Judge(self.repository(), settled)
