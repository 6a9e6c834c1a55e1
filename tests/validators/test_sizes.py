"""Bytes in words."""

from __future__ import annotations

import pytest

from validators.sizes import size


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (33152, "32.4 KiB"),
        (1_023_000, "999 KiB"),
        (1_023_700, "1000 KiB"),
        (80 * 2**30, "80 GiB"),
    ],
)
def test_sizes_have_three_digits(count, said) -> None:
    """Bytes are whole numbers, and no size has an exponent."""
    assert size(count) == said
