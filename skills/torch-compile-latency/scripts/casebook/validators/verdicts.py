"""The words for what programs decide."""

from __future__ import annotations

from typing import Literal

Verdict = Literal["confirmed", "refuted", "remedy-failed", "unstable", "skipped", "error"]
DECIDED: tuple[Verdict, ...] = ("confirmed", "refuted", "remedy-failed")
Arm = Literal["symptom", "remedy"]
ARMS: tuple[Arm, ...] = ("symptom", "remedy")
