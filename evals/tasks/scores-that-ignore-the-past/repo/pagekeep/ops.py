"""The store kernel, as an op; on our machines `_store` calls the extension."""

from __future__ import annotations

import torch
from torch import Tensor


def _store(pages: Tensor, keys: Tensor, slots: Tensor) -> None:
    pages[slots] = keys.to(pages.dtype)


@torch.library.custom_op("pagekeep::store", mutates_args=())
def store(pages: Tensor, keys: Tensor, slots: Tensor) -> None:
    """Put each key into its slot."""
    _store(pages, keys, slots)


@store.register_fake
def _(pages: Tensor, keys: Tensor, slots: Tensor) -> None:
    return None
