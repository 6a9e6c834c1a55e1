"""From a recorded trace or log to a diagnosis."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.excerpts import with_excerpt
from validators.diagnose.findings.finding import Diagnosis, Finding, Part, in_order
from validators.diagnose.findings.words import Found, place_of, short
from validators.diagnose.masking.mask import masked
from validators.diagnose.parts import of_breaks, raised_at
from validators.diagnose.recording.recorded import RECORD, Recording, occurrences
from validators.errors import CasebookError
from validators.files import PROGRAM
from validators.match import search_log

RECORDED = "recorded"
"""The part of a diagnosis that a recording gives."""
SCRIPT = "script"
"""The part that says how a watched command ended."""
_RAISED = re.compile(
    r"(?P<type>torch\.(?:_dynamo|_inductor|_functorch|fx\.experimental)[\w.]*\.[A-Z]\w+)"
    r": (?P<message>.*)"
)
_TRACEBACK = "Traceback (most recent call last)"
_CHAINED = re.compile(
    r"^(?:The above exception was the|During handling of the above)", re.MULTILINE
)
_LINES_KEPT = 40
_WIDTH = 160


@dataclass(frozen=True)
class Setting:
    """Where a recording comes from: torch's release, Python's, the column; "" if not known."""

    torch: str = ""
    python: str = ""
    column: str = ""


def diagnosed_recording(
    target: str, recording: Recording, setting: Setting, explainer: Explainer, folder: Path
) -> Diagnosis:
    """The diagnosis of what was recorded; paths are given as seen from `folder`.

    Raises:
        CasebookError: nothing in the recording is about compiling.
    """
    parts, findings = recorded_part(recording, explainer)
    if not findings and not recording.traces and not recording.logged:
        raise CasebookError(
            f"{target}: holds no trace, and no line that torch.compile printed or a case "
            f"explains; search by its words with `{PROGRAM} match`, or {RECORD}"
        )
    diagnosis = Diagnosis(
        target=target,
        torch=setting.torch,
        python=setting.python,
        column=setting.column,
        calls=0,
        trains=False,
        findings=[with_excerpt(it) for it in in_order(findings)],
        parts=parts,
    )
    without_names: Diagnosis = masked(diagnosis, folder)
    return without_names


def recorded_part(recording: Recording, explainer: Explainer) -> tuple[list[Part], list[Finding]]:
    """What was recorded, as the only part of its diagnosis, and the findings."""
    begun = time.monotonic()
    found = occurrences(recording)
    findings = list(_findings(found, recording, explainer))
    return [Part(RECORDED, time.monotonic() - begun, "", found)], findings


def recorded_lines(found: Found) -> Iterator[str]:
    """What was recorded beside the findings, a line each."""
    breaks = sum(it["count"] for it in [*found["breaks"], *found["skipped"]])
    again = sum(it["count"] for it in found["recompiles"])
    graphs = f"graphs: {found['graphs']}, with " if found["graphs"] else ""
    yield f"{graphs}{breaks} graph breaks and {again} recompiles"
    if compiled := found["compilations"]:
        seconds, longest = sum(it["seconds"] for it in compiled), compiled[0]
        yield (
            f"compiling: {seconds:.1f} s in {len(compiled)} compilations, "
            f"the longest {longest['seconds']:.1f} s for {longest['function']} "
            f"({longest['file']}:{longest['line']}, {longest['ops']} ops)"
        )
    if found["caches"]:
        yield "caches: " + ", ".join(f"{n} {name}" for name, n in sorted(found["caches"].items()))


def _findings(found: Found, recording: Recording, explainer: Explainer) -> Iterator[Finding]:
    yield from _failures(found, explainer)
    told = {it["type"] for it in found["failures"]}
    known = [
        *_exceptions(recording.rest, told, explainer),
        *of_breaks(found, explainer),
        *_skipped(found, explainer),
    ]
    yield from known
    yield from _messages(recording.rest, known, explainer)


def _failures(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """Compilations that raised."""
    for it in found["failures"]:
        yield Finding(
            kind="crash",
            what=f"compiling {it['function'] or 'a function'} raises {it['type']}",
            cost="the call raises, or runs eagerly if errors are suppressed",
            explanation=explainer.of_text(f"{it['type']}: {it['text']}", it["type"]),
            count=it["count"],
            place=place_of(it["file"], it["line"]) if it["file"] else None,
            text=short(it["text"]),
        )


def _exceptions(
    lines: list[tuple[int, str]], told: set[str], explainer: Explainer
) -> Iterator[Finding]:
    """Exceptions of the compiler that only a log tells, in tracebacks."""
    seen = set(told)
    for index, (_, line) in enumerate(lines):
        raised = _RAISED.match(line)
        name = raised["type"].rpartition(".")[2] if raised else ""
        if not raised or name in seen:
            continue
        text = "\n".join(it for _, it in lines[index : index + _LINES_KEPT])
        text = text.partition(_TRACEBACK)[0]
        if _CHAINED.search(text):
            continue
        seen.add(name)
        stack = raised_at(text)
        yield Finding(
            kind="crash",
            what=f"{name} is raised",
            cost="the compiled call does not return",
            explanation=explainer.of_text(text, raised["type"]),
            place=stack[0] if stack else None,
            text=short(text),
        )


def _skipped(found: Found, explainer: Explainer) -> Iterator[Finding]:
    """Graph breaks after which Dynamo runs the whole frame eagerly."""
    for it in of_breaks({**found, **_NOTHING, "breaks": found["skipped"]}, explainer):
        yield replace(
            it,
            kind="eager_call",
            what=f"a whole function runs eagerly after a {it.what}",
            cost=f"Dynamo skips it, {it.cost}",
        )


_NOTHING: Found = {"recompiles": [], "limits": [], "eager_calls": [], "raised": None}


def _messages(
    lines: list[tuple[int, str]], known: list[Finding], explainer: Explainer
) -> Iterator[Finding]:
    """Other lines of a log that a signature of a case fits."""
    cases = {it.explanation.case for it in known}
    told: set[int] = set()
    for match in search_log(explainer.knowledge.index, lines).matches:
        numbers = {it.number for it in match.lines}
        if match.page.name in cases or numbers <= told:
            continue
        told |= numbers
        first = match.lines[0]
        text = "\n".join(it.text for it in match.lines)
        yield Finding(
            kind="message",
            what=first.text.strip()[:_WIDTH],
            cost=f"line {first.number} of the log",
            explanation=explainer.of_text(text, "a line of the log"),
            count=len(match.lines),
            text=short(text),
        )
