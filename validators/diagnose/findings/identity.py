"""By what a finding is known again in another report."""

from __future__ import annotations

import re

from validators.diagnose.findings.finding import Finding

_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
_VERB = re.compile(r"(?: and \d+ others?)? (?:compiles?|reaches) ")
"""What follows the name of a function in findings about compiling it again."""


def cause(finding: Finding) -> tuple[str, str, str] | None:
    """The kind, the function and the cause of a function that compiles again, wherever it is.

    None for other findings: two graph breaks of one cause in one function are two findings.
    """
    if finding.kind not in ("recompile", "recompile_limit"):
        return None
    function = _VERB.split(finding.what)[0]
    known = finding.explanation
    return finding.kind, _NUMBER.sub("N", function), known.case or _NUMBER.sub("N", known.family)


def identity(finding: Finding) -> tuple[str, str, str]:
    """The kind, the code and the reason of a finding.

    Line numbers and ids of graph breaks are left out: they change between releases, and the reason
    is told without its numbers.
    """
    code = " ".join(finding.place.code.split()) if finding.place else ""
    return finding.kind, code, _NUMBER.sub("N", finding.what)
