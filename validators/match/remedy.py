"""What an answer says of a case: its remedy in one line, and whether the claim holds there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from validators.catalog import Case, expected_to_hold
from validators.evidence.known import Known
from validators.evidence.record import DECIDED
from validators.versions import version_of

_NO_TEXT = re.compile(r"<!--.*?-->|^```.*?^```$|\s+", re.DOTALL | re.MULTILINE)
_SENTENCE = re.compile(r"(.+?[.:])(?= [A-Z`]|$)")
_PYTHON = "3.12"
"""Where a claim holds depends on Python in few cases, and no log says which it was."""


def remedy_line(case: Case) -> str:
    """The first sentence of the page's remedy, as plain text."""
    text = _NO_TEXT.sub(" ", case.sections.get("Remedy", ""))
    text = " ".join(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).split())
    found = _SENTENCE.match(text)
    return (found[1] if found else text).replace("`case:", "`")


def there(case: Case, torch: str, records: Iterable[Known]) -> str:
    """What is known of the claim on the release `torch`; "" where none is named.

    What programs decided there comes first, then where the fix is, then what the page expects.
    """
    if not torch:
        return ""
    decided = [
        f"{record.verdict} on {record.column}"
        for record in sorted(records, key=lambda it: it.column)
        if record.verdict in DECIDED
        and f"{record.fingerprint.torch}.".replace("+", ".").startswith(f"{torch}.")
    ]
    if decided:
        return ", ".join(decided)
    fixes = [it.fixed_in for it in case.meta.upstream if it.fixed_in]
    if fixed := [fix for fix in fixes if version_of(torch) >= version_of(fix)]:
        return f"fixed in {fixed[0]}"
    holds = any(expected_to_hold(case.meta, torch, it, _PYTHON) for it in case.meta.devices)
    return f"not run on torch {torch}, {'where it is' if holds else 'and not'} expected to hold"
