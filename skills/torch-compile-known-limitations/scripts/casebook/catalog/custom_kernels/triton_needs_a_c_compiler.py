import os

from triton.runtime.build import compile_module_from_src

from validators.probes import captured_facts

MODULE = """
#include <Python.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "launcher", NULL, -1, NULL};
PyMODINIT_FUNC PyInit_launcher(void) { return PyModule_Create(&module); }
"""


def build():
    """What Triton does with its own `driver.c` before the first kernel runs on a GPU."""
    return compile_module_from_src(MODULE, "launcher").__name__


def symptom(device):
    os.environ.pop("CC", None)
    os.environ["PATH"] = "/nonexistent"
    return captured_facts(module=build)


def remedy(device):
    return captured_facts(module=build)


def shows(report):
    message = report.facts.get("module.message", "")
    assert report.facts.get("module") == "launcher" or "Failed to find C compiler" in message, (
        message
    )
    return message != ""
