"""The scripts of the skills: a copy of what they need, which runs where there is only torch."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pythons import other_pythons
from validators import __version__
from validators.files import ROOT
from validators.skillpack.closure import closure, imported
from validators.skillpack.shipped.answer import MOST, as_json, within

SCRIPTS = ROOT / "skills" / "torch-compile-optimize" / "scripts"
LIMIT_LINE = b"torch._dynamo hit config.recompile_limit (8)\n"
OTHERS = {"torch", "triton", "numpy", "transformers", "packaging"}
"""Beside the standard library: what a user's torch brings, and what odd versions are read with."""

Ran = subprocess.CompletedProcess[bytes]


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a skill, copied as a client would."""
    return Path(shutil.copytree(SCRIPTS, tmp_path_factory.mktemp("skill") / "scripts"))


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> Callable[..., Ran]:
    """Runs the program with a Python that finds no package of this environment."""

    def run(*arguments: str, given: bytes = b"", python: str = sys.executable) -> Ran:
        # -S leaves out site-packages; -I the variables and the folder of the caller.
        command = [python, "-I", "-S", str(installed / "casebook.py"), *arguments]
        return subprocess.run(command, input=given, capture_output=True, cwd=tmp_path, check=False)

    return run


def test_match_names_a_case(run):
    """From standard input, without any package."""
    done = run("match", "-", given=LIMIT_LINE)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["matches"][0]["case"] == "recompile_limit_falls_to_eager"
    assert told["matches"][0]["lines"][0]["line"] == 1
    assert len(done.stdout) <= MOST


def test_match_says_when_nothing_is_known(run):
    """Exit status 1, and what to do next."""
    done = run("match", "-", given=b"the cat sat on the mat\n")
    assert (done.returncode, json.loads(done.stdout)["matches"]) == (1, [])
    assert any("TORCH_LOGS" in it for it in json.loads(done.stdout)["notes"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["match", "missing.log"], "Error: missing.log: there is no such file; name one"),
        (["diagnose", "model.py:f"], "Error: model.py: is not a file; name one that defines f()"),
        (["diagnose", "model.py"], "Error: model.py: names no factory"),
        (["verify-fix", "a.py:f", "b.py:f"], "Error: a.py: is not a file"),
        (
            ["diagnose", f"{__file__}:f", "--python", "nowhere"],
            "Error: nowhere: is not a Python interpreter",
        ),
    ],
)
def test_bad_input_is_one_sentence(run, words, said):
    """On stderr, with exit status 2."""
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(said)
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("verb", ["match", "diagnose", "scan", "verify-fix"])
def test_help_has_an_example_and_the_exit_status(run, verb):
    """What an agent reads first."""
    said = run(verb, "--help").stdout.decode()
    assert f"casebook {verb}" in said
    assert "Exit status: 0" in said


def test_the_version_is_the_casebooks(run):
    """One version for all."""
    assert run("--version").stdout.decode().strip() == __version__


def test_the_bundle_needs_torch_at_most(installed):
    """Every file of the bundle, except for what its own modules bring."""
    bundle = installed / "casebook"
    own = {"validators", "reference_models"}
    known = own | OTHERS | set(sys.stdlib_module_names)
    strangers = {
        f"{file.relative_to(bundle)}: {name}"
        for file in bundle.rglob("*.py")
        for name in imported(file)
        if name.partition(".")[0] not in known
    }
    # The command line of this project catches click's errors; scripts do without.
    assert strangers == {"validators/errors.py: click"}


def test_the_bundle_is_python_3_10(installed):
    """By its syntax; other tests run it where such a Python is at hand."""
    for file in (installed / "casebook").rglob("*.py"):
        ast.parse(file.read_text("utf-8"), feature_version=(3, 10))


def test_match_runs_on_python_3_10(run):
    """With the oldest Python that the skills promise."""
    python = _oldest()
    if python is None:
        pytest.skip("no Python 3.10 here")
    done = run("match", "-", given=LIMIT_LINE, python=python)
    assert done.returncode == 0, done.stderr


def test_what_runs_code_loads_on_python_3_10(run):
    """As far as modules and functions that 3.10 lacks go."""
    python = _oldest()
    if python is None:
        pytest.skip("no Python 3.10 here")
    for verb in ("diagnose", "scan", "verify-fix"):
        assert run(verb, "--help", python=python).returncode == 0


def _oldest() -> str | None:
    on_path = shutil.which("python3.10")
    for python in [*other_pythons("3.10"), *([on_path] if on_path else [])]:
        # pyenv also puts a name for each release on PATH, whether it may be used or not.
        if not subprocess.run([python, "-V"], capture_output=True, check=False).returncode:
            return python
    return None


def test_what_only_type_checkers_import_is_left_out(tmp_path):
    """It would pull in most of the machine."""
    file = tmp_path / "one.py"
    file.write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import validators.catalog\n"
        "def f():\n    from validators import files\n"
    )
    names = {str(it.relative_to(ROOT)) for it in closure([file]) if it != file}
    assert names == {"validators/__init__.py", "validators/errors.py", "validators/files.py"}


def test_long_answers_lose_their_end():
    """The list named last first, and say how much is missing."""
    answer = {"first": ["x" * 3000] * 2, "last": ["y" * 3000] * 3}
    short = within(answer, ["first", "last"], full=False)
    assert len(as_json(short)) <= MOST
    assert (len(short["first"]), short["last"], short["left_off"]) == (2, [], 3)
    assert within(answer, ["first", "last"], full=True) == answer
