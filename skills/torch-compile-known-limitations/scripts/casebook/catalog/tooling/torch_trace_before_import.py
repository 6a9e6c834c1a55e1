import os
import subprocess
import sys
import tempfile
from pathlib import Path

from validators.probes import captured_facts

SET_TOO_LATE = """
import os, sys
import torch
os.environ["TORCH_TRACE"] = sys.argv[1]
torch.compile(torch.relu, backend="eager")(torch.ones(2, device=sys.argv[2]))
"""

SET_IN_TIME = """
import os, sys
os.environ["TORCH_TRACE"] = sys.argv[1]
import torch
torch.compile(torch.relu, backend="eager")(torch.ones(2, device=sys.argv[2]))
"""


def trace_of(script, device):
    """How often the trace of a program of its own says that Dynamo began to compile."""
    inherited = {name: value for name, value in os.environ.items() if "TRACE" not in name}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", script, folder, str(device)]
        subprocess.run(command, env=inherited, check=True)
        files = list(Path(folder).iterdir())
        text = "".join(file.read_text() for file in files)
    return captured_facts(files=lambda: len(files), compiles=lambda: text.count("dynamo_start"))


def symptom(device):
    return trace_of(SET_TOO_LATE, device)


def remedy(device):
    return trace_of(SET_IN_TIME, device)


def shows(report):
    return report.facts["compiles"] == 0
