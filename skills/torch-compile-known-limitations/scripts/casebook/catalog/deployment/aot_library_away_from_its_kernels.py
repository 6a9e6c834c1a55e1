import subprocess
import sys
import tempfile

from validators.probes import captured_facts

# A process of its own: the runtime prints the reason to stderr and raises without it.
PROGRAM = """
import sys
from pathlib import Path

import torch

device, form, folder = sys.argv[1:]
built, served = Path(folder, "built"), Path(folder, "served")
built.mkdir()

model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU()).to(device).eval()
x = torch.ones(4, 16, device=device)
with torch.no_grad():
    expected = model(x)
    if form == "library":
        options = {"aot_inductor.output_path": str(built / "model.so")}
        made = torch._export.aot_compile(model, (x,), options=options)
    else:
        exported = torch.export.export(model, (x,))
        path = str(built / "model.pt2")
        made = torch._inductor.aoti_compile_and_package(exported, package_path=path)

built.rename(served)
moved = str(served / Path(made).name)
if form == "library":
    compiled = torch._export.aot_load(moved, device)
else:
    compiled = torch._inductor.aoti_load_package(moved)
print("loaded", flush=True)
torch.testing.assert_close(compiled(x), expected)
print("ran", flush=True)
"""


def serve(device, form):
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", PROGRAM, str(device), form, folder]
        done = subprocess.run(command, capture_output=True, text=True)
    missing = "CUDA driver error: file not found" in done.stderr
    return {"steps": done.stdout.strip(), "exit": done.returncode, "missing": missing}


def symptom(device):
    return captured_facts(server=lambda: serve(device, "library"))


def remedy(device):
    return captured_facts(server=lambda: serve(device, "package"))


def shows(report):
    server = report.facts["server"]
    if server["missing"]:
        return "ran" not in server["steps"] and server["exit"] != 0
    assert server["exit"] == 0 and server["steps"].split()[-2:] == ["loaded", "ran"], server
    return False
