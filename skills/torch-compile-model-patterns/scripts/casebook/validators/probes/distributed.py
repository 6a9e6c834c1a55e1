"""A process group without a second process."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import torch.distributed


@contextmanager
def process_group(backend: str = "gloo") -> Iterator[None]:
    """The default process group, with this process as its only member, until the block ends.

    DDP, FSDP and collectives work in it without a network. A proof that uses it states
    `needs: [gloo]`.
    """
    with tempfile.TemporaryDirectory() as folder:
        store = torch.distributed.FileStore(f"{folder}/store", 1)
        torch.distributed.init_process_group(backend, store=store, rank=0, world_size=1)
        try:
            yield
        finally:
            torch.distributed.destroy_process_group()
