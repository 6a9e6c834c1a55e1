"""Python imports this at its start; at its end the process writes down its peak memory.

The peak that the kernel tells a parent includes the child's memory before it became a program.
"""

import atexit
import json
import os
import re
import sys
from pathlib import Path


def _say() -> None:
    status = Path("/proc/self/status").read_text()
    peak = re.search(r"^VmHWM:\s*(\d+) kB$", status, re.MULTILINE)
    name = Path(sys.argv[0])
    ran = name.parent.name if name.name == "__main__.py" else name.name
    said = {"ran": ran, "megabytes": int(peak[1]) * 1024 / 1e6 if peak else 0.0}
    Path(os.environ["CASEBOOK_PEAKS"], f"{os.getpid()}.json").write_text(json.dumps(said))


if "CASEBOOK_PEAKS" in os.environ:
    atexit.register(_say)
