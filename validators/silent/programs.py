"""The programs of silent errors: a file each, whose name is the error's id."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from validators.errors import Problem
from validators.evidence.digests.program import program_of
from validators.files import read_file

FOLDER = Path("playbooks") / "silent"
"""Where a repository keeps them."""
CAUSES = (
    "unfaithful tracing",
    "code generation",
    "layout",
    "decomposition",
    "aliasing and mutation",
    "type promotion",
    "unsound fusion",
    "stale reuse",
    "toolchain",
    "symbolic sizes",
)
"""The root causes, one of which each error has."""
_FIELDS = ("cause", "issue", "fixed", "avoid", "needs")
_FIELD = re.compile(r"([a-z]+): (\S.*)")
_ISSUE = re.compile(r"[\w.-]+/[\w.-]+#\d+(?:, [\w.-]+/[\w.-]+#\d+)*")


@dataclass(frozen=True)
class SilentError:
    """A program, and what its docstring says of it.

    `says` is what is wrong, in one sentence. `issue` is where it was reported, `fixed` the pull
    request that fixes it, `avoid` what `instead` does, all "" if unknown. `needs` is "" if a CPU
    shows the error, "triton" if the code for a GPU does, and "cuda" if only a GPU does. `code` is
    the program without its docstring.
    """

    name: str
    file: Path
    says: str
    code: str
    cause: str = ""
    issue: str = ""
    fixed: str = ""
    avoid: str = ""
    needs: str = ""

    @property
    def digest(self) -> str:
        """The digest of what the program does."""
        return program_of(self.file).hash[:16]


def load_silent(root: Path) -> tuple[list[SilentError], list[Problem]]:
    """The silent errors of the repository `root` by name, and what is wrong with them."""
    found, problems = [], []
    for file in sorted((root / FOLDER).glob("*.py")):
        source = read_file(file).decode("utf-8", "replace")
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError) as error:
            problems.append(Problem(file, 0, f"is not Python ({error}); fix it"))
            continue
        says, fields, unread = _read(ast.get_docstring(tree) or "")
        known = {name: value for name, value in fields.items() if name in _FIELDS}
        found.append(SilentError(file.stem, file, says, _code(source, tree), **known))
        problems += [Problem(file, 0, it) for it in _defects(tree, found[-1], fields, unread)]
    return found, problems


def _read(text: str) -> tuple[str, dict[str, str], list[str]]:
    """The sentence of a docstring, its fields, and the lines that are neither."""
    says, _, rest = text.partition("\n\n")
    fields, unread = dict[str, str](), list[str]()
    for line in filter(None, map(str.strip, rest.split("\n"))):
        if found := _FIELD.fullmatch(line):
            fields[found[1]] = found[2]
        else:
            unread.append(line)
    return " ".join(says.split()), fields, unread


def _code(source: str, tree: ast.Module) -> str:
    """The source behind the docstring."""
    start = tree.body[0].end_lineno or 0 if ast.get_docstring(tree) else 0
    return "\n".join(source.split("\n")[start:]).strip() + "\n"


def _defects(
    tree: ast.Module, error: SilentError, fields: dict[str, str], unread: list[str]
) -> Iterator[str]:
    defined = {it.name for it in tree.body if isinstance(it, ast.FunctionDef | ast.ClassDef)}
    for name in ("call", "inputs"):
        if name not in defined:
            yield f"defines no `{name}`; write it, as the README beside it says"
    if not error.says.endswith("."):
        yield "does not say what is wrong; begin with a docstring of one sentence"
    if not error.cause:
        yield "its docstring has no `cause:`; add it"
    if error.cause and error.cause not in CAUSES:
        yield f"`cause: {error.cause}` is none of {', '.join(CAUSES)}; correct it"
    for name in ("issue", "fixed"):
        if fields.get(name) and not _ISSUE.fullmatch(fields[name]):
            yield f"`{name}: {fields[name]}` is no issue; write owner/name#1"
    if error.needs not in ("", "cuda", "triton"):
        yield f"`needs: {error.needs}` is unknown; write triton or cuda, or leave the line out"
    if ("instead" in defined) is not bool(error.avoid):
        yield "has only one of `avoid:` and `instead`; write both, or neither"
    for name in fields.keys() - {*_FIELDS}:
        yield f"`{name}:` is no field; write {', '.join(_FIELDS)}"
    for line in unread:
        yield f"{line!r} is no field; write `name: value`"
