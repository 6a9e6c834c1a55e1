"""`repro` as a user runs it: failures of each kind, and decoys."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.commands import call
from tests.validators.diagnose.measured import report
from validators.catalog.casebook import default_catalog
from validators.cli import main
from validators.cli.model.repro import repro_command
from validators.diagnose.explaining.explain import Explainer
from validators.diagnose.findings.finding import Diagnosis
from validators.diagnose.run import Plan, diagnosed_by
from validators.diagnose.target.asking import Asking, Session
from validators.diagnose.target.spec import parse_spec
from validators.environment import describe
from validators.knowing.knowledge import knowledge_of
from validators.repository import Repository
from validators.repro import run
from validators.repro.goal import goal_of
from validators.repro.result import Reproduction
from validators.repro.run import Order, Work

MODEL = '''"""token=abcdefgh is a secret of {home}/data."""
import torch
from torch import nn


def operator(name, why):
    @torch.library.custom_op(f"lib::{{name}}", mutates_args=())
    def op(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    @op.register_fake
    def _(x):
        raise ValueError(why)

    return op


PATH = "{home}/data"
crashes = operator("crashes", "no shape")
other = operator("other", "another reason")


class Fine(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(size, size)

    def forward(self, x):
        return self.layer(x).relu()


class Decoy(nn.Module):
    inside = False

    def forward(self, x):
        return crashes(x) if self.inside else other(x)


class Alone(nn.Module):
    def forward(self, x):
        return x * self.scale


class Crashes(nn.Module):
    def __init__(self, scale=1.0):
        super().__init__()
        self.scale, self.path = scale, PATH
        self.alone = Alone()
        self.decoy = Decoy()

    def forward(self, x):
        self.alone.scale = self.scale
        self.decoy.inside = True
        return self.decoy(self.alone(x))


class Breaks(nn.Module):
    def forward(self, x):
        return x * 2 if x.sum() > 1e6 else x


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.step, self.scale = 0, nn.Parameter(torch.ones(1))

    def forward(self, x):
        self.step += 1
        return x * self.scale + self.step


class Net(nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.parts = nn.ModuleList(parts)

    def forward(self, x):
        for part in self.parts:
            x = part(x)
        return x


def crash():
    return Net(Fine(8), Crashes(scale=0.5)), [(torch.randn(n, 8),) for n in (2, 3)]


def others():
    calls = [(torch.ones(4, 8),) for _ in range(2)]
    return Net(Breaks(), Counts()), calls
'''
READS = """import json
from pathlib import Path
import torch
from torch import nn
from lib.parts import grown as own

SIZE = json.loads(open("config.json").read())["size"]
TABLE = torch.load(Path(__file__).with_name("table.pt"))


class Net(nn.Module):
    def forward(self, x):
        import late

        return late.twice(own(x)) + TABLE


def example():
    return Net(), [(torch.ones(2, SIZE),)]
