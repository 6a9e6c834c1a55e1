import subprocess
import sys
import tempfile
from pathlib import Path

import torch

from validators.probes import captured_facts

REGISTER = """
import torch

smooth = torch.library.custom_op(
    "casebook_shop::smooth",
    lambda x: x.cumsum(-1),
    mutates_args=(),
    schema="(Tensor x) -> Tensor",
)
smooth.register_fake(torch.empty_like)
"""

SERVE = """
import sys

import torch

try:
    model = torch._inductor.aoti_load_package(sys.argv[1])
except Exception as error:
    print("refused", error)
else:
    print("answered", model(torch.ones(2, 4)).tolist())
"""


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.ops.casebook_shop.smooth(x)


def arm(first):
    exec(REGISTER, {})
    with tempfile.TemporaryDirectory() as folder:
        exported = torch.export.export(Model(), (torch.ones(2, 4),))
        path = str(Path(folder, "model.pt2"))
        torch._inductor.aoti_compile_and_package(exported, package_path=path)
        command = [sys.executable, "-c", first + SERVE, path]
        served = subprocess.run(command, capture_output=True, text=True)
    return {"answer": served.stdout.strip(), "exit": served.returncode}


def symptom(device):
    return captured_facts(server=lambda: arm(""))


def remedy(device):
    return captured_facts(server=lambda: arm(REGISTER))


def shows(report):
    server = report.facts["server"]
    assert server["exit"] == 0, server
    if server["answer"].startswith("refused"):
        assert "Could not find schema for casebook_shop::smooth" in server["answer"], server
        return True
    assert server["answer"] == f"answered {[[1.0, 2.0, 3.0, 4.0]] * 2}", server
    return False
