import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from validators.probes import captured_facts

PROGRAM = """
import sys, torch

def branch(x):
    if x.sum() > 0:
        return x * 2
    return x - 1

def call(x):
    x = x * 2
    print(end="")
    return x + 1

step = torch.compile(globals()[sys.argv[1]], backend="eager")
for size in (3, 4):
    step(torch.ones(size, device=sys.argv[2]))
"""


def report_on(function, device):
    """How tlparse colours the frames of a program that breaks once and meets two sizes."""
    beside = str(Path(sys.executable).parent)
    tlparse = shutil.which("tlparse", path=beside) or shutil.which("tlparse")
    with tempfile.TemporaryDirectory() as folder:
        trace, out = Path(folder, "trace"), Path(folder, "out")
        command = [sys.executable, "-c", PROGRAM, function, str(device)]
        subprocess.run(command, env={**os.environ, "TORCH_TRACE": str(trace)}, check=True)
        (log,) = trace.iterdir()
        command = [tlparse, str(log), "-o", str(out), "--no-browser"]
        subprocess.run(command, check=True, capture_output=True)
        page, written = (out / "index.html").read_text(), log.read_text()
    frames = dict(re.findall(r"href='#\[(\d+/\d+)\]' class='status-(\w+)'", page))
    return captured_facts(
        first=lambda: frames.get("0/0"),
        recompiled=lambda: "0/1" in frames,
        breaks=lambda: written.count('"dynamo_graph_break_reason"'),
        colours=lambda: dict(re.findall(r"\.status-(\w+) { background-color: (\w+)", page)),
    )


def symptom(device):
    return report_on("branch", device)


def remedy(device):
    return report_on("call", device)


def shows(report):
    facts = report.facts
    green = facts["colours"] == {**facts["colours"], "break": "lime", "ok": "green"}
    assert green and facts["recompiled"] and facts["breaks"] > 0
    return {"ok": True, "break": False}[facts["first"]]
