"""What a model's source will meet under `torch.compile`, read without running it.

Each rule is a suspicion, tied to a case. It looks at methods of classes that define `forward`,
except `__init__`, and at functions that such methods or `torch.compile` name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
_REDUCED = {"any", "all", "item", "max", "min", "sum", "equal", "isnan", "allclose"}
_LOGGERS = {"logger", "log", "logging", "_logger"}
_CACHES = {"lru_cache", "cache"}
_MARKS = {"mark_dynamic", "maybe_mark_dynamic", "mark_unbacked", "mark_static"}


@dataclass(frozen=True)
class Suspicion:
    """A line that a case is about, as far as its source tells."""

    file: Path
    line: int
    case: str


def suspicions(file: Path) -> list[Suspicion]:
    """What is suspected in `file` and in the files beside it that it imports, by place."""
    found: set[tuple[Path, int, str]] = set()
    for source, tree in _sources(file).items():
        found |= {(source, line, case) for line, case in _in_module(tree)}
    return [Suspicion(*it) for it in sorted(found)]


def _sources(file: Path) -> dict[Path, ast.Module]:
    """`file` and the modules beside it that it imports, directly or not, parsed."""
    found: dict[Path, ast.Module] = {}
    known, todo = {file}, [file]
    while todo:
        current = todo.pop()
        tree = _parsed(current)
        if tree is None:
            continue
        found[current] = tree
        names = [Path(*name.split(".")).with_suffix(".py") for name in _imports(tree)]
        folders = file.parent, file.parent.parent
        beside = {folder / name for folder in folders for name in names} - known
        new = [path for path in beside if path.is_file()]
        known.update(new)
        todo += new
    return found


def _parsed(file: Path) -> ast.Module | None:
    try:
        return ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        # Running the target says what is wrong with it.
        return None


def _imports(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{it.name}" for it in node.names)
        elif isinstance(node, ast.Import):
            yield from (it.name for it in node.names)


def _in_module(tree: ast.Module) -> Iterator[tuple[int, str]]:
    yield from _calls_of_compile(tree)
    functions = {it.name: it for it in tree.body if isinstance(it, Function)}
    todo = [*_methods(tree), *(it for it in functions.values() if _is_compiled(it))]
    known: set[str] = set()
    while todo:
        function = todo.pop()
        yield from _in_function(function)
        for name in _called(function) - known:
            known.add(name)
            if name in functions:
                todo.append(functions[name])


def _methods(tree: ast.Module) -> Iterator[Function]:
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef):
            methods = [it for it in owner.body if isinstance(it, Function)]
            if any(it.name == "forward" for it in methods):
                yield from (it for it in methods if it.name != "__init__")


def _is_compiled(function: Function) -> bool:
    return any("compile" in ast.unparse(it) for it in function.decorator_list)


def _called(function: Function) -> set[str]:
    nodes = ast.walk(function)
    return {
        it.func.id for it in nodes if isinstance(it, ast.Call) and isinstance(it.func, ast.Name)
    }


def _in_function(function: Function) -> Iterator[tuple[int, str]]:
    for decorator in function.decorator_list:
        if _name(decorator.func if isinstance(decorator, ast.Call) else decorator) in _CACHES:
            yield function.lineno, "lru_cache_is_ignored"
    for node in ast.walk(function):
        for rule in _RULES:
            if case := rule(node):
                yield node.lineno, case  # type: ignore[attr-defined]


def _branch(node: ast.AST) -> str:
    if not isinstance(node, (ast.If, ast.While)):
        return ""
    calls = [it for it in ast.walk(node.test) if isinstance(it, ast.Call)]
    told = [it for it in calls if isinstance(it.func, ast.Attribute) and it.func.attr in _REDUCED]
    return "tensor_dependent_if_in_rotary" if told else ""


def _read(node: ast.AST) -> str:
    if not isinstance(node, ast.Call) or node.args:
        return ""
    return {"item": "item_in_forward", "tolist": "item_in_forward"}.get(_attribute(node), "")


def _said(node: ast.AST) -> str:
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Name) and node.func.id == "print":
        return "print_in_forward"
    if isinstance(node.func, ast.Attribute) and _name(node.func.value) in _LOGGERS:
        return "logging_in_forward"
    return "warning_in_forward" if ast.unparse(node.func) == "warnings.warn" else ""


def _counter(node: ast.AST) -> str:
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Attribute):
        number = isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)
        return "integer_module_attribute" if number and _name(node.target.value) == "self" else ""
    return ""


def _mask(node: ast.AST) -> str:
    if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Subscript):
        return ""
    index = node.targets[0].slice
    return "boolean_mask_assignment" if "mask" in ast.unparse(index).lower() else ""


def _cat(node: ast.AST) -> str:
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return ""
    if _attribute(node.value) != "cat" or not node.value.args:
        return ""
    kept = ast.unparse(node.targets[0])
    return (
        "kv_cache_grown_by_cat"
        if kept.startswith("self.") and kept in ast.unparse(node.value)
        else ""
    )


def _mark(node: ast.AST) -> str:
    marks = isinstance(node, ast.Call) and _attribute(node) in _MARKS
    return "mark_inside_compiled_region" if marks else ""


_RULES: tuple[Callable[[ast.AST], str], ...] = (_branch, _read, _said, _counter, _mask, _cat, _mark)
"""Each names the case that a statement or expression is suspected of, or ""."""


def _calls_of_compile(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        words = {it.arg for it in node.keywords}
        if ast.unparse(node.func) == "torch.compile" and {"mode", "options"} <= words:
            yield node.lineno, "mode_together_with_options"
        wrapped = ast.unparse(node.args[0]) if node.args else ""
        wraps = _name(node.func) in {"DistributedDataParallel", "DDP"}
        if wraps and wrapped.startswith("torch.compile("):
            yield node.lineno, "ddp_compile_order"


def _attribute(node: ast.Call) -> str:
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
