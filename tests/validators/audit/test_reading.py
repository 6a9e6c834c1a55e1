"""What the audit reads: code, shell and sentences, each with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from validators.audit.reading import files_in, passages
from validators.errors import CasebookError

PAGE = """---
name: x
---

# A title

One sentence. Another one,
on two lines.

| do | why |
|---|---|
| this | that |

```python
import torch
x = 1
```

```bash
TORCH_LOGS=dynamo python train.py
```

```json
{}
```
"""


def test_a_page_is_read_by_block(tmp_path: Path) -> None:
    """The lines are those of the file; a row of a table is around each of its cells."""
    page = tmp_path / "a.md"
    page.write_text(PAGE)
    found = [(it.line, it.kind, it.text) for it in passages(page)]
    assert found == [
        (5, "prose", "A title"),
        (7, "prose", "One sentence."),
        (7, "prose", "Another one, on two lines."),
        (10, "prose", "do"),
        (10, "prose", "why"),
        (12, "prose", "this"),
        (12, "prose", "that"),
        (15, "python", "import torch\nx = 1\n"),
        (20, "shell", "TORCH_LOGS=dynamo python train.py\n"),
    ]
    assert next(it for it in passages(page) if it.text == "this").around == "this that "


def test_a_notebook_is_read_by_cell(tmp_path: Path) -> None:
    """Without the lines that are IPython's own."""
    cells = [
        {"cell_type": "markdown", "source": ["Some *text*."]},
        {"cell_type": "code", "source": ["%timeit f()\n", "import torch"]},
    ]
    notebook = tmp_path / "a.ipynb"
    notebook.write_text(json.dumps({"cells": cells}))
    found = [(it.kind, it.text) for it in passages(notebook)]
    assert found == [("prose", "Some *text*."), ("python", "\nimport torch")]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.ipynb", b"[]", "is not a notebook"),
        ("a.md", b"\xff\xfe\xff", "is not UTF-8"),
        ("a.md", b"x" * (2**21 + 1), "has more than"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    """In one sentence."""
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CasebookError, match=said):
        passages(tmp_path / name)


def test_a_place_without_text_is_told(tmp_path: Path) -> None:
    """A folder without pages, and a path that does not exist."""
    with pytest.raises(CasebookError, match="holds no text"):
        files_in(tmp_path)
    with pytest.raises(CasebookError, match="no such file"):
        files_in(tmp_path / "absent")
