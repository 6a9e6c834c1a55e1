"""Checks of a case's proof, read as source."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from validators.catalog import Case
from validators.catalog.imports import forbidden_imports
from validators.catalog.proof import REQUIRED, InvalidProof, Proof, read_proof
from validators.checks.written.pages import placeholders
from validators.errors import Problem
from validators.evidence.digests.parts import parts_of

_WORDS = {"message", "reason", "reasons", "type", "id", "cause_id", "break_ids"}
"""The fields of a report that hold torch's own words, which releases change."""


def check_proof(case: Case) -> Iterator[Problem]:
    """Defects of the proof of `case`."""
    try:
        proof = read_proof(case.proof)
    except InvalidProof as error:
        yield error.problem
        return
    yield from _functions(case, proof)
    yield from _words(case, proof)
    yield from forbidden_imports(case, proof)
    yield from placeholders(case.proof, 1, proof.source)


def _functions(case: Case, proof: Proof) -> Iterator[Problem]:
    for name, count in REQUIRED.items():
        parameter = "report" if name == "shows" else "device"
        function = proof.functions.get(name)
        if function is None:
            message = f"has no function `{name}`; write a top-level `def {name}({parameter})`"
            yield Problem(case.proof, 0, message)
        elif not _takes(function.args, count):
            message = f"`{name}` must take one parameter; write `def {name}({parameter})`"
            yield Problem(case.proof, function.lineno, message)


def _words(case: Case, proof: Proof) -> Iterator[Problem]:
    """A predicate that reads words says so; who reads the page then knows what it can miss."""
    read = sorted(_WORDS.intersection(parts_of(case.proof).judge.attributes))
    about = case.meta.about
    if read and not about and not case.retired:
        fields = ", ".join(f"`{it}`" for it in read)
        message = f"`shows` reads {fields}: judge an effect, or write `about: message` in the page"
        yield Problem(case.proof, proof.functions["shows"].lineno, message)
    if about and not read:
        yield Problem(case.page, 0, "`shows` reads no words; remove `about: message`")


def _takes(parameters: ast.arguments, count: int) -> bool:
    others = parameters.vararg or parameters.kwarg or parameters.kwonlyargs
    return not others and len(parameters.posonlyargs) + len(parameters.args) == count
