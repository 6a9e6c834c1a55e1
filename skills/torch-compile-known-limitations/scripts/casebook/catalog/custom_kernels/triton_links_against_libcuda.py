import ctypes
import inspect
import os
import re
import subprocess
import tempfile
from pathlib import Path

from triton.backends.nvidia import driver
from triton.runtime import build as runtime

from validators.probes import captured_facts

MODULE = """
#include <Python.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "launcher", NULL, -1, NULL};
PyMODINIT_FUNC PyInit_launcher(void) { return PyModule_Create(&module); }
"""


def build():
    """What Triton does with its own C code before the first kernel runs on a GPU."""
    home = driver if hasattr(driver, "compile_module_from_src") else runtime
    compile_module = home.compile_module_from_src
    options = {"library_dirs": driver.library_dirs(), "libraries": driver.libraries}
    if "libraries" not in inspect.signature(compile_module).parameters:
        options = {}
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), 2)
        try:
            return {"built": compile_module(MODULE, "launcher", **options).__name__, "said": ""}
        except subprocess.CalledProcessError:
            log.seek(0)
            said = re.findall(r"cannot find .*|library '.*' not found.*", log.read().decode())
            return {"built": "", "said": "; ".join(said)}


def with_driver(*names):
    """A machine whose GPU driver brought its library under these names, standing in for it."""
    folder = tempfile.mkdtemp()
    library = f"{folder}/libcuda.so.1"
    command = ["gcc", "-shared", "-Wl,-soname,libcuda.so.1", "-xc", "/dev/null", "-o", library]
    subprocess.run(command, check=True)
    ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
    for name in names:
        Path(folder, name).symlink_to(library)
    os.environ["TRITON_LIBCUDA_PATH"] = folder
    return captured_facts(module=build)


def symptom(device):
    return with_driver()


def remedy(device):
    return with_driver("libcuda.so")


def shows(report):
    module = report.facts["module"]
    if module["built"]:
        return False
    assert "cannot find -lcuda" in module["said"] or "library 'cuda' not found" in module["said"]
    return True
