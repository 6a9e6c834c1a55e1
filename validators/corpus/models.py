"""The real models of a repository: a file each, whose name is the model's id."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

from validators.errors import CasebookError, Problem
from validators.evidence.digests.program import program_of
from validators.files import read_file

FOLDER = Path("reference_models") / "real"
"""Where a repository keeps them."""
ALONE = "models-alone"
"""The extra with packages that ask for another torch, so that pip refuses them beside ours."""
EXTRAS = ("models", ALONE)
"""The extras of pyproject.toml that pin their packages; those of the second are installed alone."""

# Runs in the judged interpreter, which has none of our packages.
_QUESTION = """
import importlib.metadata, json, sys
known = importlib.metadata.packages_distributions()
found = {name: known[name][0] for name in json.loads(sys.argv[1]) if name in known}
print(json.dumps({name: [it, importlib.metadata.version(it)] for name, it in found.items()}))
"""


_PACKAGE = re.compile(r", of ([\w-]+)\.$")
"""The package at the end of a docstring."""


@dataclass(frozen=True)
class Model:
    """A model's file: what it imports beyond torch, and the functions that it defines."""

    name: str
    file: Path
    about: str
    imports: tuple[str, ...]
    functions: frozenset[str]

    @property
    def digest(self) -> str:
        """The digest of what its program does."""
        return program_of(self.file).hash[:16]

    @property
    def fixed(self) -> bool:
        """Whether it has a repaired form."""
        return "fixed" in self.functions


def load_models(root: Path) -> tuple[list[Model], list[Problem]]:
    """The models of the repository `root` by name, and what is wrong with them."""
    found, problems = [], []
    for file in sorted((root / FOLDER).glob("*.py")):
        try:
            model = _model(file, ast.parse(read_file(file)))
        except (SyntaxError, ValueError) as error:
            problems.append(Problem(file, 0, f"is not Python ({error}); fix it"))
            continue
        found.append(model)
        problems += [Problem(file, 0, message) for message in _defects(model)]
    return found, problems


def _model(file: Path, tree: ast.Module) -> Model:
    imported = {name for node in ast.walk(tree) for name in _imported(node)}
    return Model(
        name=file.stem,
        file=file,
        about=_PACKAGE.sub(r" (\1).", (ast.get_docstring(tree) or "").partition("\n")[0]),
        imports=tuple(sorted(imported - sys.stdlib_module_names - {"torch"})),
        functions=frozenset(it.name for it in tree.body if isinstance(it, ast.FunctionDef)),
    )


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name.partition(".")[0] for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module.partition(".")[0]]
    return []


def _defects(model: Model) -> Iterator[str]:
    if "example" not in model.functions:
        yield "defines no example(); write one that returns the model and its calls"
    if not model.about:
        yield "does not say what the model is; begin with a docstring of one sentence"
    if model.name in model.imports:
        yield f"hides the package {model.name}, which it imports; give the file another name"


def versions_in(python: str, names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The distribution and version of each package that the interpreter `python` can import.

    Raises:
        CasebookError: the interpreter cannot say.
    """
    command = [python, "-c", _QUESTION, json.dumps(sorted(set(names)))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return {name: (it[0], it[1]) for name, it in json.loads(done.stdout).items()}
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        raise CasebookError(f"{python}: cannot list its packages ({last}); name another") from None


def pins(root: Path, torch: str, extras: Sequence[str] = EXTRAS) -> dict[str, str]:
    """The version that pyproject.toml pins of each distribution that models need on a torch.

    Some fit one release of torch alone: the extra `models-torch-2-15` has those for 2.15.
    """
    release = "-".join(torch.split(".")[:2])
    extras = [*extras, f"models-torch-{release}"]
    try:
        data = tomllib.loads(read_file(root / "pyproject.toml").decode())
    except (OSError, ValueError):
        return {}
    known = data.get("project", {}).get("optional-dependencies", {})
    wanted = [Requirement(line) for extra in extras for line in known.get(extra, [])]
    exact = [(it, spec) for it in wanted for spec in it.specifier if spec.operator == "=="]
    return {it.name: spec.version for it, spec in exact}
