import importlib
import tempfile
from pathlib import Path
from unittest import mock

from torch._inductor import cpp_builder

from validators.probes import captured_facts

# What `cl /help` prints first, piped: French in Windows-1252 with a byte of its own, and English.
FRENCH = b"Compilateur d'optimisation Microsoft (R) C/C++ version\xff19.35.32216.1 pour x64"
ENGLISH = b"Microsoft (R) C/C++ Optimizing Compiler Version 19.35.32216.1 for x64"


def is_msvc(heading):
    # Torch chooses the encoding while it imports this module.
    with mock.patch("sys.platform", "win32"):
        builder = importlib.reload(cpp_builder)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "help").write_bytes(heading + b"\n")
        program = Path(folder, "cl")
        program.write_text(f"#!/bin/sh\ncat {folder}/help\n")
        program.chmod(0o755)
        return builder._is_msvc_cl(str(program))


def symptom(device):
    return captured_facts(msvc=lambda: is_msvc(FRENCH))


def remedy(device):
    return captured_facts(msvc=lambda: is_msvc(ENGLISH))


def shows(report):
    if "msvc" in report.facts:
        assert report.facts["msvc"] is True, report.facts
        return False
    assert report.facts["msvc.exception"] == "UnicodeDecodeError", report.facts
    return True
