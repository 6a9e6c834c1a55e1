"""The name of a column, as data holds it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

COLUMN_PATTERN = r"^torch-[0-9][0-9a-z.!]*-[a-z0-9-]+$(?!\n)"
ColumnName = Annotated[str, Meta(pattern=COLUMN_PATTERN)]
