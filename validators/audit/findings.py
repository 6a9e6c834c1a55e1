"""What an audit finds."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Kind = Literal["absent", "suspected"]


class AuditFinding(Struct, frozen=True, kw_only=True):
    """Something that a text says, and on which releases of torch that is false.

    "absent": a program asked each release. "suspected": a sentence has the words of a belief that
    the case `case` refutes; a person must read both. `line` counts from 1, in a notebook within its
    cell.
    """

    file: str
    line: int
    kind: Kind
    said: str
    false_on: tuple[str, ...] = ()
    true_on: tuple[str, ...] = ()
    case: str = ""


class Audit(Struct, frozen=True, kw_only=True):
    """What was read, and what of it is false."""

    files: int
    claims: int
    sentences: int
    releases: list[str]
    findings: list[AuditFinding]
