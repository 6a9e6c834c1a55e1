"""The reports of a record, by their type."""

from __future__ import annotations

from typing import Literal

import msgspec

from validators.errors import CasebookError
from validators.evidence import Record
from validators.probes.report import Report

Arm = Literal["symptom", "remedy"]


def report_of(record: Record, arm: Arm) -> Report | None:
    """The report of `arm`, None where it gave none.

    Raises:
        CasebookError: it is in a shape that no probe gives it.
    """
    try:
        return msgspec.convert(getattr(record, arm), Report | None, strict=False)
    except (msgspec.ValidationError, OverflowError) as error:
        raise CasebookError(
            f"the evidence of {record.case} in {record.column} holds a report that no probe wrote "
            f"({error}); delete its line and run the case again"
        ) from None
