"""Proofs that behave in every way that a runner has to survive, for the tests of the runner."""

from __future__ import annotations

from pathlib import Path

PAGE = """---
claim: A claim about {name}.
kind: limitation
severity: low
devices: [{devices}]
{extra}
---

# {name}

## Symptom
## Why
## Remedy
## How to tell
"""

HEADER = """
import ctypes, os, signal, sys, time
from pathlib import Path

import torch

from validators.probes import observe

def branch(x):
    return x + 1 if x.sum() > 0 else x - 1

def select(x):
    return torch.where(x.sum() > 0, x + 1, x - 1)

def broken(device):
    return observe(branch, [(torch.ones(4, device=device),)])

def whole(device):
    return observe(select, [(torch.ones(4, device=device),)])

def shows(report):
    return len(report.graph_breaks) > 0
"""

GOOD = """
def symptom(device): return broken(device)
def remedy(device): return whole(device)
"""

PROOFS = {
    "agrees": GOOD,
    "symptom_does_not_show": """
def symptom(device): return whole(device)
def remedy(device): return whole(device)
""",
    "remedy_does_not_help": """
def symptom(device): return broken(device)
def remedy(device): return broken(device)
""",
    "swapped": """
def symptom(device): return whole(device)
def remedy(device): return broken(device)
""",
    "always_true": GOOD + "\ndef shows(report): return True\n",
    "always_false": GOOD + "\ndef shows(report): return False\n",
    "silently_eager": """
def symptom(device): return broken(device)
def remedy(device): return observe(select, [(torch.ones(4),)], compile=lambda f: f)
""",
    "openly_eager": """
def symptom(device): return broken(device)
def remedy(device): return observe(select, [(torch.ones(4),)], compile=lambda f: f, eager=True)
""",
    "raises": "def symptom(device): raise KeyError('lost')\n" + "def remedy(device): pass\n",
    "returns_a_wish": """
def symptom(device): return {"graph_breaks": [1]}
def remedy(device): return whole(device)
""",
    "segfaults": """
def symptom(device): return broken(device)
def remedy(device): ctypes.string_at(0)
""",
    "exits": """
def symptom(device): os._exit(0)
def remedy(device): return whole(device)
""",
    "hangs": """
def symptom(device): return broken(device)
def remedy(device):
    print("about to hang", flush=True)
    time.sleep(600)
""",
    "shows_raises": GOOD + "\ndef shows(report): return report.no_such_field\n",
    "shows_a_number": GOOD + "\ndef shows(report): return len(report.graph_breaks)\n",
    "wavers": """
from validators.probes import captured_facts
def symptom(device):
    mark = Path(__file__).with_suffix(".mark")
    first = not mark.exists()
    mark.touch()
    return captured_facts(first=lambda: first)
def remedy(device): return captured_facts(first=lambda: False)
def shows(report): return report.facts["first"]
""",
    "reads_its_variable": """
from validators.probes import captured_facts
def symptom(device): return captured_facts(value=lambda: os.environ.get("CASEBOOK_TEST", "unset"))
def remedy(device): return captured_facts(value=lambda: os.environ.get("CASEBOOK_TEST", "unset"))
def shows(report): return report.facts["value"] == "set"
""",
    "edits_itself": """
def symptom(device):
    with open(__file__, "a") as file: file.write("# edited\\n")
    return broken(device)
def remedy(device): return whole(device)
""",
    "prints_much": """
def symptom(device):
    for _ in range(200): sys.stdout.write("x" * 100_000 + "\\n")
    return broken(device)
def remedy(device): return whole(device)
""",
    "leaves_a_child": """
def symptom(device):
    if os.fork() == 0:
        os.setsid()
        os.execvp("sleep", ["sleep", "7654321"])
    return broken(device)
def remedy(device): return whole(device)
""",
}
EXTRAS = {
    "hangs": "timeout: 8",
    "reads_its_variable": "env: {symptom: {CASEBOOK_TEST: set}}",
}


def write_toy(root: Path, *names: str) -> Path:
    """Write the named proofs (all by default) as a catalog under `root`; returns its folder."""
    area = root / "playbooks" / "catalog" / "tooling"
    area.mkdir(parents=True, exist_ok=True)
    for name in names or PROOFS:
        page = PAGE.format(name=name, devices="cpu, cuda", extra=EXTRAS.get(name, ""))
        (area / f"{name}.md").write_text(page)
        (area / f"{name}.py").write_text(HEADER + PROOFS[name])
    return area.parent
