"""Processes that compile beside each other and are timed alone."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import permutations
from pathlib import Path

# Prints when it compiled, and when it was timed. It compiles for as long as it is told, once so
# many have joined.
WORKER = """
import sys, time
from pathlib import Path
from validators.probes.turns import alone, join
folder, seconds, beside = Path(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3])
def spent(seconds):
    begun = time.monotonic()
    time.sleep(seconds)
    return begun, time.monotonic()
join(folder)
(folder / f"joined-{seconds}").touch()
while len([*folder.glob("joined-*")]) < beside:
    time.sleep(0.01)
compiled = spent(seconds)
(folder / "due").touch()
with alone():
    timed = spent(0.1)
print(*compiled, *timed)
"""


def started(folder: Path, seconds: float, beside: int) -> subprocess.Popen[str]:
    """A process that compiles for so long, beside so many."""
    command = [sys.executable, "-c", WORKER, str(folder), str(seconds), str(beside)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def told(process: subprocess.Popen[str]) -> list[float]:
    """What it printed."""
    return [float(it) for it in process.communicate(timeout=60)[0].split()]


def apart(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """Whether two spans of time do not overlap."""
    return one[1] <= other[0] or other[1] <= one[0]


def test_nobody_compiles_or_is_timed_while_another_is_timed(tmp_path):
    """Those who compile share the time; a newcomer waits for all who are due."""
    first = [started(tmp_path, seconds, beside=3) for seconds in (0.3, 0.6, 3.0)]
    while not (tmp_path / "due").exists():
        time.sleep(0.01)
    time.sleep(0.5)
    runs = [told(it) for it in [*first, started(tmp_path, 0.1, beside=0)]]
    compiled = [(run[0], run[1]) for run in runs]
    timed = [(run[2], run[3]) for run in runs]
    assert not apart(compiled[0], compiled[1])
    for one, other in permutations(range(len(runs)), 2):
        assert apart(timed[one], timed[other])
        assert apart(timed[one], compiled[other])
    assert compiled[3][0] >= max(end for _, end in timed[:3])


def test_whoever_has_not_joined_waits_for_nobody():
    """A probe times at once where no run orders the turns."""
    code = "from validators.probes.turns import alone\nwith alone(): print('timed')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout == "timed\n"
