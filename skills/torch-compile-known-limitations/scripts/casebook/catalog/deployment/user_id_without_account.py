import os
import subprocess
import sys
import tempfile

from validators.probes import captured_facts

# What a container does that runs under a number for which its /etc/passwd has no line.
PROGRAM = """
import os
os.getuid = lambda: 54321
import torch
compiled = torch.compile(torch.nn.Linear(4, 4), backend="eager")
print(tuple(compiled(torch.ones(2, 4)).shape))
"""
NAMES = ("LOGNAME", "USER", "LNAME", "USERNAME")


def serve(**variables):
    inherited = {name: value for name, value in os.environ.items() if name not in NAMES}
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**inherited, "TORCHINDUCTOR_CACHE_DIR": folder, **variables},
            capture_output=True,
            text=True,
        )
    said = done.stderr.strip().rpartition("\n")[2]
    return {"printed": done.stdout.strip(), "exit": done.returncode, "said": said}


def symptom(device):
    return captured_facts(server=serve)


def remedy(device):
    return captured_facts(server=lambda: serve(USER="service"))


def shows(report):
    server = report.facts["server"]
    if server["exit"] == 0:
        assert server["printed"] == "(2, 4)", server
        return False
    # From Python 3.13 on, getpass says it in other words.
    nameless = ("getpwuid(): uid not found", "No username set in the environment")
    assert any(words in server["said"] for words in nameless), server["said"]
    return True
