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


def branch(x):
    if x.sum() > 0:
        return x * 2
    return x - 1


def call(x):
    x = x * 2
    print(end="")
    return x + 1


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


def report_on(function, device):
    """How tlparse colours the frames of a function that breaks once and meets two sizes."""
    beside = str(Path(sys.executable).parent)
    tlparse = shutil.which("tlparse", path=beside) or shutil.which("tlparse")
    step = torch.compile(function, backend="eager")
    with tempfile.TemporaryDirectory() as folder:
        trace, out = Path(folder, "trace"), Path(folder, "out")
        with trace_in(trace):
            for size in (3, 4):
                step(torch.ones(size, device=device))
        (log,) = trace.iterdir()
        command = [tlparse, str(log), "-o", str(out), "--no-browser"]
        subprocess.run(command, check=True, capture_output=True)
        page, written = (out / "index.html").read_text(), log.read_text()
    frames = dict(re.findall(r"href='#\[(\d+/\d+)\]' class='status-(\w+)'", page))
    return captured_facts(
        first=lambda: frames.get("0/0"),
        recompiled=lambda: "0/1" in frames,
        breaks=lambda: written.count('"dynamo_graph_break_reason"'),
        colours=lambda: dict(re.findall(r"\.status-(\w+) { background-color: (\w+)", page)),
    )


def symptom(device):
    return report_on(branch, device)


def remedy(device):
    return report_on(call, device)


def shows(report):
    facts = report.facts
    green = facts["colours"] == {**facts["colours"], "break": "lime", "ok": "green"}
    assert green and facts["recompiled"] and facts["breaks"] > 0
    return {"ok": True, "break": False}[facts["first"]]
