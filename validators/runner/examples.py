"""Decide examples: *before* shows the trouble; *after* does not, and computes what eager does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from validators.catalog import Case
from validators.catalog.example import Side
from validators.evidence.quantities import count
from validators.evidence.stored.examples import (
    ABSENT,
    SILENT,
    CaseExamples,
    ExampleRun,
    example_digest,
    printed_key,
)
from validators.families.patterns import signatures_of
from validators.probes.modes import UNCOMPILED
from validators.runner.processes.outcome import Outcome
from validators.runner.programs import ExampleJob, Programs, run_programs

_STAMP = re.compile(
    r"^(?:\[rank\d+\]: ?)?[VDIWEF]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ \S+:\d+\] ", re.MULTILINE
)
_KEPT = 6000
"""How many characters to keep of the beginning, and of the end, of what a program prints."""
CUT = "\n[...]\n"
"""Stands for what is not kept."""
_FRAME = re.compile(r'^(?P<mark>.*?)  File "(?P<file>[^"]+)", line \d+, in ')
_OURS = re.compile(r"<frozen runpy>|/validators/worker/")
_QUOTED = re.compile(r"(?:^|\] ) {4,}\S")
_FOLDER = re.compile(
    r"(?:(?<!\w)\.\w+)?(?:/[\w.+-]+)+/(?=(?:lib|include)(?:/python3\.\d+|(?![\w./-]))|bin/python|torchinductor_\w+/)"
    r"|/[\w./-]*/casebook-\w+/\d+/"
)
_PATH = re.compile(r"\S*/example\.py(?=:\d)")


@dataclass(frozen=True)
class Tried:
    """A run of an example, what both sides printed, and the CPU seconds that it took."""

    job: ExampleJob
    run: ExampleRun
    printed: tuple[str, ...]
    cpu_seconds: float


def run_examples(
    jobs: Sequence[ExampleJob],
    width: int,
    isolation: str,
    budget: float | None,
    listener: Callable[[Tried], None],
) -> None:
    """Decide `jobs` of one environment, `width` at a time, and call `listener` after each.

    No job starts once `budget` seconds have passed.
    """
    run_programs(jobs, _decide, width, isolation, budget, listener)


async def _decide(programs: Programs) -> Tried:
    case = programs.job.case
    before = await run_side(programs, "before")
    after = eager = None
    # Where *before* met no trouble, no fix can be tried.
    if not _met_nothing(case, before):
        after = await run_side(programs, "after", save=programs.results)
    if after and not (after.failure or after.result["raised"] or "remedy" in case.meta.results):
        eager = await run_side(programs, "after", UNCOMPILED, compare=programs.results)
    printed = [_printed(it) for it in (before, after)]
    verdict, reason, line = judge(case, before, after, eager, printed)
    kept = tuple(shortened(text, line) for text in printed)
    run = ExampleRun(
        verdict=verdict,  # type: ignore[arg-type]
        reason=reason,
        digest=example_digest(case),
        torch=programs.job.env.fingerprint.torch,
        line=line,
        before=printed_key(kept[0]),
        after=printed_key(kept[1]),
    )
    return Tried(programs.job, run, kept, programs.cpu_seconds)


async def run_side(
    programs: Programs,
    side: Side,
    mode: str = "",
    *,
    save: Path | None = None,
    compare: Path | None = None,
    names: Sequence[str] | None = None,
    grad: str = "",
) -> Outcome:
    """Run one side of an example; `worker.example` says what the other arguments mean."""
    return await programs.run(
        side,
        task="example",
        mode=mode,
        save=str(save or ""),
        compare=str(compare or ""),
        names=names,
        grad=grad,
    )


def judge(
    case: Case,
    before: Outcome,
    after: Outcome | None,
    eager: Outcome | None,
    printed: Sequence[str],
) -> tuple[str, str, str]:
    """The verdict on an example, why it is not confirmed, and the line that *before* shows.

    `after` is None where *before* met nothing that a fix could avoid.
    """
    for side, done in (("before", before), ("after", after)):
        if done and done.failure:
            return "error", f"{side}: {done.failure}", ""
    if after is None:
        return "refuted", ABSENT, ""
    shown = _shown(case, before.result, printed[0])
    if not shown:
        if before.result["raised"]:
            why = f"before raised {before.result['raised']}, which no signature matches"
            return "error", why, ""
        return "refuted", _other_trouble(before.result, after.result) or ABSENT, ""
    if still := _shown(case, after.result, printed[1]):
        return "remedy-failed", f"after shows it, too: {still}", shown
    if after.result["raised"]:
        return "remedy-failed", f"after raised {after.result['raised']}", shown
    if eager is not None:
        if eager.failure or eager.result["raised"]:
            why = eager.failure or f"raised {eager.result['raised']}"
            return "error", f"after does not run uncompiled: {why}", shown
        if difference := eager.result["compared"]["difference"]:
            return "remedy-failed", f"after does not compute what eager does: {difference}", shown
    return "confirmed", "", shown


def judged_again(case: Case, run: ExampleRun, texts: CaseExamples) -> ExampleRun | None:
    """The run with the line that shows its symptom by the present patterns of `case`.

    None if the example has to run again: with another verdict, or where a kept text is too short
    to tell.
    """
    before, after = (texts.printed.get(key, "") for key in (run.before, run.after))
    shown = _matching(case, before)
    if run.verdict == "confirmed":
        line = shown or (SILENT if run.line == SILENT else "")
        alike = bool(line) and not _matching(case, after) and CUT not in after
    elif run.absent:
        line, alike = "", not shown and CUT not in before
    else:
        return None
    return replace(run, line=line, digest=example_digest(case)) if alike else None


def _met_nothing(case: Case, before: Outcome) -> bool:
    """Whether *before* ended well, in one graph, and printed nothing that the page names."""
    seen = before.result
    if before.failure or seen["raised"] or seen["breaks"] or seen["graphs"] > 1:
        return False
    return not _shown(case, seen, _printed(before))


def _printed(done: Outcome | None) -> str:
    return unstamped(done.result.get("printed", "")) if done else ""


def _other_trouble(before: dict[str, Any], after: dict[str, Any]) -> str:
    """What *before* meets more often than *after*, though not in the page's words; "" if none."""
    for kind, noun in (("breaks", "graph break"), ("graphs", "compiled graph")):
        if before[kind] > after[kind]:
            most = f"before has {count(before[kind], noun)} and after {after[kind]}"
            return f"{most}, though not as the page says"
    return ""


