import os
import re
import subprocess
import sys
import sysconfig
import tempfile

from triton.runtime.build import compile_module_from_src

from validators.probes import captured_facts

MODULE = """
#include <Python.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "launcher", NULL, -1, NULL};
PyMODINIT_FUNC PyInit_launcher(void) { return PyModule_Create(&module); }
"""
HEADERS = sysconfig.get_path("include", "posix_prefix")


def build():
    """What Triton does with its own `driver.c` before the first kernel runs on a GPU."""
    with tempfile.TemporaryFile() as log:
        os.dup2(log.fileno(), sys.stderr.fileno())
        try:
            return {"built": compile_module_from_src(MODULE, "launcher").__name__, "said": ""}
        except subprocess.CalledProcessError:
            log.seek(0)
            return {"built": "", "said": log.read().decode()}


def build_without_headers():
    # Where a Python without its headers would have them, there is nothing.
    sysconfig.get_config_vars()["installed_base"] = tempfile.mkdtemp()
    return captured_facts(module=build)


def symptom(device):
    return build_without_headers()


def remedy(device):
    os.environ["C_INCLUDE_PATH"] = HEADERS
    return build_without_headers()


def shows(report):
    module = report.facts["module"]
    missing = re.search(r"Python\.h(?:: No such file|' file not found)", module["said"])
    assert module["built"] or missing, module["said"]
    return not module["built"]
