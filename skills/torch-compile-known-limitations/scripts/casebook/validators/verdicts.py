"""The words for what programs decide.

A verdict is "undecided" where an arm ran without a GPU and asked for what only a GPU has, or where
the interval of what it measured holds the limit.
"""

from __future__ import annotations

from typing import Literal

Verdict = Literal[
    "confirmed", "refuted", "remedy-failed", "unstable", "undecided", "skipped", "error"
]
DECIDED: tuple[Verdict, ...] = ("confirmed", "refuted", "remedy-failed")
Arm = Literal["symptom", "remedy"]
ARMS: tuple[Arm, ...] = ("symptom", "remedy")
