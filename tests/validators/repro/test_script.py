"""How a script ends, with a stand-in for torch: whoever bisects goes by its exit status."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from validators.diagnose.findings.finding import Explanation, Finding
from validators.repro.check import checked
from validators.repro.copies import Copies
from validators.repro.folder import _exits
from validators.repro.goal import Goal
from validators.repro.result import Trial
from validators.repro.script import Form, Subject, script

TORCH = {
    "__init__": "import os\n"
    "class Tensor: pass\n"
    "def manual_seed(number): pass\n"
    "def compile(run, **options):\n"
    "    def compiled(*args):\n"
    "        exec(os.environ.get('COMPILER', ''))\n"
    "        return run(*args)\n"
    "    return compiled\n"
}
MODEL = """import os
{top}

def run(x):
    {line}
    return x


def example():
    {setup}
    return run, [(1,)]
"""
FAILURE = Finding("crash", "call 0 raises", "", Explanation("unknown"), text="ValueError: no shape")
GOAL = Goal("crash", "ValueError: no shape", FAILURE)


def write(folder: Path, goal: Goal = GOAL, **parts: str) -> None:
    """Write a script with the user's files, of which one is in a folder."""
    model = MODEL.format(**{"top": "", "line": "", "setup": ""} | parts)
    files = {Path("src/model.py"): model.encode(), Path("config.txt"): b"1"}
    copies = Copies(files, (Path("src"),), data=[Path("config.txt")])
    made = {"names": [], "files": {}, "model": "", "inputs": ["((1,), {})"], "saved": False}
    subject = Subject("src/model.py:example", goal, Trial("eager", [0]), made, {}, copies)
    text = script(subject, Form("files", "seeds"))
    assert text
    folder.mkdir()
    (folder / "repro.py").write_text(text)
    copies.write(folder / "files")


@pytest.fixture
def ended(tmp_path, monkeypatch):
    """The exit status of a script, and the last line that it prints."""
    package = tmp_path / "installed" / "torch"
    package.mkdir(parents=True)
    for name, text in TORCH.items():
        (package / f"{name}.py").write_text(text)
    (package / "utils").mkdir()
    (package / "utils" / "_pytree.py").write_text("tree_leaves = tree_map = None\n")

    def run(compiler: str = "", torch: str = "", **parts: str) -> tuple[int, str]:
        write(tmp_path / "repro", **parts)
        if torch:
            (package / "__init__.py").write_text(torch)
        monkeypatch.setenv("COMPILER", compiler)
        monkeypatch.setenv("PYTHONPATH", str(package.parent))
        command = [sys.executable, str(tmp_path / "repro" / "repro.py")]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)
        return done.returncode, done.stdout.splitlines()[-1]

    return run


def test_a_script_tells_failure_from_success(ended):
    """1 while it fails as recorded."""
    assert ended("raise ValueError('no shape')") == (1, "fails: builtins.ValueError: no shape")


def test_a_fixed_failure_ends_with_0(ended):
    """And says so."""
    assert ended() == (0, "does not fail")


def test_data_is_read_from_where_it_lay(ended):
    """Seen from the module, and from the folder in which the target ran."""
    above = "open(os.path.dirname(__file__) + '/../config.txt').read()"
    assert ended(setup=f"assert open('config.txt').read() == {above}")[0] == 0


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"compiler": "raise KeyError('other')"}, "KeyError: 'other'"),
        ({"top": "import no_such_package"}, "No module named 'no_such_package'"),
        ({"top": "open('weights.pt')"}, "No such file or directory: 'weights.pt'"),
        ({"setup": "open('weights.pt')"}, "No such file or directory: 'weights.pt'"),
        ({"line": "raise ValueError('no shape')"}, "without compiling: ValueError: no shape"),
        ({"torch": "raise ImportError('no libtorch')"}, "ImportError: no libtorch"),
        ({"torch": "raise ValueError('no shape')"}, "ValueError: no shape"),
        ({"top": "raise SystemExit(1)"}, "something ends the process"),
        ({"setup": "import sys; sys.exit(1)"}, "something ends the process"),
    ],
)
def test_what_cannot_be_decided_ends_with_125(ended, parts, said):
    """As `git bisect run` wants it: else a broken build would count as one that fails."""
    status, line = ended(**parts)
    assert status == 125
    assert said in line


def test_a_script_that_breaks_otherwise_does_not_fail_in_the_same_way(tmp_path):
    """Although what it prints has the words of the failure."""
    goal = Goal("crash", "ValueError", FAILURE)
    write(tmp_path / "repro", goal, top="raise ValueError('fails: no shape')")
    run = checked(tmp_path / "repro", sys.executable, 60, goal)
    assert not run.same
    assert run.said.startswith("cannot decide: ")


def test_a_process_that_dies_can_be_bisected():
    """`git bisect run` stops at an exit status above 128."""
    *_, told, _ = _exits(GOAL)
    assert told == "git bisect run python repro.py"
    said, *_, told, _ = _exits(Goal("crash", "was killed by SIGSEGV", FAILURE))
    assert "none while it fails, as it was killed by SIGSEGV" in said
    command = told.removeprefix("git bisect run ").replace("python repro.py", "{}")
    for line, status in (("os.kill(os.getpid(), 11)", 1), ("os._exit(125)", 125), ("", 0)):
        shell = command.format(f'{sys.executable} -c "import os; {line}"')
        assert subprocess.run(shell, shell=True, check=False).returncode == status
