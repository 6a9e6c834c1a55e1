import os
import subprocess
import sys
import tempfile

from validators.probes import captured_facts

# Another job of the same machine tidies up between its tests.
TIDY = 'while sleep 0.01; do find "$0" -name "*.py" -delete; done'
PROGRAM = """
import os
import sys
import torch
import torch._inductor.config as config

os.environ["TORCHINDUCTOR_CACHE_DIR"] = sys.argv[1]
# Spares the compiles that have nothing to do with the model.
config.cpp.vec_isa_ok = True
if hasattr(config, "cpp_cache_precompile_headers"):
    config.cpp_cache_precompile_headers = False

x = torch.ones(4, 16)
try:
    print(torch.compile(lambda x: x + 1)(x).equal(x + 1))
except Exception as error:
    print(type(getattr(error, "inner_exception", error)).__name__)
"""


def serve(own):
    with tempfile.TemporaryDirectory() as top:
        shared = f"{top}/shared"
        os.mkdir(shared)  # noqa: PTH102
        folder = f"{top}/own" if own else shared
        other = subprocess.Popen(["sh", "-c", TIDY, shared])
        try:
            command = [sys.executable, "-c", PROGRAM, folder]
            done = subprocess.run(command, capture_output=True, text=True)
        finally:
            other.terminate()
            other.wait()
    return {"printed": done.stdout.strip(), "exit": done.returncode}


def symptom(device):
    return captured_facts(job=lambda: serve(own=False))


def remedy(device):
    return captured_facts(job=lambda: serve(own=True))


def shows(report):
    job = report.facts["job"]
    assert job["exit"] == 0 and job["printed"] in ("True", "FileNotFoundError"), job
    return job["printed"] == "FileNotFoundError"
