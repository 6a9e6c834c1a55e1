import subprocess
import sys

from validators.probes import captured_facts

# A process of its own, in which the GPU says that it is older than it is.
PROGRAM = """
import sys
from types import SimpleNamespace

import torch

device, backend = sys.argv[1:]
model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU()).to(device)
x = torch.ones(4, 16, device=device)
expected = model(x)

real = torch.cuda.get_device_properties(device)
names = [name for name in dir(real) if not name.startswith("_")]
old = SimpleNamespace(**{name: getattr(real, name) for name in names})
old.major, old.minor = 6, 1

from torch._dynamo.device_interface import CudaInterface

def get_device_properties(device=None):
    return old

torch.cuda.get_device_properties = get_device_properties
CudaInterface.get_device_properties = staticmethod(get_device_properties)
CudaInterface.Worker.get_device_properties = staticmethod(get_device_properties)

compiled = torch.compile(model, backend=backend)
print("compiled", flush=True)
torch.testing.assert_close(compiled(x), expected)
print("ran", flush=True)
"""


def serve(device, backend):
    command = [sys.executable, "-c", PROGRAM, str(device), backend]
    done = subprocess.run(command, capture_output=True, text=True)
    too_old = "which is too old to be supported by the triton GPU compiler" in done.stderr
    return {"steps": done.stdout.strip(), "exit": done.returncode, "too_old": too_old}


def symptom(device):
    return captured_facts(server=lambda: serve(device, "inductor"))


def remedy(device):
    return captured_facts(server=lambda: serve(device, "aot_eager"))


def shows(report):
    server = report.facts["server"]
    if server["too_old"]:
        return server["steps"] == "compiled" and server["exit"] != 0
    assert server["exit"] == 0 and server["steps"].split() == ["compiled", "ran"], server
    return False
