"""torch's structured trace as a file, in a process that has imported torch already."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator

from torch._logging import _internal


@contextlib.contextmanager
def written_trace(folder: str) -> Iterator[None]:
    """Write what `TORCH_TRACE=folder` would, until the block ends; nothing if `folder` is ""."""
    if not folder:
        yield
        return
    handler = _internal.LazyTraceHandler(folder)
    handler.setFormatter(_internal.TorchLogsFormatter(trace=True))
    logger = logging.getLogger("torch.__trace")
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        handler.close()
