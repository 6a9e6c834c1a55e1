import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from validators.probes import captured_facts

PROGRAM = """
import contextlib, sys, torch

def refusing(graph, example_inputs):
    raise RuntimeError("no code for this graph")

backend = refusing if sys.argv[1] == "refusing" else sys.argv[1]
step = torch.compile(lambda x: x.sin() + 1, backend=backend)
with contextlib.suppress(torch._dynamo.exc.BackendCompilerFailed):
    step(torch.ones(3, device=sys.argv[2]))
"""


def report_on(backend, device):
    """How tlparse colours the one frame of a program that is compiled by `backend`."""
    beside = str(Path(sys.executable).parent)
    tlparse = shutil.which("tlparse", path=beside) or shutil.which("tlparse")
    with tempfile.TemporaryDirectory() as folder:
        trace, out = Path(folder, "trace"), Path(folder, "out")
        command = [sys.executable, "-c", PROGRAM, backend, str(device)]
        subprocess.run(command, env={**os.environ, "TORCH_TRACE": str(trace)}, check=True)
        (log,) = trace.iterdir()
        command = [tlparse, str(log), "-o", str(out), "--no-browser"]
        subprocess.run(command, check=True, capture_output=True)
        page = (out / "index.html").read_text()
    frames = dict(re.findall(r"href='#\[(\d+/\d+)\]' class='status-(\w+)'", page))
    colours = dict(re.findall(r"\.status-(\w+) { background-color: (\w+)", page))
    return captured_facts(
        frames=lambda: len(frames),
        colour=lambda: colours[frames["0/0"]],
    )


def symptom(device):
    return report_on("refusing", device)


def remedy(device):
    return report_on("eager", device)


def shows(report):
    return report.facts["frames"] == 1 and report.facts["colour"] == "red"
