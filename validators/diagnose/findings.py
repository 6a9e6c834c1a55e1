"""What a diagnosis and a verified fix find, as data."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

Kind = Literal[
    "crash",
    "wrong_results",
    "recompile_limit",
    "eager_call",
    "graph_break",
    "recompile",
    "dynamic_dim",
    "compile_time",
    "static",
]
ORDER: tuple[Kind, ...] = (
    "crash",
    "wrong_results",
    "eager_call",
    "recompile_limit",
    "graph_break",
    "recompile",
    "dynamic_dim",
    "compile_time",
    "static",
)
"""What a finding costs, the most first: code that does not run before code that runs slowly."""
Known = Literal["explained", "suspected", "unknown"]


class Place(Struct, frozen=True):
    """A line of the user's code; `code` is its text, "" if the file cannot be read."""

    file: str
    line: int
    code: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Explanation(Struct, frozen=True):
    """The case that explains a finding.

    "explained": a program confirmed the case on the user's release of torch, and what torch printed
    fits a signature of its page, and no other limitation is about the same type of graph break.
    "suspected": less than that. "unknown": no case does;
    `family` is what torch calls it.
    """

    known: Known
    family: str = ""
    case: str = ""
    title: str = ""
    fix: str = ""
    there: str = ""


class Finding(Struct, frozen=True):
    """One trouble, with all its occurrences.

    `cost` says in words what it costs, `weight` orders findings of one kind. `stack` holds the
    frames of the user's code that led to `place`, innermost first.
    """

    kind: Kind
    what: str
    cost: str
    explanation: Explanation
    count: int = 1
    weight: float = 0.0
    place: Place | None = None
    stack: list[Place] = []
    text: str = ""


class Part(Struct, frozen=True):
    """One diagnostic: how long it took, why it failed ("" if it did not), and what it measured."""

    name: str
    seconds: float
    failure: str
    measured: dict[str, Any]


class Diagnosis(Struct, kw_only=True):
    """`diagnose --json`: the findings, those that cost most first, and what each part measured."""

    target: str
    torch: str
    python: str
    column: str
    calls: int
    trains: bool
    findings: list[Finding]
    parts: list[Part]


class Health(Struct, frozen=True):
    """What the compiler did to a target over two rounds of calls.

    `compiled` is the part of a warm pass's ops that runs in compiled graphs, null if it is not
    known. `raised` is the exception that ended the calls, or "".
    """

    graphs: int
    breaks: int
    recompiles: int
    limits: int
    compiled: float | None
    raised: str


class Verification(Struct, kw_only=True):
    """`verify-fix --json`: both healths, and why the fix is refused; it is verified if nothing is.

    `made_up` counts the calls that follow from the first target's own: the same in reverse, other
    values, other orders of rows, one row more.
    """

    before: Health
    after: Health
    calls: int
    made_up: int
    better: list[str]
    refused: list[str]


def in_order(findings: list[Finding]) -> list[Finding]:
    """The findings, those that cost most first."""
    return sorted(findings, key=lambda it: (ORDER.index(it.kind), -it.weight, -it.count))
