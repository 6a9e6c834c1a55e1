import os
import re
import time
from pathlib import Path

import torch
from torch._dynamo.utils import counters

from validators.probes import captured_facts

WAIT_SECONDS = 5


def workers():
    """The ids of the compile workers that this process started, and their children."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    ours = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return [pid for pid in ours if "compile_worker" in read(f"/proc/{pid}/cmdline")]


def read(path):
    try:
        return Path(path).read_text()
    except OSError:
        return ""


def mebibytes(pids, kind):
    """The sum over processes: "Rss" counts a shared page for each, "Pss" a part for each."""
    found = (
        re.search(rf"^{kind}:\s+(\d+)", read(f"/proc/{pid}/smaps_rollup"), re.M) for pid in pids
    )
    return sum(int(it[1]) for it in found if it) // 1024


@torch.no_grad()
def first_call(device):
    model = torch.nn.Sequential(torch.nn.Linear(16, 16), torch.nn.GELU()).to(device)
    x = torch.ones(4, 16, device=device)
    output = torch.compile(model)(x)
    torch.testing.assert_close(output, model(x))
    # The workers are started beside the compilation, and need a while to appear.
    deadline = time.monotonic() + WAIT_SECONDS
    while len(seen := workers()) < 5 and time.monotonic() < deadline:
        time.sleep(0.2)
    threads = int(os.environ["TORCHINDUCTOR_COMPILE_THREADS"])
    return {
        "threads": threads,
        "graphs": counters["stats"]["unique_graphs"],
        "workers": len(seen),
        "rss_mib": mebibytes(seen, "Rss"),
        "pss_mib": mebibytes(seen, "Pss"),
    }


def symptom(device):
    return captured_facts(first_call=lambda: first_call(device))


def remedy(device):
    return captured_facts(first_call=lambda: first_call(device))


def shows(report):
    seen = report.facts["first_call"]
    assert seen["graphs"] == 1, seen
    if not seen["workers"]:
        return False
    # One that hands out the work, and one for each thread.
    return seen["workers"] == seen["threads"] + 1 and seen["pss_mib"] > 50
