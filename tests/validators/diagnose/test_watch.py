"""A command that is watched: it runs as it is, and what torch traced is reported."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from validators.diagnose.recording.tlparse import tlparse_report
from validators.diagnose.watch import STDERR, watch
from validators.errors import CasebookError
from validators.files import ROOT

RECORDING = next(
    (Path(__file__).parent / "recording" / "recordings" / "torch-2.13.0").glob("*.log")
)
TRACES = f"""
import os, shutil, sys
shutil.copy({str(RECORDING)!r}, os.environ["TORCH_TRACE"])
print("loss 0.3")
print("V1123 16:26:20.371000 288 torch/a.py:1] [0/0] [__graph_breaks] told us", file=sys.stderr)
print("W1123 16:26:20.371000 288 torch/a.py:1] [0/0] told the user", file=sys.stderr)
"""
"""A script that traces without torch."""
TRAIN = """import torch


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 4)

    def forward(self, x):
        x = self.layer(x)
        print("shape")
        return x.relu()


model = torch.compile(Net(), backend="aot_eager")
for size in (2, 3):
    model(torch.ones(size, 4)).sum().backward()
"""


@pytest.fixture
def script(tmp_path):
    """Writes a script and returns the command that runs it."""

    def written(text: str) -> list[str]:
        file = tmp_path / "train.py"
        file.write_text(text)
        return [sys.executable, str(file)]

    return written


@pytest.fixture
def diagnose(tmp_path, unmeasured):
    """Runs `diagnose` in a folder, as a user does."""

    def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "validators", "diagnose", *words],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            env={**unmeasured, "PYTHONPATH": str(ROOT), **variables},
        )

    return run


def test_stderr_is_kept_and_passed_on(script, tmp_path, capfd):
    """Without the messages that only our variables make torch print."""
    done = watch(script(TRACES), tmp_path, 60, False, 1)
    said = capfd.readouterr()
    assert done.failure == ""
    assert said.out == "loss 0.3\n"
    assert "told the user" in said.err
    assert "told us" not in said.err
    assert "told us" in (tmp_path / STDERR).read_text()


def test_what_the_user_logs_is_logged(script, tmp_path, capfd, monkeypatch):
    """Their `TORCH_LOGS` comes first, and all of it is passed on."""
    monkeypatch.setenv("TORCH_LOGS", "guards")
    watch(script(TRACES + "print(os.environ['TORCH_LOGS'])"), tmp_path, 60, True, 1)
    said = capfd.readouterr()
    assert "guards,graph_breaks,recompiles" in said.out
    assert "torch._dynamo.output_graph" in said.out
    assert "told us" in said.err


def test_a_command_that_takes_too_long_is_ended_with_its_children(script, tmp_path):
    """Also those that left its group."""
    child = "import subprocess\nchild = subprocess.Popen(['sleep', '60'], start_new_session=True)\n"
    write = "open('child', 'w').write(str(child.pid))\n"
    command = script(f"import os\nos.chdir({str(tmp_path)!r})\n{child}{write}child.wait()")
    begun = time.monotonic()
    done = watch(command, tmp_path, 2, False, 1)
    assert done.failure == "took longer than 2 s and was ended"
    assert time.monotonic() - begun < 30
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "child").read_text()), 0)


@pytest.mark.parametrize(
    ("ending", "said"),
    [
        ("raise SystemExit(5)", "ended with exit status 5"),
        ("os.kill(os.getpid(), 9)", "was killed by SIGKILL"),
    ],
)
def test_how_a_command_failed(script, tmp_path, ending, said):
    """Its exit status or its signal."""
    assert watch(script(f"import os\n{ending}"), tmp_path, 60, False, 1).failure == said


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["no-such-program", "x"], "no-such-program: is not a program"),
        ((sys.executable, "gone.py"), "gone.py: is not there; name a script"),
    ],
)
def test_what_cannot_be_run_is_told_in_a_sentence(tmp_path, command, said):
    """Before anything runs."""
    with pytest.raises(CasebookError, match=said):
        watch(command, tmp_path, 60, False, 1)


def test_a_watched_script_is_reported(script, diagnose, tmp_path):
    """Although it fails; its stdout stays, and only this run's trace lies beside the reports."""
    old = tmp_path / "out" / "trace" / "dedicated_log_torch_trace_old.log"
    old.parent.mkdir(parents=True)
    old.write_text("")
    done = diagnose("--out", "out", "--", *script(TRACES + "sys.exit(5)"))
    assert done.returncode == 3, done.stderr
    assert done.stdout.startswith("loss 0.3\n")
    assert "graph break: Data-dependent branching (3 times)" in done.stdout
    assert "The script ended with exit status 5" in done.stdout
    assert (tmp_path / "out" / "trace" / RECORDING.name).exists()
    assert not old.exists()
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert [it["name"] for it in report["parts"]] == ["recorded", "script"]


def test_json_stands_alone(script, diagnose):
    """What the script prints goes to stderr then; a shell runs as well as Python."""
    done = diagnose("--json", "--", "sh", "-c", shlex.join(script(TRACES)))
    assert json.loads(done.stdout)["torch"] == "2.13.0+cpu"
    assert "loss 0.3" in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("text", "variables", "said"),
    [
        ("print(1)", {}, "no torch.compile ran: compile a model in it"),
        ("print(1)", {"TORCH_COMPILE_DISABLE": "1"}, "the environment disables it"),
        ("raise ValueError(2)", {}, "no torch.compile ran: it ended with exit status 1"),
    ],
)
def test_a_script_that_compiles_nothing(script, diagnose, text, variables, said):
    """One sentence, exit status 2."""
    done = diagnose("--", *script(text), **variables)
    assert done.returncode == 2
    assert said in done.stderr.splitlines()[-1]


def test_tlparse_reports_beside_the_trace(tmp_path, monkeypatch):
    """Each trace gets a report; without tlparse a sentence says how to get it."""
    traces = [tmp_path / "trace" / "a.log"]
    program = tmp_path / "bin" / "tlparse"
    program.parent.mkdir()
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none" / "python"))
    monkeypatch.setenv("PATH", str(program.parent))
    assert "pip install tlparse" in tlparse_report(traces, tmp_path / "out")
    program.write_text('#!/bin/sh\necho "$1" "$3" >> "$3.called"\n')
    program.chmod(0o755)
    assert tlparse_report(traces, tmp_path / "out").endswith("out/index.html")
    assert "trace/a.log" in (tmp_path / "out.called").read_text()
    program.write_text("#!/bin/sh\necho bad >&2\nexit 1\n")
    assert tlparse_report(traces, tmp_path / "out") == "tlparse cannot read a.log: bad"


@pytest.mark.slow
def test_a_script_that_compiles(script, diagnose, tmp_path):
    """Torch of the script's interpreter, the break at its line, and nothing of the folder."""
    done = diagnose("--out", "out", "--", *script(TRAIN))
    assert done.returncode == 1, done.stderr
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    first, *others = report["findings"]
    assert (first["kind"], first["place"]["file"], first["place"]["line"]) == (
        "graph_break",
        "train.py",
        11,
    )
    assert first["explanation"]["case"] == "print_in_forward"
    assert [it["kind"] for it in others] == ["recompile"]
    assert report["column"].startswith("torch-")
    assert str(tmp_path) not in (tmp_path / "out" / "report.md").read_text()
