import os
import subprocess
import sys

import torch

from validators.probes import captured_facts

STEPS, BAD_STEP = 5, 1


@torch.compile
def look_up(table, index):
    return table[index].square().sum(-1)


def train(device, synchronize):
    """Steps of queued work and a lookup, one of them beyond the table; prints how many ended."""
    table = torch.randn(16, 8, device=device)
    matrix = torch.eye(8192 if device == "cuda" else 8, device=device)
    indices = [torch.full((64,), 16 if i == BAD_STEP else 3, device=device) for i in range(STEPS)]
    look_up(table, indices[0])
    torch.cuda.synchronize()
    ended = 0
    try:
        for index in indices:
            for _ in range(4):
                matrix = matrix @ matrix
            look_up(table, index)
            if synchronize:
                torch.cuda.synchronize()
            ended += 1
        torch.cuda.synchronize()
    except Exception as error:
        print(ended, str(error).splitlines()[0], sep="\n", flush=True)
    # What ends with a lost context may hang or crash.
    os._exit(0)


def surfaced(device, synchronize):
    """The context is lost with the assert, so the steps have a process of their own."""
    paths = os.pathsep.join(path for path in sys.path if path)
    env = {**os.environ, "PYTHONPATH": paths, "CUDA_LAUNCH_BLOCKING": "0"}
    command = [sys.executable, __file__, device, *["synchronize"] * synchronize]
    told = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True).stdout
    step, error = told.splitlines()[-2:] or ("-1", "")
    return captured_facts(step=lambda: int(step), error=lambda: error)


def symptom(device):
    return surfaced(device, synchronize=False)


def remedy(device):
    return surfaced(device, synchronize=True)


def shows(report):
    assert "device-side assert" in report.facts["error"]
    return report.facts["step"] > BAD_STEP


if __name__ == "__main__":
    train(sys.argv[1], synchronize="synchronize" in sys.argv)
