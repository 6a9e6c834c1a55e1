"""By what a finding is known again in another report."""

from __future__ import annotations

import re

from validators.diagnose.findings import Finding

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def identity(finding: Finding) -> tuple[str, str, str]:
    """The kind, the code and the reason of a finding.

    Line numbers and ids of graph breaks are left out: they change between releases, and the reason
    is told without its numbers.
    """
    code = " ".join(finding.place.code.split()) if finding.place else ""
    return finding.kind, code, _NUMBER.sub("N", finding.what)
