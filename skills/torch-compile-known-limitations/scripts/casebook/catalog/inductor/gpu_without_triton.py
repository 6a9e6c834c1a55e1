import subprocess
import sys

from validators.probes import captured_facts

# A process of its own, since Inductor has looked for Triton in this one.
PROGRAM = """
import sys

device, triton = sys.argv[1:]
if triton == "absent":
    sys.modules["triton"] = None

import torch

model = torch.compile(torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU()).to(device))
print("compiled", flush=True)
model(torch.ones(4, 16, device=device))
print("ran", flush=True)
"""


def serve(device, triton):
    command = [sys.executable, "-c", PROGRAM, str(device), triton]
    done = subprocess.run(command, capture_output=True, text=True)
    missing = "TritonMissing: Cannot find a working triton installation" in done.stderr
    return {"steps": done.stdout.strip(), "exit": done.returncode, "missing": missing}


def symptom(device):
    return captured_facts(server=lambda: serve(device, "absent"))


def remedy(device):
    return captured_facts(server=lambda: serve(device, "installed"))


def shows(report):
    server = report.facts["server"]
    if server["missing"]:
        return server["steps"] == "compiled" and server["exit"] != 0
    assert server["exit"] == 0 and server["steps"].split() == ["compiled", "ran"], server
    return False