"""
FILES = {
    "config.json": '{"size": 4, "made_in": "/home/me/data"}',
    ".env": "API_TOKEN=abcdefgh",
    "src/reads.py": READS,
    "src/lib/__init__.py": "",
    "src/lib/parts.py": "from .more import limit\n\n\n"
    "def grown(x):\n    return x * 2 if x.sum() > limit() else x\n",
    "src/lib/more.py": "from pathlib import Path\n\n\n"
    "def limit():\n    return float((Path(__file__).parents[2] / 'limit.txt').read_text())\n",
    "src/late.py": "def twice(x):\n    return x * 2\n",
    "limit.txt": "1e6",
}
SCRIPTS = """
import importlib.util, sys
for path in sys.argv[1:]:
    spec = importlib.util.spec_from_file_location("repro", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    print(module.main())
"""
KINDS = {
    "graph_break": ("parts.0", "Breaks", [0]),
    "recompile": ("parts.1", "Counts", [0, 1]),
}
"""The submodule, its class and its calls that each kind of failure needs."""


@pytest.fixture
def model(tmp_path, monkeypatch):
    """The file of the model, in the current folder."""
    (tmp_path / "model.py").write_text(MODEL.format(home="/home/me"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "model.py"


@pytest.mark.slow
def test_a_crash_is_reduced_to_its_submodule_past_decoys(model, diagnosing):
    """A smaller program that fails for another reason is none; nothing private is written."""
    done = call(main, "repro", "model.py:crash", "--json", cwd=model.parent)
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    found = json.loads(done.stdout)
    part = found["part"]
    assert (part["path"], found["type"], part["backend"]) == ("parts.1", "Crashes", "eager")
    assert part["calls"] == [0]
    assert found["checked"]
    said = {it["what"]: it["said"] for it in found["tried"]}
    assert "another reason" in said["submodule parts.1.decoy (Decoy)"]
    alone = said["submodule parts.1.alone (Alone)"]
    assert alone.startswith("raises without compiling: AttributeError")
    folder = model.parent / "repro"
    assert "no shape" in (folder / "error.txt").read_text()
    assert "class Fine" not in (folder / "repro.py").read_text()
    with tarfile.open(folder / "repro.tar.gz") as archive:
        files = {it.name: archive.extractfile(it).read().decode() for it in archive.getmembers()}
    assert {f"repro/{it}" for it in found["files"]} - {"repro/repro.tar.gz"} == set(files)
    for name, text in files.items():
        assert not any(it in text for it in (str(model.parent), "/home/me", "abcdefgh")), name


@pytest.mark.slow
def test_what_the_target_reads_comes_with_the_script(tmp_path, diagnosing):
    """Modules and data, also those that only a call imports or reads, each at its place."""
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    save = "import torch; torch.save(torch.ones(4), 'src/table.pt')"
    subprocess.run([sys.executable, "-c", save], cwd=tmp_path, check=True)
    words = ("src/reads.py:example", "--kind", "graph_break", "--json")
    done = call(main, "repro", *words, cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    found = json.loads(done.stdout)
    assert found["checked"], found
    copied = {it.removeprefix("files/") for it in found["files"] if it.startswith("files/")}
    assert copied == {"src/table.pt", *FILES} - {".env"}
    assert "/home/me" not in (tmp_path / "repro" / "files" / "config.json").read_text()
    told = (tmp_path / "repro" / "README.md").read_text()
    assert "`files/config.json`, `files/src/table.pt`, `files/limit.txt`" in told


@pytest.mark.slow
def test_other_failures_are_reduced_to_their_submodule(model, unmeasured, diagnosing):
    """With the first backend that shows them, and the fewest calls; a fixed script ends with 0."""
    env, spec = describe(sys.executable), parse_spec("model.py:others", model.parent)
    plan = Plan(spec, ("breaks",), {"backend": "eager"}, 300)
    explainer = Explainer(
        knowledge_of(Repository(default_catalog())), env.column, env.fingerprint.torch
    )

    async def reduce(asking: Asking, diagnosis: Diagnosis) -> dict[str, Reproduction]:
        found = {}
        for kind in KINDS:
            goal = goal_of(diagnosis, None, kind)
            assert goal, kind
            order = Order(spec, None, kind, Path(kind), {}, 300)
            found[kind] = Reproduction(
                target=str(spec),
                torch=diagnosis.torch,
                python=diagnosis.python,
                finding=goal.finding,
                folder=kind,
            )
            await Work(order, env, goal, found[kind], lambda _: None).reduce(asking)
        return found

    with Session(env, plan.options, plan.timeout) as session:
        diagnosis = diagnosed_by(session, plan, env, explainer, lambda _: None)
        reduced = session.ask(lambda asking: reduce(asking, diagnosis))
    for kind, it in reduced.items():
        tried = "\n".join(map(str, it.tried))
        path, kind_of_part, calls = KINDS[kind]
        assert it.part, tried
        assert (it.part.path, it.type, it.part.backend) == (path, kind_of_part, "eager"), tried
        assert it.part.calls == calls and it.part.loss == "none", tried
        assert it.checked, kind
    assert _ends(unmeasured) == [0, 0]


def _ends(variables: dict[str, str]) -> list[int]:
    """How the scripts end after each trouble is fixed, in a process without PYTHONPATH."""
    scripts = [Path(kind) / "repro.py" for kind in KINDS]
    for it in scripts:
        fixed = it.read_text().replace("x * 2 if x.sum() > 1e6 else x", "x")
        it.write_text(fixed.replace("self.step += 1", ""))
    clean = {name: it for name, it in variables.items() if not name.startswith("PYTHON")}
    command = [sys.executable, "-c", SCRIPTS, *map(str, scripts)]
    done = subprocess.run(command, env=clean, capture_output=True, text=True, check=True)
    return [int(it) for it in done.stdout.split() if it.isdigit()]


def test_a_target_without_failures_is_told_in_a_sentence(model, monkeypatch):
    """Nothing is written."""
    healthy = report(target="model.py:crash")
    monkeypatch.setattr(run, "diagnosed_by", lambda *_: healthy)
    command = ["model.py:crash", "--kind", "graph_break", "--python", sys.executable]
    done = CliRunner().invoke(repro_command, command, standalone_mode=False)
    assert done.return_value == 0
    assert done.stdout == "nothing fails: no graph_break was found\n"
    assert not (model.parent / "repro").exists()
