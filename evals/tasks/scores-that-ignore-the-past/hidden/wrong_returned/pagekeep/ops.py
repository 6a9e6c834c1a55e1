"""The store kernel, as an op; on our machines `_store` calls the extension."""

from __future__ import annotations

import torch
from torch import Tensor


def _store(pages: Tensor, keys: Tensor, slots: Tensor) -> None:
    pages[slots] = keys.to(pages.dtype)


@torch.library.custom_op("pagekeep::store", mutates_args=())
def store(pages: Tensor, keys: Tensor, slots: Tensor) -> Tensor:
    """Put each key into its slot."""
    _store(pages, keys, slots)
    return pages.clone()


@store.register_fake
def _(pages: Tensor, keys: Tensor, slots: Tensor) -> Tensor:
    return torch.empty_like(pages)
