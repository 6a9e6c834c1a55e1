import re
import subprocess
import tempfile
from pathlib import Path

import torch
import torch._inductor.config as config
from torch._dynamo.exc import TorchDynamoException

from validators.probes import captured_facts


def searched_by(compiler):
    command = [compiler, "-E", "-v", "-xc++", "/dev/null"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    listed = said.partition("#include <...> search starts here:")[2]
    return [Path(line) for line in listed.partition("End of search list.")[0].split()]


def without_openmp(compiler):
    """The same compiler, but its folders of headers hold no omp.h."""
    home = Path(tempfile.mkdtemp())
    options = ["-nostdinc", "-nostdinc++"]
    for number, folder in enumerate(searched_by(compiler)):
        if (folder / "omp.h").exists():
            kept = home / str(number)
            kept.mkdir()
            for header in folder.iterdir():
                if header.name != "omp.h":
                    (kept / header.name).symlink_to(header)
            folder = kept
        options += ["-isystem", str(folder)]
    script = home / "g++"
    script.write_text(f'#!/bin/sh\nexec {compiler} {" ".join(options)} "$@"\n')
    script.chmod(0o755)
    return str(script)


def answer(model, x):
    """What the first request gets; of a compiler's complaint, what is the same everywhere."""
    try:
        right = torch.allclose(torch.compile(model)(x), model(x), atol=1e-4)
    except TorchDynamoException as error:
        said = re.findall(r"C\+\+ compile error|fatal error: .*", str(error))
        return {"answered": False, "said": "; ".join(said)}
    return {"answered": right, "said": ""}


def first_request(device, compiler):
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU()).to(device)
    x = torch.ones(4, 16, device=device)
    with config.patch({"cpp.cxx": (compiler,)}):
        return captured_facts(request=lambda: answer(model, x))


def symptom(device):
    return first_request(device, without_openmp("g++"))


def remedy(device):
    return first_request(device, "g++")


def shows(report):
    request = report.facts["request"]
    if not request["said"]:
        assert request["answered"], request
        return False
    missing = ("omp.h: No such file", "omp.h' file not found")
    assert request["said"].startswith("C++ compile error; "), request
    assert any(words in request["said"] for words in missing), request
    return True
