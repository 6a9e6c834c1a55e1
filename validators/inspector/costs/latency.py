"""The part `latency`: what the first call costs to compile, whole and block by block."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from validators.inspector.differences.comparison import compared
from validators.inspector.loading.blocks import block_by_block, repeated
from validators.inspector.loading.target import Target, compiled

Found = dict[str, Any]


def whole(target: Target, options: dict[str, Any]) -> Found:
    """What the first call costs with the whole model compiled."""
    options = {"backend": "inductor", **options}
    return compared(target, lambda it: compiled(it.run, options), lambda *_: False)


def latency(target: Target, options: dict[str, Any]) -> Found:
    """What the first call costs with repeated blocks compiled one by one, and all calls' results.

    "regional" is None if no blocks repeat.
    """
    blocks = repeated(target.model)
    if not blocks:
        return {"blocks": [], "regional": None, "differences": []}
    # The whole model shares kernels with its blocks, and another part may be compiling it.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = tempfile.mkdtemp()
    options = {"backend": "inductor", **options}
    regional = compared(target, lambda it: block_by_block(it, options))
    return {
        "blocks": blocks,
        "regional": {**(regional["first"] or {}), "raised": regional["raised"]},
        "differences": regional["differences"],
    }
