"""What a text complains of: the same symptom in a query and on a page speaks for the page."""

from __future__ import annotations

import re

from validators.match.language.rules import RULES

_SYMPTOMS = {name: re.compile(pattern, re.ASCII) for name, pattern in RULES.symptoms.items()}


def symptoms_of(text: str) -> frozenset[str]:
    """The symptoms that a text names in its own words; none if it names no symptom."""
    lowered = text.lower()
    return frozenset(name for name, it in _SYMPTOMS.items() if it.search(lowered))


def differ(asked: frozenset[str], told: frozenset[str]) -> bool:
    """Whether both texts name symptoms and share none."""
    return bool(asked and told and not asked & told)
