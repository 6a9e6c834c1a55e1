"""Commands that only look start quickly: they import no more than they need."""

from __future__ import annotations

import subprocess
import sys

import pytest

from validators.cli import _COMMANDS, cli
from validators.files import ROOT

HEAVY = {"asyncio", "jinja2", "multiprocessing", "rich", "torch"}


def test_the_help_of_all_commands_is_theirs():
    """The table that spares `--help` their import says what they say."""
    for name, (_, sentence) in _COMMANDS.items():
        command = cli.get_command(None, name)
        assert command.get_short_help_str(limit=200) == sentence


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
