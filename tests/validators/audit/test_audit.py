"""`audit`: planted errors are found, and this repository's own texts raise no false alarm."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from validators.audit.beliefs import Beliefs
from validators.audit.judging import audited
from validators.audit.reading import Passage, files_in, passages, sentences
from validators.catalog import load_catalog
from validators.files import ROOT

CASES = load_catalog(ROOT / "playbooks" / "catalog").cases
WRITTEN = [*files_in(ROOT / "playbooks" / "guides"), *(ROOT / "skills").glob("*/SKILL.md")]
"""The guides and skills that people wrote; a skill's references also show what is false."""

PLANTED = """# How to debug

Call `torch._dynamo.utils.CompileProfiler` first, then set `TORCHDYNAMO_NO_SUCH_THING=1`.
Keep `torch._dynamo.config.recompile_limit` small.

```bash
TORCH_LOGS="graph_break" python train.py
TORCH_LOGS="graph_breaks,+dynamo" python train.py
```

```python
import torch
import torch._dynamo.config as config

config.log_level = 10
model = torch.compile(model, mode="fastest", options={"turbo": True, "triton.cudagraphs": True})
model = torch.compile(model, full_graph=True)
```

Set `TORCHINDUCTOR_CACHE_DIR` to keep the cache.
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line's answer."""
    command = [sys.executable, "-m", "validators", "audit", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT)


@pytest.mark.slow
def test_planted_errors_are_found(tmp_path: Path) -> None:
    """Each on its line, and nothing else."""
    page = tmp_path / "skill.md"
    page.write_text(PLANTED)
    done = run(str(page), "--json")
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)["findings"]
    assert [(it["line"], it["said"]) for it in found] == [
        (3, "`torch._dynamo.utils.CompileProfiler` does not exist"),
        (3, "nothing in torch reads `TORCHDYNAMO_NO_SUCH_THING`"),
        (7, "`TORCH_LOGS=graph_break` is refused"),
        (15, "`torch._dynamo.config.log_level` does not exist"),
        (16, "Inductor has no option `turbo`"),
        (16, "`torch.compile` has no mode `fastest`"),
        (17, "`torch.compile` takes no argument `full_graph`"),
    ]


@pytest.mark.slow
def test_our_own_texts_are_true_of_this_torch() -> None:
    """Nothing that they name is absent."""
    found = audited([ROOT / "README.md", *WRITTEN], [sys.executable], Beliefs(CASES))
    assert [it for it in found.findings if it.kind == "absent"] == []
    assert found.claims > 150


def test_the_beliefs_of_retractions_are_recognized() -> None:
    """Each leads to its own case."""
    beliefs = Beliefs(CASES)
    for case in CASES:
        if case.meta.believed:
            planted = Passage(Path("a.md"), 1, "prose", case.meta.believed)
            assert [it.case.name for it in beliefs.refuted([planted])] == [case.name]


def test_few_true_sentences_are_suspected() -> None:
    """Fewer than one in a thousand sentences that people wrote in guides and skills."""
    beliefs = Beliefs(CASES)
    read = [it for file in WRITTEN for it in sentences(passages(file))]
    assert len(list(beliefs.refuted(read))) * 1000 < len(read)


def test_an_interpreter_without_torch_is_told(tmp_path: Path) -> None:
    """In one sentence."""
    (tmp_path / "a.md").write_text("Call `torch.compile`.")
    done = run(str(tmp_path), "--python", "/usr/bin/false")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "name an interpreter with torch" in done.stderr
