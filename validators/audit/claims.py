"""What a passage says that an installed torch can answer: names, keywords, variables, settings."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from validators.audit.reading import Passage

What = Literal["name", "keyword", "logs", "variable", "mode", "option"]

_SPAN = re.compile(r"``?([^`\n]+)``?")
_DOTTED = re.compile(r"(?<![\w./-])torch(?:\.[A-Za-z_]\w*)+")
_LOGS = re.compile(r"\bTORCH_LOGS\s*=\s*(?:\"([^\"\n]*)\"|'([^'\n]*)'|([\w+\-.,:*]+))")
_VARIABLE = re.compile(
    r"\b(?:TORCHINDUCTOR|TORCHDYNAMO|TORCH_COMPILE|TORCHDYNAMO_REPRO|AOT_INDUCTOR)_[A-Z0-9_]+\b"
)
_DENIES = re.compile(
    r"\b(?:no|not|never|nothing|without|none|cannot|isn't|doesn't|don't|false|removed|renamed|"
    r"instead|was|were|old|older|former|deprecated|up to|before)\b",
    re.IGNORECASE,
)
_HEADER = ("h", "html", "rst", "md", "py", "cpp", "so", "txt", "json", "yaml", "org")


class Claim(Struct, frozen=True):
    """That something exists, in a form that a program can ask torch for.

    `subject` is a dotted name, the value of `TORCH_LOGS`, a variable, a mode or an option;
    `argument` is the keyword that a call passes to `subject`, else "".
    """

    what: What
    subject: str
    argument: str = ""


def claims_of(passage: Passage) -> Iterator[tuple[int, Claim]]:
    """The claims of a passage, each with its line; where a text denies something, it makes none."""
    if passage.kind == "python":
        for offset, claim in _of_python(passage.text):
            yield passage.line + offset, claim
        return
    if passage.kind == "prose" and _DENIES.search(_SPAN.sub("", passage.around)):
        return
    for offset, line in enumerate(passage.text.split("\n")):
        spans = [line] if passage.kind == "shell" else _SPAN.findall(line)
        for span in spans:
            for claim in _of_text(span):
                yield passage.line + offset, claim


def _of_text(text: str) -> Iterator[Claim]:
    for groups in _LOGS.findall(text):
        yield Claim("logs", next(filter(None, groups), ""))
    for name in _VARIABLE.findall(text):
        if not name.endswith("_"):
            yield Claim("variable", name)
    for name in _DOTTED.findall(text):
        if name.rpartition(".")[2] not in _HEADER:
            yield Claim("name", name)


def _of_python(text: str) -> Iterator[tuple[int, Claim]]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    names = dict(_imported(tree))
    guarded = set(_in_hasattr(tree))
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 1) - 1
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
            for alias in node.names:
                if alias.name != "*":
                    yield line, Claim("name", f"{node.module}.{alias.name}")
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("torch."):
                    yield line, Claim("name", alias.name)
        elif isinstance(node, ast.Attribute) and node not in guarded:
            if (dotted := _dotted(node, names)) and not _extended(node, tree):
                yield line, Claim("name", dotted)
        elif isinstance(node, ast.Call) and (dotted := _dotted(node.func, names)):
            yield from ((line, it) for it in _of_call(dotted, node))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from ((line, it) for it in _of_text(node.value) if it.what == "variable")


def _of_call(dotted: str, node: ast.Call) -> Iterator[Claim]:
    for keyword in node.keywords:
        if keyword.arg:
            yield Claim("keyword", dotted, keyword.arg)
        if dotted != "torch.compile":
            continue
        value = keyword.value
        if keyword.arg == "mode" and isinstance(value, ast.Constant) and value.value:
            yield Claim("mode", str(value.value))
        if keyword.arg == "options" and isinstance(value, ast.Dict):
            for key in value.keys:
                if isinstance(key, ast.Constant):
                    yield Claim("option", str(key.value))


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a module binds to something of torch, and its dotted name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "torch":
                    yield (alias.asname, alias.name) if alias.asname else ("torch", "torch")
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"
    yield "torch", "torch"


def _dotted(node: ast.AST, names: dict[str, str]) -> str:
    """The dotted name of an expression that begins with a name of torch, or ""."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in names or not parts:
        return names.get(node.id, "") if isinstance(node, ast.Name) and not parts else ""
    return ".".join([names[node.id], *reversed(parts)])


def _extended(node: ast.Attribute, tree: ast.AST) -> bool:
    """Whether a longer name contains this one, which then says more."""
    return any(isinstance(it, ast.Attribute) and it.value is node for it in ast.walk(tree))


def _in_hasattr(tree: ast.AST) -> Iterator[ast.AST]:
    """What stands inside `if hasattr(...)` or `try`: it may be absent on purpose."""
    for node in ast.walk(tree):
        if (isinstance(node, ast.If) and "hasattr" in ast.dump(node.test)) or isinstance(
            node, ast.Try
        ):
            yield from (it for body in node.body for it in ast.walk(body))


def distinct(found: Iterable[Claim]) -> list[Claim]:
    """Each claim once, in the order of their first appearance."""
    return list(dict.fromkeys(found))
