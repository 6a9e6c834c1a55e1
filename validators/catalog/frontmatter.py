"""The front matter of a case's page: typed, and an error names the file and the line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, get_args

from msgspec import Meta, Struct

from validators.catalog.page import InvalidPage, line_of, parse_fields, split_page
from validators.catalog.patterns import defect_of
from validators.errors import Problem

Text = Annotated[str, Meta(pattern=r"\S")]
Slug = Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9_]*$(?!\n)")]
OptionalSlug = Annotated[str, Meta(pattern=r"^(?:[a-z0-9][a-z0-9_]*)?$(?!\n)")]
Variable = Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$(?!\n)")]
_RELEASE = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})*")
_BOUNDS = re.compile(rf"(?:[<>]=?|[!=]=){_RELEASE.pattern}(?:,(?:[<>]=?|[!=]=){_RELEASE.pattern})*")
# Literals, escaped marks and `.*`: a pattern of these alone is valid, and need not be compiled.
_PLAIN_PATTERN = re.compile(r"(?:[^\\.*+?{}()\[\]|]|\\[^\w\s]|\.[*+]?(?![*+?{]))*")
ArmName = Literal["symptom", "remedy"]
DEFAULT_MEMORY = 4096
DEFAULT_CPU_SECONDS = 10
DEFAULT_LOGS = "graph_breaks,recompiles,cudagraphs"
Device = Literal["cpu", "cuda"]
Kind = Literal["limitation", "practice", "retraction"]
Severity = Literal["low", "medium", "high"]
SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low")
"""The worst first."""
Decidable = Literal["tracing", "kernels"]
Limit = Literal["calls", "sizes", "items", "dtype", "grad", "no_grad", "inference_mode", "instance"]
LIMITS: tuple[Limit, ...] = get_args(Limit)
"""What a soak varies: up to where a fix holds."""


class Holds(Struct, frozen=True, forbid_unknown_fields=True):
    """Where *confirmed* is expected: PEP 440 specifiers, and a device; empty means any."""

    torch: str = ""
    device: Device | Literal[""] = ""
    python: str = ""


class GraphBreakRef(Struct, frozen=True, forbid_unknown_fields=True):
    """The registry entry that a case is about: its id, which releases may change, and its type."""

    id: Annotated[str, Meta(pattern=r"^GB[0-9]{4}$(?!\n)")]
    type: Text


class Upstream(Struct, frozen=True, forbid_unknown_fields=True):
    """An upstream issue or pull request, with the first torch release that has the fix."""

    issue: Text
    fixed_in: str = ""


class Leaves(Struct, frozen=True, forbid_unknown_fields=True):
    """What a remedy leaves on purpose: at most this many breaks and recompiles, or an exception."""

    graph_breaks: Annotated[int, Meta(ge=0)] = 0
    recompiles: Annotated[int, Meta(ge=0)] = 0
    exception: bool = False


class Doubt(Struct, frozen=True, forbid_unknown_fields=True):
    """Releases on which another program shows trouble of the claim's kind, and which trouble."""

    torch: Text
    why: Text


class ExampleOn(Struct, frozen=True, forbid_unknown_fields=True):
    """The releases or the device that the example is for, and why others cannot show the same."""

    why: Text
    torch: str = ""
    device: Literal["cuda"] | None = None

    @property
    def where(self) -> str:
        """What it is for, in words."""
        device = "a GPU" if self.device else ""
        return " and ".join(filter(None, [self.torch and f"torch {self.torch}", device]))


class Cost(Struct, frozen=True, forbid_unknown_fields=True):
    """CPU seconds that both arms together may take if the usual ten are too few, and why."""

    cpu_seconds: Annotated[int, Meta(gt=DEFAULT_CPU_SECONDS, le=86_400)]
    why: Text


