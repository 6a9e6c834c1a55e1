import subprocess
import tempfile
from pathlib import Path

import torch
import torch._inductor.config as config

from validators.probes import observe


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


def first_request(device, compiler):
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU()).to(device)
    x = torch.ones(4, 16, device=device)
    with config.patch({"cpp.cxx": (compiler,)}):
        return observe(model, [(x,)], backend="inductor", compare=["eager"])


def symptom(device):
    return first_request(device, without_openmp("g++"))


def remedy(device):
    return first_request(device, "g++")


def shows(report):
    if report.exception is None:
        assert report.calls[0].difference.eager < 1e-4, report.calls
        return False
    said = report.exception.message
    assert "C++ compile error" in said, said
    assert "omp.h: No such file" in said or "'omp.h' file not found" in said, said
    return True
