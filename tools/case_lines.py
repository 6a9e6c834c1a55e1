"""The lines of what a case printed that can be evidence, the same ones each time it is run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from validators.match.log_lines import parse_lines

MOST = 12
"""Lines of a release."""
_LONGEST = 1000
"""Characters of a line."""
_FRAME = re.compile(r'\s*(?:[-#] +)?File "|\s*(?:[-#] +)?<')
_WARNING = re.compile(r"\S+\.py:\d+: \w*Warning: ")
_HEADINGS = re.compile(
    r"\s*(?:- )?(?:User (?:code|stack)|Stack variable source|Traceback \(|from user code|Set TORCH"
    r"|[A-Z]+:\d{4}-\d\d-\d\d |The above exception|During handling|.* originated from:|g\+\+ "
    r"|.*(?:Failed to initialize NumPy|Profiler clears events))"
)
_REASON = re.compile(r"- \d+/\d+: |last reason: |skipping cudagraphs|.*/gb/gb\d")
_SAID_OF_ALL = re.compile(
    r"guard failure\(s\)|Graph break(?: \(.*\))? in user code at|Please report|Hint: |\*\*\* While"
    r"|Graph Break Reason: (?:Encountered|Failed to handle)|To (?:log all|diagnose) recompil"
)
_NO_WORDS = re.compile(r"[^A-Za-z]*(?:[\^~]+[^A-Za-z]*)?")
_SAME = (
    (re.compile(r"[^\s\"'(]*?((?:site|dist)-packages/)"), r"\1"),
    (re.compile(r"[^\s\"'(]*?/lib/python3\.\d+/(?!site)"), ""),
    (re.compile(r"/[\w./-]*/(?=torch/csrc/)"), ""),
    (re.compile(r"[\w./~-]*playbooks/catalog/\w+/\w+\.py"), "model.py"),
    (re.compile(r"[\w./~-]*reference_models/"), "reference_models/"),
    (re.compile(r"(\.(?:py|cpp|h)):\d+"), r"\1:1"),
    (re.compile(r"(\.py\", line) \d+"), r"\1 1"),
    (re.compile(r"/tmp/[\w./-]+/"), ""),
    (re.compile(r"\btmp[a-z0-9_]{8}\b"), "tmpID"),
    (re.compile(r"\bc[a-z2-7]{48,}"), "cID"),
    (re.compile(r"\b0x[0-9a-f]+\b"), "0x1"),
    (re.compile(r"\b\d{8,}\b"), "1"),
    (re.compile(r"\b\d+\.\d+(?= ?(?:ms|s|seconds)\b)"), "1.0"),
)
"""What differs between runs, machines and releases, and what it becomes."""


def evidence(printed: str, case: str, signatures: Sequence[str]) -> str:
    """The lines of `printed` that can be evidence of `case`, whose name they do not hold.

    Where there are too many, those with one of its `signatures` come before reasons and exceptions.
    """
    name = re.compile(rf"(?<![\w.]){case}(?=\.[A-Za-z_])|(?<=__import_){case}")
    seen: dict[str, tuple[str, int]] = {}
    reasons = 0
    for text, weight in _told(printed.splitlines()):
        line = name.sub("model", _stable(text))
        if (shape := re.sub(r"(?<!gb)(?<!\d)\d+", "0", line)) in seen:
            continue
        worth = weight - bool(_SAID_OF_ALL.search(line))
        if any(re.search(pattern, line) for pattern in signatures):
            worth = 4
        elif _REASON.match(line.lstrip()):
            worth = 3 if reasons < MOST // 2 else 0
            reasons += 1
        seen[shape] = line, worth
    kept = sorted(seen.values(), key=lambda it: -it[1])[:MOST]
    return "".join(f"{line}\n" for line, weight in seen.values() if (line, weight) in kept)


def _told(lines: list[str]) -> Iterator[tuple[str, int]]:
    """The lines that say something, with their weights: without frames and the code below them."""
    below = None
    for line in parse_lines(enumerate(lines)):
        text = line.text
        before = lines[line.number].rstrip()[: -len(text)]
        # A logger's prefix ends with a space, and takes those with it that its message had.
        indent = len(before) - len(before.rstrip()) - bool(before.strip())
        indent += len(text) - len(text.lstrip(" -#"))
        if _FRAME.match(text):
            below = indent
        elif below is None or indent <= below:
            below = None
            if line.weight and not _HEADINGS.match(text) and not _NO_WORDS.fullmatch(text):
                yield text.rstrip(), line.weight
            if _WARNING.match(text):
                below = indent


def _stable(text: str) -> str:
    for pattern, instead in _SAME:
        text = pattern.sub(instead, text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 100]} ... {text[-100:]}"
