"""What `patch` finds, as data."""

from __future__ import annotations

from dataclasses import dataclass

from validators.diagnose.findings.finding import Place, Verification


@dataclass(kw_only=True)
class Offered:
    """A change: what it does at `place` by which rule and case, and what `verify-fix` says of it.

    `better` says what it improves. `refused` says why it is not offered; it is empty if it is.
    """

    rule: str
    case: str
    place: Place
    what: str
    better: list[str]
    refused: list[str]


@dataclass(kw_only=True)
class LeftAlone:
    """A place that a rule looked at and left as it is."""

    rule: str
    place: Place
    reason: str


@dataclass(kw_only=True)
class Advice:
    """What would help and cannot be verified by itself; `place` is null if it is for the caller."""

    case: str
    place: Place | None
    text: str


@dataclass(kw_only=True)
class Written:
    """A file that was changed, and the copy of what it was."""

    file: str
    backup: str


@dataclass(kw_only=True)
class Patch:
    """`patch --json`: the changes, and the diff of those that are offered.

    `together` verifies all offered changes at once; null if there is none. `diff` holds the
    user's own lines as they are, so that it can be applied. `failure` says why the part
    `breaks` of the diagnosis gave no result, "" if it did.
    """

    target: str
    torch: str
    changes: list[Offered]
    left: list[LeftAlone]
    advice: list[Advice]
    together: Verification | None
    diff: str
    written: list[Written]
    failure: str
