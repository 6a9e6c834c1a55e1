"""Checks of a case's proof, read as source."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from validators.catalog import Case
from validators.catalog.proof import REQUIRED, Import, Proof, read_proof
from validators.environment.needs import NEEDS
from validators.errors import Problem

PROBES = "validators.probes"
_OFFER = f"take probes with `from {PROBES} import ...`, the rest is not for proofs"


def check_proof(case: Case) -> Iterator[Problem]:
    """Defects of the proof of `case`."""
    try:
        proof = read_proof(case.proof)
    except SyntaxError as error:
        message = f"is not Python ({error.msg}); mend the syntax"
        yield Problem(case.proof, error.lineno or 0, message)
        return
    except (OSError, ValueError) as error:
        yield Problem(case.proof, 0, f"cannot be read as Python ({error}); save it as UTF-8")
        return
    yield from _functions(case, proof)
    for found in proof.imports():
        if message := _refusal(found, case.meta.needs):
            yield Problem(case.proof, found.line, message)


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


def _takes(parameters: ast.arguments, count: int) -> bool:
    others = parameters.vararg or parameters.kwarg or parameters.kwonlyargs
    return not others and len(parameters.posonlyargs) + len(parameters.args) == count


def _refusal(found: Import, needs: list[str]) -> str:
    """Why a proof may not have this import; "" where it may."""
    module = found.module
    top = module.partition(".")[0]
    if module == PROBES and found.names:
        private = [name for name in found.names if name not in _public_probes()]
        return f"imports {private[0]!r}, which is no probe; {_OFFER}" if private else ""
    if top == "validators":
        return f"imports {module!r}; {_OFFER}"
    if top in sys.stdlib_module_names or top in {"torch", "reference_models", *needs}:
        return ""
    if top in NEEDS:
        return f"imports {module!r}; list it in the page's `needs`"
    return f"imports {module!r}; a proof has only torch, the standard library and our models"


@cache
def _public_probes() -> frozenset[str]:
    """What the probes offer to proofs, read without importing them; a proof builds no report."""
    source = Path(__file__).parents[1] / "probes" / "__init__.py"
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return frozenset(ast.literal_eval(node.value)) - {"Report"}
    raise AssertionError(f"{source} has no __all__")
