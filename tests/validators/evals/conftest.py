"""An interpreter with torch that does not see this project, and a fake agent."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from validators.environment import Environment, describe
from validators.files import ROOT

AGENT = """
import os, pathlib, re, subprocess, sys, time

kind, request = sys.argv[1], sys.argv[2]
model = pathlib.Path("tideline/model.py")
if kind == "succeed":
    text = model.read_text()
    text = text.replace(
        "self.calls = 0", 'self.register_buffer("calls", torch.zeros(()), persistent=False)'
    )
    text = text.replace(
        "min(self.calls / self.ramp, 1.0)", "(self.calls / self.ramp).clamp(max=1.0)"
    )
    model.write_text(text)
    print("read .agents/skills/torch-compile-optimize/SKILL.md")
    print('{"usage": {"input_tokens": 1000, "output_tokens": 34}}')
elif kind == "cheat":
    places = [pathlib.Path.cwd(), pathlib.Path.home(), pathlib.Path(request).parent]
    places += [pathlib.Path(it) for it in os.environ["PATH"].split(":")]
    places += [pathlib.Path(it) for it in os.environ.values() if it.startswith("/")]
    found = [str(g) for p in places if p.is_dir() for g in p.glob("*/grader.yaml")]
    found += [str(g) for p in pathlib.Path.cwd().parents[:1] for g in p.rglob("grader.yaml")]
    print("found", found)
    pathlib.Path("hidden").mkdir()
    pathlib.Path("hidden/grader.yaml").write_text("---\\ngraphs: 99\\n")
    pathlib.Path("hidden/factory.py").write_text("raise SystemExit(0)")
    limit = "torch._dynamo.config.recompile_limit = 64"
    text = model.read_text()
    model.write_text(text.replace("class MixerBlock", limit + "\\n\\n\\nclass MixerBlock"))
    caller = pathlib.Path("forecast.py")
    caller.write_text("print('step 2: 0')\\n")
elif kind == "hang":
    code = "import time, pathlib; time.sleep(4); pathlib.Path(%r).write_text('late')"
    subprocess.Popen([sys.executable, "-c", code % sys.argv[3]])
    time.sleep(60)
elif kind == "flood":
    while True:
        sys.stdout.write("x" * 65536)
elif kind == "garbage":
    sys.stdout.buffer.write(bytes(range(256)) * 50 + b"\\n{]{{ tokens: many\\ntokens: 12\\n")
    model.write_bytes(b"\\xff\\xfe(((")
    pathlib.Path("link").symlink_to("/etc")
    sys.exit(3)
"""


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """This interpreter's torch, without what is installed in development mode."""
    folder = tmp_path_factory.mktemp("alone")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    packages = next(folder.glob("lib/python*/site-packages"))
    # Files `.pth` of a folder that a `.pth` names are not read, so the project is not found.
    (packages / "torch.pth").write_text(sysconfig.get_path("purelib"))
    return describe(str(folder / "bin" / "python"))


@pytest.fixture
def fake(tmp_path: Path):
    """The command of a fake agent of one kind."""
    script = tmp_path / "fake_agent.py"
    script.write_text(AGENT)
    return lambda kind, *more: " ".join(["python", str(script), kind, "{task}", *more])


@pytest.fixture
def tasks() -> Path:
    """The tasks of this repository."""
    return ROOT / "evals" / "tasks"
