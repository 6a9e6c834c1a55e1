"""Marks on the sizes of fake inputs, which torch takes for those of another trace."""

from __future__ import annotations

from typing import Any

from torch.fx.experimental.symbolic_shapes import ShapeEnv, is_symbolic


def install() -> None:
    """Have `mark_unbacked` hold for inputs whose sizes are plain numbers."""
    real = getattr(ShapeEnv, "transfer_symbols_from_foreign_shape_env", None)
    if real is None:
        return

    def transfer(
        self: ShapeEnv, sizes: Any, strides: Any, storage_offset: Any, source: Any, **given: Any
    ) -> Any:
        plain = not any(is_symbolic(it) for it in (*sizes, *strides, storage_offset))
        if given.get("symbolic_context") is None or not plain:
            return real(self, sizes, strides, storage_offset, source, **given)
        dynamic = [False] * len(sizes)
        return self._create_symbolic_sizes_strides_storage_offset(
            tuple(sizes), tuple(strides), storage_offset, dynamic, source, **given
        )

    ShapeEnv.transfer_symbols_from_foreign_shape_env = transfer
