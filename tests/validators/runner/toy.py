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
    "hangs_in_native_code": """
def symptom(device): ctypes.PyDLL(None).sleep(600)
def remedy(device): return whole(device)
""",
    "eats_memory": """
def symptom(device): return [bytearray(1 << 26) for _ in iter(int, 1)]
def remedy(device): return whole(device)
""",
    "eats_shared_memory": """
import mmap
def symptom(device):
    held = []
    while True:
        held.append(mmap.mmap(-1, 1 << 26))
        held[-1].write(bytes(1 << 26))
        time.sleep(0.05)
def remedy(device): return whole(device)
""",
    "is_killed": """
def symptom(device): os.kill(os.getpid(), signal.SIGKILL)
def remedy(device): return whole(device)
""",
    "is_killed_by_a_nameless_signal": """
def symptom(device): os.kill(os.getpid(), 40)
def remedy(device): return whole(device)
""",
    "calls_itself_odd_names": """
def symptom(device):
    ctypes.CDLL(None).prctl(15, b"gr\\xc3", 0, 0, 0)
    time.sleep(0.5)
    return broken(device)
def remedy(device): return whole(device)
""",
    "imports_the_runner": "from validators.runner import run\n" + GOOD,
    "imports_the_runner_by_name": """
import importlib
def symptom(device):
    importlib.import_module(".".join(["validators", "runner", "outcome"]))
    return broken(device)
def remedy(device): return whole(device)
""",
    "reports_too_much": """
from validators.probes import captured_facts
def symptom(device): return captured_facts(text=lambda: "x" * 10_000_000)
def remedy(device): return whole(device)
""",
    "prints_a_gigabyte": """
def symptom(device):
    for _ in range(1000): os.write(1, b"x" * 1_000_000)
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
    "relies_on_an_orphan": """
def symptom(device):
    mark = Path("orphan")
    if os.fork() == 0:
        if os.fork() == 0:
            time.sleep(1)
            mark.touch()
        os._exit(0)
    os.wait()
    while not mark.exists(): time.sleep(0.02)
    return broken(device)
def remedy(device): return whole(device)
""",
}
# Writes more than a small disk holds.
FILLS_THE_DISK = """
def symptom(device):
    Path("much").write_bytes(bytes(1 << 20))
    return broken(device)
def remedy(device): return whole(device)
"""
# Leaves everything behind that a process can, says so, and hangs: but only the first time.
LITTERS = """
import json, subprocess
from multiprocessing import shared_memory

import torch.multiprocessing

def symptom(device):
    mark = Path(__file__).with_suffix(".pids")
    if not mark.exists():
        block = shared_memory.SharedMemory(create=True, size=4096)
        torch.multiprocessing.set_sharing_strategy("file_system")
        shared = torch.ones(1000).share_memory_()
        child = subprocess.Popen(["sleep", "7654322"], start_new_session=True)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(600)
            os._exit(0)
        Path("litter").write_text("in the arm's temporary folder")
        said = {"arm": os.getpid(), "supervisor": os.getppid(), "child": child.pid}
        ours = [path.name for path in Path("/dev/shm").glob(f"torch_{os.getpid()}_*")]
        said["segments"] = [*ours, block.name]
        mark.with_suffix(".part").write_text(json.dumps(said))
        mark.with_suffix(".part").rename(mark)
        while not mark.with_suffix(".go").exists():
            time.sleep(0.02)
    return broken(device)
def remedy(device): return whole(device)
"""
# Proofs that only show something where a test arranges for it.
# Kills the process of Ray's that decides it.
TAKES_ITS_PROCESS = """
def symptom(device):
    pid = os.getppid()
    while b"ray::" not in Path(f"/proc/{pid}/cmdline").read_bytes():
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(pid, signal.SIGKILL)
    time.sleep(600)
def remedy(device): return whole(device)
"""
APART = {
    "fills_the_disk": FILLS_THE_DISK,
    "litters": LITTERS,
    "takes_its_process": TAKES_ITS_PROCESS,
}
EXTRAS = {
    "hangs": "timeout: 20",
    "hangs_in_native_code": "timeout: 20",
    "relies_on_an_orphan": "timeout: 60",
    "eats_memory": "memory: 1024",
    "eats_shared_memory": "memory: 768",
    "reads_its_variable": "env: {symptom: {CASEBOOK_TEST: set}}\nuncompiled: it compiles nothing",
}


def write_toy(root: Path, *names: str) -> Path:
    """Write the named proofs (all by default) as a catalog under `root`; returns its folder."""
    area = root / "playbooks" / "catalog" / "tooling"
    area.mkdir(parents=True, exist_ok=True)
    for name in names or PROOFS:
        page = PAGE.format(name=name, devices="cpu, cuda", extra=EXTRAS.get(name, ""))
        (area / f"{name}.md").write_text(page)
        (area / f"{name}.py").write_text(HEADER + {**PROOFS, **APART}[name])
    return area.parent
