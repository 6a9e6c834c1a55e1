"""What is known of a silent error in somebody's model, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from validators.diagnose.findings.finding import Diagnosis, Finding
from validators.environment.column_name import release_of, span
from validators.inspector.differences.chains import chain_name
from validators.silent.known import Known, named


@dataclass(frozen=True)
class KnownError:
    """A silent error of the collection: where it was tried and is wrong, and what avoids it.

    `cost` says how much more that compiles to in the error's program, "" if it was not counted.
    `same` says that its program is wrong in the same ops; else it is only like the code.
    """

    same: bool
    name: str
    says: str
    cause: str
    issue: str
    fixed: str
    avoid: str
    cost: str
    tried: list[str]
    wrong: list[str]
    right: list[str]


def known_error(known: Known, ops: Sequence[str]) -> KnownError:
    """An error of the collection, beside ops that are compiled wrongly."""
    names = ("name", "says", "cause", "issue", "fixed", "avoid", "cost")
    said = {name: getattr(known, name) for name in names}
    return KnownError(
        **said,
        same=known.has_ops(ops),
        tried=list(map(release_of, known.verdicts)),
        wrong=known.releases("wrong"),
        right=known.releases("right"),
    )


def error_lines(error: KnownError) -> Iterator[str]:
    """An error of the collection in words, the first line without an indent."""
    yield f"{'known' if error.same else 'like'}: {error.name} ({error.cause}): {error.says}"
    right = span(error.right, error.tried) or "none that was tried"
    yield f"   wrong on torch {span(error.wrong, error.tried)}; right on {right}"
    if error.avoid:
        cost = f" It compiles to {error.cost}." if error.cost else ""
        yield f"   instead, as a program ran it: {error.avoid}{cost}"
    if said := ", fixed by ".join(filter(None, (error.issue, error.fixed))):
        yield f"   see {said}"


def with_known_errors(diagnosis: Diagnosis, known: Iterable[Known]) -> Diagnosis:
    """The diagnosis, whose wrong results name the errors of the collection with the same ops."""
    here = [error for error in known if error.affects(diagnosis.column)]
    findings = [_with_known(finding, here) for finding in diagnosis.findings]
    return replace(diagnosis, findings=findings)


def _with_known(finding: Finding, here: list[Known]) -> Finding:
    if not finding.located or not finding.located.ops:
        return finding
    ops = list(map(chain_name, finding.located.ops))
    errors = [known_error(it, ops) for it in named(ops, finding.what, here)]
    lines = [line for error in errors if error.same for line in error_lines(error)]
    return replace(finding, located=replace(finding.located, known=lines))
