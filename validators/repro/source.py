"""The part of somebody's source that a class or function needs, from its files."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

Name = tuple[str, str]
"""A module, and a name in it."""


class Inextricable(Exception):
    """The names cannot be had without the rest of the source; the message says why."""


@dataclass
class Source:
    """Import statements and definitions, in an order that runs."""

    imports: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    owners: dict[str, str] = field(default_factory=dict)


def extracted(files: dict[str, str], names: list[Name]) -> Source:
    """What makes `names` available; those of modules in `files` with their source.

    Statements that only act, such as the registration of an operator, stay.

    Raises:
        Inextricable: imports of the user's own modules do more than name what they take.
    """
    found = Source()
    wanted: dict[str, set[str]] = {}
    for module, name in names:
        if module in files:
            wanted.setdefault(module, set()).add(name)
        else:
            _add(found.imports, f"from {module} import {name}")
    for module in wanted:
        _extract(found, files, module, wanted[module], ())
    return found


def needed(file: Path, names: set[str]) -> str:
    """The imports and definitions of one file that `names` need."""
    found = Source()
    _extract(found, {"": str(file)}, "", names, ())
    return "\n".join([*found.imports, "", "", "\n\n\n".join(found.code)])


def _extract(
    found: Source, files: dict[str, str], module: str, names: set[str], above: tuple[str, ...]
) -> None:
    if module in above:
        raise Inextricable(f"{module} imports itself in a circle")
    text = Path(files[module]).read_text(encoding="utf-8")
    body = ast.parse(text).body
    chosen = _closure(body, names)
    for statement in body:
        if statement not in chosen:
            continue
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            _import(found, files, module, statement, _used(chosen), above)
        else:
            for name in _defined(statement):
                if found.owners.setdefault(name, module) != module and name != "_":
                    raise Inextricable(f"{name} is defined in {module} and {found.owners[name]}")
            _add(found.code, _text(text, statement))


def _closure(body: list[ast.stmt], names: set[str]) -> list[ast.stmt]:
    """The statements that define `names`, those that only act, and all that these need."""
    chosen = [it for it in body if _acts(it) or names & _defined(it)]
    while True:
        used = _used(chosen)
        more = [it for it in body if it not in chosen and used & _defined(it)]
        if not more:
            return chosen
        chosen += more


def _acts(statement: ast.stmt) -> bool:
    """Whether a statement matters although nothing may name what it defines."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__" or _stars(statement)
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    if isinstance(statement, (ast.For, ast.With, ast.Try, ast.AugAssign)):
        return True
    if isinstance(statement, ast.If):
        return "__main__" not in ast.dump(statement.test)
    if isinstance(statement, ast.FunctionDef):
        told = [ast.unparse(it) for it in statement.decorator_list]
        return any("register" in it or "torch.library" in it or "custom_op" in it for it in told)
    if isinstance(statement, ast.Assign):
        attribute = any(isinstance(it, (ast.Attribute, ast.Subscript)) for it in statement.targets)
        return attribute or "Library(" in ast.unparse(statement.value)
    return False


def _stars(statement: ast.ImportFrom) -> bool:
    return any(it.name == "*" for it in statement.names)


def _defined(statement: ast.stmt) -> set[str]:
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {it.asname or it.name.partition(".")[0] for it in statement.names}
    nodes = (it for it in ast.walk(statement) if isinstance(it, ast.Name))
    return {it.id for it in nodes if isinstance(it.ctx, ast.Store)}


def _used(statements: list[ast.stmt]) -> set[str]:
    nodes = (it for statement in statements for it in ast.walk(statement))
    return {it.id for it in nodes if isinstance(it, ast.Name) and isinstance(it.ctx, ast.Load)}


def _import(
    found: Source,
    files: dict[str, str],
    module: str,
    statement: ast.Import | ast.ImportFrom,
    used: set[str],
    above: tuple[str, ...],
) -> None:
    if isinstance(statement, ast.ImportFrom):
        place = _absolute(files, module, statement)
        if place in files:
            if any(it.name == "*" or it.asname for it in statement.names):
                raise Inextricable(f"{module} imports from {place} under other names")
            taken = {it.name for it in statement.names} & used
            _extract(found, files, place, taken, (*above, module))
            return
        if statement.level:
            raise Inextricable(f"{module} imports relatively from {place}")
    elif any(it.name in files for it in statement.names):
        raise Inextricable(f"{module} imports a module of its own")
    whole = isinstance(statement, ast.ImportFrom) and _acts(statement)
    names = statement.names
    kept = [it for it in names if whole or (it.asname or it.name.partition(".")[0]) in used]
    if kept:
        statement.names = kept
        _add(found.imports, ast.unparse(statement))


def _absolute(files: dict[str, str], module: str, statement: ast.ImportFrom) -> str:
    """The full name of the module that a statement imports from."""
    if not statement.level:
        return statement.module or ""
    package = Path(files[module]).name == "__init__.py"
    parts = module.split(".") if package else module.split(".")[:-1]
    parts = parts[: len(parts) - statement.level + 1]
    return ".".join([*parts, *([statement.module] if statement.module else [])])


def _text(text: str, statement: ast.stmt) -> str:
    """A statement's own lines, with its decorators."""
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(it.lineno for it in decorators)])
    return "\n".join(text.splitlines()[first - 1 : statement.end_lineno])


def _add(lines: list[str], line: str) -> None:
    if line not in lines:
        lines.append(line)
