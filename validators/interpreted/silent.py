"""A silent error's program, whose compiled code is the GPU's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from validators.inspector.silent import computed
from validators.interpreted import code
from validators.pretended.install import install
from validators.probes import cuda


def silent(request: dict[str, Any]) -> dict[str, Any]:
    """What the program of the request computes, as `validators.inspector.silent` tells it.

    A program that names the GPU for its tensors gets the CPU in its place. What raises has "failed"
    here, for the interpreter may be to blame.
    """
    install()
    code.install()
    # The probes would ask for memory that nobody has.
    cuda.memory = dict
    program = Path(request["target"].rpartition(":")[0])
    copy = Path(request["cache"]).with_name(program.name)
    text = program.read_text(encoding="utf-8").replace('"cuda"', '"cpu"')
    copy.write_text(text, encoding="utf-8")
    found = computed.silent({**request, "target": f"{copy}:call"})
    if found.get("instead") == "raises":
        found["instead"] = ""
    return {**found, "verdict": "failed"} if found["verdict"] == "raises" else found
