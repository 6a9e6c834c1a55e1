"""What of a text is false, by the torch releases at hand and the catalog's retractions."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import to_builtins

from validators.audit.beliefs import Beliefs
from validators.audit.claims import Claim, claims_of, distinct
from validators.audit.findings import Audit, AuditFinding
from validators.audit.reading import Passage, passages, sentences
from validators.errors import CasebookError
from validators.files import ROOT

_PROGRAM = ROOT / "validators" / "inspector" / "reducing" / "existence.py"
_SECONDS = 120
Answers = dict[str, dict[Claim, bool | None]]
"""What each release answers to each claim; None where it cannot tell."""

_WORDS = {
    "name": "`{it.subject}` does not exist",
    "keyword": "`{it.subject}` takes no argument `{it.argument}`",
    "logs": "`TORCH_LOGS={it.subject}` is refused",
    "variable": "nothing in torch reads `{it.subject}`",
    "mode": "`torch.compile` has no mode `{it.subject}`",
    "option": "Inductor has no option `{it.subject}`",
}


def audited(files: Iterable[Path], pythons: Sequence[str], beliefs: Beliefs) -> Audit:
    """Audit the files with each interpreter's torch.

    Raises:
        CasebookError: a file cannot be read, or an interpreter has no torch.
    """
    found = [it for file in files for it in passages(file)]
    claims = [(it, line, claim) for it in found for line, claim in claims_of(it)]
    wanted = distinct(claim for _, _, claim in claims)
    answers = {}
    for python in pythons:
        release, told = ask(python, wanted)
        answers[release] = told
    said = [
        made
        for passage, line, claim in claims
        if (made := _absent(passage.file, line, claim, answers))
    ]
    said += [_suspected(it.passage, it.case.name) for it in beliefs.refuted(sentences(found))]
    return Audit(
        files=len({it.file for it in found}),
        claims=len(claims),
        sentences=len(sentences(found)),
        releases=list(answers),
        findings=sorted(set(said), key=lambda it: (it.file, it.line, it.said)),
    )


def ask(python: str, claims: Sequence[Claim]) -> tuple[str, dict[Claim, bool | None]]:
    """The release of an interpreter's torch, and what it answers to each claim.

    Raises:
        CasebookError: it has no torch, or does not answer.
    """
    command = [python, "-c", _PROGRAM.read_text()]
    asked = json.dumps(to_builtins(list(claims)))
    try:
        done = subprocess.run(
            command, input=asked, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
        told = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise CasebookError(f"{python}: did not answer within {_SECONDS} s; try again") from None
    except OSError as error:
        raise CasebookError(f"{python}: {error.strerror}; name an interpreter") from None
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        message = f"{python}: cannot be asked ({last}); name an interpreter with torch"
        raise CasebookError(message) from None
    return told["torch"], dict(zip(claims, told["answers"], strict=True))


def _absent(file: Path, line: int, claim: Claim, answers: Answers) -> AuditFinding | None:
    false_on = [release for release, told in answers.items() if told[claim] is False]
    if not false_on:
        return None
    return AuditFinding(
        file=str(file),
        line=line,
        kind="absent",
        said=_WORDS[claim.what].format(it=claim),
        false_on=tuple(false_on),
        true_on=tuple(release for release, told in answers.items() if told[claim]),
    )


def _suspected(passage: Passage, case: str) -> AuditFinding:
    return AuditFinding(
        file=str(passage.file), line=passage.line, kind="suspected", said=passage.text, case=case
    )
