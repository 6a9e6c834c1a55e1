"""What two reports measured, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from validators.diagnose.findings.comparison import Verdict
from validators.diagnose.findings.finding import Diagnosis, Part

Found = dict[str, Any]


@dataclass(frozen=True)
class Sides:
    """Two reports of `diagnose`."""

    before: Diagnosis
    after: Diagnosis

    def measured(self, part: str) -> tuple[Found | None, Found | None]:
        """What a part measured before and after; None where it has no result."""
        return _measured(self.before, part), _measured(self.after, part)

    def both(self, part: str) -> bool:
        """Whether a part has a result before and after."""
        return None not in self.measured(part)

    def missing(self, part: str) -> tuple[Verdict, str]:
        """The verdict on what a part would tell that lacks a result, and why.

        A part that had a result and now fails is worse.
        """
        was, _ = self.measured(part)
        failure = next((it.failure for it in self.after.parts if it.name == part), "")
        if was is not None and failure:
            return "worse", f"the part {part} has no result any more: {failure}"
        return "missing", f"the part {part} has no result {'after' if was else 'before'}"


def has_result(part: Part) -> bool:
    """Whether a part measured something; it may say why it withholds that."""
    return not part.failure and not part.measured.get("withheld")


def _measured(diagnosis: Diagnosis, name: str) -> Found | None:
    found = (it.measured for it in diagnosis.parts if it.name == name and has_result(it))
    return next(found, None)
