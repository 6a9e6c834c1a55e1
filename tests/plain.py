"""A repository with a plain program, of which something may be recorded."""

from __future__ import annotations

from pathlib import Path

from tests.corpus import COLUMN, Corpus
from validators.plain.programs import FOLDER, load_programs
from validators.plain.record import PlainRecord, Seen, write_plain

PROGRAM = '''"""A sum that branches."""

import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.layer(x * 2 if x.sum() > 0 else x)


def build():
    return Net()


def inputs(batch):
    return (torch.randn(batch, 2),)
'''
BREAK = "GB0170 Data-dependent branching"
KNOWN = """---
known:
  - program: sums
    kind: graph_break
    says: branching
    case: branch
    because: The condition is a tensor.
"""


def write(corpus: Corpus, name: str, text: str) -> Path:
    """Write a file beside the plain programs."""
    file = corpus.root / FOLDER / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def record(corpus: Corpus, column: str = COLUMN, digest: str = "", **fields: object) -> PlainRecord:
    """Record the program `sums` with what it did in training."""
    (program,) = load_programs(corpus.root)[0]
    made = PlainRecord(digest or program.digest, {"training": Seen(**fields)})  # type: ignore[arg-type]
    write_plain(corpus.evidence, program.name, column, made)
    return made
