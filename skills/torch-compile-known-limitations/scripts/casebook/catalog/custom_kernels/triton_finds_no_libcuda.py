import os
import tempfile
from pathlib import Path
from unittest import mock

from triton.backends.nvidia import driver

from validators.probes import captured_facts


def looked_up():
    """Where Triton looks for the driver's library, with a linker cache that does not list it."""
    with mock.patch.object(driver.subprocess, "check_output", lambda *_, **__: b"0 libs found"):
        return [Path(folder, "libcuda.so.1").exists() for folder in driver.libcuda_dirs()]


def on_a_machine(variables):
    folder = tempfile.mkdtemp()
    Path(folder, "libcuda.so.1").touch()
    for name in ("LD_LIBRARY_PATH", "TRITON_LIBCUDA_PATH"):
        os.environ.pop(name, None)
    os.environ.update(dict.fromkeys(variables, folder))
    return captured_facts(found=looked_up)


def symptom(device):
    return on_a_machine([])


def remedy(device):
    return on_a_machine(["TRITON_LIBCUDA_PATH"])


def shows(report):
    said = report.facts.get("found.message", "")
    if not said:
        assert report.facts["found"] == [True], report.facts
        return False
    assert said.startswith("libcuda.so cannot found!"), said
    return True
