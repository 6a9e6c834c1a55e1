"""What a proof may import: an import can change the verdict, so the digest has to cover it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from validators.catalog.case import Case
from validators.catalog.proof import Import, InvalidProof, Proof, read_proof
from validators.environment.needs import NEEDS
from validators.errors import Problem

PROBES = "validators.probes"
_OFFER = f"import only probes, with `from {PROBES} import NAME`"


def unfit_to_run(case: Case) -> list[Problem]:
    """Why the proof of `case` must not run: it cannot be read, or imports what it may not."""
    try:
        proof = read_proof(case.proof)
    except InvalidProof as error:
        return [error.problem]
    return list(forbidden_imports(case, proof))


def forbidden_imports(case: Case, proof: Proof) -> Iterator[Problem]:
    """A problem for each import that `proof`, the proof of `case`, may not have."""
    for found in proof.imports():
        if message := _refusal(found, case.meta.needs):
            yield Problem(case.proof, found.line, message)


def _refusal(found: Import, needs: list[str]) -> str:
    """Why a proof may not have this import; "" if it may."""
    module = found.module
    top = module.partition(".")[0]
    if module == PROBES and found.names:
        private = [name for name in found.names if name not in _public_probes()]
        return f"imports {private[0]!r}, which is not a probe; {_OFFER}" if private else ""
    if top == "validators":
        return f"imports {module!r}; {_OFFER}"
    if top in sys.stdlib_module_names or top in {"torch", "reference_models"}:
        return ""
    if top in NEEDS:
        return "" if top in needs else f"imports {module!r}; list it in the page's `needs`"
    return f"imports {module!r}; use only torch, the standard library, probes and reference models"


@cache
def _public_probes() -> frozenset[str]:
    """The names that proofs may import from the probes, found without importing the probes.

    `Report` is not among them, since only a probe may build a report.
    """
    source = Path(__file__).parents[1] / "probes" / "__init__.py"
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return frozenset(ast.literal_eval(node.value)) - {"Report"}
    raise AssertionError(f"{source} has no __all__")
