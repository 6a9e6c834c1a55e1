"""What a model's source will meet under `torch.compile`, read without running it.

Read are the methods of classes that define `forward`, and the functions that such methods or
`torch.compile` name, directly or in a table of the module. What only runs eagerly is left out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from validators.diagnose.static.called import uncalled
from validators.diagnose.static.compile_calls import calls_of_compile
from validators.diagnose.static.counters import counting
from validators.diagnose.static.growing import growing, growing_in_module
from validators.diagnose.static.live import Function, traced
from validators.diagnose.static.rules import (
    BELIEVED,
    BELIEVED_AT_CONSTRUCTION,
    EXACT,
    SUSPECTED,
    Rule,
    name,
)
from validators.diagnose.static.tensors import tensors_read

Sources = Mapping[Path, ast.Module]
_CACHES = {"lru_cache", "cache"}


@dataclass(frozen=True)
class Suspicion:
    """A line that a case is about, as far as its source tells."""

    file: Path
    line: int
    case: str


def suspicions(sources: Sources, reached: Sources | None = None) -> list[Suspicion]:
    """What is suspected in these files, by place.

    `reached` are the files without what the target does not use; calls that compile count anyway.
    """
    found = {*_found(sources, calls_of_compile)}
    unused = uncalled(sources)
    read = sources if reached is None else reached
    found |= {*_found(read, lambda tree: _suspected(tree, unused))}
    return sorted(found, key=lambda it: (it.file, it.line, it.case))


def beliefs(sources: Sources) -> list[Suspicion]:
    """The lines there that people believe to be trouble, and that the named cases acquit."""
    unused = uncalled(sources)
    return _found(sources, lambda tree: _believed(tree, unused))


def exact_line(file: Path, line: int, case: str) -> int:
    """The only statement that `case` is about in the function around `line`; else `line`."""
    rule = EXACT.get(case)
    tree = _parsed(file) if rule else None
    if not rule or not tree:
        return line
    around = [
        it
        for it in ast.walk(tree)
        if isinstance(it, Function) and it.lineno <= line <= (it.end_lineno or it.lineno)
    ]
    innermost = max(around, key=lambda it: it.lineno, default=None)
    found = [number for number, _ in _by_rules(innermost, [rule])] if innermost else []
    return found[0] if len(found) == 1 else line


def _found(
    sources: Sources, in_module: Callable[[ast.Module], Iterator[tuple[int, str]]]
) -> list[Suspicion]:
    found: set[tuple[Path, int, str]] = set()
    for source, tree in sources.items():
        found |= {(source, line, case) for line, case in in_module(tree)}
    return [Suspicion(*it) for it in sorted(found)]


def sources_of(file: Path) -> Sources:
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


def _suspected(tree: ast.Module, unused: set[ast.AST]) -> Iterator[tuple[int, str]]:
    for methods in _classes(tree):
        run = _run(methods, unused)
        yield from growing(methods, run)
        yield from counting(methods, run)
    compiled = list(_compiled(tree, unused))
    yield from growing_in_module(tree, compiled)
    caches = _CACHES | set(_renamed_caches(tree))
    for function in compiled:
        yield from _decorated(function, caches)
        yield from _by_rules(function, SUSPECTED)
    # Which function of a table runs, the code does not show.
    for function in _compiled(tree, unused, tables=False):
        yield from tensors_read(function)


def _believed(tree: ast.Module, unused: set[ast.AST]) -> Iterator[tuple[int, str]]:
    for function in _compiled(tree, unused):
        yield from _by_rules(function, BELIEVED)
    for methods in _classes(tree):
        for function in methods:
            if function.name == "__init__":
                yield from _by_rules(function, BELIEVED_AT_CONSTRUCTION)


def _compiled(tree: ast.Module, unused: set[ast.AST], *, tables: bool = True) -> Iterator[Function]:
    """The functions of a module that its compiled code runs, as far as names tell.

    With `tables`, those that a table of the module holds count as well.
    """
    functions = {it.name: it for it in tree.body if isinstance(it, Function)}
    assigned = [it for it in tree.body if tables and isinstance(it, ast.Assign)]
    values = {name(it.targets[0]): it for it in assigned}
    methods = [it for methods in _classes(tree) for it in methods if it not in unused]
    yield from (it for it in methods if it.name != "__init__")
    todo: list[ast.AST] = [*methods, *(it for it in functions.values() if _is_compiled(it))]
    known: set[str] = set()
    while todo:
        node = todo.pop()
        for named in _names(node) - known:
            known.add(named)
            todo += [it for it in (functions.get(named), values.get(named)) if it]
    yield from (it for it in functions.values() if it.name in known or _is_compiled(it))


def _run(methods: list[Function], unused: set[ast.AST]) -> list[Function]:
    """The methods that run in a call of the model."""
    return [it for it in methods if it.name != "__init__" and it not in unused]


def _classes(tree: ast.Module) -> Iterator[list[Function]]:
    """The methods of each class that defines `forward`."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef):
            methods = [it for it in owner.body if isinstance(it, Function)]
            if any(it.name == "forward" for it in methods):
                yield methods


def _is_compiled(function: Function) -> bool:
    return any("compile" in ast.unparse(it) for it in function.decorator_list)


def _names(node: ast.AST) -> set[str]:
    return {it.id for it in ast.walk(node) if isinstance(it, ast.Name)}


def _renamed_caches(tree: ast.Module) -> Iterator[str]:
    """The names under which a module imports `functools.cache` and `lru_cache`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "functools":
            yield from (it.asname for it in node.names if it.name in _CACHES and it.asname)


def _decorated(function: Function, caches: set[str]) -> Iterator[tuple[int, str]]:
    for decorator in function.decorator_list:
        if name(decorator.func if isinstance(decorator, ast.Call) else decorator) in caches:
            yield function.lineno, "lru_cache_is_ignored"


def _by_rules(function: Function, rules: Sequence[Rule]) -> Iterator[tuple[int, str]]:
    for node in traced(function):
        for rule in rules:
            if case := rule(node):
                yield node.lineno, case  # type: ignore[attr-defined]
