"""What a diagnosis and a verified fix find, as data."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

from validators.diagnose.findings.comparison import Comparison

Kind = Literal[
    "crash",
    "wrong_results",
    "recompile_limit",
    "eager_call",
    "graph_break",
    "recompile",
    "dynamic_dim",
    "cudagraphs",
    "spills",
    "guard_cost",
    "compile_time",
    "message",
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
    "cudagraphs",
    "spills",
    "guard_cost",
    "compile_time",
    "message",
    "static",
)
"""What a finding costs, the most first: code that does not run before code that runs slowly."""
Known = Literal["explained", "suspected", "unknown"]
Severity = Literal["high", "medium", "low"]
_SEVERITY: dict[Kind, Severity] = {
    "crash": "high",
    "wrong_results": "high",
    "eager_call": "high",
    "recompile_limit": "high",
    "compile_time": "low",
    "static": "low",
}
"""How severe a finding is of which no case tells."""


@dataclass(frozen=True)
class Place:
    """A line of the user's code; `code` is its text, "" if the file cannot be read."""

    file: str
    line: int
    code: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Explanation:
    """The case that explains a finding.

    "explained": a program confirmed the case on the user's release of torch, what torch printed
    fits a signature of its page and the user's line its `code`, and no other limitation about the
    same type of graph break fits as well. "suspected": less than that. "unknown": no case does;
    `family` is what torch calls it. `severity` is the case's. `example` says that `fix` has
    names of the case's own example.
    """

    known: Known
    family: str = ""
    case: str = ""
    title: str = ""
    fix: str = ""
    there: str = ""
    severity: Severity | None = None
    example: bool = False


@dataclass(frozen=True)
class Excerpt:
    """Lines of a file in a row; `first` is the number of the first one."""

    first: int
    lines: list[str]


@dataclass(frozen=True)
class Avoided:
    """A setting with which a wrong call computed what eager mode does, and Inductor's kernels."""

    setting: str
    kernels: int


@dataclass(frozen=True)
class Located:
    """Where a wrong result comes from, as far as trials tell.

    `backend` is the first of torch's compilers that shows it, `right` the one before, "" for none.
    With `cached`, only a warm cache shows it. `subsystem`, `application` and `detail` are what
    torch's own bisector finds. `ops` is a smallest run of ops that shows it where only they are
    compiled, and `program` one that shows it by itself, "" if there is none. `apart` says whether
    all is right where only the ops are not compiled, null if nobody tried. `module` must stay eager
    for all to be right, "" if none is known. `avoided` holds those of the `tried` settings that
    avoid it; `kernels` are Inductor's without any. `late` says that time ended first. `known` tells
    of the silent errors that are recorded with these ops.
    """

    backend: str
    right: str
    cached: bool
    subsystem: str
    application: int
    detail: str
    ops: list[str]
    program: str
    apart: bool | None
    module: str
    kernels: int
    avoided: list[Avoided]
    tried: int
    late: bool
    known: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Finding:
    """One trouble, with all its occurrences.

    `cost` says in words what it costs, `weight` orders findings of one kind. `stack` holds the
    frames of the user's code that led to `place`, innermost first. `excerpt` holds the lines around
    `place`, null if its file cannot be read. `because` names the trouble, such as a graph break,
    without which there would be no such one, "" for a trouble of its own; `follows` is the place
    of that trouble, null if it has none. `located` says where a wrong result comes from, null of
    another trouble, or if nobody looked. `tried` says what the settings that the fix names did to
    the target.
    """

    kind: Kind
    what: str
    cost: str
    explanation: Explanation
    count: int = 1
    weight: float = 0.0
    place: Place | None = None
    stack: list[Place] = field(default_factory=list)
    text: str = ""
    excerpt: Excerpt | None = None
    severity: Severity = "medium"
    follows: Place | None = None
    because: str = ""
    located: Located | None = None
    tried: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Belief:
    """Lines that people believe to be trouble, and that a case acquits."""

    places: list[Place]
    explanation: Explanation


@dataclass(frozen=True)
class Part:
    """One diagnostic: how long it took, why it failed ("" if it did not), and what it measured."""

    name: str
    seconds: float
    failure: str
    measured: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.name}: {self.failure or f'{self.seconds:.1f} s'}"


@dataclass(kw_only=True)
class Diagnosis:
    """`diagnose --json`: the findings, those that cost most first, and what each part measured.

    `beliefs` are lines that need no change, whatever one reads about them.
    `command` makes the diagnosis again. `against` compares it with an older one, if asked for.
    """

    target: str
    torch: str
    python: str
    column: str
    calls: int
    trains: bool
    findings: list[Finding]
    parts: list[Part]
    beliefs: list[Belief] = field(default_factory=list)
    command: str = ""
    against: Comparison | None = None


@dataclass(frozen=True)
class Health:
    """What the compiler did to a target over two rounds of calls.

    `compiled` is the part of a warm pass's ops that runs in compiled graphs, null if it is not
    known. `raised` is the exception that ended the calls, or "". `work` counts, for each call that
    was measured, the additions and multiplications of its products of matrices and the elements of
    other ops, and `outside` the part of it that no graph computes. `operators` names the custom
    operators in its graphs. `failed` says how the calls fail under the backend that results are
    compared with, "" if they do not, or nobody asked. `cold` is the exception that ends them in a
    new process and that calls in eager mode before them prevent, or "".
    """

    graphs: int
    breaks: int
    recompiles: int
    limits: int
    compiled: float | None
    raised: str
    work: dict[str, int] = field(default_factory=dict)
    outside: dict[str, int] = field(default_factory=dict)
    operators: list[str] = field(default_factory=list)
    failed: str = ""
    cold: str = ""


@dataclass(frozen=True)
class Steady:
    """How many times as long as before a warm round of the calls takes: an interval.

    `noise` is that of the first target against itself. "decided" says that the two are apart.
    `withheld` says why nothing was timed, or is "".
    """

    low: float = 0.0
    high: float = 0.0
    noise: tuple[float, float] = (0.0, 0.0)
    decided: bool = False
    withheld: str = ""


@dataclass(kw_only=True)
class Verification:
    """`verify-fix --json`: both healths, and why the fix is refused; it is verified if nothing is.

    `made_up` counts the calls that follow from the first target's own: the same once more, other
    values, other orders of rows, other sizes, other dtypes, other parameters. `named` is what one
    should know of the change, and decides nothing. `steady` is null if nothing was timed.
    """

    before: Health
    after: Health
    calls: int
    made_up: int
    better: list[str]
    refused: list[str]
    named: list[str] = field(default_factory=list)
    partial: str = ""
    steady: Steady | None = None


def in_order(findings: list[Finding]) -> list[Finding]:
    """The findings with their severity, those that cost most first."""
    graded = [replace(it, severity=_severity(it)) for it in findings]
    return sorted(graded, key=lambda it: (ORDER.index(it.kind), -it.weight, -it.count))


def _severity(finding: Finding) -> Severity:
    """Of a crash it is high, whatever the case says of its own setting."""
    own = _SEVERITY.get(finding.kind)
    return "high" if own == "high" else finding.explanation.severity or own or "medium"
