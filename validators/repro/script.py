"""The text of `repro.py`."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from validators.files import ROOT
from validators.repro.copies import Copies
from validators.repro.goal import Goal
from validators.repro.result import Trial
from validators.repro.source import Source, extracted, needed

SAVED = "values.pt"
FILES = "files"
_LOADED = f'torch.load(Path(__file__).with_name("{SAVED}"), weights_only=False)'
_WATCHERS = ROOT / "validators" / "inspector" / "reducing" / "reproducer.py"
_FIRST = ("import atexit", "import os", "import sys")
_IMPORTS = ("import re", "import textwrap", "import torch")
_SHARED = {"fails_in_eager"}
_UNDECIDED = """
DECIDED = []


def undecided():
    # An exception that nobody expects ends Python with 1 as well.
    if not DECIDED:
        error = getattr(sys, "last_value", None) or SystemExit("something ends the process")
        print(f"cannot decide: {type(error).__name__}: {error}", flush=True)
        os._exit(125)


if __name__ == "__main__":
    atexit.register(undecided)
"""
_MAIN = '''
def main() -> int:
    """Return 1 while it fails, 0 when it does not any more, 125 if that cannot be decided."""
    if said := fails_in_eager(make, calls, LOSS):
        print(f"cannot decide: it fails without compiling: {said}")
        return 125
    found = KIND(make, calls, LOSS, OPTIONS)
    for text in found:
        if re.search(WANTED, text, re.DOTALL):
            print("fails: " + textwrap.shorten(text, 300, placeholder=" ..."))
            return 1
    if found:
        print("cannot decide: it fails in another way:", *found, sep="\\n")
        return 125
    print("does not fail")
    return 0


if __name__ == "__main__":
    DECIDED.append(main())
    sys.exit(DECIDED[0])
'''
EXITS = "1 while it fails, 0 when it does not any more, 125 if that cannot be decided"
"""The exit status of a script, in words; `git bisect run` skips what ends with 125."""


@dataclass(frozen=True)
class Form:
    """Where a script gets its model and its inputs from, each the smallest first.

    `model` is "source" for the class's own source, "files" for copies of the user's files.
    `inputs` is "seeds" for values made from seeds, "saved" for a file with parameters and inputs.
    """

    model: str
    inputs: str

    @property
    def said(self) -> str:
        """The form in words."""
        models = {
            "source": "only the source that the failing part needs",
            "files": "copies of the user's files",
        }
        values = {
            "seeds": "values made from seeds",
            "saved": f"the recorded inputs and parameters in {SAVED}",
        }
        return f"{models[self.model]}, and {values[self.inputs]}"


FORMS = tuple(Form(model, inputs) for model in ("source", "files") for inputs in ("seeds", "saved"))


@dataclass(frozen=True)
class Subject:
    """What the script is about: the target, its smallest part that fails, how to make it anew."""

    target: str
    goal: Goal
    trial: Trial
    made: dict[str, Any]
    options: dict[str, Any]
    copies: Copies


def script(subject: Subject, form: Form) -> str | None:
    """The text of the script in this form; None if the form cannot express the subject.

    Raises:
        Inextricable: the source cannot be had without the rest of the user's.
    """
    made = subject.made
    if form.inputs == "saved" and not made["saved"]:
        return None
    if form.inputs == "seeds" and not made["inputs"]:
        return None
    if form.model == "source" and (not made["model"] or subject.trial.loss == "own"):
        return None
    source = _source(subject, form)
    watcher = needed(_WATCHERS, _watching(subject))
    imports, watching = _parted(watcher)
    paths = {"from pathlib import Path"} if form.inputs == "saved" else set()
    future, others = _ordered({*_IMPORTS, *imports, *source.imports, *paths} - {*_FIRST})
    parts = [
        f'"""{_about(subject.goal.title)}"""\n\n' + "\n".join([*future, *_FIRST]),
        _UNDECIDED,
        "\n".join(others),
        *source.code,
        _make(subject, form),
        _calls(subject, form),
        watching,
        _settings(subject),
        _MAIN.strip().replace("KIND(", f"{subject.goal.kind}("),
    ]
    return "\n\n\n".join(it.strip("\n") for it in parts) + "\n"


def _source(subject: Subject, form: Form) -> Source:
    made = subject.made
    names = [(module, name) for module, name in made["names"]]
    if form.model == "files":
        # What the inputs need must come from the modules that the model uses.
        place, _, factory = subject.target.rpartition(":")
        module = place.removesuffix(".py").rpartition("/")[2] if place.endswith(".py") else place
        needs = [f"from {module} import {factory}"]
        needs += [f"from {module} import {name}" for module, name in _of_inputs(made, names)]
        places = "\n".join(_places(subject.copies))
        return Source(["from pathlib import Path"], [places, "\n".join(needs)])
    return extracted(made["files"], names)


def _places(copies: Copies) -> Iterator[str]:
    """Where modules are found, and from where the copied files are read."""
    yield f'FILES = Path(__file__).resolve().parent / "{FILES}"'
    roots = [_below(it) for it in copies.roots]
    yield f"sys.path[:0] = [{', '.join(f'str({it})' for it in roots)}]"
    if copies.data:
        yield f"os.chdir({_below(copies.start)})"


def _below(place: Path) -> str:
    return "FILES" if place == Path() else f'FILES / "{place.as_posix()}"'


def _of_inputs(made: dict[str, Any], names: list[tuple[str, str]]) -> list[tuple[str, str]]:
    text = " ".join(made["inputs"] or [])
    return [(module, name) for module, name in names if f"{name}(" in text]


def _watching(subject: Subject) -> set[str]:
    return {subject.goal.kind, *_SHARED, *({"total"} if subject.trial.loss == "total" else ())}


def _parted(text: str) -> tuple[list[str], str]:
    """The import statements of a text, and the rest."""
    lines = text.splitlines()
    imports = [it for it in lines if it.startswith(("import ", "from "))]
    return imports, "\n".join(it for it in lines if it not in imports)


def _ordered(imports: set[str]) -> tuple[list[str], list[str]]:
    """Those that must come first of all, and the others."""
    ordered = sorted(imports, key=lambda it: ("torch" in it, "from" in it, it))
    return [it for it in ordered if "__future__" in it], [
        it for it in ordered if "__future__" not in it
    ]


def _make(subject: Subject, form: Form) -> str:
    factory = subject.target.rpartition(":")[2]
    path = f".get_submodule({subject.trial.path!r})" if subject.trial.path else ""
    first = f"{factory}()[0]{path}"
    made = subject.made["model"] if form.model == "source" else first
    module = "(" in made
    lines = ["def make():", "    torch.manual_seed(0)", f"    model = {made}"]
    if form.inputs == "saved" and module:
        lines += [
            f'    state = {_LOADED}["state"]',
            "    if state is not None:",
            "        model.load_state_dict(state)",
        ]
    return "\n".join([*lines, "    return model"])


def _calls(subject: Subject, form: Form) -> str:
    if form.inputs == "saved":
        return f'def calls():\n    return {_LOADED}["calls"]'
    pairs = ",\n".join(subject.made["inputs"])
    listed = textwrap.indent(f"{pairs},", " " * 8)
    return f"def calls():\n    torch.manual_seed(0)\n    return [\n{listed}\n    ]"


def _settings(subject: Subject) -> str:
    factory = subject.target.rpartition(":")[2]
    losses = {"none": "None", "total": "total", "own": f"{factory}()[2]"}
    options = {**subject.options, "backend": subject.trial.backend}
    if options["backend"] != "inductor":
        options.pop("mode", None)
    lines = [
        f"WANTED = {_raw(subject.goal.pattern)}",
        f"LOSS = {losses[subject.trial.loss]}",
        f"OPTIONS = {options!r}",
    ]
    return "\n".join(lines)


def _about(title: str) -> str:
    """What the script says of itself."""
    lines = [
        f"{title}.",
        "",
        "    python repro.py",
        "",
        f"Exit status: {EXITS}.",
        "",
    ]
    return "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''")


def _raw(pattern: str) -> str:
    """A pattern as Python text that people can read."""
    quote = next((it for it in "\"'" if it not in pattern), "")
    return f"r{quote}{pattern}{quote}" if quote else repr(pattern)
