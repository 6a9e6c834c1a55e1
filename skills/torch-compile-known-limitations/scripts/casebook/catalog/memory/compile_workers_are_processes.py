import os
import re
import time
from pathlib import Path

import torch
from torch._dynamo.utils import counters

from validators.probes import captured_facts


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


def running(number):
    """The ids of the workers; if there are any, once there are so many.

    The first is a child of this process from the start. It forks the others when it has imported
    torch, however long that takes: only the time limit of the arm ends the wait.
    """
    while 0 < len(seen := workers()) < number:
        time.sleep(0.2)
    return seen


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
    # No kernel has to be generated for it: whether workers start does not depend on that.
    model = torch.nn.Linear(16, 16).to(device)
    x = torch.ones(4, 16, device=device)
    output = torch.compile(model)(x)
    torch.testing.assert_close(output, model(x))
    threads = int(os.environ["TORCHINDUCTOR_COMPILE_THREADS"])
    seen = running(threads + 1)
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