def _shown(case: Case, result: dict[str, Any], printed: str) -> str:
    """The first line that matches the case, else `SILENT` if its own `assert` failed, else ""."""
    return _matching(case, printed) or (SILENT if result["asserted"] else "")


def _matching(case: Case, printed: str) -> str:
    patterns = [case.meta.example_line] if case.meta.example_line else signatures_of(case)
    for line in printed.splitlines():
        if any(re.search(pattern, line) for pattern in patterns):
            return line.strip()[:300]
    return ""


def shortened(text: str, line: str) -> str:
    """The beginning and the end of a long text, and `line` of it if it stands between them."""
    if len(text) <= 2 * _KEPT:
        return text
    first, last = text[:_KEPT], text[-_KEPT:]
    between = [line] if line in text[_KEPT:-_KEPT] and line not in first + last else []
    return CUT.join([first, *between, last])


def unstamped(printed: str) -> str:
    """Printed text without the prefixes of logs, without our own frames and without folders."""
    lines, ours = [], False
    text = _PATH.sub("example.py", _STAMP.sub("", printed))
    for line in _FOLDER.sub("", text).split("\n"):
        frame = _FRAME.match(line)
        if frame:
            ours = bool(_OURS.search(frame["file"]))
        elif ours and not _QUOTED.search(line):
            ours = False
        if not ours:
            lines.append(line)
    return "\n".join(lines)
