"""Which failure is reproduced, and when another one is the same."""

from __future__ import annotations

import re
from dataclasses import dataclass

from validators.diagnose.findings.finding import Diagnosis, Explanation, Finding, Kind
from validators.errors import CasebookError

KINDS: tuple[Kind, ...] = ("crash", "wrong_results", "graph_break", "recompile")
"""What can be reproduced, what matters most first."""
_CAUSES = ("Explanation:", "target:")
_KILLED = "was killed by "
_BRIEF = 90
"""How much of the beginning and of the end of a long failure is told."""
_VARIABLE = re.compile(
    r"(?P<tensor>FakeTensor\([^()]*(?:\([^()]*\)[^()]*)*\))"
    r"|(?P<name>(?<=tensor ')\S+(?='\s))"
    r"|(?P<source>(?:L\[['\"]\w+['\"]\]|\bself\b)(?:\.\w+(?=[.\[])|\[[^\]]*\])*)"
    r"|(?P<backend>(?<=backend=)'\w+')"
    r"|(?P<file>[\w/~.+-]*\.py\b)"
    r"|(?P<folder>~?(?:/[\w.+@-]+){2,})"
    r"|(?P<address>0x[0-9a-f]+|\bID\b)"
    r"|(?P<number>\bs?\d+)"
)
_PATTERNS = {
    "tensor": r"FakeTensor\(.*?\)",
    "name": r"\S+",
    "source": r"\S*?",
    "backend": r"'\w+'",
    "file": r"\S*?",
    "folder": r"\S*?",
    "address": r"\w+",
    "number": r"s?\d+",
}


@dataclass(frozen=True)
class Goal:
    """A failure: `pattern` is a regular expression that finds it in what torch says."""

    kind: Kind
    pattern: str
    finding: Finding

    @property
    def title(self) -> str:
        """The failure in one line."""
        if self.kind == "crash":
            return " ".join(_crash_lines(self.finding.text)[0].split())
        if self.kind == "wrong_results":
            return "compiled results differ from eager's"
        if self.kind == "recompile":
            return f"recompile: {_guard(self.finding)}"
        return self.finding.what

    @property
    def killed(self) -> bool:
        """Whether a signal ends the process."""
        return self.pattern.startswith(_KILLED)

    def shown_by(self, texts: list[str]) -> bool:
        """Whether one of the texts tells of this failure."""
        return any(re.search(self.pattern, it, re.DOTALL) for it in texts)


def brief(text: str) -> str:
    """A failure in one line: its first line and its cause; the middle of a long one is left out."""
    line = " ".join(" ".join(_crash_lines(text)).split())
    return line if len(line) <= 2 * _BRIEF else f"{line[:_BRIEF]} ... {line[-_BRIEF:]}"


def goal_of(diagnosis: Diagnosis, number: int | None, kind: str | None) -> Goal | None:
    """The failure to reproduce: that of the finding `number`, or the first that matters.

    None if nothing fails, or nothing of that kind.

    Raises:
        CasebookError: there is no finding of that number, or it cannot be reproduced.
    """
    findings = diagnosis.findings
    if number is None and kind in (None, "crash") and (killed := _killed(diagnosis)):
        return killed
    if number is None:
        wanted = [kind] if kind else KINDS
        chosen = next((it for name in wanted for it in findings if it.kind == name), None)
        return Goal(chosen.kind, _pattern(chosen), chosen) if chosen else None
    if not 1 <= number <= len(findings):
        raise CasebookError(
            f"--finding {number}: there are {len(findings)} findings;"
            " give the number that `diagnose` prints"
        )
    chosen = findings[number - 1]
    if chosen.kind not in KINDS:
        raise CasebookError(
            f"--finding {number}: is a {chosen.kind}, not one of {', '.join(KINDS)}; name another"
        )
    return Goal(chosen.kind, _pattern(chosen), chosen)


def _killed(diagnosis: Diagnosis) -> Goal | None:
    """A crash that ended the process of a part; out of memory is none of the compiler's."""
    for part in diagnosis.parts:
        if re.fullmatch(f"{_KILLED}SIG(?!KILL)[A-Z]+", part.failure):
            cost = "the process dies"
            unknown = Explanation("unknown", part.failure)
            finding = Finding(
                "crash", f"the process {part.failure}", cost, unknown, text=part.failure
            )
            return Goal("crash", part.failure, finding)
    return None


def _pattern(finding: Finding) -> str:
    if finding.kind == "crash":
        return ".*".join(map(pattern_of, _crash_lines(finding.text)))
    if finding.kind == "wrong_results":
        of_kind = "differs from eager in kind"
        return of_kind if "from eager in kind" in finding.what else "differs from eager by"
    if finding.kind == "graph_break":
        return _break_pattern(finding)
    return pattern_of(_guard(finding))


def _break_pattern(finding: Finding) -> str:
    """The break's type, or the reason that torch gives first, and then the line of code.

    A call that breaks in a loop is a break of another type with the same reason.
    """
    reason = finding.text.strip().partition("\n")[0]
    types = dict.fromkeys([finding.what.removeprefix("graph break: "), reason])
    either = "|".join(pattern_of(it) for it in types if it)
    code = finding.place.code if finding.place else ""
    return f"(?:{either}).*{re.escape(code)}" if code else either


def _guard(finding: Finding) -> str:
    """The first guard that failed, without the id of its graph and the comment."""
    reasons = re.findall(r"^ +- (?:\d+/\d+: )?([^\n]*)", finding.text, re.MULTILINE)
    return reasons[0].partition("  #")[0].strip() if reasons else ""


def _crash_lines(text: str) -> list[str]:
    """The lines that tell a crash from others: its type with the first line, and the cause.

    The first line alone may only say what was going on, such as "RuntimeError when making fake
    tensor call". What comes before the type's own name is left out.
    """
    lines = [it.strip() for it in text.strip().splitlines() if it.strip()] or [""]
    kept = lines[:1]
    if kept[0].endswith(":"):
        kept += lines[1:2]
    kept += [it for it in lines[len(kept) :] if it.startswith(_CAUSES)][:1]
    kind, colon, said = kept[0].partition(": ")
    if re.fullmatch(r"[\w.]+", kind):
        kind = kind.rpartition(".")[2]
    return [f"{kind}{colon}{said}", *kept[1:]]


def pattern_of(text: str) -> str:
    """A regular expression for `text` with other numbers, paths, addresses and fake tensors."""
    found, end = [], 0
    for match in _VARIABLE.finditer(text):
        found += [re.escape(text[end : match.start()]), _PATTERNS[match.lastgroup or "number"]]
        end = match.end()
    escaped = "".join([*found, re.escape(text[end:])])
    return re.sub(r"(?:\\?\s)+", r"\\s+", escaped)
