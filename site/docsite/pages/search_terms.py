"""The terms by which the theme's search finds a case: ids, API names, graph break numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from docsite.status import Standing
from validators.catalog.proof import Proof

_CODE = re.compile(r"`([^`\n]+)`")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*")
_TELLING = re.compile(r"[._]|[a-z][A-Z]")
_SAFE = re.compile(r"[\w.]+")


def search_terms(standing: Standing, proof: Proof) -> list[str]:
    """The case's id, aliases, graph break ids and the APIs that its page and its proof name.

    The theme puts them into its results as HTML, so a term may hold only letters, digits, `_` and
    `.`.
    """
    case = standing.case
    found = [case.name, *case.meta.aliases, *_break_ids(standing)]
    for text in (case.meta.claim, case.meta.believed, case.fix, case.body):
        found += _api_names(text)
    found += _torch_names(proof.tree)
    return [word for word in dict.fromkeys(found) if _SAFE.fullmatch(word)]


def _break_ids(standing: Standing) -> Iterator[str]:
    if standing.case.meta.graph_break:
        yield standing.case.meta.graph_break.id
    for cell in standing.cells:
        report = cell.record.report("symptom") if cell.record else None
        yield from report.break_ids if report else ()


def _api_names(markdown: str) -> Iterator[str]:
    """The names in inline code that look like an API's: dotted, underscored or CamelCase."""
    for code in _CODE.findall(markdown):
        if code.startswith("case:"):
            continue
        for name in _NAME.findall(code):
            if _TELLING.search(name):
                yield from _with_last_part(name)


def _torch_names(tree: ast.Module) -> Iterator[str]:
    """Every `torch.….name` that the proof uses, without the shorter names that it contains."""
    inner = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            name = ast.unparse(node)
            if name.startswith("torch.") and _NAME.fullmatch(name):
                yield from _with_last_part(name)


def _with_last_part(name: str) -> Iterator[str]:
    yield name
    last = name.rpartition(".")[2]
    if _TELLING.search(last):
        yield last