class FrontMatter(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What people write about a case; what a program can compute is never typed here.

    `summary` tells lists what happens, in one sentence. `fix` is one instruction that can be
    carried out as it stands. Only the page shows the exact claim.
    `limits` says of each variation of its calls under which the fix does not hold what happens
    then; it stands behind the `fix`.
    `timeout` is in seconds per arm, `memory` in MiB per arm. On a GPU with less than `gpu_memory`
    MiB the case is skipped. If there are `gpus`, the claim has no meaning on others. `env` is set
    per arm before the interpreter starts, so each arm gets a new interpreter; `fresh` asks for one
    without setting anything. `exclusive` arms measure time: each is timed alone. `cost` asks for
    more CPU seconds than the default. `asked` is what people write who have the problem and do not
    know its name.
    `torch_logs` is the TORCH_LOGS that the page's example runs with. `example_line` is the pattern
    of what its *before* prints, if no signature matches that. `example_on` limits the example to
    some releases. `sides_differ` says why its programs compute different things without compiling.
    `alike` names the cases that lines with a signature may lead to first, and why.
    `code` has patterns of the user's line at which torch points, where a signature fits other
    causes, too. `signatures_from` says whose lines the signatures match, if the symptom prints none
    of them.
    `compiled` says that compiling for a GPU decides the claim there, without a GPU: it is about
    "tracing" (graphs, breaks, guards) or about "kernels", library calls and skipped CUDA graphs.
    `about: message` says that `shows` reads the words of a message or the name of a type, so that
    it does not know trouble that a release words otherwise.
    `backend` names the only backend that the claim is about. `leaves` says what trouble the remedy
    leaves, `results` why an arm's results differ from eager's, and `uncompiled` why the claim is
    confirmed without compiling, too. `eager_raises` says that what the case is about raises without
    compiling as well, so that it explains no crash of what runs. `training` says what becomes of
    the claim if its calls train. `since` names what brought the symptom to the first release that
    shows it. `doubts` name releases on which the proof shows nothing and does not decide.
    """

    claim: Text
    summary: str = ""
    fix: str = ""
    limits: dict[Limit, Text] = {}
    kind: Kind
    severity: Severity
    devices: Annotated[list[Device], Meta(min_length=1)]
    compiled: Decidable | Literal[""] = ""
    believed: str = ""
    needs: list[str] = []
    holds: list[Holds] = []
    since: str = ""
    doubts: list[Doubt] = []
    about: Literal["message", ""] = ""
    backend: OptionalSlug = ""
    leaves: Leaves | None = None
    results: dict[ArmName, Text] = {}
    uncompiled: str = ""
    eager_raises: bool = False
    training: str = ""
    env: dict[ArmName, dict[Variable, str]] = {}
    fresh: bool = False
    exclusive: bool = False
    timeout: Annotated[float, Meta(gt=0, le=86_400)] = 120.0
    torch_logs: str = DEFAULT_LOGS
    example_line: str = ""
    example_on: ExampleOn | None = None
    sides_differ: str = ""
    memory: Annotated[int, Meta(gt=0, le=2**24)] = DEFAULT_MEMORY
    gpu_memory: Annotated[int, Meta(ge=0, le=2**24)] = 0
    gpus: list[Annotated[str, Meta(pattern=r"^[a-z0-9]+$(?!\n)")]] = []
    cost: Cost | None = None
    signatures: list[Text] = []
    signatures_from: str = ""
    code: list[Text] = []
    alike: dict[Slug, Text] = {}
    asked: list[Text] = []
    graph_break: GraphBreakRef | None = None
    upstream: list[Upstream] = []
    sources: list[Text] = []
    aliases: list[Slug] = []
    withdrawn: str = ""
    superseded_by: str = ""

    @property
    def cpu_budget(self) -> int:
        """The CPU seconds that both arms together may take on an idle core."""
        return self.cost.cpu_seconds if self.cost else DEFAULT_CPU_SECONDS

    @property
    def always_fresh(self) -> bool:
        """Whether the arms need an interpreter of their own."""
        return self.fresh or bool(self.env)


def read_page(path: Path) -> tuple[FrontMatter, str, int]:
    """The front matter of the page at `path`, its Markdown body, and the body's first line number.

    Raises:
        InvalidPage: the file is not text or too large, or its front matter is missing or wrong.
        OSError: the file cannot be read.
    """
    source, body, body_line = split_page(path)
    return parse_front_matter(path, source), body, body_line


def parse_front_matter(path: Path, source: str) -> FrontMatter:
    """Parse `source` as front matter; errors name `path` and the line (the fence is line 1).

    Raises:
        InvalidPage: not YAML, or a field is missing, unknown or of the wrong kind.
    """
    meta = parse_fields(path, source, FrontMatter)
    problems = [Problem(path, line_of(source, key), message) for key, message in _rules(meta)]
    if problems:
        raise InvalidPage(problems)
    return meta


def _rules(meta: FrontMatter) -> Iterator[tuple[str, str]]:
    if meta.kind == "retraction" and not meta.believed:
        yield "kind", "a retraction replaces a belief; say in `believed` what it was"
    if meta.kind != "retraction" and meta.believed:
        yield "believed", "`believed` is only for retractions; remove it or set `kind: retraction`"
    if meta.compiled and "cuda" not in meta.devices:
        yield "compiled", "`compiled` is for claims with a meaning on CUDA; add cuda to `devices`"
    if meta.compiled and meta.exclusive:
        yield "compiled", "a compiler decides no time; remove `compiled`, or `exclusive`"
    if meta.withdrawn and meta.superseded_by:
        yield "withdrawn", "`withdrawn` and `superseded_by` exclude each other; keep one"
    for text in (text for item in meta.holds for text in (item.torch, item.python)):
        if not _compares_releases(text):
            message = f"`{text}` is not a version specifier; write for example '>=2.13,<2.16'"
            yield "holds", message
    for doubt in meta.doubts:
        if not _compares_releases(doubt.torch):
            message = f"`{doubt.torch}` is not a version specifier; write for example '<2.5'"
            yield "doubts", message
    if meta.example_on and not meta.example_on.where:
        yield "example_on", "`example_on` limits nothing; give it `torch` or `device`"
    if meta.example_on and not _compares_releases(meta.example_on.torch):
        message = (
            f"`{meta.example_on.torch}` is not a version specifier; write for example '>=2.13'"
        )
        yield "example_on", message
    for entry in meta.upstream:
        if entry.fixed_in and not _is_version(entry.fixed_in):
            yield "upstream", f"`{entry.fixed_in}` is not a version; write for example '2.14'"
    if meta.signatures_from and not meta.signatures:
        yield "signatures_from", "`signatures_from` needs `signatures`; write some or remove it"
    if meta.example_line:
        yield from _patterns("example_line", [meta.example_line])
    for pattern in meta.signatures:
        if meta.graph_break and pattern.replace("\\", "") == meta.graph_break.type:
            yield "signatures", f"`graph_break` finds `{pattern}` already; remove it"
    yield from _patterns("signatures", meta.signatures)
    yield from _patterns("code", meta.code)


def _patterns(field: str, patterns: list[str]) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        if _PLAIN_PATTERN.fullmatch(pattern) and pattern.count(".*") + pattern.count(".+") < 2:
            continue
        try:
            re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            yield field, f"`{pattern}` is not a regular expression ({error}); escape it"
        else:
            if defect := defect_of(pattern):
                yield field, f"`{pattern}`: {defect}; fix it"


# Patterns recognize what most pages say, since importing `packaging` takes 10 ms.


@cache
def _compares_releases(specifiers: str) -> bool:
    """Whether `specifiers` can match a release; those with a local part or `===` match none."""
    if not specifiers or _BOUNDS.fullmatch(specifiers):
        return True
    from packaging.specifiers import SpecifierSet

    try:
        for specifier in SpecifierSet(specifiers):
            specifier.contains("2.13.0")  # raises for a number with more digits than Python reads
    except ValueError:
        return False
    return "+" not in specifiers and "===" not in specifiers


def _is_version(text: str) -> bool:
    if _RELEASE.fullmatch(text):
        return True
    from packaging.version import Version

    try:
        Version(text)
    except ValueError:
        return False
    return True
