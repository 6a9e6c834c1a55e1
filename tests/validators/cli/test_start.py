"""Commands that only look start quickly: they import no more than they need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from validators.cli import _GROUPS, cli
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
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "validators", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=unmeasured,
    )
    assert done.returncode == 0
    modules = {line.rpartition("|")[2].strip() for line in done.stderr.split("\n")}
    assert "click" in modules
    assert not {module.partition(".")[0] for module in modules} & HEAVY
    assert "validators.probes" not in modules
