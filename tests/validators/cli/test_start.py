"""Commands that only look start quickly: they import no more than they need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.commands import call
from validators.catalog import load_catalog
from validators.cli import _GROUPS, cli, main
from validators.environment import describe
from validators.evidence import write_record
from validators.files import ROOT

HEAVY = {"asyncio", "jinja2", "multiprocessing", "rich", "torch"}


def test_every_command_of_the_help_is_one():
    """The table spares `--help` their import, so nothing else would notice a name that is wrong."""
    assert [*cli.list_commands(None)] == [name for group in _GROUPS.values() for name in group]
    for name in cli.list_commands(None):
        assert cli.get_command(None, name).name == name


@pytest.mark.parametrize(
    "arguments",
    [["--help"], ["--version"], ["list"], ["status"], ["show", "compile_modes"], ["show", "gb59"]],
)
def test_what_only_looks_imports_little(arguments, unmeasured):
    """An import costs more than the command that does without it."""
    modules = modules_of(arguments, unmeasured)
    assert "click" in modules
    assert not {module.partition(".")[0] for module in modules} & HEAVY
    assert "validators.probes" not in modules


def test_a_run_of_what_is_current_imports_little(tmp_path, write_case, make_record, unmeasured):
    """Neither torch nor what only makes pages: it decides nothing and shows little."""
    catalog = tmp_path / "playbooks" / "catalog"
    write_case(catalog, "graph_breaks", "branch")
    here = describe(sys.executable, "cpu")
    (case,) = load_catalog(catalog).cases
    record = make_record(case, column=here.column, fingerprint=here.fingerprint)
    write_record(tmp_path / "build" / "evidence", record)
    options = ["--device", "cpu", "--witnesses", "none", "--catalog", str(catalog)]
    modules = modules_of(["run-all", *options], unmeasured)
    assert "validators.runner.plan" in modules
    assert not modules & {"torch", "jinja2", "markdown_it", "pygments.lexers"}


def modules_of(arguments, variables):
    """What a command imports that ends well."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "validators", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=variables,
    )
    assert done.returncode == 0, done.stdout
    return {line.rpartition("|")[2].strip() for line in done.stderr.split("\n")}


@pytest.mark.parametrize(
    ("words", "completed"),
    [("casebook ver", "verify-fix"), ("casebook show print_i", "print_in_forward")],
)
def test_a_shell_completes_commands_and_cases(words, completed, unmeasured):
    """With what `casebook completion` sets up."""
    env = {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
    start = "import sys; sys.argv[0] = 'casebook'; from torch_compile_casebook import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", start],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**unmeasured, **env, "_CASEBOOK_COMPLETE": "bash_complete"},
    )
    assert completed in [line.partition(",")[2] for line in done.stdout.splitlines()]


def test_the_script_of_a_shell_names_the_command():
    """It is what the shell runs to complete."""
    done = call(main, "completion", "zsh", cwd=ROOT)
    assert "_CASEBOOK_COMPLETE=zsh_complete casebook" in done.stdout
