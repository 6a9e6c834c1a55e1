import os
import re
import subprocess
import sys
import tempfile

from validators.probes import captured_facts

PROGRAM = """
import torch
compiled = torch.compile(torch.nn.Linear(4, 4))
print(tuple(compiled(torch.ones(2, 4)).shape))
"""


def serve(folder):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "TORCHINDUCTOR_CACHE_DIR": folder},
        capture_output=True,
        text=True,
    )
    # Older releases print advice below the error.
    errors = re.findall(r"^\w+Error(?=:)", done.stderr, re.MULTILINE)
    said = errors[-1] if errors else ""
    return {"printed": done.stdout.strip(), "exit": done.returncode, "said": said}


def symptom(device):
    # Below a file no folder can be made, whoever asks; root could make one anywhere else.
    with tempfile.NamedTemporaryFile() as file:
        return captured_facts(server=lambda: serve(f"{file.name}/cache"))


def remedy(device):
    with tempfile.TemporaryDirectory() as folder:
        return captured_facts(server=lambda: serve(f"{folder}/cache"))


def shows(report):
    server = report.facts["server"]
    if server["exit"] == 0:
        assert server["printed"] == "(2, 4)", server
        return False
    assert server["said"] == "NotADirectoryError", server
    return True
