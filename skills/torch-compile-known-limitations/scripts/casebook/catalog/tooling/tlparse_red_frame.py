import contextlib
import logging
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from torch._logging._internal import LazyTraceHandler, TorchLogsFormatter

from validators.probes import captured_facts


def refusing(graph, example_inputs):
    raise RuntimeError("no code for this graph")


@contextlib.contextmanager
def trace_in(folder):
    """What `TORCH_TRACE=folder` sets up while torch is imported."""
    log, handler = logging.getLogger("torch.__trace"), LazyTraceHandler(str(folder))
    handler.setFormatter(TorchLogsFormatter(trace=True))
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        handler.close()


def report_on(backend, device):
    """How tlparse colours the one frame of a program that is compiled by `backend`."""
    beside = str(Path(sys.executable).parent)
    tlparse = shutil.which("tlparse", path=beside) or shutil.which("tlparse")
    step = torch.compile(lambda x: x.sin() + 1, backend=backend)
    with tempfile.TemporaryDirectory() as folder:
        trace, out = Path(folder, "trace"), Path(folder, "out")
        with trace_in(trace), contextlib.suppress(torch._dynamo.exc.BackendCompilerFailed):
            step(torch.ones(3, device=device))
        (log,) = trace.iterdir()
        command = [tlparse, str(log), "-o", str(out), "--no-browser"]
        subprocess.run(command, check=True, capture_output=True)
        page = (out / "index.html").read_text()
    frames = dict(re.findall(r"href='#\[(\d+/\d+)\]' class='status-(\w+)'", page))
    colours = dict(re.findall(r"\.status-(\w+) { background-color: (\w+)", page))
    return captured_facts(
        frames=lambda: len(frames),
        colour=lambda: colours[frames["0/0"]],
    )


def symptom(device):
    return report_on(refusing, device)


def remedy(device):
    return report_on("eager", device)


def shows(report):
    return report.facts["frames"] == 1 and report.facts["colour"] == "red"
